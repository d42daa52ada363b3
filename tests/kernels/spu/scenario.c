/* The mean of three neighbours over any grid. */
#include "tests/kernels/spu/scenario.h"
#include "tests/test.h"

static unsigned up(unsigned a, unsigned b) { return (a + b - 1) / b; }

void scenario_say(const struct scenario *s) {
  print_message(
      "%ux%u SMs of %ux%u blocks, %ux%u blocks of %u tiles of %u^3, %s, %s, %s, %s, seed %llu\n",
      s->columns, s->rows, s->bx, s->by, s->nbx, s->nby, s->tiles, s->b,
      s->sync == SPU_SYNC_GLOBAL ? "global" : "point",
      s->pairing == SPU_DECOUPLED ? "decoupled" : "rendezvous",
      s->passes == SPU_SERIAL ? "serial" : "overlapped",
      s->interface == SPU_INTERFACE_SM ? "sm" : "dma", (unsigned long long)s->seed);
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
          s->sync == SPU_SYNC_GLOBAL ? ", \"-DGLOBAL\"" : "");
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
      "1]\n      args: [{buffer: first}, {buffer: last}, {s32: %u}, {s32: %u}, {buffer: north}, "
      "{buffer: south}, {buffer: west}, {buffer: east}]\n      spu:\n"
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

/* Off-chip words (docs/hardware/spu.md): of point-to-point synchronisation and of the global one.
 */
uint64_t scenario_words(const struct scenario *s) {
  const uint64_t px = s->columns * s->bx, qy = s->rows * s->by, face = (uint64_t)s->b * s->b;
  const uint64_t npx = up(s->nbx, (unsigned)px), npy = up(s->nby, (unsigned)qy);
  const uint64_t planes = 2ULL * s->nbx * s->nby * face,
                 border = 2ULL * (s->nbx + s->nby) * s->tiles;
  const uint64_t steps = s->sync == SPU_SYNC_GLOBAL ? s->nbx + s->nby + s->tiles : s->tiles;
  const uint64_t inner = 2 * steps * ((npx - 1) * s->nby + (npy - 1) * s->nbx);
  return planes + (border + inner) * face;
}

/* ---- a run ---- */

void scenario_configure(const struct scenario *s, enum tandem_engine engine,
                        struct tandem_config *c) {
  gpu_config_default(c);
  c->engine = engine;
  c->threads = 1;
  c->seed = s->seed;
  c->sms = s->columns * s->rows;
  c->feature.spu.columns = s->columns;
  c->feature.spu.rows = s->rows;
  c->feature.spu.blocks_x = s->bx;
  c->feature.spu.blocks_y = s->by;
  c->feature.spu.sync = s->sync;
  c->feature.spu.pairing = s->sync == SPU_SYNC_GLOBAL ? SPU_RENDEZVOUS : s->pairing;
  c->feature.spu.passes = s->passes;
  c->feature.spu.interface = s->interface;
  c->feature.spu.outstanding = s->outstanding;
  c->feature.spu.cb_bytes = s->cb_bytes;
  c->mem.dram_latency = s->dram_latency;
  c->mem.l1d = c->mem.l2 = false;
}

