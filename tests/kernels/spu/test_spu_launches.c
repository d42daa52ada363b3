/* A stencil processing unit under conditions that change no result, or only the one they should:
 * launches in a row, other grids of SMs, threads, skipped cycles, slow memory, modes, blocks on an
 * SM; and the off-chip words of the thesis.
 *
 *   test_spu_launches [TEST | --words LARGEST]
 *
 * TEST: the tests whose names match (* and ?).  With --words the words of its problems of up to
 * LARGEST points a side alone. */
#include "tests/kernels/spu/scenario.h"
#include "tests/test.h"
#include "tests/unit/testing.h"

static struct outcome run(const struct scenario *s, enum tandem_engine engine) {
  struct outcome o;
  struct tandem_config c;
  scenario_configure(s, engine, &c);
  scenario_run(s, &c, &o);
  return o;
}

static struct outcome ref(const struct scenario *s) { return run(s, TANDEM_ENGINE_REF); }

/* ---- launches on one GPU ---- */

/* A kernel of tests/kernels that knows nothing of an SPU. */
static void run_other(struct tandem *gpu, const char *kernel) {
  struct tandem_error err = {{0}};
  struct tandem_job *job;
  char path[512];
  (void)snprintf(path, sizeof path, "%s/../%s/%s.yaml", SPU_KERNELS, kernel, kernel);
  if (tandem_job_open(gpu, path, &job, &err) != TANDEM_OK ||
      tandem_job_run(job, &err) != TANDEM_OK || tandem_job_check(job, &err) != TANDEM_OK)
    fail_msg("%s: %s\n%s", kernel, err.text, tandem_report(gpu));
  tandem_job_close(job);
}

/* Each launch starts from what the others left behind. */
TEST(in_a_row) {
  static const unsigned grids[][3] = {{5, 3, 2}, {2, 2, 1}, {1, 1, 3}, {3, 6, 1}};
  static const enum tandem_engine engines[] = {TANDEM_ENGINE_REF, TANDEM_ENGINE_LOCKSTEP};
  uint64_t cycles[2];
  for (unsigned e = 0; e < 2; e++) {
    struct scenario s = scenario_standard(2, 2, 1, 1, 1);
    struct tandem_config c;
    struct tandem_error err;
    struct tandem *gpu;
    struct gpu_stats stats;
    scenario_configure(&s, engines[e], &c);
    assert_int_equal(tandem_open(&c, &gpu, &err), TANDEM_OK);
    for (unsigned i = 0; i < sizeof grids / sizeof grids[0]; i++) {
      s = scenario_standard(2, 2, grids[i][0], grids[i][1], grids[i][2]);
      s.seed = i + 1;
      scenario_run_on(&s, gpu);
      run_other(gpu, i % 2 == 0 ? "vecadd" : "atomics");
    }
    gpu_statistics(gpu, &stats);
    cycles[e] = stats.cycles;
    tandem_close(gpu);
  }
  assert_int_equal(cycles[0], cycles[1]);
}

/* A kernel without synchronisation of blocks takes the same cycles with an SPU around it. */
TEST(without_spu) {
  static const char *const kernels[] = {"vecadd", "prefix"};
  for (unsigned i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
    const struct scenario s = scenario_standard(2, 2, 1, 1, 1);
    struct outcome o[2];
    for (unsigned plain = 0; plain < 2; plain++) {
      struct tandem_config c;
      struct tandem_error err;
      struct tandem *gpu;
      scenario_configure(&s, TANDEM_ENGINE_LOCKSTEP, &c);
      if (plain)
        c.feature.spu.columns = 0;
      assert_int_equal(tandem_open(&c, &gpu, &err), TANDEM_OK);
      run_other(gpu, kernels[i]);
      gpu_statistics(gpu, &o[plain].stats);
      o[plain].digest = tandem_digest(gpu);
      tandem_close(gpu);
    }
    assert_int_equal(o[0].stats.cycles, o[1].stats.cycles);
    assert_int_equal(o[0].digest, o[1].digest);
    assert_int_equal(o[0].stats.feature.spu.slot_cycles, 0);
    assert_true(o[0].stats.mismatches == 0 && o[0].stats.compared >= o[1].stats.compared);
  }
}

