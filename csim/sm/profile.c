/* The profile: slots, and the instruction that waits in them. */
#include "csim/sm/profile.h"

#include "csim/sm/sm_local.h"

void sm_profile_begin(struct sm *sm, struct sm_profile *rows, uint32_t none) {
  sm->profile = (struct sm_profiling){.rows = rows, .none = none};
  for (unsigned s = 0; s < SM_SCHEDULERS; s++) {
    struct sm_waiting_slots *w = &sm->profile.waits[s];
    w->last = w->control = w->barrier = none;
  }
}

/* Adds the slots that waited for an instruction, and that of its issue, to its row. */
static inline void settle(struct sm_profiling *p, struct sm_waiting_slots *w, uint32_t row) {
  uint64_t *to = p->rows[row].stalls;
  to[STALL_NONE] += w->slots[STALL_NONE];
  w->slots[STALL_NONE] = 0;
  for (unsigned left = w->causes & ~(1U << STALL_NONE); left != 0; left &= left - 1) {
    const unsigned cause = (unsigned)__builtin_ctz(left);
    to[cause] += w->slots[cause];
    w->slots[cause] = 0;
  }
  w->causes = 0;
}

void sm_profile_end(struct sm *sm) {
  for (unsigned s = 0; s < SM_SCHEDULERS; s++)
    settle(&sm->profile, &sm->profile.waits[s], sm->profile.waits[s].last);
  sm->profile.rows = NULL;
}

void sm_profile_known(struct sm *sm, unsigned scheduler, unsigned cause, uint64_t cycles) {
  const struct sm_waiting_slots *w = &sm->profile.waits[scheduler];
  uint32_t row = sm->profile.none;
  if (cause == STALL_CONTROL || cause == STALL_VERDICT)
    row = w->control;
  else if (cause == STALL_BARRIER)
    row = w->barrier;
  sm->profile.rows[row].stalls[cause] += cycles;
}

void sm_profile_issue(struct sm *sm, unsigned scheduler, uint16_t pc) {
  struct sm_waiting_slots *w = &sm->profile.waits[scheduler];
  const enum isa_id id = sm->grid->uops[pc].id;
  settle(&sm->profile, w, pc);
  w->last = pc;
  if (id == ISA_BRA || id == ISA_EXIT)
    w->control = w->last;
  else if (id == ISA_BAR)
    w->barrier = w->last;
}
