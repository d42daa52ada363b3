/* Instruction selection: integer arithmetic, logic and shifts; add and its like of floats are in
 * float.c. */
#include <string.h>

#include "csim/isa/ptx/select/select.h"

enum { IMM = ISA_MOD_IMM, NEG1 = 1, NEG2 = 2, IADD_SAT = 4 };

static bool is64(const struct sel *s) { return ptx_bits(s->md.type) == 64; }
static unsigned sgn(const struct sel *s) { return ptx_signed(s->md.type); }

/* d = a op b in 32 bits, or in 64 with the sibling operation. */
static void op2(struct sel *s, unsigned id32, unsigned id64, unsigned mods, struct ir_ref d,
                struct ir_ref a, struct ir_ref b) {
  sel_emit(s, is64(s) ? id64 : id32, mods, d, a, b, IR_NIL);
}

static struct ir_ref temp_like(struct sel *s) { return sel_temp(s, is64(s) ? 2 : 1); }

static struct ir_ref zero(struct sel *s) { return is64(s) ? sel_const64(s, 0) : sel_const(s, 0); }

/* ---- carries: a register that holds 0 or 1, shared by a whole instance of the kernel ---- */

static struct ir_ref carry(struct sel *s) {
  if (s->cc < 0)
    s->cc = ir_new(s->ir, 1, false);
  return ir_whole(s->ir, s->cc);
}

static struct ir_ref carry_wide(struct sel *s) {
  if (!is64(s))
    return carry(s);
  struct ir_ref t = sel_temp(s, 2);
  sel_emit(s, ISA_LEXT, 0, t, carry(s), IR_NIL, IR_NIL);
  return t;
}

/* p = a < b, unsigned */
static struct ir_ref below(struct sel *s, struct ir_ref a, struct ir_ref b) {
  struct ir_ref p = sel_ptemp(s);
  op2(s, ISA_ISETP, ISA_LSETP, 2, p, a, b);
  return p;
}

static void set_carry(struct sel *s, struct ir_ref p) {
  sel_emit(s, ISA_SELP, 0, carry(s), sel_const(s, 1), sel_const(s, 0), p);
}

/* d = a + b (+ carry), or a - b (- borrow), setting the carry with .cc. */
static void add_chain(struct sel *s, struct ir_ref d, struct ir_ref a, struct ir_ref b, bool minus,
                      bool with_carry) {
  unsigned neg = minus ? NEG2 : 0;
  struct ir_ref sum = temp_like(s);
  op2(s, ISA_IADD, ISA_LADD, neg, sum, a, b);
  struct ir_ref out = IR_TRUE;
  if (s->md.cc)
    out = minus ? below(s, a, b) : below(s, sum, a);
  if (with_carry) {
    struct ir_ref first = sum, c = carry_wide(s);
    sum = temp_like(s);
    op2(s, ISA_IADD, ISA_LADD, neg, sum, first, c);
    if (s->md.cc) {
      struct ir_ref p = sel_ptemp(s), more = minus ? below(s, first, c) : below(s, sum, first);
      sel_emit(s, ISA_PLOP, 1, p, IR_NIL, out, more);
      out = p;
    }
  }
  if (s->md.cc)
    set_carry(s, out);
  sel_copy(s, d, sum);
}

/* ---- add, sub ---- */

static void add_sub(struct sel *s, bool minus) {
  sel_need_ops(s, 3, 3);
  if (ptx_float(s->md.type)) {
    sel_float_add(s, minus);
    return;
  }
  sel_need_type(s, s->md.cc ? SEL_INT32 | SEL_INT64 : SEL_INTS);
  enum ptx_type t = s->md.type;
  struct ir_ref d = sel_dst(s, 0, t), a = sel_src(s, 1, t), b = sel_src(s, 2, t);
  if (s->md.cc && s->md.sat)
    SEL_FAIL(s, "'%s' cannot saturate and give a carry", s->st->op);
  if (s->md.cc) {
    add_chain(s, d, a, b, minus, false);
    return;
  }
  if (s->md.sat && t != PTX_S32)
    SEL_FAIL(s, "saturating addition exists for .s32 only");
  op2(s, ISA_IADD, ISA_LADD, (minus ? NEG2 : 0U) | (s->md.sat ? IADD_SAT : 0U), d, a, b);
}

