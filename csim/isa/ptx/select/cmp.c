/* Instruction selection: comparisons and selections. */
#include <string.h>

#include "csim/isa/ptx/select/select.h"

/* The comparison among the modifiers, as numbered by fsetp; unsigned aliases of the integers too.
 */
static int comparison(struct sel *s, bool floats, bool *is_unsigned) {
  static const char *const names[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                      "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
  static const char *const aliases[] = {"lo", "ls", "hi", "hs"};
  *is_unsigned = false;
  for (int i = 0; i < (floats ? 14 : 6); i++)
    if (sel_word(s, names[i]))
      return i;
  for (int i = 0; i < 4 && !floats; i++)
    if (sel_word(s, aliases[i])) {
      *is_unsigned = true;
      return 2 + i;
    }
  SEL_FAIL(s, "'%s' has no comparison that its type knows", s->st->op);
}

/* p = operand 1 cmp operand 2, of type t */
static void compare(struct sel *s, struct ir_ref p, enum ptx_type t) {
  bool as_unsigned;
  int cmp = comparison(s, ptx_float(t), &as_unsigned);
  if (ptx_float(t)) {
    struct ir_ref a = sel_src(s, 1, t), b = sel_src(s, 2, t);
    if (t == PTX_F16) {
      a = sel_from_half(s, a);
      b = sel_from_half(s, b);
    }
    sel_emit(s, t == PTX_F64 ? ISA_DSETP : ISA_FSETP, (unsigned)cmp | (s->md.ftz ? 16U : 0U), p, a,
             b, IR_NIL);
    return;
  }
  if (t == PTX_B16)
    t = PTX_U16;
  bool sign = ptx_signed(t) && !as_unsigned;
  struct ir_ref a = sel_ext(s, 1, t), b = sel_ext(s, 2, t);
  sel_emit(s, ptx_bits(t) == 64 ? ISA_LSETP : ISA_ISETP, (unsigned)cmp | (sign ? 8U : 0U), p, a, b,
           IR_NIL);
}

/* d = r boolop c; d = r where c is IR_NIL. */
static void combine(struct sel *s, struct ir_ref d, struct ir_ref r, struct ir_ref c) {
  static const char *const names[] = {"and", "or", "xor"};
  enum { MOV = 3 };
  unsigned op = 0;
  if (c.v == IR_NONE) {
    sel_emit(s, ISA_PLOP, MOV, d, IR_NIL, r, IR_TRUE);
    return;
  }
  while (op < MOV && !sel_word(s, names[op]))
    op++;
  if (op == MOV)
    SEL_FAIL(s, "'%s' with a predicate as last operand needs .and, .or or .xor", s->st->op);
  sel_emit(s, ISA_PLOP, op, d, IR_NIL, r, c);
}

static void h_setp(struct sel *s) {
  sel_need_ops(s, 3, 4);
  sel_need_type(s, SEL_INTS | SEL_FLOATS);
  struct ir_ref q, p = sel_dst_pair(s, PTX_PRED, &q), c = IR_NIL;
  bool combined = s->st->nops == 4;
  if (!combined && q.v < 0) {
    compare(s, p, s->md.type);
    return;
  }
  struct ir_ref r = sel_ptemp(s);
  compare(s, r, s->md.type);
  if (combined) {
    struct ir_ref copy = sel_ptemp(s); /* p may be the predicate combined with, and q needs it */
    c = sel_pred(s, 3);
    if (q.v >= 0) {
      sel_copy(s, copy, c);
      c = copy;
    }
  }
  combine(s, p, r, c);
  if (q.v >= 0)
    combine(s, q, sel_not(r), c);
}

/* set.cmp.dtype.stype: all ones or 1.0 where it holds */
static void h_set(struct sel *s) {
  sel_need_ops(s, 3, 4);
  enum ptx_type td = s->md.type, t = s->md.type2;
  if (td == PTX_NONE || t == PTX_NONE || ptx_bits(td) != 32)
    SEL_FAIL(s, "'set' needs two types, and its result is .u32, .s32 or .f32");
  struct ir_ref p = sel_ptemp(s);
  compare(s, p, t);
  if (s->st->nops == 4) {
    struct ir_ref r = p;
    p = sel_ptemp(s);
    combine(s, p, r, sel_pred(s, 3));
  }
  if (td == PTX_B32)
    SEL_FAIL(s, "the result of 'set' is .u32, .s32 or .f32");
  uint32_t yes = td == PTX_F32 ? 0x3f800000 : UINT32_MAX;
  sel_emit(s, ISA_SELP, 0, sel_dst(s, 0, td), sel_const(s, yes), sel_const(s, 0), p);
}

static void h_selp(struct sel *s) {
  sel_need_ops(s, 4, 4);
  sel_need_type(s, SEL_INTS | SEL_FLOATS);
  enum ptx_type t = s->md.type;
  struct ir_ref d = sel_dst(s, 0, t), a = sel_src(s, 1, t), b = sel_src(s, 2, t);
  sel_emit(s, ptx_bits(t) == 64 ? ISA_LSELP : ISA_SELP, 0, d, a, b, sel_pred(s, 3));
}

/* d = c >= 0 ? a : b; a NaN picks b */
static void h_slct(struct sel *s) {
  sel_need_ops(s, 4, 4);
  sel_need_type(s, SEL_INTS | SEL_F32 | SEL_F64);
  enum ptx_type t = s->md.type, tc = s->md.type2;
  if (tc != PTX_F32 && tc != PTX_S32)
    SEL_FAIL(s, "'slct' selects by .s32 or .f32");
  struct ir_ref d = sel_dst(s, 0, t), a = sel_src(s, 1, t), b = sel_src(s, 2, t);
  struct ir_ref p = sel_ptemp(s), c = sel_src(s, 3, tc);
  sel_emit(s, tc == PTX_F32 ? ISA_FSETP : ISA_ISETP,
           tc == PTX_F32 ? 5U | (s->md.ftz ? 16U : 0U) : 5U | 8U, p, c, sel_const(s, 0), IR_NIL);
  sel_emit(s, ptx_bits(t) == 64 ? ISA_LSELP : ISA_SELP, 0, d, a, b, p);
}

const struct sel_row sel_cmp_rows[] = {{"setp", h_setp, SEL_FTZ},
                                       {"selp", h_selp, 0},
                                       {"set", h_set, SEL_FTZ | SEL_TYPE2},
                                       {"slct", h_slct, SEL_FTZ | SEL_TYPE2},
                                       {NULL, NULL, 0}};
