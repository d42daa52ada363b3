/* Instruction selection: operands of PTX instructions. */
#include <string.h>

#include "csim/isa/ptx/select/select.h"

/* ---- checks ---- */

void sel_need_ops(struct sel *s, unsigned least, unsigned most) {
  if (s->st->nops < least || s->st->nops > most)
    SEL_FAIL(s, "'%s' needs %u operands, it has %u", s->st->op, least, s->st->nops);
}

void sel_need_type(struct sel *s, unsigned kinds) {
  static const unsigned kind[PTX_TYPES] = {
      [PTX_PRED] = SEL_P,    [PTX_B8] = SEL_INT8,   [PTX_U8] = SEL_INT8,   [PTX_S8] = SEL_INT8,
      [PTX_B16] = SEL_INT16, [PTX_U16] = SEL_INT16, [PTX_S16] = SEL_INT16, [PTX_B32] = SEL_INT32,
      [PTX_U32] = SEL_INT32, [PTX_S32] = SEL_INT32, [PTX_B64] = SEL_INT64, [PTX_U64] = SEL_INT64,
      [PTX_S64] = SEL_INT64, [PTX_F16] = SEL_F16,   [PTX_F32] = SEL_F32,   [PTX_F64] = SEL_F64};
  if (s->md.type == PTX_NONE)
    SEL_FAIL(s, "'%s' needs a type", s->st->op);
  if ((kind[s->md.type] & kinds) == 0)
    SEL_FAIL(s, "'%s' of this type (.%s) is not supported", s->st->op,
             s->st->mods[s->st->nmods - 1]);
}

/* Registers of 64 bits and predicates must match; so must integers and floats, but for halves,
 * which compilers before PTX 4.2 kept in .u16. */
static void check_type(struct sel *s, int reg, enum ptx_type t) {
  const struct ptx_reg *r = &s->fr->f->regs[reg];
  bool wide = ptx_bits(r->type) == 64, want_wide = ptx_bits(t) == 64;
  bool loose = r->type == PTX_B16 || r->type == PTX_B32 || r->type == PTX_B64 || t <= PTX_B64 ||
               (t == PTX_F16 && ptx_bits(r->type) == 16);
  if ((r->type == PTX_PRED) != (t == PTX_PRED) || wide != want_wide ||
      (!loose && ptx_float(r->type) != ptx_float(t)))
    SEL_FAIL(s, "a register like '%s' does not fit the type of '%s'; convert it with cvt or mov",
             r->name, s->st->op);
}

/* ---- registers ---- */

struct ir_ref sel_reg(struct sel *s, int reg) {
  enum ptx_type t = s->fr->f->regs[reg].type;
  int *v = &s->fr->regs[reg];
  if (*v < 0)
    *v = ir_new(s->ir, ptx_bits(t) == 64 ? 2 : 1, t == PTX_PRED);
  return ir_whole(s->ir, *v);
}

unsigned sel_reg_bits(struct sel *s, unsigned i) {
  const struct ptx_operand *o = &s->st->ops[i];
  return o->kind == PTX_O_REG ? ptx_bits(s->fr->f->regs[o->reg].type) : 0;
}

struct ir_ref sel_dst_op(struct sel *s, const struct ptx_operand *o, enum ptx_type t) {
  if (o->kind == PTX_O_SINK)
    return t == PTX_PRED ? sel_ptemp(s) : sel_temp(s, ptx_bits(t) == 64 ? 2 : 1);
  if (o->kind != PTX_O_REG || o->mem || o->neg || o->expr || o->second || o->suffix)
    SEL_FAIL(s, "the destination of '%s' must be a register%s%s", s->st->op,
             o->kind == PTX_O_NAME ? "; not declared: " : "", o->kind == PTX_O_NAME ? o->name : "");
  check_type(s, o->reg, t);
  return sel_reg(s, o->reg);
}

struct ir_ref sel_dst_pair(struct sel *s, enum ptx_type t, struct ir_ref *q) {
  struct ptx_operand first = s->st->ops[0];
  const struct ptx_operand second = {.kind = PTX_O_REG, .reg = first.reg2, .reg2 = -1};
  first.second = NULL;
  *q = first.reg2 >= 0 ? sel_dst_op(s, &second, PTX_PRED) : IR_NIL;
  return sel_dst_op(s, &first, t);
}

struct ir_ref sel_dst(struct sel *s, unsigned i, enum ptx_type t) {
  return sel_dst_op(s, &s->st->ops[i], t);
}

