/* Instruction selection: cvt among all types. */
#include <string.h>

#include "csim/isa/ptx/select/select.h"

enum { SAT = 8 };

static unsigned round_mods(const struct sel *s) { return (unsigned)s->md.round << 4; }

static struct ir_ref unary(struct sel *s, unsigned id, unsigned mods, unsigned width,
                           struct ir_ref a) {
  struct ir_ref d = sel_temp(s, width);
  sel_emit(s, id, mods, d, a, IR_NIL, IR_NIL);
  return d;
}

/* A source of any width as type t: the low part of a wider register. */
static struct ir_ref source(struct sel *s, enum ptx_type t) {
  unsigned have = sel_reg_bits(s, 1), bits = ptx_bits(t);
  struct ir_ref a;
  if (have == 64 && bits < 64)
    a = sel_sub(sel_src(s, 1, PTX_B64), 0);
  else
    a = sel_src(s, 1, t);
  return ptx_float(t) || s->st->ops[1].kind == PTX_O_IMM ? a : sel_extend(s, a, t);
}

/* ---- saturation of integers ---- */

struct ir_ref sel_clamp(struct sel *s, struct ir_ref a, enum ptx_type td, enum ptx_type ts) {
  bool wide = ptx_bits(ts) == 64, from_signed = ptx_signed(ts), to_signed = ptx_signed(td);
  unsigned bits = ptx_bits(td), src_bits = ptx_bits(ts);
  int64_t lo = to_signed ? (int64_t)(UINT64_MAX << (bits - 1)) : 0;
  uint64_t hi = to_signed    ? (UINT64_C(1) << (bits - 1)) - 1
                : bits == 64 ? UINT64_MAX
                             : (UINT64_C(1) << bits) - 1;
  unsigned width = wide ? 2 : 1, sign = from_signed ? 1 : 0;
  if (from_signed && (!to_signed || bits < src_bits)) {
    struct ir_ref c = wide ? sel_const64(s, (uint64_t)lo) : sel_const(s, (uint32_t)lo);
    struct ir_ref d = sel_temp(s, width);
    sel_emit(s, wide ? ISA_LMAX : ISA_IMAX, sign, d, a, c, IR_NIL);
    a = d;
  }
  uint64_t most = from_signed ? UINT64_MAX >> (65 - src_bits) : UINT64_MAX >> (64 - src_bits);
  if (hi < most) {
    struct ir_ref c = wide ? sel_const64(s, hi) : sel_const(s, (uint32_t)hi);
    struct ir_ref d = sel_temp(s, width);
    sel_emit(s, wide ? ISA_LMIN : ISA_IMIN, sign, d, a, c, IR_NIL);
    a = d;
  }
  return a;
}

/* ---- integers to integers: a whole number into a register of reg_bits ---- */

static void put_int(struct sel *s, struct ir_ref a, enum ptx_type td, enum ptx_type ts) {
  unsigned reg_bits = sel_reg_bits(s, 0), bits = ptx_bits(td);
  struct ir_ref d = sel_dst(s, 0, reg_bits == 64 ? PTX_B64 : td);
  if (bits == 64) {
    if (a.n == 2)
      sel_copy(s, d, a);
    else
      sel_emit(s, ISA_LEXT, ptx_signed(ts), d, a, IR_NIL, IR_NIL);
    return;
  }
  struct ir_ref low = sel_sub(a, 0);
  if (bits < 32 && reg_bits > bits)
    low = sel_extend(s, low, td);
  if (reg_bits == 64)
    sel_emit(s, ISA_LEXT, ptx_signed(td), d, low, IR_NIL, IR_NIL);
  else
    sel_copy(s, d, low);
}

static void int_to_int(struct sel *s, enum ptx_type td, enum ptx_type ts) {
  struct ir_ref a = source(s, ts);
  put_int(s, s->md.sat ? sel_clamp(s, a, td, ts) : a, td, ts);
}

/* ---- between integers and floats ---- */

/* d = a, a double, clamped to [+0, 1]. */
static void saturate_double(struct sel *s, struct ir_ref d, struct ir_ref a) {
  sel_emit(s, ISA_DADD, SAT, d, a, sel_const64(s, 0), IR_NIL);
}

static void int_to_float(struct sel *s, enum ptx_type td, enum ptx_type ts) {
  unsigned mods = (ptx_signed(ts) ? 1U : 0U) | round_mods(s);
  bool wide = ptx_bits(ts) == 64;
  struct ir_ref a = source(s, ts), d = sel_dst(s, 0, td);
  if (td == PTX_F64) {
    struct ir_ref f = s->md.sat ? sel_temp(s, 2) : d;
    sel_emit(s, wide ? ISA_L2D : ISA_I2D, mods, f, a, IR_NIL, IR_NIL);
    if (s->md.sat)
      saturate_double(s, d, f);
    return;
  }
  bool more = td == PTX_F16 || s->md.sat;
  struct ir_ref f = more ? sel_temp(s, 1) : d;
  sel_emit(s, wide ? ISA_L2F : ISA_I2F, mods, f, a, IR_NIL, IR_NIL);
  if (more)
    sel_emit(s, td == PTX_F16 ? ISA_F2H : ISA_F2F,
             (s->md.sat ? SAT : 0U) | (td == PTX_F16 ? round_mods(s) : 0), d, f, IR_NIL, IR_NIL);
}

