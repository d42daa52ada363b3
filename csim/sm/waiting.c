/* Cycles in which the back end only waits, and the statistics of skipped ones. */
#include "csim/sm/sm_local.h"

/* Returns whether no MEM instruction can move: no operand is to be read, no collector can be
 * filled, the load-store unit takes no instruction, and nothing is on its way from it. */
static bool mem_waits(const struct sm *sm) {
  bool full = false;
  for (unsigned side = 0; side < sm_sides(sm); side++) {
    const struct sm_collect *c = &sm->memq[side];
    if (c->collecting.n != 0 || (c->queue[0].n != 0 && c->used[0] < c->collectors[0]))
      return false;
    full |= c->full[0].n != 0;
  }
  if (sm->half != 0) /* the other SM has the path to memory */
    return true;
  if (sm->completed != NULL || sm->from_memory.n != 0 ||
      (sm->to_memory.n != 0 && sm_mem_ready(sm->mem)))
    return false;
  return !full || sm->in_memory >= SM_MEM_LIMIT || !sm_mem_room(sm);
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
  return sm->lags == 0 && sm_alu_empty(&sm->alu) && mem_waits(sm);
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
  for (unsigned side = 0; side < sm_sides(sm); side++)
    sm->stats.collector_full_mem += sm->memq[side].queue[0].n != 0 ? cycles : 0;
  pass_windows(sm, cycle, sm->cycle);
}
