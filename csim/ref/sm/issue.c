/* Reference of rtl/sm/issue.sv. */
#include "csim/ref/sm/issue.h"

#include "csim/isa/core/isa.h"

void issue_ref_reset(struct issue_ref *u) {
  u->first = (struct issue_slots){.sp = 8, .sfu = 4, .mem = 4};
  issue_ref_restart(u);
}

void issue_ref_restart(struct issue_ref *u) {
  issue_ref_start(u, u->first, (struct issue_slots){0, 0, 0});
}

void issue_ref_start(struct issue_ref *u, struct issue_slots own, struct issue_slots far) {
  u->side[0] = own;
  u->side[1] = far;
  u->prio = 0;
}

static enum isa_pipe pipe_of(const struct issue_warps *w, unsigned warp) {
  if (warpset_has(w->sfu, warp))
    return ISA_PIPE_SFU;
  if (warpset_has(w->mem, warp))
    return ISA_PIPE_MEM;
  return warpset_has(w->none, warp) ? ISA_PIPE_NONE : ISA_PIPE_SP;
}

static unsigned side_of(const struct issue_warps *w, unsigned warp) {
  return warpset_has(w->far, warp);
}

/* True if two picks want what only one can have: there is one SFU and one LDST unit, and each side
 * has SP slots of its own. */
static bool conflicts(const struct issue_ref *u, const struct issue_warps *w,
                      const unsigned pick[2]) {
  const enum isa_pipe pipe = pipe_of(w, pick[0]);
  const unsigned side = side_of(w, pick[0]);
  if (w->veto != NULL && w->veto->two)
    return true;
  if (pipe != pipe_of(w, pick[1]) || pipe == ISA_PIPE_NONE)
    return false;
  return pipe != ISA_PIPE_SP || (side == side_of(w, pick[1]) && u->side[side].sp == 1);
}

void issue_ref_grants(const struct issue_ref *u, const struct issue_warps *w,
                      const unsigned pick[2], bool grant[2]) {
  grant[0] = pick[0] != NO_WARP;
  grant[1] = pick[1] != NO_WARP;
  if (grant[0] && grant[1] && conflicts(u, w, pick))
    grant[1 - u->prio] = false;
}

enum stall issue_ref_vetoed_stall(const struct issue_ref *u, const struct issue_warps *w,
                                  unsigned parity, bool lost) {
  const struct issue_vetoes *v = w->veto;
  const warpset own = w->live & warpset_of_parity(parity);
  const warpset ready = issue_ref_ready(w) & own, slot = issue_ref_with_slot(u, w, ready);
  if (v->all && own != 0)
    return v->cause->all;
  if (v->pick[parity])
    return v->cause->pick;
  if (lost)
    return v->two ? v->cause->two : STALL_STRUCTURAL;
  if (ready & ~slot)
    return STALL_STRUCTURAL;
  if (slot & ~v->slot[1])
    return v->cause->slot[0];
  if (slot)
    return v->cause->slot[1];
  if (own & issue_ref_running(w) & w->head & w->hazard)
    return STALL_SCOREBOARD;
  if (own & v->ready[0])
    return v->cause->ready[0];
  return own & v->ready[1] ? v->cause->ready[1] : issue_ref_stall(w, parity);
}

void issue_ref_return(struct issue_ref *u, unsigned side, struct issue_slots freed) {
  u->side[side].sp += freed.sp;
  u->side[side].sfu += freed.sfu;
  u->side[side].mem += freed.mem;
}

void issue_ref_clock(struct issue_ref *u, const struct issue_warps *w, const unsigned pick[2],
                     const bool grant[2]) {
  for (unsigned i = 0; i < 2; i++) {
    if (!grant[i])
      continue;
    const enum isa_pipe pipe = pipe_of(w, pick[i]);
    struct issue_slots *s = &u->side[side_of(w, pick[i])];
    s->sp -= pipe == ISA_PIPE_SP;
    s->sfu -= pipe == ISA_PIPE_SFU;
    s->mem -= pipe == ISA_PIPE_MEM;
  }
  if (pick[0] != NO_WARP && pick[1] != NO_WARP && !(grant[0] && grant[1]))
    u->prio = 1 - u->prio;
}

