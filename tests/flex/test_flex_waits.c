/* Warps of 64 threads that wait in loops: found soon if nothing can happen any more, not before. */
#include "tests/flex/machine.h"
#include "tests/system/waits.h"

/* The word that names the half that does not wait. */
#define FIRST(bit)                                                                                 \
  "program: waits.cl\n"                                                                            \
  "buffers: [{name: a, type: s32, count: 2},\n"                                                    \
  "          {name: n, type: s32, count: 3, fill: {value: " bit "}}]\n"                            \
  "steps:\n"                                                                                       \
  "  - launch: {kernel: half_waits, grid: [1], block: [64],\n"                                     \
  "             args: [{buffer: a}, {buffer: n}]}\n"

static struct tandem *run(const char *text, enum flex_scheme scheme, enum tandem_status wanted) {
  return run_waits(table2_gpu(2, scheme), text, wanted);
}

/* Whichever half spins, with the other, alone, or for ever at a barrier. */
TEST(hangs) {
  static const struct {
    const char *text, *said[3];
    unsigned spinning;
  } cases[] = {
      {LAUNCH("stores_too", "2", "64"),
       {"2 warps repeat a loop that changes nothing (cycle ", "lanes 0 to 63 of SM 0 warp 0",
        "and 1 more warp"},
       2},
      {LAUNCH("handshake", "1", "64"),
       {"1 warp repeats a loop", "lanes aaaaaaaaaaaaaaaa of SM 0 warp 0 (CTA 0, 0, 0) spin at ",
        "lanes 55555555 of the same warp wait for them at "},
       1},
      {FIRST("32"),
       {"1 warp repeats a loop", "lanes 0 to 31 of SM 0 warp 0 (CTA 0, 0, 0) spin at ",
        "lanes 32 to 63 of the same warp wait for them at "},
       1},
      {FIRST("0"),
       {"1 warp repeats a loop", "lanes 32 to 63 of SM 0 warp 0 (CTA 0, 0, 0) spin at ",
        "lanes 0 to 31 of the same warp wait for them at "},
       1},
      {LAUNCH("before_barrier", "1", "128"),
       {"1 warp repeats a loop that changes nothing", "lanes 0 to 31 of SM 0 warp 0", "\nloop:\n"},
       1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (unsigned s = FLEX_BIGSM; s <= FLEX_BIGSM_OCC; s++) {
      struct tandem *t = run(cases[i].text, (enum flex_scheme)s, TANDEM_FAULT);
      assert_string_equal(tandem_failure(t)->kind, "spin");
      assert_true(tandem_failure(t)->cycle < 100000);
      for (unsigned k = 0; k < 3; k++)
        contains(tandem_report(t), cases[i].said[k]);
      assert_int_equal(spinning(t), cases[i].spinning);
      tandem_close(t);
    }
}

/* A half that spins while the other one counts is no hang; nor is a lock that both take. */
TEST(legal_waits) {
  static const char *const texts[] = {
      LAUNCH("half_counts", "1", "64") "expect: [{buffer: n, data: [64]}]\n",
      LAUNCH("exchange", "3", "80") "expect: [{buffer: n, data: [240]}]\n"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    tandem_close(run(texts[i], FLEX_BIGSM, TANDEM_OK));
}

int main(void) { return test_run(NULL, NULL); }
