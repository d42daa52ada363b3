/* Instruction selection: branches, ends, barriers, votes. */
#include <string.h>

#include "csim/isa/ptx/select/select.h"

static void h_bra(struct sel *s) {
  sel_need_ops(s, 1, 1);
  if (s->st->ops[0].kind != PTX_O_NAME)
    SEL_FAIL(s, "'bra' needs a label");
  sel_branch(s, sel_label_id(s, s->st->ops[0].name), s->guard);
}

/* A chain of comparisons: tables of code addresses have no counterpart. */
static void h_brx(struct sel *s) {
  sel_need_ops(s, 2, 2);
  if (s->st->guard >= 0)
    SEL_FAIL(s, "a guarded 'brx.idx' is not supported; branch around it");
  const struct ptx_func *f = s->fr->f;
  const struct ptx_stmt *list = NULL;
  for (size_t i = 0; i < f->nstmts; i++)
    if (f->stmts[i].kind == PTX_S_TARGETS && f->stmts[i].op == s->st->ops[1].name)
      list = &f->stmts[i];
  if (!list)
    SEL_FAIL(s, "'brx.idx' needs a list declared with .branchtargets");
  struct ir_ref a = sel_src(s, 0, PTX_U32);
  for (unsigned k = 0; k + 1 < list->nargs; k++) {
    struct ir_ref p = sel_ptemp(s);
    sel_emit(s, ISA_ISETP, 0, p, a, sel_const(s, k), IR_NIL);
    sel_branch(s, sel_label_id(s, list->args[k].name), p);
  }
  sel_branch(s, sel_label_id(s, list->args[list->nargs - 1].name), IR_TRUE);
}

static void end_lanes(struct sel *s) { sel_emit(s, ISA_EXIT, 0, IR_NIL, IR_NIL, IR_NIL, IR_NIL); }

static void h_exit(struct sel *s) { end_lanes(s); }

static void h_ret(struct sel *s) {
  if (s->fr->caller)
    sel_branch(s, s->fr->return_label, s->guard);
  else
    end_lanes(s);
}

/* A store to address 0, where nothing is: the memory reports it; then the lanes end. */
static void h_trap(struct sel *s) {
  struct ir_inst *i =
      sel_emit(s, ISA_STG, 2 | ISA_MOD_ABS, IR_NIL, IR_NIL, sel_const(s, 0), IR_NIL);
  i->imm = 0;
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

/* bar.sync 0: the one barrier of a block's warps. */
static void h_bar(struct sel *s) {
  if (sel_word(s, "blocksync")) {
    block_sync(s);
    return;
  }
  if (!s->md.sync)
    SEL_FAIL(s, "only 'bar.sync' and 'bar.blocksync' are supported, not arrival or reduction");
  if (sel_word(s, "warp"))
    return; /* a warp's lanes run together */
  if (s->st->nops != 1 || s->st->ops[0].kind != PTX_O_IMM || s->st->ops[0].value != 0)
    SEL_FAIL(s, "there is one barrier, number 0, for all threads of a block; use 'bar.sync 0'");
  int around = begin_unguarded(s);
  sel_emit(s, ISA_BAR, 0, IR_NIL, IR_NIL, IR_NIL, IR_NIL)->guard = IR_TRUE;
  end_unguarded(s, around);
}

/* Memory operations of a thread are seen in order by everybody: nothing to do. */
static void h_nothing(struct sel *s) { (void)s; }

static void h_vote(struct sel *s) {
  static const char *const names[] = {"all", "any", "uni"};
  sel_need_ops(s, 2, 3);
  if (sel_word(s, "ballot")) {
    sel_emit(s, ISA_BALLOT, 0, sel_dst(s, 0, PTX_B32), IR_NIL, sel_pred(s, 1), IR_NIL);
    return;
  }
  for (unsigned i = 0; i < 3; i++)
    if (sel_word(s, names[i])) {
      sel_emit(s, ISA_VOTE, i, sel_dst(s, 0, PTX_PRED), IR_NIL, sel_pred(s, 1), IR_NIL);
      return;
    }
  SEL_FAIL(s, "'vote' needs .all, .any, .uni or .ballot");
}

static void h_activemask(struct sel *s) {
  sel_need_ops(s, 1, 1);
  sel_emit(s, ISA_BALLOT, 0, sel_dst(s, 0, PTX_B32), IR_NIL, IR_TRUE, IR_NIL);
}

const struct sel_row sel_ctrl_rows[] = {{"bra", h_bra},
                                        {"brx", h_brx},
                                        {"ret", h_ret},
                                        {"exit", h_exit},
                                        {"trap", h_trap},
                                        {"bar", h_bar},
                                        {"barrier", h_bar},
                                        {"membar", h_nothing},
                                        {"fence", h_nothing},
                                        {"prefetch", h_nothing},
                                        {"prefetchu", h_nothing},
                                        {"pmevent", h_nothing},
                                        {"nanosleep", h_nothing},
                                        {"discard", h_nothing},
                                        {"applypriority", h_nothing},
                                        {"vote", h_vote},
                                        {"activemask", h_activemask},
                                        {NULL, NULL}};
