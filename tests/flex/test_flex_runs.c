/* Runs of clusters that share resources: schemes and the SMs that they are made of agree. */
#include <math.h>

#include "harness/gpu/core/check.h"
#include "harness/gpu/flex/flex.h"
#include "tests/flex/machine.h"

static const char *const kernels[] = {"vecadd", "bfs", "reduction", "sgemm", "histogram"};
enum { KERNELS_RUN = sizeof kernels / sizeof kernels[0] };

struct outcome {
  struct gpu_stats stats;
  uint64_t digest, paths;
};

static void finish(const struct tandem_config *c, const char *kernel, struct outcome *o) {
  struct tandem *t;
  struct tandem_error err;
  if (run_kernel(c, kernel, &t, &err) != TANDEM_OK)
    fail_msg("%s in %s: %s %s", kernel, flex_name(c->feature.flex.scheme), err.text,
             tandem_report(t));
  gpu_statistics(t, &o->stats);
  o->digest = tandem_digest(t);
  o->paths = gpu_paths(t);
  tandem_close(t);
}

/* Schemes of a cluster of `size`. */
static bool has(unsigned size, unsigned scheme) { return size != 2 || scheme != FLEX_BAL; }

/* Base is the GPU without clusters, cycle by cycle. */
TEST(base_is_sms_alone) {
  for (unsigned i = 0; i < KERNELS_RUN; i++) {
    struct tandem_config alone = table2_gpu(0, FLEX_BASE), base = table2_gpu(6, FLEX_BASE);
    struct outcome a, b;
    /* A Flex GPU allocates registers for the 48 warps of other schemes. */
    alone.spread_registers = base.spread_registers = false;
    finish(&alone, kernels[i], &a);
    finish(&base, kernels[i], &b);
    assert_true(a.stats.cycles > 100);
    assert_int_equal(a.stats.cycles, b.stats.cycles);
    assert_true(a.digest == b.digest && a.paths == b.paths);
    assert_memory_equal(&a.stats.sm, &b.stats.sm, sizeof a.stats.sm);
    assert_memory_equal(&a.stats.mem, &b.stats.mem, sizeof a.stats.mem);
  }
}

/* All schemes leave the image of Base, and programs without races take its paths. */
TEST(schemes_agree) {
  unsigned free_of_races = 0;
  for (unsigned i = 0; i < KERNELS_RUN; i++)
    for (unsigned size = 2; size <= 6; size += 4) {
      struct outcome base, o;
      struct tandem_config c = table2_gpu(size, FLEX_BASE);
      finish(&c, kernels[i], &base);
      for (unsigned s = FLEX_OCC; s < FLEX_SCHEMES; s++) {
        if (!has(size, s))
          continue;
        c = table2_gpu(size, (enum flex_scheme)s);
        finish(&c, kernels[i], &o);
        assert_true(o.digest == base.digest);
        if (base.stats.global_races == 0) {
          free_of_races++;
          assert_true(o.paths == base.paths);
          assert_true(o.stats.sm.thread_instructions == base.stats.sm.thread_instructions);
        }
        assert_true(o.stats.cycles != base.stats.cycles);
      }
    }
  assert_true(free_of_races >= 6);
}

/* RTL and reference agree in every cycle, and the reference alone takes the same cycles. */
TEST(engines) {
  static const enum flex_scheme schemes[] = {FLEX_BASE, FLEX_OCC, FLEX_BIGSM};
  for (unsigned i = 0; i < 3; i++) {
    struct tandem_config c = table2_gpu(2, schemes[i]);
    struct outcome ref, both;
    finish(&c, "vecadd", &ref);
    c.engine = TANDEM_ENGINE_LOCKSTEP;
    c.assertions = true;
    finish(&c, "vecadd", &both);
    assert_true(both.stats.compared > 10000 && both.stats.mismatches == 0);
    assert_int_equal(ref.stats.cycles, both.stats.cycles);
    assert_memory_equal(&ref.stats.sm, &both.stats.sm, sizeof ref.stats.sm);
    assert_memory_equal(&ref.stats.feature.flex, &both.stats.feature.flex,
                        sizeof ref.stats.feature.flex);
  }
}