/* ---- sources ---- */

void sel_need_plain(struct sel *s, const struct ptx_operand *o) {
  if (o->mem)
    SEL_FAIL(s, "'%s' cannot read memory; load the value first", s->st->op);
  if (o->neg)
    SEL_FAIL(s, "a negated operand is not supported here; use neg or not");
  if (o->kind == PTX_O_REG && o->suffix)
    SEL_FAIL(s, "'%s' reads whole registers, not '%s.%s'", s->st->op, o->name, o->suffix);
  if (o->second)
    SEL_FAIL(s, "'%s' has no use for the second name of '%s|%s'", s->st->op,
             o->name ? o->name : "_", o->second);
}

struct ir_ref sel_plus(struct sel *s, const struct ptx_operand *o, struct ir_ref r,
                       enum ptx_type t) {
  if (!o->expr)
    return r;
  if (t == PTX_PRED || ptx_float(t))
    SEL_FAIL(s, "a constant is added to '%s', which is no integer here", o->name);
  if (o->value == 0)
    return r;
  struct ir_ref sum = sel_temp(s, r.n);
  if (r.n == 2)
    sel_emit(s, ISA_LADD, 0, sum, r, sel_const64(s, (uint64_t)o->value), IR_NIL);
  else
    sel_emit(s, ISA_IADD, 0, sum, r, sel_const(s, (uint32_t)o->value), IR_NIL);
  return sum;
}

/* The bits of a constant operand as type t. */
static uint64_t constant_bits(struct sel *s, const struct ptx_operand *o, enum ptx_type t) {
  uint64_t bits = (uint64_t)o->value;
  const bool whole = t > PTX_B64 && !ptx_float(t), wide = ptx_bits(t) == 64;
  if (o->kind != PTX_O_IMM && (whole || ptx_bits(t) < 32 || (o->kind == PTX_O_F32 && t == PTX_B64)))
    SEL_FAIL(s, "a float constant where '%s' has %s%u bits; write its bits as an integer",
             s->st->op, whole ? "an integer of " : "", wide ? 64 : ptx_bits(t));
  if (o->kind == PTX_O_F64 && (t == PTX_F32 || t == PTX_B32)) {
    double d;
    memcpy(&d, &bits, sizeof d);
    float f = (float)d;
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
  }
  if (o->kind == PTX_O_F32 && t == PTX_F64) {
    uint32_t u = (uint32_t)bits;
    float f;
    memcpy(&f, &u, sizeof f);
    double d = (double)f;
    memcpy(&bits, &d, sizeof d);
    return bits;
  }
  if (o->kind == PTX_O_IMM && (t == PTX_F32 || t == PTX_F64))
    SEL_FAIL(s, "an integer constant where a float is needed; write it as 0f... or 0d...");
  switch (ptx_bits(t)) {
  case 8:
    return ptx_signed(t) ? (uint64_t)(int64_t)(int8_t)bits : bits & 0xff;
  case 16:
    return ptx_signed(t) ? (uint64_t)(int64_t)(int16_t)bits : bits & 0xffff;
  default:
    return bits;
  }
}

struct ir_ref sel_src_op(struct sel *s, const struct ptx_operand *o, enum ptx_type t) {
  struct ptx_operand positive = *o;
  positive.neg = o->neg && t != PTX_PRED;
  sel_need_plain(s, &positive);
  if (t == PTX_PRED && o->kind == PTX_O_IMM)
    return (struct ir_ref){.v = IR_PT, .neg = (o->value == 0) != o->neg};
  if (o->kind == PTX_O_REG) {
    check_type(s, o->reg, t);
    struct ir_ref r = sel_plus(s, o, sel_reg(s, o->reg), t);
    r.neg = o->neg;
    return r;
  }
  if (o->kind == PTX_O_IMM || o->kind == PTX_O_F32 || o->kind == PTX_O_F64) {
    uint64_t bits = constant_bits(s, o, t);
    return ptx_bits(t) == 64 ? sel_const64(s, bits) : sel_const(s, (uint32_t)bits);
  }
  if (sel_is_special(s, o))
    return sel_plus(s, o, sel_special(s, o, t), t);
  if (o->kind == PTX_O_VAR || o->kind == PTX_O_NAME)
    return sel_address_of(s, o, t);
  SEL_FAIL(s, "'%s' cannot take %s here", s->st->op, o->kind == PTX_O_SINK ? "_" : "a vector");
}

