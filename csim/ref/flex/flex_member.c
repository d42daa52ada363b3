/* Reference of rtl/flex/flex_member.sv, with its flex_frontend. */
#include "csim/ref/flex/flex_member.h"

#include <string.h>

#include "csim/ports/pipeline_rows.h"
#include "csim/ref/sm/decode.h"

enum { FLEX_WARP_LSB = 58, FLEX_TARGET_LSB = 32 };

/* ---- far rows ---- */

static struct flex_row *flex_row_of(struct flex_member_ref *m, unsigned warp) {
  return flex_is_far(warp) ? &m->part.far[flex_row_number(warp)] : &m->context.row[warp];
}

/* The decisions that are at the far rows in the present cycle. */
static struct flex_actions *flex_due(struct flex_member_ref *m) {
  enum { LENGTH = SIMT_STAGES_MOST + 1 };
  return &m->way[(m->now + LENGTH - flex_stages(m)) % LENGTH];
}

/* Writes and pushes, at the end of the cycle: reads see what was there before. */
static void flex_store(struct flex_member_ref *m, const struct flex_actions *a) {
  if (a->write.valid) {
    struct flex_row *row = flex_row_of(m, a->write.warp);
    for (unsigned i = 0; i < 1U + a->write.two; i++) {
      row->word[i] = a->write.word[i];
      row->dec[i] = a->write.dec[i];
    }
  }
  for (unsigned i = 0; i < a->push.count; i++) {
    const struct simt_entry *e = &a->push.entry[i];
    flex_row_of(m, a->push.warp)->entry[a->push.depth + 1 + i] =
        (struct flex_entry){e->mask, e->rpc, e->pc};
  }
}

/* ---- the present cycle ---- */

static struct issue_warps flex_warps(const struct flex_member_ref *m) {
  static const struct issue_causes causes = {.all = STALL_HOLD};
  static const struct issue_vetoes held = {.cause = &causes, .all = true};
  const bool sides = m->part.mode == FLEX_OCC || m->part.mode == FLEX_BAL;
  return (struct issue_warps){.live = m->stack.live,
                              .ctrl = m->stack.ctrl,
                              .settle = m->stack.settle,
                              .waiting = m->barrier.waiting,
                              .head = m->buffer.valid,
                              .hazard = m->scoreboard.hazard,
                              .sfu = m->buffer.sfu,
                              .mem = m->buffer.mem,
                              .none = m->buffer.none,
                              .far = sides ? ~UINT64_C(0) << FLEX_ROWS : 0,
                              .veto = m->part.hold ? &held : NULL};
}

static void flex_make_plan(struct flex_member_ref *m) {
  struct flex_plan *p = &m->plan;
  p->warps = flex_warps(m);
  const warpset elig = issue_ref_elig(&m->issue, &p->warps);
  for (unsigned s = 0; s < FLEX_PORTS; s++) {
    const warpset own = elig & warpset_of_parity(s);
    p->pick[s] =
        own == 0 ? NO_WARP : warp_scheduler_ref_pick(&m->sched[s], m->in.cfg_lrr != 0, own);
  }
  issue_ref_grants(&m->issue, &p->warps, p->pick, p->grant);
  for (unsigned s = 0; s < FLEX_PORTS; s++)
    p->stall[s] = p->grant[s]             ? STALL_NONE
                  : p->warps.veto == NULL ? issue_ref_stall(&p->warps, s)
                                          : issue_ref_vetoed_stall(&m->issue, &p->warps, s, false);
  p->fetched = fetch_ref_select(
      &m->fetch, p->warps.live & ~p->warps.ctrl & ~p->warps.settle & ~p->warps.waiting,
      m->buffer.valid);
  p->released = barrier_ref_released(&m->barrier, p->warps.live);
}

/* The icache's response, for the row of its warp. */
static struct flex_write flex_delivered(const struct icache_response *rsp) {
  const unsigned ctl = decode_ctl(rsp->dec[0]);
  return (struct flex_write){.valid = rsp->valid,
                             .two = rsp->two && ctl != DECODE_CTL_BRA && ctl != DECODE_CTL_EXIT,
                             .warp = rsp->warp,
                             .word = {rsp->inst[0], rsp->inst[1]},
                             .dec = {rsp->dec[0], rsp->dec[1]}};
}

