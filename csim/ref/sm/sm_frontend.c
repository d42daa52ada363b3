/* The whole front end, from the units' direct functions: see docs/hardware/frontend.md,
 * sm_frontend. */
#include <stdlib.h>
#include <string.h>

#include "csim/ports/pipeline_rows.h"
#include "csim/ref/sm/frontend.h"

enum { WARP_LSB = 58, TARGET_LSB = 32 };

static bool is_idle(const struct sm_frontend_in *in) {
  return (in->kernel_start | in->launch_valid | in->resolve_valid | in->wb_valid | in->col_valid |
          in->sp_credit | in->sfu_credit | in->mem_credit | in->fill_valid) == 0;
}

/* Picks that park count as none. */
static void stop_picks(struct frontend_ref *f, const struct park_ref *park) {
  struct frontend_plan *p = &f->plan;
  for (unsigned s = 0; s < SCHEDULERS; s++) {
    const unsigned warp = p->pick[s];
    p->stop[s] = NO_WARP;
    if (park == NULL || warp == NO_WARP ||
        !park_ref_stops(park, warp, simt_stack_ref_top(&f->simt, warp)->pc))
      continue;
    p->stop[s] = warp;
    p->veto.pick[s] = true;
    p->pick[s] = NO_WARP;
    p->grant[s] = false;
  }
}

/* A tie between same-cycle events of the units is never broken here: each picks from its own state.
 * In two copies: what concerns groups is no burden to an SM that is alone. */
static inline __attribute__((always_inline)) void make_plan(struct frontend_ref *f,
                                                            const struct frontend_group *group) {
  struct frontend_plan *p = &f->plan;
  p->warps = (struct issue_warps){.live = f->simt.live,
                                  .ctrl = f->simt.ctrl,
                                  .settle = f->simt.settle,
                                  .waiting = f->barrier.waiting,
                                  .head = f->ibuffer.valid,
                                  .hazard = f->scoreboard.hazard,
                                  .sfu = f->ibuffer.sfu,
                                  .mem = f->ibuffer.mem,
                                  .none = f->ibuffer.none,
                                  .veto = group != NULL ? &p->veto : NULL};
  if (group != NULL)
    p->veto = group->veto;
  warpset elig = issue_ref_elig(&f->issue, &p->warps);
  for (unsigned s = 0; s < SCHEDULERS; s++) {
    const warpset own = elig & warpset_of_parity(s);
    p->pick[s] =
        own == 0 ? NO_WARP : warp_scheduler_ref_pick(&f->sched[s], f->in.cfg_lrr != 0, own);
    p->grant[s] = own != 0;
  }
  if (group != NULL)
    stop_picks(f, group->park);
  if (p->grant[0] && p->grant[1])
    issue_ref_grants(&f->issue, &p->warps, p->pick, p->grant);
  for (unsigned s = 0; s < SCHEDULERS; s++)
    p->stall[s] = p->grant[s] ? STALL_NONE
                  : group == NULL
                      ? issue_ref_stall(&p->warps, s)
                      : issue_ref_vetoed_stall(&f->issue, &p->warps, s, p->pick[s] != NO_WARP);
  warpset fetchable = p->warps.live & ~p->warps.ctrl & ~p->warps.settle & ~p->warps.waiting;
  if (group != NULL && group->no_fetch)
    fetchable = 0;
  p->fetched = fetch_ref_select(&f->fetch, fetchable, f->ibuffer.full);
  p->popped = simt_stack_ref_popped(&f->simt, group != NULL ? group->defer : 0);
  p->released =
      barrier_ref_released(&f->barrier, p->warps.live | (group != NULL ? group->undecided : 0));

  struct sm_frontend_out *out = &f->out;
  bool outputs = (out->iss0_valid | out->iss1_valid | out->imiss_valid | out->done_valid |
                  out->trap_valid) != 0;
  bool requests = f->fetch.req_valid || f->icache.rsp.valid || f->icache.wake != 0;
  bool moves = elig != 0 || p->warps.settle != 0 || p->released != 0 || p->fetched != NO_WARP;
  bool steady = out->stall0 == p->stall[0] && out->stall1 == p->stall[1];
  out->quiet = f->in_idle && !outputs && !requests && !moves && steady;
}

static void plan_alone(struct frontend_ref *f) { make_plan(f, NULL); }

