/* The kernel's instructions, decoded for the pipelines once a launch. */
#include "csim/sm/sm_local.h"

#include <stdlib.h>

bool sm_needs_spu(const struct isa_uop *u) {
  return u->id == ISA_BSYNC ||
         (u->id == ISA_MOVS && u->f.imm >= ISA_SR_REGVIU && u->f.imm < ISA_SREG_PARAM);
}

/* An interface unit computes with integers alone. */
static bool has_unit(const struct sm_config *c, const struct isa_uop *u) {
  const unsigned unit = u->f.unit;
  return !c->integer_only ||
         !((unit >= ISA_U_FADD && unit <= ISA_U_SFU) || unit == ISA_U_DP || unit == ISA_U_ATOM);
}

/* Returns whether the SM can execute the instruction with this launch. */
static bool executable(const struct sm *sm, const struct isa_uop *u) {
  const struct grid *g = sm->grid;
  if (u->id == ISA_MOVS && u->f.imm >= ISA_SREG_PARAM)
    return (u->f.imm - ISA_SREG_PARAM) * 4U < g->kernel->param_bytes;
  if (sm_needs_spu(u) && (g->spu == NULL || (u->id == ISA_BSYNC && sm->config.cb_bytes == 0)))
    return false;
  return u->id != ISA_ILLEGAL && has_unit(&sm->config, u);
}

static struct sm_decoded describe(const struct isa_uop *u, unsigned banks) {
  static const uint8_t planes[4] = {0, 1, 3, 15}; /* by enum isa_n */
  static const uint8_t offset[SM_PLANES] = {0, 1, 0, 1, 2, 3, 0, 1};
  const uint8_t base[SM_PLANES] = {u->f.src1, u->f.src1, u->f.src2, u->f.src2,
                                   u->f.src2, u->f.src2, u->f.src3, u->f.src3};
  struct sm_decoded d = {.pipe = u->pipe,
                         .lat = u->lat,
                         .cls = u->pipe == ISA_PIPE_SFU ? SM_ALU_SFU : SM_ALU_SP,
                         .apart = true};
  d.planes = (uint8_t)(planes[u->o.s1] | planes[u->o.s2] << 2 | planes[u->o.s3] << 6);
  if (u->pipe == ISA_PIPE_MEM)
    d.cls = 0;
  for (unsigned left = d.planes; left != 0; left &= left - 1) {
    unsigned k = (unsigned)__builtin_ctz(left);
    d.reg[k] = (uint8_t)((base[k] + offset[k]) % ISA_REGS);
    uint32_t bank = UINT32_C(1) << (d.reg[k] & (banks - 1));
    d.apart &= (d.need & bank) == 0;
    d.need |= bank;
  }
  for (unsigned k = 0; k < isa_n_regs(u->o.d); k++)
    d.written |= UINT32_C(1) << ((u->f.dst + k) & (banks - 1));
  d.reads = (uint8_t)__builtin_popcount(d.planes);
  d.writes = (uint8_t)isa_n_regs(u->o.d);
  d.need |= d.need << banks;
  d.written |= d.written << banks;
  return d;
}

bool sm_decode(struct sm *sm) {
  const struct grid *g = sm->grid;
  size_t n = g->spu != NULL && g->spu->viu_end != 0 ? g->spu->viu_end : g->kernel->end;
  if (n > sm->ndecoded) {
    struct sm_decoded *more = realloc(sm->decoded, n * sizeof *more);
    if (more == NULL)
      return false;
    sm->decoded = more;
    sm->ndecoded = n;
  }
  sm->entry = g->kernel->entry;
  sm->code = (uint32_t)(n - g->kernel->entry);
  for (size_t pc = g->kernel->entry; pc < n; pc++) {
    struct sm_decoded *d = &sm->decoded[pc];
    *d = describe(&g->uops[pc], sm->config.banks);
    d->word =
        grid_has_pc(g, (uint32_t)pc) && executable(sm, &g->uops[pc]) ? g->code[pc] : ~UINT64_C(0);
  }
  return true;
}
