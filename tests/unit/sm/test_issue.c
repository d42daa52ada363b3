/* issue: who is eligible, who is granted, why nothing issues. */
#include "csim/ref/sm/issue.h"

#define UNIT issue
enum { SFU_SLOTS = 4 };
static unsigned sp_slots, mem_slots; /* members of clusters have more than others */
static void reset(struct issue_ref *u) {
  issue_ref_reset(u);
  u->sp_slots = sp_slots;
  u->mem_slots = mem_slots;
  issue_ref_restart(u);
}
#define UNIT_REF_RESET(ref) reset(ref)
/* Bits that no legal input changes. */
#define UNIT_UNREACHED(F) F(pick0_warp, 1, "even warps")
#include "tests/unit/lockstep.h"

#define COVERAGE(F)                                                                                \
  F(both_sfu)                                                                                      \
  F(both_sfu_one_credit)                                                                           \
  F(both_mem)                                                                                      \
  F(both_mem_one_credit)                                                                           \
  F(both_sp_one_credit)                                                                            \
  F(both_sp_two_credits)                                                                           \
  F(both_none)                                                                                     \
  F(different_pipes)                                                                               \
  F(conflict_for_0)                                                                                \
  F(conflict_for_1)                                                                                \
  F(no_sp_credit)                                                                                  \
  F(no_sfu_credit)                                                                                 \
  F(no_mem_credit)                                                                                 \
  F(credit_returned_as_taken)                                                                      \
  F(two_sp_credits_at_zero)                                                                        \
  F(stall0_idle)                                                                                   \
  F(stall0_structural)                                                                             \
  F(stall0_scoreboard)                                                                             \
  F(stall0_control)                                                                                \
  F(stall0_barrier)                                                                                \
  F(stall0_fetch)                                                                                  \
  F(stall1_idle)                                                                                   \
  F(stall1_structural)                                                                             \
  F(stall1_scoreboard)                                                                             \
  F(stall1_control)                                                                                \
  F(stall1_barrier)                                                                                \
  F(stall1_fetch)                                                                                  \
  F(hold_of_ready)                                                                                 \
  F(verdict_of_ready)                                                                              \
  F(verdict_behind_hazard)                                                                         \
  F(no_place_but_other_pipes)                                                                      \
  F(store_beside_full_monitor)                                                                     \
  F(load_beside_full_monitor)                                                                      \
  F(no_place_and_full_monitor)                                                                     \
  F(one_slot_for_two)                                                                              \
  F(one_slot_for_one)                                                                              \
  F(one_slot_with_conflict)                                                                        \
  F(takes_mem_of_0)                                                                                \
  F(takes_mem_of_1)                                                                                \
  F(stall0_verdict)                                                                                \
  F(stall0_slot)                                                                                   \
  F(stall0_members)                                                                                \
  F(stall0_monitor)                                                                                \
  F(stall0_hold)                                                                                   \
  F(stall1_verdict)                                                                                \
  F(stall1_slot)                                                                                   \
  F(stall1_members)                                                                                \
  F(stall1_monitor)                                                                                \
  F(stall1_hold)                                                                                   \
  F(stall0_park)                                                                                   \
  F(stall1_park)                                                                                   \
  F(stopped_no_conflict)                                                                           \
  F(stopped_both)                                                                                  \
  F(parked_ready)                                                                                  \
  F(mem_home)                                                                                      \
  F(mem_away)                                                                                      \
  F(last_two_of_sp)                                                                                \
  F(last_of_mem)                                                                                   \
  F(sp_comes_home)                                                                                 \
  F(mem_comes_home)                                                                                \
  F(kernel_starts)
COVER_DEFINE(COVERAGE)

static void parameters(void) {
  sp_slots = device_parameter("SpSlots", 8);
  mem_slots = device_parameter("MemSlots", 4);
}

#define ALL UINT64_C(0xffffffffffff)
#define EVEN UINT64_C(0x555555555555)
#define ODD UINT64_C(0xaaaaaaaaaaaa)

