/* Plots as SVG elements, drawn by gnuplot: rows along an axis, and a series of values for each. */
#ifndef TANDEM_UTIL_PLOT_H
#define TANDEM_UTIL_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "csim/util/error.h"

enum plot_kind {
  PLOT_BARS,   /* side by side, upright */
  PLOT_LINES,  /* rows whose names are all numbers are to scale */
  PLOT_POINTS, /* rows with values of two kinds: x and y */
  PLOT_STACKS  /* one bar a row, of the series one after the other, lying */
};

struct plot_series {
  const char *title;
  unsigned colour; /* from 1 */
  bool pale;       /* hatched bars, points without a line: of figures that are not ours */
};

struct plot {
  enum plot_kind kind;
  const char *title, *x, *y; /* the title is for messages */
  bool log_x, log_y;
  const char *const *rows;
  size_t nrows;
  const struct plot_series *series;
  size_t nseries;
  const char *const *colours; /* of stacks: of each series, as #rrggbb; NULL: by their numbers */
  const double *values;       /* of each row one a series, of points two; NAN: none */
  bool front; /* of points: a line through those that no other one is below in x and in y */
};

/* Draws it; number: tells the plots of a page apart.  The caller frees *svg, "" if there is no
 * value. -ENOENT: there is no gnuplot. */
int plot_svg(const struct plot *p, size_t number, char **svg, struct tandem_error *err);

#endif