struct ir_ref sel_src(struct sel *s, unsigned i, enum ptx_type t) {
  return sel_src_op(s, &s->st->ops[i], t);
}

struct ir_ref sel_extend(struct sel *s, struct ir_ref a, enum ptx_type t) {
  unsigned bits = ptx_bits(t);
  if (bits > 16)
    return a;
  struct ir_ref d = sel_temp(s, 1);
  sel_emit(s, ISA_EXT, (ptx_signed(t) ? 1U : 0U) | (bits == 16 ? 2U : 0U), d, a, IR_NIL, IR_NIL);
  return d;
}

struct ir_ref sel_ext(struct sel *s, unsigned i, enum ptx_type t) {
  struct ir_ref a = sel_src(s, i, t);
  enum ptx_opkind k = s->st->ops[i].kind;
  return k == PTX_O_IMM ? a : sel_extend(s, a, t);
}

struct ir_ref sel_pred(struct sel *s, unsigned i) {
  return sel_src(s, i, PTX_PRED);
}

/* ---- symbols ---- */

struct sel_place *sel_place_of(struct sel *s, const struct ptx_var *v) {
  struct sel_place *pl = &s->fr->places[v->slot];
  while (pl->alias)
    pl = pl->alias;
  if (pl->kind != SEL_UNSET)
    return pl;
  if (v->space == ISA_SPACE_SHARED) {
    *pl = (struct sel_place){.kind = SEL_SHARED, .offset = v->offset};
    return pl;
  }
  if (v->space != ISA_SPACE_LOCAL && v->space != ISA_SPACE_PARAM)
    SEL_FAIL(s, "the variable '%s' must be declared at module scope", v->name);
  uint32_t align = ptx_alignment(v);
  if (align < 4)
    align = 4;
  uint64_t at = ((uint64_t)s->local_used + align - 1) & ~(uint64_t)(align - 1);
  if (at + v->size > PTX_MOST_LOCAL)
    ptx_fail(s->x, v->line, "local memory of a thread would pass 16 MB with '%s'", v->name);
  *pl = (struct sel_place){.kind = SEL_LOCAL, .offset = (uint32_t)at};
  s->local_used = (uint32_t)(at + ((v->size + 3) & ~(uint64_t)3));
  if (s->local_used > s->ir->local_bytes)
    s->ir->local_bytes = s->local_used;
  return pl;
}

static struct ptx_var *module_var(struct sel *s, const struct ptx_operand *o) {
  struct ptx_var *v = ptx_find_var(s->m, o->name);
  if (o->suffix)
    SEL_FAIL(s, "'%s.%s' is no variable", o->name, o->suffix);
  if (!v && ptx_find_func(s->m, o->name))
    SEL_FAIL(s, "the address of the function '%s' is taken; indirect calls are not supported",
             o->name);
  if (!v)
    SEL_FAIL(s, "'%s' is not declared", o->name);
  if (!v->placed)
    SEL_FAIL(s, "the variable '%s' is external and defined nowhere", o->name);
  return v;
}

enum isa_space sel_space_of(struct sel *s, const struct ptx_operand *o) {
  const struct ptx_var *v = o->kind == PTX_O_VAR ? o->var : module_var(s, o);
  if (v->space != ISA_SPACE_PARAM)
    return v->space;
  return sel_place_of(s, v)->kind == SEL_KERNEL_PARAM ? ISA_SPACE_PARAM : ISA_SPACE_LOCAL;
}

struct ir_ref sel_address_of(struct sel *s, const struct ptx_operand *o, enum ptx_type t) {
  bool wide = ptx_bits(t) == 64;
  if (ptx_bits(t) < 32 || t == PTX_F32 || t == PTX_F64)
    SEL_FAIL(s, "an address does not fit the type of '%s'", s->st->op);
  uint32_t base;
  bool reloc = false;
  if (o->kind == PTX_O_VAR) {
    struct sel_place *pl = sel_place_of(s, o->var);
    base = pl->offset;
  } else {
    const struct ptx_var *v = module_var(s, o);
    base = v->offset;
    reloc = v->space == ISA_SPACE_GLOBAL || v->space == ISA_SPACE_CONST;
  }
  struct ir_ref r = wide ? sel_const64(s, 0) : sel_const(s, 0);
  struct ir_inst *low = &s->ir->insts[s->ir->ninsts - (wide ? 2 : 1)];
  low->imm = base + (uint32_t)o->value;
  low->reloc = reloc;
  return r;
}