static struct flex_grant flex_granted(const struct flex_member_ref *m, unsigned s) {
  const unsigned warp = m->plan.pick[s];
  if (!m->plan.grant[s])
    return (struct flex_grant){.valid = false};
  const struct ibuffer_entry head = ibuffer_ref_head(&m->buffer, warp);
  const struct simt_entry *top = simt_stack_ref_top(&m->stack, warp);
  return (struct flex_grant){.valid = true,
                             .second = warpset_has(m->buffer.from_b, warp),
                             .branch = decode_ctl(head.dec) == DECODE_CTL_BRA,
                             .warp = warp,
                             .pc = top->pc,
                             .mask = top->mask};
}

static struct flex_push flex_resolved(const struct flex_member_ref *m) {
  struct simt_warp after;
  struct flex_push p = {0};
  if (m->in_idle || !m->in.resolve_valid)
    return p;
  p.warp = (unsigned)m->in.resolve_warp;
  const struct simt_resolved r =
      simt_stack_ref_after(&m->stack, p.warp, m->in.resolve_taken, &after);
  p.count = r.pushes;
  p.depth = m->stack.warp[p.warp].depth;
  memcpy(p.entry, r.pushed, sizeof p.entry);
  return p;
}

/* Puts what the cycle decides on its way. */
static void flex_decide(struct flex_member_ref *m) {
  struct flex_actions *a = &m->way[m->now];
  const unsigned popped = simt_stack_ref_popped(&m->stack, 0);
  a->write = flex_delivered(&m->icache.rsp);
  for (unsigned s = 0; s < FLEX_PORTS; s++)
    a->grant[s] = flex_granted(m, s);
  a->push = flex_resolved(m);
  a->pop = (struct flex_pop){.valid = popped != NO_WARP, .warp = popped};
  if (a->pop.valid)
    a->pop.at = m->stack.warp[popped].depth;
  a->any = a->write.valid || a->grant[0].valid || a->grant[1].valid || a->push.count != 0 ||
           a->pop.valid;
}

/* Accesses to borrowed rows in the present cycle. */
static void flex_count_far(struct flex_member_ref *m) {
  const struct flex_actions *a = flex_due(m);
  struct flex_member_out *o = &m->out;
  o->far_rd = o->far_wr = o->far_push = o->far_pop = 0;
  if (!a->any || m->part.far == NULL)
    return;
  for (unsigned s = 0; s < FLEX_PORTS; s++)
    o->far_rd |= (uint64_t)(a->grant[s].valid && flex_is_far(a->grant[s].warp)) << s;
  o->far_wr = a->write.valid && flex_is_far(a->write.warp);
  if (flex_is_far(a->push.warp))
    o->far_push = (UINT64_C(1) << a->push.count) - 1;
  o->far_pop = a->pop.valid && flex_is_far(a->pop.warp);
}

static bool flex_is_quiet(const struct flex_member_ref *m) {
  const struct flex_plan *p = &m->plan;
  const struct flex_member_out *r = &m->regs;
  const bool outputs =
      (r->iss0_valid | r->iss1_valid | r->imiss_valid | r->done_valid | r->trap_valid) != 0;
  const bool requests = m->fetch.req_valid || m->icache.rsp.valid || m->icache.wake != 0;
  bool ways = false;
  for (unsigned i = 0; i <= SIMT_STAGES_MOST; i++)
    ways = ways || m->way[i].any;
  return m->in_idle && !outputs && !requests && !ways && m->stack.settle == 0 && p->released == 0 &&
         p->fetched == NO_WARP && r->stall0 == p->stall[0] && r->stall1 == p->stall[1];
}

void flex_member_see(struct flex_member_ref *m) {
  m->quiet = false;
  if (!flex_member_is_up(m)) {
    m->out = (struct flex_member_out){0};
    return;
  }
  flex_make_plan(m);
  flex_decide(m);
  m->out = m->regs;
  flex_count_far(m);
  m->quiet = flex_is_quiet(m);
}