void frontend_ref_plan(struct frontend_ref *f, const struct frontend_group *group) {
  if (group != NULL)
    make_plan(f, group);
  else
    plan_alone(f);
}

void frontend_ref_reset_off(struct frontend_ref *f) {
  fetch_ref_reset(&f->fetch);
  icache_ref_reset(&f->icache);
  ibuffer_ref_reset(&f->ibuffer);
  scoreboard_ref_reset(&f->scoreboard);
  f->fetch.last = (uint8_t)(f->fetch.last - f->fewer);
  for (unsigned s = 0; s < SCHEDULERS; s++) {
    warp_scheduler_ref_reset(&f->sched[s], s);
    f->sched[s].last = (uint8_t)(f->sched[s].last - f->fewer);
    f->sched[s].fewer = (uint8_t)f->fewer;
  }
  issue_ref_restart(&f->issue);
}

static void reset_units(struct frontend_ref *f) {
  frontend_ref_reset_off(f);
  simt_stack_ref_reset(&f->simt);
  barrier_ref_reset(&f->barrier);
}

struct frontend_ref *frontend_ref_create_with(unsigned warps) {
  struct frontend_ref *f = aligned_alloc(64, sizeof *f);
  if (f == NULL)
    return NULL;
  memset(f, 0, sizeof *f);
  f->in_idle = true;
  f->fewer = WARPS - warps;
  issue_ref_reset(&f->issue);
  reset_units(f);
  plan_alone(f);
  return f;
}

struct frontend_ref *frontend_ref_create(void) {
  return frontend_ref_create_with(WARPS);
}

void frontend_ref_ibuffer(struct frontend_ref *f, unsigned entries) {
  f->ibuffer.more = (uint8_t)(entries - IBUFFER_LEAST);
}

void frontend_ref_as_member(struct frontend_ref *f) {
  enum { SP_PLACES = 12, MEM_PLACES = 8 };
  f->issue.first.sp = SP_PLACES;
  f->issue.first.mem = MEM_PLACES;
  issue_ref_restart(&f->issue);
}

void frontend_ref_destroy(struct frontend_ref *f) { free(f); }

const struct sm_frontend_out *frontend_ref_peek(const struct frontend_ref *f) { return &f->out; }

void frontend_ref_out(const struct frontend_ref *f, struct sm_frontend_out *out) { *out = f->out; }

/* Write-backs and collections of the registered inputs. */
static void release_operands(struct frontend_ref *f) {
  const struct sm_frontend_in *in = &f->in;
  for (unsigned k = 0; in->wb_valid >> k != 0; k++)
    if (row_bit(in->wb_valid, k)) {
      const struct row_write w = ROWS_WRITE(in, k);
      scoreboard_ref_release(&f->scoreboard, w.warp, w.reg, w.size, w.pred);
    }
  for (unsigned k = 0; in->col_valid >> k != 0; k++)
    if (row_bit(in->col_valid, k))
      scoreboard_ref_collect(&f->scoreboard, ROWS_COLLECTED(in, k));
}

void frontend_ref_issue(struct frontend_ref *f, unsigned warp, uint64_t word, unsigned ctl) {
  simt_stack_ref_issue(&f->simt, warp, ctl);
  if (ctl == DECODE_CTL_BRA)
    simt_stack_ref_branch(&f->simt, warp, (uint16_t)(word >> TARGET_LSB), (uint16_t)word);
  if (ctl == DECODE_CTL_BAR)
    barrier_ref_arrive(&f->barrier, warp);
}

/* The head of a warp issues.  Returns its word, with the warp filled in. */
static uint64_t issue_head(struct frontend_ref *f, unsigned warp) {
  struct ibuffer_entry head = ibuffer_ref_head(&f->ibuffer, warp);
  frontend_ref_issue(f, warp, head.word, decode_ctl(head.dec));
  scoreboard_ref_issue(&f->scoreboard, warp);
  ibuffer_ref_pop(&f->ibuffer, warp);
  if (f->ibuffer.queue[warp].length > 0)
    scoreboard_ref_head(&f->scoreboard, warp,
                        ibuffer_ref_opnd(ibuffer_ref_head(&f->ibuffer, warp)));
  return (head.word & ~(UINT64_MAX << WARP_LSB)) | (uint64_t)warp << WARP_LSB;
}

