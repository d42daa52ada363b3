/* Simulated programs at fault: each report has the kernel, PC, thread and what it did. */
#include "tests/system/helpers.h"

#define CL "program: faults.cl\nbuffers: [{name: a, type: u32, count: 64}]\nsteps:\n"
#define S "program: faults.s\nsteps:\n"

TEST(faults) {
  static const struct {
    const char *text, *kind, *said[4];
  } cases[] = {
      {CL "  - launch: {kernel: out_of_bounds, grid: [2], block: [32],\n"
          "             args: [{buffer: a}, {u32: 64}]}\n",
       "memory",
       {"out of bounds store of 4 bytes in global memory, address 0x", "kernel out_of_bounds, PC ",
        "faults.cl:11)", "thread (5, 0, 0) of CTA (1, 0, 0)"}},
      {CL "  - launch: {kernel: misaligned, grid: [1], block: [32],\n"
          "             args: [{buffer: a}, {u32: 2}]}\n",
       "memory",
       {"misaligned store of 4 bytes", "kernel misaligned, PC ", "thread (0, 0, 0)",
        "faults.cl:15)"}},
      {CL "  - launch: {kernel: endless, grid: [1], block: [32],\n"
          "             args: [{buffer: a}, {u32: 2}]}\n",
       "endless",
       {"kernel endless has not ended within 30000 cycles", "warps that wait", "warp 0", "pc "}},
      {CL "  - launch: {kernel: trapped, grid: [2], block: [32],\n"
          "             args: [{buffer: a}, {u32: 37}]}\n",
       "memory",
       {"trap: the program has ended itself: kernel trapped, PC ", "faults.cl:27)",
        "thread (5, 0, 0) of CTA (1, 0, 0)", "SM 1 warp 0 lane 5"}},
      {S "  - launch: {kernel: stuck, grid: [1], block: [64]}\n",
       "backend",
       {"barrier", "kernel stuck, PC", "warp", "cycle"}},
      {S "  - launch: {kernel: split, grid: [1], block: [64]}\n",
       "backend",
       {"barrier", "kernel split, PC", "warp", "cycle"}},
      {S "  - launch: {kernel: deep, grid: [1], block: [32]}\n",
       "backend",
       {"SIMT stack overflow", "kernel deep, PC", "warp 0", "cycle"}},
  };
  static const enum tandem_engine engines[] = {TANDEM_ENGINE_LOCKSTEP, TANDEM_ENGINE_REF};
  for (size_t i = 0; i < 2 * (sizeof cases / sizeof cases[0]); i++) {
    struct tandem_config c = small(engines[i % 2]);
    struct tandem *t;
    struct tandem_error err;
    c.max_cycles = 30000;
    c.hang_cycles = 2000;
    if (run_text(&c, cases[i / 2].text, &t, &err) != TANDEM_FAULT)
      fail_msg("%s: %s", cases[i / 2].said[1], err.text);
    assert_string_equal(tandem_failure(t)->kind, cases[i / 2].kind);
    for (unsigned k = 0; k < 4; k++)
      contains(tandem_report(t), cases[i / 2].said[k]);
    if (strcmp(cases[i / 2].kind, "endless") != 0)
      contains(tandem_report(t), "  instruction   ");
    tandem_close(t);
  }
}

/* The barrier check can be switched off: a barrier then waits for live warps alone. */
TEST(unchecked_barriers) {
  struct tandem_config c = small(TANDEM_ENGINE_LOCKSTEP);
  struct tandem *t;
  struct tandem_error err;
  c.barrier_check = false;
  if (run_text(&c, S "  - launch: {kernel: stuck, grid: [1], block: [64]}\n", &t, &err) !=
      TANDEM_OK)
    fail_msg("%s", err.text);
  tandem_close(t);
}

/* A GPU that has failed says so to later launches and keeps its report. */
TEST(stays_failed) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  struct tandem *t;
  struct tandem_error err;
  struct tandem_job *job;
  const char *good = CL "  - launch: {kernel: fine, grid: [1], block: [32],\n"
                        "             args: [{buffer: a}, {u32: 2}]}\n";
  assert_int_equal(run_text(&c,
                            CL "  - launch: {kernel: misaligned, grid: [1], block: [32],\n"
                               "             args: [{buffer: a}, {u32: 1}]}\n",
                            &t, &err),
                   TANDEM_FAULT);
  assert_int_equal(tandem_job_open_text(t, good, PROGRAMS "/text.yaml", &job, &err), TANDEM_OK);
  assert_int_equal(tandem_job_run(job, &err), TANDEM_FAULT);
  contains(err.text, "failed before");
  contains(tandem_report(t), "misaligned");
  tandem_job_close(job);
  tandem_close(t);
}

int main(void) { return test_run(NULL, NULL); }
