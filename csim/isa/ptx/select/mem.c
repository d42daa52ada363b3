/* Instruction selection: loads, stores, parameters, atomics. */
#include <string.h>

#include "csim/isa/ptx/select/select.h"

/* ---- addresses ---- */

struct address {
  struct ir_ref base; /* IR_NIL: absolute */
  uint32_t imm;
  unsigned mods; /* A64, ABS */
};

static bool fits_offset(int64_t v) { return v >= -32768 && v <= 32767; }

/* An address that is a number known now. */
static struct address absolute(struct sel *s, uint32_t at, bool abs_allowed) {
  if (abs_allowed && at <= 0xffff)
    return (struct address){.base = IR_NIL, .imm = at, .mods = ISA_MOD_ABS};
  return (struct address){.base = sel_const(s, at)};
}

/* The address operand in the given space.  Addresses outside of global memory are below 4 GB
 * whatever the module's address size, so only their lower word is used. */
static struct address address(struct sel *s, const struct ptx_operand *o, enum isa_space space,
                              bool abs_allowed) {
  if (!o->mem || o->neg || o->second || (o->kind == PTX_O_REG && o->suffix))
    SEL_FAIL(s, "'%s' needs an address in brackets", s->st->op);
  if (o->kind == PTX_O_IMM)
    return absolute(s, (uint32_t)o->value, abs_allowed);
  if (o->kind == PTX_O_VAR || o->kind == PTX_O_NAME) {
    struct ir_ref r = sel_address_of(s, o, PTX_B32);
    struct ir_inst *i = &s->ir->insts[s->ir->ninsts - 1];
    if (i->reloc)
      return (struct address){.base = r};
    i->id = IR_DEAD;
    return absolute(s, i->imm, abs_allowed);
  }
  if (o->kind != PTX_O_REG || ptx_bits(s->fr->f->regs[o->reg].type) < 32)
    SEL_FAIL(s, "'%s' needs an address in brackets", s->st->op);
  struct address a = {.base = sel_reg(s, o->reg)};
  bool wide = a.base.n == 2, checked = space == ISA_SPACE_GLOBAL || space == ISA_SPACE_CONST ||
                                       space == ISA_SPACE_GENERIC;
  if (wide && !checked)
    a.base = sel_sub(a.base, 0);
  else if (wide)
    a.mods = ISA_MOD_A64;
  if (fits_offset(o->value)) {
    a.imm = (uint32_t)o->value;
    return a;
  }
  struct ir_ref sum = sel_temp(s, a.base.n);
  if (a.base.n == 2)
    sel_emit(s, ISA_LADD, 0, sum, a.base, sel_const64(s, (uint64_t)o->value), IR_NIL);
  else
    sel_emit(s, ISA_IADD, 0, sum, a.base, sel_const(s, (uint32_t)o->value), IR_NIL);
  a.base = sum;
  return a;
}

/* ---- parts of an access ---- */

struct access {
  enum ptx_type type; /* element type */
  unsigned n;         /* elements */
  const struct ptx_operand *ops;
};

static struct access access_of(struct sel *s, unsigned i) {
  struct access a = {.type = s->md.type, .n = s->md.vector, .ops = &s->st->ops[i]};
  sel_need_type(s, SEL_INT8 | SEL_INTS | SEL_FLOATS);
  if (a.ops->mem)
    SEL_FAIL(s, "'%s' has one address in brackets", s->st->op);
  if (a.ops->kind == PTX_O_VEC) {
    if (a.n == 1)
      SEL_FAIL(s, "'%s' of a vector needs .v2 or .v4", s->st->op);
    if (a.ops->nelems != a.n)
      SEL_FAIL(s, "the vector has %u elements, the instruction says %u", a.ops->nelems, a.n);
    a.ops = a.ops->elems;
  } else if (a.n > 1) {
    SEL_FAIL(s, "'%s.v%u' needs a vector in braces", s->st->op, a.n);
  }
  if (a.n * ptx_bits(a.type) > 128)
    SEL_FAIL(s, "an access of more than 128 bits is not supported");
  return a;
}

