/* Whole runs on a stencil processing unit: the mean of three neighbours over any grid, against the
 * host's own computation bit by bit, with the off-chip words that the schedule must have, and the
 * same cycles and image whatever the engine.
 *
 *   test_spu [--random COUNT] [--seed N]
 *
 * Directed grids without --random. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/internal.h"
#include "tests/unit/testing.h"

struct scenario {
  unsigned columns, rows, bx, by; /* the SPU */
  unsigned nbx, nby, tiles, b;    /* the problem */
  enum tandem_spu_sync sync;
  enum tandem_spu_pairing pairing;
  enum tandem_spu_passes passes;
  unsigned cb_bytes, dram_latency, outstanding;
  uint64_t seed;
};

struct outcome {
  struct gpu_stats stats;
  uint64_t digest;
};

static unsigned up(unsigned a, unsigned b) { return (a + b - 1) / b; }

static void say(const struct scenario *s) {
  print_message(
      "%ux%u SMs of %ux%u blocks, %ux%u blocks of %u tiles of %u^3, %s, %s, %s, seed %llu\n",
      s->columns, s->rows, s->bx, s->by, s->nbx, s->nby, s->tiles, s->b,
      s->sync == TANDEM_SPU_GLOBAL ? "global" : "point",
      s->pairing == TANDEM_SPU_DECOUPLED ? "decoupled" : "rendezvous",
      s->passes == TANDEM_SPU_SERIAL ? "serial" : "overlapped", (unsigned long long)s->seed);
}

/* ---- the launch ---- */

/* A face of all blocks of a border: [k][block * b + i]. */
static void print_face(FILE *out, const char *side, unsigned length, unsigned b) {
  fprintf(out,
          "        %s: {buffer: %s, rows: %u, row_words: %u, row_pitch: %u, tile_pitch: %u, "
          "block_pitch: %u}\n",
          side, side, b, b, 4 * length, 4 * length * b, 4 * b);
}

static char *description(const struct scenario *s) {
  const unsigned nx = s->nbx * s->b, ny = s->nby * s->b, nk = s->tiles * s->b;
  const struct {
    const char *name;
    unsigned count;
    bool filled;
  } buffers[] = {{"first", nx * ny, true}, {"north", nx * nk, true},  {"west", ny * nk, true},
                 {"last", nx * ny, false}, {"south", nx * nk, false}, {"east", ny * nk, false}};
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  fprintf(out, "program: %s/mean3d.cl\noptions: [\"-DB=%u\"%s]\nbuffers:\n", SPU_KERNELS, s->b,
          s->sync == TANDEM_SPU_GLOBAL ? ", \"-DGLOBAL\"" : "");
  for (unsigned i = 0; i < 6; i++) {
    fprintf(out, "  - {name: %s, type: f32, count: %u", buffers[i].name, buffers[i].count);
    if (buffers[i].filled)
      fprintf(out, ", fill: {random: {seed: %llu, min: 0.0, max: 1.0}}",
              (unsigned long long)s->seed + i);
    fprintf(out, "}\n");
  }
  fprintf(
      out,
      "steps:\n  - launch:\n      kernel: mean3d\n      grid: [%u, %u, 1]\n      block: [%u, %u, "
      "1]\n      args: [{buffer: first}, {buffer: last}, {s32: %u}, {s32: %u}]\n      spu:\n"
      "        tiles: %u\n",
      s->nbx, s->nby, s->b / 4, s->b / 4, nx, s->tiles, s->tiles);
  print_face(out, "north", nx, s->b);
  print_face(out, "south", nx, s->b);
  print_face(out, "west", ny, s->b);
  print_face(out, "east", ny, s->b);
  assert_int_equal(fclose(out), 0);
  return text;
}

/* ---- what it must leave ---- */

static float *read_buffer(struct tandem *gpu, const struct tandem_job *job, const char *name,
                          size_t *n) {
  struct tandem_error err;
  uint32_t address;
  uint64_t bytes;
  assert_true(tandem_job_buffer(job, name, &address, &bytes));
  float *data = malloc(bytes);
  assert_non_null(data);
  assert_int_equal(tandem_read(gpu, address, data, bytes, &err), TANDEM_OK);
  *n = bytes / sizeof *data;
  return data;
}

static void compare(struct tandem *gpu, const struct tandem_job *job, const char *name,
                    const float *want) {
  size_t n;
  float *got = read_buffer(gpu, job, name, &n);
  for (size_t i = 0; i < n; i++) {
    uint32_t g, w; /* every bit */
    memcpy(&g, &got[i], sizeof g);
    memcpy(&w, &want[i], sizeof w);
    if (g != w)
      fail_msg("%s[%zu] is %.9g, must be %.9g", name, i, (double)got[i], (double)want[i]);
  }
  free(got);
}

/* The whole computation, plane by plane, in place: first becomes last, north south, west east. */
struct host {
  float *plane, *north, *west;
};

