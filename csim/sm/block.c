/* Blocks of a stencil processing unit: their registers, bsync, and the events for their ports. */
#include "csim/sm/sm_local.h"

void sm_cta_start_at(struct sm *sm, unsigned slot, uint16_t pc) { sm->cta[slot].start = pc; }

bool sm_block_events(struct sm *sm, struct sm_block_events *events) {
  if (!sm->block_event)
    return false;
  *events = sm->events;
  sm->block_event = false;
  sm->events = (struct sm_block_events){0};
  return true;
}

/* Returns the directions that a CTA of this role has. */
static unsigned directions(enum block_role role) {
  switch (role) {
  case ROLE_BLOCK:
    return ISA_DIR_NORTH | ISA_DIR_SOUTH | ISA_DIR_WEST | ISA_DIR_EAST;
  case ROLE_LOAD:
  case ROLE_STORE:
    return ISA_DIR_OWN | ISA_DIR_SPILL;
  default:
    return 0;
  }
}

static void bsync(struct sm *sm, const struct sm_inst *inst) {
  const struct sm_warp *w = &sm->warp[inst->warp];
  const unsigned dirs = inst->uop->imm32;
  const enum block_role role = (enum block_role)sm->cta[w->place.cta_slot].spu[SM_REGROLE];
  sm->syncing |= SM_BIT(inst->warp);
  if (inst->active != w->lanes)
    sm_raise(sm, SM_FAULT_BLOCK, inst->warp, inst->pc, inst->uop->word,
             "warp %u reaches the bsync at pc %u with lanes %08x of its live %08x", inst->warp,
             inst->pc, inst->active, w->lanes);
  else if (role == ROLE_NONE || (dirs != ISA_DIR_GLOBAL && (dirs & ~directions(role)) != 0))
    sm_raise(sm, SM_FAULT_BLOCK, inst->warp, inst->pc, inst->uop->word,
             "the bsync at pc %u has directions %u, but a CTA of role %u has only %u", inst->pc,
             dirs, (unsigned)role, directions(role));
}

void sm_block_issue(struct sm *sm, const struct sm_inst *inst) {
  if ((sm->syncing >> inst->warp & 1) != 0)
    sm_raise(sm, SM_FAULT_BLOCK, inst->warp, inst->pc, inst->uop->word,
             "warp %u issues a memory instruction at pc %u while its bsync is open: it must read "
             "the bsync's register first",
             inst->warp, inst->pc);
  else if (inst->uop->id == ISA_BSYNC)
    bsync(sm, inst);
}

void sm_block_passed(struct sm *sm, const struct sm_inst *inst) {
  if (inst->uop->id == ISA_BSYNC)
    sm->syncing &= ~SM_BIT(inst->warp);
}

void sm_block_ended(struct sm *sm, unsigned warp) {
  const unsigned slot = sm->warp[warp].place.cta_slot;
  if ((sm->syncing >> warp & 1) != 0)
    sm_raise(sm, SM_FAULT_BLOCK, warp, sm->warp[warp].last_pc, 0,
             "warp %u ends while its bsync is open: it must read the bsync's register first", warp);
  sm->events.ended[slot]++;
  sm->block_event = true;
}
