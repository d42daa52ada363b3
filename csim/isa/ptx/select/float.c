/* Instruction selection: arithmetic, special functions, signs and classes of floats.  Operations on
 * halves are done in single precision, fma in double precision. */
#include <string.h>

#include "csim/isa/ptx/select/select.h"

/* ---- arithmetic ---- */

enum { NEG2 = 2, FTZ = 4, SAT = 8 };

static void need_nearest(struct sel *s) {
  if (s->md.type == PTX_F16 && s->md.round != PTX_RN)
    SEL_FAIL(s, "'%s.f16' rounds to nearest only, .rn", s->st->op);
}

/* d = a op b of type t; a half's sum or product is rounded from the float's. */
static void binary(struct sel *s, unsigned id32, unsigned id64, unsigned mods) {
  sel_need_type(s, SEL_FLOATS);
  need_nearest(s);
  enum ptx_type t = s->md.type;
  struct ir_ref d = sel_dst(s, 0, t), a = sel_src(s, 1, t), b = sel_src(s, 2, t);
  if (t != PTX_F16) {
    sel_emit(s, t == PTX_F64 ? id64 : id32, mods, d, a, b, IR_NIL);
    return;
  }
  struct ir_ref fa = sel_from_half(s, a), fb = sel_from_half(s, b), r = sel_temp(s, 1);
  sel_emit(s, id32, mods & ~(unsigned)FTZ, r, fa, fb, IR_NIL);
  sel_to_half(s, d, r, 0);
}

void sel_float_add(struct sel *s, bool minus) {
  binary(s, ISA_FADD, ISA_DADD, sel_fmods(s) | (minus ? NEG2 : 0));
}

void sel_float_mul(struct sel *s) { binary(s, ISA_FMUL, ISA_DMUL, sel_fmods(s)); }

void sel_float_mad(struct sel *s) {
  enum ptx_type t = s->md.type;
  sel_need_type(s, SEL_FLOATS);
  need_nearest(s);
  struct ir_ref d = sel_dst(s, 0, t), a = sel_src(s, 1, t), b = sel_src(s, 2, t);
  struct ir_ref c = sel_src(s, 3, t);
  if (t != PTX_F16) {
    sel_emit(s, t == PTX_F64 ? ISA_DFMA : ISA_FMA, sel_fmods(s), d, a, b, c);
    return;
  }
  /* A product of two halves is exact in double, and so is its sum with a third where that lies
   * between two halves. */
  struct ir_ref w[3] = {a, b, c};
  for (unsigned k = 0; k < 3; k++) {
    struct ir_ref f = sel_from_half(s, w[k]), wide = sel_temp(s, 2);
    sel_emit(s, ISA_F2D, 0, wide, f, IR_NIL, IR_NIL);
    w[k] = wide;
  }
  struct ir_ref sum = sel_temp(s, 2);
  sel_emit(s, ISA_DFMA, 0, sum, w[0], w[1], w[2]);
  sel_to_half(s, d, sel_odd_float(s, sum), s->md.sat ? SAT : 0);
}

/* ---- minimum and maximum ---- */

enum { CMP_EQ = 0, CMP_LT = 2, CMP_GE = 5, CMP_NUM = 12, CMP_NAN = 13 };

static struct ir_ref magnitude(struct sel *s, struct ir_ref f) {
  struct ir_ref d = sel_temp(s, 1);
  sel_emit(s, ISA_FABS, 0, d, f, IR_NIL, IR_NIL);
  return d;
}

/* r, or NaN where it or a condition says so: with .NaN if a or b is one.  With .xorsign.abs, for
 * which r has no sign, any other result gets the sign of the product of a and b. */
