/* All statistics of a run as a list, from their tables (csim/util/stats.h, csim/ports/stalls.def):
 * what the text report, the JSON and docs/reference/statistics.md are printed from. */
#ifndef TANDEM_FIGURES_H
#define TANDEM_FIGURES_H

#include "harness/gpu/config.h"
#include "harness/gpu/results/statistics.h"

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
  FIGURES_FEATURE, /* one after the other; headings tell them apart */
  FIGURES_ENERGY
};

struct figure {
  enum figure_group group;
  enum figure_kind kind;
  const char *heading;      /* of its group */
  const char *path, *title; /* in the JSON, in the text report; "": not there */
  const char *unit, *text;
  uint64_t value, whole;
  double real;
};

/* A set of features, bit i for features[i]: those that a GPU of this configuration has. */
unsigned figures_features(const struct tandem_config *c);
#define FIGURES_OF_ALL (~0U)

/* Lists the figures of a run of a GPU with this configuration, group by group, with those of the
 * features given.  Returns how many there are. */
enum { FIGURES = 256 };
size_t figures_list(const struct tandem_config *c, const struct gpu_stats *stats, unsigned features,
                    struct figure list[FIGURES]);

/* Reports if it is an integer, its value. */
bool figure_counts(const struct figure *f);
/* Quotient of a share or mean, 0 of nothing; a real number itself. */
double figure_quotient(const struct figure *f);

/* Lines of a table of statistics (csim/util/stats.h) as figures, each written to *f, which moves
 * on. GROUP is the includer's; s points to the table's struct. */
#define FIGURE_ROW(kind, path, title, unit, text, value, whole)                                    \
  *f++ = (struct figure){GROUP, kind, NULL, path, title, unit, text, value, whole, 0};
#define FIGURE_COUNT_ROW(field, path, title, unit, text)                                           \
  FIGURE_ROW(FIGURE_COUNT, path, title, unit, text, s->field, 0)
#define FIGURE_MOST_ROW(field, path, title, unit, text)                                            \
  FIGURE_ROW(FIGURE_MOST, path, title, unit, text, s->field, 0)
#define FIGURE_VALUE_ROW(path, title, value, unit, text)                                           \
  FIGURE_ROW(FIGURE_COUNT, path, title, unit, text, value, 0)
#define FIGURE_SHARE_ROW(path, title, part, whole, text)                                           \
  FIGURE_ROW(FIGURE_SHARE, path, title, "share", text, part, whole)
#define FIGURE_MEAN_ROW(path, title, sum, count, unit, text)                                       \
  FIGURE_ROW(FIGURE_MEAN, path, title, unit, text, sum, count)

#endif
