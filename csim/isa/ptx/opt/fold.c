/* Folding of one instruction: copies looked through, constants into immediates, operations on
 * constants. */
#include <string.h>

#include "csim/isa/ptx/opt/opt.h"

enum { IMM = ISA_MOD_IMM, NEG1 = 1, NEG2 = 2 };

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
  } else if (def && def->id == ISA_MOVS && !d->single && ir_repeats(def)) {
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

void opt_fold(struct opt *o, struct ir_inst *i) {
  for (unsigned k = 0; k < 3; k++)
    i->s[k] = opt_source(o, i->s[k]);
  if (i->guard.v >= 0)
    i->guard = opt_source(o, i->guard);
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
    opt_fold_address(o, i);
  else
    fold_immediate(o, i);
  if (i->id == ISA_MOVI && !i->reloc && i->d.n == 1)
    opt_set_const(o, i->d, 0, i->imm);
  opt_note(o, i);
}