static struct ir_ref finish_extreme(struct sel *s, struct ir_ref r, struct ir_ref a,
                                    struct ir_ref b, bool nan, bool xorsign) {
  struct ir_ref p = sel_ptemp(s), nan_bits = sel_const(s, 0x7fffffff), d = sel_temp(s, 1);
  if (xorsign) {
    struct ir_ref both = sel_temp(s, 1), sign = sel_temp(s, 1), with = sel_temp(s, 1);
    sel_emit(s, ISA_XOR, 0, both, a, b, IR_NIL);
    sel_emit(s, ISA_AND, 0, sign, both, sel_const(s, 0x80000000U), IR_NIL);
    sel_emit(s, ISA_OR, 0, with, r, sign, IR_NIL);
    r = with;
  }
  sel_emit(s, ISA_FSETP, CMP_NAN, p, nan ? a : r, nan ? b : r, IR_NIL);
  sel_emit(s, ISA_SELP, 0, d, nan_bits, r, p);
  return d;
}

void sel_float_extreme(struct sel *s, bool max) {
  static const unsigned ids[2][2] = {{ISA_FMIN, ISA_DMIN}, {ISA_FMAX, ISA_DMAX}};
  const enum ptx_type t = s->md.type;
  const bool nan = sel_word(s, "NaN"), xorsign = sel_word(s, "xorsign"), abs = sel_word(s, "abs");
  sel_need_type(s, SEL_FLOATS);
  if (xorsign != abs)
    SEL_FAIL(s, "'%s' has .xorsign and .abs together", s->st->op);
  if (t == PTX_F64 && (nan || xorsign))
    SEL_FAIL(s, "'%s.f64' has no .NaN and no .xorsign.abs; use setp and selp", s->st->op);
  struct ir_ref d = sel_dst(s, 0, t), a = sel_src(s, 1, t), b = sel_src(s, 2, t);
  if (t == PTX_F16) {
    a = sel_from_half(s, a);
    b = sel_from_half(s, b);
  }
  const bool direct = t != PTX_F16 && !nan && !xorsign;
  struct ir_ref x = xorsign ? magnitude(s, a) : a, y = xorsign ? magnitude(s, b) : b;
  struct ir_ref r = direct ? d : sel_temp(s, 1);
  sel_emit(s, ids[max][t == PTX_F64], s->md.ftz && t != PTX_F16 ? FTZ : 0, r, x, y, IR_NIL);
  if (nan || xorsign)
    r = finish_extreme(s, r, a, b, nan, xorsign);
  if (t == PTX_F16)
    sel_emit(s, ISA_F2H, 0, d, r, IR_NIL, IR_NIL);
  else if (!direct)
    sel_copy(s, d, r);
}

/* ---- special functions, signs, classes ---- */

static void special(struct sel *s, unsigned id32, unsigned id64) {
  sel_need_ops(s, 2, 2);
  sel_need_type(s, id64 == ISA_NOP ? SEL_F32 : SEL_F32 | SEL_F64);
  enum ptx_type t = s->md.type;
  struct ir_ref d = sel_dst(s, 0, t);
  sel_emit(s, t == PTX_F64 ? id64 : id32, sel_fmods(s), d, sel_src(s, 1, t), IR_NIL, IR_NIL);
}

static void h_rcp(struct sel *s) { special(s, ISA_RCP, ISA_DRCP); }
static void h_sqrt(struct sel *s) { special(s, ISA_SQRT, ISA_DSQRT); }
static void h_rsqrt(struct sel *s) { special(s, ISA_RSQRT, ISA_DRSQRT); }
static void h_sin(struct sel *s) { special(s, ISA_SIN, ISA_NOP); }
static void h_cos(struct sel *s) { special(s, ISA_COS, ISA_NOP); }
static void h_ex2(struct sel *s) { special(s, ISA_EX2, ISA_NOP); }
static void h_lg2(struct sel *s) { special(s, ISA_LG2, ISA_NOP); }

