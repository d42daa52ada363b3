#include "csim/ref/issue.h"

#include "csim/isa/isa.h"

enum { SP_SLOTS = 8, SFU_SLOTS = 4, MEM_SLOTS = 4 };

void issue_ref_reset(struct issue_ref *u) {
  *u = (struct issue_ref){.sp = SP_SLOTS, .sfu = SFU_SLOTS, .mem = MEM_SLOTS};
}

static enum isa_pipe pipe_of(const struct issue_warps *w, unsigned warp) {
  if (warpset_has(w->sfu, warp))
    return ISA_PIPE_SFU;
  if (warpset_has(w->mem, warp))
    return ISA_PIPE_MEM;
  return warpset_has(w->none, warp) ? ISA_PIPE_NONE : ISA_PIPE_SP;
}

warpset issue_ref_elig(const struct issue_ref *u, const struct issue_warps *w) {
  warpset elig = issue_ref_ready(w);
  if (u->sfu == 0)
    elig &= ~w->sfu;
  if (u->mem == 0)
    elig &= ~w->mem;
  if (u->sp == 0)
    elig &= w->sfu | w->mem | w->none;
  return elig;
}

void issue_ref_grants(const struct issue_ref *u, const struct issue_warps *w,
                      const unsigned pick[2], bool grant[2]) {
  grant[0] = pick[0] != NO_WARP;
  grant[1] = pick[1] != NO_WARP;
  if (!grant[0] || !grant[1])
    return;
  enum isa_pipe pipe = pipe_of(w, pick[0]);
  if (pipe != pipe_of(w, pick[1]) || pipe == ISA_PIPE_NONE || (pipe == ISA_PIPE_SP && u->sp > 1))
    return;
  grant[1 - u->prio] = false;
}

enum issue_stall issue_ref_stall(const struct issue_warps *w, unsigned parity) {
  warpset own = w->live & warpset_of_parity(parity);
  warpset held = w->ctrl | w->settle, running = own & ~held & ~w->waiting;
  if (issue_ref_ready(w) & own)
    return ISSUE_STRUCTURAL;
  if (running & w->head & w->hazard)
    return ISSUE_SCOREBOARD;
  if (own & held)
    return ISSUE_CONTROL;
  if (running & ~w->head)
    return ISSUE_FETCH;
  return own & w->waiting ? ISSUE_BARRIER : ISSUE_IDLE;
}

void issue_ref_return(struct issue_ref *u, unsigned sp, unsigned sfu, unsigned mem) {
  u->sp += sp;
  u->sfu += sfu;
  u->mem += mem;
}

void issue_ref_clock(struct issue_ref *u, const struct issue_warps *w, const unsigned pick[2],
                     const bool grant[2]) {
  for (unsigned i = 0; i < 2; i++) {
    if (!grant[i])
      continue;
    enum isa_pipe pipe = pipe_of(w, pick[i]);
    u->sp -= pipe == ISA_PIPE_SP;
    u->sfu -= pipe == ISA_PIPE_SFU;
    u->mem -= pipe == ISA_PIPE_MEM;
  }
  bool conflict = pick[0] != NO_WARP && pick[1] != NO_WARP && !(grant[0] && grant[1]);
  if (conflict)
    u->prio = 1 - u->prio;
}

static struct issue_warps warps_of(const struct issue_in *in) {
  return (struct issue_warps){.live = in->live,
                              .ctrl = in->ctrl,
                              .settle = in->settle,
                              .waiting = in->waiting,
                              .head = in->ib_valid,
                              .hazard = in->hazard,
                              .sfu = in->ib_sfu,
                              .mem = in->ib_mem,
                              .none = in->ib_none};
}

static void picks_of(const struct issue_in *in, unsigned pick[2]) {
  pick[0] = in->pick0_valid ? (unsigned)in->pick0_warp : NO_WARP;
  pick[1] = in->pick1_valid ? (unsigned)in->pick1_warp : NO_WARP;
}

void issue_ref_eval(const struct issue_ref *u, const struct issue_in *in, struct issue_out *out) {
  struct issue_warps w = warps_of(in);
  unsigned pick[2];
  bool grant[2];
  picks_of(in, pick);
  issue_ref_grants(u, &w, pick, grant);
  *out = (struct issue_out){.elig = issue_ref_elig(u, &w),
                            .grant0 = grant[0],
                            .grant1 = grant[1],
                            .stall0 = grant[0] ? ISSUE_ISSUES : issue_ref_stall(&w, 0),
                            .stall1 = grant[1] ? ISSUE_ISSUES : issue_ref_stall(&w, 1)};
}

void issue_ref_step(struct issue_ref *u, const struct issue_in *in) {
  if (in->kernel_start) {
    issue_ref_reset(u);
    return;
  }
  struct issue_warps w = warps_of(in);
  unsigned pick[2];
  bool grant[2];
  picks_of(in, pick);
  issue_ref_grants(u, &w, pick, grant);
  issue_ref_clock(u, &w, pick, grant);
  issue_ref_return(u, (unsigned)in->sp_credit, (unsigned)in->sfu_credit, (unsigned)in->mem_credit);
}

void issue_ref_view(const struct issue_ref *u, struct issue_view *view) {
  *view = (struct issue_view){
      .sp_count = {u->sp}, .sfu_count = {u->sfu}, .mem_count = {u->mem}, .prio = {u->prio}};
}