static unsigned size_mods(enum ptx_type t, unsigned n) {
  static const unsigned sizes[] = {[1] = 0, [2] = 1, [4] = 2, [8] = 3};
  return sizes[ptx_bits(t) / 8] | (ptx_signed(t) && ptx_bits(t) < 32 ? 4U : 0U) |
         (n == 4   ? 2U
          : n == 2 ? 1U
                   : 0U)
             << 3;
}

static unsigned words(enum ptx_type t) { return ptx_bits(t) == 64 ? 2 : 1; }

/* Register of element k; a type narrower than the register is allowed. */
static struct ir_ref element_reg(struct sel *s, const struct ptx_operand *o, enum ptx_type t) {
  if (o->kind == PTX_O_SINK)
    return sel_temp(s, words(t));
  if (o->kind != PTX_O_REG)
    SEL_FAIL(s, "the destination of '%s' must be a register", s->st->op);
  sel_need_plain(s, o);
  enum ptx_type have = s->fr->f->regs[o->reg].type;
  if (have == PTX_PRED || ptx_bits(have) < ptx_bits(t))
    SEL_FAIL(s, "a register like '%s' is too narrow for this '%s'", s->fr->f->regs[o->reg].name,
             s->st->op);
  return sel_reg(s, o->reg);
}

/* The same as a destination, which is no expression. */
static struct ir_ref loaded_reg(struct sel *s, const struct ptx_operand *o, enum ptx_type t) {
  if (o->kind == PTX_O_REG && o->expr)
    SEL_FAIL(s, "the destination of '%s' must be a register", s->st->op);
  return element_reg(s, o, t);
}

/* d = the loaded value v of type t, extended to what d holds */
static void put_loaded(struct sel *s, struct ir_ref d, struct ir_ref v, enum ptx_type t) {
  if (d.n > v.n)
    sel_emit(s, ISA_LEXT, ptx_signed(t), d, v, IR_NIL, IR_NIL);
  else
    sel_copy(s, d, v);
}

/* The value of element o as stored: the low words of its register, or a constant. */
static struct ir_ref stored(struct sel *s, const struct ptx_operand *o, enum ptx_type t) {
  if (o->kind != PTX_O_REG)
    return sel_src_op(s, o, ptx_bits(t) == 8 ? PTX_B32 : t);
  struct ir_ref r = element_reg(s, o, t);
  return sel_plus(s, o, words(t) < r.n ? sel_sub(r, 0) : r, t);
}

/* ---- loads ---- */

static void load(struct sel *s, unsigned id, struct address ad, const struct access *a) {
  unsigned w = words(a->type), units = w * a->n;
  unsigned mods = size_mods(a->type, a->n) | ad.mods;
  if (a->n == 1) {
    struct ir_ref d = loaded_reg(s, a->ops, a->type);
    if (d.n == w) {
      sel_emit(s, id, mods, d, ad.base, IR_NIL, IR_NIL)->imm = ad.imm;
      return;
    }
  }
  struct ir_ref v = sel_temp(s, units);
  sel_emit(s, id, mods, v, ad.base, IR_NIL, IR_NIL)->imm = ad.imm;
  for (unsigned k = 0; k < a->n; k++) {
    struct ir_ref part = {.v = v.v, .sub = (uint8_t)(k * w), .n = (uint8_t)w};
    put_loaded(s, loaded_reg(s, &a->ops[k], a->type), part, a->type);
  }
}

/* Parameter words at a constant offset come by movs; smaller parts are cut out of a word. */
static void load_param_const(struct sel *s, uint32_t at, const struct access *a) {
  unsigned bytes = ptx_bits(a->type) / 8;
  for (unsigned k = 0; k < a->n; k++, at += bytes) {
    struct ir_ref d = loaded_reg(s, &a->ops[k], a->type), v = sel_temp(s, words(a->type));
    for (unsigned w = 0; w < v.n; w++)
      sel_emit(s, ISA_MOVS, 0, sel_sub(v, w), IR_NIL, IR_NIL, IR_NIL)->imm =
          ISA_SREG_PARAM + at / 4 + w;
    if (bytes < 4 && at % 4 != 0) {
      struct ir_ref t = sel_temp(s, 1);
      sel_emit(s, ISA_SHR, 0, t, v, sel_const(s, at % 4 * 8), IR_NIL);
      v = t;
    }
    put_loaded(s, d, sel_extend(s, v, a->type), a->type);
  }
}

