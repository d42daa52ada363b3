/* issue: who is eligible, who is granted, why nothing issues; vetoes; slots of one side and of two.
 */
#include "csim/ref/sm/issue.h"

static unsigned warps = 48, sides = 1;
static struct issue_slots all_slots = {8, 4, 4};   /* after a reset */
static const struct issue_slots most = {12, 4, 8}; /* of a side, at a start */
/* Ports are as wide as they are many. */
#undef ISSUE_WARPS
#define ISSUE_WARPS warps
#define UNIT issue
static void reset(struct issue_ref *u) {
  issue_ref_reset(u);
  u->first = all_slots;
  issue_ref_restart(u);
}
#define UNIT_REF_RESET(ref) reset(ref)
/* Bits that no legal input changes. */
#define ONE_SIDE(bits) (sides == 1 ? (bits) : 0)
#define UNIT_UNREACHED(F)                                                                          \
  F(pick0_warp, 1 | (warps > 32 ? 0 : 32), "even warps")                                           \
  F(pick1_warp, warps > 32 ? 0 : 32, "warps that there are")                                       \
  F(start_mem1, ONE_SIDE(15), "one side")                                                          \
  F(start_sp1, ONE_SIDE(15), "one side")                                                           \
  F(start_sfu1, ONE_SIDE(7), "one side")                                                           \
  F(far, ONE_SIDE(all), "one side")                                                                \
  F(sp_credit1, ONE_SIDE(3), "one side")                                                           \
  F(sfu_credit1, ONE_SIDE(1), "one side")                                                          \
  F(mem_credit1, ONE_SIDE(1), "one side")
static warpset all, even, odd;
#include "tests/unit/lockstep.h"

/* By the code of the cause, from 1 on; veto_ready_b has that of veto_pick. */
#define COVERAGE_STALLS(F)                                                                         \
  F(stall0_idle)                                                                                   \
  F(stall0_structural)                                                                             \
  F(stall0_scoreboard)                                                                             \
  F(stall0_control)                                                                                \
  F(stall0_barrier)                                                                                \
  F(stall0_fetch)                                                                                  \
  F(stall0_veto_ready_a)                                                                           \
  F(stall0_veto_two)                                                                               \
  F(stall0_veto_slot_a)                                                                            \
  F(stall0_veto_slot_b)                                                                            \
  F(stall0_veto_all)                                                                               \
  F(stall0_veto_pick)                                                                              \
  F(stall1_idle)                                                                                   \
  F(stall1_structural)                                                                             \
  F(stall1_scoreboard)                                                                             \
  F(stall1_control)                                                                                \
  F(stall1_barrier)                                                                                \
  F(stall1_fetch)                                                                                  \
  F(stall1_veto_ready_a)                                                                           \
  F(stall1_veto_two)                                                                               \
  F(stall1_veto_slot_a)                                                                            \
  F(stall1_veto_slot_b)                                                                            \
  F(stall1_veto_all)                                                                               \
  F(stall1_veto_pick)
#define COVERAGE_SIDES(F)                                                                          \
  F(both_sfu_two_sides)                                                                            \
  F(both_mem_two_sides)                                                                            \
  F(both_sp_last_of_side_1)                                                                        \
  F(both_sp_last_of_each)                                                                          \
  F(side_0_full_side_1_goes_on)                                                                    \
  F(side_1_full_side_0_goes_on)                                                                    \
  F(no_sfu_on_side_0)                                                                              \
  F(no_sfu_on_side_1)                                                                              \
  F(no_mem_on_side_0)                                                                              \
  F(no_mem_on_side_1)                                                                              \
  F(credits_of_both_sides)                                                                         \
  F(two_sp_credits_of_side_1_at_zero)                                                              \
  F(credit_of_side_1_returned_as_taken)                                                            \
  F(starts_without_side_1)
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
  F(veto_all_of_ready)                                                                             \
  F(veto_ready_beside_others)                                                                      \
  F(veto_ready_with_hazard)                                                                        \
  F(veto_slot_a_beside_others)                                                                     \
  F(veto_slot_b_beside_others)                                                                     \
  F(veto_slot_a_and_b)                                                                             \
  F(veto_two_of_two)                                                                               \
  F(veto_two_of_one)                                                                               \
  F(veto_two_with_conflict)                                                                        \
  F(veto_both_picks)                                                                               \
  F(vetoed_pick_in_conflict)                                                                       \
  F(takes_mem_of_0)                                                                                \
  F(takes_mem_of_1)                                                                                \
  F(mem_home)                                                                                      \
  F(mem_away)                                                                                      \
  F(last_two_of_sp)                                                                                \
  F(last_of_mem)                                                                                   \
  F(sp_comes_home)                                                                                 \
  F(mem_comes_home)                                                                                \
  F(kernel_starts)                                                                                 \
  COVERAGE_STALLS(F)                                                                               \
  COVERAGE_SIDES(F)