static void h_add(struct sel *s) { add_sub(s, false); }
static void h_sub(struct sel *s) { add_sub(s, true); }

static void add_carry(struct sel *s, bool minus) {
  sel_need_ops(s, 3, 3);
  sel_need_type(s, SEL_INT32 | SEL_INT64);
  enum ptx_type t = s->md.type;
  struct ir_ref d = sel_dst(s, 0, t), a = sel_src(s, 1, t);
  add_chain(s, d, a, sel_src(s, 2, t), minus, true);
}

static void h_addc(struct sel *s) { add_carry(s, false); }
static void h_subc(struct sel *s) { add_carry(s, true); }

/* ---- multiplication ---- */

static void mul_wide(struct sel *s, bool add) {
  enum ptx_type t = s->md.type;
  if (ptx_bits(t) == 16) {
    enum ptx_type td = ptx_signed(t) ? PTX_S32 : PTX_U32;
    struct ir_ref d = sel_dst(s, 0, td), a = sel_ext(s, 1, t), b = sel_ext(s, 2, t);
    sel_emit(s, add ? ISA_MAD : ISA_MUL, sgn(s), d, a, b, add ? sel_src(s, 3, td) : IR_NIL);
    return;
  }
  if (ptx_bits(t) != 32)
    SEL_FAIL(s, "'%s.wide' of 64-bit operands does not exist", s->st->op);
  enum ptx_type td = ptx_signed(t) ? PTX_S64 : PTX_U64;
  struct ir_ref d = sel_dst(s, 0, td), a = sel_src(s, 1, t), b = sel_src(s, 2, t);
  sel_emit(s, add ? ISA_MADW : ISA_MULW, sgn(s), d, a, b, add ? sel_src(s, 3, td) : IR_NIL);
}

/* The product, low or high half, in a register of the type's width. */
static struct ir_ref product(struct sel *s, struct ir_ref d) {
  enum ptx_type t = s->md.type;
  bool hi = s->md.part == PTX_HI;
  if (ptx_bits(t) == 16 && hi) {
    struct ir_ref a = sel_ext(s, 1, t), b = sel_ext(s, 2, t), p = sel_temp(s, 1);
    sel_emit(s, ISA_MUL, sgn(s), p, a, b, IR_NIL);
    sel_emit(s, ISA_SHR, 0, d, p, sel_const(s, 16), IR_NIL);
    return d;
  }
  struct ir_ref a = sel_src(s, 1, t), b = sel_src(s, 2, t);
  if (hi)
    op2(s, ISA_MULHI, ISA_LMULHI, sgn(s), d, a, b);
  else
    op2(s, ISA_MUL, ISA_LMUL, is64(s) ? 0 : sgn(s), d, a, b);
  return d;
}

static void h_mul(struct sel *s) {
  sel_need_ops(s, 3, 3);
  enum ptx_type t = s->md.type;
  if (ptx_float(t)) {
    sel_float_mul(s);
    return;
  }
  sel_need_type(s, SEL_INTS);
  if (s->md.part == PTX_PART_NONE)
    SEL_FAIL(s, "an integer 'mul' needs .lo, .hi or .wide");
  if (s->md.part == PTX_WIDE)
    mul_wide(s, false);
  else
    product(s, sel_dst(s, 0, t));
}

/* The sum of a multiplication saturates in one form only. */
static void need_signed_hi(struct sel *s) {
  if (s->md.sat && (s->md.part != PTX_HI || s->md.type != PTX_S32 || s->md.cc))
    SEL_FAIL(s, "saturating '%s' exists as .hi.sat.s32 only", s->st->op);
}

