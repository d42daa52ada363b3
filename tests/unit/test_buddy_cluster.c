/* A whole buddy cluster of the reference's units in an environment of fake back ends, which checks
 * what each member is given (cluster_environment.h); and what docs/buddy.md promises of the links
 * and of the members' roles. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "csim/ref/buddy_cluster.h"
#include "csim/ref/group_control.h"
#include "csim/ref/issue.h"
#include "tests/unit/cluster_environment.h"
#include "tests/unit/testing.h"

#define COVERAGE(F)                                                                                \
  F(all_together)                                                                                  \
  F(two_groups)                                                                                    \
  F(two_packets)                                                                                   \
  F(hold)                                                                                          \
  F(no_slot)                                                                                       \
  F(member_without_place)                                                                          \
  F(monitor_full)                                                                                  \
  F(verdict)                                                                                       \
  F(barrier_in_group)                                                                              \
  F(diverged)                                                                                      \
  F(two_diverge_in_a_cycle)                                                                        \
  F(asks_again_while_it_ramps)                                                                     \
  F(split)                                                                                         \
  F(ramp_waits_for_memory)                                                                         \
  F(wakes)                                                                                         \
  F(alone_after_ungroup)                                                                           \
  F(warp_done_in_slave)                                                                            \
  F(ack_and_credit)                                                                                \
  F(kernel_without_ungroup)
COVER_DEFINE(COVERAGE)

enum { CYCLES = 40000, PATIENCE = 20000, HISTORY = 32 };

static struct { uint64_t seed, cycles; } run;

struct cluster_run {
  unsigned members, delay;
  struct buddy_cluster_ref *ref;
  struct cluster_environment e;
  const struct buddy_member_out *out[CE_MEMBERS];
  uint64_t cycle, progress;
  unsigned packets[CE_MEMBERS][HISTORY]; /* instructions of a leader, by cycle */
  bool apart_in_kernel;
  struct buddy_cluster_out before;
};

static unsigned state_of(const struct buddy_cluster_out *o, unsigned m) {
  return m % 2 == 0 ? o->state >> 3 * (m / 2) & 7 : 0;
}

/* What leaves a leader comes to the back ends of its group D cycles later. */
static void check_latency(struct cluster_run *c, const struct buddy_cluster_out *o) {
  for (unsigned m = 0; m < c->members; m++) {
    const struct buddy_member_out *b = c->out[m];
    const unsigned now = (unsigned)(c->cycle % HISTORY);
    c->packets[m][now] = (unsigned)(b->p0_valid != 0);
    if ((o->master >> m & 1) == 0)
      continue;
    const unsigned left = c->packets[m][(c->cycle - c->delay) % HISTORY];
    if (c->cycle >= c->delay && (b->iss0_valid || b->iss1_valid) != (left != 0))
      fail_msg("member %u gets an instruction at another time, cycle %" PRIu64, m, c->cycle);
  }
}

static void cover_cycle(struct cluster_run *c, const struct buddy_cluster_out *o) {
  unsigned asking = 0;
  cover(COVER_all_together, o->slave == ((1U << c->members) - 2U));
  cover(COVER_two_groups, (o->master & (o->master - 1)) != 0);
  for (unsigned m = 0; m < c->members; m++) {
    const struct buddy_member_out *b = c->out[m];
    const bool leads = (o->master >> m & 1) != 0, follows = (o->slave >> m & 1) != 0;
    const unsigned state = state_of(o, m), was = state_of(&c->before, m);
    cover(COVER_two_packets, leads && b->p0_valid && b->p1_valid);
    for (unsigned s = 0; s < 2; s++) {
      const uint64_t stall = s == 0 ? b->stall0 : b->stall1;
      cover(COVER_hold, stall == ISSUE_HOLD);
      cover(COVER_no_slot, stall == ISSUE_SLOT);
      cover(COVER_member_without_place, stall == ISSUE_MEMBERS);
      cover(COVER_monitor_full, stall == ISSUE_MONITOR);
      cover(COVER_verdict, stall == ISSUE_VERDICT);
      cover(COVER_barrier_in_group, leads && stall == ISSUE_BARRIER);
    }
    asking += b->ctrl_valid != 0;
    cover(COVER_diverged, b->ctrl_valid);
    cover(COVER_asks_again_while_it_ramps,
          b->ctrl_valid && (o->slave >> m & 1) != 0 && (o->power >> m & 1) != 0);
    cover(COVER_ramp_waits_for_memory, state == GROUP_RAMP && !b->drained);
    cover(COVER_wakes, (o->hold >> m & 1) != 0 && state != GROUP_RAMP && state != GROUP_RESET &&
                           !leads && !follows);
    cover(COVER_alone_after_ungroup, state == GROUP_SOLO && b->iss0_valid && b->iss1_valid);
    cover(COVER_warp_done_in_slave, follows && b->done_valid);
    cover(COVER_ack_and_credit, b->ack_valid && b->credit_valid);
    c->apart_in_kernel |= state == GROUP_RAMP && was == GROUP_GROUPED;
  }
  cover(COVER_two_diverge_in_a_cycle, asking > 1);
}