COVER_DEFINE(COVERAGE)

static void parameters(void) {
  warps = device_parameter("Warps", 48);
  sides = device_parameter("Sides", 1);
  all_slots.sp = device_parameter("SpSlots", 8);
  all_slots.mem = device_parameter("MemSlots", 4);
  all = (UINT64_C(1) << warps) - 1;
  even = all & UINT64_C(0x5555555555555555);
  odd = all & ~even;
#define ONE_SIDE_HAS_NONE(name) cover(COVER_##name, sides == 1);
  COVERAGE_SIDES(ONE_SIDE_HAS_NONE)
}

/* Two warps with heads, 0 of scheduler 0 and 1 of scheduler 1, both picked. */
#define PICKS                                                                                      \
  .live = 3, .ib_valid = 3, .pick0_valid = 1, .pick0_warp = 0, .pick1_valid = 1, .pick1_warp = 1
/* A kernel with these slots. */
#define START(own, far)                                                                            \
  .kernel_start = 1, .start_sp = (own).sp, .start_sfu = (own).sfu, .start_mem = (own).mem,         \
  .start_sp1 = (far).sp, .start_sfu1 = (far).sfu, .start_mem1 = (far).mem

static const struct issue_slots nothing = {0, 0, 0};

static void expect_counts(struct lockstep *l, struct issue_slots own, struct issue_slots far) {
  EXPECT_STATE(sp_count, 0, own.sp);
  EXPECT_STATE(sfu_count, 0, own.sfu);
  EXPECT_STATE(mem_count, 0, own.mem);
  EXPECT_STATE(sp_count1, 0, far.sp);
  EXPECT_STATE(sfu_count1, 0, far.sfu);
  EXPECT_STATE(mem_count1, 0, far.mem);
}

/* Warps 0 and 2 of scheduler 0, 1 and 3 of scheduler 1. */
static void conflicts_and_credits(struct lockstep *l) {
  expect_counts(l, all_slots, nothing);
  EXPECT_STATE(prio, 0, 0);
  /* Two SFU picks: one pipe, so scheduler 0 goes first, and the turn passes. */
  TICK(PICKS, .ib_sfu = 3);
  EXPECT(elig, 3);
  EXPECT(grant0, 1);
  EXPECT(grant1, 0);
  EXPECT(stall0, 0);
  EXPECT(stall1, 2);
  EXPECT_STATE(sfu_count, 0, 3);
  EXPECT_STATE(prio, 0, 1);
  /* Again: now scheduler 1. */
  TICK(PICKS, .ib_mem = 3);
  EXPECT(grant0, 0);
  EXPECT(grant1, 1);
  EXPECT(stall0, 2);
  EXPECT(stall1, 0);
  EXPECT_STATE(mem_count, 0, all_slots.mem - 1);
  EXPECT_STATE(prio, 0, 0);
  /* SFU beside MEM: both, and a slot of each comes back. */
  TICK(PICKS, .ib_mem = 1, .ib_sfu = 2, .sfu_credit = 1, .mem_credit = 1);
  EXPECT(grant0, 1);
  EXPECT(grant1, 1);
  EXPECT_STATE(sfu_count, 0, 3);
  EXPECT_STATE(mem_count, 0, all_slots.mem - 1);
  /* Two NONE picks: both, nothing is taken. */
  TICK(PICKS, .ib_none = 3);
  EXPECT(grant0, 1);
  EXPECT(grant1, 1);
  EXPECT_STATE(sp_count, 0, all_slots.sp);
  EXPECT_STATE(prio, 0, 0);
}

