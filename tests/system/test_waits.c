/* Threads that wait for each other: locks that end, hangs that are found and what is then said, and
 * waiting that is no hang. */
#include "tests/system/waits.h"

#define ENDS(kernel, n) LAUNCH(kernel, "3", "80") "expect: [{buffer: n, data: [" n "]}]\n"

static struct tandem *run(const char *text, enum tandem_engine engine, enum tandem_status wanted) {
  return run_waits(small(engine), text, wanted);
}

/* Lanes of a warp take a lock one after the other. */
TEST(locks) {
  static const char *const texts[] = {ENDS("done_flag", "240"),    ENDS("exchange", "240"),
                                      ENDS("looks_first", "3240"), ENDS("ticket", "240"),
                                      ENDS("two_locks", "240"),    ENDS("in_a_loop", "720")};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    tandem_close(run(texts[i], TANDEM_ENGINE_REF, TANDEM_OK));
    if (i == 0)
      tandem_close(run(texts[i], TANDEM_ENGINE_LOCKSTEP, TANDEM_OK));
  }
}

/* A hang is found soon; its first line says what it is, the next ones who waits where. */
TEST(hangs) {
  static const struct {
    const char *text, *first, *said[3];
  } cases[] = {
      {LAUNCH("handshake", "1", "32"),
       "Kernel handshake waits for ever: 1 warp repeats a loop that changes nothing (cycle ",
       {"lanes aaaaaaaa of SM 0 warp 0 (CTA 0, 0, 0) spin at ",
        "lanes 55555555 of the same warp wait for them at ", "waits.cl:"}},
      {LAUNCH("grid_barrier", "40", "64"),
       "24 of 40 CTAs have not begun: none of the 16 that run ends. Kernel grid_barrier waits for "
       "ever: 16 warps repeat a loop that changes nothing, 16 wait for them at barriers (cycle ",
       {"lane 0 of SM 0 warp 0 (CTA 0, 0, 0) spins at ", "and 15 more warps",
        "launch at most 16 CTAs"}},
      {LAUNCH("before_barrier", "1", "64"),
       "Kernel before_barrier waits for ever: 1 warp repeats a loop that changes nothing, 1 waits "
       "for them at barriers (cycle ",
       {"1 warp waits at the barrier at ", "before the barrier", "\nloop:\n"}},
      {LAUNCH("stores_too", "2", "64"),
       "Kernel stores_too waits for ever: 4 warps repeat a loop that changes nothing (cycle ",
       {"lanes 0 to 31 of SM 0 warp 0", "and 3 more warps", "No thread is left"}},
  };
  static const enum tandem_engine engines[] = {TANDEM_ENGINE_REF, TANDEM_ENGINE_LOCKSTEP};
  for (size_t i = 0; i < 2 * (sizeof cases / sizeof cases[0]); i++) {
    struct tandem *t = run(cases[i / 2].text, engines[i % 2], TANDEM_FAULT);
    assert_string_equal(tandem_failure(t)->kind, "spin");
    assert_true(tandem_failure(t)->cycle < 100000);
    assert_memory_equal(tandem_report(t), cases[i / 2].first, strlen(cases[i / 2].first));
    for (unsigned k = 0; k < 3; k++)
      contains(tandem_report(t), cases[i / 2].said[k]);
    tandem_close(t);
  }
}

/* Waiting that ends is no hang; a warp that repeats its loop meanwhile is counted. */
TEST(legal_waits) {
  static const struct {
    const char *text;
    uint64_t spinning;
  } cases[] = {
      {ENDS("late", "240"), 8}, {ENDS("counts", "240"), 0}, {ENDS("by_the_clock", "240"), 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct tandem *t = run(cases[i].text, TANDEM_ENGINE_REF, TANDEM_OK);
    assert_int_equal(spinning(t), cases[i].spinning);
    tandem_close(t);
  }
}

/* A kernel that changes memory for ever is stopped by max_cycles alone. */
TEST(toggles) {
  struct tandem *t = run(LAUNCH("toggles", "40", "64"), TANDEM_ENGINE_REF, TANDEM_FAULT);
  assert_string_equal(tandem_failure(t)->kind, "endless");
  contains(tandem_report(t), "kernel toggles has not ended within 100000 cycles (--max-cycles, "
                             "max_cycles); 24 of 40 CTAs have not begun, 16 run\n");
  tandem_close(t);
}

int main(void) { return test_run(NULL, NULL); }
