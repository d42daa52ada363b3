/* Folding of addresses: sums into offsets, constants into absolute addresses. */
#include "csim/isa/ptx/opt/opt.h"

enum { IMM = ISA_MOD_IMM };

/* The definition of r if it is a + constant; a and the constant. */
static bool is_sum(const struct opt *o, struct ir_ref r, struct ir_ref *a, int64_t *c) {
  const struct opt_value *v = opt_value(o, r);
  if (!v->single)
    return false;
  const struct ir_inst *def = &o->ir->insts[v->def];
  if (def->id != (r.n == 2 ? ISA_LADD : ISA_IADD) || def->mods != IMM || def->d.sub != r.sub ||
      def->d.n != r.n)
    return false;
  for (unsigned k = 0; k < def->s[0].n; k++)
    if (!o->values[ir_unit(o->ir, def->s[0]) + (int)k].single)
      return false;
  *a = def->s[0];
  *c = (int16_t)def->imm;
  return true;
}

void opt_fold_address(struct opt *o, struct ir_inst *i) {
  bool atomic = isa_ops[i->id].unit == ISA_U_ATOM;
  if (i->s[0].v < 0)
    return;
  struct ir_ref a;
  int64_t c;
  while (is_sum(o, i->s[0], &a, &c)) {
    int64_t sum = (int16_t)i->imm + c;
    if (sum < -32768 || sum > 32767)
      break;
    i->s[0] = a;
    i->imm = (uint32_t)sum & 0xffff;
  }
  uint64_t at;
  if (atomic || !opt_const(o, i->s[0], &at))
    return;
  at = (at + (uint64_t)(int64_t)(int16_t)i->imm);
  if (i->s[0].n == 1)
    at = (uint32_t)at;
  if (i->id == ISA_LDGEN || i->id == ISA_STGEN) {
    /* The constant address is in a known space. */
    bool load = i->id == ISA_LDGEN, local = at >= ISA_LOCAL_WINDOW,
         shared = at >= ISA_SHARED_WINDOW;
    if (at > UINT32_MAX || (!local && !shared) ||
        at - (local ? ISA_LOCAL_WINDOW : ISA_SHARED_WINDOW) > 0xffff)
      return;
    at -= local ? ISA_LOCAL_WINDOW : ISA_SHARED_WINDOW;
    i->id = local ? (load ? ISA_LDL : ISA_STL) : (load ? ISA_LDS : ISA_STS);
  }
  if (at > 0xffff)
    return;
  unsigned size = i->mods & 3, vector = i->mods >> 3 & 3;
  if (i->id == ISA_LDP && size == 2 && vector == 0 && at % 4 == 0) {
    i->id = ISA_MOVS;
    i->mods = 0;
    i->imm = ISA_SREG_PARAM + (uint32_t)at / 4;
    i->s[0] = IR_NIL;
    return;
  }
  i->mods = (uint8_t)((i->mods & ~ISA_MOD_A64) | ISA_MOD_ABS);
  i->imm = (uint32_t)at;
  i->s[0] = IR_NIL;
}
