/* Cells of tables. */
#include "harness/experiment/table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/expression.h"

static const struct experiment_cell no_figure = {
    .value = NAN, .published = NAN, .upto = NAN, .deviation = NAN};

/* The JSON of a run that is ok, of one of its kernels (NULL: whole); NULL: there is none. */
static json_t *result_of(const struct table_context *x, const struct experiment_run *run,
                         const char *kernel) {
  const struct experiment_result *r = run != NULL ? &x->results[run - x->s->runs] : NULL;
  json_t *whole = r != NULL && r->json != NULL && strcmp(r->status, "ok") == 0 ? r->json : NULL;
  return kernel == NULL ? whole : json_object_get(json_object_get(whole, "kernels"), kernel);
}

/* The kernel whose figures are those of a run of a launch description; NULL: the whole run's. */
static const char *own_kernel(const struct experiment_run *run) {
  return run != NULL && !run->program ? run->settings.kernel : NULL;
}

/* An expression of a cell's column over results of run, or of one of its kernels, over those of the
 * other one if it names that, and over the cells to the left; NAN: one of them is not there. */
static double evaluate(struct table_context *x, const struct experiment_column *c, const char *text,
                       const struct experiment_cell *cell, const struct experiment_run *run,
                       const char *kernel, const json_t *of) {
  struct tandem_error why;
  const size_t left = (size_t)(c - x->t->columns);
  const json_t *whole = result_of(x, run, NULL), *json = result_of(x, run, kernel);
  struct experiment_values r = {json, c->pair ? of : NULL, whole, x->t->columns, cell - left, left};
  const struct expression_names names = {experiment_value_of, &r};
  double value = NAN;
  if (x->status == 0 && whole != NULL && json == NULL && kernel == own_kernel(run))
    x->status = yaml_fail(&x->s->file, c->at, x->err, "of run %s, there is no kernel %s", run->name,
                          kernel);
  if (x->status == 0 && json != NULL && (!c->pair || of != NULL) &&
      expression_real(text, &names, &value, &why) != 0)
    x->status = yaml_fail(&x->s->file, c->at, x->err, "of run %s, %s", run->name, why.text);
  return value;
}

static double percent_if_so(const struct experiment_column *c, double value) {
  return c->form == EXPERIMENT_PERCENT || c->form == EXPERIMENT_CHANGE ? 100 * value : value;
}

/* The least value of the columns to the left that a column names, with the title of that one; NAN:
 * one of them has none. */
static void find_least(const struct table_context *x, const struct experiment_column *c,
                       struct experiment_cell *cell) {
  const size_t left = (size_t)(c - x->t->columns);
  struct tandem_error unused;
  const char *name = "";
  *cell = no_figure;
  for (size_t i = 0; i < yaml_count(c->least); i++) {
    (void)yaml_text(&x->s->file, yaml_item(&x->s->file, c->least, i), "", &name, &unused);
    const size_t k = experiment_named(x->t->columns, left, name); /* it was checked */
    const double value = cell[-(ptrdiff_t)(left - k)].value;
    if (isnan(value) || (i != 0 && isnan(cell->value)))
      *cell = no_figure;
    else if (i == 0 || value < cell->value) {
      cell->value = value;
      cell->name = x->t->columns[k].title;
    }
  }
}

/* Returns true if the cell is to be empty, by the column's condition. */
static bool left_out(struct table_context *x, const struct experiment_column *c,
                     const struct experiment_cell *cell, const struct experiment_run *run,
                     const char *kernel, const json_t *of) {
  return c->condition != NULL && !(evaluate(x, c, c->condition, cell, run, kernel, of) > 0);
}

static void compute_cell(struct table_context *x, size_t row, const char *kernel,
                         const struct experiment_column *c, struct experiment_cell *cell) {
  if (c->least != NULL) {
    find_least(x, c, cell);
    return;
  }
  const struct table_cell runs = table_cell(x, row, c);
  const bool divided = c->of != NULL && !c->pair;
  const char *own = kernel != NULL ? kernel : own_kernel(runs.run),
             *other = kernel != NULL ? kernel : own_kernel(runs.of);
  const json_t *of = result_of(x, runs.of, other);
  *cell = no_figure;
  cell->value = evaluate(x, c, c->value, cell, runs.run, own, of);
  const double base = divided ? evaluate(x, c, c->value, cell, runs.of, other, NULL) : 1;
  const double upper = c->form == EXPERIMENT_SPEEDUP ? base : cell->value,
               lower = c->form == EXPERIMENT_SPEEDUP ? cell->value : base;
  if (divided)
    cell->value = lower != 0 ? upper / lower : NAN;
  if (c->form == EXPERIMENT_CHANGE)
    cell->value -= 1;
  cell->value =
      left_out(x, c, cell, runs.run, own, of) ? (double)NAN : percent_if_so(c, cell->value);
  experiment_published(x, c, x->s->axes[x->t->rows].values[row].name, cell);
}

