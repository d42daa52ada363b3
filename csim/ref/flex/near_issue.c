/* Reference of rtl/flex/near_issue.sv. */
#include "csim/ref/flex/near_issue.h"

#include "csim/isa/core/isa.h"

struct near_slots near_slots_of(enum near_mode mode, unsigned side) {
  static const struct near_slots slots[NEAR_MODES][2] = {
      [NEAR_MODE_BASE] = {{8, 4, 4}, {0, 0, 0}},       [NEAR_MODE_OCC] = {{12, 4, 4}, {12, 4, 4}},
      [NEAR_MODE_BAL] = {{12, 4, 4}, {6, 2, 2}},       [NEAR_MODE_BIGSM] = {{12, 4, 4}, {0, 0, 0}},
      [NEAR_MODE_BIGSM_OCC] = {{12, 4, 4}, {0, 0, 0}},
  };
  return slots[mode][side];
}

void near_issue_ref_start(struct near_issue_ref *u, enum near_mode mode) {
  u->side[0] = near_slots_of(mode, 0);
  u->side[1] = near_slots_of(mode, 1);
  u->prio = 0;
}

void near_issue_ref_reset(struct near_issue_ref *u) { near_issue_ref_start(u, NEAR_MODE_BASE); }

static enum isa_pipe near_pipe_of(const struct near_warps *w, unsigned warp) {
  if (warpset_has(w->sfu, warp))
    return ISA_PIPE_SFU;
  if (warpset_has(w->mem, warp))
    return ISA_PIPE_MEM;
  return warpset_has(w->none, warp) ? ISA_PIPE_NONE : ISA_PIPE_SP;
}

/* The counter of a pipe; NULL: it needs no slot. */
static unsigned *near_slot(struct near_slots *s, enum isa_pipe pipe) {
  switch (pipe) {
  case ISA_PIPE_SP:
    return &s->sp;
  case ISA_PIPE_SFU:
    return &s->sfu;
  case ISA_PIPE_MEM:
    return &s->mem;
  default:
    return NULL;
  }
}

/* Live warps that wait for no branch, pop or barrier. */
static warpset near_running(const struct near_warps *w) {
  return w->live & ~(w->ctrl | w->settle | w->waiting);
}

static warpset near_ready(const struct near_warps *w) {
  return near_running(w) & w->head & ~w->hazard;
}

/* Returns the warps whose pipe has no slot on a side. */
static warpset near_full(const struct near_warps *w, struct near_slots s) {
  const warpset sp = ~(w->sfu | w->mem | w->none);
  return (s.sp == 0 ? sp : 0) | (s.sfu == 0 ? w->sfu : 0) | (s.mem == 0 ? w->mem : 0);
}

warpset near_issue_ref_elig(const struct near_issue_ref *u, const struct near_warps *w) {
  const warpset full = (near_full(w, u->side[0]) & ~w->far) | (near_full(w, u->side[1]) & w->far);
  return w->hold ? 0 : near_ready(w) & ~full;
}

bool near_issue_ref_grants(const struct near_issue_ref *u, const struct near_warps *w,
                           const unsigned pick[2], bool grant[2]) {
  grant[0] = pick[0] != NO_WARP;
  grant[1] = pick[1] != NO_WARP;
  if (!grant[0] || !grant[1])
    return false;
  const enum isa_pipe pipe = near_pipe_of(w, pick[0]);
  const unsigned side = warpset_has(w->far, pick[0]);
  if (pipe != near_pipe_of(w, pick[1]) || pipe == ISA_PIPE_NONE)
    return false;
  if (pipe == ISA_PIPE_SP && (side != warpset_has(w->far, pick[1]) || u->side[side].sp != 1))
    return false;
  grant[1 - u->prio] = false;
  return true;
}