void scenario_run_on(const struct scenario *s, struct tandem *gpu) {
  struct tandem_error err = {{0}};
  struct tandem_job *job;
  struct host h;
  size_t n;
  char *text = description(s);
  if (tandem_job_open_text(gpu, text, "scenario", &job, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  h.plane = read_buffer(gpu, job, "first", &n);
  h.north = read_buffer(gpu, job, "north", &n);
  h.west = read_buffer(gpu, job, "west", &n);
  if (tandem_job_run(job, &err) != TANDEM_OK)
    fail_msg("failure of kind %s: %s\n%s", tandem_failure(gpu)->kind, err.text, tandem_report(gpu));
  compute(&h, s->nbx * s->b, s->nby * s->b, s->tiles * s->b);
  compare(gpu, job, "last", h.plane);
  compare(gpu, job, "south", h.north);
  compare(gpu, job, "east", h.west);
  free(h.plane), free(h.north), free(h.west);
  tandem_job_close(job);
  free(text);
}

void scenario_run(const struct scenario *s, const struct tandem_config *c, struct outcome *o) {
  struct tandem_error err = {{0}};
  struct tandem *gpu;
  if (tandem_open(c, &gpu, &err) != TANDEM_OK)
    fail_msg("open: %s", err.text);
  scenario_run_on(s, gpu);
  gpu_statistics(gpu, &o->stats);
  o->digest = tandem_digest(gpu);
  tandem_close(gpu);
}

uint64_t scenario_offchip(const struct spu_statistics *s) {
  return s->words_loaded + s->words_stored + s->words_in + s->words_out + s->words_spilled +
         s->words_restored;
}

static struct outcome run_with(const struct scenario *s, enum tandem_engine engine) {
  struct outcome o;
  struct tandem_config c;
  scenario_configure(s, engine, &c);
  scenario_run(s, &c, &o);
  return o;
}

static struct outcome in_lockstep(const struct scenario *s) {
  scenario_say(s);
  const struct outcome o = run_with(s, TANDEM_ENGINE_LOCKSTEP);
  assert_int_equal(o.stats.mismatches, 0);
  assert_int_equal(o.stats.iss_checked, o.stats.sm.warp_instructions);
  assert_int_equal(scenario_offchip(&o.stats.feature.spu), scenario_words(s));
  print_message("  %llu cycles, %llu words off chip\n", (unsigned long long)o.stats.cycles,
                (unsigned long long)scenario_words(s));
  return o;
}

static struct outcome both_engines(const struct scenario *s) {
  const struct outcome lockstep = in_lockstep(s), ref = run_with(s, TANDEM_ENGINE_REF);
  assert_int_equal(ref.stats.cycles, lockstep.stats.cycles);
  assert_int_equal(ref.digest, lockstep.digest);
  assert_memory_equal(&ref.stats.feature.spu, &lockstep.stats.feature.spu,
                      sizeof ref.stats.feature.spu);
  assert_memory_equal(&ref.stats.mem, &lockstep.stats.mem, sizeof ref.stats.mem);
  return ref;
}

static struct scenario other_interface(const struct scenario *s) {
  struct scenario other = *s;
  other.interface = s->interface == SPU_INTERFACE_SM ? SPU_INTERFACE_DMA : SPU_INTERFACE_SM;
  return other;
}

/* The interface changes neither the memory image nor these statistics. */
static void compare_interfaces(const struct outcome *a, const struct outcome *b) {
  const struct spu_statistics *x = &a->stats.feature.spu, *y = &b->stats.feature.spu;
  assert_int_equal(a->digest, b->digest);
  assert_int_equal(x->words_loaded, y->words_loaded);
  assert_int_equal(x->words_stored, y->words_stored);
  assert_int_equal(x->words_in, y->words_in);
  assert_int_equal(x->words_out, y->words_out);
  assert_int_equal(x->words_spilled, y->words_spilled);
  assert_int_equal(x->words_restored, y->words_restored);
  assert_int_equal(x->tiles, y->tiles);
  assert_int_equal(x->cb_reads, y->cb_reads);
  assert_int_equal(x->cb_writes, y->cb_writes);
  assert_int_equal(x->blocks, y->blocks);
}

void scenario_check(const struct scenario *s) {
  const struct scenario other = other_interface(s);
  const struct outcome one = both_engines(s), two = in_lockstep(&other);
  compare_interfaces(&one, &two);
}

void scenario_check_quickly(const struct scenario *s) {
  const struct scenario other = other_interface(s);
  const struct outcome one = both_engines(s), two = run_with(&other, TANDEM_ENGINE_REF);
  compare_interfaces(&one, &two);
}

struct scenario scenario_standard(unsigned columns, unsigned rows, unsigned nbx, unsigned nby,
                                  unsigned tiles) {
  return (struct scenario){.columns = columns,
                           .rows = rows,
                           .bx = 1,
                           .by = 1,
                           .nbx = nbx,
                           .nby = nby,
                           .tiles = tiles,
                           .b = 8,
                           .passes = SPU_OVERLAPPED,
                           .interface = SPU_INTERFACE_DMA,
                           .cb_bytes = 1024,
                           .dram_latency = 100,
                           .outstanding = 16,
                           .seed = 1};
}