/* The mean of the numbers that are there; the geometric mean of changes is that of the ratios.
 * Published figures have a mean, not NAN, only if they are of the same rows as the values, so that
 * the two means may be compared, and no ranges. */
static double mean(enum experiment_mean kind, const struct experiment_column *c,
                   const struct experiment_cell *first, size_t n, size_t step, bool published) {
  double sum = 0;
  size_t count = 0;
  const double shift = c->form == EXPERIMENT_CHANGE && kind == EXPERIMENT_GEOMETRIC ? 100 : 0;
  for (size_t i = 0; i < n; i++) {
    const double v = (published ? first[i * step].published : first[i * step].value) + shift;
    if (published && (isnan(v) != isnan(first[i * step].value) || !isnan(first[i * step].upto)))
      return NAN;
    if (isnan(v))
      continue;
    sum += kind == EXPERIMENT_GEOMETRIC ? log(v) : v;
    count++;
  }
  if (count == 0)
    return NAN;
  return (kind == EXPERIMENT_GEOMETRIC ? exp(sum / (double)count) : sum / (double)count) - shift;
}

/* The mean deviation from published figures, in %: the geometric mean of the quotients of the
 * larger and the smaller, less 1. */
static double deviation(const struct experiment_cell *first, size_t n, size_t step) {
  double sum = 0;
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    const double ratio = first[i * step].value / first[i * step].published;
    if (!(ratio > 0) || !isfinite(ratio) || !isnan(first[i * step].upto))
      continue;
    sum += fabs(log(ratio));
    count++;
  }
  return count != 0 ? 100 * (exp(sum / (double)count) - 1) : NAN;
}

/* The largest of the numbers that are there. */
static double largest(const struct experiment_cell *first, size_t n, size_t step) {
  double most = NAN;
  for (size_t i = 0; i < n; i++)
    most = fmax(most, first[i * step].value);
  return most;
}

/* How many of the numbers are above a limit. */
static double above(const struct experiment_cell *first, size_t n, size_t step, double limit) {
  size_t count = 0, found = 0;
  for (size_t i = 0; i < n; i++) {
    found += isnan(first[i * step].value) ? 0 : 1;
    count += first[i * step].value > limit;
  }
  return found != 0 ? (double)count : (double)NAN;
}

/* Adds a row: of an axis' value, or of a kernel of its runs. */
static void add_row(struct table_context *x, size_t row, const char *kernel) {
  struct experiment_cells *cells = x->cells;
  const char *value = x->s->axes[x->t->rows].values[row].name;
  const size_t n = cells->nrows + 1, columns = x->t->ncolumns;
  char **rows = realloc(cells->rows, n * sizeof *rows);
  cells->rows = rows != NULL ? rows : cells->rows;
  struct experiment_cell *all =
      realloc(cells->cells, (n + EXPERIMENT_LAST) * columns * sizeof *all);
  cells->cells = all != NULL ? all : cells->cells;
  if (rows == NULL || all == NULL ||
      asprintf(&rows[cells->nrows], "%s%s%s", value, kernel != NULL ? " " : "",
               kernel != NULL ? kernel : "") < 0) {
    x->status = tandem_fail(x->err, -ENOMEM, "out of memory");
    return;
  }
  struct experiment_cell *at = all + cells->nrows++ * columns;
  for (size_t i = 0; i < columns; i++) /* from left to right: a cell may name those before it */
    compute_cell(x, row, kernel, &x->t->columns[i], &at[i]);
}

/* A row with a run in some column, or for each kernel of the first of its runs that has ended. */
static void add_rows(struct table_context *x, size_t row) {
  bool used = false;
  json_t *kernels = NULL;
  for (size_t i = 0; i < x->t->ncolumns && kernels == NULL; i++) {
    size_t n;
    const struct experiment_run *const *runs = table_place(x, row, &x->t->columns[i], &n);
    for (size_t k = 0; k < n && kernels == NULL; k++)
      if (table_has(x, &x->t->columns[i], runs[k])) {
        used = true;
        kernels = json_object_get(result_of(x, runs[k], NULL), "kernels");
      }
  }
  if (used && !x->t->kernels)
    add_row(x, row, NULL);
  for (void *at = x->t->kernels ? json_object_iter(kernels) : NULL; x->status == 0 && at != NULL;
       at = json_object_iter_next(kernels, at))
    add_row(x, row, json_object_iter_key(at));
}

