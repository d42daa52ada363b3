/* Instruction selection: the driver, operands, and the building of machine IR. */
#include <stdio.h>
#include <string.h>

#include "csim/isa/ptx/select/select.h"

/* ---- building ---- */

int ir_new(struct ir *ir, unsigned width, bool pred) {
  struct ir_vreg *v = &PTX_PUSH(ir->x, ir->vregs, ir->nvregs, ir->cvregs);
  *v = (struct ir_vreg){.width = (uint8_t)width, .pred = pred, .unit = ir->nunits, .reg = -1};
  ir->nunits += (int)width;
  return (int)ir->nvregs - 1;
}

static struct ir_ref new_temp(struct sel *s, unsigned width, bool pred) {
  int v = ir_new(s->ir, width, pred);
  s->ir->vregs[v].temp = true;
  return ir_whole(s->ir, v);
}

struct ir_ref sel_temp(struct sel *s, unsigned width) {
  return new_temp(s, width, false);
}
struct ir_ref sel_ptemp(struct sel *s) {
  return new_temp(s, 1, true);
}

static struct ir_inst *push_inst(struct sel *s) {
  struct ir *ir = s->ir;
  struct ir_inst *i = &PTX_PUSH(s->x, ir->insts, ir->ninsts, ir->cinsts);
  *i = (struct ir_inst){.guard = IR_TRUE,
                        .d = IR_NIL,
                        .s = {IR_NIL, IR_NIL, IR_NIL},
                        .target = -1,
                        .line = s->st ? s->st->line : ir->line};
  return i;
}

struct ir_inst *sel_emit(struct sel *s, unsigned id, unsigned mods, struct ir_ref d,
                         struct ir_ref a, struct ir_ref b, struct ir_ref c) {
  struct ir_inst *i = push_inst(s);
  i->id = (uint16_t)id;
  i->mods = (uint8_t)mods;
  i->d = d;
  i->s[0] = a;
  i->s[1] = b;
  i->s[2] = c;
  bool temp = d.v >= 0 && s->ir->vregs[d.v].temp;
  if (!temp || ir_is_mem(i)) {
    i->guard = s->guard;
    i->kill = temp;
  }
  return i;
}

struct ir_ref sel_const(struct sel *s, uint32_t value) {
  struct ir_ref t = sel_temp(s, 1);
  sel_emit(s, ISA_MOVI, 0, t, IR_NIL, IR_NIL, IR_NIL)->imm = value;
  return t;
}

struct ir_ref sel_const64(struct sel *s, uint64_t value) {
  struct ir_ref t = sel_temp(s, 2);
  sel_emit(s, ISA_MOVI, 0, sel_sub(t, 0), IR_NIL, IR_NIL, IR_NIL)->imm = (uint32_t)value;
  sel_emit(s, ISA_MOVI, 0, sel_sub(t, 1), IR_NIL, IR_NIL, IR_NIL)->imm = (uint32_t)(value >> 32);
  return t;
}

void sel_copy(struct sel *s, struct ir_ref d, struct ir_ref a) {
  if (d.v >= 0 && s->ir->vregs[d.v].pred) {
    sel_emit(s, ISA_PLOP, 3, d, IR_NIL, a, IR_TRUE);
    return;
  }
  for (unsigned k = 0; k < d.n; k++)
    sel_emit(s, ISA_MOV, 0, sel_sub(d, k), sel_sub(a, k), IR_NIL, IR_NIL);
}

void sel_label(struct sel *s, int label) {
  struct ir_inst *i = push_inst(s);
  i->id = IR_LABEL;
  i->target = label;
}

void sel_branch(struct sel *s, int label, struct ir_ref guard) {
  struct ir_inst *i = push_inst(s);
  i->id = ISA_BRA;
  i->guard = guard;
  i->target = label;
}

int sel_label_id(struct sel *s, const char *name) {
  struct sel_frame *fr = s->fr;
  for (size_t i = 0; i < fr->nlabels; i++)
    if (fr->label_names[i] == name)
      return fr->label_ids[i];
  SEL_FAIL(s, "the label '%s' is nowhere in this function", name);
}

/* ---- modifiers ---- */

enum field {
  F_SKIP,
  F_ROUND,
  F_INTEGRAL,
  F_FTZ,
  F_SAT,
  F_CC,
  F_TO,
  F_SHIFTAMT,
  F_SYNC,
  F_PART,
  F_SPACE,
  F_VECTOR,
  F_WORD
};

