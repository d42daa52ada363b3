/* Interface units that are SMs: errors there are reported with their place, and launches and
 * configurations that the units cannot serve are refused.  test_spu.c tests their results. */
#include <unistd.h>

#include "harness/gpu/config.h"
#include "harness/gpu/results/statistics.h"
#include "tests/test.h"

enum { NOTHING, MULTIPLY, SHARE, COUNT, READ, DIRECTION, LEAVE };

static struct tandem_config config_of(enum tandem_engine engine, unsigned columns, unsigned rows) {
  struct tandem_config c;
  gpu_config_default(&c);
  c.engine = engine;
  c.threads = 1;
  c.sms = columns * rows;
  c.feature.spu.columns = columns;
  c.feature.spu.rows = rows;
  c.feature.spu.interface = SPU_INTERFACE_SM;
  c.feature.spu.cb_bytes = 1024;
  c.mem.l1d = c.mem.l2 = false;
  c.hang_cycles = 20000;
  return c;
}

/* wrong_interface.cl on a grid of blocks. */
static char *description(unsigned wrong, unsigned nbx, unsigned nby, unsigned threads) {
  static const char *const sides[] = {"north", "south", "west", "east"};
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  fprintf(out,
          "program: %s/wrong_interface.cl\noptions: [\"-DWRONG=%u\"]\nbuffers:\n"
          "  - {name: memory, type: f32, count: 64, fill: {value: 1}}\nsteps:\n"
          "  - launch:\n      grid: [%u, %u]\n      block: [%u]\n"
          "      args: [{buffer: memory}, {f32: 2.0}]\n      spu:\n        tiles: 1\n",
          SPU_KERNELS, wrong, nbx, nby, threads);
  for (unsigned i = 0; i < 4; i++)
    fprintf(out,
            "        %s: {buffer: memory, rows: 1, row_words: 32, row_pitch: 0, tile_pitch: 0, "
            "block_pitch: 0}\n",
            sides[i]);
  assert_int_equal(fclose(out), 0);
  return text;
}

/* The caller closes *gpu. */
static enum tandem_status run(const struct tandem_config *c, char *text, struct tandem **gpu,
                              struct tandem_error *err) {
  struct tandem_job *job = NULL;
  if (tandem_open(c, gpu, err) != TANDEM_OK)
    fail_msg("%s", err->text);
  enum tandem_status status = tandem_job_open_text(*gpu, text, "interface", &job, err);
  if (status == TANDEM_OK)
    status = tandem_job_run(job, err);
  tandem_job_close(job);
  free(text);
  return status;
}

static void contains(const char *text, const char *part) {
  if (strstr(text, part) == NULL)
    fail_msg("\"%s\" is not in: %s", part, text);
}

/* The SMs of a grid of one: 0, and around it N 1, S 2, W 3, E 4. */
TEST(wrong_code) {
  static const struct {
    unsigned wrong;
    const char *kind, *text;
  } cases[] = {
      {MULTIPLY, "backend", "illegal instruction: an interface unit has no unit for fmul"},
      {SHARE, "memory", "out of bounds store of 4 bytes in shared memory"},
      {COUNT, "backend", "illegal instruction: an interface unit has no unit for atom."},
      {READ, "memory", "in the wrong direction of a communication buffer"},
      {DIRECTION, "backend", "bsync at pc"},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const struct tandem_config c = config_of(TANDEM_ENGINE_REF, 1, 1);
    struct tandem *gpu;
    struct tandem_error err;
    assert_int_equal(run(&c, description(cases[i].wrong, 1, 1, 32), &gpu, &err), TANDEM_FAULT);
    print_message("%s\n", err.text);
    assert_string_equal(tandem_failure(gpu)->kind, cases[i].kind);
    assert_int_equal(tandem_failure(gpu)->sm, 1);
    contains(err.text, cases[i].text);
    contains(err.text, "SM 1 (N lane 0) warp 0");
    tandem_close(gpu);
  }
}

/* A unit that ends too early is named, and not the neighbours that wait for it. */
TEST(unit_that_leaves) {
  struct tandem_config c = config_of(TANDEM_ENGINE_REF, 1, 1);
  struct tandem *gpu;
  struct tandem_error err;
  assert_int_equal(run(&c, description(LEAVE, 1, 1, 32), &gpu, &err), TANDEM_FAULT);
  print_message("%s\n", err.text);
  assert_string_equal(tandem_failure(gpu)->kind, "machine");
  contains(err.text,
           "N lane 0, pass (0, 0): its interface unit, which loads a border's faces, ended "
           "after 0 of 1 synchronisations");
  tandem_close(gpu);
}

