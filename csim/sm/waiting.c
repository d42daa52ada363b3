/* Cycles in which the back end only waits, and the statistics of skipped ones. */
#include "csim/sm/sm_local.h"

/* Returns whether no MEM instruction can move: no operand is to be read, no collector can be
 * filled, and the load-store unit takes no instruction. */
static bool mem_waits(const struct sm *sm) {
  const struct sm_collect *c = &sm->memq;
  if (c->collecting.n != 0 || (c->queue[0].n != 0 && c->used[0] < c->collectors[0]))
    return false;
  return c->full[0].n == 0 || sm->paired || sm->in_memory >= SM_MEM_LIMIT || !sm_mem_ready(sm->mem);
}

static bool a_cta_leaves(const struct sm *sm) {
  for (unsigned left = sm->ending; left != 0; left &= left - 1)
    if (!sm_cta_held(sm, (unsigned)__builtin_ctz(left)))
      return true;
  return false;
}

bool sm_waiting(const struct sm *sm) {
  if (sm->begin || (sm->resolves | sm->launches) != 0 || a_cta_leaves(sm))
    return false;
  return sm->sided ? sm_two_sides_wait(sm) : sm_alu_empty(&sm->alu) && mem_waits(sm);
}

/* Brings the replay to its state after cycles first to last without ALU instructions.  Only the
 * last window that began in them matters. */
static void pass_windows(struct sm *sm, uint64_t first, uint64_t last) {
  const uint64_t start = last & ~(uint64_t)(sm->check_period - 1), end = start + sm->check_window;
  if (sm->check_window != 0 && start >= first)
    sm_replay_begin(sm);
  if (end >= first && end <= last)
    sm->replay.on = false;
}

void sm_skip(struct sm *sm, uint64_t cycle, uint64_t cycles, const struct sm_frontend_out *fe) {
  if (cycles == 0 || sm->fault.kind != SM_FAULT_NONE)
    return;
  sm->cycle = cycle + cycles - 1;
  sm_account(sm, cycles, fe);
  const struct sm_collect *memq = sm->sided ? sm->side.memq : &sm->memq;
  for (unsigned side = 0; side < (sm->sided ? SM_SIDES : 1U); side++)
    sm->stats.collector_full_mem += memq[side].queue[0].n != 0 ? cycles : 0;
  pass_windows(sm, cycle, sm->cycle);
}