/* ---- the clock edge ---- */

/* The slots with which a kernel of the mode begins. */
static void flex_start_issue(struct flex_member_ref *m, enum flex_mode mode) {
  static const struct issue_slots slots[FLEX_MODES][ISSUE_SIDES] = {
      [FLEX_BASE] = {{8, 4, 4}, {0, 0, 0}},       [FLEX_OCC] = {{12, 4, 4}, {12, 4, 4}},
      [FLEX_BAL] = {{12, 4, 4}, {6, 2, 2}},       [FLEX_BIGSM] = {{12, 4, 4}, {0, 0, 0}},
      [FLEX_BIGSM_OCC] = {{12, 4, 4}, {0, 0, 0}},
  };
  issue_ref_start(&m->issue, slots[mode][0], slots[mode][1]);
}

static void flex_reset_units(struct flex_member_ref *m, enum flex_mode mode) {
  fetch_ref_reset(&m->fetch);
  m->fetch.last = (uint8_t)(m->fetch.last - m->fewer);
  icache_ref_reset(&m->icache);
  ibuffer_ref_reset(&m->buffer);
  simt_stack_ref_restart(&m->stack);
  scoreboard_ref_reset(&m->scoreboard);
  for (unsigned s = 0; s < FLEX_PORTS; s++) {
    warp_scheduler_ref_reset(&m->sched[s], s);
    m->sched[s].last = (uint8_t)(m->sched[s].last - m->fewer);
    m->sched[s].fewer = (uint8_t)m->fewer;
  }
  flex_start_issue(m, mode);
  barrier_ref_reset(&m->barrier);
  for (unsigned i = 0; i <= SIMT_STAGES_MOST; i++)
    m->way[i] = (struct flex_actions){.any = false};
}

static void flex_release_operands(struct flex_member_ref *m) {
  const struct flex_sm_in *in = &m->in;
  for (unsigned k = 0; in->wb_valid >> k != 0; k++)
    if (row_bit(in->wb_valid, k)) {
      const struct row_write w = ROWS_WRITE(in, k);
      scoreboard_ref_release(&m->scoreboard, w.warp, w.reg, w.size, w.pred);
    }
  for (unsigned k = 0; in->col_valid >> k != 0; k++)
    if (row_bit(in->col_valid, k))
      scoreboard_ref_collect(&m->scoreboard, ROWS_COLLECTED(in, k));
}

static void flex_launch(struct flex_member_ref *m) {
  const struct flex_sm_in *in = &m->in;
  const unsigned warp = (unsigned)in->launch_warp;
  simt_stack_ref_launch(&m->stack, warp, (uint16_t)in->launch_pc, in->launch_mask);
  warp_scheduler_ref_launch(&m->sched[warp % FLEX_PORTS], warp);
  barrier_ref_launch(&m->barrier, warp, (unsigned)in->launch_cta, in->launch_last != 0);
}

/* Slots come back, operands are collected and written, a warp is launched. */
static void flex_take_inputs(struct flex_member_ref *m) {
  const struct flex_sm_in *in = &m->in;
  if (m->in_idle)
    return;
  issue_ref_return(&m->issue, 0,
                   (struct issue_slots){(unsigned)in->sp_credit, (unsigned)in->sfu_credit,
                                        (unsigned)in->mem_credit});
  issue_ref_return(&m->issue, 1,
                   (struct issue_slots){(unsigned)in->sp_credit1, (unsigned)in->sfu_credit1,
                                        (unsigned)in->mem_credit1});
  flex_release_operands(m);
  if (in->launch_valid)
    flex_launch(m);
}

