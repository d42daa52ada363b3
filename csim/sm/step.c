/* One cycle of the back end. */
#include "csim/sm/sm_local.h"

/* Reports to the scoreboard that an instruction's registers or predicate have their result. */
static inline __attribute__((always_inline)) void report_write_back(struct sm *sm,
                                                                    struct sm_frontend_in *in,
                                                                    unsigned port,
                                                                    const struct sm_inst *inst) {
  const struct isa_uop *u = inst->uop;
  const bool pred = u->o.dp;
  if (u->o.d == ISA_N_NONE && !pred)
    return;
  rows_put_write(in, port, (struct row_write){inst->warp, u->f.dst, u->o.d, pred});
  sm->raised |= INPUT(wb_valid);
}

/* Queues the outcome of a branch or exit, whose guard has been read, for the resolve port. */
static void branch_collected(struct sm *sm, struct sm_inst *inst) {
  const uint32_t taken = inst->exec;
  unsigned i = (unsigned)(sm->resolve_at + sm->resolves++) % SM_WARPS;
  sm->resolve[i].due = (uint16_t)(sm->cycle + sm->resolve_delay);
  sm->resolve[i].warp = inst->warp;
  sm->resolve[i].taken = taken;
  sm->resolve[i].is_exit = inst->uop->id == ISA_EXIT;
  inst->pred = taken;
  if (inst->uop->id == ISA_BRA) {
    sm->stats.branches += !sm->part;
    sm->stats.divergent_branches += !sm->part && taken != 0 && taken != inst->active;
    if (taken != 0 && inst->uop->f.imm <= inst->pc)
      sm_spin_branch(sm, inst);
  }
  sm_retire(sm, inst);
}

static inline __attribute__((always_inline)) void
write_back(struct sm *sm, unsigned port, struct sm_inst *inst, struct sm_frontend_in *in) {
  sm_write(sm, inst);
  report_write_back(sm, in, port, inst);
  sm_retire(sm, inst);
}

static inline __attribute__((always_inline)) void
report_collected(struct sm *sm, struct sm_frontend_in *in, enum isa_pipe pipe, unsigned warp) {
  const unsigned port = pipe == ISA_PIPE_MEM              ? ROW_MEM
                        : pipe == ISA_PIPE_SFU            ? ROW_SFU
                        : row_bit(in->col_valid, ROW_SP0) ? ROW_SP1
                                                          : ROW_SP0;
  rows_put_collected(in, port, warp);
  sm->raised |= INPUT(col_valid);
}

/* Returns the reports that leave `delay` cycles from now; `some` are added in this cycle. */
static struct sm_lag *lag_of(struct sm *sm, bool some) {
  const unsigned at = (sm->cycle + sm->shape.delay) % SM_LAG;
  sm->lags |= (uint8_t)(some << at);
  return &sm->lag[at];
}

/* Passes on what side 1 has reported `delay` cycles ago. */
static void deliver(struct sm *sm, struct sm_frontend_in *in) {
  struct sm_lag *l = &sm->lag[sm->cycle % SM_LAG];
  for (unsigned i = 0; i < l->n; i++)
    report_collected(sm, in, (enum isa_pipe)l->collected[i].pipe, l->collected[i].warp);
  sm->far_credits = l->credits;
  if ((l->credits.sp | l->credits.sfu | l->credits.mem) != 0)
    sm->raised |= SM_RAISED_FAR;
  *l = (struct sm_lag){0};
  sm->lags &= (uint8_t) ~(1U << sm->cycle % SM_LAG);
}

/* Reads the operands that a side has granted in this cycle; pipe[] is indexed by class. */
static void collect_values(struct sm *sm, unsigned side, const struct sm_collected *oc,
                           const enum isa_pipe pipe[SM_CLASSES], struct sm_frontend_in *in) {
  for (unsigned i = 0; i < oc->n; i++) {
    const struct sm_grant *g = &oc->grant[i];
    struct sm_inst *inst = sm_inst_at(sm, g->id);
    if (g->planes != 0)
      sm_read_planes(sm, inst, g->planes);
    if (!g->done)
      continue;
    sm_read_preds(sm, inst);
    if (side == 0) {
      report_collected(sm, in, pipe[g->cls], inst->warp);
    } else {
      struct sm_lag *l = lag_of(sm, true);
      l->collected[l->n].pipe = (uint8_t)pipe[g->cls];
      l->collected[l->n++].warp = inst->warp;
    }
    if (inst->uop->f.unit == ISA_U_CTRL) {
      sm->links.branches += side;
      branch_collected(sm, inst);
    }
  }
}

static void count_conflicts(struct sm *sm, const struct sm_collected *oc) {
  sm->stats.bank_conflicts += oc->conflicts;
  if (sm->profile.rows == NULL)
    return;
  for (unsigned i = 0; i < oc->conflicts; i++)
    sm->profile.rows[sm_inst_at(sm, oc->kept[i])->pc].bank_conflicts++;
}