static void sp_runs_out(struct lockstep *l) {
  /* SP takes two a cycle. */
  for (unsigned left = all_slots.sp; left > 2; left -= 2)
    TICK(PICKS);
  EXPECT(grant1, 1);
  EXPECT_STATE(sp_count, 0, 2);
  /* Two slots for two picks: no conflict. */
  TICK(PICKS, .sp_credit = 1);
  EXPECT(grant0, 1);
  EXPECT(grant1, 1);
  EXPECT_STATE(sp_count, 0, 1);
  /* One slot for two. */
  TICK(PICKS);
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
}

/* A kernel begins with the slots that it is given, whatever came before; the turn is scheduler 0's.
 */
static void kernels_start(struct lockstep *l) {
  const struct issue_slots few = {1, 1, 1}, full = {most.sp, most.sfu, most.mem};
  const struct issue_slots far = sides == 1 ? nothing : (struct issue_slots){6, 2, 2};
  TICK(PICKS, .ib_sfu = 1, .ib_mem = 2);
  TICK(PICKS, .ib_mem = 3);
  EXPECT_STATE(prio, 0, 1);
  TICK(START(few, nothing), PICKS);
  expect_counts(l, few, nothing);
  EXPECT_STATE(prio, 0, 0);
  TICK(PICKS);
  EXPECT(grant1, 0);
  TICK(START(full, far), .sp_credit = 1);
  expect_counts(l, full, far);
  TICK(START(nothing, far));
  expect_counts(l, nothing, far);
  TICK(.live = 3, .ib_valid = 3, .ib_none = 1);
  EXPECT(elig, 1);
}

/* There is one SFU and one LDST unit, so sides do not matter; the turn passes. */
static void one_unit_for_both_sides(struct lockstep *l) {
  static const struct issue_slots slots = {12, 4, 4};
  if (sides == 1)
    return;
  TICK(START(slots, slots));
  TICK(PICKS, .ib_sfu = 3, .far = 2);
  EXPECT(elig, 3);
  EXPECT(grant0, 1);
  EXPECT(grant1, 0);
  EXPECT(stall1, STALL_STRUCTURAL);
  expect_counts(l, (struct issue_slots){12, 3, 4}, slots);
  TICK(PICKS, .ib_sfu = 3, .far = 2);
  EXPECT(grant0, 0);
  EXPECT(grant1, 1);
  expect_counts(l, (struct issue_slots){12, 3, 4}, (struct issue_slots){12, 3, 4});
  TICK(PICKS, .ib_mem = 3, .far = 2);
  EXPECT(grant0, 1);
  EXPECT(grant1, 0);
  TICK(PICKS, .ib_mem = 3, .far = 2);
  EXPECT(grant0, 0);
  EXPECT(grant1, 1);
  expect_counts(l, (struct issue_slots){12, 3, 3}, (struct issue_slots){12, 3, 3});
  /* SFU beside MEM, and two that use no pipeline. */
  TICK(PICKS, .ib_mem = 1, .ib_sfu = 2, .far = 3);
  EXPECT(grant0, 1);
  EXPECT(grant1, 1);
  TICK(PICKS, .ib_none = 3, .far = 2);
  EXPECT(grant0, 1);
  EXPECT(grant1, 1);
  expect_counts(l, (struct issue_slots){12, 3, 3}, (struct issue_slots){12, 2, 2});
  EXPECT_STATE(prio, 0, 0);
}

/* SP takes two a cycle; only the last slot of one side is wanted by both. */
static void last_slots_of_sp(struct lockstep *l) {
  static const struct issue_slots own = {12, 4, 4}, far = {6, 2, 2};
  if (sides == 1)
    return;
  TICK(START(own, far));
  /* Side 1 to its last slot, then side 0. */
  TICK(PICKS, .far = 3);
  TICK(PICKS, .far = 3);
  TICK(PICKS, .far = 2);
  for (unsigned i = 0; i < 5; i++)
    TICK(PICKS);
  expect_counts(l, (struct issue_slots){1, 4, 4}, (struct issue_slots){1, 2, 2});
  /* The last of each: no conflict.  Returned slots count from the next cycle on. */
  TICK(PICKS, .far = 1, .sp_credit = 1, .sp_credit1 = 2);
  EXPECT(grant0, 1);
  EXPECT(grant1, 1);
  expect_counts(l, (struct issue_slots){1, 4, 4}, (struct issue_slots){2, 2, 2});
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
  expect_counts(l, (struct issue_slots){0, 4, 4}, (struct issue_slots){1, 2, 2});
  /* The last of side 1 for one of two: the other scheduler's turn. */
  TICK(PICKS, .far = 3);
  EXPECT(grant0, 0);
  EXPECT(grant1, 1);
  expect_counts(l, (struct issue_slots){0, 4, 4}, (struct issue_slots){0, 2, 2});
}