struct ir_ref sel_piece_of(struct sel *s, struct sel_place *pl, uint32_t offset, unsigned bits) {
  for (struct sel_piece *p = pl->pieces; p; p = p->next)
    if (p->offset == offset && p->bits == bits)
      return ir_whole(s->ir, p->v);
  struct sel_piece *p = ptx_alloc(s->x, sizeof *p);
  *p = (struct sel_piece){.next = pl->pieces,
                          .offset = offset,
                          .bits = bits,
                          .v = ir_new(s->ir, bits == 64 ? 2 : 1, false)};
  pl->pieces = p;
  return ir_whole(s->ir, p->v);
}

static void load_pieces(struct sel *s, struct sel_place *pl, uint32_t at, const struct access *a) {
  unsigned bits = ptx_bits(a->type);
  for (unsigned k = 0; k < a->n; k++) {
    struct ir_ref v = sel_extend(s, sel_piece_of(s, pl, at + k * bits / 8, bits), a->type);
    put_loaded(s, loaded_reg(s, &a->ops[k], a->type), v, a->type);
  }
}

static const unsigned load_ids[] = {
    [ISA_SPACE_GLOBAL] = ISA_LDG, [ISA_SPACE_SHARED] = ISA_LDS,    [ISA_SPACE_LOCAL] = ISA_LDL,
    [ISA_SPACE_CONST] = ISA_LDC,  [ISA_SPACE_GENERIC] = ISA_LDGEN, [ISA_SPACE_PARAM] = ISA_LDP};

/* Space of an access: of a symbol its own; .param through a register is the kernel's block in the
 * kernel, and the caller's local memory in a function. */
static enum isa_space access_space(struct sel *s, const struct ptx_operand *o) {
  enum isa_space space = s->md.space;
  if (o->kind == PTX_O_VAR || o->kind == PTX_O_NAME) {
    enum isa_space own = sel_space_of(s, o);
    if (own != space && (space == ISA_SPACE_GENERIC || space == ISA_SPACE_PARAM))
      return own;
    if (own != space)
      SEL_FAIL(s, "'%s' is not in the space that '%s' names",
               o->kind == PTX_O_VAR ? o->var->name : o->name, s->st->op);
  } else if (space == ISA_SPACE_PARAM && s->fr->caller) {
    return ISA_SPACE_LOCAL;
  }
  return space;
}

static void h_ld(struct sel *s) {
  sel_need_ops(s, 2, 2);
  struct access a = access_of(s, 0);
  const struct ptx_operand *o = &s->st->ops[1];
  if (o->kind == PTX_O_VAR && o->mem && o->var->space == ISA_SPACE_PARAM) {
    struct sel_place *pl = sel_place_of(s, o->var);
    int64_t at = o->value;
    if (at < 0 || (uint64_t)at + a.n * ptx_bits(a.type) / 8 > ((o->var->size + 7) & ~UINT64_C(7)))
      SEL_FAIL(s, "this reads outside of the parameter '%s'", o->var->name);
    uint32_t where = pl->offset + (uint32_t)at;
    if (pl->kind == SEL_REGS) {
      load_pieces(s, pl, (uint32_t)at, &a);
      return;
    }
    if (pl->kind == SEL_KERNEL_PARAM && where % (ptx_bits(a.type) / 8) == 0 &&
        (ptx_bits(a.type) < 64 || where % 4 == 0)) {
      load_param_const(s, where, &a);
      return;
    }
  }
  enum isa_space space = access_space(s, o);
  load(s, load_ids[space], address(s, o, space, true), &a);
}

/* ---- stores ---- */

static void store(struct sel *s, unsigned id, struct address ad, const struct access *a) {
  unsigned w = words(a->type), units = w * a->n;
  struct ir_ref v;
  if (a->n == 1) {
    v = stored(s, a->ops, a->type);
  } else {
    v = sel_temp(s, units);
    for (unsigned k = 0; k < a->n; k++) {
      struct ir_ref part = {.v = v.v, .sub = (uint8_t)(k * w), .n = (uint8_t)w};
      sel_copy(s, part, stored(s, &a->ops[k], a->type));
    }
  }
  unsigned mods = (size_mods(a->type, a->n) & ~4U) | ad.mods;
  sel_emit(s, id, mods, IR_NIL, ad.base, v, IR_NIL)->imm = ad.imm;
}

