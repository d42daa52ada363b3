/* near_issue: slots of two sides, conflicts, counts by mode, stall causes. */
#include "csim/ref/flex/near_issue.h"

static unsigned warps = 48;
/* Ports are as wide as they are many. */
#undef NEAR_ISSUE_WARPS
#define NEAR_ISSUE_WARPS warps
#define UNIT near_issue
/* Bits that no legal input changes. */
#define UNIT_UNREACHED(F)                                                                          \
  F(pick0_warp, 1 | (warps > 32 ? 0 : 32), "even warps")                                           \
  F(pick1_warp, warps > 32 ? 0 : 32, "warps that there are")
#include "tests/unit/lockstep.h"

#define COVERAGE(F)                                                                                \
  F(both_sfu_one_side)                                                                             \
  F(both_sfu_two_sides)                                                                            \
  F(both_mem_one_side)                                                                             \
  F(both_mem_two_sides)                                                                            \
  F(both_sp_last_of_side_0)                                                                        \
  F(both_sp_last_of_side_1)                                                                        \
  F(both_sp_last_of_each)                                                                          \
  F(both_sp_two_left)                                                                              \
  F(both_none)                                                                                     \
  F(different_pipes)                                                                               \
  F(conflict_for_0)                                                                                \
  F(conflict_for_1)                                                                                \
  F(side_0_full_side_1_goes_on)                                                                    \
  F(side_1_full_side_0_goes_on)                                                                    \
  F(no_sfu_on_side_1)                                                                              \
  F(no_mem_on_side_1)                                                                              \
  F(no_sfu_on_side_0)                                                                              \
  F(no_mem_on_side_0)                                                                              \
  F(credits_of_both_sides)                                                                         \
  F(two_sp_credits_at_zero)                                                                        \
  F(two_sp_credits_of_side_1_at_zero)                                                              \
  F(credit_returned_as_taken)                                                                      \
  F(hold_of_ready)                                                                                 \
  F(stall0_idle)                                                                                   \
  F(stall0_structural)                                                                             \
  F(stall0_scoreboard)                                                                             \
  F(stall0_control)                                                                                \
  F(stall0_barrier)                                                                                \
  F(stall0_fetch)                                                                                  \
  F(stall0_hold)                                                                                   \
  F(stall1_idle)                                                                                   \
  F(stall1_structural)                                                                             \
  F(stall1_scoreboard)                                                                             \
  F(stall1_control)                                                                                \
  F(stall1_barrier)                                                                                \
  F(stall1_fetch)                                                                                  \
  F(stall1_hold)                                                                                   \
  F(base_starts)                                                                                   \
  F(occ_starts)                                                                                    \
  F(bal_starts)                                                                                    \
  F(bigsm_starts)                                                                                  \
  F(bigsm_occ_starts)
COVER_DEFINE(COVERAGE)

static warpset all, even, odd;

static void parameters(void) {
  warps = device_parameter("Warps", 48);
  all = (UINT64_C(1) << warps) - 1;
  even = all & UINT64_C(0x5555555555555555);
  odd = all & ~even;
}

/* Two warps with heads, 0 of scheduler 0 and 1 of scheduler 1, both picked. */
#define PICKS                                                                                      \
  .live = 3, .ib_valid = 3, .pick0_valid = 1, .pick0_warp = 0, .pick1_valid = 1, .pick1_warp = 1

static void expect_counts(struct lockstep *l, struct near_slots own, struct near_slots far) {
  EXPECT_STATE(sp_count, 0, own.sp);
  EXPECT_STATE(sfu_count, 0, own.sfu);
  EXPECT_STATE(mem_count, 0, own.mem);
  EXPECT_STATE(sp_count1, 0, far.sp);
  EXPECT_STATE(sfu_count1, 0, far.sfu);
  EXPECT_STATE(mem_count1, 0, far.mem);
}

/* The counts with which each mode begins, by the table of the page; a reset leaves those of Base.
 */
