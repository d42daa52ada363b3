/* The counts of a GPU. */
#ifndef TANDEM_GPU_STATISTICS_H
#define TANDEM_GPU_STATISTICS_H

#include "csim/mem/mem.h"
#include "csim/sm/sm.h"
#include "gpu_features.h" /* of this build: harness/CMakeLists.txt */
#include "harness/unit/unit.h"

struct tandem;

/* Counters, accumulated over all launches.  They have their meaning in
 * harness/gpu/results/run_stats.def, csim/sm/stats.def, csim/mem/stats.def and each feature's
 * statistics.def (docs/reference/statistics.md). */
struct gpu_stats {
#define STAT_COUNT STAT_FIELD
#include "harness/gpu/results/run_stats.def"
  struct feature_statistics feature; /* by name: feature.buddy.ungroups */
  struct sm_stats sm;                /* sum over the SMs */
  uint64_t warp_room; /* warps that SMs with a live warp have room for, summed over cycles */
  struct mem_stats mem;
  double wall_s, khz;
  double wall[TANDEM_WALLS]; /* seconds, summed over threads, sampled */
};

/* Sums over the SMs and units, up to now. */
void gpu_statistics(const struct tandem *t, struct gpu_stats *stats);
/* The counts of one SM; all 0 if there is no such SM. */
void gpu_sm_statistics(const struct tandem *t, unsigned sm, struct sm_stats *stats);

#endif