/* Warps 0 and 2 of scheduler 0, 1 and 3 of scheduler 1. */
static void conflicts_and_credits(struct lockstep *l) {
  EXPECT_STATE(sp_count, 0, sp_slots);
  EXPECT_STATE(sfu_count, 0, SFU_SLOTS);
  EXPECT_STATE(mem_count, 0, mem_slots);
  EXPECT_STATE(prio, 0, 0);
  /* Two SFU picks: one pipe, so scheduler 0 goes first, and the turn passes. */
  TICK(.live = 3, .ib_valid = 3, .ib_sfu = 3, .pick0_valid = 1, .pick0_warp = 0, .pick1_valid = 1,
       .pick1_warp = 1);
  EXPECT(elig, 3);
  EXPECT(grant0, 1);
  EXPECT(grant1, 0);
  EXPECT(stall0, 0);
  EXPECT(stall1, 2);
  EXPECT_STATE(sfu_count, 0, 3);
  EXPECT_STATE(prio, 0, 1);
  /* Again: now scheduler 1. */
  TICK(.live = 3, .ib_valid = 3, .ib_mem = 3, .pick0_valid = 1, .pick0_warp = 0, .pick1_valid = 1,
       .pick1_warp = 1);
  EXPECT(grant0, 0);
  EXPECT(grant1, 1);
  EXPECT(stall0, 2);
  EXPECT(stall1, 0);
  EXPECT_STATE(mem_count, 0, mem_slots - 1);
  EXPECT_STATE(prio, 0, 0);
  /* SFU beside MEM: both, and a slot of each comes back. */
  TICK(.live = 3, .ib_valid = 3, .ib_mem = 1, .ib_sfu = 2, .pick0_valid = 1, .pick0_warp = 0,
       .pick1_valid = 1, .pick1_warp = 1, .sfu_credit = 1, .mem_credit = 1);
  EXPECT(grant0, 1);
  EXPECT(grant1, 1);
  EXPECT_STATE(sfu_count, 0, 3);
  EXPECT_STATE(mem_count, 0, mem_slots - 1);
  /* Two NONE picks: both, nothing is taken. */
  TICK(.live = 3, .ib_valid = 3, .ib_none = 3, .pick0_valid = 1, .pick0_warp = 0, .pick1_valid = 1,
       .pick1_warp = 1);
  EXPECT(grant0, 1);
  EXPECT(grant1, 1);
  EXPECT_STATE(sp_count, 0, sp_slots);
  EXPECT_STATE(prio, 0, 0);
}

static void sp_runs_out(struct lockstep *l) {
  /* SP takes two a cycle. */
  for (unsigned left = sp_slots; left > 2; left -= 2)
    TICK(.live = 3, .ib_valid = 3, .pick0_valid = 1, .pick0_warp = 0, .pick1_valid = 1,
         .pick1_warp = 1);
  EXPECT(grant1, 1);
  EXPECT_STATE(sp_count, 0, 2);
  /* Two slots for two picks: no conflict. */
  TICK(.live = 3, .ib_valid = 3, .pick0_valid = 1, .pick0_warp = 0, .pick1_valid = 1,
       .pick1_warp = 1, .sp_credit = 1);
  EXPECT(grant0, 1);
  EXPECT(grant1, 1);
  EXPECT_STATE(sp_count, 0, 1);
  /* One slot for two. */
  TICK(.live = 3, .ib_valid = 3, .pick0_valid = 1, .pick0_warp = 0, .pick1_valid = 1,
       .pick1_warp = 1);
  EXPECT(grant0, 1);
  EXPECT(grant1, 0);
  EXPECT_STATE(sp_count, 0, 0);
  EXPECT_STATE(prio, 0, 1);
  /* None: SP warps are not eligible, a NONE warp is; a returned slot counts from the next cycle. */
  TICK(.live = 15, .ib_valid = 15, .ib_none = 8, .pick1_valid = 1, .pick1_warp = 3, .sp_credit = 2);
  EXPECT(elig, 8);
  EXPECT(grant1, 1);
  EXPECT(stall0, 2);
  EXPECT_STATE(sp_count, 0, 2);
  /* A new kernel gives all back. */
  TICK(.kernel_start = 1);
  EXPECT_STATE(sp_count, 0, sp_slots);
  EXPECT_STATE(prio, 0, 0);
}