static inline __attribute__((always_inline)) void
step_alu(struct sm *sm, unsigned sides, uint32_t busy[SM_SIDES], struct sm_frontend_in *in) {
  struct sm_alu_events ev;
  sm_alu_step(&sm->alu, sm->cycle, busy, &ev);
  if (sm->replay.on)
    sm_replay_alu(sm, &ev);
  for (unsigned p = 0; p < SM_ALU_PIPES; p++)
    if (ev.wb[p] != 0)
      write_back(sm, p, sm_inst_at(sm, ev.wb[p]), in);
  for (unsigned i = 0; i < ev.ndispatched; i++) {
    struct sm_inst *inst = sm_inst_at(sm, ev.dispatched[i]);
    inst->state[SM_STATE_STAGE] = SM_INST_PIPE;
    sm_compute(sm, inst);
    if (sides > 1 && sm_side_of(sm, inst->warp) != 0) {
      sm->links.operand_planes += sm->decoded[inst->pc].reads;
      sm->links.result_planes += sm->decoded[inst->pc].writes;
    }
  }
  static const enum isa_pipe pipe[SM_CLASSES] = {ISA_PIPE_SP, ISA_PIPE_SFU};
  for (unsigned side = 0; side < sides; side++) {
    const struct sm_collected *oc = &ev.oc[side];
    collect_values(sm, side, oc, pipe, in);
    count_conflicts(sm, oc);
    sm->stats.collector_full_sp += oc->short_of[SM_ALU_SP];
    sm->stats.collector_full_sfu += oc->short_of[SM_ALU_SFU];
  }
  in->sp_credit = ev.oc[0].credit[SM_ALU_SP];
  in->sfu_credit = ev.oc[0].credit[SM_ALU_SFU];
  sm->raised |= (uint64_t)(in->sp_credit != 0) << INPUT_sp_credit;
  sm->raised |= (uint64_t)(in->sfu_credit != 0) << INPUT_sfu_credit;
  if (sides == 1)
    return;
  const uint8_t *far = ev.oc[1].credit;
  struct sm_lag *l = lag_of(sm, (far[SM_ALU_SP] | far[SM_ALU_SFU]) != 0);
  l->credits.sp = far[SM_ALU_SP];
  l->credits.sfu = far[SM_ALU_SFU];
  sm->links.waits += ev.waited;
}

static inline __attribute__((always_inline)) void
step_mem(struct sm *sm, unsigned sides, uint32_t busy[SM_SIDES], struct sm_frontend_in *in) {
  struct sm_collected oc[SM_SIDES];
  const unsigned left = sm->other == NULL ? sm_mem_enter(sm) : 0;
  sm_collect_step(sm->memq, sm->cycle, busy, oc);
  if (sm->replay.on && sm->config.deep_queues)
    sm_replay_mem(sm, oc);
  static const enum isa_pipe pipe[SM_CLASSES] = {ISA_PIPE_MEM, ISA_PIPE_MEM};
  for (unsigned side = 0; side < sides; side++) {
    collect_values(sm, side, &oc[side], pipe, in);
    count_conflicts(sm, &oc[side]);
    sm->stats.collector_full_mem += oc[side].short_of[0];
  }
  in->mem_credit = sm->config.deep_queues ? left : oc[0].credit[0];
  sm->raised |= (uint64_t)(in->mem_credit != 0) << INPUT_mem_credit;
  if (sides > 1)
    lag_of(sm, oc[1].credit[0] != 0)->credits.mem = oc[1].credit[0];
}

static void mem_write_back(struct sm *sm, struct sm_frontend_in *in) {
  struct sm_inst *inst = sm_mem_leave(sm);
  if (inst == NULL)
    return;
  if (sm->syncing != 0)
    sm_block_passed(sm, inst);
  write_back(sm, ROW_MEM, inst, in);
}

void sm_put_loaded(struct sm *sm, struct sm_inst *inst, struct sm_frontend_in *in) {
  write_back(sm, ROW_MEM, inst, in);
}

static inline __attribute__((always_inline)) void step_pipelines(struct sm *sm, unsigned sides,
                                                                 struct sm_frontend_in *in) {
  /* Both of two sides step in every cycle: side 1 may have taken a report port of this one. */
  const bool mem = sides > 1 || !sm_collect_empty(&sm->memq[0]);
  uint32_t busy[SM_SIDES] = {0, 0};
  if (sm->other == NULL && sm_mem_complete(sm))
    mem_write_back(sm, in);
  if (sm->mem_first && mem)
    step_mem(sm, sides, busy, in);
  if (sides > 1 || !sm_alu_empty(&sm->alu))
    step_alu(sm, sides, busy, in);
  if (!sm->mem_first && mem)
    step_mem(sm, sides, busy, in);
}

/* Steps the pipelines of an SM with two sides; what side 1 reports comes last. */
static __attribute__((noinline)) void step_both_sides(struct sm *sm, struct sm_frontend_in *in) {
  if (sm->in_flight != 0 || sm->lags != 0)
    step_pipelines(sm, SM_SIDES, in);
  deliver(sm, in);
}