/* The head of the pick leaves near; its word is still far. */
static void flex_issue(struct flex_member_ref *m, unsigned s) {
  const unsigned warp = m->plan.pick[s];
  if (!m->plan.grant[s])
    return;
  const unsigned ctl = decode_ctl(ibuffer_ref_head(&m->buffer, warp).dec);
  simt_stack_ref_issue(&m->stack, warp, ctl);
  if (ctl == DECODE_CTL_BAR)
    barrier_ref_arrive(&m->barrier, warp);
  scoreboard_ref_issue(&m->scoreboard, warp);
  ibuffer_ref_pop(&m->buffer, warp);
  if (warpset_has(m->buffer.valid, warp))
    scoreboard_ref_head(&m->scoreboard, warp, ibuffer_ref_opnd(ibuffer_ref_head(&m->buffer, warp)));
  warp_scheduler_ref_grant(&m->sched[s], warp);
}

/* The word of a grant is read: it goes to the output, of a branch also to the stack. */
static void flex_read(struct flex_member_ref *m, const struct flex_grant *g, uint64_t *valid,
                      uint64_t *inst, uint64_t *pc, uint64_t *mask) {
  *valid = g->valid;
  if (!g->valid)
    return;
  const uint64_t word = flex_row_of(m, g->warp)->word[g->second];
  *inst = (word & ~(UINT64_MAX << FLEX_WARP_LSB)) | (uint64_t)g->warp << FLEX_WARP_LSB;
  *pc = g->pc;
  *mask = g->mask;
  if (g->branch)
    simt_stack_ref_branch(&m->stack, g->warp, (uint16_t)(word >> FLEX_TARGET_LSB), (uint16_t)word);
}

/* A pop begins and one ends, with the entry that is read now. */
static void flex_pop(struct flex_member_ref *m, const struct flex_actions *due) {
  const bool bypass = flex_stages(m) == 0;
  const unsigned begins = simt_stack_ref_popped(&m->stack, 0);
  const unsigned ends = simt_stack_ref_ends(&m->stack, begins, bypass);
  struct simt_entry entry = {0};
  if (ends != NO_WARP) {
    const struct flex_entry *e = &flex_row_of(m, ends)->entry[due->pop.at];
    entry = (struct simt_entry){e->mask, e->rpc, e->pc};
  }
  simt_stack_ref_pops(&m->stack, begins, bypass, entry);
  if (ends == NO_WARP)
    return;
  ibuffer_ref_flush(&m->buffer, ends);
  scoreboard_ref_flush(&m->scoreboard, ends);
}

static void flex_resolve(struct flex_member_ref *m) {
  enum simt_event event = SIMT_GOES_ON;
  if (!m->in_idle && m->in.resolve_valid) {
    const unsigned warp = (unsigned)m->in.resolve_warp;
    event = simt_stack_ref_resolve(&m->stack, warp, m->in.resolve_taken);
    m->regs.done_warp = m->regs.trap_warp = warp;
  }
  m->regs.done_valid = event == SIMT_DONE;
  m->regs.trap_valid = event == SIMT_TRAP;
}

/* Near learns what was decoded. */
static void flex_deliver(struct flex_member_ref *m, const struct flex_write *w) {
  if (!w->valid)
    return;
  const struct ibuffer_entry first = {w->word[0], w->dec[0]}, second = {w->word[1], w->dec[1]};
  ibuffer_ref_write(&m->buffer, w->warp, first, w->two ? &second : NULL);
  scoreboard_ref_head(&m->scoreboard, w->warp, ibuffer_ref_opnd(first));
}

static void flex_clock_icache(struct flex_member_ref *m) {
  const struct flex_sm_in *in = &m->in;
  struct icache_fill fill = {.valid = !m->in_idle && in->fill_valid != 0};
  if (fill.valid)
    fill = (struct icache_fill){.valid = true,
                                .beat = (uint8_t)in->fill_beat,
                                .line = (uint16_t)in->fill_line,
                                .data = {in->fill_data0, in->fill_data1}};
  if (fill.valid || m->fetch.req_valid || !icache_ref_still(&m->icache))
    icache_ref_clock(&m->icache,
                     (struct icache_request){.valid = m->fetch.req_valid,
                                             .warp = m->fetch.req_warp,
                                             .pc = m->fetch.req_pc},
                     &fill);
  m->regs.imiss_valid = m->icache.imiss_valid;
  m->regs.imiss_line = m->icache.imiss_line;
}

