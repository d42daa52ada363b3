/* GPUs of buddy clusters: what may not matter, formations, errors, reports. */
#include "tests/system/buddy_runs.h"

static struct tandem_config clusters(enum tandem_engine engine, uint32_t buddy) {
  return shared(engine, buddy, BUDDY_REGROUP_NEW_KERNEL);
}

/* Neither the number of threads nor leaving clock edges out shows in anything. */
TEST(nothing_of_the_host) {
  static const struct {
    enum tandem_engine engine;
    uint32_t buddy;
    const char *kernel;
  } runs[] = {{TANDEM_ENGINE_REF, 2, "bfs"}, {TANDEM_ENGINE_LOCKSTEP, 4, "reduction"}};
  for (unsigned i = 0; i < 2; i++) {
    struct outcome one, other;
    struct tandem_config c = clusters(runs[i].engine, runs[i].buddy);
    run(&c, runs[i].kernel, &one);
    c.threads = 2;
    c.together = true;
    run(&c, runs[i].kernel, &other);
    same(&one, &other);
    c.threads = 1;
    c.skip_quiet = false;
    run(&c, runs[i].kernel, &other);
    same(&one, &other);
    assert_true(one.stats.frontend_steps < other.stats.frontend_steps);
  }
}

/* A kernel whose lanes all go the same way, in so many CTAs. */
static void scale(struct tandem_config *c, unsigned ctas, struct outcome *o) {
  char text[512];
  struct tandem *t;
  struct tandem_error err;
  snprintf(text, sizeof text,
           "program: scale.cl\n"
           "buffers:\n"
           "  - {name: x, type: f32, count: %u, fill: {value: 1.5}}\n"
           "steps:\n"
           "  - launch: {kernel: scale, grid: [%u, 1, 1], block: [64, 1, 1],\n"
           "             args: [{buffer: x}, {f32: 2.0}, {u32: %u}]}\n",
           64 * ctas, ctas, 64 * ctas);
  if (run_text(c, text, &t, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  look(t, o);
  assert_int_equal(o->stats.sm.ctas, ctas);
  tandem_close(t);
}

/* A grid that divides works as one from the first cycle to the last; the rest of another one goes
 * to a group that is split when it is idle, or to one that is small enough from the start; a grid
 * too small for a group runs, too. */
TEST(formations) {
  struct tandem_config c = clusters(TANDEM_ENGINE_LOCKSTEP, 4);
  struct outcome o;
  scale(&c, 24, &o);
  assert_int_equal(o.stats.feature.buddy.grouped_cycles, o.stats.feature.buddy.resident_cycles);
  assert_int_equal(o.stats.feature.buddy.together_cycles, o.stats.feature.buddy.formed_cycles);
  assert_int_equal(o.stats.feature.buddy.ungroups + o.stats.feature.buddy.splits, 0);
  /* Three of four front ends are off but for the cycles in which the kernel comes in: two, and two
   * of the side-band. */
  assert_in_range(o.stats.feature.buddy.gated_cycles, 6 * (o.stats.cycles - 5), 6 * o.stats.cycles);
  scale(&c, 26, &o);
  assert_int_equal(o.stats.feature.buddy.splits, 1);
  assert_int_equal(o.ncauses, 1);
  assert_true(o.causes[0].split);
  assert_true(o.stats.feature.buddy.together_cycles < o.stats.feature.buddy.formed_cycles);
  c.feature.buddy.formation = BUDDY_FORM_ADAPTIVE;
  scale(&c, 26, &o);
  assert_int_equal(o.stats.feature.buddy.splits, 0);
  assert_int_equal(o.stats.feature.buddy.grouped_cycles,
                   o.stats.feature.buddy.resident_cycles); /* 4, 2, 2 */
  scale(&c, 25, &o);
  assert_int_equal(o.stats.feature.buddy.splits, 0);
  assert_true(o.stats.feature.buddy.grouped_cycles <
              o.stats.feature.buddy.resident_cycles); /* 4, 2, 1, 1 */
  /* The two SMs alone are in no group: the others are all the time. */
  assert_int_equal(o.stats.feature.buddy.together_cycles, o.stats.feature.buddy.formed_cycles);
  assert_in_range(o.stats.feature.buddy.formed_cycles, 6 * (o.stats.cycles - 5),
                  6 * o.stats.cycles);
  /* A grid smaller than a cluster has a residue, too: 4, 2, 1, 1, and three SMs take it. */
  scale(&c, 3, &o);
  assert_int_equal(o.stats.feature.buddy.splits, 0);
  c.feature.buddy.formation = BUDDY_FORM_DEFAULT;
  scale(&c, 3, &o);
  assert_int_equal(o.stats.feature.buddy.splits, 1);
}

/* Packets of a run without divergence follow from what was executed. */
TEST(packets) {
  struct tandem_config c = clusters(TANDEM_ENGINE_REF, 2);
  struct outcome o;
  scale(&c, 16, &o);
  const struct buddy_statistics *b = &o.stats.feature.buddy;
  const struct sm_stats *s = &o.stats.sm;
  assert_int_equal(2 * b->inst_packets, s->warp_instructions);
  assert_int_equal(b->downlink_hops, b->inst_packets + b->mask_packets);
  assert_int_equal(b->uplink_hops, b->ack_packets + b->credit_packets);
  assert_int_equal(2 * b->ack_packets, o.stats.mem.global_loads);
  assert_true(b->mask_packets > 0 && b->credit_packets > b->ack_packets);
}

/* SMs to compare clusters with: alone with the queues of members, members that work alone, and as
 * they are.  All leave the same image; what is not issued in time with the others' queues shows in
 * cycles. */
TEST(controls) {
  struct tandem_config c = clusters(TANDEM_ENGINE_REF, 1);
  struct outcome plain, equal, apart;
  struct tandem *t;
  struct tandem_error err;
  run(&c, "blackscholes", &plain);
  c.feature.buddy.member_queues = true;
  run(&c, "blackscholes", &equal);
  c.engine = TANDEM_ENGINE_LOCKSTEP;
  assert_int_equal(tandem_open(&c, &t, &err), TANDEM_USAGE);
  contains(err.text, "needs engine ref");
  c = clusters(TANDEM_ENGINE_REF, 4);
  c.feature.buddy.member_queues = true;
  assert_int_equal(tandem_open(&c, &t, &err), TANDEM_USAGE);
  contains(err.text, "is for SMs alone");
  c.feature.buddy.member_queues = false;
  c.feature.buddy.formation = BUDDY_FORM_APART;
  run(&c, "blackscholes", &apart);
  assert_int_equal(plain.digest, equal.digest);
  assert_int_equal(plain.digest, apart.digest);
  assert_int_not_equal(plain.stats.cycles, equal.stats.cycles);
  /* Members start later than SMs alone, by their formation and the waking of three in four; their
   * accesses to memory come in another order, which may be the better one. */
  assert_in_range(apart.stats.cycles, equal.stats.cycles * 98 / 100,
                  equal.stats.cycles * 102 / 100);
}

TEST(why_ungrouped) {
  struct tandem_config c = clusters(TANDEM_ENGINE_REF, 2);
  struct outcome o;
  run(&c, "matmul", &o);
  assert_true(o.stats.feature.buddy.ungroups > 0);
  assert_true(o.ncauses > 0 &&
              o.ncauses <= o.stats.feature.buddy.ungroups + o.stats.feature.buddy.splits);
  for (size_t i = 0; i < o.ncauses; i++) {
    const struct gpu_ungroup *u = &o.causes[i];
    assert_false(u->split);
    assert_int_equal(u->sm, u->lead + 1);
    assert_int_not_equal(u->directions, u->master_directions);
    assert_true(u->directions != 0 && u->master_directions != 0 && u->pc != 0);
  }
}

TEST(errors) {
  struct tandem_config c = clusters(TANDEM_ENGINE_LOCKSTEP, 3);
  refused(&c, "1, 2, 4 or 8");
  c.feature.buddy.size = 4;
  c.sms = 6;
  refused(&c, "4 and 8 do");
  c.sms = 2;
  refused(&c, "4 do");
  c.sms = 62;
  refused(&c, "60 and 64 do");
  c.sms = 8;
  c.feature.buddy.hop_latency = 11;
  refused(&c, "1 to 10");
  c.feature.buddy.hop_latency = 5;
  c.feature.buddy.mon_entries = 3;
  refused(&c, "1, 2 or 4");
  c.feature.buddy.mon_entries = 4;
  c.feature.buddy.power_up = 256;
  refused(&c, "0 to 255");
  c.feature.buddy.power_up = 0;
  c.sm.collectors_mem = 7;
  refused(&c, "must be 8 in a buddy cluster");
}

/* Parameters of clusters of four that are not the default ones. */
TEST(parameters) {
  struct outcome one, far, many;
  struct tandem_config c = clusters(TANDEM_ENGINE_REF, 4);
  run(&c, "reduction", &one);
  c.feature.buddy.hop_latency = 5;
  run(&c, "reduction", &far);
  c.feature.buddy.hop_latency = 1;
  c.feature.buddy.mon_entries = 4;
  run(&c, "reduction", &many);
  assert_true(far.stats.cycles > one.stats.cycles);
  assert_true(many.stats.sm.stalls[STALL_MONITOR] < one.stats.sm.stalls[STALL_MONITOR]);
  assert_int_equal(far.digest, one.digest);
  assert_int_equal(many.digest, one.digest);
}

/* Faults of the cluster's units, and of its front ends, are reported with cluster, member and SM,
 * the ports of both, and the second run. */
TEST(reports) {
  static const struct {
    unsigned bug;
    const char *kernel, *parts[4];
  } faults[] = {
      {11, "prefix", {"cluster 1 ", "outputs of buddy_cluster", "member", "rtl "}},
      {13,
       "bfs",
       {"cluster 1 (SMs 4 to 7), port buddy_cluster.", "inputs of buddy_cluster", "master",
        "ref "}},
      {1,
       "prefix",
       {"cluster 1 member ", "(SM ", "inputs of buddy_member", "outputs of buddy_cluster"}},
  };
  for (unsigned i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    struct tandem_config c = clusters(TANDEM_ENGINE_LOCKSTEP, 4);
    struct tandem *t;
    struct tandem_error err;
    c.bug = faults[i].bug;
    c.bug_sm = 6;
    assert_int_equal(run_kernel(&c, faults[i].kernel, &t, &err), TANDEM_FAULT);
    for (unsigned k = 0; k < 4; k++)
      contains(tandem_report(t), faults[i].parts[k]);
    tandem_close(t);
  }
}

int main(void) { return test_run(NULL, NULL); }