static void check_environment(const struct cluster_run *c) {
  if (c->e.fault != NULL)
    fail_msg("member %u, warp %u %s, cycle %" PRIu64 ", seed %" PRIu64, c->e.fault_member,
             c->e.fault_warp, c->e.fault, c->cycle, c->e.seed);
}

static void cycle(struct cluster_run *c) {
  struct buddy_cluster_in in;
  struct buddy_member_in member_in[CE_MEMBERS];
  const struct buddy_cluster_out *o = buddy_cluster_ref_out(c->ref);
  const unsigned delivered = c->e.delivered;
  for (unsigned m = 0; m < c->members; m++)
    c->out[m] = buddy_cluster_ref_member(c->ref, m);
  check_latency(c, o);
  cover_cycle(c, o);
  cluster_environment_step(&c->e, o, c->out, &in, member_in);
  check_environment(c);
  cover(COVER_split, (in.split & o->master & ~o->hold) != 0);
  if (in.kernel_start) {
    cover(COVER_kernel_without_ungroup, c->e.kernels > 1 && !c->apart_in_kernel && o->master != 0);
    c->apart_in_kernel = false;
  }
  c->before = *o;
  buddy_cluster_ref_step(c->ref, &in, member_in);
  c->cycle++;
  c->progress = c->e.delivered != delivered || in.kernel_start ? c->cycle : c->progress;
  if (c->cycle - c->progress > PATIENCE)
    fail_msg("nothing has issued for %u cycles, seed %" PRIu64, PATIENCE, c->e.seed);
}

static void run_cluster(unsigned members, unsigned hop, unsigned entries, uint64_t seed,
                        struct ce_rates rates) {
  static struct cluster_run c;
  memset(&c, 0, sizeof c);
  c.members = members;
  c.delay = (hop * (members - 1) + 2) / 2;
  c.ref = buddy_cluster_ref_create(members, hop, entries);
  assert_non_null(c.ref);
  cluster_environment_init(&c.e, members, hop, seed, rates);
  while (c.cycle < run.cycles)
    cycle(&c);
  print_message("%u members, %u hops: %u kernels, %u instructions, %u barriers\n", members, hop,
                c.e.kernels, c.e.delivered, c.e.barriers);
  buddy_cluster_ref_destroy(c.ref);
}

/*                                  memory places diverge exits split nest ctas */
static const struct ce_rates regular = {60, 60, 0, 0, 0, 3, 6};
static const struct ce_rates slow_memory = {5, 8, 1, 1, 20, 3, 4};
static const struct ce_rates diverging = {50, 50, 80, 80, 0, 3, 2};
static const struct ce_rates exiting = {90, 90, 0, 500, 0, 1, 3};
static const struct ce_rates mixed = {20, 30, 2, 2, 100, 4, 4};

static void follows_programs(unsigned members) {
  static const struct ce_rates *const rates[] = {&regular, &slow_memory, &diverging, &exiting,
                                                 &mixed};
  for (unsigned i = 0; i < sizeof rates / sizeof rates[0]; i++)
    run_cluster(members, 1 + (i == 4), 1U << i % 3, run.seed + 10 * members + i, *rates[i]);
}

static void two_members(void **state) {
  (void)state;
  follows_programs(2);
}

static void four_members(void **state) {
  (void)state;
  follows_programs(4);
}

static void eight_members(void **state) {
  (void)state;
  follows_programs(8);
}

static void everything_was_reached(void **state) {
  (void)state;
  COVER_CHECK();
}

int main(int argc, char **argv) {
  run.seed = testing_seed(argc, argv);
  run.cycles = testing_option(argc, argv, "--cycles", CYCLES);
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_members), cmocka_unit_test(four_members),
                                     cmocka_unit_test(eight_members),
                                     cmocka_unit_test(everything_was_reached)};
  return cmocka_run_group_tests_name("buddy_cluster", tests, NULL, NULL);
}
