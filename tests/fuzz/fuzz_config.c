/* GPU descriptions. */
#include "harness/tandem.h"
#include "tests/fuzz/fuzz.h"

void fuzz_one(const char *text, size_t n) {
  struct tandem_config *c = tandem_config_create();
  struct tandem_error err;
  (void)tandem_config_load(c, fuzz_file(text, n), &err);
  tandem_config_destroy(c);
}
