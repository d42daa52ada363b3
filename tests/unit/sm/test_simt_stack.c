/* simt_stack: divergence, reconvergence, exits, overflow; entries in the unit, or in a memory some
 * stages away, so that pops have a beginning and an end and targets come late. */
#include "csim/ref/sm/simt_stack.h"

static unsigned warps = 48, lanes = 32, stages;
static bool outcomes = true;
static uint64_t all_lanes;
static warpset all, even, odd;
/* Ports are as wide as they are many. */
#define SIMT_STACK_WARPS warps
#define SIMT_STACK_LANES lanes
#define UNIT simt_stack
#define UNIT_LENGTH 4 /* each entry of each warp */
static void reset(struct simt_stack_ref *s) {
  simt_stack_ref_reset(s);
  s->stages = stages;
}
#define UNIT_REF_RESET(ref) reset(ref)
/* A PC or mask of a warp that is not live means nothing. */
#define UNIT_UNDEFINED(l) hide_undefined(l)
struct lockstep;
static void hide_undefined(struct lockstep *l);
/* Bits of a warp's number that no warp has. */
#define HIGH (warps > 32 ? 0 : warps > 16 ? 32 : warps > 8 ? 48 : 56)
/* Bits that no legal input changes. */
#define UNIT_UNREACHED(F)                                                                          \
  F(iss0_warp, 1 | HIGH, "even warps")                                                             \
  F(iss1_warp, 1 | HIGH, "odd warps")                                                              \
  F(br0_warp, 1 | HIGH, "even warps")                                                              \
  F(br1_warp, 1 | HIGH, "odd warps")                                                               \
  F(fetch_warp, HIGH, "warps that there are")                                                      \
  F(launch_warp, HIGH, "warps that there are")                                                     \
  F(resolve_warp, HIGH, "warps that there are")                                                    \
  F(depth0_warp, HIGH, "warps that there are")                                                     \
  F(depth1_warp, HIGH, "warps that there are")
#include "tests/unit/lockstep.h"

#include "tests/unit/illegal.h"

#include "tests/unit/sm/simt_memory.h"