enum stall near_issue_ref_stall(const struct near_warps *w, unsigned parity) {
  const warpset own = w->live & warpset_of_parity(parity);
  if (own == 0)
    return STALL_IDLE;
  if (w->hold)
    return STALL_HOLD;
  if (own & near_ready(w))
    return STALL_STRUCTURAL;
  if (own & near_running(w) & w->head & w->hazard)
    return STALL_SCOREBOARD;
  if (own & (w->ctrl | w->settle))
    return STALL_CONTROL;
  return own & near_running(w) & ~w->head ? STALL_FETCH : STALL_BARRIER;
}

void near_issue_ref_clock(struct near_issue_ref *u, const struct near_warps *w,
                          const unsigned pick[2]) {
  bool grant[2];
  const bool conflict = near_issue_ref_grants(u, w, pick, grant);
  for (unsigned i = 0; i < 2; i++) {
    unsigned *slot =
        grant[i] ? near_slot(&u->side[warpset_has(w->far, pick[i])], near_pipe_of(w, pick[i]))
                 : NULL;
    if (slot != NULL)
      (*slot)--;
  }
  u->prio ^= conflict;
}

void near_issue_ref_return(struct near_issue_ref *u, unsigned side, struct near_slots freed) {
  u->side[side].sp += freed.sp;
  u->side[side].sfu += freed.sfu;
  u->side[side].mem += freed.mem;
}

static struct near_warps near_warps_of(const struct near_issue_in *in) {
  return (struct near_warps){.live = in->live,
                             .ctrl = in->ctrl,
                             .settle = in->settle,
                             .waiting = in->waiting,
                             .head = in->ib_valid,
                             .hazard = in->hazard,
                             .sfu = in->ib_sfu,
                             .mem = in->ib_mem,
                             .none = in->ib_none,
                             .far = in->far,
                             .hold = in->hold != 0};
}

static void near_picks_of(const struct near_issue_in *in, unsigned pick[2]) {
  pick[0] = in->pick0_valid ? (unsigned)in->pick0_warp : NO_WARP;
  pick[1] = in->pick1_valid ? (unsigned)in->pick1_warp : NO_WARP;
}

void near_issue_ref_eval(const struct near_issue_ref *u, const struct near_issue_in *in,
                         struct near_issue_out *out) {
  const struct near_warps w = near_warps_of(in);
  unsigned pick[2];
  bool grant[2];
  near_picks_of(in, pick);
  near_issue_ref_grants(u, &w, pick, grant);
  *out = (struct near_issue_out){.elig = near_issue_ref_elig(u, &w),
                                 .grant0 = grant[0],
                                 .grant1 = grant[1],
                                 .stall0 = grant[0] ? STALL_NONE : near_issue_ref_stall(&w, 0),
                                 .stall1 = grant[1] ? STALL_NONE : near_issue_ref_stall(&w, 1)};
}

void near_issue_ref_step(struct near_issue_ref *u, const struct near_issue_in *in) {
  if (in->kernel_start) {
    near_issue_ref_start(u, (enum near_mode)in->mode);
    return;
  }
  const struct near_warps w = near_warps_of(in);
  unsigned pick[2];
  near_picks_of(in, pick);
  near_issue_ref_clock(u, &w, pick);
  near_issue_ref_return(u, 0,
                        (struct near_slots){(unsigned)in->sp_credit, (unsigned)in->sfu_credit,
                                            (unsigned)in->mem_credit});
  near_issue_ref_return(u, 1,
                        (struct near_slots){(unsigned)in->sp_credit1, (unsigned)in->sfu_credit1,
                                            (unsigned)in->mem_credit1});
}

void near_issue_ref_view(const struct near_issue_ref *u, struct near_issue_view *view) {
  *view = (struct near_issue_view){.sp_count = {u->side[0].sp},
                                   .sfu_count = {u->side[0].sfu},
                                   .mem_count = {u->side[0].mem},
                                   .sp_count1 = {u->side[1].sp},
                                   .sfu_count1 = {u->side[1].sfu},
                                   .mem_count1 = {u->side[1].mem},
                                   .prio = {u->prio}};
}
