/* All statistics of a run as a list, from their tables (csim/util/stats.h, csim/ports/stalls.def):
 * what the text report, the JSON and docs/statistics.md are printed from. */
#ifndef TANDEM_FIGURES_H
#define TANDEM_FIGURES_H

#include "harness/internal.h"

enum figure_kind {
  FIGURE_COUNT, /* value */
  FIGURE_MOST,  /* value, a maximum over the run */
  FIGURE_PART,  /* value, which is part of whole */
  FIGURE_SHARE, /* value / whole */
  FIGURE_MEAN,  /* value / whole, not a share */
  FIGURE_REAL   /* real */
};

enum figure_group {
  FIGURES_RUN,
  FIGURES_STALLS,
  FIGURES_UNITS,
  FIGURES_SM,
  FIGURES_MEMORY,
  FIGURES_BUDDY,
  FIGURES_SPU,
  FIGURES_ENERGY,
  FIGURE_GROUPS
};
extern const char *const figure_groups[FIGURE_GROUPS]; /* headings */

struct figure {
  enum figure_group group;
  enum figure_kind kind;
  const char *path, *title; /* in the JSON, in the text report; "": not there */
  const char *unit, *text;
  uint64_t value, whole;
  double real;
};

/* Features whose figures only a GPU that has them counts: a set. */
enum { FIGURES_OF_BUDDY = 1, FIGURES_OF_SPU = 2, FIGURES_OF_ALL = 3 };
unsigned figures_features(const struct tandem_config *c);

/* The figures, in the order of the groups, with those of the features.  Returns how many there are.
 */
enum { FIGURES = 256 };
size_t figures_list(const struct gpu_stats *stats, unsigned features, struct figure list[FIGURES]);

/* Whether it is an integer: its value. */
bool figure_counts(const struct figure *f);
/* Quotient of a share or mean, 0 of nothing; a real number itself. */
double figure_quotient(const struct figure *f);

#endif
