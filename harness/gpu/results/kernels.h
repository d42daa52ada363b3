/* Statistics of each kernel: sums over its launches.  Maxima are 0. */
#ifndef TANDEM_GPU_KERNELS_H
#define TANDEM_GPU_KERNELS_H

#include "harness/gpu/results/statistics.h"

enum { GPU_LAUNCH_FIGURES = 8 /* of all features, at most */ };
struct gpu_kernel {
  struct gpu_stats stats;
  double launch_sums[GPU_LAUNCH_FIGURES]; /* of the features' launch figures, in their order */
  char name[];
};
size_t gpu_kernels(const struct tandem *t);
const struct gpu_kernel *gpu_kernel(const struct tandem *t, size_t i); /* as first launched */

#endif
