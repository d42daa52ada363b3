/* Folding: copies looked through, constants into immediates, addresses into offsets. */
#include <string.h>

#include "csim/isa/ptx/opt/opt.h"

enum { IMM = ISA_MOD_IMM, NEG1 = 1, NEG2 = 2 };

/* ---- values ---- */

/* True if r is constant (all its units); its value. */
static bool opt_const(const struct opt *o, struct ir_ref r, uint64_t *value) {
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

/* r or what it is a copy of. */
static struct ir_ref look_through(const struct opt *o, struct ir_ref r) {
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

static void set_const(struct opt *o, struct ir_ref d, unsigned k, uint32_t value) {
  struct opt_value *v = &o->values[ir_unit(o->ir, d) + (int)k];
  if (!v->single)
    return;
  v->known = true;
  v->constant = value;
}

/* The instruction becomes a move of a constant (one unit). */
static void become_const(struct ir_inst *i, uint32_t value) {
  i->id = ISA_MOVI;
  i->mods = 0;
  i->imm = value;
  i->s[0] = i->s[1] = i->s[2] = IR_NIL;
}

static void become_copy(struct ir_inst *i, struct ir_ref a) {
  i->id = a.n == 2 ? ISA_LMOV : ISA_MOV;
  i->mods = 0;
  i->imm = 0;
  i->s[0] = a;
  i->s[1] = i->s[2] = IR_NIL;
}

static void swap(struct ir_inst *i) {
  struct ir_ref t = i->s[0];
  i->s[0] = i->s[1];
  i->s[1] = t;
}

/* ---- operations with two constants ---- */

static bool compute(unsigned id, uint32_t a, uint32_t b, uint32_t *r) {
  switch (id) {
  case ISA_AND:
    *r = a & b;
    return true;
  case ISA_OR:
    *r = a | b;
    return true;
  case ISA_XOR:
    *r = a ^ b;
    return true;
  case ISA_SHL:
    *r = b > 31 ? 0 : a << b;
    return true;
  case ISA_SHR:
    *r = b > 31 ? 0 : a >> b;
    return true;
  case ISA_SAR:
    *r = (uint32_t)((int32_t)a >> (b > 31 ? 31 : b));
    return true;
  case ISA_MUL:
    *r = a * b;
    return true;
  default:
    return false;
  }
}

/* ---- which constant fits 16 bits ---- */

static bool to_imm16(const struct isa_op *op, bool pair, uint64_t value, uint16_t *imm) {
  switch (op->unit) {
  case ISA_U_FADD:
  case ISA_U_FCMP:
  case ISA_U_FMUL:
  case ISA_U_FMA:
  case ISA_U_SFU:
    *imm = (uint16_t)(value >> 16);
    return (value & 0xffff) == 0;
  case ISA_U_DP:
    *imm = (uint16_t)(value >> 48);
    return (value & UINT64_C(0xffffffffffff)) == 0;
  default:
    *imm = (uint16_t)value;
    return pair ? (int64_t)value == (int16_t)*imm : (int32_t)(uint32_t)value == (int16_t)*imm;
  }
}

/* How the sources of an operation may change places. */
enum swapping { NO, PLAIN, NEGS, COMPARE, SELECT };

static enum swapping swapping_of(unsigned id) {
  switch (id) {
  case ISA_IADD:
  case ISA_LADD:
  case ISA_FADD:
  case ISA_DADD:
    return NEGS;
  case ISA_ISETP:
  case ISA_LSETP:
  case ISA_FSETP:
  case ISA_DSETP:
    return COMPARE;
  case ISA_SELP:
  case ISA_LSELP:
    return SELECT;
  case ISA_AND:
  case ISA_OR:
  case ISA_XOR:
  case ISA_LAND:
  case ISA_LOR:
  case ISA_LXOR:
  case ISA_MUL:
  case ISA_MULHI:
  case ISA_MULW:
  case ISA_MUL24:
  case ISA_MUL24HI:
  case ISA_MAD:
  case ISA_MADHI:
  case ISA_MADW:
  case ISA_MAD24:
  case ISA_MAD24HI:
  case ISA_SAD:
  case ISA_LMUL:
  case ISA_LMULHI:
  case ISA_LMAD:
  case ISA_IMIN:
  case ISA_IMAX:
  case ISA_LMIN:
  case ISA_LMAX:
  case ISA_FMUL:
  case ISA_FMA:
  case ISA_DMUL:
  case ISA_DFMA:
    return PLAIN;
  default:
    return NO;
  }
}

static void swap_sources(struct ir_inst *i, enum swapping how) {
  /* eq ne lt le gt ge, then the same unordered, then num nan */
  static const uint8_t mirrored[16] = {0, 1, 4, 5, 2, 3, 6, 7, 10, 11, 8, 9, 12, 13, 14, 15};
  swap(i);
  if (how == NEGS)
    i->mods = (uint8_t)((i->mods & ~3U) | (i->mods & 1U) << 1 | (i->mods & 2U) >> 1);
  if (how == COMPARE) {
    unsigned width = isa_ops[i->id].mods == ISA_M_ISETP ? 7 : 15;
    i->mods = (uint8_t)((i->mods & ~width) | mirrored[i->mods & width]);
  }
  if (how == SELECT)
    i->s[2].neg = !i->s[2].neg;
}

/* A constant in src 2, or brought there, becomes the immediate. */
static void fold_immediate(struct opt *o, struct ir_inst *i) {
  const struct isa_op *op = &isa_ops[i->id];
  uint64_t value;
  uint16_t imm;
  if (op->unit < ISA_U_IALU || op->unit > ISA_U_LONG || op->mods == ISA_M_NONE ||
      (op->shape[2] != 'R' && op->shape[2] != 'D') || (i->mods & IMM))
    return;
  if (i->s[1].v < 0)
    return;
  enum swapping how = swapping_of(i->id);
  uint64_t other;
  if (how != NO && opt_const(o, i->s[0], &value) && !opt_const(o, i->s[1], &other) &&
      to_imm16(op, op->shape[1] == 'D', value, &imm))
    swap_sources(i, how);
  if (!opt_const(o, i->s[1], &value))
    return;
  bool shift = i->id == ISA_SHL || i->id == ISA_SHR || i->id == ISA_SAR || i->id == ISA_LSHL ||
               i->id == ISA_LSHR || i->id == ISA_LSAR;
  if (shift && value > 64)
    value = 64;
  if ((i->id == ISA_IADD || i->id == ISA_LADD) && (i->mods & NEG2) && !(i->mods & 4)) {
    uint64_t minus = op->shape[2] == 'D' ? 0 - value : (uint32_t)(0 - value);
    if (to_imm16(op, op->shape[2] == 'D', minus, &imm)) {
      value = minus;
      i->mods &= (uint8_t)~NEG2;
    }
  }
  if (!to_imm16(op, op->shape[2] == 'D', value, &imm))
    return;
  i->mods |= IMM;
  i->imm = imm;
  i->s[1] = IR_NIL;
}

/* ---- single operations ---- */

static void fold_mov(struct opt *o, struct ir_inst *i) {
  uint64_t value;
  if (opt_const(o, i->s[0], &value)) {
    become_const(i, (uint32_t)value);
    return;
  }
  struct opt_value *d = opt_value(o, i->d), *a = opt_value(o, i->s[0]);
  const struct ir_inst *def = a->single ? &o->ir->insts[a->def] : NULL;
  if (def && def->id == ISA_MOVI && def->reloc) {
    become_const(i, def->imm);
    i->reloc = true;
  } else if (def && def->id == ISA_MOVS && !d->single && def->imm != ISA_SR_CLOCK &&
             def->imm != ISA_SR_CLOCKHI) {
    i->id = ISA_MOVS;
    i->imm = def->imm;
    i->s[0] = IR_NIL;
  } else if (d->single && a->single) {
    d->is_copy = true;
    d->copy = i->s[0];
    d->zeros = a->zeros;
    d->signs = a->signs;
  }
}

/* a + b: both constant, one a relocated address, or one 0. */
static void fold_iadd(struct opt *o, struct ir_inst *i) {
  uint64_t a = 0, b = 0;
  bool ca = opt_const(o, i->s[0], &a), cb = opt_const(o, i->s[1], &b);
  if (i->mods & (4 | IMM))
    return;
  if (ca && cb) {
    a = i->mods & NEG1 ? 0 - a : a;
    become_const(i, (uint32_t)(i->mods & NEG2 ? a - b : a + b));
    return;
  }
  for (unsigned k = 0; k < 2 && i->mods == 0; k++) {
    if (!(k ? ca : cb))
      continue;
    const struct opt_value *v = opt_value(o, i->s[k]);
    const struct ir_inst *def = v->single ? &o->ir->insts[v->def] : NULL;
    if (def && def->id == ISA_MOVI && def->reloc) {
      become_const(i, def->imm + (uint32_t)(k ? a : b));
      i->reloc = true;
      return;
    }
  }
  if (cb && (uint32_t)b == 0 && !(i->mods & NEG1))
    become_copy(i, i->s[0]);
  else if (ca && (uint32_t)a == 0 && !(i->mods & NEG2))
    become_copy(i, i->s[1]);
}

static void fold_logic(struct opt *o, struct ir_inst *i) {
  uint64_t a = 0, b = 0;
  uint32_t r;
  bool ca = opt_const(o, i->s[0], &a), cb = opt_const(o, i->s[1], &b);
  if (ca && cb && compute(i->id, (uint32_t)a, (uint32_t)b, &r)) {
    become_const(i, r);
    return;
  }
  if (ca && i->id == ISA_AND) {
    swap(i);
    b = a;
    cb = true;
  }
  if (!cb)
    return;
  uint32_t c = (uint32_t)b;
  const struct opt_value *v = opt_value(o, i->s[0]);
  if (i->id == ISA_AND && v->single && v->zeros < 32 &&
      (c & ((1U << v->zeros) - 1)) == (1U << v->zeros) - 1) {
    become_copy(i, i->s[0]);
  } else if (i->id == ISA_AND && c == 0xffff) {
    i->id = ISA_EXT;
    i->mods = 2; /* unsigned, 16 bits */
    i->s[1] = IR_NIL;
  } else if (c == 0 && i->id != ISA_AND && i->id != ISA_MUL) {
    become_copy(i, i->s[0]);
  }
}

static void fold_ext(struct opt *o, struct ir_inst *i) {
  uint64_t a;
  unsigned bits = i->mods & 2 ? 16 : 8;
  bool sign = i->mods & 1;
  if (opt_const(o, i->s[0], &a)) {
    uint32_t c = (uint32_t)a;
    if (sign)
      become_const(i, bits == 16 ? (uint32_t)(int16_t)c : (uint32_t)(int8_t)c);
    else
      become_const(i, c & (bits == 16 ? 0xffffU : 0xffU));
    return;
  }
  const struct opt_value *v = opt_value(o, i->s[0]);
  if (v->single && (sign ? v->signs <= bits || v->zeros < bits : v->zeros <= bits))
    become_copy(i, i->s[0]);
}

/* p2 and p3 where one is constant; a plain move is a copy. */
static void fold_plop(struct opt *o, struct ir_inst *i) {
  unsigned op = i->mods & 3;
  for (unsigned k = 1; k < 3 && op != 3; k++) {
    struct ir_ref c = i->s[k], other = i->s[3 - k];
    if (c.v != IR_PT)
      continue;
    bool holds = !c.neg;
    if ((op == 0 && !holds) || (op == 1 && holds))
      other = c; /* decided by the constant */
    else if (op == 2 && holds)
      other.neg = !other.neg;
    i->mods = 3;
    i->s[1] = other;
    i->s[2] = IR_TRUE;
    break;
  }
  if ((i->mods & 3) != 3)
    return;
  struct opt_value *d = opt_value(o, i->d);
  bool single = i->s[1].v == IR_PT || opt_value(o, i->s[1])->single;
  if (d->single && single) {
    d->is_copy = true;
    d->copy = i->s[1];
  }
}

/* ---- addresses ---- */

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

static void fold_address(struct opt *o, struct ir_inst *i) {
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

/* ---- what is known of results ---- */

static unsigned bits_of(uint32_t c) { return c == 0 ? 1 : 32U - (unsigned)__builtin_clz(c); }

static void note_range(struct opt *o, const struct ir_inst *i) {
  if (i->d.v < 0 || o->ir->vregs[i->d.v].pred || i->d.n != 1)
    return;
  struct opt_value *d = opt_value(o, i->d);
  unsigned size = i->mods & 3;
  if (isa_ops[i->id].unit == ISA_U_MEM && size < 2) {
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
  set_const(o, i->d, 0, (uint32_t)a);
  set_const(o, i->d, 1, (uint32_t)(a >> 32));
}

void opt_fold(struct opt *o, struct ir_inst *i) {
  for (unsigned k = 0; k < 3; k++)
    i->s[k] = look_through(o, i->s[k]);
  if (i->guard.v >= 0)
    i->guard = look_through(o, i->guard);
  switch (i->id) {
  case ISA_MOV:
    fold_mov(o, i);
    break;
  case ISA_IADD:
    fold_iadd(o, i);
    break;
  case ISA_AND:
  case ISA_OR:
  case ISA_XOR:
  case ISA_SHL:
  case ISA_SHR:
  case ISA_SAR:
  case ISA_MUL:
    fold_logic(o, i);
    break;
  case ISA_EXT:
    fold_ext(o, i);
    break;
  case ISA_PLOP:
    fold_plop(o, i);
    break;
  default:
    break;
  }
  if (i->id == ISA_MOV && i->s[0].v >= 0)
    fold_mov(o, i);
  if (ir_is_mem(i))
    fold_address(o, i);
  else
    fold_immediate(o, i);
  if (i->id == ISA_MOVI && !i->reloc && i->d.n == 1)
    set_const(o, i->d, 0, i->imm);
  note_range(o, i);
  note_pairs(o, i);
}