/* ---- grids of SMs ---- */

TEST(other_grids) {
  static const unsigned grids[][4] = {{5, 3, 6, 4}, {6, 6, 7, 6}, {16, 4, 16, 5}, {8, 8, 9, 8}};

  for (unsigned i = 0; i < sizeof grids / sizeof grids[0]; i++) {
    const struct scenario s =
        scenario_standard(grids[i][0], grids[i][1], grids[i][2], grids[i][3], 1);
    scenario_check(&s);
  }
}

/* ---- how it is run ---- */

static void same(const struct outcome *a, const struct outcome *b) {
  assert_int_equal(a->stats.cycles, b->stats.cycles);
  assert_int_equal(a->digest, b->digest);
  assert_memory_equal(&a->stats.feature.spu, &b->stats.feature.spu, sizeof a->stats.feature.spu);
  assert_memory_equal(&a->stats.mem, &b->stats.mem, sizeof a->stats.mem);
  assert_memory_equal(&a->stats.sm, &b->stats.sm, sizeof a->stats.sm);
}

TEST(threads_and_quiet_cycles) {
  struct scenario s = scenario_standard(2, 2, 3, 3, 1);
  for (unsigned global = 0; global < 2; global++) {
    struct outcome usual, o;
    struct tandem_config c;
    s.sync = global ? SPU_SYNC_GLOBAL : SPU_SYNC_POINT;
    s.passes = global ? SPU_SERIAL : SPU_OVERLAPPED;
    usual = run(&s, TANDEM_ENGINE_LOCKSTEP);
    scenario_configure(&s, TANDEM_ENGINE_LOCKSTEP, &c);
    c.threads = 3;
    c.together = true;
    scenario_run(&s, &c, &o);
    same(&usual, &o);
    c.threads = 1;
    c.skip_quiet = false;
    scenario_run(&s, &c, &o);
    same(&usual, &o);
    c.feature.spu.shadow = false;
    c.assertions = true;
    scenario_run(&s, &c, &o);
    same(&usual, &o);
  }
}

/* ---- what changes time alone ---- */

TEST(modes) {
  struct scenario s = scenario_standard(2, 2, 5, 5, 2);
  const struct outcome usual = ref(&s);
  s.passes = SPU_SERIAL;
  const struct outcome serial = ref(&s);
  assert_int_equal(serial.digest, usual.digest);
  assert_true(usual.stats.cycles < serial.stats.cycles);
  s.passes = SPU_OVERLAPPED;
  s.pairing = SPU_DECOUPLED;
  const struct outcome decoupled = ref(&s);
  assert_int_equal(decoupled.digest, usual.digest);
  assert_true(decoupled.stats.cycles <= usual.stats.cycles);
  s.dram_latency = 1000;
  assert_int_equal(ref(&s).digest, usual.digest);
  s.pairing = SPU_RENDEZVOUS;
  const struct outcome slow = ref(&s);
  assert_int_equal(slow.digest, usual.digest);
  assert_true(usual.stats.cycles < slow.stats.cycles);
  s.passes = SPU_SERIAL;
  s.sync = SPU_SYNC_GLOBAL;
  (void)ref(&s); /* another program: the host's comparison has to do */
  print_message("%llu cycles overlapped, %llu one by one, %llu decoupled, %llu with slow memory\n",
                (unsigned long long)usual.stats.cycles, (unsigned long long)serial.stats.cycles,
                (unsigned long long)decoupled.stats.cycles, (unsigned long long)slow.stats.cycles);
}

