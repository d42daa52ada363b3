/* Instruction selection: the driver. */
#include <string.h>

#include "csim/isa/ptx/select/select.h"

static const struct sel_row *find_row(const char *op) {
  static const struct sel_row *const tables[] = {
      sel_int_rows, sel_float_rows, sel_cmp_rows,  sel_mem_rows,  sel_mov_rows,
      sel_cvt_rows, sel_bit_rows,   sel_ctrl_rows, sel_lane_rows, sel_video_rows};
  for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
    for (const struct sel_row *r = tables[t]; r->op; r++)
      if (strcmp(r->op, op) == 0)
        return r;
  return NULL;
}

/* The reason why there is no row for an instruction. */
static const char *why_not(const char *op) {
  static const struct {
    const char *begin; /* of the name */
    const char *why;
  } table[] = {{"tex", "; textures do not exist on this machine: read from global memory"},
               {"tld4", "; textures do not exist on this machine: read from global memory"},
               {"txq", "; textures do not exist on this machine"},
               {"istypep", "; textures and surfaces do not exist on this machine"},
               {"su", "; surfaces do not exist on this machine: use global memory"},
               {"wmma", "; matrix operations do not exist on this machine"},
               {"mma", "; matrix operations do not exist on this machine"},
               {"wgmma", "; matrix operations do not exist on this machine"},
               {"tcgen05", "; matrix operations do not exist on this machine"},
               {"ldmatrix", "; matrix operations do not exist on this machine"},
               {"stmatrix", "; matrix operations do not exist on this machine"},
               {"cp", "; copies beside the program do not exist on this machine: load and store"},
               {"mbarrier", "; there is one barrier, 'bar.sync 0'"},
               {"tanh", "; compute it with ex2 and rcp"},
               {"v", "; of the video instructions, only vshl and vshr are"},
               {"match", "; write it with shfl and vote"},
               {"redux", "; write it with shfl"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strncmp(table[i].begin, op, strlen(table[i].begin)) == 0)
      return table[i].why;
  return "";
}

static bool has_mod(const struct ptx_stmt *st, const char *mod) {
  for (unsigned i = 0; i < st->nmods; i++)
    if (strcmp(st->mods[i], mod) == 0)
      return true;
  return false;
}

/* Fails for another instruction under the name of one that there is. */
static void refuse_form(struct sel *s) {
  static const struct {
    const char *op, *mod, *why;
  } table[] = {
      {"st", "async", "barriers in memory do not exist on this machine: store, then bar.sync"},
      {"red", "async", "barriers in memory do not exist on this machine: use red"},
      {"st", "bulk", "store in a loop"},
      {"cvt", "pack", "use cvt.sat and prmt"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].op, s->st->op) == 0 && has_mod(s->st, table[i].mod))
      SEL_FAIL(s, "the instruction '%s.%s' is not supported; %s", table[i].op, table[i].mod,
               table[i].why);
}

/* The statement without its last operand, the policy of a cache, which has no effect. */
static void drop_policy(struct sel *s, struct ptx_stmt *shorter) {
  *shorter = *s->st;
  if (shorter->nops < 3)
    SEL_FAIL(s, "'%s.L2::cache_hint' needs a policy as its last operand", shorter->op);
  (void)sel_src(s, --shorter->nops, PTX_B64);
  s->st = shorter;
}

static void select_inst(struct sel *s) {
  const struct ptx_stmt *st = s->st;
  struct ptx_stmt shorter;
  s->guard = IR_TRUE;
  if (st->guard >= 0) {
    s->guard = sel_reg(s, st->guard);
    s->guard.neg = st->guard_neg;
  }
  const struct sel_row *row = find_row(st->op);
  if (!row)
    SEL_FAIL(s, "the instruction '%s' is not supported%s", st->op, why_not(st->op));
  refuse_form(s);
  s->md = sel_mods(s, row->allowed);
  if ((row->allowed & SEL_CACHE) != 0 && has_mod(st, "L2::cache_hint"))
    drop_policy(s, &shorter);
  row->fn(s);
  sel_need_words(s);
  s->st = st;
}

static void select_function(struct sel *s, struct sel_frame *fr);

/* A call: the function, inlined. */
static void select_call(struct sel *s) {
  const struct ptx_stmt *st = s->st;
  s->md = sel_mods(s, SEL_UNI | SEL_NO_TYPE);
  sel_need_words(s);
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
  sel_pass(s, &fr, g);
  select_function(s, &fr);
  s->local_used = depot; /* the callee's variables are gone */
  sel_label(s, fr.return_label);
  sel_take(s, &fr, g);
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
  struct sel s = {.x = x,
                  .m = m,
                  .kernel = f,
                  .ir = ir,
                  .cc = -1,
                  .guard = IR_TRUE,
                  .local_used = ir->local_bytes};
  struct sel_frame fr = {.return_label = -1};
  sel_new_frame(&s, &fr, f);
  for (size_t i = 0; i < f->nparams; i++)
    fr.places[f->params[i]->slot] =
        (struct sel_place){.kind = SEL_KERNEL_PARAM, .offset = f->params[i]->offset};
  select_function(&s, &fr);
  sel_emit(&s, ISA_EXIT, 0, IR_NIL, IR_NIL, IR_NIL, IR_NIL)->guard = IR_TRUE;
}
