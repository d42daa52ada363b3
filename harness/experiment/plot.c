/* Plots of tables: rows along x, a series for each column and one for its published figures; or
 * points, of one column against another. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "csim/util/plot.h"
#include "harness/experiment/report.h"

/* Draws the series of a plot; values: of each row its numbers, one after the other. */
static int draw(const struct experiment_table *t, const struct experiment_cells *cells,
                size_t number, const struct plot_series *series, size_t nseries,
                const double *values, char **svg, struct tandem_error *err) {
  const struct plot p = {.kind = t->plot.kind,
                         .title = t->title,
                         .x = t->plot.x,
                         .y = t->plot.y,
                         .log_x = t->plot.log_x,
                         .log_y = t->plot.log_y,
                         .front = t->plot.front,
                         .rows = (const char *const *)cells->rows,
                         .nrows = cells->nrows,
                         .series = series,
                         .nseries = nseries,
                         .values = values};
  return plot_svg(&p, number, svg, err);
}

/* Series of points: of each row the pairs of its values. */
static int plot_points(const struct experiment_table *t, const struct experiment_cells *cells,
                       size_t number, char **svg, struct tandem_error *err) {
  const size_t n = t->plot.npoints;
  struct plot_series *series = calloc(n, sizeof *series);
  double *values = calloc(2 * n * (cells->nrows + 1), sizeof *values), *v = values;
  if (series == NULL || values == NULL) {
    free(series), free(values);
    return tandem_fail(err, -ENOMEM, "out of memory");
  }
  for (size_t k = 0; k < n; k++)
    series[k] = (struct plot_series){t->plot.points[k].title, (unsigned)k + 1, false};
  for (size_t i = 0; i < cells->nrows; i++)
    for (size_t k = 0; k < n; k++) {
      const struct experiment_cell *row = &cells->cells[i * t->ncolumns];
      *v++ = row[t->plot.points[k].x].value;
      *v++ = row[t->plot.points[k].y].value;
    }
  const int status = draw(t, cells, number, series, n, values, svg, err);
  free(series), free(values);
  return status;
}

int experiment_plot(const struct experiment_table *t, const struct experiment_cells *cells,
                    size_t number, char **svg, struct tandem_error *err) {
  *svg = NULL;
  if (t->plot.kind == PLOT_POINTS)
    return plot_points(t, cells, number, svg, err);
  struct plot_series *series = calloc(2 * t->ncolumns, sizeof *series);
  char(*titles)[512] = calloc(t->ncolumns, sizeof *titles);
  double *values = calloc(2 * t->ncolumns * (cells->nrows + 1), sizeof *values), *v = values;
  size_t n = 0;
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
  const int status = draw(t, cells, number, series, n, values, svg, err);
  free(series), free(titles), free(values);
  return status;
}
