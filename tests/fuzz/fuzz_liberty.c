/* Liberty files, and what the flow needs of them. */
#include "synth/input/library.h"
#include "tests/fuzz/fuzz.h"

void fuzz_one(const char *text, size_t n) {
  struct liberty l;
  struct synth_library info;
  struct tandem_error err;
  if (n >= 2 && text[0] == 0x1f) /* a compressed one would be unpacked beside netlists */
    return;
  if (synth_library_load(fuzz_file(text, n), "/nowhere", &l, &info, &err) == 0)
    liberty_free(&l);
  if (liberty_parse(text, "x.lib", &l, &err) == 0)
    liberty_free(&l);
}
