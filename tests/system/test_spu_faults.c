/* Kernels that use a stencil processing unit wrongly: each is a fault that names unit, link, tile
 * or instruction, whatever the engine. */
#include "tests/system/helpers.h"

#define FACE "{buffer: a, rows: 1, row_words: 32, row_pitch: 0, tile_pitch: 128, block_pitch: 512}"
#define ALL "north: " FACE ", south: " FACE ", west: " FACE ", east: " FACE

static struct tandem_config spu(unsigned columns, enum tandem_engine engine) {
  struct tandem_config c = small(engine);
  c.sms = c.feature.spu.columns = columns;
  c.feature.spu.rows = 1;
  c.feature.spu.cb_bytes = 1024;
  c.mem.l1d = c.mem.l2 = false;
  c.max_cycles = 100000;
  c.hang_cycles = 2000;
  return c;
}

static enum tandem_status run_case(const struct tandem_config *c, const char *kernel, unsigned x,
                                   unsigned tiles, const char *faces, struct tandem **t,
                                   struct tandem_error *err) {
  char text[2000];
  snprintf(text, sizeof text,
           "program: spu.cl\nbuffers: [{name: a, type: u32, count: 4096}]\nsteps:\n"
           "  - launch: {kernel: %s, grid: [%u], block: [32], args: [{s32: %u}],\n"
           "             spu: {tiles: %u, %s}}\n",
           kernel, x, tiles, tiles, faces);
  return run_text(c, text, t, err);
}

TEST(faults) {
  static const struct {
    const char *kernel;
    unsigned columns, x, tiles;
    const char *faces, *kind, *said[3];
  } cases[] = {
      {"divergent",
       1,
       1,
       1,
       ALL,
       "backend",
       {"warp 0 reaches the bsync at pc ", "with lanes 0000ffff of its live ffffffff",
        "kernel divergent, PC"}},
      {"own",
       1,
       1,
       1,
       ALL,
       "backend",
       {"has directions 16, but a CTA of role 1 has only 15", "kernel own, PC", "cycle"}},
      {"leaves",
       2,
       2,
       1,
       ALL,
       "hang",
       {"SPU: who waits for whom", "slot (0, 0), pass (0, 0): waits at its east for slot (1, 0);",
        "W lane 0, pass (0, 0), tile 0: its DMA engine waits for slot (0, 0)"}},
      {"too_few",
       1,
       1,
       3,
       ALL,
       "machine",
       {"slot (0, 0), pass (0, 0): its block ended after 2 of 3 synchronisations at its north",
        "cycle", "kernel"}},
      {"too_many",
       1,
       1,
       2,
       ALL,
       "machine",
       {"slot (0, 0), pass (0, 0): its block synchronises at its west more often than the launch's "
        "2 times",
        "cycle", "kernel"}},
      {"fine",
       1,
       1,
       1,
       "west: " FACE ", east: " FACE,
       "machine",
       {"slot (0, 0), pass (0, 0): its block synchronises at its north, where the launch has no "
        "face (spu.north)",
        "cycle", "kernel"}},
      {"fine",
       2,
       3,
       1,
       "north: " FACE ", west: " FACE ", east: " FACE,
       "machine",
       {"slot (0, 0), pass (0, 0): its block synchronises at its south, where the launch has no "
        "face (spu.south)",
        "cycle", "kernel"}},
      {"reads_east",
       1,
       1,
       1,
       ALL,
       "memory",
       {"in the wrong direction of a communication buffer: load of 4 bytes", "address 0x01300000",
        "kernel reads_east, PC"}},
      {"writes_west",
       1,
       1,
       1,
       ALL,
       "memory",
       {"in the wrong direction of a communication buffer: store of 4 bytes", "address 0x01200000",
        "kernel writes_west, PC"}},
      {"beyond",
       1,
       1,
       1,
       ALL,
       "memory",
       {"out of bounds store of 4 bytes", "address 0x01100400", "thread (31, 0, 0)"}},
      {"stores_bytes",
       1,
       1,
       1,
       ALL,
       "memory",
       {"no load or store of whole words, all that communication buffers take: store of 1 bytes",
        "address 0x01300000", "kernel stores_bytes, PC"}},
      {"stores_halves",
       1,
       1,
       1,
       ALL,
       "memory",
       {"no load or store of whole words", "store of 2 bytes", "kernel stores_halves, PC"}},
      {"counts",
       1,
       1,
       1,
       ALL,
       "memory",
       {"no load or store of whole words", "of 4 bytes", "kernel counts, PC"}},
      {"too_early", 2, 2, 1, ALL, "machine", {"link H(0, 0)", "slot (0, 0)", "tile"}},
      {"stale", 2, 2, 3, ALL, "machine", {"link H(1, 0)", "slot (1, 0)", "tile"}},
  };
  static const enum tandem_engine engines[] = {TANDEM_ENGINE_LOCKSTEP, TANDEM_ENGINE_REF};
  for (size_t i = 0; i < 2 * (sizeof cases / sizeof cases[0]); i++) {
    struct tandem_config c = spu(cases[i / 2].columns, engines[i % 2]);
    struct tandem *t;
    struct tandem_error err;
    enum tandem_status status = run_case(&c, cases[i / 2].kernel, cases[i / 2].x,
                                         cases[i / 2].tiles, cases[i / 2].faces, &t, &err);
    if (status != TANDEM_FAULT)
      fail_msg("%s: %d %s", cases[i / 2].kernel, status, err.text);
    if (strcmp(tandem_failure(t)->kind, cases[i / 2].kind) != 0)
      fail_msg("%s: %s", tandem_failure(t)->kind, tandem_report(t));
    for (unsigned k = 0; k < 3; k++)
      contains(tandem_report(t), cases[i / 2].said[k]);
    tandem_close(t);
  }
}

