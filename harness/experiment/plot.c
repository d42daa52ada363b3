/* Plots of tables, drawn by gnuplot: rows along x, a series for each column and one for its
 * published figures. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/process.h"
#include "csim/util/scratch.h"
#include "harness/experiment/report.h"

/* A text of gnuplot, in single quotation marks. */
static void quoted(FILE *out, const char *text) {
  fputc('\'', out);
  for (const char *p = text; *p != '\0'; p++) {
    if (*p == '\'')
      fputc('\'', out);
    fputc(*p == '\n' ? ' ' : *p, out);
  }
  fputc('\'', out);
}

static void number(FILE *out, double v) {
  if (isfinite(v))
    fprintf(out, " %.12g", v);
  else
    fputs(" NaN", out);
}

/* Whether all rows are numbers, so that lines have them to scale. */
static bool to_scale(const struct experiment_cells *cells) {
  for (size_t i = 0; i < cells->nrows; i++) {
    char *end;
    (void)strtod(cells->rows[i], &end);
    if (end == cells->rows[i] || *end != '\0')
      return false;
  }
  return true;
}

/* Lines "name value published value published ..." */
static void data(FILE *out, const struct experiment_table *t, const struct experiment_cells *cells,
                 bool scale) {
  fputs("$data << END_OF_DATA\n", out);
  for (size_t i = 0; i < cells->nrows; i++) {
    const char *mark = scale ? "" : "\"";
    fputs(mark, out);
    for (const char *p = cells->rows[i]; *p != '\0'; p++)
      fputc(*p == '"' ? '\'' : *p, out);
    fputs(mark, out);
    for (size_t k = 0; k < t->ncolumns; k++) {
      const struct experiment_cell *c = &cells->cells[i * t->ncolumns + k];
      number(out, c->value);
      number(out, isnan(c->upto) ? c->published : (c->published + c->upto) / 2); /* of a range */
    }
    fputc('\n', out);
  }
  fputs("END_OF_DATA\n", out);
}

static void series(FILE *out, const struct experiment_table *t, size_t column, bool published,
                   bool scale) {
  const char *where = !t->plot.lines ? "" : scale ? "1:" : "0:";
  const char *ticks = scale && t->plot.lines ? "" : ":xticlabels(1)";
  char title[512];
  snprintf(title, sizeof title, "%.400s%s", t->columns[column].title,
           published ? ", published" : "");
  fprintf(out, "$data using %s%zu%s ", where, 2 * column + 2 + published, ticks);
  if (t->plot.lines)
    fprintf(out, "with %s lc %zu pt %d ", published ? "points" : "linespoints", column + 1,
            published ? 6 : 7);
  else
    fprintf(out, "lc %zu fs %s ", column + 1, published ? "pattern 4" : "solid 0.8");
  fputs("title ", out);
  quoted(out, title);
}

static void script(FILE *out, const struct experiment_table *t,
                   const struct experiment_cells *cells, size_t number) {
  const bool scale = to_scale(cells);
  fprintf(out,
          "set encoding utf8\n"
          "set terminal svg size 860,420 dynamic font 'sans-serif,13' name 'plot%zu'\n"
          "set termoption noenhanced\nset datafile missing 'NaN'\nset key outside right top\n"
          "set grid ytics\nset style data %s\n",
          number, t->plot.lines ? "linespoints" : "histograms");
  if (!t->plot.lines)
    fputs("set style histogram clustered gap 1\nset boxwidth 0.9 relative\nset yrange [*<0:*]\n",
          out);
  if (t->plot.log_x && scale && t->plot.lines)
    fputs("set logscale x 2\n", out);
  if (t->plot.log_y)
    fputs("set yrange [*:*]\nset logscale y\n", out);
  fputs("set xlabel ", out);
  quoted(out, t->plot.x);
  fputs("\nset ylabel ", out);
  quoted(out, t->plot.y);
  fputc('\n', out);
  data(out, t, cells, scale);
  const char *before = "plot ";
  for (size_t k = 0; k < t->ncolumns; k++)
    for (unsigned published = 0; published <= (t->columns[k].published != NULL); published++) {
      fputs(before, out);
      series(out, t, k, published != 0, scale);
      before = ", ";
    }
  fputc('\n', out);
}

/* Some result to draw: gnuplot refuses a plot of nothing. */
static bool has_value(const struct experiment_table *t, const struct experiment_cells *cells) {
  for (size_t i = 0; i < cells->nrows * t->ncolumns; i++)
    if (isfinite(cells->cells[i].value))
      return true;
  return false;
}

int experiment_plot(const struct experiment_table *t, const struct experiment_cells *cells,
                    size_t number, char **svg, struct tandem_error *err) {
  char *path, *text = NULL;
  *svg = NULL;
  if (!has_value(t, cells))
    return (*svg = strdup("")) != NULL ? 0 : tandem_fail(err, -ENOMEM, "out of memory");
  const int fd = scratch_file("/tmp/", &path);
  FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
  if (out == NULL)
    return tandem_fail(err, fd, "cannot write to /tmp: %s", strerror(-fd));
  script(out, t, cells, number);
  const char *const argv[] = {"gnuplot", path, NULL};
  int status = fclose(out) == 0 ? process_output(&(struct process){.argv = argv}, &text) : -1;
  scratch_drop(path);
  const char *start = text != NULL ? strstr(text, "<svg") : NULL; /* behind the XML declaration */
  if (status == 0 && start != NULL)
    *svg = strdup(start);
  free(text);
  if (*svg != NULL)
    return 0;
  return status == 127 ? tandem_fail(err, -ENOENT, "plots need gnuplot (of Debian: gnuplot-nox)")
                       : tandem_fail(err, -EIO, "gnuplot could not draw \"%s\" (exit status %d)",
                                     t->title, status);
}
