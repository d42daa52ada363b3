/* Plots of tables: rows along x, a series for each column and one for its published figures. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "csim/util/plot.h"
#include "harness/experiment/report.h"

int experiment_plot(const struct experiment_table *t, const struct experiment_cells *cells,
                    size_t number, char **svg, struct tandem_error *err) {
  struct plot_series *series = calloc(2 * t->ncolumns, sizeof *series);
  char(*titles)[512] = calloc(t->ncolumns, sizeof *titles);
  double *values = calloc(2 * t->ncolumns * (cells->nrows + 1), sizeof *values), *v = values;
  size_t n = 0;
  *svg = NULL;
  if (series == NULL || titles == NULL || values == NULL) {
    free(series), free(titles), free(values);
    return tandem_fail(err, -ENOMEM, "out of memory");
  }
  for (size_t k = 0; k < t->ncolumns; k++) {
    const struct experiment_column *c = &t->columns[k];
    series[n++] = (struct plot_series){c->title, (unsigned)k + 1, false};
    snprintf(titles[k], sizeof titles[k], "%.400s, published", c->title);
    if (c->published != NULL)
      series[n++] = (struct plot_series){titles[k], (unsigned)k + 1, true};
  }
  for (size_t i = 0; i < cells->nrows; i++)
    for (size_t k = 0; k < t->ncolumns; k++) {
      const struct experiment_cell *c = &cells->cells[i * t->ncolumns + k];
      *v++ = c->value;
      if (t->columns[k].published != NULL) /* of a range the middle */
        *v++ = isnan(c->upto) ? c->published : (c->published + c->upto) / 2;
    }
  const struct plot p = {.kind = t->plot.lines ? PLOT_LINES : PLOT_BARS,
                         .title = t->title,
                         .x = t->plot.x,
                         .y = t->plot.y,
                         .log_x = t->plot.log_x,
                         .log_y = t->plot.log_y,
                         .rows = (const char *const *)cells->rows,
                         .nrows = cells->nrows,
                         .series = series,
                         .nseries = n,
                         .values = values};
  const int status = plot_svg(&p, number, svg, err);
  free(series), free(titles), free(values);
  return status;
}
