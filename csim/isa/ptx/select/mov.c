/* Instruction selection: moves, special registers, addresses between spaces. */
#include "csim/isa/ptx/select/select.h"

/* ---- vectors packed into one register, and unpacked ---- */

static enum ptx_type element_type(struct sel *s, const struct ptx_operand *v) {
  unsigned bits = ptx_bits(s->md.type) / v->nelems;
  if (v->nelems * bits != ptx_bits(s->md.type) || (bits != 16 && bits != 32))
    SEL_FAIL(s, "a 'mov' of this many elements does not fit its type");
  return bits == 16 ? PTX_B16 : PTX_B32;
}

static void pack(struct sel *s, const struct ptx_operand *v) {
  struct ir_ref d = sel_dst(s, 0, s->md.type), half[2], e[8];
  enum ptx_type t = element_type(s, v);
  for (unsigned k = 0; k < v->nelems; k++)
    e[k] = sel_src_op(s, &v->elems[k], t);
  if (t == PTX_B32) {
    /* Both words are read before either is written. */
    for (unsigned k = 0; k < 2; k++) {
      half[k] = sel_temp(s, 1);
      sel_copy(s, half[k], e[k]);
    }
  } else {
    for (unsigned k = 0; k < v->nelems / 2; k++) {
      half[k] = sel_temp(s, 1);
      sel_emit(s, ISA_PRMT, 0, half[k], e[2 * k], e[2 * k + 1], sel_const(s, 0x5410));
    }
  }
  for (unsigned k = 0; k < d.n; k++)
    sel_copy(s, sel_sub(d, k), half[k]);
}

static void unpack(struct sel *s, const struct ptx_operand *v) {
  enum ptx_type t = element_type(s, v);
  struct ir_ref a = sel_src(s, 1, s->md.type);
  for (unsigned k = 0; k < v->nelems; k++) {
    if (v->elems[k].kind == PTX_O_SINK)
      continue;
    struct ir_ref d = sel_dst_op(s, &v->elems[k], t);
    if (t == PTX_B32)
      sel_copy(s, d, sel_sub(a, k));
    else if (k % 2 == 0)
      sel_copy(s, d, sel_sub(a, k / 2));
    else
      sel_emit(s, ISA_SHR, 0, d, sel_sub(a, k / 2), sel_const(s, 16), IR_NIL);
  }
}

static void h_mov(struct sel *s) {
  sel_need_ops(s, 2, 2);
  sel_need_type(s, SEL_INTS | SEL_FLOATS | SEL_P);
  const struct ptx_operand *d = &s->st->ops[0], *a = &s->st->ops[1];
  if (a->kind == PTX_O_VEC)
    pack(s, a);
  else if (d->kind == PTX_O_VEC)
    unpack(s, d);
  else if (sel_is_special(s, a) && !a->expr && !ptx_float(s->md.type) && s->md.type != PTX_PRED) {
    sel_need_plain(s, a);
    sel_move_special(s, a, sel_dst(s, 0, s->md.type));
  } else {
    struct ir_ref r = sel_dst(s, 0, s->md.type);
    sel_copy(s, r, sel_src(s, 1, s->md.type));
  }
}

/* ---- address spaces ---- */

static uint32_t window(enum isa_space space) {
  return space == ISA_SPACE_SHARED  ? ISA_SHARED_WINDOW
         : space == ISA_SPACE_LOCAL ? ISA_LOCAL_WINDOW
                                    : 0;
}

/* Puts the parameters where generic addresses reach them: those of a variable that operand 1 names,
 * or all.  Returns the generic address of the first. */
static uint32_t copy_parameters(struct sel *s) {
  const struct ptx_operand *o = &s->st->ops[1];
  const uint32_t to = s->m->copied->offset;
  uint32_t at = 0, end = (uint32_t)s->m->copied->size;
  if (o->kind == PTX_O_VAR) {
    const struct sel_place *pl = sel_place_of(s, o->var);
    if (pl->kind != SEL_KERNEL_PARAM)
      SEL_FAIL(s, "'%s' is no parameter of the kernel", o->var->name);
    at = pl->offset & ~3U;
    end = pl->offset + (uint32_t)o->var->size;
  }
  for (; at < end && !s->md.to; at += 4) {
    struct ir_ref word = sel_temp(s, 1);
    sel_emit(s, ISA_MOVS, 0, word, IR_NIL, IR_NIL, IR_NIL)->imm = ISA_SREG_PARAM + at / 4;
    sel_store_local(s, to + at, word);
  }
  return ISA_LOCAL_WINDOW + to;
}

static void h_cvta(struct sel *s) {
  sel_need_ops(s, 2, 2);
  sel_need_type(s, SEL_INT32 | SEL_INT64);
  enum ptx_type t = s->md.type;
  struct ir_ref d = sel_dst(s, 0, t), a = sel_src(s, 1, t);
  uint32_t base = s->md.space == ISA_SPACE_PARAM ? copy_parameters(s) : window(s->md.space);
  if (!s->md.has_space)
    SEL_FAIL(s, "'cvta' needs a space");
  if (base == 0) {
    sel_copy(s, d, a);
    return;
  }
  sel_emit(s, ISA_IADD, 0, sel_sub(d, 0), sel_sub(a, 0), sel_const(s, s->md.to ? 0 - base : base),
           IR_NIL);
  if (d.n == 2)
    sel_copy(s, sel_sub(d, 1), sel_const(s, 0));
}

static void h_isspacep(struct sel *s) {
  sel_need_ops(s, 2, 2);
  struct ir_ref p = sel_dst(s, 0, PTX_PRED);
  const unsigned have = sel_reg_bits(s, 1), bits = have ? have : s->m->address_bits;
  struct ir_ref a = sel_sub(sel_src(s, 1, bits == 64 ? PTX_U64 : PTX_U32), 0);
  enum { LT = 2, GE = 5 };
  if (s->md.space == ISA_SPACE_GLOBAL || s->md.space == ISA_SPACE_LOCAL) {
    bool local = s->md.space == ISA_SPACE_LOCAL;
    uint32_t edge = local ? ISA_LOCAL_WINDOW : ISA_SHARED_WINDOW;
    sel_emit(s, ISA_ISETP, local ? GE : LT, p, a, sel_const(s, edge), IR_NIL);
  } else if (s->md.space == ISA_SPACE_SHARED) {
    struct ir_ref off = sel_temp(s, 1);
    sel_emit(s, ISA_IADD, 0, off, a, sel_const(s, 0 - ISA_SHARED_WINDOW), IR_NIL);
    sel_emit(s, ISA_ISETP, LT, p, off, sel_const(s, ISA_LOCAL_WINDOW - ISA_SHARED_WINDOW), IR_NIL);
  } else {
    SEL_FAIL(s, "'isspacep' knows .global, .shared and .local");
  }
}

const struct sel_row sel_mov_rows[] = {{"mov", h_mov, 0},
                                       {"cvta", h_cvta, SEL_TO | SEL_SPACE},
                                       {"isspacep", h_isspacep, SEL_SPACE | SEL_NO_TYPE},
                                       {NULL, NULL, 0}};