void sel_store_local(struct sel *s, uint32_t at, struct ir_ref word) {
  const struct address ad = absolute(s, at, true);
  sel_emit(s, ISA_STL, size_mods(PTX_B32, 1) | ad.mods, IR_NIL, ad.base, word, IR_NIL)->imm =
      ad.imm;
}

static void h_st(struct sel *s) {
  static const unsigned ids[] = {
      [ISA_SPACE_GLOBAL] = ISA_STG, [ISA_SPACE_SHARED] = ISA_STS,    [ISA_SPACE_LOCAL] = ISA_STL,
      [ISA_SPACE_CONST] = ISA_NOP,  [ISA_SPACE_GENERIC] = ISA_STGEN, [ISA_SPACE_PARAM] = ISA_NOP};
  sel_need_ops(s, 2, 2);
  struct access a = access_of(s, 1);
  const struct ptx_operand *o = &s->st->ops[0];
  if (o->kind == PTX_O_VAR && o->mem && o->var->space == ISA_SPACE_PARAM) {
    struct sel_place *pl = sel_place_of(s, o->var);
    if (pl->kind == SEL_REGS) {
      for (unsigned k = 0; k < a.n; k++) {
        unsigned bits = ptx_bits(a.type);
        struct ir_ref d = sel_piece_of(s, pl, (uint32_t)o->value + k * bits / 8, bits);
        sel_copy(s, d, stored(s, &a.ops[k], a.type));
      }
      return;
    }
  }
  enum isa_space space = access_space(s, o);
  if (ids[space] == ISA_NOP)
    SEL_FAIL(s, "constant memory and parameters cannot be written");
  store(s, ids[space], address(s, o, space, true), &a);
}

/* ---- atomics ---- */

static unsigned atomic_id(struct sel *s) {
  static const struct {
    const char *name;
    unsigned id, of_float; /* ISA_NOP: none */
    bool narrow;           /* on 32 bits only */
  } table[] = {{"add", ISA_AADD, ISA_AFADD, false}, {"exch", ISA_AEXCH, ISA_AEXCH, false},
               {"cas", ISA_ACAS, ISA_NOP, false},   {"min", ISA_AMIN, ISA_NOP, false},
               {"max", ISA_AMAX, ISA_NOP, false},   {"and", ISA_AAND, ISA_NOP, false},
               {"or", ISA_AOR, ISA_NOP, false},     {"xor", ISA_AXOR, ISA_NOP, false},
               {"inc", ISA_AINC, ISA_NOP, true},    {"dec", ISA_ADEC, ISA_NOP, true}};
  const enum ptx_type t = s->md.type;
  const bool wide = ptx_bits(t) == 64;
  if ((ptx_bits(t) != 32 && !wide) || t == PTX_F16X2)
    SEL_FAIL(s, "atomics exist on 32 and 64 bits only; use the word around it, or a lock");
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (sel_word(s, table[i].name)) {
      if (wide && (table[i].narrow || t == PTX_F64))
        SEL_FAIL(s, "64-bit atomics have no inc, no dec and no .f64; use a loop of atom.cas.b64");
      const unsigned id = ptx_float(t) ? table[i].of_float : table[i].id;
      if (id != ISA_NOP)
        return id;
    }
  SEL_FAIL(s, "this atomic operation is not supported on this type");
}

struct atomic {
  unsigned id, mods;
  struct ir_ref d, b, c;
};

static struct ir_inst *emit_atomic(struct sel *s, const struct atomic *t, struct address ad,
                                   unsigned mods) {
  struct ir_inst *i = sel_emit(s, t->id, t->mods | mods | ad.mods, t->d, ad.base, t->b, t->c);
  i->imm = ad.imm;
  return i;
}

/* The space follows from the address: shared in its window, else global.  One of the two accesses
 * happens. */
