/* Values that are known: constants, copies, and the significant bits of results. */
#include "csim/isa/ptx/opt/opt.h"

enum { IMM = ISA_MOD_IMM };

bool opt_const(const struct opt *o, struct ir_ref r, uint64_t *value) {
  if (r.v < 0)
    return false;
  *value = 0;
  for (unsigned k = 0; k < r.n; k++) {
    const struct opt_value *v = &o->values[ir_unit(o->ir, r) + (int)k];
    if (!v->single || !v->known || k > 1)
      return false;
    *value |= (uint64_t)v->constant << 32 * k;
  }
  return true;
}

struct ir_ref opt_source(const struct opt *o, struct ir_ref r) {
  if (r.v < 0)
    return r;
  const struct opt_value *v = opt_value(o, r);
  if (!v->single || !v->is_copy)
    return r;
  struct ir_ref to = v->copy;
  if (o->ir->vregs[r.v].pred) {
    to.neg ^= r.neg;
    return to;
  }
  if (r.n == 1)
    return to;
  /* A pair or quad: all its units must be copies of one, in order and aligned. */
  for (unsigned k = 1; k < r.n; k++) {
    const struct opt_value *w = &o->values[ir_unit(o->ir, r) + (int)k];
    if (!w->single || !w->is_copy || w->copy.v != to.v || w->copy.sub != to.sub + k)
      return r;
  }
  if (to.sub % r.n != 0 || o->ir->vregs[to.v].width < r.n)
    return r;
  to.n = r.n;
  return to;
}

void opt_set_const(struct opt *o, struct ir_ref d, unsigned k, uint32_t value) {
  struct opt_value *v = &o->values[ir_unit(o->ir, d) + (int)k];
  if (!v->single)
    return;
  v->known = true;
  v->constant = value;
}

static unsigned bits_of(uint32_t c) { return c == 0 ? 1 : 32U - (unsigned)__builtin_clz(c); }

static void note_range(struct opt *o, const struct ir_inst *i) {
  if (i->d.v < 0 || o->ir->vregs[i->d.v].pred || i->d.n != 1)
    return;
  struct opt_value *d = opt_value(o, i->d);
  unsigned size = i->mods & 3;
  if (isa_ops[i->id].shape[0] == 'V' && size < 2) {
    unsigned bits = 8U << size;
    if (i->mods & 4)
      d->signs = (uint8_t)bits;
    else
      d->zeros = (uint8_t)bits;
  } else if (i->id == ISA_EXT) {
    unsigned bits = i->mods & 2 ? 16 : 8;
    if (i->mods & 1)
      d->signs = (uint8_t)bits;
    else
      d->zeros = (uint8_t)bits;
  } else if (i->id == ISA_AND && (i->mods & IMM) && i->imm < 0x8000) {
    d->zeros = (uint8_t)bits_of(i->imm);
  } else if (i->id == ISA_SHR && (i->mods & IMM) && i->imm > 0 && i->imm < 32) {
    d->zeros = (uint8_t)(32 - i->imm);
  } else if (i->id == ISA_MOVI && !i->reloc) {
    d->zeros = (uint8_t)bits_of(i->imm);
  }
}

/* Pairs whose value is known without an instruction for it. */
static void note_pairs(struct opt *o, const struct ir_inst *i) {
  uint64_t a = 0, b = 0;
  if (i->id == ISA_LADD && i->mods == 0 && opt_const(o, i->s[0], &a) && opt_const(o, i->s[1], &b))
    a += b;
  else if (i->id == ISA_LEXT && opt_const(o, i->s[0], &a))
    a = i->mods & 1 ? (uint64_t)(int64_t)(int32_t)(uint32_t)a : a;
  else if (i->id == ISA_LADD && i->mods == IMM && opt_const(o, i->s[0], &a))
    a += (uint64_t)(int64_t)(int16_t)i->imm;
  else
    return;
  opt_set_const(o, i->d, 0, (uint32_t)a);
  opt_set_const(o, i->d, 1, (uint32_t)(a >> 32));
}

void opt_note(struct opt *o, const struct ir_inst *i) {
  note_range(o, i);
  note_pairs(o, i);
}