static void float_to_int(struct sel *s, enum ptx_type td, enum ptx_type ts) {
  unsigned bits = ptx_bits(td), sign = ptx_signed(td) ? 1U : 0U, mods = sign | round_mods(s);
  struct ir_ref a = source(s, ts);
  if (ts == PTX_F16)
    a = unary(s, ISA_H2F, 0, 1, a);
  bool wide = ts == PTX_F64;
  if (bits == 64) {
    if (s->md.ftz && !wide)
      a = unary(s, ISA_F2F, 4, 1, a);
    put_int(s, unary(s, wide ? ISA_D2L : ISA_F2L, mods, 2, a), td, td);
    return;
  }
  mods |= (bits == 16 ? 2U : 0U) | (bits == 8 ? 8U : 0U) | (s->md.ftz ? 4U : 0U);
  put_int(s, unary(s, wide ? ISA_D2I : ISA_F2I, mods, 1, a), td, td);
}

/* ---- floats to floats ---- */

struct ir_ref sel_odd_float(struct sel *s, struct ir_ref a) {
  enum { TOWARDS_ZERO = 1 << 4, CMP_NE = 1 };
  struct ir_ref cut = unary(s, ISA_D2F, TOWARDS_ZERO, 1, a);
  struct ir_ref back = unary(s, ISA_F2D, 0, 2, cut), odd = sel_temp(s, 1), d = sel_temp(s, 1);
  struct ir_ref differs = sel_ptemp(s);
  sel_emit(s, ISA_DSETP, CMP_NE, differs, a, back, IR_NIL);
  sel_emit(s, ISA_OR, 0, odd, cut, sel_const(s, 1), IR_NIL);
  sel_emit(s, ISA_SELP, 0, d, odd, cut, differs);
  return d;
}

static void float_to_float(struct sel *s, enum ptx_type td, enum ptx_type ts) {
  unsigned ftz = s->md.ftz ? 4U : 0U, sat = s->md.sat ? SAT : 0U, round = round_mods(s);
  struct ir_ref a = source(s, ts), d = sel_dst(s, 0, td);
  if (td == ts && td == PTX_F64) {
    if (s->md.integral)
      sel_emit(s, ISA_DRND, round | sat, d, a, IR_NIL, IR_NIL);
    else if (sat)
      saturate_double(s, d, a);
    else
      sel_copy(s, d, a);
    return;
  }
  if (td == PTX_F64) {
    if (ts == PTX_F16)
      a = unary(s, ISA_H2F, 0, 1, a);
    sel_emit(s, ISA_F2D, ftz | sat, d, a, IR_NIL, IR_NIL);
    return;
  }
  if (ts == PTX_F16)
    a = unary(s, ISA_H2F, 0, 1, a);
  if (ts == PTX_F64)
    a = td == PTX_F16 ? sel_odd_float(s, a) : unary(s, ISA_D2F, ftz | sat | round, 1, a);
  if (td == ts && s->md.integral)
    a = unary(s, ISA_FRND, round | ftz | sat, 1, a);
  if (td == PTX_F16)
    sel_emit(s, ISA_F2H, sat | (td == ts ? 0 : round | ftz), d, a, IR_NIL, IR_NIL);
  else if (ts == PTX_F64 || (td == ts && s->md.integral) || !(ftz | sat))
    sel_copy(s, d, a);
  else
    sel_emit(s, ISA_F2F, ftz | sat, d, a, IR_NIL, IR_NIL);
}

static void h_cvt(struct sel *s) {
  sel_need_ops(s, 2, 2);
  enum ptx_type td = s->md.type, ts = s->md.type2;
  if (ts == PTX_NONE)
    SEL_FAIL(s, "'cvt' needs two types");
  if (td == PTX_PRED || ts == PTX_PRED || td == PTX_F16X2 || ts == PTX_F16X2)
    SEL_FAIL(s, "this form of 'cvt' is not supported");
  if (ptx_float(td) && ptx_float(ts))
    float_to_float(s, td, ts);
  else if (ptx_float(td))
    int_to_float(s, td, ts);
  else if (ptx_float(ts))
    float_to_int(s, td, ts);
  else
    int_to_int(s, td, ts);
}

const struct sel_row sel_cvt_rows[] = {
    {"cvt", h_cvt, SEL_ROUND | SEL_INTEGRAL | SEL_FTZ | SEL_SAT | SEL_ISAT | SEL_TYPE2},
    {NULL, NULL, 0}};
