/* The result of an instruction, from the check's own registers. */
#include "csim/iss/iss_local.h"

#include <string.h>

/* Returns the value of a special register or a parameter word in a lane. */
static uint32_t special(const struct iss *iss, const struct iss_warp *w, unsigned number,
                        unsigned lane) {
  const struct grid *g = iss->grid;
  const uint32_t thread = w->place.first + lane;
  switch (number) {
#define ISS_COMPUTED(ID, value)                                                                    \
  case ISA_SR_##ID:                                                                                \
    return value;
#define ISS_MACHINE(ID)
#include "csim/iss/special.def"
  default:
    return g->params[number - ISA_SREG_PARAM];
  }
}

static const bool is_taken[ISA_SREGS] = {
#define ISS_COMPUTED(ID, value)
#define ISS_MACHINE(ID) [ISA_SR_##ID] = true,
#include "csim/iss/special.def"
};

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
  if (u->f.imm < ISA_SREGS && is_taken[u->f.imm])
    return false;
  for (unsigned lane = 0; lane < ISA_WARP_SIZE; lane++)
    r->d[0][lane] = special(iss, w, u->f.imm, lane);
  return true;
}
