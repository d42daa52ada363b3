/* Launches of programs/waits.cl, whose threads wait for each other. */
#ifndef TANDEM_TESTS_SYSTEM_WAITS_H
#define TANDEM_TESTS_SYSTEM_WAITS_H

#include "tests/system/helpers.h"

#define LAUNCH(kernel, grid, block)                                                                \
  "program: waits.cl\n"                                                                            \
  "buffers: [{name: a, type: s32, count: 2}, {name: n, type: s32, count: 512}]\n"                  \
  "steps:\n"                                                                                       \
  "  - launch: {kernel: " kernel ", grid: [" grid "], block: [" block "],\n"                       \
  "             args: [{buffer: a}, {buffer: n}]}\n"

/* Runs a launch that ends as wanted.  The caller closes the GPU. */
static inline struct tandem *run_waits(struct tandem_config c, const char *text,
                                       enum tandem_status wanted) {
  struct tandem *t;
  struct tandem_error err;
  c.max_cycles = wanted == TANDEM_OK ? 1000000 : 100000;
  if (run_text(&c, text, &t, &err) != wanted)
    fail_msg("%s%s", text, err.text);
  return t;
}

/* Warps that were seen to spin. */
static inline uint64_t spinning(struct tandem *t) {
  struct tandem_statistic s;
  struct tandem_error err;
  assert_int_equal(tandem_statistic(t, "sm.spinning_warps", &s, &err), TANDEM_OK);
  return s.count;
}

#endif
