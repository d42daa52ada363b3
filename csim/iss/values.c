/* The values that an instruction computes, from the check's own registers. */
#include "csim/iss/iss_local.h"

#include <string.h>

/* Special registers, lane by lane from their definition. */
static uint32_t special(const struct iss *iss, const struct iss_warp *w, unsigned number,
                        unsigned lane) {
  const struct grid *g = iss->grid;
  uint32_t thread = w->place.first + lane;
  switch (number) {
  case ISA_SR_TID_X:
    return thread % g->block[0];
  case ISA_SR_TID_Y:
    return thread / g->block[0] % g->block[1];
  case ISA_SR_TID_Z:
    return thread / (g->block[0] * g->block[1]);
  case ISA_SR_NTID_X:
    return g->block[0];
  case ISA_SR_NTID_Y:
    return g->block[1];
  case ISA_SR_NTID_Z:
    return g->block[2];
  case ISA_SR_CTAID_X:
    return w->place.ctaid[0];
  case ISA_SR_CTAID_Y:
    return w->place.ctaid[1];
  case ISA_SR_CTAID_Z:
    return w->place.ctaid[2];
  case ISA_SR_NCTAID_X:
    return g->dim[0];
  case ISA_SR_NCTAID_Y:
    return g->dim[1];
  case ISA_SR_NCTAID_Z:
    return g->dim[2];
  case ISA_SR_LANEID:
    return lane;
  case ISA_SR_WARPID:
    return thread / ISA_WARP_SIZE;
  case ISA_SR_NWARPID:
    return g->warps;
  case ISA_SR_SMID:
    return iss->sm;
  case ISA_SR_NSMID:
    return g->sms;
  case ISA_SR_GRIDID:
    return g->id;
  case ISA_SR_LANEMASK_EQ:
    return 1U << lane;
  case ISA_SR_LANEMASK_LT:
    return (1U << lane) - 1;
  case ISA_SR_LANEMASK_LE:
    return 0xffffffffU >> (31 - lane);
  case ISA_SR_LANEMASK_GT:
    return 0xfffffffeU << lane;
  case ISA_SR_LANEMASK_GE:
    return 0xffffffffU << lane;
  case ISA_SR_SHARED_BASE:
    return ISA_SHARED_WINDOW;
  case ISA_SR_LOCAL_BASE:
    return ISA_LOCAL_WINDOW;
  case ISA_SR_REGPASSX:
    return (g->dim[0] + g->spu->columns - 1) / g->spu->columns;
  case ISA_SR_REGPASSY:
    return (g->dim[1] + g->spu->rows - 1) / g->spu->rows;
  case ISA_SR_REGCPASSX:
    return w->place.ctaid[0] / g->spu->columns;
  case ISA_SR_REGCPASSY:
    return w->place.ctaid[1] / g->spu->rows;
  case ISA_SR_REGSPILLNB:
    return g->spu->spills;
  default:
    return g->params[number - ISA_SREG_PARAM];
  }
}

/* Registers whose value the check takes from the machine: the time, and the role and the progress
 * of a unit of a stencil processing unit. */
static bool is_taken(unsigned number) {
  switch (number) {
  case ISA_SR_CLOCK:
  case ISA_SR_CLOCKHI:
  case ISA_SR_REGVIU:
  case ISA_SR_REGIUDIR:
  case ISA_SR_REGLAST:
  case ISA_SR_IUID:
  case ISA_SR_REGCSPILLNB:
  case ISA_SR_REGROLE:
  case ISA_SR_REGSPILL:
  case ISA_SR_REGFACE:
    return true;
  default:
    return false;
  }
}

bool iss_compute(const struct iss *iss, const struct iss_warp *w, const struct isa_uop *u,
                 const struct sm_inst *inst, struct iss_result *r) {
  r->pred = 0;
  if (iss->full && u->id != ISA_MOVS) {
    iss_compute_full(w, u, inst, r);
    return true;
  }
  if (u->fn != NULL) {
    const uint32_t *b = u->imm ? u->imm_planes : u->o.s2 != ISA_N_NONE ? w->regs[u->f.src2] : NULL;
    r->pred =
        u->fn(u, r->d[0], u->o.s1 != ISA_N_NONE ? w->regs[u->f.src1] : NULL, b,
              u->o.s3 != ISA_N_NONE ? w->regs[u->f.src3] : NULL,
              u->o.p2 ? iss_pred(w, u->f.src2) : 0, u->o.p3 ? iss_pred(w, u->f.src3) : 0, r->exec);
    return true;
  }
  if (is_taken(u->f.imm))
    return false;
  for (unsigned lane = 0; lane < ISA_WARP_SIZE; lane++)
    r->d[0][lane] = special(iss, w, u->f.imm, lane);
  return true;
}