/* The sign of a on the magnitude of b; of a double only the upper word is touched. */
static void h_copysign(struct sel *s) {
  sel_need_ops(s, 3, 3);
  sel_need_type(s, SEL_F32 | SEL_F64);
  enum ptx_type t = s->md.type;
  struct ir_ref d = sel_dst(s, 0, t), a = sel_src(s, 1, t), b = sel_src(s, 2, t);
  unsigned top = t == PTX_F64 ? 1 : 0;
  struct ir_ref sign = sel_temp(s, 1), mag = sel_temp(s, 1), low = sel_temp(s, 1);
  sel_emit(s, ISA_AND, 0, sign, sel_sub(a, top), sel_const(s, 0x80000000U), IR_NIL);
  sel_emit(s, ISA_AND, 0, mag, sel_sub(b, top), sel_const(s, 0x7fffffffU), IR_NIL);
  if (top)
    sel_copy(s, low, sel_sub(b, 0));
  sel_emit(s, ISA_OR, 0, sel_sub(d, top), sign, mag, IR_NIL);
  if (top)
    sel_copy(s, sel_sub(d, 0), low);
}

/* lo <= x < hi as integers, 64 or 32 bits. */
static void between(struct sel *s, struct ir_ref p, struct ir_ref x, uint64_t lo, uint64_t hi) {
  bool wide = x.n == 2;
  struct ir_ref a = wide ? sel_const64(s, lo) : sel_const(s, (uint32_t)lo);
  struct ir_ref b = wide ? sel_const64(s, hi) : sel_const(s, (uint32_t)hi);
  struct ir_ref above = sel_ptemp(s), under = sel_ptemp(s);
  sel_emit(s, wide ? ISA_LSETP : ISA_ISETP, CMP_GE, above, x, a, IR_NIL);
  sel_emit(s, wide ? ISA_LSETP : ISA_ISETP, CMP_LT, under, x, b, IR_NIL);
  sel_emit(s, ISA_PLOP, 0, p, IR_NIL, above, under);
}

static void h_testp(struct sel *s) {
  sel_need_ops(s, 2, 2);
  sel_need_type(s, SEL_F32 | SEL_F64);
  bool wide = s->md.type == PTX_F64;
  struct ir_ref p = sel_dst(s, 0, PTX_PRED), a = sel_src(s, 1, s->md.type);
  if (sel_word(s, "number") || sel_word(s, "notanumber")) {
    sel_emit(s, wide ? ISA_DSETP : ISA_FSETP, sel_word(s, "number") ? CMP_NUM : CMP_NAN, p, a, a,
             IR_NIL);
    return;
  }
  /* The others are ranges of the magnitude's bits. */
  struct ir_ref mag = sel_temp(s, wide ? 2 : 1);
  uint64_t inf = wide ? UINT64_C(0x7ff) << 52 : 0x7f800000;
  uint64_t least = wide ? UINT64_C(1) << 52 : 0x00800000;
  sel_emit(s, wide ? ISA_DABS : ISA_FABS, 0, mag, a, IR_NIL, IR_NIL);
  if (sel_word(s, "finite"))
    between(s, p, mag, 0, inf);
  else if (sel_word(s, "infinite"))
    between(s, p, mag, inf, inf + 1);
  else if (sel_word(s, "normal"))
    between(s, p, mag, least, inf);
  else if (sel_word(s, "subnormal"))
    between(s, p, mag, 1, least);
  else
    SEL_FAIL(s, "'testp' needs .finite, .infinite, .number, .notanumber, .normal or .subnormal");
}

const struct sel_row sel_float_rows[] = {
    {"rcp", h_rcp, SEL_FTZ | SEL_FTZ_F64 | SEL_APPROX | SEL_ROUND},
    {"sqrt", h_sqrt, SEL_FTZ | SEL_APPROX | SEL_ROUND},
    {"rsqrt", h_rsqrt, SEL_FTZ | SEL_FTZ_F64 | SEL_APPROX},
    {"sin", h_sin, SEL_FTZ | SEL_APPROX},
    {"cos", h_cos, SEL_FTZ | SEL_APPROX},
    {"ex2", h_ex2, SEL_FTZ | SEL_APPROX},
    {"lg2", h_lg2, SEL_FTZ | SEL_APPROX},
    {"copysign", h_copysign, 0},
    {"testp", h_testp, 0},
    {NULL, NULL, 0}};