static void stall_causes(struct lockstep *l) {
  static const struct {
    const char *what;
    uint64_t live, ctrl, settle, waiting, head, hazard, stall0, stall1;
  } cases[] = {
      {"no warp", 0, 0, 0, 0, 0, 0, 1, 1},
      {"no live warp, though others' bits are set", 0, 15, 15, 15, 15, 15, 1, 1},
      {"hazards of both", 3, 0, 0, 0, 3, 3, 3, 3},
      {"scheduler 0 waits for a branch, 1 for fetch", 3, 1, 0, 0, 0, 0, 4, 6},
      {"0 has a warp to pop, 1 waits at a barrier", 3, 0, 1, 2, 0, 0, 4, 5},
      {"a hazard comes before control", 15, 1, 2, 0, 12, 12, 3, 3},
      {"control comes before fetch", 15, 1, 2, 0, 0, 0, 4, 4},
      {"fetch comes before a barrier", 15, 0, 0, 3, 0, 0, 6, 6},
      {"a hazard of a warp that waits at a barrier does not count", 3, 0, 0, 3, 3, 3, 5, 5},
      {"a hazard of a warp with a branch does not count", 3, 3, 0, 0, 3, 3, 4, 4},
      {"other scheduler's warps do not count", 1, 1, 0, 0, 0, 0, 4, 1},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    TICK(.live = cases[i].live, .ctrl = cases[i].ctrl, .settle = cases[i].settle,
         .waiting = cases[i].waiting, .ib_valid = cases[i].head, .hazard = cases[i].hazard);
    lockstep_expect(cases[i].what, l->ref_out.stall0, l->dut_out.stall0, cases[i].stall0, __FILE__,
                    __LINE__);
    lockstep_expect(cases[i].what, l->ref_out.stall1, l->dut_out.stall1, cases[i].stall1, __FILE__,
                    __LINE__);
    EXPECT(elig, 0);
  }
}

/* Warps 0 and 2 of scheduler 0, 1 and 3 of scheduler 1; warps 0 and 1 have loads, 2 and 3 stores.
 */
static void members_of_clusters(struct lockstep *l) {
#define MEMORY .live = 15, .ib_valid = 15, .ib_mem = 15, .ib_load = 3
  /* Hold: nothing is eligible, whatever else would keep it. */
  TICK(MEMORY, .hold = 1, .members_short = 1, .mon_full = 1);
  EXPECT(elig, 0);
  EXPECT(stall0, 11);
  EXPECT(stall1, 11);
  TICK(.live = 1, .ctrl = 1, .hold = 1);
  EXPECT(stall0, 11);
  EXPECT(stall1, 1);
  /* A full monitor keeps loads, of its warp alone. */
  TICK(MEMORY, .mon_full = 1, .pick0_valid = 1, .pick0_warp = 2, .pick1_valid = 1, .pick1_warp = 3);
  EXPECT(elig, 14);
  EXPECT(take_mem, 1);
  EXPECT(stall1, 2);
  TICK(.live = 3, .ib_valid = 3, .ib_mem = 3, .ib_load = 3, .mon_full = 3);
  EXPECT(elig, 0);
  EXPECT(take_mem, 0);
  EXPECT(stall0, 10);
  EXPECT(stall1, 10);
  /* A member without a place keeps stores too; a store that only this keeps comes first. */
  TICK(MEMORY, .members_short = 1, .mon_full = 3);
  EXPECT(elig, 0);
  EXPECT(stall0, 9);
  EXPECT(stall1, 9);
  TICK(.live = 3, .ib_valid = 3, .ib_mem = 3, .ib_load = 3, .members_short = 1, .mon_full = 1);
  EXPECT(stall0, 10);
  EXPECT(stall1, 9);
  /* Other pipes go on. */
  TICK(.live = 3, .ib_valid = 3, .ib_mem = 1, .members_short = 1, .pick1_valid = 1,
       .pick1_warp = 1);
  EXPECT(elig, 2);
  EXPECT(take_mem, 0);
  EXPECT(stall0, 9);
  EXPECT(stall1, 0);
#undef MEMORY
}

