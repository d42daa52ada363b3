/* The check's results with csim/iss/arith, lane by lane. */
#include <string.h>

#include "csim/iss/arith/arith.h"
#include "csim/iss/iss_local.h"

static uint64_t operand(const struct iss_warp *w, unsigned n, unsigned reg, unsigned lane) {
  const uint64_t low = n != ISA_N_NONE ? w->regs[reg][lane] : 0;
  return n == ISA_N_PAIR ? low | (uint64_t)w->regs[reg + 1][lane] << 32 : low;
}

static uint32_t pred(const struct iss_warp *w, bool is_pred, unsigned field) {
  return is_pred ? iss_pred(w, field) : 0;
}

/* Returns the result of a vote over the executing lanes. */
static bool vote(unsigned kind, uint32_t p, uint32_t exec) {
  enum { ALL, ANY };
  const bool all = (p & exec) == exec, none = (p & exec) == 0;
  return kind == ALL ? all : kind == ANY ? !none : all || none;
}

/* Returns the lane whose value PTX's shfl gives to a lane, from its operands b and c: its own,
 * where the one they name is outside of the segment or does not execute. */
static unsigned shuffle(unsigned mode, unsigned lane, uint32_t b, uint32_t c, uint32_t exec) {
  enum { UP, DOWN, BFLY };
  const int mask = (int)(c >> 8 & 31), clamp = (int)(c & 31), by = (int)(b & 31), own = (int)lane;
  const int first = own & mask, last = first | (clamp & ~mask);
  int from = first | (by & ~mask);
  if (mode == UP)
    from = own - by;
  else if (mode == DOWN)
    from = own + by;
  else if (mode == BFLY)
    from = own ^ by;
  const bool inside = mode == UP ? from >= last : from <= last;
  return inside && from >= 0 && from < ISA_WARP_SIZE && (exec >> from & 1) != 0 ? (unsigned)from
                                                                                : lane;
}

static void shuffle_all(const struct iss_warp *w, const struct isa_uop *u, struct iss_result *r) {
  const unsigned mode = (u->f.mods & ISA_PRMT_MODE) - ISA_PRMT_UP;
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++) {
    const uint32_t b =
        u->o.s2 == ISA_N_NONE ? (uint32_t)arith_immediate(u->id, u->f.imm) : w->regs[u->f.src2][l];
    r->d[0][l] = w->regs[u->f.src1][shuffle(mode, l, b, w->regs[u->f.src3][l], r->exec)];
  }
}

/* Computes an instruction whose lanes depend on each other; false for any other one. */
static bool across(const struct iss_warp *w, const struct isa_uop *u, struct iss_result *r) {
  const uint32_t p2 = pred(w, u->o.p2, u->f.src2);
  uint32_t value;
  switch (u->id) {
  case ISA_VOTE:
    r->pred = vote(u->f.mods & 3, p2, r->exec) ? ~0U : 0;
    return true;
  case ISA_PRMT:
    if ((u->f.mods & ISA_PRMT_MODE) < ISA_PRMT_UP)
      return false;
    shuffle_all(w, u, r);
    return true;
  case ISA_BALLOT:
    value = p2 & r->exec;
    break;
  case ISA_MOVI: /* {modifiers[0], src 3, src 2, src 1, immediate} */
    value = (u->f.mods & 1U) << 31 | (uint32_t)u->f.src3 << 26 | (uint32_t)u->f.src2 << 21 |
            (uint32_t)u->f.src1 << 16 | u->f.imm;
    break;
  default:
    return false;
  }
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
    r->d[0][l] = value;
  return true;
}

void iss_compute_full(const struct iss_warp *w, const struct isa_uop *u, const struct sm_inst *inst,
                      struct iss_result *r) {
  const uint32_t p2 = pred(w, u->o.p2, u->f.src2), p3 = pred(w, u->o.p3, u->f.src3);
  const bool immediate = isa_ops[u->id].unit <= ISA_U_LONG && u->id != ISA_MOVI &&
                         u->o.s2 == ISA_N_NONE && (u->f.mods & ISA_MOD_IMM) != 0;
  const bool wide = isa_n_regs(u->o.d) == 2;
  memset(r->d, 0, sizeof r->d);
  if (across(w, u, r))
    return;
  for (uint32_t left = r->exec; left != 0; left &= left - 1) {
    const unsigned l = (unsigned)__builtin_ctz(left);
    const struct arith_in in = {.id = u->id,
                                .mods = u->f.mods,
                                .a = operand(w, u->o.s1, u->f.src1, l),
                                .b = immediate ? arith_immediate(u->id, u->f.imm)
                                               : operand(w, u->o.s2, u->f.src2, l),
                                .c = operand(w, u->o.s3, u->f.src3, l),
                                .p2 = (p2 >> l & 1) != 0,
                                .p3 = (p3 >> l & 1) != 0};
    const uint64_t got = inst->d[0][l] | (wide ? (uint64_t)inst->d[1][l] << 32 : 0);
    uint64_t want;
    if (arith_fits(&in, got, &want))
      want = got;
    r->pred |= (uint32_t)(u->o.dp && want != 0) << l;
    r->d[0][l] = (uint32_t)want;
    r->d[1][l] = (uint32_t)(want >> 32);
  }
}