static void compute(struct host *h, unsigned nx, unsigned ny, unsigned nk) {
  for (unsigned k = 0; k < nk; k++)
    for (unsigned y = 0; y < ny; y++)
      for (unsigned x = 0; x < nx; x++) {
        const float left = x == 0 ? h->west[k * ny + y] : h->plane[y * nx + x - 1];
        const float above = y == 0 ? h->north[k * nx + x] : h->plane[(y - 1) * nx + x];
        volatile float sum = left + above; /* rounded, as on the GPU */
        sum = sum + h->plane[y * nx + x];
        h->plane[y * nx + x] = sum * 0.333333343f;
        if (x + 1 == nx)
          h->west[k * ny + y] = h->plane[y * nx + x];
        if (y + 1 == ny) /* read before by the rows above */
          h->north[k * nx + x] = h->plane[y * nx + x];
      }
}

/* Off-chip words (docs/spu.md): of point-to-point synchronisation and of the global one. */
static uint64_t words_of(const struct scenario *s) {
  const uint64_t px = s->columns * s->bx, qy = s->rows * s->by, face = (uint64_t)s->b * s->b;
  const uint64_t npx = up(s->nbx, (unsigned)px), npy = up(s->nby, (unsigned)qy);
  const uint64_t planes = 2ULL * s->nbx * s->nby * face,
                 border = 2ULL * (s->nbx + s->nby) * s->tiles;
  const uint64_t steps = s->sync == TANDEM_SPU_GLOBAL ? s->nbx + s->nby + s->tiles : s->tiles;
  const uint64_t inner = 2 * steps * ((npx - 1) * s->nby + (npy - 1) * s->nbx);
  return planes + (border + inner) * face;
}

/* ---- a run ---- */

static void configure(const struct scenario *s, enum tandem_engine engine,
                      struct tandem_config *c) {
  gpu_config_default(c);
  c->engine = engine;
  c->threads = 1;
  c->seed = s->seed;
  c->sms = s->columns * s->rows;
  c->spu_columns = s->columns;
  c->spu_rows = s->rows;
  c->spu_blocks_x = s->bx;
  c->spu_blocks_y = s->by;
  c->spu_sync = s->sync;
  c->spu_pairing = s->pairing;
  c->spu_passes = s->passes;
  c->spu_outstanding = s->outstanding;
  c->cb_bytes = s->cb_bytes;
  c->mem.dram_latency = s->dram_latency;
  c->mem.l1d = c->mem.l2 = false;
}

