/* Clusters in lockstep, with assertions and the full check, where schemes differ: CTAs and warps on
 * both sides or in halves, accesses on both sides, kernels after kernels of another scheme.  Each
 * run leaves the image of SMs alone.
 *
 *   test_flex_directed [MEMBERS STAGES]     by default clusters of six with one stage */
#include "tests/flex/machine.h"

static unsigned members = FLEX_MEMBERS, stages = 1;

struct outcome {
  struct gpu_stats stats;
  uint64_t digest;
};

static void finish(const struct tandem_config *c, const char *text, struct outcome *o) {
  struct tandem *t;
  struct tandem_error err;
  if (run_text(c, text, &t, &err) != TANDEM_OK)
    fail_msg("%s: %s %s\n%s", flex_name(c->feature.flex.scheme), err.text, tandem_report(t), text);
  gpu_statistics(t, &o->stats);
  o->digest = tandem_digest(t);
  tandem_close(t);
}

/* One cluster; every state is compared in every cycle. */
static struct tandem_config cluster(enum flex_scheme scheme) {
  struct tandem_config c = table2_gpu(members, scheme);
  c.engine = TANDEM_ENGINE_LOCKSTEP;
  c.check = TANDEM_CHECK_FULL;
  c.assertions = true;
  c.state_interval = 1;
  c.spread_registers = false; /* the code, which is in the image, is that for SMs alone */
  c.feature.flex.dummy = stages;
  c.feature.flex.power_up = 3;
  return c;
}

static struct tandem_config sms_alone(void) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  c.report_dir = NULL;
  c.spread_registers = false;
  return c;
}

struct kernel_case {
  const char *kernel;
  unsigned ctas; /* of an active SM, about */
  unsigned threads, shared, n;
  unsigned schemes;   /* a set: those in which the CTA fits */
  unsigned registers; /* of a thread; 0: those that it uses */
};

enum {
  BASE = 1U << FLEX_BASE,
  OCC = 1U << FLEX_OCC,
  BAL = 1U << FLEX_BAL,
  WIDE = 1U << FLEX_BIGSM | 1U << FLEX_BIGSM_OCC,
  ALL = BASE | OCC | BAL | WIDE
};

static void describe(const struct kernel_case *k, unsigned ctas, char text[1024]) {
  char registers[32] = "";
  if (k->registers != 0)
    (void)snprintf(registers, sizeof registers, "registers: %u, ", k->registers);
  (void)snprintf(text, 1024,
                 "program: " PROGRAMS "/../../flex/programs/directed.cl\n"
                 "buffers: [{name: to, type: u32, count: %u}]\n"
                 "steps:\n"
                 "  - launch: {kernel: %s, grid: [%u], block: [%u], %sargs: "
                 "[{buffer: to}, {local: %u}, {s32: %u}]}\n",
                 4 * ctas * k->threads, k->kernel, ctas, k->threads, registers, k->shared, k->n);
}

/* Runs a case in each scheme; adds up what was borrowed. */
static struct flex_statistics in_schemes(const struct kernel_case *k) {
  struct flex_statistics sum = {0};
  for (unsigned s = 0; s < FLEX_SCHEMES; s++) {
    if ((k->schemes >> s & 1) == 0 || (s == FLEX_BAL && members == 2))
      continue;
    const unsigned active = (unsigned)__builtin_popcount(flex_active((enum flex_scheme)s, members));
    const struct tandem_config c = cluster((enum flex_scheme)s), alone = sms_alone();
    struct outcome o, expected;
    char text[1024];
    describe(k, active * k->ctas, text);
    finish(&alone, text, &expected);
    finish(&c, text, &o);
    if (o.digest != expected.digest)
      fail_msg("%s, %u threads a CTA, in %s: another image than SMs alone leave", k->kernel,
               k->threads, flex_name((enum flex_scheme)s));
    assert_true(o.stats.compared > o.stats.cycles && o.stats.sm.ctas == active * k->ctas);
    sum.far_reads += o.stats.feature.flex.far_reads;
    sum.far_pops += o.stats.feature.flex.far_pops;
    sum.memory_lines += o.stats.feature.flex.memory_lines;
    sum.wide_instructions += o.stats.feature.flex.wide_instructions;
    sum.half_instructions += o.stats.feature.flex.half_instructions;
    sum.data_planes += o.stats.feature.flex.data_planes;
  }
  return sum;
}

