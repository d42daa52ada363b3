/* The causes of waits in clusters (struct feature_causes), as why.c and why_room.c share them. */
#ifndef TANDEM_GPU_BUDDY_WHY_H
#define TANDEM_GPU_BUDDY_WHY_H

#include "csim/isa/lanes/lanes.h"
#include "harness/gpu/buddy/buddy.h"
#include "harness/gpu/inside/why_tell.h"

extern const struct feature_causes buddy_causes;

/* A state of a leader's group, or the hold of a member. */
struct buddy_span {
  uint64_t since, until; /* around the cycle that is asked for; until: the first one without it */
};

struct buddy_record {
  const struct cluster *cluster;
  unsigned delay, size; /* D, N */
  unsigned entries;     /* of a monitor for each warp */
  unsigned power_up;    /* in effect */
  uint64_t asked;
  struct buddy_cluster_out at; /* roles that decide about the issues in it */
  struct buddy_span state[CLUSTER_MEMBERS], hold[CLUSTER_MEMBERS]; /* by leader; by member */
  enum buddy_state then[CLUSTER_MEMBERS]; /* by leader: the state that follows */
  unsigned group[CLUSTER_MEMBERS];        /* by leader: its members when they last were together */
  struct gpu_ungroup apart[CLUSTER_MEMBERS]; /* by leader: why they came apart last */
};

/* Returns whether an SM was in a leader's group when that worked as one last. */
static inline bool buddy_is_in(const struct buddy_record *own, unsigned lead, unsigned sm) {
  const unsigned m = sm - own->cluster->first;
  return m < own->size && (own->group[lead] >> m & 1) != 0;
}

static inline bool buddy_is_branch(const struct pipeline_inst *i) {
  return i->uop->id == ISA_BRA || i->uop->id == ISA_EXIT;
}

/* Returns the cycle in which the resolve of a branch or exit is in the master's stack. */
static inline uint64_t buddy_resolved(const struct pipeline_inst *i) {
  return i->end == PIPELINE_NEVER ? PIPELINE_NEVER : i->end + 1;
}

/* Adds why a master's warp that is ready finds no room; false: there is some. */
bool buddy_tell_room(struct why_telling *a, const struct buddy_record *own,
                     const struct why_wait *w);

#endif