static void issue_picks(struct frontend_ref *f) {
  struct sm_frontend_out *out = &f->out;
  const unsigned *pick = f->plan.pick;
  out->iss0_valid = f->plan.grant[0];
  if (out->iss0_valid) {
    const struct simt_entry *top = simt_stack_ref_top(&f->simt, pick[0]);
    out->iss0_pc = top->pc;
    LANES_PUT(out, iss0_mask, top->mask);
    out->iss0_inst = issue_head(f, pick[0]);
    warp_scheduler_ref_grant(&f->sched[0], pick[0]);
  }
  out->iss1_valid = f->plan.grant[1];
  if (out->iss1_valid) {
    const struct simt_entry *top = simt_stack_ref_top(&f->simt, pick[1]);
    out->iss1_pc = top->pc;
    LANES_PUT(out, iss1_mask, top->mask);
    out->iss1_inst = issue_head(f, pick[1]);
    warp_scheduler_ref_grant(&f->sched[1], pick[1]);
  }
}

void frontend_ref_resolve(struct frontend_ref *f, bool valid, uint64_t warp, lanes_mask taken) {
  enum simt_event event = SIMT_GOES_ON;
  if (valid) {
    event = simt_stack_ref_resolve(&f->simt, (unsigned)warp, taken);
    f->out.done_warp = f->out.trap_warp = warp;
  }
  f->out.done_valid = event == SIMT_DONE;
  f->out.trap_valid = event == SIMT_TRAP;
}

void frontend_ref_launch(struct frontend_ref *f) {
  const struct sm_frontend_in *in = &f->in;
  unsigned warp = (unsigned)in->launch_warp;
  simt_stack_ref_launch(&f->simt, warp, (uint16_t)in->launch_pc, LANES_GET(in, launch_mask));
  warp_scheduler_ref_launch(&f->sched[warp % SCHEDULERS], warp);
  barrier_ref_launch(&f->barrier, warp, (unsigned)in->launch_cta, in->launch_last != 0);
}

/* Instructions from the icache go, decoded, into the instruction buffer, unless the warp was
 * flushed on their way. */
static void deliver(struct frontend_ref *f, const struct icache_response *rsp) {
  if (!ibuffer_ref_takes(&f->ibuffer, rsp->warp))
    return;
  const bool heads = f->ibuffer.queue[rsp->warp].length == 0;
  struct ibuffer_entry first = {rsp->inst[0], rsp->dec[0]};
  struct ibuffer_entry second = {rsp->inst[1], rsp->dec[1]};
  unsigned ctl = decode_ctl(first.dec);
  bool two = rsp->two && ctl != DECODE_CTL_BRA && ctl != DECODE_CTL_EXIT;
  ibuffer_ref_write(&f->ibuffer, rsp->warp, first, two ? &second : NULL);
  if (heads)
    scoreboard_ref_head(&f->scoreboard, rsp->warp, ibuffer_ref_opnd(first));
}

static void clock_icache(struct frontend_ref *f) {
  const struct sm_frontend_in *in = &f->in;
  struct icache_fill fill = {.valid = !f->in_idle && in->fill_valid != 0};
  if (!fill.valid && !f->fetch.req_valid && icache_ref_still(&f->icache)) {
    f->out.imiss_valid = 0;
    return;
  }
  if (fill.valid)
    fill = (struct icache_fill){.valid = true,
                                .beat = (uint8_t)in->fill_beat,
                                .line = (uint16_t)in->fill_line,
                                .data = {in->fill_data0, in->fill_data1}};
  icache_ref_clock(&f->icache,
                   (struct icache_request){.valid = f->fetch.req_valid,
                                           .warp = f->fetch.req_warp,
                                           .pc = f->fetch.req_pc},
                   &fill);
  f->out.imiss_valid = f->icache.imiss_valid;
  f->out.imiss_line = f->icache.imiss_line;
}

/* One clock of the units, with the registered inputs.  The decisions of fetch, issue and barrier
 * are those of the plan, made from the state before the edge.  Then, against the flow of the
 * pipeline, so that each stage reads what the one before it held:
 * (1) barriers release; (2) write-backs and collections release; (3) a warp is launched; (4) the
 * picks issue; (5) the stack pops a warp, whose buffer is flushed, and resolves another; (6) the
 * icache's response enters the buffer; (7) the icache takes fetch's request; (8) fetch takes the
 * selected warp. */
