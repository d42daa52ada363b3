/* GPUs of large warps: what may not matter, errors, faults of programs, reports. */
#include "tests/system/helpers.h"

#include <unistd.h>

static struct tandem_config wide(enum tandem_engine engine, uint32_t warp_size) {
  struct tandem_config c = small(engine);
  c.feature.wide.warp_size = warp_size;
  c.report_dir = NULL;
  return c;
}

struct outcome {
  struct gpu_stats stats;
  uint64_t digest;
};

static void finish(const struct tandem_config *c, const char *kernel, struct outcome *o) {
  struct tandem *t;
  struct tandem_error err;
  if (run_kernel(c, kernel, &t, &err) != TANDEM_OK)
    fail_msg("%s: %s", kernel, err.text);
  gpu_statistics(t, &o->stats);
  o->digest = tandem_digest(t);
  tandem_close(t);
}

static void same(const struct outcome *a, const struct outcome *b) {
  assert_int_equal(a->stats.cycles, b->stats.cycles);
  assert_int_equal(a->digest, b->digest);
  assert_memory_equal(&a->stats.sm, &b->stats.sm, sizeof a->stats.sm);
  assert_memory_equal(&a->stats.mem, &b->stats.mem, sizeof a->stats.mem);
}

/* Neither the number of threads, nor leaving clock edges and cycles out, nor assertions show. */
TEST(nothing_of_the_host) {
  struct tandem_config c = wide(TANDEM_ENGINE_LOCKSTEP, 64);
  struct outcome one, other;
  finish(&c, "reduction", &one);
  c.threads = 2;
  c.together = true;
  finish(&c, "reduction", &other);
  same(&one, &other);
  c.skip_quiet = false;
  finish(&c, "reduction", &other);
  same(&one, &other);
  assert_true(one.stats.frontend_steps < other.stats.frontend_steps);
  c.skip_quiet = true;
  c.assertions = true;
  finish(&c, "reduction", &other);
  same(&one, &other);
}

/* Threads do the same whatever the warps; masks are compared to the last lane. */
TEST(statistics) {
  struct tandem_config c = wide(TANDEM_ENGINE_REF, 32);
  struct outcome usual, large;
  finish(&c, "matmul", &usual);
  for (uint32_t size = 64; size <= 128; size *= 2) {
    c = wide(TANDEM_ENGINE_LOCKSTEP, size);
    finish(&c, "matmul", &large);
    assert_int_equal(large.digest, usual.digest);
    assert_int_equal(large.stats.sm.thread_instructions, usual.stats.sm.thread_instructions);
    assert_int_equal(large.stats.sm.warp_instructions,
                     usual.stats.sm.warp_instructions * 32 / size);
    assert_int_equal(large.stats.sm.barriers, usual.stats.sm.barriers * 32 / size);
    assert_int_equal(large.stats.iss_checked, usual.stats.iss_checked);
    assert_true(large.stats.cycles > usual.stats.cycles / 2);
  }
  struct tandem *t;
  struct tandem_error err;
  struct tandem_compared rows[128];
  assert_int_equal(run_kernel(&c, "matmul", &t, &err), TANDEM_OK);
  size_t n = tandem_comparisons(t, rows, 128), found = 0;
  for (size_t i = 0; i < n; i++) {
    assert_true(rows[i].count > 0 || strstr(rows[i].name, "trap") != NULL);
    found += strcmp(rows[i].name, "iss0_mask_hi") == 0 || strcmp(rows[i].name, "tos_mask_hi") == 0;
  }
  assert_int_equal(found, 2);
  tandem_close(t);
}

TEST(errors) {
  struct tandem_config c = wide(TANDEM_ENGINE_REF, 48);
  refused(&c, "warp_size must be 32, 64 or 128 threads, not 48");
  c = wide(TANDEM_ENGINE_REF, 64);
  c.feature.buddy.size = 2;
  refused(&c, "shared front ends (buddy.size) and large warps (warp_size) exclude each other");
  c = wide(TANDEM_ENGINE_REF, 128);
  c.sm.warps = 46;
  refused(&c, "sm.warps, 46 warps of 32 threads, must be a multiple of 4 with warps of 128");
  /* A block takes whole large warps. */
  c.sm.warps = 4;
  struct tandem *t;
  struct tandem_error err;
  assert_int_equal(run_text(&c,
                            "program: faults.s\nsteps:\n"
                            "  - launch: {kernel: split, grid: [1], block: [160]}\n",
                            &t, &err),
                   TANDEM_USAGE);
  contains(err.text, "a CTA needs 8 warps, an SM has 4");
  tandem_close(t);
}

/* A barrier that not all live threads of a large warp reach is an error of the program, though
 * each 32 of them would be together; faults name the large warp and its lane. */