static const struct {
  const char *name;
  enum field field;
  int value;
} mod_table[] = {
    {"rn", F_ROUND, PTX_RN},
    {"rz", F_ROUND, PTX_RZ},
    {"rm", F_ROUND, PTX_RM},
    {"rp", F_ROUND, PTX_RP},
    {"rni", F_INTEGRAL, PTX_RN},
    {"rzi", F_INTEGRAL, PTX_RZ},
    {"rmi", F_INTEGRAL, PTX_RM},
    {"rpi", F_INTEGRAL, PTX_RP},
    {"ftz", F_FTZ, 0},
    {"sat", F_SAT, 0},
    {"cc", F_CC, 0},
    {"to", F_TO, 0},
    {"shiftamt", F_SHIFTAMT, 0},
    {"sync", F_SYNC, 0},
    {"lo", F_PART, PTX_LO},
    {"hi", F_PART, PTX_HI},
    {"wide", F_PART, PTX_WIDE},
    {"global", F_SPACE, ISA_SPACE_GLOBAL},
    {"shared", F_SPACE, ISA_SPACE_SHARED},
    {"shared::cta", F_SPACE, ISA_SPACE_SHARED},
    {"local", F_SPACE, ISA_SPACE_LOCAL},
    {"const", F_SPACE, ISA_SPACE_CONST},
    {"param", F_SPACE, ISA_SPACE_PARAM},
    {"v2", F_VECTOR, 2},
    {"v4", F_VECTOR, 4},
    {"approx", F_SKIP, 0},
    {"full", F_SKIP, 0},
    {"uni", F_SKIP, 0},
    {"volatile", F_SKIP, 0},
    {"relaxed", F_SKIP, 0},
    {"acquire", F_SKIP, 0},
    {"release", F_SKIP, 0},
    {"acq_rel", F_SKIP, 0},
    {"weak", F_SKIP, 0},
    {"sc", F_SKIP, 0},
    {"cta", F_SKIP, 0},
    {"gpu", F_SKIP, 0},
    {"sys", F_SKIP, 0},
    {"gl", F_SKIP, 0},
    {"ca", F_SKIP, 0},
    {"cg", F_SKIP, 0},
    {"cs", F_SKIP, 0},
    {"lu", F_SKIP, 0},
    {"cv", F_SKIP, 0},
    {"wb", F_SKIP, 0},
    {"wt", F_SKIP, 0},
    {"nc", F_SKIP, 0},
    {"aligned", F_SKIP, 0},
    {"mmio", F_SKIP, 0},
    {"noftz", F_SKIP, 0},
};

static bool set_mod(struct ptx_mods *m, const char *name) {
  for (size_t i = 0; i < sizeof mod_table / sizeof *mod_table; i++) {
    if (strcmp(mod_table[i].name, name) != 0)
      continue;
    int v = mod_table[i].value;
    switch (mod_table[i].field) {
    case F_ROUND:
    case F_INTEGRAL:
      m->round = (enum ptx_round)v;
      m->rounded = true;
      m->integral = mod_table[i].field == F_INTEGRAL;
      break;
    case F_FTZ:
      m->ftz = true;
      break;
    case F_SAT:
      m->sat = true;
      break;
    case F_CC:
      m->cc = true;
      break;
    case F_TO:
      m->to = true;
      break;
    case F_SHIFTAMT:
      m->shiftamt = true;
      break;
    case F_SYNC:
      m->sync = true;
      break;
    case F_PART:
      m->part = (enum ptx_part)v;
      break;
    case F_SPACE:
      m->space = (enum isa_space)v;
      m->has_space = true;
      break;
    case F_VECTOR:
      m->vector = (unsigned)v;
      break;
    default:
      break;
    }
    return true;
  }
  return false;
}

/* "lo" and "hi" are also comparisons; setp and set read them from the words. */
static struct ptx_mods sort_mods(struct sel *s) {
  const struct ptx_stmt *st = s->st;
  struct ptx_mods m = {.vector = 1, .space = ISA_SPACE_GENERIC};
  bool compares = strncmp(st->op, "set", 3) == 0;
  for (unsigned i = 0; i < st->nmods; i++) {
    const char *w = st->mods[i];
    enum ptx_type t = ptx_type_of(w);
    bool part = compares && (strcmp(w, "lo") == 0 || strcmp(w, "hi") == 0);
    if (t != PTX_NONE) {
      if (m.type == PTX_NONE)
        m.type = t;
      else
        m.type2 = t;
    } else if (strncmp(w, "L1::", 4) == 0 || strncmp(w, "L2::", 4) == 0) {
      continue; /* cache hints */
    } else if (part || !set_mod(&m, w)) {
      if (m.nwords == 3)
        SEL_FAIL(s, "the modifier '.%s' of '%s' is not known", w, st->op);
      m.word[m.nwords++] = w;
    }
  }
  return m;
}

bool sel_word(const struct sel *s, const char *word) {
  for (unsigned i = 0; i < s->md.nwords; i++)
    if (strcmp(s->md.word[i], word) == 0)
      return true;
  return false;
}

uint32_t sel_fmods(const struct sel *s) {
  return (s->md.ftz ? 4U : 0U) | (s->md.sat ? 8U : 0U) | (unsigned)s->md.round << 4;
}

/* ---- the driver ---- */

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
  s->md = sort_mods(s);
  fn(s);
}

/* The statements of one instance of a function. */
void sel_function(struct sel *s, struct sel_frame *fr) {
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
      sel_call(s);
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
  sel_function(&s, &fr);
  sel_emit(&s, ISA_EXIT, 0, IR_NIL, IR_NIL, IR_NIL, IR_NIL)->guard = IR_TRUE;
}
