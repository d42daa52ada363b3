/* near_stack: divergence, reconvergence and exits with entries that are far; pops with a beginning
 * and an end. */
#include "csim/ref/flex/near_stack.h"

#include "csim/ref/sm/decode.h"

static unsigned warps = 48, dummy = 1;
/* Ports are as wide as they are many. */
#undef NEAR_STACK_WARPS
#define NEAR_STACK_WARPS warps
#define UNIT near_stack
#define UNIT_LENGTH 4 /* each entry of each warp */
#define UNIT_REF_RESET(ref) near_stack_ref_reset(ref, dummy)
/* A PC or mask of a warp that is not live means nothing. */
#define UNIT_UNDEFINED(l) hide_undefined(l)
struct lockstep;
static void hide_undefined(struct lockstep *l);
#define HIGH (warps > 32 ? 0 : 32)
/* Bits that no legal input changes. */
#define UNIT_UNREACHED(F)                                                                          \
  F(iss0_warp, 1 | HIGH, "even warps")                                                             \
  F(iss1_warp, 1 | HIGH, "odd warps")                                                              \
  F(br0_warp, 1 | HIGH, "even warps")                                                              \
  F(br1_warp, 1 | HIGH, "odd warps")                                                               \
  F(fetch_warp, HIGH, "warps that there are")                                                      \
  F(launch_warp, HIGH, "warps that there are")                                                     \
  F(resolve_warp, HIGH, "warps that there are")
#include "tests/unit/lockstep.h"

#include "tests/unit/illegal.h"

#include "tests/unit/flex/far_stack.h"

static void hide_undefined(struct lockstep *l) {
  const uint64_t live = l->ref_out.live;
  if (!warpset_has(live, (unsigned)l->in.fetch_warp))
    l->ref_out.fetch_pc = l->dut_out.fetch_pc = 0;
  if (!warpset_has(live, (unsigned)l->in.iss0_warp))
    l->ref_out.rd0_pc = l->dut_out.rd0_pc = l->ref_out.rd0_mask = l->dut_out.rd0_mask = 0;
  if (!warpset_has(live, (unsigned)l->in.iss1_warp))
    l->ref_out.rd1_pc = l->dut_out.rd1_pc = l->ref_out.rd1_mask = l->dut_out.rd1_mask = 0;
}

#define COVERAGE(F)                                                                                \
  F(branch_none_taken)                                                                             \
  F(branch_all_taken)                                                                              \
  F(branch_some_to_next)                                                                           \
  F(branch_all_to_rpc)                                                                             \
  F(branch_none_at_rpc)                                                                            \
  F(diverge_both)                                                                                  \
  F(diverge_fall_is_rpc)                                                                           \
  F(diverge_target_is_rpc)                                                                         \
  F(diverge_same_rpc_both)                                                                         \
  F(diverge_same_rpc_fall_is_rpc)                                                                  \
  F(diverge_same_rpc_target_is_rpc)                                                                \
  F(diverge_at_bottom_without_rpc)                                                                 \
  F(diverge_far)                                                                                   \
  F(diverge_upper_lanes)                                                                           \
  F(stack_full)                                                                                    \
  F(stack_full_far)                                                                                \
  F(trap_by_one)                                                                                   \
  F(trap_by_two)                                                                                   \
  F(trap_far)                                                                                      \
  F(full_stack_keeps_depth)                                                                        \
  F(exit_all)                                                                                      \
  F(exit_none)                                                                                     \
  F(exit_some_go_on)                                                                               \
  F(exit_top_empty)                                                                                \
  F(exit_leaves_each_lane)                                                                         \
  F(exit_rest_at_rpc)                                                                              \
  F(settle_by_issue)                                                                               \
  F(pop_again)                                                                                     \
  F(pop_far)                                                                                       \
  F(pop_of_upper_lanes)                                                                            \
  F(pop_in_base)                                                                                   \
  F(pop_begins_as_one_ends)                                                                        \
  F(lower_warp_settles_while_popping)                                                              \
  F(two_pops_under_way)                                                                            \
  F(two_warps_settle)                                                                              \
  F(everything_at_once)                                                                            \
  F(two_targets_come)                                                                              \
  F(resolve_right_behind_target)                                                                   \
  F(relaunch)                                                                                      \
  F(taken_outside_mask)                                                                            \
  F(start_while_popping)                                                                           \
  F(start_while_target_under_way)                                                                  \
  F(base_behind_others)                                                                            \
  F(others_behind_base)
COVER_DEFINE(COVERAGE)

static warpset all, even, odd;
enum { NO_RPC = 0xffff };

static void parameters(void) {
  warps = device_parameter("Warps", 48);
  far.dummy = dummy = device_parameter("Dummy", 1);
  all = (UINT64_C(1) << warps) - 1;
  even = all & UINT64_C(0x5555555555555555);
  odd = all & ~even;
  const bool own_alone = warps <= NEAR_OWN_ROWS;
  cover(COVER_diverge_far, own_alone);
  cover(COVER_stack_full_far, own_alone);
  cover(COVER_trap_far, own_alone);
  cover(COVER_pop_far, own_alone);
  cover(COVER_two_pops_under_way, dummy < 2);
}

#include "tests/unit/flex/near_stack_scripts.h"

#include "tests/unit/flex/near_stack_random.h"

static void illegal_inputs(struct lockstep *l) {
  TICK(.iss1_warp = 1, .launch_valid = 1, .launch_warp = 0, .launch_mask = 1);
  TICK(.iss1_warp = 1, .launch_valid = 1, .launch_warp = 1, .launch_mask = 1);
  LEGAL(.iss0_valid = 1, .iss0_warp = 0, .iss1_valid = 1, .iss1_warp = 1);
  ILLEGAL(.iss0_valid = 1, .iss0_warp = 1);
  ILLEGAL(.iss1_valid = 1, .iss1_warp = 0);
  ILLEGAL(.launch_valid = 1, .launch_warp = 2);
}

UNIT_MAIN_WITH(parameters, DIRECTED(straight_line), DIRECTED(if_then_else),
               DIRECTED(exits_on_the_way), DIRECTED(pops_twice),
               DIRECTED(entries_a_bit_from_their_end), DIRECTED(overflows), DIRECTED(pops_in_turn),
               DIRECTED(illegal_inputs), RANDOM(random_stack))