/* A block that leaves a barrier of all blocks out. */
TEST(barriers) {
  struct tandem_config c = spu(2, TANDEM_ENGINE_LOCKSTEP);
  struct tandem *t;
  struct tandem_error err;
  c.feature.spu.sync = SPU_SYNC_GLOBAL;
  c.feature.spu.passes = SPU_SERIAL;
  if (run_case(&c, "everyone", 2, 2, ALL, &t, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  tandem_close(t);
  assert_int_equal(run_case(&c, "too_few_barriers", 2, 2, ALL, &t, &err), TANDEM_FAULT);
  contains(tandem_report(t), "its block ended after 4 of 5 synchronisations with all blocks");
  tandem_close(t);
}

/* Interface units that are SMs move as many tiles as the launch has; the shadow of the buffers,
 * which may be off, is not needed to see it. */
TEST(interface_units) {
  static const struct {
    const char *kernel;
    unsigned x;
    const char *said;
  } cases[] = {
      {"units", 2, NULL},
      {"units", 5, NULL},
      {"units_too_few", 2, "its interface unit, which loads a border's faces, ended after 2 of 3"},
      {"units_too_few", 5, "its interface unit, which loads a border's faces, ended after 2 of 3"},
      {"units_too_many", 2, "its interface unit synchronises more often than the launch's 3 times"},
      {"loader_too_few", 5, "its interface unit, which loads a border's faces, ended after 2 of 3"},
  };
  for (size_t i = 0; i < 2 * (sizeof cases / sizeof cases[0]); i++) {
    const char *said = cases[i / 2].said;
    struct tandem_config c = spu(2, TANDEM_ENGINE_REF);
    struct tandem *t;
    struct tandem_error err;
    char text[1000];
    c.feature.spu.interface = SPU_INTERFACE_SM;
    c.feature.spu.shadow = i % 2 == 0;
    snprintf(text, sizeof text,
             "program: spu.cl\nbuffers: [{name: a, type: u32, count: 4096}]\nsteps:\n"
             "  - launch: {kernel: %s, grid: [%u], block: [32], args: [{s32: 3}, {buffer: a}],\n"
             "             spu: {tiles: 3, %s}}\n",
             cases[i / 2].kernel, cases[i / 2].x, ALL);
    const enum tandem_status status = run_text(&c, text, &t, &err);
    if (status != (said != NULL ? TANDEM_FAULT : TANDEM_OK))
      fail_msg("%s of %u: %d %s", cases[i / 2].kernel, cases[i / 2].x, status, err.text);
    if (said != NULL)
      contains(tandem_report(t), said);
    tandem_close(t);
  }
}

/* The kernels are sound where these cases do not break them; a direction without faces at all is
 * none that blocks wait in. */
TEST(sound) {
  static const struct {
    const char *kernel;
    unsigned x;
    const char *faces;
  } cases[] = {{"fine", 2, ALL}, {"fine", 5, ALL}, {"eastward", 3, "west: " FACE ", east: " FACE}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct tandem_config c = spu(2, TANDEM_ENGINE_LOCKSTEP);
    struct tandem *t;
    struct tandem_error err;
    if (run_case(&c, cases[i].kernel, cases[i].x, 2, cases[i].faces, &t, &err) != TANDEM_OK)
      fail_msg("%s: %s\n%s", cases[i].kernel, err.text, tandem_report(t));
    tandem_close(t);
  }
}

int main(void) { return test_run(NULL, NULL); }