TEST(faults) {
  static const struct {
    const char *text, *kind, *said[2];
  } cases[] = {
      {"program: faults.s\nsteps:\n  - launch: {kernel: half, grid: [1], block: [128]}\n",
       "backend",
       {" with 00000000 of its live lanes ffffffff from 0 on",
        "barrier error: large warp 0 reaches the barrier at pc "}},
      {"program: faults.s\nsteps:\n  - launch: {kernel: deep, grid: [1], block: [64]}\n",
       "backend",
       {"SIMT stack overflow of large warp 0", "kernel deep, PC"}},
      {"program: faults.cl\nbuffers: [{name: a, type: u32, count: 192}]\nsteps:\n"
       "  - launch: {kernel: out_of_bounds, grid: [1], block: [256],\n"
       "             args: [{buffer: a}, {u32: 192}]}\n",
       "memory",
       {"out of bounds store of 4 bytes", "of CTA (0, 0, 0), SM 0 warp 0 lane 37"}},
      {"program: faults.cl\nbuffers: [{name: a, type: u32, count: 192}]\nsteps:\n"
       "  - launch: {kernel: endless, grid: [1], block: [160],\n"
       "             args: [{buffer: a}, {u32: 2}]}\n",
       "endless",
       {"warp 0 slice 3 (CTA 0,0,0 slot 0, warp 0 of it)", "warp 1 slice 0 (CTA 0,0,0 slot 0, "}},
  };
  static const enum tandem_engine engines[] = {TANDEM_ENGINE_LOCKSTEP, TANDEM_ENGINE_REF};
  for (size_t i = 0; i < 2 * (sizeof cases / sizeof cases[0]); i++) {
    struct tandem_config c = wide(engines[i % 2], 128);
    struct tandem *t;
    struct tandem_error err;
    c.max_cycles = 30000;
    if (run_text(&c, cases[i / 2].text, &t, &err) != TANDEM_FAULT)
      fail_msg("%s: %s", cases[i / 2].said[0], err.text);
    assert_string_equal(tandem_failure(t)->kind, cases[i / 2].kind);
    for (unsigned k = 0; k < 2; k++)
      contains(tandem_report(t), cases[i / 2].said[k]);
    tandem_close(t);
  }
  struct tandem_config c = wide(TANDEM_ENGINE_LOCKSTEP, 128);
  struct tandem *t;
  struct tandem_error err;
  c.barrier_check = false;
  if (run_text(&c, cases[0].text, &t, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  tandem_close(t);
}

/* Without the reference the architectural check finds faults of masks and branches, slice by slice,
 * and names the lane of the large warp. */
TEST(checked) {
  struct tandem_config c = wide(TANDEM_ENGINE_RTL, 128);
  struct tandem *t;
  struct tandem_error err;
  c.bug = 8;
  assert_int_equal(run_kernel(&c, "bfs", &t, &err), TANDEM_FAULT);
  assert_string_equal(tandem_failure(t)->kind, "iss");
  contains(tandem_report(t), "architectural check: active mask is 0x7fffffff, must be 0xffffffff");
  contains(tandem_report(t), " lane 96");
  tandem_close(t);
}

/* Fault 8: a mask loses its highest lane.  The report shows all lanes on both sides, and there is
 * a waveform. */
TEST(report) {
  static const char *const masks[2][4] = {{"port sm_frontend.iss0_mask:", " bits\n",
                                           "mask 7fffffffffffffff ", "mask ffffffffffffffff "},
                                          {"port sm_frontend.iss0_mask_hi:", "64 bits\n",
                                           "mask 7fffffffffffffffffffffffffffffff ",
                                           "mask ffffffffffffffffffffffffffffffff "}};
  for (unsigned i = 0; i < 2; i++) {
    struct tandem_config c = wide(TANDEM_ENGINE_LOCKSTEP, 64U << i);
    struct tandem *t;
    struct tandem_error err;
    char folder[] = "/tmp/tandem-wide-XXXXXX", wave[256];
    assert_non_null(mkdtemp(folder));
    c.bug = 8;
    c.report_dir = folder;
    assert_int_equal(run_kernel(&c, "reduction", &t, &err), TANDEM_FAULT);
    const char *text = tandem_report(t);
    if (strstr(text, "iss1_mask") == NULL)
      contains(text, masks[i][0]);
    for (unsigned k = 1; k < 4; k++)
      contains(text, masks[i][k]);
    snprintf(wave, sizeof wave, "%s/mismatch-sm0-cycle%llu.fst", folder,
             (unsigned long long)tandem_failure(t)->cycle);
    contains(text, wave);
    assert_int_equal(unlink(wave), 0);
    strcpy(strrchr(wave, '.'), ".gtkw"); /* the save file beside it */
    assert_int_equal(unlink(wave), 0);
    assert_int_equal(rmdir(folder), 0);
    tandem_close(t);
  }
}

int main(void) { return test_run(NULL, NULL); }