static void modes(struct lockstep *l) {
  static const struct near_slots own[] = {
      {8, 4, 4}, {12, 4, 4}, {12, 4, 4}, {12, 4, 4}, {12, 4, 4}};
  static const struct near_slots far[] = {{0, 0, 0}, {12, 4, 4}, {6, 2, 2}, {0, 0, 0}, {0, 0, 0}};
  expect_counts(l, own[0], far[0]);
  for (unsigned from = 0; from < NEAR_MODES; from++)
    for (unsigned to = 0; to < NEAR_MODES; to++) {
      TICK(.kernel_start = 1, .mode = from);
      expect_counts(l, own[from], far[from]);
      TICK(PICKS, .ib_sfu = 1, .ib_mem = 2);
      TICK(PICKS, .ib_mem = 3);
      EXPECT_STATE(prio, 0, 1);
      TICK(.kernel_start = 1, .mode = to);
      expect_counts(l, own[to], far[to]);
      EXPECT_STATE(prio, 0, 0);
    }
}

/* There is one SFU and one LDST unit, so sides do not matter; the turn passes. */
static void one_unit_for_both_sides(struct lockstep *l) {
  TICK(.kernel_start = 1, .mode = NEAR_MODE_OCC);
  TICK(PICKS, .ib_sfu = 3, .far = 2);
  EXPECT(elig, 3);
  EXPECT(grant0, 1);
  EXPECT(grant1, 0);
  EXPECT(stall1, STALL_STRUCTURAL);
  expect_counts(l, (struct near_slots){12, 3, 4}, (struct near_slots){12, 4, 4});
  TICK(PICKS, .ib_sfu = 3, .far = 2);
  EXPECT(grant0, 0);
  EXPECT(grant1, 1);
  expect_counts(l, (struct near_slots){12, 3, 4}, (struct near_slots){12, 3, 4});
  TICK(PICKS, .ib_mem = 3, .far = 2);
  EXPECT(grant0, 1);
  EXPECT(grant1, 0);
  TICK(PICKS, .ib_mem = 3, .far = 2);
  EXPECT(grant0, 0);
  EXPECT(grant1, 1);
  expect_counts(l, (struct near_slots){12, 3, 3}, (struct near_slots){12, 3, 3});
  /* SFU beside MEM, and two that use no pipeline. */
  TICK(PICKS, .ib_mem = 1, .ib_sfu = 2, .far = 3);
  EXPECT(grant0, 1);
  EXPECT(grant1, 1);
  TICK(PICKS, .ib_none = 3, .far = 2);
  EXPECT(grant0, 1);
  EXPECT(grant1, 1);
  expect_counts(l, (struct near_slots){12, 3, 3}, (struct near_slots){12, 2, 2});
  EXPECT_STATE(prio, 0, 0);
}

/* SP takes two a cycle; only the last slot of one side is wanted by both. */
static void last_slots_of_sp(struct lockstep *l) {
  TICK(.kernel_start = 1, .mode = NEAR_MODE_BAL);
  /* Side 1 to its last slot, then side 0. */
  TICK(PICKS, .far = 3);
  TICK(PICKS, .far = 3);
  TICK(PICKS, .far = 2);
  for (unsigned i = 0; i < 5; i++)
    TICK(PICKS);
  expect_counts(l, (struct near_slots){1, 4, 4}, (struct near_slots){1, 2, 2});
  /* The last of each: no conflict.  Returned slots count from the next cycle on. */
  TICK(PICKS, .far = 1, .sp_credit = 1, .sp_credit1 = 2);
  EXPECT(grant0, 1);
  EXPECT(grant1, 1);
  expect_counts(l, (struct near_slots){1, 4, 4}, (struct near_slots){2, 2, 2});
  TICK(PICKS, .far = 3);
  EXPECT(grant0, 1);
  EXPECT(grant1, 1);
  /* Nothing on side 1; the last of side 0 for one of two. */
  TICK(.live = 7, .ib_valid = 7, .far = 4, .pick0_valid = 1, .pick0_warp = 0, .pick1_valid = 1,
       .pick1_warp = 1);
  EXPECT(elig, 3);
  EXPECT(grant0, 1);
  EXPECT(grant1, 0);
  EXPECT_STATE(prio, 0, 1);
  TICK(.live = 7, .ib_valid = 7, .ib_none = 2, .far = 4, .sp_credit1 = 1);
  EXPECT(elig, 2);
  EXPECT(stall0, STALL_STRUCTURAL);
  expect_counts(l, (struct near_slots){0, 4, 4}, (struct near_slots){1, 2, 2});
  /* The last of side 1 for one of two: the other scheduler's turn. */
  TICK(PICKS, .far = 3);
  EXPECT(grant0, 0);
  EXPECT(grant1, 1);
  expect_counts(l, (struct near_slots){0, 4, 4}, (struct near_slots){0, 2, 2});
}

