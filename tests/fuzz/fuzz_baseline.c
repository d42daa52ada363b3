/* Baselines of `tandem synth`: read, compared with a report, and written with it. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/report/baseline.h"
#include "tests/fuzz/fuzz.h"

static struct synth_report report(struct synth_unit *unit) {
  struct synth_report r = {.mhz = 100, .units = unit, .nunits = 1};
  strcpy(unit->name, "decode");
  unit->whole.cells = 100;
  strcpy(r.library.name, "l");
  strcpy(r.library.key, "k");
  strcpy(r.yosys, "y");
  strcpy(r.sta, "s");
  return r;
}

void fuzz_one(const char *text, size_t n) {
  static struct synth_unit unit;
  const struct synth_report r = report(&unit);
  struct tandem_error err;
  enum synth_verdict verdict;
  char *written = NULL;
  size_t size;
  static FILE *nowhere;
  FILE *out = open_memstream(&written, &size);
  if (nowhere == NULL)
    nowhere = fopen("/dev/null", "w");
  if (out == NULL || nowhere == NULL)
    fuzz_differ("no memory");
  (void)synth_baseline_check(nowhere, fuzz_file(text, n), &r, true, &verdict, &err);
  const bool good = synth_baseline_update(out, fuzz_file(text, n), &r, true, &err) == 0;
  fclose(out);
  /* A baseline that was written with the report is that of the report. */
  if (good &&
      (synth_baseline_check(nowhere, fuzz_file(written, size), &r, true, &verdict, &err) != 0 ||
       verdict != SYNTH_SAME))
    fuzz_differ(written);
  free(written);
}
