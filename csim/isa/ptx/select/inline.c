/* Calls: every function is inlined where it is called.
 *
 * The .param variables of a call sequence stand for both the caller's actual and the callee's
 * formal parameter.  Where all accesses to one are at fixed offsets of agreeing sizes, registers
 * hold it; else it lives in local memory.
 */
#include <string.h>

#include "csim/isa/ptx/select/select.h"

/* Accesses to one parameter, from both sides of the call. */
struct extent {
  struct {
    uint32_t offset;
    unsigned bytes;
  } list[64];
  unsigned n;
  bool simple; /* registers can hold it */
};

static void note_access(struct extent *e, int64_t offset, unsigned bytes) {
  for (unsigned i = 0; i < e->n; i++) {
    int64_t at = (int64_t)e->list[i].offset;
    if (at == offset && e->list[i].bytes == bytes)
      return;
    if (offset < at + (int64_t)e->list[i].bytes && at < offset + (int64_t)bytes)
      e->simple = false;
  }
  if (e->n == sizeof e->list / sizeof *e->list || offset < 0) {
    e->simple = false;
    return;
  }
  e->list[e->n].offset = (uint32_t)offset;
  e->list[e->n++].bytes = bytes;
}

static void note_operand(struct extent *e, const struct ptx_stmt *st, const struct ptx_operand *o,
                         const struct ptx_var *v) {
  if (o->kind == PTX_O_VEC) {
    for (unsigned k = 0; k < o->nelems; k++)
      if (o->elems[k].kind == PTX_O_VAR && o->elems[k].var == v)
        e->simple = false;
    return;
  }
  if (o->kind != PTX_O_VAR || o->var != v)
    return;
  unsigned n = 1;
  enum ptx_type t = PTX_NONE;
  for (unsigned i = 0; i < st->nmods; i++) {
    if (st->mods[i][0] == 'v' && (st->mods[i][1] == '2' || st->mods[i][1] == '4') &&
        !st->mods[i][2])
      n = st->mods[i][1] == '2' ? 2 : 4;
    else if (ptx_type_of(st->mods[i]) != PTX_NONE)
      t = ptx_type_of(st->mods[i]);
  }
  bool access = o->mem && (strcmp(st->op, "ld") == 0 || strcmp(st->op, "st") == 0);
  if (!access || ptx_bits(t) < 8) {
    e->simple = false; /* its address is taken */
    return;
  }
  for (unsigned k = 0; k < n; k++)
    note_access(e, o->value + (int64_t)k * ptx_bits(t) / 8, ptx_bits(t) / 8);
}

static void note_function(struct extent *e, const struct ptx_func *f, const struct ptx_var *v) {
  for (size_t i = 0; i < f->nstmts; i++)
    for (unsigned k = 0; k < f->stmts[i].nops; k++)
      note_operand(e, &f->stmts[i], &f->stmts[i].ops[k], v);
}

/* Decides where the actual parameter v of the caller lives; formal is NULL for no such callee, and
 * a register for one that takes it. */
static void place_actual(struct sel_frame *fr, const struct ptx_var *v,
                         const struct ptx_func *callee, const struct ptx_var *formal) {
  struct extent e = {.simple = true};
  note_function(&e, fr->f, v);
  if (callee && formal->reg < 0)
    note_function(&e, callee, formal);
  if (e.simple)
    fr->places[v->slot].kind = SEL_REGS;
}

/* Returns whether all accesses of f to v, which stands for one register, are to the whole of it. */
static bool whole(const struct ptx_func *f, const struct ptx_var *v) {
  struct extent e = {.simple = true};
  note_function(&e, f, v);
  return e.simple && (e.n == 0 || (e.n == 1 && e.list[0].offset == 0 &&
                                   e.list[0].bytes * 8 == ptx_bits(v->type)));
}

struct ptx_func *sel_callee(struct sel *s, const struct ptx_stmt *st) {
  if (st->callee.kind != PTX_O_NAME)
    ptx_fail(s->x, st->line, "an indirect call is not supported; call a function by its name");
  struct ptx_func *g = ptx_find_func(s->m, st->callee.name);
  if (st->has_prototype || st->callee.suffix || st->callee.expr || st->callee.neg || st->callee.mem)
    ptx_fail(s->x, st->line, "an indirect call is not supported; call a function by its name");
  if ((!g || !g->body) && strcmp(st->callee.name, "vprintf") == 0)
    ptx_fail(s->x, st->line, "printf (a call of 'vprintf') is not supported; write to a buffer");
  if (!g || !g->body)
    ptx_fail(s->x, st->line, "the function '%s' is called but defined nowhere", st->callee.name);
  if (st->nargs != g->nparams || st->nrets != g->nrets)
    ptx_fail(s->x, st->line, "the call does not have the parameters that '%s' declares",
             st->callee.name);
  return g;
}

