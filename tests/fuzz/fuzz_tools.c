/* Files of yosys and OpenSTA, and the reports' data; the first letter selects the file. */
#include <stdlib.h>

#include "harness/activity/gates.h"
#include "synth/flow/parse.h"
#include "synth/input/technology.h"
#include "tests/fuzz/fuzz.h"

void fuzz_one(const char *text, size_t n) {
  struct tandem_error err;
  union {
    struct synth_elaborated elaborated;
    struct synth_timing timing;
    struct synth_power power;
    struct gates gates;
    struct technology technology;
  } to = {0};
  if (n == 0)
    return;
  const char *path = fuzz_file(text + 1, n - 1);
  switch (*text) {
  case 'e':
    if (synth_parse_elaborated(path, "top", &to.elaborated, &err) == 0)
      synth_elaborated_free(&to.elaborated);
    break;
  case 'p':
    (void)synth_parse_path(path, &to.timing, &err);
    free(to.timing.path);
    break;
  case 'w':
    (void)synth_parse_power(path, &to.power, &err);
    break;
  case 'f':
    (void)synth_parse_fmax(path, &to.timing, &err);
    break;
  case 'g':
    (void)gates_read(&to.gates, path, "top", &err);
    gates_free(&to.gates);
    break;
  default:
    (void)technology_load(&to.technology, path, &err);
  }
}
