/* Instruction selection: the building of machine IR. */
#include "csim/isa/ptx/select/select.h"

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

/* PTX instructions of f with its calls inlined; two calls in each of n functions are 2^n. */
static uint64_t instructions_of(struct sel *s, struct ptx_func *f) {
  const uint64_t most = UINT64_C(1) << 60;
  uint64_t n = 0;
  if (f->inlined != 0)
    return f->inlined - 1;
  f->inlined = 1; /* of a recursion, which is an error of its own */
  for (size_t i = 0; i < f->nstmts; i++) {
    const struct ptx_stmt *st = &f->stmts[i];
    struct ptx_func *g =
        st->kind == PTX_S_CALL && st->callee.name ? ptx_find_func(s->m, st->callee.name) : NULL;
    n += g ? instructions_of(s, g) : st->kind == PTX_S_INST;
    n = n < most ? n : most;
  }
  f->inlined = n + 1;
  return n;
}

_Noreturn static void fail_size(struct sel *s) {
  ptx_fail(s->x, s->ir->line,
           "the kernel '%s' has %llu PTX instructions, its calls inlined, and needs more than %d "
           "operations; a program has at most %d instructions: split the kernel, or call less",
           s->ir->name, (unsigned long long)instructions_of(s, s->kernel), SEL_MOST_INSTS,
           ISA_MAX_CODE);
}

static struct ir_inst *push_inst(struct sel *s) {
  struct ir *ir = s->ir;
  if (ir->ninsts == SEL_MOST_INSTS)
    fail_size(s);
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

void sel_flush_half(struct sel *s, struct ir_ref d, struct ir_ref h) {
  if (!s->md.ftz) {
    sel_copy(s, d, h);
    return;
  }
  struct ir_ref exponent = sel_temp(s, 1), sign = sel_temp(s, 1), small = sel_ptemp(s);
  sel_emit(s, ISA_AND, 0, exponent, h, sel_const(s, 0x7c00), IR_NIL);
  sel_emit(s, ISA_ISETP, 0, small, exponent, sel_const(s, 0), IR_NIL);
  sel_emit(s, ISA_AND, 0, sign, h, sel_const(s, 0x8000), IR_NIL);
  sel_emit(s, ISA_SELP, 0, d, sign, h, small);
}

struct ir_ref sel_from_half(struct sel *s, struct ir_ref h) {
  if (s->md.ftz) {
    struct ir_ref flushed = sel_temp(s, 1);
    sel_flush_half(s, flushed, h);
    h = flushed;
  }
  struct ir_ref f = sel_temp(s, 1);
  sel_emit(s, ISA_H2F, 0, f, h, IR_NIL, IR_NIL);
  return f;
}

void sel_to_half(struct sel *s, struct ir_ref d, struct ir_ref f, unsigned mods) {
  struct ir_ref h = s->md.ftz ? sel_temp(s, 1) : d;
  sel_emit(s, ISA_F2H, mods, h, f, IR_NIL, IR_NIL);
  if (s->md.ftz)
    sel_flush_half(s, d, h);
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