static void run(const struct scenario *s, enum tandem_engine engine, struct outcome *o) {
  struct tandem_config config;
  struct tandem_error err = {{0}};
  struct tandem *gpu;
  struct tandem_job *job;
  struct host h;
  size_t n;
  char *text = description(s);
  configure(s, engine, &config);
  if (tandem_open(&config, &gpu, &err) != TANDEM_OK)
    fail_msg("open: %s", err.text);
  if (tandem_job_open_text(gpu, text, "scenario", &job, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  h.plane = read_buffer(gpu, job, "first", &n);
  h.north = read_buffer(gpu, job, "north", &n);
  h.west = read_buffer(gpu, job, "west", &n);
  if (tandem_job_run(job, &err) != TANDEM_OK)
    fail_msg("%s\n%s", err.text, tandem_report(gpu));
  compute(&h, s->nbx * s->b, s->nby * s->b, s->tiles * s->b);
  compare(gpu, job, "last", h.plane);
  compare(gpu, job, "south", h.north);
  compare(gpu, job, "east", h.west);
  gpu_statistics(gpu, &o->stats);
  o->digest = tandem_digest(gpu);
  free(h.plane), free(h.north), free(h.west);
  tandem_job_close(job);
  tandem_close(gpu);
  free(text);
}

static uint64_t offchip(const struct gpu_spu_stats *s) {
  return s->words_loaded + s->words_stored + s->words_in + s->words_out + s->words_spilled +
         s->words_restored;
}

static void check(const struct scenario *s) {
  struct outcome lockstep, ref;
  say(s);
  run(s, TANDEM_ENGINE_REF, &ref);
  run(s, TANDEM_ENGINE_LOCKSTEP, &lockstep);
  assert_int_equal(lockstep.stats.mismatches, 0);
  assert_int_equal(lockstep.stats.iss_checked, lockstep.stats.sm.warp_instructions);
  assert_int_equal(ref.stats.cycles, lockstep.stats.cycles);
  assert_int_equal(ref.digest, lockstep.digest);
  assert_memory_equal(&ref.stats.spu, &lockstep.stats.spu, sizeof ref.stats.spu);
  assert_memory_equal(&ref.stats.mem, &lockstep.stats.mem, sizeof ref.stats.mem);
  assert_int_equal(offchip(&ref.stats.spu), words_of(s));
  print_message("  %llu cycles, %llu words off chip\n", (unsigned long long)ref.stats.cycles,
                (unsigned long long)words_of(s));
}

static struct scenario standard(unsigned columns, unsigned rows, unsigned nbx, unsigned nby,
                                unsigned tiles) {
  return (struct scenario){.columns = columns,
                           .rows = rows,
                           .bx = 1,
                           .by = 1,
                           .nbx = nbx,
                           .nby = nby,
                           .tiles = tiles,
                           .b = 8,
                           .passes = TANDEM_SPU_OVERLAPPED,
                           .cb_bytes = 1024,
                           .dram_latency = 100,
                           .outstanding = 16,
                           .seed = 1};
}

/* A single pass, in all modes. */
static void one_pass(void **state) {
  (void)state;
  for (unsigned tiles = 1; tiles <= 3; tiles++) {
    struct scenario s = standard(2, 2, 2, 2, tiles);
    check(&s);
    s.pairing = TANDEM_SPU_DECOUPLED;
    check(&s);
    s.sync = TANDEM_SPU_GLOBAL;
    s.passes = TANDEM_SPU_SERIAL;
    check(&s);
  }
}

/* Full and partial passes, overlapped and one by one. */
static void many_passes(void **state) {
  static const unsigned grids[][4] = {{2, 2, 4, 4}, {2, 2, 6, 4}, {2, 1, 4, 1}, {2, 2, 3, 2},
                                      {2, 2, 2, 3}, {3, 2, 4, 3}, {2, 2, 1, 1}, {1, 1, 3, 3},
                                      {1, 4, 2, 6}, {4, 1, 6, 2}};
  (void)state;
  for (unsigned i = 0; i < sizeof grids / sizeof grids[0]; i++) {
    struct scenario s = standard(grids[i][0], grids[i][1], grids[i][2], grids[i][3], 2);
    check(&s);
    s.passes = TANDEM_SPU_SERIAL;
    check(&s);
    s.sync = TANDEM_SPU_GLOBAL;
    check(&s);
  }
}

static void restore_close_behind_spill(void **state) {
  (void)state;
  struct scenario s = standard(2, 2, 6, 6, 1);
  check(&s);
  s.pairing = TANDEM_SPU_DECOUPLED;
  check(&s);
  s.dram_latency = 1000;
  check(&s);
}

static void several_blocks(void **state) {
  (void)state;
  struct scenario s = standard(2, 2, 8, 8, 2);
  s.bx = s.by = 2;
  check(&s);
  s.bx = 4, s.by = 1;
  check(&s);
  s.nbx = 7, s.nby = 5;
  check(&s);
}

/* A block whose warps name different directions is a fault with its place. */
static void warps_that_differ(void **state) {
  (void)state;
  struct scenario s = standard(1, 1, 1, 1, 1);
  struct tandem_config config;
  struct tandem_error err = {{0}};
  struct tandem *gpu;
  struct tandem_job *job;
  char *text = NULL;
  configure(&s, TANDEM_ENGINE_LOCKSTEP, &config);
  assert_true(asprintf(&text,
                       "program: %s/differ.cl\nsteps:\n  - launch: {grid: [1], block: [64], "
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
      standard(1 + rng_below(&rng, 4), 1 + rng_below(&rng, 4), 1 + rng_below(&rng, 8),
               1 + rng_below(&rng, 8), 1 + rng_below(&rng, 4));
  static const unsigned latencies[] = {1, 50, 100, 1000};
  s.bx = 1 + rng_below(&rng, 2);
  s.by = 1 + rng_below(&rng, 2);
  s.b = rng_chance(&rng, 25) ? 16 : 8;
  s.pairing = rng_chance(&rng, 50) ? TANDEM_SPU_DECOUPLED : TANDEM_SPU_RENDEZVOUS;
  s.passes = rng_chance(&rng, 60) ? TANDEM_SPU_OVERLAPPED : TANDEM_SPU_SERIAL;
  if (s.passes == TANDEM_SPU_SERIAL && rng_chance(&rng, 50))
    s.sync = TANDEM_SPU_GLOBAL;
  s.dram_latency = latencies[rng_below(&rng, 4)];
  s.outstanding = 1 + rng_below(&rng, 16);
  s.seed = 1 + rng_below(&rng, 1000000);
  check(&s);
}

int main(int argc, char **argv) {
  const unsigned count = (unsigned)testing_option(argc, argv, "--random", 0);
  const struct CMUnitTest directed[] = {cmocka_unit_test(one_pass), cmocka_unit_test(many_passes),
                                        cmocka_unit_test(restore_close_behind_spill),
                                        cmocka_unit_test(several_blocks),
                                        cmocka_unit_test(warps_that_differ)};
  const struct CMUnitTest random = cmocka_unit_test(random_grid);
  if (count == 0)
    return cmocka_run_group_tests_name("SPU", directed, NULL, NULL);
  rng.state = testing_seed(argc, argv);
  int failed = 0;
  for (unsigned i = 0; i < count && failed == 0; i++)
    failed = _cmocka_run_group_tests("random SPU", &random, 1, NULL, NULL);
  return failed;
}