static void clock_units(struct frontend_ref *f) {
  const struct frontend_plan *p = &f->plan;
  unsigned popped = p->popped;
  uint16_t fetch_pc = 0;
  if (p->fetched != NO_WARP)
    fetch_pc = (uint16_t)(simt_stack_ref_top(&f->simt, p->fetched)->pc +
                          ibuffer_ref_select(&f->ibuffer, p->fetched));
  warpset fetched = f->icache.wake | warpset_if(f->icache.rsp.valid, f->icache.rsp.warp);

  if (p->grant[0] || p->grant[1])
    issue_ref_clock(&f->issue, &p->warps, p->pick, p->grant);
  barrier_ref_release(&f->barrier, p->released);
  if (!f->in_idle) {
    issue_ref_return(&f->issue, 0,
                     (struct issue_slots){(unsigned)f->in.sp_credit, (unsigned)f->in.sfu_credit,
                                          (unsigned)f->in.mem_credit});
    release_operands(f);
    if (f->in.launch_valid)
      frontend_ref_launch(f);
  }
  issue_picks(f);
  if (popped != NO_WARP) {
    simt_stack_ref_pop(&f->simt, popped);
    ibuffer_ref_flush(&f->ibuffer, popped);
    scoreboard_ref_flush(&f->scoreboard, popped);
  }
  frontend_ref_resolve(f, !f->in_idle && f->in.resolve_valid, f->in.resolve_warp,
                       LANES_GET(&f->in, resolve_taken));
  if (f->icache.rsp.valid)
    deliver(f, &f->icache.rsp);
  scoreboard_ref_close(&f->scoreboard);
  clock_icache(f);
  fetch_ref_clock(&f->fetch, p->fetched, fetch_pc, fetched);
}

/* kernel_start: the units are reset, the front end's own registers take what an idle front end
 * gives. */
static void start_kernel(struct frontend_ref *f) {
  reset_units(f);
  f->out.iss0_valid = f->out.iss1_valid = f->out.imiss_valid = 0;
  f->out.done_valid = f->out.trap_valid = 0;
}

/* Registers the inputs; of idle ones, what matters.  In parts, because a copy of this size becomes
 * a slow string instruction. */
static void take_inputs(struct frontend_ref *f, const struct sm_frontend_in *in, bool idle) {
  enum { PART = 8 * sizeof(uint64_t), WHOLE = sizeof *in / PART * PART };
  f->in_idle = idle;
  f->in.cfg_lrr = in->cfg_lrr;
  if (idle)
    return;
  for (size_t i = 0; i < WHOLE; i += PART)
    memcpy((char *)&f->in + i, (const char *)in + i, PART);
  memcpy((char *)&f->in + WHOLE, (const char *)in + WHOLE, sizeof *in - WHOLE);
}

void frontend_ref_clock(struct frontend_ref *f) {
  if (!f->in_idle && f->in.kernel_start)
    start_kernel(f);
  else
    clock_units(f);
  f->out.stall0 = f->plan.stall[0];
  f->out.stall1 = f->plan.stall[1];
}

void frontend_ref_step(struct frontend_ref *f, const struct sm_frontend_in *in) {
  bool idle = is_idle(in);
  if (f->out.quiet) { /* nothing changes but the registered inputs */
    if (!idle) {
      take_inputs(f, in, false);
      f->out.quiet = 0;
    }
    return;
  }
  frontend_ref_clock(f);
  take_inputs(f, in, idle);
  plan_alone(f);
}

void frontend_ref_state(struct frontend_ref *f, struct sm_frontend_state *state) {
  fetch_ref_view(&f->fetch, &state->fetch);
  icache_ref_view(&f->icache, &state->icache);
  ibuffer_ref_view(&f->ibuffer, &state->ibuffer);
  simt_stack_ref_view(&f->simt, &state->simt_stack);
  scoreboard_ref_view(&f->scoreboard, &state->scoreboard);
  warp_scheduler_ref_view(&f->sched[0], &state->sched0);
  warp_scheduler_ref_view(&f->sched[1], &state->sched1);
  issue_ref_view(&f->issue, &state->issue);
  barrier_ref_view(&f->barrier, &state->barrier);
}

void frontend_ref_view_wide(const struct frontend_ref *f, struct sm_frontend_wide_view *view) {
  simt_stack_ref_view_wide(&f->simt, view);
}