/* The third CTA of ten warps has warps 20 to 29. */
TEST(a_cta_on_both_sides) {
  const struct flex_statistics f =
      in_schemes(&(struct kernel_case){"exchange", 3, 320, 1280, 3, OCC | BAL, 0});
  assert_true(f.far_reads > 100 && f.far_pops > 10);
}

TEST(half_a_wide_warp_ends) {
  for (unsigned upper = 0; upper < 2; upper++) {
    const struct flex_statistics f =
        in_schemes(&(struct kernel_case){"halves", 2, 128, 16, upper, WIDE, 0});
    assert_true(f.half_instructions > 100);
  }
}

TEST(wide_ctas_of_any_size) {
  static const unsigned threads[] = {32, 33, 64, 65, 96};
  for (unsigned i = 0; i < sizeof threads / sizeof threads[0]; i++) {
    const struct flex_statistics f =
        in_schemes(&(struct kernel_case){"exchange", 2, threads[i], 512, 2, WIDE, 0});
    assert_int_equal(f.half_instructions > 0, threads[i] != 64);
    assert_int_equal(f.half_instructions == f.wide_instructions, threads[i] == 32);
  }
}

TEST(quads_of_borrowed_warps) {
  const struct flex_statistics f =
      in_schemes(&(struct kernel_case){"quads", 4, 256, 16, 2, ALL, 0});
  assert_true(f.data_planes > 100);
}

TEST(atomics_of_both_halves) {
  (void)in_schemes(&(struct kernel_case){"counts", 3, 192, 16, 2, ALL, 0});
}

TEST(shared_memory_of_both_sides) {
  const struct flex_statistics f =
      in_schemes(&(struct kernel_case){"across", 1, 128, 24576, 1, OCC | BAL | WIDE, 0});
  assert_true(f.memory_lines > 100);
}

/* SMs hold all the CTAs of 512 threads that they can; and CTAs that no SM alone holds. */
TEST(large_ctas) {
  static const unsigned held[FLEX_SCHEMES] = {1, 3, 2, 3, 6};
  for (unsigned s = 0; s < FLEX_SCHEMES; s++)
    (void)in_schemes(&(struct kernel_case){"exchange", held[s], 512, 2048, 1, 1U << s, 0});
  (void)in_schemes(&(struct kernel_case){"exchange", 1, 1024, 4096, 1, OCC | BAL | WIDE, 0});
}

/* With 34 registers a thread ten warps a side have some, or five of a half: CTAs of six. */
TEST(registers_on_both_sides) {
  const struct flex_statistics f =
      in_schemes(&(struct kernel_case){"exchange", 5, 192, 768, 2, ALL, 34});
  assert_true(f.far_reads > 100);
}

/* ---- kernel after kernel ---- */

#define LAUNCH                                                                                     \
  "  - launch: {kernel: exchange, grid: [%u], block: [128], args: [{buffer: to}, {local: 512}, "   \
  "{s32: 1}], flex: %s}\n"

/* All pairs of schemes, of which each launch but the first is the second of one. */
static unsigned describe_pairs(char *text, size_t size) {
  unsigned from = FLEX_BASE, n = 0;
  bool passed[FLEX_SCHEMES][FLEX_SCHEMES] = {{false}};
  size_t at = (size_t)snprintf(text, size,
                               "program: " PROGRAMS "/../../flex/programs/directed.cl\n"
                               "buffers: [{name: to, type: u32, count: 4096}]\nsteps:\n" LAUNCH,
                               4 * members, flex_name(FLEX_BASE));
  for (;;) {
    unsigned to = 0, step = FLEX_SCHEMES;
    for (unsigned s = 0; s < FLEX_SCHEMES && step == FLEX_SCHEMES; s++) {
      to = (from + s) % FLEX_SCHEMES;
      if (!passed[from][to] && (to != FLEX_BAL || members != 2))
        step = s;
    }
    if (step == FLEX_SCHEMES)
      return n;
    passed[from][to] = true;
    at += (size_t)snprintf(text + at, size - at, LAUNCH, 4 * members,
                           flex_name((enum flex_scheme)to));
    assert_true(at < size);
    from = to;
    n++;
  }
}