/* One clock of the near half and of the far rows that its decisions reach.  The decisions are those
 * that flex_member_see found from the state before the edge.  Then, each stage reading what the one
 * before it held:
 * (1) barriers release, a pop ends with the entry that is read now; (2) inputs take effect; (3) the
 * picks issue, words that are due are read; (4) another warp is resolved; (5) the icache's response
 * enters near; (6) writes that are due are done; (7) the icache takes fetch's request, fetch a
 * warp. */
static void flex_clock_units(struct flex_member_ref *m) {
  const struct flex_plan *p = &m->plan;
  struct flex_actions *due = flex_due(m);
  struct flex_member_out *r = &m->regs;
  const warpset answered = m->icache.wake | warpset_if(m->icache.rsp.valid, m->icache.rsp.warp);
  const uint16_t fetch_pc = p->fetched != NO_WARP ? m->stack.warp[p->fetched].top.pc : 0;
  issue_ref_clock(&m->issue, &p->warps, p->pick, p->grant);
  barrier_ref_release(&m->barrier, p->released);
  flex_pop(m, due);
  flex_take_inputs(m);
  for (unsigned s = 0; s < FLEX_PORTS; s++)
    flex_issue(m, s);
  flex_read(m, &due->grant[0], &r->iss0_valid, &r->iss0_inst, &r->iss0_pc, &r->iss0_mask);
  flex_read(m, &due->grant[1], &r->iss1_valid, &r->iss1_inst, &r->iss1_pc, &r->iss1_mask);
  flex_resolve(m);
  flex_deliver(m, &m->way[m->now].write);
  if (due->any)
    flex_store(m, due);
  scoreboard_ref_close(&m->scoreboard);
  flex_clock_icache(m);
  fetch_ref_clock(&m->fetch, p->fetched, fetch_pc, answered);
  *due = (struct flex_actions){.any = false};
  m->now = (m->now + 1) % (SIMT_STAGES_MOST + 1);
}

/* All units are reset, and the output registers take what idle ones give. */
static void flex_restart(struct flex_member_ref *m, enum flex_mode mode) {
  flex_reset_units(m, mode);
  struct flex_member_out *r = &m->regs;
  r->iss0_valid = r->iss1_valid = r->imiss_valid = r->done_valid = r->trap_valid = 0;
  r->stall0 = r->stall1 = STALL_IDLE;
}

static bool flex_inputs_idle(const struct flex_sm_in *in) {
  return (in->kernel_start | in->launch_valid | in->resolve_valid | in->wb_valid | in->col_valid |
          in->sp_credit | in->sfu_credit | in->mem_credit | in->sp_credit1 | in->sfu_credit1 |
          in->mem_credit1 | in->fill_valid) == 0;
}

/* Registers the inputs; of idle ones, what matters. */
static void flex_register(struct flex_member_ref *m, const struct flex_sm_in *in) {
  m->in_idle = flex_inputs_idle(in);
  if (m->in_idle)
    m->in.cfg_lrr = in->cfg_lrr;
  else
    m->in = *in;
}

void flex_member_clock(struct flex_member_ref *m, const struct flex_sm_in *in) {
  if (!m->part.power) {
    m->cold = true;
    return;
  }
  if (m->cold && !m->part.reset)
    return;
  if (m->part.reset) {
    flex_restart(m, m->part.mode);
    m->cold = false;
  } else if (!m->in_idle && m->in.kernel_start) {
    flex_restart(m, m->part.next);
  } else if (!m->quiet) {
    flex_clock_units(m);
    m->regs.stall0 = m->plan.stall[0];
    m->regs.stall1 = m->plan.stall[1];
  }
  flex_register(m, in);
}

void flex_member_reset(struct flex_member_ref *m, unsigned warps, unsigned dummy) {
  memset(m, 0, sizeof *m);
  m->dummy = dummy;
  m->fewer = WARPS - warps;
  m->in_idle = true;
  m->part.power = true;
  m->stack.stages = dummy;
  flex_context_ref_reset(&m->context);
  flex_reset_units(m, FLEX_BASE);
}