static void verdicts_and_slots(struct lockstep *l) {
  /* A warp in its verdict window is not ready; the stall cause of its hazard comes first. */
  TICK(.live = 3, .ib_valid = 3, .verdict = 3);
  EXPECT(elig, 0);
  EXPECT(stall0, 7);
  EXPECT(stall1, 7);
  TICK(.live = 15, .ctrl = 8, .ib_valid = 3, .hazard = 1, .verdict = 3);
  EXPECT(stall0, 3);
  EXPECT(stall1, 7);
  /* With one slot for two scheduler 0 goes first, and the turn passes; alone each may use it. */
  TICK(.live = 3, .ib_valid = 3, .one_slot = 1, .pick0_valid = 1, .pick0_warp = 0, .pick1_valid = 1,
       .pick1_warp = 1);
  EXPECT(elig, 3);
  EXPECT(grant0, 1);
  EXPECT(grant1, 0);
  EXPECT(stall1, 8);
  EXPECT_STATE(prio, 0, 1);
  TICK(.live = 3, .ib_valid = 3, .ib_none = 3, .one_slot = 1, .pick0_valid = 1, .pick0_warp = 0,
       .pick1_valid = 1, .pick1_warp = 1);
  EXPECT(grant0, 0);
  EXPECT(grant1, 1);
  EXPECT(stall0, 8);
  EXPECT_STATE(prio, 0, 0);
  TICK(.live = 3, .ib_valid = 2, .one_slot = 1, .pick1_valid = 1, .pick1_warp = 1);
  EXPECT(grant1, 1);
  EXPECT(stall0, 6);
  EXPECT_STATE(prio, 0, 0);
}

/* Warp 0 stops at the park PC; then it is parked, and its scheduler has warp 2. */
static void parking(struct lockstep *l) {
  TICK(.live = 3, .ib_valid = 3, .ib_sfu = 3, .pick0_valid = 1, .pick0_warp = 0, .pick1_valid = 1,
       .pick1_warp = 1, .stop0 = 1);
  EXPECT(elig, 3);
  EXPECT(grant0, 0);
  EXPECT(grant1, 1);
  EXPECT(stall0, 12);
  EXPECT(stall1, 0);
  EXPECT_STATE(prio, 0, 0);
  EXPECT_STATE(sfu_count, 0, 3);
  TICK(.live = 7, .ib_valid = 7, .parked = 1, .pick0_valid = 1, .pick0_warp = 2, .pick1_valid = 1,
       .pick1_warp = 1, .stop1 = 1);
  EXPECT(elig, 6);
  EXPECT(grant0, 1);
  EXPECT(grant1, 0);
  EXPECT(stall1, 12);
  /* The stall causes scoreboard, verdict and hold come before park; control comes after it. */
  TICK(.live = 5, .ib_valid = 5, .parked = 1, .hazard = 4);
  EXPECT(elig, 0);
  EXPECT(stall0, 3);
  TICK(.live = 5, .ib_valid = 5, .parked = 1, .verdict = 4);
  EXPECT(stall0, 7);
  TICK(.live = 5, .ib_valid = 5, .parked = 1, .ctrl = 4);
  EXPECT(stall0, 12);
  EXPECT(stall1, 1);
  TICK(.live = 5, .ib_valid = 5, .parked = 1, .hold = 1);
  EXPECT(stall0, 11);
}

static void memory_places(struct lockstep *l) {
  TICK(.live = 1, .ib_valid = 1, .ib_mem = 1, .pick0_valid = 1);
  EXPECT(take_mem, 1);
  EXPECT(mem_home, 1);
  TICK(.mem_credit = 1);
  EXPECT(mem_home, 0);
  TICK(0);
  EXPECT(mem_home, 1);
}

/* MEM takes one a cycle. */
static void mem_runs_out(struct lockstep *l) {
  for (unsigned left = mem_slots; left > 0; left--) {
    EXPECT_STATE(mem_count, 0, left);
    TICK(.live = 1, .ib_valid = 1, .ib_mem = 1, .pick0_valid = 1);
    EXPECT(take_mem, 1);
    EXPECT(mem_home, left == mem_slots);
  }
  /* Other pipes go on; a returned slot counts from the next cycle. */
  TICK(.live = 3, .ib_valid = 3, .ib_mem = 1, .pick1_valid = 1, .pick1_warp = 1, .mem_credit = 1);
  EXPECT(elig, 2);
  EXPECT(stall0, 2);
  EXPECT(mem_home, 0);
  EXPECT_STATE(mem_count, 0, 1);
  /* A new kernel gives all back. */
  TICK(.kernel_start = 1);
  EXPECT_STATE(mem_count, 0, mem_slots);
  TICK(0);
  EXPECT(mem_home, 1);
}