/* SFU and MEM of side 1 run out, those of side 0 do not. */
static void side_1_runs_out(struct lockstep *l) {
  static const struct issue_slots own = {12, 4, 4}, far = {6, 2, 2};
  if (sides == 1)
    return;
  TICK(START(own, far));
  for (unsigned i = 0; i < 2; i++)
    TICK(PICKS, .ib_sfu = 1, .ib_mem = 2, .far = 3);
  expect_counts(l, own, (struct issue_slots){6, 0, 0});
  TICK(.live = 63, .ib_valid = 63, .ib_sfu = 3, .ib_mem = 12, .far = 053, .sfu_credit1 = 1);
  EXPECT(elig, 064);
  TICK(.live = 63, .ib_valid = 63, .ib_sfu = 3, .ib_mem = 12, .far = 053, .mem_credit1 = 1);
  EXPECT(elig, 067);
  expect_counts(l, own, (struct issue_slots){6, 1, 1});
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

/* Vetoes on all, and after slots.  Warps 0 and 2 of scheduler 0, 1 and 3 of scheduler 1. */
static void vetoes_after_slots(struct lockstep *l) {
#define MEMORY .live = 15, .ib_valid = 15, .ib_mem = 15
  /* On all: nothing is eligible, whatever else would keep it. */
  TICK(MEMORY, .veto_all = 1, .veto_slot_a = 15, .veto_slot_b = 1);
  EXPECT(elig, 0);
  EXPECT(stall0, 11);
  EXPECT(stall1, 11);
  TICK(.live = 1, .ctrl = 1, .veto_all = 1);
  EXPECT(stall0, 11);
  EXPECT(stall1, 1);
  /* On warp 0. */
  TICK(MEMORY, .veto_slot_b = 1, .pick0_valid = 1, .pick0_warp = 2, .pick1_valid = 1,
       .pick1_warp = 3);
  EXPECT(elig, 14);
  EXPECT(take_mem, 1);
  EXPECT(stall1, 2);
  TICK(.live = 3, .ib_valid = 3, .veto_slot_b = 3);
  EXPECT(elig, 0);
  EXPECT(take_mem, 0);
  EXPECT(stall0, 10);
  EXPECT(stall1, 10);
  /* A warp that only the first one keeps comes before. */
  TICK(MEMORY, .veto_slot_a = 15, .veto_slot_b = 3);
  EXPECT(elig, 0);
  EXPECT(stall0, 9);
  EXPECT(stall1, 9);
  TICK(.live = 3, .ib_valid = 3, .veto_slot_a = 3, .veto_slot_b = 1);
  EXPECT(stall0, 10);
  EXPECT(stall1, 9);
  /* A warp without a slot has a structural cause, other warps go on. */
  for (unsigned i = 1; i < all_slots.mem; i++)
    TICK(.live = 1, .ib_valid = 1, .ib_mem = 1, .pick0_valid = 1);
  EXPECT_STATE(mem_count, 0, 0);
  TICK(.live = 15, .ib_valid = 15, .ib_mem = 1, .veto_slot_a = 7, .pick1_valid = 1,
       .pick1_warp = 3);
  EXPECT(elig, 8);
  EXPECT(stall0, 2);
  EXPECT(stall1, 0);
#undef MEMORY
}

static void vetoes_of_ready_and_of_two(struct lockstep *l) {
  /* The cause of a hazard comes before; that of control after. */
  TICK(.live = 3, .ib_valid = 3, .veto_ready_a = 3);
  EXPECT(elig, 0);
  EXPECT(stall0, 7);
  EXPECT(stall1, 7);
  TICK(.live = 15, .ctrl = 8, .ib_valid = 3, .hazard = 1, .veto_ready_a = 3);
  EXPECT(stall0, 3);
  EXPECT(stall1, 7);
  TICK(.live = 5, .ib_valid = 5, .veto_ready_b = 1, .hazard = 4);
  EXPECT(elig, 0);
  EXPECT(stall0, 3);
  TICK(.live = 5, .ib_valid = 5, .veto_ready_b = 1, .veto_ready_a = 4);
  EXPECT(stall0, 7);
  TICK(.live = 5, .ib_valid = 5, .veto_ready_b = 1, .ctrl = 4);
  EXPECT(stall0, 12);
  EXPECT(stall1, 1);
  TICK(.live = 5, .ib_valid = 5, .veto_ready_b = 1, .veto_all = 1);
  EXPECT(stall0, 11);
  /* Scheduler 0 goes first of two, and the turn passes; a single pick goes when it likes. */
  TICK(PICKS, .veto_two = 1);
  EXPECT(elig, 3);
  EXPECT(grant0, 1);
  EXPECT(grant1, 0);
  EXPECT(stall1, 8);
  EXPECT_STATE(prio, 0, 1);
  TICK(PICKS, .ib_none = 3, .veto_two = 1);
  EXPECT(grant0, 0);
  EXPECT(grant1, 1);
  EXPECT(stall0, 8);
  EXPECT_STATE(prio, 0, 0);
  TICK(.live = 3, .ib_valid = 2, .veto_two = 1, .pick1_valid = 1, .pick1_warp = 1);
  EXPECT(grant1, 1);
  EXPECT(stall0, 6);
  EXPECT_STATE(prio, 0, 0);
}

/* A vetoed pick is not granted, and takes part in no conflict. */
static void vetoes_of_picks(struct lockstep *l) {
  TICK(PICKS, .ib_sfu = 3, .veto_pick0 = 1);
  EXPECT(elig, 3);
  EXPECT(grant0, 0);
  EXPECT(grant1, 1);
  EXPECT(stall0, 12);
  EXPECT(stall1, 0);
  EXPECT_STATE(prio, 0, 0);
  EXPECT_STATE(sfu_count, 0, 3);
  TICK(.live = 7, .ib_valid = 7, .veto_ready_b = 1, .pick0_valid = 1, .pick0_warp = 2,
       .pick1_valid = 1, .pick1_warp = 1, .veto_pick1 = 1);
  EXPECT(elig, 6);
  EXPECT(grant0, 1);
  EXPECT(grant1, 0);
  EXPECT(stall1, 12);
}

/* MEM takes one a cycle. */
static void mem_runs_out(struct lockstep *l) {
  for (unsigned left = all_slots.mem; left > 0; left--) {
    EXPECT_STATE(mem_count, 0, left);
    TICK(.live = 1, .ib_valid = 1, .ib_mem = 1, .pick0_valid = 1);
    EXPECT(take_mem, 1);
    EXPECT(mem_home, left == all_slots.mem);
  }
  /* Other pipes go on; a returned slot counts from the next cycle. */
  TICK(.live = 3, .ib_valid = 3, .ib_mem = 1, .pick1_valid = 1, .pick1_warp = 1, .mem_credit = 1);
  EXPECT(elig, 2);
  EXPECT(stall0, 2);
  EXPECT(mem_home, 0);
  EXPECT_STATE(mem_count, 0, 1);
  for (unsigned left = 1; left < all_slots.mem; left++)
    TICK(.mem_credit = 1);
  TICK(0);
  EXPECT(mem_home, 1);
}

#include "tests/unit/sm/issue_random.h"

UNIT_MAIN_WITH(parameters, DIRECTED(conflicts_and_credits), DIRECTED(sp_runs_out),
               DIRECTED(kernels_start), DIRECTED(one_unit_for_both_sides),
               DIRECTED(last_slots_of_sp), DIRECTED(side_1_runs_out), DIRECTED(stall_causes),
               DIRECTED(vetoes_after_slots), DIRECTED(vetoes_of_ready_and_of_two),
               DIRECTED(vetoes_of_picks), DIRECTED(mem_runs_out), RANDOM(random_issue))
