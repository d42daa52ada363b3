/* PTX modules, to programs. */
#include "csim/isa/ptx/ptx.h"
#include "tests/fuzz/fuzz.h"

void fuzz_one(const char *text, size_t n) {
  struct isa_program *p;
  struct tandem_error err;
  (void)n;
  if (ptx_translate(text, "x.ptx", NULL, &p, &err) == 0)
    isa_program_free(p);
}