struct driver {
  unsigned live, held, waiting, head, hazard; /* densities */
  unsigned sfu, mem, none;
  unsigned credits;             /* per cent */
  unsigned hold, members, slot; /* of a cluster, per cent */
  unsigned verdict, full;       /* densities */
  unsigned park;                /* per cent of cycles: warps stop or are parked */
};

static unit_in drive(const struct lockstep *l, struct rng *r, const struct driver *d) {
  unit_in in = {.live = rng_subset(r, ALL, d->live)};
  in.ctrl = rng_subset(r, in.live, d->held);
  in.settle = rng_subset(r, in.live & ~in.ctrl, d->held);
  in.waiting = rng_subset(r, in.live & ~in.ctrl & ~in.settle, d->waiting);
  in.ib_valid = rng_subset(r, ALL, d->head);
  in.ib_sfu = rng_subset(r, in.ib_valid, d->sfu);
  in.ib_mem = rng_subset(r, in.ib_valid & ~in.ib_sfu, d->mem);
  in.ib_none = rng_subset(r, in.ib_valid & ~in.ib_sfu & ~in.ib_mem, d->none);
  in.hazard = rng_subset(r, in.ib_valid, d->hazard);
  in.ib_load = rng_subset(r, in.ib_mem, rng_below(r, 5));
  in.hold = rng_chance(r, d->hold);
  in.members_short = rng_chance(r, d->members);
  in.one_slot = rng_chance(r, d->slot);
  in.verdict = rng_subset(r, in.live & ~in.ctrl, d->verdict);
  in.mon_full = rng_subset(r, ALL, d->full);
  unsigned sp = sp_slots - l->ref.sp;
  if (sp != 0 && rng_chance(r, d->credits))
    in.sp_credit = sp > 1 && rng_chance(r, 50) ? 2 : 1;
  in.sfu_credit = l->ref.sfu < SFU_SLOTS && rng_chance(r, d->credits);
  in.mem_credit = l->ref.mem < mem_slots && rng_chance(r, d->credits);
  if (rng_chance(r, d->park))
    in.parked = rng_subset(r, in.live, rng_below(r, 5));
  warpset elig = lockstep_peek(l, &in).elig;
  in.pick0_valid = (elig & EVEN) != 0;
  in.pick0_warp = in.pick0_valid ? rng_member(r, elig & EVEN) : 0;
  in.pick1_valid = (elig & ODD) != 0;
  in.pick1_warp = in.pick1_valid ? rng_member(r, elig & ODD) : 0;
  in.stop0 = in.pick0_valid && rng_chance(r, d->park / 2);
  in.stop1 = in.pick1_valid && rng_chance(r, d->park / 2);
  return in;
}

static void cover_conflicts(const struct lockstep *l, const unit_in *in,
                            const struct issue_ref *before) {
  if (!in->pick0_valid || !in->pick1_valid)
    return;
  cover(COVER_stopped_both, in->stop0 && in->stop1);
  cover(COVER_stopped_no_conflict,
        in->one_slot && ((in->stop0 && before->prio == 0) || (in->stop1 && before->prio == 1)));
  if (in->stop0 || in->stop1)
    return;
#define BOTH(set) (((in->set >> in->pick0_warp) & (in->set >> in->pick1_warp) & 1) != 0)
  bool sfu = BOTH(ib_sfu), mem = BOTH(ib_mem), none = BOTH(ib_none);
  uint64_t other = in->ib_sfu | in->ib_mem | in->ib_none;
  bool sp = ((other >> in->pick0_warp | other >> in->pick1_warp) & 1) == 0;
#undef BOTH
  cover(COVER_both_sfu, sfu && before->sfu > 1);
  cover(COVER_both_sfu_one_credit, sfu && before->sfu == 1);
  cover(COVER_both_mem, mem && before->mem > 1);
  cover(COVER_both_mem_one_credit, mem && before->mem == 1);
  cover(COVER_both_sp_one_credit, sp && before->sp == 1);
  cover(COVER_both_sp_two_credits, sp && before->sp == 2);
  cover(COVER_both_none, none);
  cover(COVER_different_pipes, !sfu && !mem && !none && !sp);
  cover(COVER_conflict_for_0, l->ref_out.grant0 && !l->ref_out.grant1);
  cover(COVER_conflict_for_1, !l->ref_out.grant0 && l->ref_out.grant1);
}