static void generic_atomic(struct sel *s, const struct atomic *t, struct address ad) {
  struct ir_ref in = sel_ptemp(s), off = sel_temp(s, 1), low = sel_sub(ad.base, 0);
  struct ir_ref guard = s->guard;
  enum { LT = 2 };
  sel_emit(s, ISA_IADD, 0, off, low, sel_const(s, 0 - ISA_SHARED_WINDOW), IR_NIL);
  sel_emit(s, ISA_ISETP, LT, in, off, sel_const(s, ISA_LOCAL_WINDOW - ISA_SHARED_WINDOW), IR_NIL);
  struct ir_ref out = sel_ptemp(s), yes = sel_ptemp(s);
  sel_emit(s, ISA_PLOP, 0, yes, IR_NIL, in, guard);
  sel_emit(s, ISA_PLOP, 0, out, IR_NIL, sel_not(in), guard);
  struct address shared = {.base = off, .imm = ad.imm};
  s->guard = yes;
  emit_atomic(s, t, shared, 1)->kill = false;
  s->guard = out;
  emit_atomic(s, t, ad, 0)->kill = false;
  s->guard = guard;
}

static void atomic(struct sel *s, bool returns) {
  unsigned first = returns ? 1 : 0;
  sel_need_ops(s, first + 2, first + 3);
  enum ptx_type t = s->md.type;
  struct atomic at = {.id = atomic_id(s), .d = IR_NIL, .c = IR_NIL};
  bool ordered = at.id == ISA_AMIN || at.id == ISA_AMAX;
  at.mods = (ordered && ptx_signed(t) ? 2U : 0U) | (returns ? 0U : (unsigned)ISA_MOD_NORET) |
            (ptx_bits(t) == 64 ? (unsigned)ISA_MOD_64 : 0U);
  if ((s->st->nops == first + 3) != (at.id == ISA_ACAS))
    SEL_FAIL(s, "'%s' has the wrong number of operands", s->st->op);
  if (returns && s->st->ops[0].kind == PTX_O_SINK)
    at.mods |= ISA_MOD_NORET;
  else if (returns)
    at.d = sel_dst(s, 0, t);
  const struct ptx_operand *o = &s->st->ops[first];
  enum isa_space space = access_space(s, o);
  if (space != ISA_SPACE_GLOBAL && space != ISA_SPACE_SHARED && space != ISA_SPACE_GENERIC)
    SEL_FAIL(s, "atomics work on global and shared memory only");
  struct address ad = address(s, o, space, false);
  at.b = sel_src(s, first + 1, t);
  if (at.id == ISA_ACAS)
    at.c = sel_src(s, first + 2, t);
  if (space == ISA_SPACE_GENERIC)
    generic_atomic(s, &at, ad);
  else
    emit_atomic(s, &at, ad, space == ISA_SPACE_SHARED ? 1 : 0);
}

static void h_atom(struct sel *s) { atomic(s, true); }
static void h_red(struct sel *s) { atomic(s, false); }

/* The policy of a cache: a number that nothing reads. */
static void h_createpolicy(struct sel *s) {
  const bool range = sel_word(s, "range"), cvt = sel_word(s, "cvt") && sel_word(s, "L2");
  sel_need_ops(s, range ? 4 : 2, range ? 4 : 3);
  if (range + cvt + sel_word(s, "fractional") != 1)
    SEL_FAIL(s, "'createpolicy' needs .fractional, .range or .cvt.L2");
  if (s->st->ops[1].mem != range)
    SEL_FAIL(s, "'createpolicy' has an address with .range only");
  sel_copy(s, sel_dst(s, 0, PTX_B64), sel_const64(s, 0));
}

const struct sel_row sel_mem_rows[] = {{"ld", h_ld, SEL_SPACE | SEL_VECTOR | SEL_ORDER | SEL_CACHE},
                                       {"ldu", h_ld, SEL_SPACE | SEL_VECTOR},
                                       {"st", h_st, SEL_SPACE | SEL_VECTOR | SEL_ORDER | SEL_CACHE},
                                       {"atom", h_atom, SEL_SPACE | SEL_ORDER | SEL_CACHE},
                                       {"red", h_red, SEL_SPACE | SEL_ORDER | SEL_CACHE},
                                       {"createpolicy", h_createpolicy, SEL_SPACE | SEL_CACHE},
                                       {NULL, NULL, 0}};
