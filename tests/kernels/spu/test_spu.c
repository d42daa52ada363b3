/* Whole runs on a stencil processing unit: the mean of three neighbours over any grid, against the
 * host's own computation bit by bit, with the off-chip words that the schedule must have, and the
 * same cycles and image whatever the engine.
 *
 *   test_spu [TEST | --random COUNT [--seed N]]
 *
 * All directed grids without arguments; TEST: those of the tests whose names match (* and ?). */
#include "tests/kernels/spu/scenario.h"
#include "tests/test.h"
#include "tests/unit/testing.h"

/* A single pass, in all modes. */
TEST(one_pass) {
  for (unsigned tiles = 1; tiles <= 3; tiles++) {
    struct scenario s = scenario_standard(2, 2, 2, 2, tiles);
    scenario_check(&s);
    s.pairing = SPU_DECOUPLED;
    scenario_check(&s);
    s.sync = SPU_SYNC_GLOBAL;
    s.passes = SPU_SERIAL;
    scenario_check(&s);
  }
}

/* Full and partial passes, overlapped and one by one. */
TEST(many_passes) {
  static const unsigned grids[][4] = {{2, 2, 4, 4}, {2, 2, 6, 4}, {2, 1, 4, 1}, {2, 2, 3, 2},
                                      {2, 2, 2, 3}, {3, 2, 4, 3}, {2, 2, 1, 1}, {1, 1, 3, 3},
                                      {1, 4, 2, 6}, {4, 1, 6, 2}};
  for (unsigned i = 0; i < sizeof grids / sizeof grids[0]; i++) {
    struct scenario s = scenario_standard(grids[i][0], grids[i][1], grids[i][2], grids[i][3], 2);
    scenario_check(&s);
    s.passes = SPU_SERIAL;
    scenario_check(&s);
    s.sync = SPU_SYNC_GLOBAL;
    scenario_check(&s);
  }
}

TEST(restore_close_behind_spill) {
  struct scenario s = scenario_standard(2, 2, 6, 6, 1);
  scenario_check(&s);
  s.pairing = SPU_DECOUPLED;
  scenario_check(&s);
  s.dram_latency = 1000;
  scenario_check(&s);
}

TEST(several_blocks) {
  struct scenario s = scenario_standard(2, 2, 8, 8, 2);
  s.bx = s.by = 2;
  scenario_check(&s);
  s.bx = 4, s.by = 1;
  scenario_check(&s);
  s.nbx = 7, s.nby = 5;
  scenario_check(&s);
}

/* A block whose warps name different directions is a fault with its place. */
TEST(warps_that_differ) {
  struct scenario s = scenario_standard(1, 1, 1, 1, 1);
  struct tandem_config config;
  struct tandem_error err = {{0}};
  struct tandem *gpu;
  struct tandem_job *job;
  char *text = NULL;
  scenario_configure(&s, TANDEM_ENGINE_LOCKSTEP, &config);
  assert_true(asprintf(&text,
                       "program: %s/faults/differ.cl\nsteps:\n  - launch: {grid: [1], block: [64], "
                       "spu: {tiles: 1}}\n",
                       SPU_KERNELS) > 0);
  assert_int_equal(tandem_open(&config, &gpu, &err), TANDEM_OK);
  if (tandem_job_open_text(gpu, text, "differ", &job, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  assert_int_equal(tandem_job_run(job, &err), TANDEM_FAULT);
  assert_string_equal(tandem_failure(gpu)->kind, "machine");
  if (strstr(err.text, "slot (0, 0), pass (0, 0): the warps of its block") == NULL)
    fail_msg("%s", err.text);
  tandem_job_close(job);
  tandem_close(gpu);
  free(text);
}

static struct rng rng;

static void random_grid(void **state) {
  (void)state;
  struct scenario s =
      scenario_standard(1 + rng_below(&rng, 4), 1 + rng_below(&rng, 4), 1 + rng_below(&rng, 8),
                        1 + rng_below(&rng, 8), 1 + rng_below(&rng, 4));
  static const unsigned latencies[] = {1, 50, 100, 1000};
  s.bx = 1 + rng_below(&rng, 2);
  s.by = 1 + rng_below(&rng, 2);
  s.b = rng_chance(&rng, 25) ? 16 : 8;
  s.pairing = rng_chance(&rng, 50) ? SPU_DECOUPLED : SPU_RENDEZVOUS;
  s.passes = rng_chance(&rng, 60) ? SPU_OVERLAPPED : SPU_SERIAL;
  if (s.passes == SPU_SERIAL && rng_chance(&rng, 50))
    s.sync = SPU_SYNC_GLOBAL;
  s.dram_latency = latencies[rng_below(&rng, 4)];
  s.outstanding = 1 + rng_below(&rng, 16);
  s.seed = 1 + rng_below(&rng, 1000000);
  s.interface = rng_chance(&rng, 60) ? SPU_INTERFACE_SM : SPU_INTERFACE_DMA;
  scenario_check_quickly(&s);
}

int main(int argc, char **argv) {
  const unsigned count = (unsigned)testing_option(argc, argv, "--random", 0);
  const struct CMUnitTest random = cmocka_unit_test(random_grid);
  if (argc == 2)
    cmocka_set_test_filter(argv[1]);
  if (count == 0)
    return test_run(NULL, NULL);
  rng.state = testing_seed(argc, argv);
  int failed = 0;
  for (unsigned i = 0; i < count && failed == 0; i++)
    failed = _cmocka_run_group_tests("random SPU", &random, 1, NULL, NULL);
  return failed;
}