static void h_mad(struct sel *s) {
  sel_need_ops(s, 4, 4);
  enum ptx_type t = s->md.type;
  if (ptx_float(t)) {
    sel_float_mad(s);
    return;
  }
  sel_need_type(s, SEL_INTS);
  bool with_carry = strcmp(s->st->op, "madc") == 0;
  if (s->md.part == PTX_PART_NONE)
    SEL_FAIL(s, "an integer 'mad' needs .lo, .hi or .wide");
  need_signed_hi(s);
  if ((s->md.cc || with_carry) && (s->md.part == PTX_WIDE || ptx_bits(t) < 32))
    SEL_FAIL(s, "'%s' with a carry is .lo or .hi, of 32 or 64 bits", s->st->op);
  if (s->md.part == PTX_WIDE) {
    mul_wide(s, true);
    return;
  }
  bool chain = s->md.cc || with_carry, hi = s->md.part == PTX_HI;
  struct ir_ref d = sel_dst(s, 0, t);
  if (chain || (hi && (is64(s) || ptx_bits(t) == 16 || s->md.sat))) {
    struct ir_ref p = product(s, temp_like(s)), c = sel_src(s, 3, t);
    if (chain)
      add_chain(s, d, p, c, false, with_carry);
    else
      op2(s, ISA_IADD, ISA_LADD, s->md.sat ? IADD_SAT : 0, d, p, c);
    return;
  }
  struct ir_ref a = sel_src(s, 1, t), b = sel_src(s, 2, t), c = sel_src(s, 3, t);
  unsigned id = is64(s) ? ISA_LMAD : hi ? ISA_MADHI : ISA_MAD;
  sel_emit(s, id, is64(s) ? 0 : sgn(s), d, a, b, c);
}

static void h_mul24(struct sel *s) {
  bool mad = s->st->op[1] == 'a', hi = s->md.part == PTX_HI;
  sel_need_ops(s, mad ? 4 : 3, mad ? 4 : 3);
  sel_need_type(s, SEL_INT32);
  if (s->md.part != PTX_LO && !hi)
    SEL_FAIL(s, "'%s' needs .lo or .hi", s->st->op);
  need_signed_hi(s);
  static const unsigned ids[2][2] = {{ISA_MUL24, ISA_MUL24HI}, {ISA_MAD24, ISA_MAD24HI}};
  enum ptx_type t = s->md.type;
  struct ir_ref d = sel_dst(s, 0, t), a = sel_src(s, 1, t), b = sel_src(s, 2, t);
  if (!s->md.sat) {
    sel_emit(s, ids[mad][hi], sgn(s), d, a, b, mad ? sel_src(s, 3, t) : IR_NIL);
    return;
  }
  struct ir_ref p = sel_temp(s, 1), c = sel_src(s, 3, t);
  sel_emit(s, ISA_MUL24HI, sgn(s), p, a, b, IR_NIL);
  sel_emit(s, ISA_IADD, IADD_SAT, d, p, c, IR_NIL);
}

/* ---- division, minimum, maximum, absolute value ---- */

/* Integer operations that read all bits of their two sources. */
static void exact2(struct sel *s, unsigned id32, unsigned id64) {
  enum ptx_type t = s->md.type;
  struct ir_ref d = sel_dst(s, 0, t), a = sel_ext(s, 1, t), b = sel_ext(s, 2, t);
  op2(s, id32, id64, sgn(s), d, a, b);
}

static void h_rem(struct sel *s) {
  sel_need_ops(s, 3, 3);
  sel_need_type(s, SEL_INTS);
  exact2(s, ISA_IREM, ISA_LREM);
}

static void h_div(struct sel *s) {
  sel_need_ops(s, 3, 3);
  enum ptx_type t = s->md.type;
  if (!ptx_float(t)) {
    sel_need_type(s, SEL_INTS);
    exact2(s, ISA_IDIV, ISA_LDIV);
    return;
  }
  sel_need_type(s, SEL_F32 | SEL_F64);
  struct ir_ref d = sel_dst(s, 0, t), a = sel_src(s, 1, t), b = sel_src(s, 2, t);
  sel_emit(s, t == PTX_F64 ? ISA_DDIV : ISA_FDIV, sel_fmods(s), d, a, b, IR_NIL);
}

