/* Instruction selection: scalar video instructions, shifts of a word or a part of one. */
#include <string.h>

#include "csim/isa/ptx/select/select.h"

static struct ir_ref op2(struct sel *s, unsigned id, unsigned mods, unsigned width, struct ir_ref a,
                         struct ir_ref b) {
  struct ir_ref d = sel_temp(s, width);
  sel_emit(s, id, mods, d, a, b, IR_NIL);
  return d;
}

/* The part that an operand names, .b0 to .b3 or .h0 and .h1: its first bit, and its type with the
 * sign of t; the whole of t if it names none. */
static enum ptx_type part_of(const struct ptx_operand *o, enum ptx_type t, unsigned *at) {
  const bool part = o->kind == PTX_O_REG && o->suffix, byte = part && o->suffix[0] == 'b';
  *at = part ? (unsigned)(o->suffix[1] - '0') * (byte ? 8 : 16) : 0;
  if (!part)
    return t;
  return byte ? (ptx_signed(t) ? PTX_S8 : PTX_U8) : (ptx_signed(t) ? PTX_S16 : PTX_U16);
}

/* Source i of type t, or the part that it names, extended. */
static struct ir_ref source(struct sel *s, unsigned i, enum ptx_type t) {
  struct ptx_operand o = s->st->ops[i];
  unsigned at;
  const enum ptx_type part = part_of(&o, t, &at);
  if (part == t)
    return sel_src_op(s, &o, t);
  o.suffix = NULL;
  struct ir_ref a = sel_src_op(s, &o, t);
  return sel_extend(s, at != 0 ? op2(s, ISA_SHR, 0, 1, a, sel_const(s, at)) : a, part);
}

/* a << n or a >> n, n at most 32, saturated to type `to`: of all the bits of the result. */
static struct ir_ref saturated(struct sel *s, bool left, struct ir_ref a, enum ptx_type ta,
                               struct ir_ref n, enum ptx_type to) {
  if (!left)
    return sel_clamp(s, op2(s, ptx_signed(ta) ? ISA_SAR : ISA_SHR, 0, 1, a, n), to, ta);
  struct ir_ref wide = sel_temp(s, 2);
  sel_emit(s, ISA_LEXT, ptx_signed(ta), wide, a, IR_NIL, IR_NIL);
  wide = op2(s, ISA_LSHL, 0, 2, wide, op2(s, ISA_IMIN, 0, 1, n, sel_const(s, 32)));
  return sel_sub(sel_clamp(s, wide, to, ptx_signed(ta) ? PTX_S64 : PTX_U64), 0);
}

/* The secondary operation, with the third source; 0 if there is none. */
static unsigned second_op(struct sel *s) {
  static const struct {
    const char *name;
    unsigned id;
  } table[] = {{"add", ISA_IADD}, {"min", ISA_IMIN}, {"max", ISA_IMAX}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (sel_word(s, table[i].name))
      return table[i].id;
  return 0;
}

static void shift(struct sel *s, bool left) {
  const enum ptx_type td = s->md.type, ta = s->md.type2;
  const bool wrap = sel_word(s, "wrap"), clamp = sel_word(s, "clamp");
  const unsigned second = second_op(s);
  struct ptx_operand dst = s->st->ops[0];
  unsigned at;
  const enum ptx_type part = part_of(&dst, td, &at);
  const bool merge = part != td;
  dst.suffix = NULL;
  if (td != PTX_U32 && td != PTX_S32)
    sel_need_type(s, 0);
  if ((ta != PTX_U32 && ta != PTX_S32) || s->md.type3 != PTX_U32)
    SEL_FAIL(s, "the sources of '%s' are .u32 or .s32, and .u32", s->st->op);
  if (wrap == clamp)
    SEL_FAIL(s, "'%s' needs .wrap or .clamp", s->st->op);
  if (merge && second != 0)
    SEL_FAIL(s, "'%s' writes a part of its destination or has a second operation", s->st->op);
  sel_need_ops(s, merge || second != 0 ? 4 : 3, merge || second != 0 ? 4 : 3);
  struct ir_ref d = sel_dst_op(s, &dst, td), a = source(s, 1, ta), n = source(s, 2, PTX_U32);
  if (wrap)
    n = op2(s, ISA_AND, 0, 1, n, sel_const(s, 31));
  struct ir_ref r = s->md.sat ? saturated(s, left, a, ta, n, part)
                              : op2(s,
                                    left             ? ISA_SHL
                                    : ptx_signed(ta) ? ISA_SAR
                                                     : ISA_SHR,
                                    0, 1, a, n);
  if (second != 0)
    sel_emit(s, second, second == ISA_IADD ? 0 : ptx_signed(td), d, r, sel_src(s, 3, td), IR_NIL);
  else if (merge)
    sel_emit(s, ISA_BFI, 0, d, r, sel_src(s, 3, td), sel_const(s, at | ptx_bits(part) << 8));
  else
    sel_copy(s, d, r);
}

static void h_vshl(struct sel *s) { shift(s, true); }
static void h_vshr(struct sel *s) { shift(s, false); }

const struct sel_row sel_video_rows[] = {{"vshl", h_vshl, SEL_TYPE3 | SEL_ISAT},
                                         {"vshr", h_vshr, SEL_TYPE3 | SEL_ISAT},
                                         {NULL, NULL, 0}};
