/* Instruction selection: branches, ends, barriers, hints. */
#include <string.h>

#include "csim/isa/ptx/select/select.h"

static int target(struct sel *s, const struct ptx_operand *o) {
  sel_need_plain(s, o);
  if (o->kind != PTX_O_NAME || o->expr || o->suffix)
    SEL_FAIL(s, "'%s' needs a label", s->st->op);
  return sel_label_id(s, o->name);
}

static void h_bra(struct sel *s) {
  sel_need_ops(s, 1, 1);
  sel_branch(s, target(s, &s->st->ops[0]), s->guard);
}

/* A chain of comparisons: tables of code addresses have no counterpart. */
static void h_brx(struct sel *s) {
  sel_need_ops(s, 2, 2);
  if (!sel_word(s, "idx"))
    SEL_FAIL(s, "'brx' needs .idx");
  if (s->st->guard >= 0)
    SEL_FAIL(s, "a guarded 'brx.idx' is not supported; branch around it");
  const struct ptx_func *f = s->fr->f;
  const struct ptx_operand *name = &s->st->ops[1];
  sel_need_plain(s, name);
  const struct ptx_stmt *list = NULL;
  for (size_t i = 0; i < f->nstmts; i++)
    if (f->stmts[i].kind == PTX_S_TARGETS && f->stmts[i].op == name->name && !name->expr &&
        !name->suffix)
      list = &f->stmts[i];
  if (!list)
    SEL_FAIL(s, "'brx.idx' needs a list declared with .branchtargets");
  struct ir_ref a = sel_src(s, 0, PTX_U32);
  for (unsigned k = 0; k + 1 < list->nargs; k++) {
    struct ir_ref p = sel_ptemp(s);
    sel_emit(s, ISA_ISETP, 0, p, a, sel_const(s, k), IR_NIL);
    sel_branch(s, target(s, &list->args[k]), p);
  }
  sel_branch(s, target(s, &list->args[list->nargs - 1]), IR_TRUE);
}

static void end_lanes(struct sel *s) { sel_emit(s, ISA_EXIT, 0, IR_NIL, IR_NIL, IR_NIL, IR_NIL); }

static void h_exit(struct sel *s) {
  sel_need_ops(s, 0, 0);
  end_lanes(s);
}

static void h_ret(struct sel *s) {
  sel_need_ops(s, 0, 0);
  if (s->fr->caller)
    sel_branch(s, s->fr->return_label, s->guard);
  else
    end_lanes(s);
}

/* A store to an address that means a trap: the memory reports it; then the lanes end. */
static void h_trap(struct sel *s) {
  sel_need_ops(s, 0, 0);
  struct ir_inst *i =
      sel_emit(s, ISA_STG, 2 | ISA_MOD_ABS, IR_NIL, IR_NIL, sel_const(s, 0), IR_NIL);
  i->imm = ISA_TRAP_ADDRESS;
  end_lanes(s);
}

/* Begins instructions that cannot be guarded: a branch around them takes the guard's place.  Its
 * label, which ends them; -1 if there is no guard. */
static int begin_unguarded(struct sel *s) {
  if (s->guard.v == IR_PT)
    return -1;
  int around = s->ir->nlabels++;
  sel_branch(s, around, sel_not(s->guard));
  return around;
}

static void end_unguarded(struct sel *s, int around) {
  if (around >= 0)
    sel_label(s, around);
}

/* bar.blocksync [directions]: the move reads what bsync writes, so the warp waits there.  The two
 * stay together: the register between them is never spilled, and nothing else is put there. */
static void block_sync(struct sel *s) {
  int64_t dirs = ISA_DIR_GLOBAL;
  sel_need_ops(s, 0, 1);
  if (s->st->nops == 1) {
    dirs = s->st->ops[0].kind == PTX_O_IMM ? s->st->ops[0].value : 0;
    if (dirs < 1 || dirs > ISA_DIR_GLOBAL)
      SEL_FAIL(s, "'bar.blocksync' takes a sum of directions, 1 to 63 (1 north, 2 south, 4 west, 8 "
                  "east, 16 own, 32 spill), or nothing for all units");
  }
  int around = begin_unguarded(s);
  struct ir_ref t = sel_temp(s, 1);
  s->ir->vregs[t.v].nospill = true;
  struct ir_inst *sync = sel_emit(s, ISA_BSYNC, 0, t, IR_NIL, IR_NIL, IR_NIL);
  sync->guard = IR_TRUE;
  sync->imm = (uint32_t)dirs;
  sel_emit(s, ISA_MOV, 0, t, t, IR_NIL, IR_NIL)->keep = true;
  end_unguarded(s, around);
}

/* The one barrier of a block's warps: operand i names it, and no number of threads follows. */
static void need_barrier(struct sel *s, unsigned i, unsigned operands) {
  const struct ptx_operand *o = &s->st->ops[i];
  if (s->st->nops != operands || o->kind != PTX_O_IMM || o->mem || o->neg || o->value != 0)
    SEL_FAIL(s, "there is one barrier, number 0, for all threads of a block; use 'bar.%s%s 0'",
             operands == 1 ? "sync" : "red", operands == 1 ? "" : " d,");
}