static void resolve(struct sm *sm, struct sm_frontend_in *in) {
  unsigned i = sm->resolve_at, warp = sm->resolve[i].warp;
  if ((int16_t)(sm->resolve[i].due - sm->cycle) > 0)
    return;
  sm->resolve_at = (uint8_t)((i + 1) % SM_WARPS);
  sm->resolves--;
  sm->unresolved &= ~SM_BIT(warp);
  if (sm->resolve[i].is_exit)
    sm->warp[warp].lanes &= ~sm->resolve[i].taken;
  in->resolve_valid = 1;
  sm->raised |= INPUT(resolve_valid);
  in->resolve_warp = warp;
  in->resolve_taken = sm->resolve[i].taken;
}

static void fetches(struct sm *sm, const struct sm_frontend_out *fe, struct sm_frontend_in *in) {
  struct mem_fill fill;
  if (fe->imiss_valid)
    sm_mem_ifetch(sm->mem, (uint16_t)fe->imiss_line);
  if (!sm_mem_fill(sm->mem, &fill))
    return;
  in->fill_valid = 1;
  sm->raised |= INPUT(fill_valid);
  in->fill_line = fill.line;
  in->fill_beat = fill.beat;
  in->fill_data0 = fill.data[0];
  in->fill_data1 = fill.data[1];
}

static void window(struct sm *sm) {
  uint64_t at = sm->cycle & (sm->check_period - 1);
  if (at == 0 && sm->check_window != 0) {
    sm_replay_begin(sm);
  } else if (at == sm->check_window) {
    sm->replay.on = false;
  }
}

/* Clears the inputs in parts: the compiler would clear memory of this size with a string
 * instruction, which is slow to start. */
static inline void clear_inputs(struct sm_frontend_in *in) {
  enum { PART = 8 * sizeof(uint64_t), WHOLE = sizeof *in / PART * PART };
  static const char none[PART];
  const uint64_t lrr = in->cfg_lrr;
  for (size_t i = 0; i < WHOLE; i += PART)
    memcpy((char *)in + i, none, PART);
  memset((char *)in + WHOLE, 0, sizeof *in - WHOLE);
  in->cfg_lrr = lrr;
}

/* The order within a cycle:
 *  1. CTAs whose warps have ended and whose instructions are complete leave; the front end's end of
 *     a warp, trap and instruction miss are taken.
 *  2. Write-back: MEM through its own port of the register file, then SP 0, SP 1 and SFU, whose
 *     banks serve no read in this cycle.
 *  3. Pipelines advance: collected instructions start, oldest first, where the pipeline takes one
 *     and the write-back port is free when the result will be due; results are computed here.  The
 *     oldest MEM instruction goes to the load-store unit.
 *  4. Operand collection: oldest ALU instruction first, MEM instructions by what banks are left.
 *     Complete collections are reported: two SP, one SFU, one MEM.  Branches and exits among them
 *     go to the resolve port's queue and retire.
 *  5. From the queues to free collectors: two SP, one SFU, one MEM; their credits are returned.
 *  6. Issued instructions are checked and queued; those without a pipeline retire.
 *  7. One branch or exit is resolved; one warp is launched; one beat of an instruction line. */
uint64_t sm_step(struct sm *sm, uint64_t cycle, const struct sm_frontend_out *fe,
                 struct sm_frontend_in *in) {
  clear_inputs(in);
  sm->raised = 0;
  if (sm->fault.kind != SM_FAULT_NONE)
    return 0;
  sm->cycle = cycle;
  if (sm->begin) {
    sm->begin = false;
    in->kernel_start = 1;
    return INPUT(kernel_start);
  }
  sm_account(sm, 1, fe);
  window(sm);
  if (sm->ending != 0)
    sm_cta_release(sm);
  if (fe->done_valid)
    sm_warp_done(sm, (unsigned)fe->done_warp);
  if (fe->trap_valid)
    sm_raise(sm, SM_FAULT_STACK, (unsigned)fe->trap_warp & 63,
             sm->warp[fe->trap_warp % SM_WARPS].last_pc, 0,
             "SIMT stack overflow of warp %u: branches nest too deeply", (unsigned)fe->trap_warp);
  if (__builtin_expect(sm_sides(sm) > 1, 0))
    step_both_sides(sm, in);
  else if (sm->in_flight != 0)
    step_pipelines(sm, 1, in);
  if (fe->iss0_valid)
    sm_issue(sm, 0, fe->iss0_inst, (uint16_t)fe->iss0_pc, (uint32_t)fe->iss0_mask);
  if (fe->iss1_valid)
    sm_issue(sm, 1, fe->iss1_inst, (uint16_t)fe->iss1_pc, (uint32_t)fe->iss1_mask);
  if (sm->resolves != 0)
    resolve(sm, in);
  if (sm->launches != 0)
    sm_warp_launch(sm, in);
  fetches(sm, fe, in);
  return sm->raised;
}
