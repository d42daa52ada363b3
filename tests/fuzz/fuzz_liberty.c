/* Liberty files. */
#include "synth/data/liberty.h"
#include "tests/fuzz/fuzz.h"

void fuzz_one(const char *text, size_t n) {
  struct liberty l;
  struct tandem_error err;
  (void)n;
  if (liberty_parse(text, "x.lib", &l, &err) == 0)
    liberty_free(&l);
}