static void min_max(struct sel *s, bool max) {
  sel_need_ops(s, 3, 3);
  if (ptx_float(s->md.type)) {
    sel_float_extreme(s, max);
    return;
  }
  sel_need_type(s, SEL_INTS);
  exact2(s, max ? ISA_IMAX : ISA_IMIN, max ? ISA_LMAX : ISA_LMIN);
}

static void h_min(struct sel *s) { min_max(s, false); }
static void h_max(struct sel *s) { min_max(s, true); }

/* The half h, in another register if .ftz changes it. */
static struct ir_ref flushed(struct sel *s, struct ir_ref h) {
  if (!s->md.ftz)
    return h;
  struct ir_ref d = sel_temp(s, 1);
  sel_flush_half(s, d, h);
  return d;
}

static void h_neg(struct sel *s) {
  sel_need_ops(s, 2, 2);
  enum ptx_type t = s->md.type;
  struct ir_ref d = sel_dst(s, 0, t), a = sel_src(s, 1, t);
  if (t == PTX_F32 || t == PTX_F64) {
    sel_emit(s, t == PTX_F64 ? ISA_DNEG : ISA_FNEG, t == PTX_F64 || !s->md.ftz ? 0 : 4, d, a,
             IR_NIL, IR_NIL);
  } else if (t == PTX_F16) {
    sel_emit(s, ISA_XOR, 0, d, flushed(s, a), sel_const(s, 0x8000), IR_NIL);
  } else {
    sel_need_type(s, SEL_INTS);
    op2(s, ISA_IADD, ISA_LADD, NEG1, d, a, zero(s));
  }
}

static void h_abs(struct sel *s) {
  sel_need_ops(s, 2, 2);
  enum ptx_type t = s->md.type;
  struct ir_ref d = sel_dst(s, 0, t);
  if (t == PTX_F32 || t == PTX_F64) {
    sel_emit(s, t == PTX_F64 ? ISA_DABS : ISA_FABS, t == PTX_F64 || !s->md.ftz ? 0 : 4, d,
             sel_src(s, 1, t), IR_NIL, IR_NIL);
  } else if (t == PTX_F16) {
    sel_emit(s, ISA_AND, 0, d, flushed(s, sel_src(s, 1, t)), sel_const(s, 0x7fff), IR_NIL);
  } else {
    sel_need_type(s, SEL_INTS);
    sel_emit(s, is64(s) ? ISA_LABS : ISA_IABS, 0, d, sel_ext(s, 1, t), IR_NIL, IR_NIL);
  }
}

static void h_sad(struct sel *s) {
  sel_need_ops(s, 4, 4);
  sel_need_type(s, SEL_INTS);
  enum ptx_type t = s->md.type;
  struct ir_ref d = sel_dst(s, 0, t), a = sel_ext(s, 1, t), b = sel_ext(s, 2, t);
  struct ir_ref c = sel_src(s, 3, t);
  if (!is64(s)) {
    sel_emit(s, ISA_SAD, sgn(s), d, a, b, c);
    return;
  }
  struct ir_ref least = sel_temp(s, 2), most = sel_temp(s, 2), apart = sel_temp(s, 2);
  sel_emit(s, ISA_LMIN, sgn(s), least, a, b, IR_NIL);
  sel_emit(s, ISA_LMAX, sgn(s), most, a, b, IR_NIL);
  sel_emit(s, ISA_LADD, NEG2, apart, most, least, IR_NIL);
  sel_emit(s, ISA_LADD, 0, d, apart, c, IR_NIL);
}

/* ---- logic and shifts ---- */

static void logic(struct sel *s, unsigned id32, unsigned id64, unsigned plop) {
  sel_need_ops(s, 3, 3);
  enum ptx_type t = s->md.type;
  struct ir_ref d = sel_dst(s, 0, t), a = sel_src(s, 1, t), b = sel_src(s, 2, t);
  if (t == PTX_PRED) {
    sel_emit(s, ISA_PLOP, plop, d, IR_NIL, a, b);
    return;
  }
  sel_need_type(s, SEL_INTS);
  op2(s, id32, id64, 0, d, a, b);
}

static void h_and(struct sel *s) { logic(s, ISA_AND, ISA_LAND, 0); }
static void h_or(struct sel *s) { logic(s, ISA_OR, ISA_LOR, 1); }
static void h_xor(struct sel *s) { logic(s, ISA_XOR, ISA_LXOR, 2); }