/* A kernel without an error passes, and the trace of an interface unit is written. */
TEST(right_code) {
  struct tandem_config c = config_of(TANDEM_ENGINE_LOCKSTEP, 1, 1);
  struct tandem *gpu;
  struct tandem_error err;
  char folder[] = "/tmp/tandem-interface-XXXXXX", path[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/x.fst", folder);
  c.trace = path;
  c.trace_to = 1000;
  c.trace_sms = 1U << 3;
  if (run(&c, description(NOTHING, 1, 1, 32), &gpu, &err) != TANDEM_OK)
    fail_msg("%s\n%s", err.text, tandem_report(gpu));
  assert_int_equal(tandem_trace_end(gpu, &err), TANDEM_OK);
  assert_int_equal(access(c.trace, R_OK), 0);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(rmdir(folder), 0);
  tandem_close(gpu);
}

/* A fault in the front end of an interface unit's SM, and not of another one. */
TEST(fault_in_hardware) {
  struct tandem_config c = config_of(TANDEM_ENGINE_LOCKSTEP, 2, 1);
  struct tandem *gpu;
  struct tandem_error err;
  char folder[] = "/tmp/tandem_interface_XXXXXX", file[256];
  assert_non_null(mkdtemp(folder));
  c.feature.spu.blocks_x = 2;
  c.bug = 1;
  c.bug_sm = 3; /* N lanes 2 to 3 */
  c.report_dir = folder;
  assert_int_equal(run(&c, description(NOTHING, 4, 1, 32), &gpu, &err), TANDEM_FAULT);
  print_message("%s\n", err.text);
  assert_int_equal(tandem_failure(gpu)->sm, 3);
  contains(err.text, "SM 3 (N lanes 2 to 3)");
  const char *wave = strstr(tandem_report(gpu), "waveform: ");
  assert_non_null(wave);
  assert_int_equal(sscanf(wave, "waveform: %255s", file), 1);
  contains(file, "mismatch-sm3-cycle");
  assert_int_equal(unlink(file), 0);
  strcpy(strrchr(file, '.'), ".gtkw"); /* the save file beside it */
  assert_int_equal(unlink(file), 0);
  assert_int_equal(rmdir(folder), 0);
  tandem_close(gpu);
}

/* The image and the cycles do not depend on threads and on what is left out. */
TEST(many_sms) {
  static const unsigned grids[][2] = {{8, 8}, {16, 4}};
  for (unsigned i = 0; i < 2; i++) {
    const unsigned columns = grids[i][0], rows = grids[i][1];
    uint64_t cycles = 0, digest = 0;
    for (unsigned way = 0; way < 3; way++) {
      struct tandem_config c = config_of(TANDEM_ENGINE_REF, columns, rows);
      struct tandem *gpu;
      struct tandem_error err;
      struct gpu_stats stats;
      c.threads = way == 1 ? 3 : 1;
      c.skip_quiet = way != 2;
      if (run(&c, description(NOTHING, columns, rows, 32), &gpu, &err) != TANDEM_OK)
        fail_msg("%s\n%s", err.text, tandem_report(gpu));
      gpu_statistics(gpu, &stats);
      assert_int_equal(stats.feature.spu.border_ctas, 2 * (columns + rows));
      assert_int_equal(stats.iss_checked, stats.sm.warp_instructions);
      assert_true(way == 0 || stats.cycles == cycles);
      assert_true(way == 0 || tandem_digest(gpu) == digest);
      cycles = stats.cycles;
      digest = tandem_digest(gpu);
      tandem_close(gpu);
    }
  }
}

static void refused(const struct tandem_config *c, const char *text) {
  struct tandem *gpu;
  struct tandem_error err;
  assert_int_equal(tandem_open(c, &gpu, &err), TANDEM_USAGE);
  contains(err.text, text);
}

TEST(configurations) {
  struct tandem_config c = config_of(TANDEM_ENGINE_LOCKSTEP, 32, 2);
  refused(&c, "64 SMs and 68 SMs around them: more than the crossbar's 128 ports");
  c = config_of(TANDEM_ENGINE_LOCKSTEP, 2, 1);
  c.bug = 1;
  c.bug_sm = 8;
  refused(&c, "there is no SM 8 to put the fault in: there are 8");
  c.bug = 0;
  c.trace = "interface.fst";
  c.trace_sms = 1U << 8;
  refused(&c, "there are SMs 0 to 7");
}

/* An SM of the border has 8 warps for the CTAs of all its lanes. */
TEST(blocks_that_do_not_fit) {
  struct tandem_config c = config_of(TANDEM_ENGINE_REF, 1, 1);
  struct tandem *gpu;
  struct tandem_error err;
  c.feature.spu.blocks_y = 2;
  assert_int_equal(run(&c, description(NOTHING, 1, 2, 160), &gpu, &err), TANDEM_USAGE);
  contains(err.text,
           "kernel wrong_interface: an interface unit of 8 warps holds 1 CTAs of 5 warps, "
           "and spu.blocks asks for 2");
  tandem_close(gpu);
}

int main(void) { return test_run(NULL, NULL); }