/* Covers warps that the cluster keeps from issuing. */
static void cover_cluster(const struct lockstep *l, const unit_in *in) {
  const uint64_t runs = in->live & in->ib_valid & ~in->ctrl & ~in->settle & ~in->waiting;
  const uint64_t ready = runs & ~in->hazard & ~in->verdict, elig = l->ref_out.elig;
  const bool both = in->pick0_valid && in->pick1_valid;
  cover(COVER_hold_of_ready, in->hold && ready != 0);
  if (in->hold)
    return;
  cover(COVER_verdict_of_ready, (runs & ~in->hazard & in->verdict) != 0 && elig != 0);
  cover(COVER_verdict_behind_hazard, (runs & in->hazard & in->verdict) != 0);
  cover(COVER_no_place_but_other_pipes,
        in->members_short && (ready & in->ib_mem) != 0 && elig != 0);
  cover(COVER_store_beside_full_monitor,
        !in->members_short && (elig & in->ib_mem & ~in->ib_load & in->mon_full) != 0);
  cover(COVER_load_beside_full_monitor,
        !in->members_short && (elig & in->ib_load) != 0 && in->mon_full != 0);
  cover(COVER_no_place_and_full_monitor,
        in->members_short && (ready & in->ib_load & in->mon_full) != 0);
  cover(COVER_one_slot_for_two, in->one_slot && both && !in->stop0 && !in->stop1);
  cover(COVER_one_slot_for_one, in->one_slot && (in->pick0_valid != in->pick1_valid));
  cover(COVER_one_slot_with_conflict,
        in->one_slot && both && (in->ib_mem >> in->pick0_warp & in->ib_mem >> in->pick1_warp & 1));
  cover(COVER_takes_mem_of_0, l->ref_out.take_mem && !l->ref_out.grant1);
  cover(COVER_takes_mem_of_1, l->ref_out.take_mem && !l->ref_out.grant0);
}

