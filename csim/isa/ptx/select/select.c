/* Instruction selection: the driver. */
#include <string.h>

#include "csim/isa/ptx/select/select.h"

static sel_handler *find_handler(const char *op) {
  static const struct sel_row *const tables[] = {sel_int_rows, sel_float_rows, sel_cmp_rows,
                                                 sel_mem_rows, sel_mov_rows,   sel_cvt_rows,
                                                 sel_bit_rows, sel_ctrl_rows};
  for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
    for (const struct sel_row *r = tables[t]; r->op; r++)
      if (strcmp(r->op, op) == 0)
        return r->fn;
  return NULL;
}

static void select_inst(struct sel *s) {
  const struct ptx_stmt *st = s->st;
  s->guard = IR_TRUE;
  if (st->guard >= 0) {
    s->guard = sel_reg(s, st->guard);
    s->guard.neg = st->guard_neg;
  }
  sel_handler *fn = find_handler(st->op);
  if (!fn)
    SEL_FAIL(s,
             "the instruction '%s' is not supported; textures, surfaces, shuffles and matrix "
             "operations have no counterpart on this machine",
             st->op);
  s->md = sel_mods(s);
  fn(s);
}

static void select_function(struct sel *s, struct sel_frame *fr);

/* A call: the function, inlined. */
static void select_call(struct sel *s) {
  const struct ptx_stmt *st = s->st;
  struct ptx_func *g = sel_callee(s, st);
  if (g->active)
    SEL_FAIL(s, "'%s' calls itself; recursion is not supported, write it as a loop", g->name);
  int around = -1;
  if (st->guard >= 0) {
    around = s->ir->nlabels++;
    struct ir_ref p = sel_reg(s, st->guard);
    p.neg = !st->guard_neg;
    sel_branch(s, around, p);
  }
  struct sel_frame fr = {.caller = s->fr, .return_label = s->ir->nlabels++};
  s->guard = IR_TRUE;
  uint32_t depot = s->local_used;
  sel_new_frame(s, &fr, g);
  sel_bind(s, &fr, g->params, st->args, st->nargs);
  sel_bind(s, &fr, g->rets, st->rets, st->nrets);
  select_function(s, &fr);
  s->local_used = depot; /* the callee's variables are gone */
  sel_label(s, fr.return_label);
  if (around >= 0)
    sel_label(s, around);
}

/* The statements of one instance of a function. */
static void select_function(struct sel *s, struct sel_frame *fr) {
  struct ptx_func *f = fr->f;
  const struct ptx_stmt *call = s->st;
  s->fr = fr;
  f->active = true;
  for (size_t i = 0; i < f->nstmts; i++)
    if (f->stmts[i].kind == PTX_S_LABEL) {
      size_t n = fr->nlabels, cap = fr->clabels;
      PTX_PUSH(s->x, fr->label_names, n, cap) = f->stmts[i].op;
      PTX_PUSH(s->x, fr->label_ids, fr->nlabels, fr->clabels) = s->ir->nlabels++;
    }
  for (size_t i = 0; i < f->nstmts; i++) {
    s->st = &f->stmts[i];
    switch (s->st->kind) {
    case PTX_S_LABEL:
      sel_label(s, sel_label_id(s, s->st->op));
      break;
    case PTX_S_CALL:
      select_call(s);
      break;
    case PTX_S_INST:
      select_inst(s);
      break;
    case PTX_S_TARGETS:
      break;
    }
  }
  f->active = false;
  s->fr = fr->caller;
  s->st = call;
}

void ptx_select(struct ptx *x, struct ptx_module *m, struct ptx_func *f, struct ir *ir) {
  struct sel s = {.x = x, .m = m, .ir = ir, .cc = -1, .guard = IR_TRUE};
  struct sel_frame fr = {.return_label = -1};
  sel_new_frame(&s, &fr, f);
  for (size_t i = 0; i < f->nparams; i++)
    fr.places[f->params[i]->slot] =
        (struct sel_place){.kind = SEL_KERNEL_PARAM, .offset = f->params[i]->offset};
  select_function(&s, &fr);
  sel_emit(&s, ISA_EXIT, 0, IR_NIL, IR_NIL, IR_NIL, IR_NIL)->guard = IR_TRUE;
}
