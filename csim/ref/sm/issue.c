/* Reference of rtl/sm/issue.sv. */
#include "csim/ref/sm/issue.h"

#include "csim/isa/core/isa.h"

enum { SP_SLOTS = 8, SFU_SLOTS = 4, MEM_SLOTS = 4 };

void issue_ref_reset(struct issue_ref *u) {
  u->sp_slots = SP_SLOTS;
  u->mem_slots = MEM_SLOTS;
  issue_ref_restart(u);
}

void issue_ref_restart(struct issue_ref *u) {
  *u = (struct issue_ref){.sp_slots = u->sp_slots,
                          .mem_slots = u->mem_slots,
                          .sp = u->sp_slots,
                          .sfu = SFU_SLOTS,
                          .mem = u->mem_slots};
}

static enum isa_pipe pipe_of(const struct issue_warps *w, unsigned warp) {
  if (warpset_has(w->sfu, warp))
    return ISA_PIPE_SFU;
  if (warpset_has(w->mem, warp))
    return ISA_PIPE_MEM;
  return warpset_has(w->none, warp) ? ISA_PIPE_NONE : ISA_PIPE_SP;
}

/* Warps that a cluster keeps back although they are ready. */
static warpset kept_back(const struct issue_warps *w) {
  const struct issue_group *g = w->group;
  return g->verdict | g->parked | (g->members_ok ? 0 : w->mem) | (g->load & g->mon_full);
}

warpset issue_ref_member_elig(const struct issue_warps *w, warpset elig) {
  return w->group->hold ? 0 : elig & ~kept_back(w);
}

void issue_ref_grants(const struct issue_ref *u, const struct issue_warps *w,
                      const unsigned pick[2], bool grant[2]) {
  grant[0] = pick[0] != NO_WARP;
  grant[1] = pick[1] != NO_WARP;
  if (!grant[0] || !grant[1])
    return;
  enum isa_pipe pipe = pipe_of(w, pick[0]);
  const bool fit =
      pipe != pipe_of(w, pick[1]) || pipe == ISA_PIPE_NONE || (pipe == ISA_PIPE_SP && u->sp > 1);
  if (fit && (w->group == NULL || !w->group->one_slot))
    return;
  grant[1 - u->prio] = false;
}

enum stall issue_ref_member_stall(const struct issue_ref *u, const struct issue_warps *w,
                                  unsigned parity, enum issue_pick pick) {
  const struct issue_group *g = w->group;
  const warpset own = w->live & warpset_of_parity(parity);
  const warpset ready = issue_ref_ready(w) & own & ~g->verdict & ~g->parked;
  const warpset slot = issue_ref_with_slot(u, w, ready);
  if (g->hold && own != 0)
    return STALL_HOLD;
  if (pick == PICK_STOPPED)
    return STALL_PARK;
  if (pick == PICK_LOST)
    return g->one_slot ? STALL_SLOT : STALL_STRUCTURAL;
  if (ready & ~slot)
    return STALL_STRUCTURAL;
  if (slot & ~(g->load & g->mon_full))
    return STALL_MEMBERS;
  if (slot)
    return STALL_MONITOR;
  if (issue_ref_running(w, own) & w->head & w->hazard)
    return STALL_SCOREBOARD;
  if (own & g->verdict)
    return STALL_VERDICT;
  return own & g->parked ? STALL_PARK : issue_ref_stall(w, parity);
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

/* The inputs that only a cluster has, in *group; NULL if all of them are 0. */
static const struct issue_group *group_of(const struct issue_in *in, struct issue_group *group) {
  if ((in->hold | in->members_short | in->one_slot | in->verdict | in->mon_full | in->parked |
       in->stop0 | in->stop1) == 0)
    return NULL;
  *group = (struct issue_group){.hold = in->hold != 0,
                                .one_slot = in->one_slot != 0,
                                .members_ok = in->members_short == 0,
                                .verdict = in->verdict,
                                .load = in->ib_load,
                                .mon_full = in->mon_full,
                                .parked = in->parked};
  return group;
}

static struct issue_warps warps_of(const struct issue_in *in, struct issue_group *group) {
  return (struct issue_warps){.live = in->live,
                              .ctrl = in->ctrl,
                              .settle = in->settle,
                              .waiting = in->waiting,
                              .head = in->ib_valid,
                              .hazard = in->hazard,
                              .sfu = in->ib_sfu,
                              .mem = in->ib_mem,
                              .none = in->ib_none,
                              .group = group_of(in, group)};
}

/* The picks, without those that park. */
static void picks_of(const struct issue_in *in, unsigned pick[2]) {
  pick[0] = in->pick0_valid && !in->stop0 ? (unsigned)in->pick0_warp : NO_WARP;
  pick[1] = in->pick1_valid && !in->stop1 ? (unsigned)in->pick1_warp : NO_WARP;
}

static bool takes_mem(const struct issue_warps *w, unsigned pick, bool grant) {
  return grant && pipe_of(w, pick) == ISA_PIPE_MEM;
}

static unsigned stall_of(const struct issue_ref *u, const struct issue_warps *w, unsigned pick,
                         bool stop, bool grant, unsigned parity) {
  if (grant)
    return STALL_NONE;
  if (w->group == NULL)
    return issue_ref_stall(w, parity);
  return issue_ref_member_stall(u, w, parity,
                                stop              ? PICK_STOPPED
                                : pick != NO_WARP ? PICK_LOST
                                                  : PICK_NONE);
}

void issue_ref_eval(const struct issue_ref *u, const struct issue_in *in, struct issue_out *out) {
  struct issue_group group;
  struct issue_warps w = warps_of(in, &group);
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
                            .stall0 = stall_of(u, &w, pick[0], in->stop0 != 0, grant[0], 0),
                            .stall1 = stall_of(u, &w, pick[1], in->stop1 != 0, grant[1], 1)};
}

void issue_ref_step(struct issue_ref *u, const struct issue_in *in) {
  if (in->kernel_start) {
    issue_ref_restart(u);
    return;
  }
  struct issue_group group;
  struct issue_warps w = warps_of(in, &group);
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