/* More blocks an SM: fewer passes, and fewer tiles that leave the grid between them. */
TEST(blocks) {
  static const unsigned rectangles[][2] = {{2, 2}, {4, 1}};
  struct scenario s = scenario_standard(2, 2, 8, 8, 2);
  const struct outcome one = ref(&s);
  for (unsigned i = 0; i < 2; i++) {
    s.bx = rectangles[i][0];
    s.by = rectangles[i][1];
    const struct outcome o = ref(&s);
    assert_int_equal(o.digest, one.digest);
    assert_true(o.stats.feature.spu.words_spilled < one.stats.feature.spu.words_spilled);
    assert_int_equal(scenario_offchip(&o.stats.feature.spu), scenario_words(&s));
  }
}

/* ---- off-chip words: table 6.2 of the thesis, on 4 x 4 SMs ---- */

static unsigned largest;

/* Runs it, and returns its cycles. */
static uint64_t cycles_with_words(const struct scenario *s, uint64_t words) {
  scenario_say(s);
  const struct outcome o = ref(s);
  assert_int_equal(scenario_offchip(&o.stats.feature.spu), words);
  print_message("  %llu cycles, %llu words off chip\n", (unsigned long long)o.stats.cycles,
                (unsigned long long)words);
  return o.stats.cycles;
}

static void words(void **state) {
  static const struct {
    unsigned n, k, b;
    enum spu_sync sync;
    uint64_t words;
  } rows[] = {
      {128, 128, 32, SPU_SYNC_POINT, 98304},   {128, 128, 32, SPU_SYNC_GLOBAL, 98304},
      {256, 256, 64, SPU_SYNC_POINT, 393216},  {256, 256, 64, SPU_SYNC_GLOBAL, 393216},
      {256, 256, 32, SPU_SYNC_POINT, 655360},  {256, 256, 32, SPU_SYNC_GLOBAL, 1179648},
      {256, 512, 32, SPU_SYNC_POINT, 1179648}, {256, 512, 32, SPU_SYNC_GLOBAL, 1703936},
      {320, 320, 32, SPU_SYNC_POINT, 1433600}, {320, 320, 32, SPU_SYNC_GLOBAL, 3072000},
      {320, 512, 32, SPU_SYNC_POINT, 2170880}, {320, 512, 32, SPU_SYNC_GLOBAL, 3809280},
      {384, 384, 32, SPU_SYNC_POINT, 2064384}, {384, 384, 32, SPU_SYNC_GLOBAL, 4423680},
      {384, 512, 32, SPU_SYNC_POINT, 2654208}, {384, 512, 32, SPU_SYNC_GLOBAL, 5013504},
      {512, 512, 32, SPU_SYNC_POINT, 4718592}, {512, 512, 32, SPU_SYNC_GLOBAL, 11010048},
  };
  (void)state;
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const unsigned blocks_a_side = rows[i].n / rows[i].b;
    struct scenario s =
        scenario_standard(4, 4, blocks_a_side, blocks_a_side, rows[i].k / rows[i].b);
    if (rows[i].n > largest || rows[i].k > largest)
      continue;
    s.b = rows[i].b;
    s.cb_bytes = 4 * s.b * s.b;
    s.sync = rows[i].sync;
    s.passes = SPU_SERIAL;
    const uint64_t serial = cycles_with_words(&s, rows[i].words);
    s.interface = SPU_INTERFACE_SM;
    if (s.sync == SPU_SYNC_POINT)
      s.passes = SPU_OVERLAPPED;
    (void)cycles_with_words(&s, rows[i].words);
    s.interface = SPU_INTERFACE_DMA;
    if (s.sync == SPU_SYNC_POINT)
      assert_true(cycles_with_words(&s, rows[i].words) <= serial);
  }
}

int main(int argc, char **argv) {
  const struct CMUnitTest counts[] = {cmocka_unit_test(words)};
  if (argc == 2)
    cmocka_set_test_filter(argv[1]);
  largest = (unsigned)testing_option(argc, argv, "--words", 0);
  return largest != 0 ? cmocka_run_group_tests_name("SPU words", counts, NULL, NULL)
                      : test_run(NULL, NULL);
}