/* A column's cell of a last row, from the column's first cell. */
static void add_last(struct table_context *x, const struct experiment_last *l,
                     const struct experiment_column *c, const struct experiment_cell *first,
                     struct experiment_cell *cell) {
  const size_t n = x->cells->nrows, step = x->t->ncolumns;
  *cell = no_figure;
  if (c->least != NULL)
    return;
  if (l->published != NULL)
    experiment_published(x, c, l->published, cell);
  if (l->kind == EXPERIMENT_DEVIATION)
    cell->deviation = deviation(first, n, step);
  else if (l->kind == EXPERIMENT_LARGEST)
    cell->value = largest(first, n, step);
  else if (l->kind == EXPERIMENT_ABOVE) {
    cell->value = above(first, n, step, l->limit);
    cell->count = true;
  } else {
    cell->value = mean(l->kind, c, first, n, step, false);
    if (isnan(cell->published))
      cell->published = mean(l->kind, c, first, n, step, true);
  }
}

static void add_last_rows(struct table_context *x) {
  const struct experiment_table *t = x->t;
  struct experiment_cell *last = x->cells->cells + x->cells->nrows * t->ncolumns;
  for (size_t k = 0; k < t->nlast; k++)
    for (size_t i = 0; i < t->ncolumns; i++)
      add_last(x, &t->last[k], &t->columns[i], x->cells->cells + i, last++);
}

int experiment_compute(struct experiment_suite *s, const struct experiment_table *t,
                       const struct experiment_result *results, struct experiment_cells *cells,
                       struct tandem_error *err) {
  struct table_context x = {.s = s, .t = t, .results = results, .cells = cells, .err = err};
  *cells = (struct experiment_cells){
      .cells = calloc(EXPERIMENT_LAST * t->ncolumns + 1, sizeof *cells->cells)};
  if (cells->cells == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  table_begin(&x);
  for (size_t row = 0; x.status == 0 && row < s->axes[t->rows].n; row++)
    add_rows(&x, row);
  if (x.status == 0)
    add_last_rows(&x);
  return table_end(&x);
}

size_t experiment_rows(const struct experiment_table *t, const struct experiment_cells *cells) {
  return cells->nrows + t->nlast;
}

const char *experiment_row(const struct experiment_table *t, const struct experiment_cells *cells,
                           size_t row) {
  return row < cells->nrows ? cells->rows[row] : t->last[row - cells->nrows].name;
}

void experiment_cells_free(struct experiment_cells *cells) {
  for (size_t i = 0; i < cells->nrows; i++)
    free(cells->rows[i]);
  free(cells->rows);
  free(cells->cells);
  *cells = (struct experiment_cells){0};
}

/* ---- text ---- */

/* With commas between thousands. */
static void group_digits(const char *plain, char *text, size_t size) {
  const size_t start = strspn(plain, "+-"), end = start + strspn(plain + start, "0123456789");
  size_t n = 0;
  for (size_t i = 0; plain[i] != '\0' && n + 2 < size; i++) {
    if (i > start && i < end && (end - i) % 3 == 0)
      text[n++] = ',';
    text[n++] = plain[i];
  }
  text[n] = '\0';
}

void experiment_print(const struct experiment_column *c, double value, char text[EXPERIMENT_CELL]) {
  static const int standard[] = {3, 2, 2, 1, 1}; /* of each form */
  char plain[EXPERIMENT_CELL - 16];
  const bool whole = c->form == EXPERIMENT_NUMBER && value == floor(value);
  const int decimals = c->decimals >= 0      ? c->decimals
                       : whole               ? 0
                       : fabs(value) >= 1000 ? 1
                                             : standard[c->form];
  if (!isfinite(value) ||
      snprintf(plain, sizeof plain, c->form == EXPERIMENT_CHANGE ? "%+.*f %%" : "%.*f", decimals,
               value) >= (int)sizeof plain) {
    strcpy(text, "-");
    return;
  }
  group_digits(plain, text, EXPERIMENT_CELL - 4);
  if (c->form == EXPERIMENT_PERCENT)
    strcat(text, " %");
}

const struct experiment_column *experiment_printed_as(const struct experiment_column *c,
                                                      const struct experiment_cell *cell) {
  static const struct experiment_column number = {.form = EXPERIMENT_NUMBER};
  return cell->count ? &number : c;
}

void experiment_print_cell(const struct experiment_column *c, const struct experiment_cell *cell,
                           char text[EXPERIMENT_CELL]) {
  if (cell->name != NULL)
    snprintf(text, EXPERIMENT_CELL, "%s", cell->name);
  else
    experiment_print(experiment_printed_as(c, cell), cell->value, text);
}