static void h_not(struct sel *s) {
  sel_need_ops(s, 2, 2);
  enum ptx_type t = s->md.type;
  struct ir_ref d = sel_dst(s, 0, t), a = sel_src(s, 1, t);
  if (t == PTX_PRED) {
    sel_emit(s, ISA_PLOP, 3, d, IR_NIL, sel_not(a), IR_TRUE);
    return;
  }
  sel_need_type(s, SEL_INTS);
  sel_emit(s, is64(s) ? ISA_LNOT : ISA_NOT, 0, d, a, IR_NIL, IR_NIL);
}

static void h_cnot(struct sel *s) {
  sel_need_ops(s, 2, 2);
  sel_need_type(s, SEL_INTS);
  enum ptx_type t = s->md.type;
  struct ir_ref d = sel_dst(s, 0, t), a = sel_ext(s, 1,
                                                  is64(s)             ? PTX_B64
                                                  : ptx_bits(t) == 16 ? PTX_U16
                                                                      : PTX_B32);
  struct ir_ref p = sel_ptemp(s), one = is64(s) ? sel_const64(s, 1) : sel_const(s, 1);
  op2(s, ISA_ISETP, ISA_LSETP, 0, p, a, zero(s));
  sel_emit(s, is64(s) ? ISA_LSELP : ISA_SELP, 0, d, one, zero(s), p);
}

static void h_shl(struct sel *s) {
  sel_need_ops(s, 3, 3);
  sel_need_type(s, SEL_INTS);
  struct ir_ref d = sel_dst(s, 0, s->md.type), a = sel_src(s, 1, s->md.type);
  op2(s, ISA_SHL, ISA_LSHL, 0, d, a, sel_src(s, 2, PTX_B32));
}

static void h_shr(struct sel *s) {
  sel_need_ops(s, 3, 3);
  sel_need_type(s, SEL_INTS);
  enum ptx_type t = s->md.type == PTX_B16 ? PTX_U16 : s->md.type;
  struct ir_ref d = sel_dst(s, 0, t), a = sel_ext(s, 1, t), b = sel_src(s, 2, PTX_B32);
  if (sgn(s))
    op2(s, ISA_SAR, ISA_LSAR, 0, d, a, b);
  else
    op2(s, ISA_SHR, ISA_LSHR, 0, d, a, b);
}

const struct sel_row sel_int_rows[] = {
    {"add", h_add, SEL_ROUND | SEL_FTZ | SEL_SAT | SEL_ISAT | SEL_CC},
    {"sub", h_sub, SEL_ROUND | SEL_FTZ | SEL_SAT | SEL_ISAT | SEL_CC},
    {"mul", h_mul, SEL_ROUND | SEL_FTZ | SEL_SAT | SEL_PART},
    {"mad", h_mad, SEL_ROUND | SEL_FTZ | SEL_SAT | SEL_ISAT | SEL_PART | SEL_CC},
    {"fma", h_mad, SEL_ROUND | SEL_FTZ | SEL_SAT},
    {"and", h_and, 0},
    {"shl", h_shl, 0},
    {"shr", h_shr, 0},
    {"or", h_or, 0},
    {"xor", h_xor, 0},
    {"not", h_not, 0},
    {"neg", h_neg, SEL_FTZ},
    {"abs", h_abs, SEL_FTZ},
    {"min", h_min, SEL_FTZ},
    {"max", h_max, SEL_FTZ},
    {"div", h_div, SEL_ROUND | SEL_FTZ | SEL_SAT | SEL_APPROX},
    {"rem", h_rem, 0},
    {"cnot", h_cnot, 0},
    {"sad", h_sad, 0},
    {"mul24", h_mul24, SEL_PART},
    {"mad24", h_mul24, SEL_PART | SEL_ISAT},
    {"addc", h_addc, SEL_CC},
    {"subc", h_subc, SEL_CC},
    {"madc", h_mad, SEL_PART | SEL_CC},
    {NULL, NULL, 0}};
