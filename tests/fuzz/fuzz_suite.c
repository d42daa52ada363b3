/* Suites of experiments. */
#include "harness/experiment/suite.h"
#include "tests/fuzz/fuzz.h"

void fuzz_one(const char *text, size_t n) {
  struct experiment_suite s;
  struct tandem_error err;
  if (experiment_open(&s, fuzz_file(text, n), &err) == 0)
    experiment_close(&s);
}
