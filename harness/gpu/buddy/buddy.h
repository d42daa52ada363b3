/* A cluster of SMs, as buddy.c and statistics.c share it. */
#ifndef TANDEM_GPU_BUDDY_H
#define TANDEM_GPU_BUDDY_H

#include "harness/gpu/core/gpu.h"
#include "harness/gpu/feature.h"

/* Why a group was ungrouped: a slave's wish, or CTA dispatch (split; then nothing below it). */
struct gpu_ungroup {
  uint64_t cycle; /* of the whole run: the group stops */
  unsigned lead;  /* SM of the group's master */
  bool split;
  unsigned sm, warp;
  uint16_t pc;
  /* Directions of the slave and of its master: bit 0 some lane took the branch or exited, bit 1
   * some did not.  Equal ones: the targets differ. */
  uint8_t directions, master_directions;
};
/* The first ones of each cluster (8 at most), in the order of clusters.  Returns how many there
 * are; fills at most max. */
size_t gpu_ungroups(const struct tandem *t, struct gpu_ungroup *rows, size_t max);
/* Cycles in which an SM's front end was off. */
uint64_t buddy_gated_cycles(const struct tandem *t, unsigned sm);

/* The counters of a cluster (docs/results/buddy_measurements.md). */
struct cluster_counts {
  struct buddy_statistics sum;
  uint64_t gated[CLUSTER_MEMBERS]; /* cycles that a member's front end was off */
  struct gpu_ungroup first[8];
};

/* The state of a cluster besides that of its cell. */
struct cluster {
  struct cluster_in *in;
  const struct cluster_out *out;
  unsigned first, members;
  unsigned cold, off;              /* members whose front ends are off (docs/hardware/buddy.md) */
  unsigned waking;                 /* of these, the ones with power */
  unsigned resident;               /* members with CTAs */
  unsigned grouped;                /* members that work in a group */
  unsigned formed;                 /* members that the kernel's formation put in one */
  unsigned listeners;              /* members whose leader is another one */
  struct buddy_cluster_out before; /* the outputs before the last ones */
  struct cluster_counts counts;
};

/* Counts the outputs of so many cycles, all but the first without any event; counts what is new
 * since the outputs before, and whether members that work as one again may. */
void buddy_count(struct cluster *c, uint64_t cycles);
void buddy_events(struct tandem *t, struct cell *cell);

/* D, of docs/hardware/buddy.md. */
unsigned buddy_delay(const struct tandem_config *c);
/* States of a group (docs/hardware/buddy_control.md). */
enum buddy_state {
  BUDDY_NONE,
  BUDDY_GROUPED,
  BUDDY_RAMP,
  BUDDY_RESET,
  BUDDY_SOLO,
  BUDDY_PARKING,
  BUDDY_CALL,
  BUDDY_WINDOW
};
/* The leader of a member, and the state of a leader's group, at the cluster's outputs. */
static inline unsigned buddy_lead(const struct buddy_cluster_out *o, unsigned m) {
  return (unsigned)(o->lead >> 3 * m) & 7;
}
static inline enum buddy_state buddy_state(const struct buddy_cluster_out *o, unsigned lead) {
  return (enum buddy_state)(o->state >> 3 * (lead / 2) & 7);
}
/* Returns why the group of a leader begins to come apart in this cycle: for its lowest follower
 * that has asked, or else for CTA dispatch. */
struct gpu_ungroup buddy_ungroup(const struct cluster *c, unsigned lead, uint64_t cycle);

extern const struct machine machine_buddy;

/* Refuses clusters that the SMs do not make, and links that are too slow.  0 or a negative errno.
 */
int buddy_check(const struct tandem_config *c, struct tandem_error *err);

/* Adds the counts of all clusters to stats->feature.buddy. */
void buddy_statistics(const struct tandem *t, struct gpu_stats *stats);

#endif