static void hide_undefined(struct lockstep *l) {
  const uint64_t live = l->ref_out.live;
  unit_out *ref = &l->ref_out, *dut = &l->dut_out;
  if (!outcomes) /* the device gives 0 */
    ref->depth0 = ref->depth1 = ref->res_at = ref->res_dirs = ref->res_rpc = 0;
  if (!warpset_has(live, (unsigned)l->in.fetch_warp))
    ref->fetch_pc = dut->fetch_pc = 0;
  if (!warpset_has(live, (unsigned)l->in.iss0_warp))
    ref->rd0_pc = dut->rd0_pc = ref->rd0_mask = dut->rd0_mask = 0;
  if (!warpset_has(live, (unsigned)l->in.iss1_warp))
    ref->rd1_pc = dut->rd1_pc = ref->rd1_mask = dut->rd1_mask = 0;
  if (outcomes && !warpset_has(live, (unsigned)l->in.depth0_warp))
    ref->depth0 = dut->depth0 = 0;
  if (outcomes && !warpset_has(live, (unsigned)l->in.depth1_warp))
    ref->depth1 = dut->depth1 = 0;
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
  F(diverge_deeper_without_rpc)                                                                    \
  F(diverge_upper_warp)                                                                            \
  F(diverge_upper_lanes)                                                                           \
  F(stack_full)                                                                                    \
  F(stack_full_upper_warp)                                                                         \
  F(trap_by_one)                                                                                   \
  F(trap_by_two)                                                                                   \
  F(trap_upper_warp)                                                                               \
  F(full_stack_keeps_depth)                                                                        \
  F(exit_all)                                                                                      \
  F(exit_none)                                                                                     \
  F(exit_some_go_on)                                                                               \
  F(exit_top_empty)                                                                                \
  F(exit_leaves_each_lane)                                                                         \
  F(exit_rest_at_rpc)                                                                              \
  F(settle_by_issue)                                                                               \
  F(settle_again_empty)                                                                            \
  F(two_warps_settle)                                                                              \
  F(everything_at_once)                                                                            \
  F(done_and_pop)                                                                                  \
  F(relaunch)                                                                                      \
  F(taken_outside_mask)                                                                            \
  F(deferred)                                                                                      \
  F(deferred_beside_pop)                                                                           \
  F(popped_after_deferral)                                                                         \
  F(two_targets_come)                                                                              \
  F(resolve_right_after_target)                                                                    \
  F(pop_of_upper_lanes)                                                                            \
  F(pop_bypassed)                                                                                  \
  F(pop_begins_as_one_ends)                                                                        \
  F(bypass_after_stages)                                                                           \
  F(stages_after_bypass)                                                                           \
  F(lower_warp_settles_while_popping)                                                              \
  F(start_while_popping)                                                                           \
  F(start_while_target_under_way)                                                                  \
  F(two_pops_under_way)
COVER_DEFINE(COVERAGE)

enum { NO_RPC = 0xffff, UPPER_WARP = 24 };

static void parameters(void) {
  warps = device_parameter("Warps", 48);
  lanes = device_parameter("WarpSize", 32);
  memory.stages = stages = device_parameter("Stages", 0);
  outcomes = device_parameter("Outcomes", 1) != 0;
  all_lanes = port_mask(lanes);
  all = (UINT64_C(1) << warps) - 1;
  even = all & UINT64_C(0x5555555555555555);
  odd = all & ~even;
  cover(COVER_diverge_upper_warp, warps <= UPPER_WARP);
  cover(COVER_stack_full_upper_warp, warps <= UPPER_WARP);
  cover(COVER_trap_upper_warp, warps <= UPPER_WARP);
  cover(COVER_two_pops_under_way, stages < 2);
  cover(COVER_lower_warp_settles_while_popping, stages == 0);
  cover(COVER_start_while_popping, stages == 0);
  cover(COVER_start_while_target_under_way, stages == 0);
}

#include "tests/unit/sm/simt_stack_scripts.h"

#include "tests/unit/sm/simt_stack_random.h"

/* Warps 0, 1 and 4 live; 4 waits for a branch. */
static void illegal_inputs(struct lockstep *l) {
  const unsigned launched[] = {0, 1, 4};
  for (unsigned i = 0; i < 3; i++)
    memory_tick(
        l,
        (unit_in){.iss1_warp = 1, .launch_valid = 1, .launch_warp = launched[i], .launch_mask = 1});
  memory_issue(4, 10, 20);
  memory_tick(l, (unit_in){.iss0_valid = 1, .iss0_warp = 4, .iss0_ctl = 1, .iss1_warp = 1});
  if (stages != 0)
    ILLEGAL(.resolve_valid = 1, .resolve_warp = 4);
  for (unsigned i = 0; i < stages; i++)
    memory_tick(l, (unit_in){.iss1_warp = 1});
  LEGAL(.resolve_valid = 1, .resolve_warp = 4);
  LEGAL(.iss0_valid = 1, .iss0_warp = 0, .iss1_valid = 1, .iss1_warp = 1);
  ILLEGAL(.iss0_valid = 1, .iss0_warp = 1);
  ILLEGAL(.iss1_valid = 1, .iss1_warp = 0);
  ILLEGAL(.iss0_valid = 1, .iss0_warp = 4);
  ILLEGAL(.iss0_valid = 1, .iss0_warp = 2);
  ILLEGAL(.launch_valid = 1, .launch_warp = 2);
  ILLEGAL(.launch_valid = 1, .launch_warp = 1, .launch_mask = 1);
  ILLEGAL(.resolve_valid = 1, .resolve_warp = 1);
  ILLEGAL(.br0_valid = 1, .br0_warp = 0);
  ILLEGAL(.bypass = 1);
}

UNIT_MAIN_WITH(parameters, DIRECTED(straight_line), DIRECTED(if_then_else),
               DIRECTED(exits_on_the_way), DIRECTED(pops_twice),
               DIRECTED(entries_a_bit_from_their_end), DIRECTED(overflows), DIRECTED(pops_in_turn),
               DIRECTED(deferred_warps_wait), DIRECTED(outcomes_of_resolves),
               DIRECTED(lanes_that_wait), DIRECTED(no_lane_waits), DIRECTED(illegal_inputs),
               RANDOM(random_stack))
