/* The machine of SMs with large warps. */
#ifndef TANDEM_GPU_WIDE_H
#define TANDEM_GPU_WIDE_H

#include "harness/gpu/core/gpu.h"

extern const struct machine machine_wide;

/* Refuses large warps beside shared front ends.  0 or a negative errno. */
int wide_check(const struct tandem_config *c, struct tandem_error *err);

#endif