/* Front ends and contexts lose their power and their state, and wake at once, late and very late.
 */
TEST(all_pairs_of_schemes) {
  static const unsigned power_up[] = {0, 1, 255};
  char text[8192];
  const unsigned schemes = members == 2 ? FLEX_SCHEMES - 1 : FLEX_SCHEMES;
  assert_int_equal(describe_pairs(text, sizeof text), schemes * schemes);
  for (unsigned i = 0; i < sizeof power_up / sizeof power_up[0]; i++) {
    struct tandem_config c = cluster(FLEX_BASE);
    struct outcome o;
    c.feature.flex.power_up = power_up[i];
    finish(&c, text, &o);
    const struct flex_statistics *f = &o.stats.feature.flex;
    assert_int_equal(f->launches_base + f->launches_occ + f->launches_bal + f->launches_bigsm +
                         f->launches_bigsm_occ,
                     1 + schemes * schemes);
    assert_true(f->wakes_front_end > 0 && f->wakes_contexts > 0 && f->far_reads > 0);
  }
}

/* ---- one wide warp ---- */

/* Cycles of a round of chain.s: 200 rounds take so many more than 100. */
static unsigned round_of(enum flex_scheme scheme, unsigned delay, unsigned threads) {
  uint64_t cycles[2];
  for (unsigned i = 0; i < 2; i++) {
    struct tandem_config c = cluster(scheme);
    struct outcome o;
    char text[512];
    c.feature.flex.dummy = delay;
    if (delay != stages)
      c.engine = TANDEM_ENGINE_REF;
    c.assertions = c.engine == TANDEM_ENGINE_LOCKSTEP;
    c.state_interval = 16;
    (void)snprintf(text, sizeof text,
                   "program: " PROGRAMS "/../../flex/programs/chain.s\n"
                   "steps:\n"
                   "  - launch: {kernel: chain, grid: [1], block: [%u], args: [{u32: %u}]}\n",
                   threads, 100 * (i + 1));
    finish(&c, text, &o);
    cycles[i] = o.stats.cycles;
  }
  assert_int_equal((cycles[1] - cycles[0]) % 100, 0);
  return (unsigned)(cycles[1] - cycles[0]) / 100;
}

/* A round has a load of shared memory, an addition, a comparison and a branch, each of which waits
 * for the one before.  Stages that each takes, counted on docs/hardware/flex.md (Delays):
 *
 *                   load                                    addition, comparison          branch
 *   BigSM, _Occ     issue, address, there and back, result  issue                         issue,
 * lanes taken Occ             the same                                issue, operands, result the
 * same
 *
 * The load of a wide warp takes a second pass, for its upper half. */
TEST(a_round_takes_its_stages) {
  const unsigned base = round_of(FLEX_BASE, stages, 32);
  enum { LOAD = 5, NARROW = 3, BRANCH = 2 };
  for (unsigned delay = 0; delay <= 2; delay++) {
    const unsigned wide = LOAD + 1 + 1 + BRANCH, narrow = LOAD + NARROW + NARROW + BRANCH;
    assert_int_equal(round_of(FLEX_BIGSM, delay, 64), base + delay * wide + 1);
    assert_int_equal(round_of(FLEX_BIGSM_OCC, delay, 64), base + delay * wide + 1);
    assert_int_equal(round_of(FLEX_BIGSM, delay, 32), base + delay * wide);
    assert_int_equal(round_of(FLEX_OCC, delay, 32), base + delay * narrow);
  }
}

int main(int argc, char **argv) {
  if (argc == 3) {
    members = (unsigned)strtoul(argv[1], NULL, 10);
    stages = (unsigned)strtoul(argv[2], NULL, 10);
  }
  return test_run(NULL, NULL);
}
