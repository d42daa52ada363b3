/* Groups of a buddy cluster that form again within a kernel. */
#include "tests/system/buddy_runs.h"

static struct tandem_config halfway(enum tandem_engine engine, uint32_t buddy) {
  return shared(engine, buddy, BUDDY_REGROUP_HALFWAY);
}

/* A kernel of park.s, in so many CTAs of eight warps. */
static void ways(const struct tandem_config *c, const char *kernel, unsigned ctas,
                 struct outcome *o) {
  char text[512];
  struct tandem *t;
  struct tandem_error err;
  snprintf(
      text, sizeof text,
      "program: park.s\n"
      "buffers:\n"
      "  - {name: out, type: u32, count: %u}\n"
      "steps:\n"
      "  - launch: {kernel: %s, grid: [%u, 1, 1], block: [256, 1, 1], args: [{buffer: out}]}\n",
      256 * ctas, kernel, ctas);
  if (run_text(c, text, &t, &err) != TANDEM_OK)
    fail_msg("%s, %u CTAs: %s\n%s", kernel, ctas, err.text, tandem_report(t));
  look(t, o);
  assert_int_equal(o->stats.sm.ctas, ctas);
  tandem_close(t);
}

/* BFS comes apart and forms again, with the next kernel or within one; and a kernel that does both
 * in one run. */
TEST(both_kinds) {
  struct outcome alone, o;
  struct tandem_config c = halfway(TANDEM_ENGINE_REF, 1);
  run(&c, "bfs", &alone);
  c.engine = TANDEM_ENGINE_LOCKSTEP;
  for (c.feature.buddy.size = 2; c.feature.buddy.size <= 4; c.feature.buddy.size *= 2) {
    const struct buddy_statistics *b = &o.stats.feature.buddy;
    c.feature.buddy.regroup = BUDDY_REGROUP_NEW_KERNEL;
    run(&c, "bfs", &o);
    assert_int_equal(o.digest, alone.digest);
    assert_true(b->ungroups > 0 && b->regroups_kernel > 0 && b->regroups_halfway == 0);
    assert_true(b->park_packets == 0 && o.stats.sm.stalls[STALL_PARK] == 0);
    c.feature.buddy.regroup = BUDDY_REGROUP_HALFWAY;
    run(&c, "bfs", &o);
    assert_int_equal(o.digest, alone.digest);
    assert_true(b->ungroups > 0 && b->regroups_halfway == b->ungroups);
    /* To each slave where to park, and the end of a roll. */
    assert_true(b->park_packets >= 2 * b->ungroups * (c.feature.buddy.size - 1));
    assert_true(o.stats.sm.stalls[STALL_PARK] > 0);
    /* Two slots a cycle, but in the first cycles of a launch. */
    assert_in_range(o.stats.sm.stalls[STALL_GATED],
                    2 * b->gated_cycles - 4 * c.sms * o.stats.launches, 2 * b->gated_cycles);
  }
  c.feature.buddy.size = 4;
  run(&c, "prefix", &o);
  assert_true(o.stats.feature.buddy.regroups_kernel > 0 &&
              o.stats.feature.buddy.regroups_halfway > 0);
}

/* Instructions that no warp waits for must end, too, before members work as one again. */
TEST(unseen_instructions) {
  struct outcome alone, o;
  struct tandem_config c = halfway(TANDEM_ENGINE_REF, 1);
  ways(&c, "unseen", 8, &alone);
  c.feature.buddy.size = 2;
  c.engine = TANDEM_ENGINE_LOCKSTEP;
  ways(&c, "unseen", 8, &o);
  assert_int_equal(o.digest, alone.digest);
  assert_int_equal(o.stats.feature.buddy.ungroups, 4);
  assert_int_equal(o.stats.feature.buddy.regroups_halfway, 4);
}

/* Grids that divide by the members and grids that do not, in any formation, with the invariants of
 * the cluster checked. */
TEST(grids) {
  static const unsigned ctas[] = {3, 8, 27, 64};
  unsigned regroups = 0;
  for (unsigned i = 0; i < sizeof ctas / sizeof ctas[0]; i++) {
    struct outcome alone, o;
    struct tandem_config c = halfway(TANDEM_ENGINE_REF, 1);
    ways(&c, "turns", ctas[i], &alone);
    c.engine = TANDEM_ENGINE_LOCKSTEP;
    c.assertions = true;
    for (unsigned k = 0; k < 4; k++) {
      c.feature.buddy.size = k < 2 ? 2 : 4;
      c.feature.buddy.formation = k % 2 == 0 ? BUDDY_FORM_DEFAULT : BUDDY_FORM_ADAPTIVE;
      ways(&c, "turns", ctas[i], &o);
      assert_int_equal(o.digest, alone.digest);
      regroups += (unsigned)o.stats.feature.buddy.regroups_halfway;
    }
  }
  assert_true(regroups > 10);
}

/* Neither the engine nor the number of threads nor leaving clock edges out shows in anything. */
TEST(nothing_of_the_host) {
  struct outcome one, other;
  struct tandem_config c = halfway(TANDEM_ENGINE_REF, 4);
  run(&c, "bfs", &one);
  c.threads = 2;
  c.together = true;
  run(&c, "bfs", &other);
  same(&one, &other);
  c.threads = 1;
  c.skip_quiet = false;
  run(&c, "bfs", &other);
  same(&one, &other);
  c.skip_quiet = true;
  c.engine = TANDEM_ENGINE_RTL;
  run(&c, "bfs", &other);
  same(&one, &other);
}

int main(void) { return test_run(NULL, NULL); }