/* Neither the number of threads nor leaving clock edges and cycles out shows. */
TEST(nothing_of_the_host) {
  for (unsigned s = FLEX_BASE; s < FLEX_SCHEMES; s++) {
    struct tandem_config c = table2_gpu(2, (enum flex_scheme)s);
    struct outcome one, other;
    if (!has(2, s))
      continue;
    c.sms = 4;
    finish(&c, "bfs", &one);
    c.threads = 2;
    c.together = true;
    c.skip_quiet = false;
    finish(&c, "bfs", &other);
    assert_int_equal(one.stats.cycles, other.stats.cycles);
    assert_int_equal(one.digest, other.digest);
    assert_memory_equal(&one.stats.sm, &other.stats.sm, sizeof one.stats.sm);
    assert_memory_equal(&one.stats.mem, &other.stats.mem, sizeof one.stats.mem);
    assert_memory_equal(&one.stats.feature.flex, &other.stats.feature.flex,
                        sizeof one.stats.feature.flex);
  }
}

/* The time of each domain without power is that of the scheme's roles, but for the cycles in which
 * a launch begins. */
TEST(power) {
  for (unsigned own = 0; own < 2; own++)
    for (unsigned s = FLEX_BASE; s < FLEX_SCHEMES; s++) {
      struct tandem_config c = table2_gpu(6, (enum flex_scheme)s);
      struct outcome o;
      uint64_t off[FLEX_DOMAINS] = {0};
      c.feature.flex.memory = own != 0 ? FLEX_MEMORY_OWN : FLEX_MEMORY_LENT;
      finish(&c, "vecadd", &o);
      const struct flex_statistics *n = &o.stats.feature.flex;
      for (unsigned m = 0; m < 6; m++)
        for (unsigned d = 0; d < FLEX_DOMAINS; d++)
          off[d] += ~flex_power((enum flex_scheme)s, own != 0, m) >> d & 1;
      const uint64_t counted[FLEX_DOMAINS] = {n->off_front_end, n->off_contexts, n->off_registers,
                                              n->off_lanes,     n->off_memory,   n->off_lsu,
                                              n->off_other};
      for (unsigned d = 0; d < FLEX_DOMAINS; d++)
        assert_in_range(counted[d], off[d] * (o.stats.cycles - 3), off[d] * o.stats.cycles);
      const uint64_t active =
          (unsigned)__builtin_popcount(flex_active((enum flex_scheme)s, FLEX_MEMBERS));
      const uint64_t lending =
          n->lending_occ + n->lending_bal + n->lending_bigsm + n->lending_bigsm_occ;
      assert_int_equal(n->active_cycles + lending, 6 * o.stats.cycles);
      assert_in_range(lending, (6 - active) * (o.stats.cycles - 3), (6 - active) * o.stats.cycles);
    }
}

/* Warps that active SMs have room for in a scheme bound the live ones. */
TEST(occupancy) {
  static const unsigned contexts[FLEX_SCHEMES] = {24, 48, 36, 24, 48};
  for (unsigned s = FLEX_BASE; s < FLEX_SCHEMES; s++) {
    const struct tandem_config c = table2_gpu(6, (enum flex_scheme)s);
    struct tandem *t;
    struct tandem_error err;
    struct gpu_stats n;
    uint64_t room = 0, live = 0;
    if (run_kernel(&c, "vecadd", &t, &err) != TANDEM_OK)
      fail_msg("%s", err.text);
    gpu_statistics(t, &n);
    for (unsigned i = 0; i < 6; i++) {
      struct sm_stats sm;
      gpu_sm_statistics(t, i, &sm);
      if ((flex_active((enum flex_scheme)s, 6) >> i & 1) == 0)
        continue;
      room += contexts[s] * sm.active_cycles;
      live += sm.warp_cycles;
    }
    assert_int_equal(n.warp_room, room);
    assert_true(live > room / 4 && live <= room);
    tandem_close(t);
  }
}

/* Leakage of the SMs and their wiring against Base's, by table III with 5 % left of what is gated.
 */
TEST(leakage) {
  static const double share[FLEX_SCHEMES] = {100, 65.1, 77.0, 65.1, 65.5};
  double base = 0;
  for (unsigned s = FLEX_BASE; s < FLEX_SCHEMES; s++) {
    struct tandem_config c = table2_gpu(6, (enum flex_scheme)s);
    struct outcome o;
    struct energy e;
    c.mem.l2 = false; /* whose leakage is no SM's */
    finish(&c, "bfs", &o);
    features_energy(&c, &o.stats, &e);
    const double wiring = s == FLEX_BASE ? 6 * 0.0385416 : 0; /* the paper's Base has none */
    const double watt = e.leak_ours - wiring;
    if (s == FLEX_BASE)
      base = watt;
    assert_true(fabs(base - 6 * 4.53642) < 0.01);
    if (fabs(100 * watt / base - share[s]) > 0.3)
      fail_msg("%s: %g W of %g W", flex_name((enum flex_scheme)s), watt, base);
  }
}

int main(void) { return test_run(NULL, NULL); }
