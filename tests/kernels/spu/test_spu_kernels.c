/* Kernels for a stencil processing unit, and the thesis' benchmark on a GPU without one: the
 * results of their launch descriptions against the host's own computation
 * bit by bit, with the off-chip words that they must have, the same cycles and image on the
 * reference and in lockstep, and the same image whether interface units are SMs or DMA engines.
 *
 *   test_spu_kernels DESCRIPTION... */
#include "tests/kernels/spu/references.h"
#include "tests/test.h"

/* A launch description, its check, the words of global loads, stores and faces
 * (docs/hardware/spu.md). */
struct description {
  const char *name;
  bool (*check)(const struct host *h);
  uint64_t words;
};

/* Words: the sums of `spu.offchip` or of the GPU's loads and stores, from the sizes in the
 * descriptions. */
enum {
  MEAN3D = 6 * 128 * 128, /* a cube in one pass; table 6.3 of the thesis */
  /* 4 n^2 k / b + 2 n^2 (thesis, 3.3) with n = k = 128, b = 32. */
  TICKETS = 4 * 128 * 128 * 128 / 32 + 2 * 128 * 128,
  /* 64 tiles, each with the plane and two faces loaded and stored. */
  WAVEFRONT = 64 * 6 * 32 * 32,
  /* a and b in and out, c; a crosses the border between the passes twice. */
  MATMUL = 2 * (128 * 128 + 128 * 256) + 128 * 256 + 2 * 128 * 128,
  /* Points in and out; 8 + 4 lanes' faces of 512 and 544 words in 4 tiles, in and out; a spilled
   * and restored column of 4 blocks. */
  JACOBI = 2 * 224 * 96 + 2 * 4 * (8 * 512 + 4 * 544) + 2 * 4 * 4 * 544,
  /* The same with faces of 128 and 144 words of 4 x 6 blocks, 20 tiles, and a row spilled. */
  STENCIL7 = 2 * 60 * 92 * 16 + 2 * 20 * (4 * 128 + 6 * 144) + 2 * 20 * 4 * 128,
  /* Three rows of 64 words of 4 x 8 blocks and 8 pairs; a row of blocks spilled; the scores. */
  ALIGN = 2 * 8 * 192 * (4 + 8) + 2 * 8 * 192 * 4 + 8 * 32,
};

static const struct description descriptions[] = {
    {"mean3d_128", check_mean3d, MEAN3D},
    {"mean3d_global", check_mean3d, MEAN3D},
    {"mean3d_tickets", check_mean3d_tickets, TICKETS},
    {"mean3d_wavefront", check_mean3d_wavefront, WAVEFRONT},
    {"jacobi2d", check_jacobi2d, JACOBI},
    {"stencil7", check_stencil7, STENCIL7},
    {"smith_waterman", check_smith_waterman, ALIGN},
    {"matmul_systolic", check_matmul_systolic, MATMUL},
};

/* Returns whether the GPU has an SPU. */
static bool run(const struct description *d, enum tandem_engine engine,
                enum spu_interface interface, struct host_outcome *out) {
  struct tandem_config config;
  struct tandem_job *job;
  struct tandem_error err = {{0}};
  char path[512];
  (void)snprintf(path, sizeof path, "%s/%s.yaml", SPU_KERNELS, d->name);
  gpu_config_default(&config);
  if (tandem_job_read(path, NULL, 0, &job, &err) != TANDEM_OK ||
      tandem_job_config(job, &config, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  tandem_job_close(job);
  config.engine = engine;
  config.check = engine == TANDEM_ENGINE_REF ? TANDEM_CHECK_FULL : TANDEM_CHECK_FAST;
  config.feature.spu.interface = interface;
  config.threads = 1;
  host_run(&config, path, NULL, 0, d->check, out);
  return config.feature.spu.columns != 0;
}

/* All words between chip and memory, of a GPU with or without an SPU. */
static uint64_t words_of(const struct gpu_stats *s) {
  const struct spu_statistics *spu = &s->feature.spu;
  const uint64_t words = spu->words_loaded + spu->words_stored + spu->words_in + spu->words_out +
                         spu->words_spilled + spu->words_restored;
  return words != 0 ? words : s->mem.global_words_loaded + s->mem.global_words_stored;
}

static bool both_engines(const struct description *d, enum spu_interface interface,
                         struct host_outcome *out) {
  struct host_outcome ref, lockstep;
  const bool spu = run(d, TANDEM_ENGINE_REF, interface, &ref);
  (void)run(d, TANDEM_ENGINE_LOCKSTEP, interface, &lockstep);
  const struct gpu_stats *s = &lockstep.stats;
  print_message("%s: %llu cycles, %llu words off chip\n", d->name, (unsigned long long)s->cycles,
                (unsigned long long)words_of(s));
  assert_int_equal(s->mismatches, 0);
  assert_true(s->compared > s->cycles);
  assert_int_equal(s->iss_checked, s->sm.warp_instructions);
  host_assert_same(&lockstep, &ref);
  assert_int_equal(words_of(s), d->words);
  *out = ref;
  return spu;
}

static void both_interfaces(void **state) {
  const struct description *d = *state;
  struct host_outcome dma, sm;
  if (!both_engines(d, SPU_INTERFACE_DMA, &dma))
    return;
  (void)both_engines(d, SPU_INTERFACE_SM, &sm);
  const struct spu_statistics *a = &dma.stats.feature.spu, *b = &sm.stats.feature.spu;
  assert_int_equal(dma.digest, sm.digest);
  assert_int_equal(a->words_in, b->words_in);
  assert_int_equal(a->words_out, b->words_out);
  assert_int_equal(a->words_spilled, b->words_spilled);
  assert_int_equal(a->words_restored, b->words_restored);
  assert_int_equal(a->tiles, b->tiles);
}

static const struct description *find(const char *name) {
  for (size_t i = 0; i < sizeof descriptions / sizeof descriptions[0]; i++)
    if (strcmp(descriptions[i].name, name) == 0)
      return &descriptions[i];
  (void)fprintf(stderr, "no description %s\n", name);
  exit(2);
}

int main(int argc, char **argv) {
  struct CMUnitTest tests[16];
  size_t n = 0;
  for (int i = 1; i < argc && n < sizeof tests / sizeof tests[0]; i++) {
    const struct description *d = find(argv[i]);
    tests[n++] = (struct CMUnitTest){d->name, both_interfaces, NULL, NULL, (void *)(uintptr_t)d};
  }
  if (n == 0) {
    (void)fprintf(stderr, "name a launch description\n");
    return 2;
  }
  return _cmocka_run_group_tests("SPU kernels", tests, n, NULL, NULL);
}
