/* What buddy.c and buddy_stats.c share of a cluster of SMs. */
#ifndef TANDEM_GPU_BUDDY_H
#define TANDEM_GPU_BUDDY_H

#include "harness/gpu/gpu.h"

/* What a cluster counts (docs/buddy_measurements.md). */
struct cluster_counts {
  struct gpu_buddy_stats sum;
  uint64_t gated[CLUSTER_MEMBERS]; /* cycles that a member's front end was off */
  struct gpu_ungroup first[8];
};

/* What a cluster is besides a cell. */
struct cluster {
  struct cluster_in *in;
  const struct cluster_out *out;
  unsigned first, members, delay;
  unsigned cold, off;              /* members whose front ends are off (docs/buddy.md) */
  unsigned waking;                 /* of these, the ones with power */
  unsigned resident;               /* members with CTAs */
  unsigned grouped;                /* members that work in a group */
  unsigned formed;                 /* members that the kernel's formation put in one */
  unsigned listeners;              /* members whose leader is another one */
  struct buddy_cluster_out before; /* the outputs before the last ones */

  /* Why a slave asked: the branches of the last cycles, and each warp's last instruction. */
  struct cluster_branch {
    uint64_t cycle;
    uint32_t taken;
    uint8_t warp;
  } resolved[CLUSTER_MEMBERS][64];
  struct {
    uint16_t pc;
    uint32_t mask;
  } issued[CLUSTER_MEMBERS][48];
  struct gpu_ungroup asks[CLUSTER_MEMBERS];
  unsigned asked; /* members whose wish is in asks */
  struct cluster_counts counts;
};

/* Counts the outputs of so many cycles, all but the first without any event; counts what is new
 * since the outputs before, and whether members that work as one again may. */
void buddy_count(struct cluster *c, uint64_t cycles);
void buddy_events(struct tandem *t, struct cell *cell);

/* stats->buddy. */
void buddy_statistics(const struct tandem *t, struct gpu_stats *stats);

#endif