static void cover_cycle(const struct lockstep *l, const unit_in *in,
                        const struct issue_ref *before) {
  cover_conflicts(l, in, before);
  cover_cluster(l, in);
  cover(COVER_no_sp_credit, before->sp == 0);
  cover(COVER_no_sfu_credit, before->sfu == 0);
  cover(COVER_no_mem_credit, before->mem == 0);
  cover(COVER_credit_returned_as_taken,
        in->mem_credit && in->pick0_valid && l->ref_out.grant0 && in->ib_mem >> in->pick0_warp & 1);
  cover(COVER_two_sp_credits_at_zero, before->sp == 0 && in->sp_credit == 2);
  static const unsigned points[2][STALL_CODES] = {{[STALL_IDLE] = COVER_stall0_idle,
                                                   [STALL_STRUCTURAL] = COVER_stall0_structural,
                                                   [STALL_SCOREBOARD] = COVER_stall0_scoreboard,
                                                   [STALL_CONTROL] = COVER_stall0_control,
                                                   [STALL_BARRIER] = COVER_stall0_barrier,
                                                   [STALL_FETCH] = COVER_stall0_fetch,
                                                   [STALL_VERDICT] = COVER_stall0_verdict,
                                                   [STALL_SLOT] = COVER_stall0_slot,
                                                   [STALL_MEMBERS] = COVER_stall0_members,
                                                   [STALL_MONITOR] = COVER_stall0_monitor,
                                                   [STALL_HOLD] = COVER_stall0_hold,
                                                   [STALL_PARK] = COVER_stall0_park},
                                                  {[STALL_IDLE] = COVER_stall1_idle,
                                                   [STALL_STRUCTURAL] = COVER_stall1_structural,
                                                   [STALL_SCOREBOARD] = COVER_stall1_scoreboard,
                                                   [STALL_CONTROL] = COVER_stall1_control,
                                                   [STALL_BARRIER] = COVER_stall1_barrier,
                                                   [STALL_FETCH] = COVER_stall1_fetch,
                                                   [STALL_VERDICT] = COVER_stall1_verdict,
                                                   [STALL_SLOT] = COVER_stall1_slot,
                                                   [STALL_MEMBERS] = COVER_stall1_members,
                                                   [STALL_MONITOR] = COVER_stall1_monitor,
                                                   [STALL_HOLD] = COVER_stall1_hold,
                                                   [STALL_PARK] = COVER_stall1_park}};
  if (l->ref_out.stall0 != STALL_NONE)
    cover(points[0][l->ref_out.stall0], true);
  if (l->ref_out.stall1 != STALL_NONE)
    cover(points[1][l->ref_out.stall1], true);
  cover(COVER_parked_ready,
        (in->live & in->ib_valid & in->parked & ~in->hazard & ~in->ctrl & ~in->waiting) != 0);
  cover(COVER_mem_home, l->ref_out.mem_home);
  cover(COVER_mem_away, !l->ref_out.mem_home);
  cover(COVER_last_two_of_sp, before->sp == 2 && l->ref.sp == 0);
  cover(COVER_last_of_mem, before->mem == 1 && l->ref.mem == 0);
  if (!in->kernel_start) {
    cover(COVER_sp_comes_home, before->sp < sp_slots && l->ref.sp == sp_slots);
    cover(COVER_mem_comes_home, before->mem < mem_slots && l->ref.mem == mem_slots);
  }
  cover(COVER_kernel_starts, in->kernel_start);
}

static void random_issue(struct lockstep *l, struct rng *r, uint64_t cycles) {
  struct driver d = {0};
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_below(r, 20) == 0)
      d = (struct driver){.live = rng_below(r, 5),
                          .held = rng_below(r, 4),
                          .waiting = rng_below(r, 5),
                          .head = rng_below(r, 5),
                          .hazard = rng_below(r, 5),
                          .sfu = rng_below(r, 4),
                          .mem = rng_below(r, 4),
                          .none = rng_below(r, 3),
                          .credits = rng_below(r, 101)};
    if (rng_below(r, 60) == 0) /* plenty to issue */
      d = (struct driver){
          .live = 4, .head = 4, .sfu = rng_below(r, 3), .mem = rng_below(r, 3), .credits = 50};
    if (rng_below(r, 20) == 0) { /* in a cluster, or alone */
      const bool member = rng_chance(r, 70);
      d.hold = member ? rng_below(r, 20) : 0;
      d.members = member ? rng_below(r, 60) : 0;
      d.slot = member ? rng_below(r, 60) : 0;
      d.verdict = member ? rng_below(r, 5) : 0;
      d.full = member ? rng_below(r, 5) : 0;
      d.park = member ? rng_below(r, 40) : 0;
    }
    if (rng_below(r, 100) == 0) /* nothing but memory */
      d = (struct driver){.live = 1 + rng_below(r, 2),
                          .head = 4,
                          .mem = 4,
                          .credits = 90,
                          .members = 50,
                          .full = 3 + rng_below(r, 2)};
    bool all_back = l->ref.sp == sp_slots && l->ref.sfu == SFU_SLOTS && l->ref.mem == mem_slots;
    unit_in in = drive(l, r, &d);
    if ((all_back && rng_chance(r, 2)) || rng_below(r, 200) == 0)
      in.kernel_start = 1; /* wins over what comes beside it */
    struct issue_ref before = l->ref;
    lockstep_tick(l, in);
    cover_cycle(l, &in, &before);
  }
}

UNIT_MAIN_WITH(parameters, DIRECTED(conflicts_and_credits), DIRECTED(sp_runs_out),
               DIRECTED(stall_causes), DIRECTED(members_of_clusters), DIRECTED(verdicts_and_slots),
               DIRECTED(parking), DIRECTED(memory_places), DIRECTED(mem_runs_out),
               RANDOM(random_issue))
