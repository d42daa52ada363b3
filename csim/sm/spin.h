/* Warps that wait in a loop: a warp spins if all of its registers, predicates, live and active
 * lanes return to what they were at an earlier execution of the same backward branch, and the warp
 * neither changed memory nor read a clock meanwhile.  As long as memory stays as it is, such a warp
 * repeats the same instructions for ever. */
#ifndef TANDEM_SM_SPIN_H
#define TANDEM_SM_SPIN_H

#include "csim/sm/sm.h"

enum sm_spin_kind {
  SM_SPIN_NONE,    /* not live, or at work */
  SM_SPIN_LOOP,    /* spins */
  SM_SPIN_BARRIER, /* waits at a barrier for one that spins */
  SM_SPIN_SLICE    /* a slice of a large warp; its lanes all wait for another slice, which spins */
};

struct sm_spin_state {
  enum sm_spin_kind kind;
  uint16_t from, to;     /* LOOP: PCs of the loop, as far as its backward branch says */
  uint64_t lanes, alive; /* LOOP: the lanes that run it; the live lanes */
  bool wide;             /* the warp has 64 lanes, in two SMs */
  uint16_t bar_pc;       /* BARRIER: PC of the barrier */
};

/* Describes a warp of the back end.  The lower SM of a pair describes wide warps, the upper one has
 * none. */
struct sm_spin_state sm_spin_of(const struct sm *sm, unsigned warp);

/* Returns whether every live warp of the SM, and of the other one of a pair, spins or waits at a
 * barrier for one that does, and nothing else of the SM is under way that could change memory.
 * Lowers *since to the first cycle from which on that is known. */
bool sm_spins(const struct sm *sm, uint64_t *since);

/* Returns the cycle in which the SM was last seen to have changed memory. */
uint64_t sm_changed(const struct sm *sm);

/* Returns whether the SM can do a cycle before gpu_mem_join has had all cycles before: its memory
 * side can, and no warp is at a backward branch while it is not known if the warp changed memory.
 */
bool sm_may_step(const struct sm *sm, uint64_t cycle);

/* Takes what gpu_mem_join has found out about stores that had come back.  Before sm_spins. */
void sm_take_changes(struct sm *sm);

#endif