/* The vetoes of the ports, in *v; NULL if there is none.  Their codes are those of the module. */
static const struct issue_vetoes *vetoes_of(const struct issue_in *in, struct issue_vetoes *v) {
  static const struct issue_causes causes = {11, 12, 8, {9, 10}, {7, 12}};
  if ((in->veto_all | in->veto_two | in->veto_pick0 | in->veto_pick1 | in->veto_slot_a |
       in->veto_slot_b | in->veto_ready_a | in->veto_ready_b) == 0)
    return NULL;
  *v = (struct issue_vetoes){
      .cause = &causes,
      .all = in->veto_all != 0,
      .two = in->veto_two != 0,
      .pick = {in->veto_pick0 && in->pick0_valid, in->veto_pick1 && in->pick1_valid},
      .slot = {in->veto_slot_a, in->veto_slot_b},
      .ready = {in->veto_ready_a, in->veto_ready_b}};
  return v;
}

static struct issue_warps warps_of(const struct issue_in *in, struct issue_vetoes *v) {
  return (struct issue_warps){.live = in->live,
                              .ctrl = in->ctrl,
                              .settle = in->settle,
                              .waiting = in->waiting,
                              .head = in->ib_valid,
                              .hazard = in->hazard,
                              .sfu = in->ib_sfu,
                              .mem = in->ib_mem,
                              .none = in->ib_none,
                              .far = in->far,
                              .veto = vetoes_of(in, v)};
}

/* The picks, without those that are vetoed. */
static void picks_of(const struct issue_in *in, unsigned pick[2]) {
  pick[0] = in->pick0_valid && !in->veto_pick0 ? (unsigned)in->pick0_warp : NO_WARP;
  pick[1] = in->pick1_valid && !in->veto_pick1 ? (unsigned)in->pick1_warp : NO_WARP;
}

static bool takes_mem(const struct issue_warps *w, unsigned pick, bool grant) {
  return grant && pipe_of(w, pick) == ISA_PIPE_MEM;
}

static unsigned stall_of(const struct issue_ref *u, const struct issue_warps *w,
                         const unsigned pick[2], const bool grant[2], unsigned s) {
  if (grant[s])
    return STALL_NONE;
  return w->veto == NULL ? issue_ref_stall(w, s)
                         : issue_ref_vetoed_stall(u, w, s, pick[s] != NO_WARP);
}

void issue_ref_eval(const struct issue_ref *u, const struct issue_in *in, struct issue_out *out) {
  struct issue_vetoes v;
  const struct issue_warps w = warps_of(in, &v);
  unsigned pick[2];
  bool grant[2];
  picks_of(in, pick);
  issue_ref_grants(u, &w, pick, grant);
  *out = (struct issue_out){.elig = issue_ref_elig(u, &w),
                            .grant0 = grant[0],
                            .grant1 = grant[1],
                            .take_mem = takes_mem(&w, pick[0], grant[0]) ||
                                        takes_mem(&w, pick[1], grant[1]),
                            .mem_home = issue_ref_mem_home(u),
                            .stall0 = stall_of(u, &w, pick, grant, 0),
                            .stall1 = stall_of(u, &w, pick, grant, 1)};
}

void issue_ref_step(struct issue_ref *u, const struct issue_in *in) {
  if (in->kernel_start) {
    issue_ref_start(u,
                    (struct issue_slots){(unsigned)in->start_sp, (unsigned)in->start_sfu,
                                         (unsigned)in->start_mem},
                    (struct issue_slots){(unsigned)in->start_sp1, (unsigned)in->start_sfu1,
                                         (unsigned)in->start_mem1});
    return;
  }
  struct issue_vetoes v;
  const struct issue_warps w = warps_of(in, &v);
  unsigned pick[2];
  bool grant[2];
  picks_of(in, pick);
  issue_ref_grants(u, &w, pick, grant);
  issue_ref_clock(u, &w, pick, grant);
  issue_ref_return(u, 0,
                   (struct issue_slots){(unsigned)in->sp_credit, (unsigned)in->sfu_credit,
                                        (unsigned)in->mem_credit});
  issue_ref_return(u, 1,
                   (struct issue_slots){(unsigned)in->sp_credit1, (unsigned)in->sfu_credit1,
                                        (unsigned)in->mem_credit1});
}

void issue_ref_view(const struct issue_ref *u, struct issue_view *view) {
  *view = (struct issue_view){.sp_count = {u->side[0].sp},
                              .sfu_count = {u->side[0].sfu},
                              .mem_count = {u->side[0].mem},
                              .sp_count1 = {u->side[1].sp},
                              .sfu_count1 = {u->side[1].sfu},
                              .mem_count1 = {u->side[1].mem},
                              .prio = {u->prio}};
}
