/* Cells' area, memory bits and the highest clock of the modules that a change concerns. */
#ifndef TANDEM_COMPARE_AREA_H
#define TANDEM_COMPARE_AREA_H

#include "harness/compare/modules.h"

enum { AREA_CELLS, AREA_BITS, AREA_CLOCK, AREA_FIGURES };

struct compare_module {
  const char *name;
  bool whole; /* it counts in the sums: no other one of these is made of it */
  double value[AREA_FIGURES][SIDES]; /* um2, bits, MHz, with all below it; NAN: unknown */
};
struct compare_area {
  struct compare_module *at;
  size_t n;
  double sum[AREA_FIGURES][SIDES]; /* of the clock: the least; NAN: no module */
  char *failure[SIDES];            /* why a side has no figures; NULL: it has */
};

/* Synthesises the chosen modules of both sides, those that changed and those that stand for them;
 * what the build folder has of them is not made again.  progress: of synth_config, NULL allowed.
 * That a side is refused is no error. */
struct synth_progress;
int compare_area_make(const struct compare_places *at, const struct compare_modules *m,
                      void (*progress)(void *user, const struct synth_progress *p),
                      struct compare_area *a, struct tandem_error *err);
void compare_area_free(struct compare_area *a);

#endif
