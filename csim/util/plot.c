/* Plots, drawn by gnuplot. */
#include "csim/util/plot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/process.h"
#include "csim/util/scratch.h"

/* A text of the script or of the data, in double quotation marks: characters that mean something
 * there as numbers.  In single ones gnuplot 5.4 does not take a text that begins with one. */
static void quoted(FILE *out, const char *text) {
  char *copy = strdup(text);
  if (copy != NULL)
    tandem_printable(copy);
  fputc('"', out);
  for (const char *p = copy; p != NULL && *p != '\0'; p++)
    if (strchr("\"\\`'$@", *p) != NULL)
      fprintf(out, "\\%03o", (unsigned)*p);
    else
      fputc(*p == '\n' || *p == '\t' ? ' ' : *p, out);
  fputc('"', out);
  free(copy);
}

enum { PLOT_PATH = 4200 };

static void number(FILE *out, double v) {
  if (isfinite(v))
    fprintf(out, " %.12g", v);
  else
    fputs(" NaN", out);
}

/* Reports if lines have all rows to scale. */
static bool to_scale(const struct plot *p) {
  for (size_t i = 0; i < p->nrows; i++) {
    char *end;
    const double value = strtod(p->rows[i], &end);
    if (end == p->rows[i] || *end != '\0' || !isfinite(value))
      return false;
  }
  return p->kind == PLOT_LINES;
}

/* The values of a row: a number a series, two if they are points. */
static size_t width(const struct plot *p) {
  return p->kind == PLOT_POINTS ? 2 * p->nseries : p->nseries;
}

/* Lines "name value value ...", of points "name x y x y ...", of stacks "name begin end begin end
 * ..." */
static void data(FILE *out, const struct plot *p) {
  const bool scale = to_scale(p);
  for (size_t i = 0; i < p->nrows; i++) {
    double end = 0;
    if (scale)
      number(out, strtod(p->rows[i], NULL));
    else
      quoted(out, p->rows[i]);
    for (size_t k = 0; k < width(p); k++) {
      const double v = p->values[i * width(p) + k];
      if (p->kind == PLOT_STACKS) {
        number(out, end);
        end += v > 0 ? v : 0;
      }
      number(out, p->kind == PLOT_STACKS ? end : v);
    }
    fputc('\n', out);
  }
}

static void series(FILE *out, const struct plot *p, size_t k, bool scale) {
  const struct plot_series *s = &p->series[k];
  const size_t column = p->kind == PLOT_STACKS || p->kind == PLOT_POINTS ? 2 * k + 2 : k + 2;
  char colour[32];
  if (p->colours != NULL)
    snprintf(colour, sizeof colour, "lc rgb '%.16s'", p->colours[k]);
  else
    snprintf(colour, sizeof colour, "lc %u", s->colour);
  if (p->kind == PLOT_STACKS)
    fprintf(out,
            "'data' using %zu:0:%zu:%zu:($0-0.35):($0+0.35):ytic(1) with boxxyerror %s fs solid "
            "0.8 ",
            column, column, column + 1, colour);
  else if (p->kind == PLOT_POINTS)
    fprintf(out, "'data' using %zu:%zu with points lc %u pt %u ps 0.6 ", column, column + 1,
            s->colour, 5 + 2 * (s->colour % 5));
  else if (p->kind == PLOT_LINES)
    fprintf(out, "'data' using %s:%zu%s with %s lc %u pt %d ", scale ? "1" : "0", column,
            scale ? "" : ":xticlabels(1)", s->pale ? "points" : "linespoints", s->colour,
            s->pale ? 6 : 7);
  else
    fprintf(out, "'data' using %zu:xticlabels(1) lc %u fs %s ", column, s->colour,
            s->pale ? "pattern 4" : "solid 0.8");
  fputs("title ", out);
  quoted(out, s->title);
}

struct point {
  double x, y;
  const char *name;
};

