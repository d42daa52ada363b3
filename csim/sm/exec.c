/* Values: operands from the register file, results, special registers. */
#include "csim/sm/sm_local.h"

void sm_read_planes(struct sm *sm, struct sm_inst *inst, unsigned planes) {
  /* Planes of a[2], b[4] and c[2] are adjacent. */
  planes_gather(inst->a, sm->regs[inst->warp], sm->decoded[inst->pc].reg, planes);
}

static uint32_t pred_source(const uint32_t *preds, unsigned field) {
  return preds[field & 15] ^ (0U - (field >> 4 & 1U));
}

void sm_read_preds(struct sm *sm, struct sm_inst *inst) {
  const struct isa_uop *u = inst->uop;
  const uint32_t *preds = sm->preds[inst->warp];
  inst->exec = inst->active & pred_source(preds, u->f.guard);
  inst->p2 = u->o.p2 ? pred_source(preds, u->f.src2) : 0;
  inst->p3 = u->o.p3 ? pred_source(preds, u->f.src3) : 0;
}

static void fill(uint32_t *d, uint32_t value) {
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
    d[l] = value;
}

/* One coordinate of the thread index of every lane. */
static void thread_index(const struct grid *g, const struct warp_place *place, unsigned axis,
                         uint32_t *d) {
  uint32_t nx = g->block[0], ny = g->block[1];
  uint32_t t[3] = {place->first % nx, place->first / nx % ny, place->first / nx / ny};
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++) {
    d[l] = t[axis];
    if (++t[0] < nx)
      continue;
    t[0] = 0;
    if (++t[1] < ny)
      continue;
    t[1] = 0;
    t[2]++;
  }
}

/* The lane's number, or one of the masks of lanes that compare with it. */
static void lane_register(unsigned number, uint32_t *d) {
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++) {
    const uint32_t eq = 1U << l, lt = eq - 1;
    const uint32_t masks[] = {eq, lt, lt | eq, ~(lt | eq), ~lt}; /* from LANEMASK_EQ on */
    d[l] = number == ISA_SR_LANEID ? l : masks[number - ISA_SR_LANEMASK_EQ];
  }
}

static uint64_t nanoseconds(const struct sm *sm) { return sm->cycle * 1000 / sm->grid->core_mhz; }

/* Special registers that all lanes of a warp share. */
static uint32_t uniform_register(const struct sm *sm, const struct warp_place *place,
                                 unsigned number) {
  const struct grid *g = sm->grid;
  if (number >= ISA_SR_REGVIU)
    return sm->cta[place->cta_slot].spu[number - ISA_SR_REGVIU];
  switch (number) {
  case ISA_SR_NTID_X:
  case ISA_SR_NTID_Y:
  case ISA_SR_NTID_Z:
    return g->block[number - ISA_SR_NTID_X];
  case ISA_SR_CTAID_X:
  case ISA_SR_CTAID_Y:
  case ISA_SR_CTAID_Z:
    return place->ctaid[number - ISA_SR_CTAID_X];
  case ISA_SR_NCTAID_X:
  case ISA_SR_NCTAID_Y:
  case ISA_SR_NCTAID_Z:
    return g->dim[number - ISA_SR_NCTAID_X];
  case ISA_SR_WORKDIM:
    return g->work_dim;
  case ISA_SR_WARPID:
    return place->first / ISA_WARP_SIZE;
  case ISA_SR_NWARPID:
    return g->warps;
  case ISA_SR_SMID:
    return sm->smid;
  case ISA_SR_NSMID:
    return g->sms;
  case ISA_SR_GRIDID:
    return g->id;
  case ISA_SR_CLOCK:
    return (uint32_t)sm->cycle;
  case ISA_SR_CLOCKHI:
    return (uint32_t)(sm->cycle >> 32);
  case ISA_SR_GLOBALTIMER:
    return (uint32_t)nanoseconds(sm);
  case ISA_SR_GLOBALTIMERHI:
    return (uint32_t)(nanoseconds(sm) >> 32);
  case ISA_SR_SHARED_BASE:
    return ISA_SHARED_WINDOW;
  case ISA_SR_LOCAL_BASE:
    return ISA_LOCAL_WINDOW;
  default:
    return 0;
  }
}

static void special_register(struct sm *sm, struct sm_inst *inst) {
  const struct warp_place *place = &sm->warp[inst->warp].place;
  unsigned number = inst->uop->f.imm;
  if (number < ISA_SREGS && isa_sregs[number].changes)
    sm->spin[inst->warp].changed = true;
  if (number >= ISA_SREG_PARAM)
    fill(inst->d[0], sm->grid->params[number - ISA_SREG_PARAM]);
  else if (number <= ISA_SR_TID_Z)
    thread_index(sm->grid, place, number, inst->d[0]);
  else if (number == ISA_SR_LANEID ||
           (number >= ISA_SR_LANEMASK_EQ && number <= ISA_SR_LANEMASK_GE))
    lane_register(number, inst->d[0]);
  else
    fill(inst->d[0], uniform_register(sm, place, number));
}

void sm_compute(struct sm *sm, struct sm_inst *inst) {
  const struct isa_uop *u = inst->uop;
  if (u->fn != NULL)
    inst->pred = u->fn(u, inst->d[0], inst->a[0], u->imm ? u->imm_planes : inst->b[0], inst->c[0],
                       inst->p2, inst->p3, inst->exec);
  else if (u->id == ISA_MOVS)
    special_register(sm, inst);
}

void sm_write(struct sm *sm, const struct sm_inst *inst) {
  const struct isa_uop *u = inst->uop;
  if (u->o.d != ISA_N_NONE)
    planes_blend(sm->regs[inst->warp][u->f.dst], inst->d[0], inst->exec, isa_n_regs(u->o.d));
  if (u->o.dp && u->f.dst != ISA_PT) {
    uint32_t *p = &sm->preds[inst->warp][u->f.dst];
    *p = (*p & ~inst->exec) | (inst->pred & inst->exec);
  }
}
