/* Instruction selection: votes and shuffles among the lanes of a warp. */
#include <string.h>

#include "csim/isa/ptx/select/select.h"

static bool all_ones(const struct ptx_operand *o) {
  return o->kind == PTX_O_IMM && (uint32_t)o->value == UINT32_MAX && !o->neg && !o->mem;
}

/* Returns whether every write to the register is a move of a constant with all bits set. */
static bool holds_all_ones(const struct ptx_func *f, int reg) {
  bool found = false;
  for (size_t i = 0; i < f->nstmts; i++) {
    const struct ptx_stmt *st = &f->stmts[i];
    for (unsigned k = 0; st->kind == PTX_S_CALL && k < st->nrets; k++)
      if (st->rets[k].kind == PTX_O_REG && st->rets[k].reg == reg)
        return false;
    const struct ptx_operand *d = &st->ops[0];
    bool writes = st->nops > 0 && !d->mem && d->kind == PTX_O_REG && d->reg == reg;
    for (unsigned k = 0; st->nops > 0 && d->kind == PTX_O_VEC && k < d->nelems; k++)
      writes = writes || (d->elems[k].kind == PTX_O_REG && d->elems[k].reg == reg);
    if (writes && (strcmp(st->op, "mov") != 0 || st->guard >= 0 || !all_ones(&st->ops[1])))
      return false;
    found = found || writes;
  }
  return found;
}

/* The member mask of a .sync form names all lanes: which of them execute, the hardware knows. */
static void need_full_mask(struct sel *s, unsigned i) {
  const struct ptx_operand *o = &s->st->ops[i];
  const bool constant = o->kind == PTX_O_REG && !o->expr && !o->neg && !o->mem && !o->suffix &&
                        holds_all_ones(s->fr->f, o->reg);
  if (!all_ones(o) && !constant)
    SEL_FAIL(s, "'%s.sync' is supported with a constant member mask of all lanes, 0xffffffff",
             s->st->op);
}

static void h_vote(struct sel *s) {
  enum { ALL, ANY, UNI };
  sel_need_ops(s, s->md.sync ? 3 : 2, s->md.sync ? 3 : 2);
  if (s->md.sync)
    need_full_mask(s, 2);
  if (sel_word(s, "ballot") && !s->md.uni) {
    sel_need_type(s, SEL_INT32);
    sel_emit(s, ISA_BALLOT, 0, sel_dst(s, 0, PTX_B32), IR_NIL, sel_pred(s, 1), IR_NIL);
    return;
  }
  sel_need_type(s, SEL_P);
  const bool all = sel_word(s, "all"), any = sel_word(s, "any");
  if (all + any + s->md.uni != 1)
    SEL_FAIL(s, "'vote' needs .all, .any, .uni or .ballot");
  sel_emit(s, ISA_VOTE,
           all   ? ALL
           : any ? ANY
                 : UNI,
           sel_dst(s, 0, PTX_PRED), IR_NIL, sel_pred(s, 1), IR_NIL);
}

static void h_activemask(struct sel *s) {
  sel_need_ops(s, 1, 1);
  sel_need_type(s, SEL_INT32);
  sel_emit(s, ISA_BALLOT, 0, sel_dst(s, 0, PTX_B32), IR_NIL, IR_TRUE, IR_NIL);
}

/* ---- shuffles ---- */

enum { UP, DOWN, BFLY, IDX };

static struct ir_ref op2(struct sel *s, unsigned id, unsigned mods, struct ir_ref a,
                         struct ir_ref b) {
  struct ir_ref d = sel_temp(s, 1);
  sel_emit(s, id, mods, d, a, b, IR_NIL);
  return d;
}

/* p = the lane that b and c name is in the segment: what PTX calls pval. */
static void in_range(struct sel *s, unsigned mode, struct ir_ref p, struct ir_ref b,
                     struct ir_ref c) {
  enum { NEG2 = 2, LE_S = 3 | 8, GE_S = 5 | 8 };
  struct ir_ref lane = sel_temp(s, 1), five = sel_const(s, 31), not_mask = sel_temp(s, 1);
  sel_emit(s, ISA_MOVS, 0, lane, IR_NIL, IR_NIL, IR_NIL)->imm = ISA_SR_LANEID;
  struct ir_ref mask = op2(s, ISA_AND, 0, op2(s, ISA_SHR, 0, c, sel_const(s, 8)), five);
  sel_emit(s, ISA_NOT, 0, not_mask, mask, IR_NIL, IR_NIL);
  struct ir_ref low = op2(s, ISA_AND, 0, lane, mask), by = op2(s, ISA_AND, 0, b, five);
  struct ir_ref clamp = op2(s, ISA_AND, 0, op2(s, ISA_AND, 0, c, five), not_mask);
  struct ir_ref edge = op2(s, ISA_OR, 0, low, clamp), j;
  if (mode == IDX)
    j = op2(s, ISA_OR, 0, low, op2(s, ISA_AND, 0, by, not_mask));
  else
    j = op2(s, mode == BFLY ? ISA_XOR : ISA_IADD, mode == UP ? NEG2 : 0, lane, by);
  sel_emit(s, ISA_ISETP, mode == UP ? GE_S : LE_S, p, j, edge, IR_NIL);
}

static void h_shfl(struct sel *s) {
  static const char *const names[] = {"up", "down", "bfly", "idx"};
  const unsigned n = s->md.sync ? 5 : 4;
  sel_need_ops(s, n, n);
  sel_need_type(s, SEL_INT32);
  if (s->md.sync)
    need_full_mask(s, 4);
  for (unsigned mode = UP; mode <= IDX; mode++) {
    if (!sel_word(s, names[mode]))
      continue;
    struct ir_ref q, d = sel_dst_pair(s, PTX_B32, &q);
    struct ir_ref a = sel_src(s, 1, PTX_B32), b = sel_src(s, 2, PTX_B32),
                  c = sel_src(s, 3, PTX_B32);
    struct ir_ref p = q.v >= 0 ? sel_ptemp(s) : IR_NIL;
    if (q.v >= 0)
      in_range(s, mode, p, b, c); /* before d is written: it may be b or c */
    sel_emit(s, ISA_PRMT, ISA_PRMT_UP + mode, d, a, b, c);
    if (q.v >= 0)
      sel_copy(s, q, p);
    return;
  }
  SEL_FAIL(s, "'shfl' needs .up, .down, .bfly or .idx");
}

const struct sel_row sel_lane_rows[] = {{"vote", h_vote, SEL_SYNC | SEL_UNI},
                                        {"activemask", h_activemask, 0},
                                        {"shfl", h_shfl, SEL_SYNC},
                                        {NULL, NULL, 0}};