static void barrier(struct sel *s) { sel_emit(s, ISA_BAR, 0, IR_NIL, IR_NIL, IR_NIL, IR_NIL); }

static void add_shared(struct sel *s, unsigned id, struct ir_ref at, struct ir_ref value) {
  enum { SHARED = 1 };
  sel_emit(s, id, SHARED | ISA_MOD_NORET, IR_NIL, at, value, IR_NIL);
}

/* bar.red: the threads for which p (of .and: not p) holds are counted in a word of shared memory
 * between barriers: it is 0 after the second, complete after the third, and read before the first
 * of the next reduction. */
static void reduce(struct sel *s) {
  enum { EQ = 0, NE = 1, WORD = 2 };
  const bool count = sel_word(s, "popc"), all = sel_word(s, "and"), any = sel_word(s, "or");
  if (count + all + any != 1)
    SEL_FAIL(s, "'%s.red' needs .popc, .and or .or", s->st->op);
  sel_need_type(s, count ? SEL_INT32 : SEL_P);
  need_barrier(s, 1, 3);
  struct ir_ref d = sel_dst(s, 0, count ? PTX_U32 : PTX_PRED), p = sel_pred(s, 2);
  const int around = begin_unguarded(s);
  s->guard = IR_TRUE;
  struct ir_ref at = sel_const(s, s->m->counted->offset), one = sel_temp(s, 1);
  struct ir_ref sum = sel_temp(s, 1), zero = sel_const(s, 0);
  barrier(s);
  add_shared(s, ISA_AEXCH, at, zero);
  barrier(s);
  sel_emit(s, ISA_SELP, 0, one, sel_const(s, 1), zero, all ? sel_not(p) : p);
  add_shared(s, ISA_AADD, at, one);
  barrier(s);
  sel_emit(s, ISA_LDS, WORD, sum, at, IR_NIL, IR_NIL);
  if (count)
    sel_copy(s, d, sum);
  else
    sel_emit(s, ISA_ISETP, all ? EQ : NE, d, sum, zero, IR_NIL);
  end_unguarded(s, around);
}

static void h_bar(struct sel *s) {
  if (s->md.type != PTX_NONE && s->md.sync)
    SEL_FAIL(s, "'%s.sync' has no type", s->st->op);
  if (sel_word(s, "blocksync")) {
    block_sync(s);
    return;
  }
  if (sel_word(s, "red")) {
    reduce(s);
    return;
  }
  if (!s->md.sync)
    SEL_FAIL(s, "'bar.sync', 'bar.red' and 'bar.blocksync' are supported, not arrival alone");
  if (sel_word(s, "warp")) {
    sel_need_ops(s, 1, 1);
    sel_need_plain(s, &s->st->ops[0]);
    return; /* a warp's lanes run together */
  }
  need_barrier(s, 0, 1);
  int around = begin_unguarded(s);
  s->guard = IR_TRUE;
  barrier(s);
  end_unguarded(s, around);
}

/* Memory operations of a thread are seen in order by everybody: nothing to do. */
static void h_fence(struct sel *s) { sel_need_ops(s, 0, 0); }

static void h_prefetch(struct sel *s) {
  sel_need_ops(s, 1, 2);
  if (!s->st->ops[0].mem || (s->st->ops[0].kind == PTX_O_REG && s->st->ops[0].suffix))
    SEL_FAIL(s, "'%s' needs an address in brackets", s->st->op);
  if (!sel_word(s, "L1"))
    sel_word(s, "L2");
}

/* A number that nobody uses. */
static void h_hint(struct sel *s) {
  sel_need_ops(s, 1, 1);
  sel_need_plain(s, &s->st->ops[0]);
}

const struct sel_row sel_ctrl_rows[] = {
    {"bra", h_bra, SEL_UNI | SEL_NO_TYPE},
    {"brx", h_brx, SEL_UNI | SEL_NO_TYPE},
    {"ret", h_ret, SEL_UNI | SEL_NO_TYPE},
    {"exit", h_exit, SEL_NO_TYPE},
    {"trap", h_trap, SEL_NO_TYPE},
    {"bar", h_bar, SEL_SYNC | SEL_ORDER},
    {"barrier", h_bar, SEL_SYNC | SEL_ORDER},
    {"membar", h_fence, SEL_ORDER | SEL_NO_TYPE},
    {"fence", h_fence, SEL_ORDER | SEL_NO_TYPE},
    {"prefetch", h_prefetch, SEL_SPACE | SEL_CACHE | SEL_NO_TYPE},
    {"prefetchu", h_prefetch, SEL_NO_TYPE},
    {"pmevent", h_hint, SEL_NO_TYPE},
    {"nanosleep", h_hint, 0},
    {"discard", h_prefetch, SEL_SPACE | SEL_CACHE | SEL_NO_TYPE},
    {"applypriority", h_prefetch, SEL_SPACE | SEL_CACHE | SEL_NO_TYPE},
    {NULL, NULL, 0}};
