/* Statistics of each kernel, as they are kept (harness/internal.h reads them). */
#ifndef TANDEM_GPU_KERNELS_H
#define TANDEM_GPU_KERNELS_H

#include "harness/internal.h"

/* A launch of that kernel has ended; false: out of memory. */
bool gpu_kernel_ended(struct tandem *t, const char *name);
void gpu_kernels_free(struct tandem *t);

#endif