static int by_x(const void *a, const void *b) {
  const struct point *p = a, *q = b;
  return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

/* Lines "x y name" of the points that no other one is below in x and in y, by x; false: out of
 * memory. */
static bool front(FILE *out, const struct plot *p) {
  struct point *all = calloc(p->nrows * p->nseries + 1, sizeof *all);
  size_t n = 0;
  double least = INFINITY;
  for (size_t i = 0; all != NULL && i < p->nrows * p->nseries; i++)
    if (isfinite(p->values[2 * i]) && isfinite(p->values[2 * i + 1]))
      all[n++] = (struct point){p->values[2 * i], p->values[2 * i + 1], p->rows[i / p->nseries]};
  if (all == NULL)
    return false;
  qsort(all, n, sizeof *all, by_x);
  for (size_t i = 0; i < n; i++)
    if (all[i].y < least) {
      least = all[i].y;
      number(out, all[i].x);
      number(out, all[i].y);
      fputc(' ', out);
      quoted(out, all[i].name);
      fputc('\n', out);
    }
  free(all);
  return true;
}

static void script(FILE *out, const struct plot *p, size_t number) {
  static const char *const styles[] = {
      "set grid ytics\nset style data histograms\nset style histogram clustered gap 1\n"
      "set boxwidth 0.9 relative\nset yrange [*<0:*]\n",
      "set grid ytics\n", "set grid\n",
      "set grid xtics\nset ytics scale 0\nset format x '%.10g'\nset xrange [0:*]\nset yrange [] "
      "reverse\n"};
  const bool scale = to_scale(p);
  fprintf(out,
          "set encoding utf8\n"
          "set terminal svg size 860,%zu dynamic font 'sans-serif,13' name 'plot%zu'\n"
          "set termoption noenhanced\nset datafile missing 'NaN'\nset key outside %s top\n%s",
          p->kind == PLOT_STACKS ? 100 + 20 * p->nrows : 420, number,
          p->kind == PLOT_STACKS ? "horizontal" : "right", styles[p->kind]);
  if (p->log_x && (scale || p->kind == PLOT_POINTS))
    fputs(scale ? "set logscale x 2\n" : "set logscale x\n", out);
  if (p->log_y)
    fputs("set yrange [*:*]\nset logscale y\n", out);
  fputs("set xlabel ", out);
  quoted(out, p->x);
  fputs("\nset ylabel ", out);
  quoted(out, p->y);
  fputc('\n', out);
  for (size_t k = 0; k < p->nseries; k++) {
    fputs(k == 0 ? "plot " : ", ", out);
    series(out, p, k, scale);
  }
  if (p->front)
    fputs(", 'front' using 1:2 with lines lc rgb '#808080' title 'front', 'front' using 1:2:3 with "
          "labels left offset 0.4,0.4 notitle",
          out);
  fputc('\n', out);
}

/* Some value to draw: gnuplot refuses a plot of nothing. */
static bool has_value(const struct plot *p) {
  for (size_t i = 0; i < p->nrows * width(p); i++)
    if (isfinite(p->values[i]))
      return true;
  return false;
}

/* Writes gnuplot's script and its data into a folder, as files of fixed names: 0 or a negative
 * errno. */
static int write_files(const struct plot *p, const char *folder, size_t number) {
  static const char *const names[] = {"script", "data", "front"};
  int status = 0;
  for (unsigned i = 0; i < 3 && status == 0; i++) {
    char path[PLOT_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    FILE *out = fopen(path, "we");
    if (out == NULL)
      return -errno;
    if (i == 0)
      script(out, p, number);
    else if (i == 1)
      data(out, p);
    else if (p->front && !front(out, p))
      status = -ENOMEM;
    if (fclose(out) != 0 && status == 0)
      status = -errno;
  }
  return status;
}

int plot_svg(const struct plot *p, size_t number, char **svg, struct tandem_error *err) {
  static const char *const argv[] = {"gnuplot", "-d", "script", NULL};
  char *folder, *text = NULL, cause[PROCESS_CAUSE];
  int ended = 0;
  *svg = NULL;
  if (!has_value(p))
    return (*svg = strdup("")) != NULL ? 0 : tandem_fail(err, -ENOMEM, "out of memory");
  int status = scratch_folder(NULL, &folder);
  if (status != 0)
    return tandem_fail(err, status, "cannot make a temporary folder: %s; TMPDIR names another one",
                       strerror(-status));
  status = write_files(p, folder, number);
  if (status == 0)
    status = process_output(&(struct process){.argv = argv, .folder = folder}, &ended, &text);
  scratch_drop(folder);
  const char *start = text != NULL ? strstr(text, "<svg") : NULL; /* behind the XML declaration */
  if (status == 0 && ended == 0 && start != NULL)
    *svg = strdup(start);
  if (*svg != NULL)
    tandem_printable(*svg);
  if (status == 0)
    (void)process_cause(ended, text, cause, sizeof cause);
  free(text);
  if (*svg != NULL)
    return 0;
  return status == -ENOENT ? tandem_fail(err, status, "plots need gnuplot (of Debian: gnuplot-nox)")
                           : tandem_fail(err, -EIO, "gnuplot could not draw \"%s\": it %s",
                                         p->title, status == 0 ? cause : strerror(-status));
}