static void place_actuals(struct sel *s, struct sel_frame *fr, const struct ptx_stmt *st) {
  struct ptx_func *g = ptx_find_func(s->m, st->callee.name);
  if (st->callee.kind != PTX_O_NAME || !g || st->nargs > g->nparams || st->nrets > g->nrets)
    return; /* an error, reported where the call is reached */
  for (unsigned i = 0; i < st->nargs; i++)
    if (st->args[i].kind == PTX_O_VAR)
      place_actual(fr, st->args[i].var, g, g->params[i]);
  for (unsigned i = 0; i < st->nrets; i++)
    if (st->rets[i].kind == PTX_O_VAR)
      place_actual(fr, st->rets[i].var, g, g->rets[i]);
}

void sel_new_frame(struct sel *s, struct sel_frame *fr, struct ptx_func *f) {
  fr->f = f;
  fr->regs = ptx_alloc(s->x, (f->nregs + 1) * sizeof *fr->regs);
  for (size_t i = 0; i < f->nregs; i++)
    fr->regs[i] = -1;
  fr->places = ptx_alloc(s->x, (f->nvars + 1) * sizeof *fr->places);
  /* The depots must be placed before any call, whose own depots come and go behind them. */
  struct sel_frame *now = s->fr;
  s->fr = fr;
  for (size_t i = 0; i < f->nvars; i++)
    if (f->vars[i]->space == ISA_SPACE_LOCAL)
      sel_place_of(s, f->vars[i]);
  s->fr = now;
  for (size_t i = 0; i < f->nstmts; i++)
    if (f->stmts[i].kind == PTX_S_CALL)
      place_actuals(s, fr, &f->stmts[i]);
}

/* ---- binding: a .param variable is one of both sides, all else is copied ---- */

static bool is_param(const struct ptx_operand *o) {
  return o->kind == PTX_O_VAR && o->var->space == ISA_SPACE_PARAM;
}

static struct ir_ref formal_reg(struct sel *s, struct sel_frame *fr, const struct ptx_var *v) {
  struct sel_frame *now = s->fr;
  s->fr = fr;
  struct ir_ref r = sel_reg(s, v->reg);
  s->fr = now;
  return r;
}

/* The registers of f's variable v that one register of the other side stands for. */
static struct ir_ref whole_piece(struct sel *s, const struct ptx_func *f, struct sel_place *pl,
                                 const struct ptx_var *v, enum ptx_type t) {
  if (pl->kind != SEL_REGS || ptx_bits(v->type) != ptx_bits(t) || t == PTX_PRED || !whole(f, v))
    SEL_FAIL(s,
             "the parameter '%s' is a register on one side of the call and is not one value of "
             "its type on the other",
             v->name);
  return sel_piece_of(s, pl, 0, ptx_bits(t));
}

static struct sel_place *actual_place(struct sel *s, const struct ptx_operand *o) {
  if (o->expr || o->mem || o->neg || o->second)
    SEL_FAIL(s, "a .param variable is passed by its name alone");
  struct sel_place *pl = &s->fr->places[o->var->slot];
  return pl->kind == SEL_REGS ? pl : sel_place_of(s, o->var);
}

/* A .param formal of the instance: the caller's variable, or registers of its own. */
static void place_formal(struct sel *s, struct sel_frame *fr, const struct ptx_var *v,
                         const struct ptx_operand *o) {
  if (is_param(o))
    fr->places[v->slot].alias = actual_place(s, o);
  else
    fr->places[v->slot].kind = SEL_REGS;
}

void sel_pass(struct sel *s, struct sel_frame *fr, const struct ptx_func *g) {
  const struct ptx_stmt *st = s->st;
  for (unsigned i = 0; i < st->nrets; i++)
    if (g->rets[i]->reg < 0)
      place_formal(s, fr, g->rets[i], &st->rets[i]);
  for (unsigned i = 0; i < st->nargs; i++) {
    const struct ptx_var *v = g->params[i];
    const struct ptx_operand *o = &st->args[i];
    if (v->reg < 0)
      place_formal(s, fr, v, o);
    if (v->reg < 0 && is_param(o))
      continue;
    struct ir_ref value = is_param(o)
                              ? whole_piece(s, s->fr->f, actual_place(s, o), o->var, v->type)
                              : sel_src_op(s, o, v->type);
    struct ir_ref to =
        v->reg >= 0 ? formal_reg(s, fr, v) : whole_piece(s, g, &fr->places[v->slot], v, v->type);
    sel_copy(s, to, value);
  }
}

void sel_take(struct sel *s, struct sel_frame *fr, const struct ptx_func *g) {
  const struct ptx_stmt *st = s->st;
  for (unsigned i = 0; i < st->nrets; i++) {
    const struct ptx_var *v = g->rets[i];
    const struct ptx_operand *o = &st->rets[i];
    if (v->reg < 0 && is_param(o))
      continue;
    struct ir_ref value =
        v->reg >= 0 ? formal_reg(s, fr, v) : whole_piece(s, g, &fr->places[v->slot], v, v->type);
    struct ir_ref to = is_param(o) ? whole_piece(s, s->fr->f, actual_place(s, o), o->var, v->type)
                                   : sel_dst_op(s, o, v->type);
    sel_copy(s, to, value);
  }
}