/* Side 1 of SFU and MEM runs out alone. */
static void side_1_runs_out(struct lockstep *l) {
  TICK(.kernel_start = 1, .mode = NEAR_MODE_BAL);
  for (unsigned i = 0; i < 2; i++)
    TICK(PICKS, .ib_sfu = 1, .ib_mem = 2, .far = 3);
  expect_counts(l, (struct near_slots){12, 4, 4}, (struct near_slots){6, 0, 0});
  TICK(.live = 63, .ib_valid = 63, .ib_sfu = 3, .ib_mem = 12, .far = 053, .sfu_credit1 = 1);
  EXPECT(elig, 064);
  TICK(.live = 63, .ib_valid = 63, .ib_sfu = 3, .ib_mem = 12, .far = 053, .mem_credit1 = 1);
  EXPECT(elig, 067);
  expect_counts(l, (struct near_slots){12, 4, 4}, (struct near_slots){6, 1, 1});
}

static void holds(struct lockstep *l) {
  TICK(PICKS, .ib_sfu = 1);
  TICK(.live = 3, .ib_valid = 3, .hold = 1, .far = 2);
  EXPECT(elig, 0);
  EXPECT(stall0, STALL_HOLD);
  EXPECT(stall1, STALL_HOLD);
  TICK(.live = 2, .ctrl = 2, .hold = 1, .sfu_credit = 1);
  EXPECT(stall0, STALL_IDLE);
  EXPECT(stall1, STALL_HOLD);
  EXPECT_STATE(sfu_count, 0, 4);
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

struct driver {
  unsigned live, held, waiting, head, hazard; /* densities */
  unsigned sfu, mem, none;
  unsigned credits[2], hold; /* per cent */
  enum near_mode mode;
  warpset far;
};

/* True if a slot that is out comes back. */
static bool returns(struct rng *r, unsigned free, unsigned of, unsigned percent) {
  return free < of && rng_chance(r, percent);
}

static unsigned sp_returns(struct rng *r, unsigned free, unsigned of, unsigned percent) {
  if (!returns(r, free, of, percent))
    return 0;
  return of - free > 1 && rng_chance(r, 50) ? 2 : 1;
}

static unit_in drive(const struct lockstep *l, struct rng *r, const struct driver *d) {
  unit_in in = {.live = rng_subset(r, all, d->live), .far = d->far};
  in.ctrl = rng_subset(r, in.live, d->held);
  in.settle = rng_subset(r, in.live & ~in.ctrl, d->held);
  in.waiting = rng_subset(r, in.live & ~in.ctrl & ~in.settle, d->waiting);
  in.ib_valid = rng_subset(r, all, d->head);
  in.ib_sfu = rng_subset(r, in.ib_valid, d->sfu);
  in.ib_mem = rng_subset(r, in.ib_valid & ~in.ib_sfu, d->mem);
  in.ib_none = rng_subset(r, in.ib_valid & ~in.ib_sfu & ~in.ib_mem, d->none);
  in.hazard = rng_subset(r, in.ib_valid, d->hazard);
  in.hold = rng_chance(r, d->hold);
  const struct near_slots of = near_slots_of(d->mode, 0), of1 = near_slots_of(d->mode, 1);
  const struct near_slots *free = &l->ref.side[0], *free1 = &l->ref.side[1];
  in.sp_credit = sp_returns(r, free->sp, of.sp, d->credits[0]);
  in.sfu_credit = returns(r, free->sfu, of.sfu, d->credits[0]);
  in.mem_credit = returns(r, free->mem, of.mem, d->credits[0]);
  in.sp_credit1 = sp_returns(r, free1->sp, of1.sp, d->credits[1]);
  in.sfu_credit1 = returns(r, free1->sfu, of1.sfu, d->credits[1]);
  in.mem_credit1 = returns(r, free1->mem, of1.mem, d->credits[1]);
  const warpset elig = lockstep_peek(l, &in).elig;
  in.pick0_valid = (elig & even) != 0;
  in.pick0_warp = in.pick0_valid ? rng_member(r, elig & even) : 0;
  in.pick1_valid = (elig & odd) != 0;
  in.pick1_warp = in.pick1_valid ? rng_member(r, elig & odd) : 0;
  return in;
}

static void cover_conflicts(const struct lockstep *l, const unit_in *in,
                            const struct near_slots before[2]) {
  if (!in->pick0_valid || !in->pick1_valid)
    return;
#define BOTH(set) (((in->set >> in->pick0_warp) & (in->set >> in->pick1_warp) & 1) != 0)
  const bool sfu = BOTH(ib_sfu), mem = BOTH(ib_mem), none = BOTH(ib_none);
#undef BOTH
  const uint64_t other = in->ib_sfu | in->ib_mem | in->ib_none;
  const bool sp = ((other >> in->pick0_warp | other >> in->pick1_warp) & 1) == 0;
  const unsigned side = in->far >> in->pick0_warp & 1, side1 = in->far >> in->pick1_warp & 1;
  cover(COVER_both_sfu_one_side, sfu && side == side1);
  cover(COVER_both_sfu_two_sides, sfu && side != side1);
  cover(COVER_both_mem_one_side, mem && side == side1);
  cover(COVER_both_mem_two_sides, mem && side != side1);
  cover(COVER_both_sp_last_of_side_0, sp && side + side1 == 0 && before[0].sp == 1);
  cover(COVER_both_sp_last_of_side_1, sp && side + side1 == 2 && before[1].sp == 1);
  cover(COVER_both_sp_last_of_each, sp && side != side1 && before[0].sp == 1 && before[1].sp == 1);
  cover(COVER_both_sp_two_left, sp && side == side1 && before[side].sp == 2);
  cover(COVER_both_none, none);
  cover(COVER_different_pipes, !sfu && !mem && !none && !sp);
  cover(COVER_conflict_for_0, l->ref_out.grant0 && !l->ref_out.grant1);
  cover(COVER_conflict_for_1, !l->ref_out.grant0 && l->ref_out.grant1);
}

static void cover_slots(const struct lockstep *l, const unit_in *in,
                        const struct near_slots before[2]) {
  const uint64_t other = in->ib_sfu | in->ib_mem | in->ib_none, elig = l->ref_out.elig;
  const warpset ready =
      in->live & in->ib_valid & ~in->hazard & ~in->ctrl & ~in->settle & ~in->waiting;
  cover(COVER_hold_of_ready, in->hold && ready != 0);
  if (in->hold)
    return;
  const warpset left = ready & ~elig;
  cover(COVER_side_0_full_side_1_goes_on, (left & ~in->far & ~other) && (elig & in->far & ~other));
  cover(COVER_side_1_full_side_0_goes_on, (left & in->far & ~other) && (elig & ~in->far & ~other));
  cover(COVER_no_sfu_on_side_0, (left & ~in->far & in->ib_sfu) && (elig & in->far & in->ib_sfu));
  cover(COVER_no_sfu_on_side_1, (left & in->far & in->ib_sfu) && (elig & ~in->far & in->ib_sfu));
  cover(COVER_no_mem_on_side_0, (left & ~in->far & in->ib_mem) && (elig & in->far & in->ib_mem));
  cover(COVER_no_mem_on_side_1, (left & in->far & in->ib_mem) && (elig & ~in->far & in->ib_mem));
  cover(COVER_credits_of_both_sides, in->sp_credit && in->sp_credit1);
  cover(COVER_two_sp_credits_at_zero, before[0].sp == 0 && in->sp_credit == 2);
  cover(COVER_two_sp_credits_of_side_1_at_zero, before[1].sp == 0 && in->sp_credit1 == 2);
  cover(COVER_credit_returned_as_taken,
        in->mem_credit1 && l->ref.side[1].mem == before[1].mem && before[1].mem > 0);
}

static void cover_stalls(const struct lockstep *l) {
#define STALLS(s)                                                                                  \
  cover(COVER_stall##s##_idle, l->ref_out.stall##s == STALL_IDLE);                                 \
  cover(COVER_stall##s##_structural, l->ref_out.stall##s == STALL_STRUCTURAL);                     \
  cover(COVER_stall##s##_scoreboard, l->ref_out.stall##s == STALL_SCOREBOARD);                     \
  cover(COVER_stall##s##_control, l->ref_out.stall##s == STALL_CONTROL);                           \
  cover(COVER_stall##s##_barrier, l->ref_out.stall##s == STALL_BARRIER);                           \
  cover(COVER_stall##s##_fetch, l->ref_out.stall##s == STALL_FETCH);                               \
  cover(COVER_stall##s##_hold, l->ref_out.stall##s == STALL_HOLD)
  STALLS(0);
  STALLS(1);
#undef STALLS
}

static void change(struct rng *r, struct driver *d) {
  d->live = rng_below(r, 5);
  d->held = rng_below(r, 3);
  d->waiting = rng_below(r, 3);
  d->head = 1 + rng_below(r, 4);
  d->hazard = rng_below(r, 4);
  d->sfu = rng_below(r, 5);
  d->mem = rng_below(r, 5);
  d->none = rng_below(r, 4);
  for (unsigned side = 0; side < 2; side++)
    d->credits[side] = rng_below(r, 101);
  d->hold = rng_chance(r, 20) ? rng_below(r, 101) : 0;
  if (rng_chance(r, 25)) /* SP alone, of which either side has few slots left */
    *d = (struct driver){.live = 4, .head = 4, .credits = {50, 50}, .mode = d->mode, .far = d->far};
}

static void random_issue(struct lockstep *l, struct rng *r, uint64_t cycles) {
  struct driver d = {.live = 4, .head = 4};
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_below(r, 30) == 0)
      change(r, &d);
    unit_in in = drive(l, r, &d);
    in.mode = rng_below(r, NEAR_MODES);
    if (rng_below(r, 150) == 0) {
      in.kernel_start = 1;
      d.mode = (enum near_mode)in.mode;
      d.far = rng_subset(r, all, rng_below(r, 5));
      if (rng_chance(r, 50))
        d.far = all & ~UINT64_C(0xffffff);
    }
    const struct near_slots before[2] = {l->ref.side[0], l->ref.side[1]};
    lockstep_tick(l, in);
    if (in.kernel_start) {
      cover(COVER_base_starts + (unsigned)in.mode, true);
      continue;
    }
    cover_conflicts(l, &in, before);
    cover_slots(l, &in, before);
    cover_stalls(l);
  }
}

UNIT_MAIN_WITH(parameters, DIRECTED(modes), DIRECTED(one_unit_for_both_sides),
               DIRECTED(last_slots_of_sp), DIRECTED(side_1_runs_out), DIRECTED(holds),
               DIRECTED(stall_causes), RANDOM(random_issue))
