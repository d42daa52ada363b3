/* Cells of tables. */
#include "harness/experiment/table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/expression.h"

/* ---- which runs ---- */

static bool in_cell(struct experiment_suite *s, const struct experiment_table *t, size_t row,
                    const struct experiment_column *c, const struct experiment_run *run) {
  const char *at = run->at[t->rows];
  return at != NULL && strcmp(at, s->axes[t->rows].values[row].name) == 0 &&
         (c->only == NULL ||
          (run->at[t->across] != NULL && strcmp(run->at[t->across], c->only) == 0)) &&
         experiment_selects(s, t->where, run) && experiment_selects(s, c->where, run);
}

/* Returns true if `run` is the reference of the cell's run: it has the values that `of` names, and
 * on its other axes the values of the cell's run. */
static bool is_reference(struct experiment_suite *s, const struct experiment_column *c,
                         const struct experiment_run *cell, const struct experiment_run *run) {
  if (!experiment_selects(s, c->of, run))
    return false;
  for (size_t i = 0; i < s->naxes; i++)
    if (yaml_get(&s->file, c->of, s->axes[i].name) == NULL && run->at[i] != NULL &&
        (cell->at[i] == NULL || strcmp(run->at[i], cell->at[i]) != 0))
      return false;
  return true;
}

static int ambiguous(struct experiment_suite *s, yaml_node_t *at, const char *what,
                     const struct experiment_run *a, const struct experiment_run *b,
                     struct tandem_error *err) {
  return yaml_fail(&s->file, at, err, "%s is not one run: %s or %s; choose by where: or of:", what,
                   a->name, b->name);
}

int experiment_cell_runs(struct experiment_suite *s, const struct experiment_table *t, size_t row,
                         const struct experiment_column *c, const struct experiment_run **run,
                         const struct experiment_run **of, struct tandem_error *err) {
  *run = *of = NULL;
  for (const struct experiment_run *r = s->runs; r < s->runs + s->nruns; r++) {
    if (!in_cell(s, t, row, c, r))
      continue;
    if (*run != NULL)
      return ambiguous(s, c->at, "a cell of this column", *run, r, err);
    *run = r;
  }
  for (const struct experiment_run *r = s->runs;
       *run != NULL && c->of != NULL && r < s->runs + s->nruns; r++) {
    if (!is_reference(s, c, *run, r))
      continue;
    if (*of != NULL)
      return ambiguous(s, c->of, "that a cell is compared with", *of, r, err);
    *of = r;
  }
  return 0;
}

/* ---- values ---- */

/* The table that is computed. */
struct table_context {
  struct experiment_suite *s;
  const struct experiment_table *t;
  const struct experiment_result *results; /* of each run */
  struct experiment_cells *cells;
  struct tandem_error *err;
};

/* The JSON of a run that is ok, of one of its kernels (NULL: whole); NULL: there is none. */
static json_t *result_of(const struct table_context *x, const struct experiment_run *run,
                         const char *kernel) {
  const struct experiment_result *r = run != NULL ? &x->results[run - x->s->runs] : NULL;
  json_t *whole = r != NULL && r->json != NULL && strcmp(r->status, "ok") == 0 ? r->json : NULL;
  return kernel == NULL ? whole : json_object_get(json_object_get(whole, "kernels"), kernel);
}

/* The column's expression over results of run, or of one of its kernels, and over those of the
 * other one if it names that. */
static int evaluate(const struct table_context *x, const struct experiment_column *c,
                    const struct experiment_run *run, const char *kernel, const json_t *of,
                    double *value) {
  struct tandem_error why;
  const json_t *json = result_of(x, run, kernel);
  struct experiment_values r = {json, c->pair ? of : NULL, result_of(x, run, NULL)};
  const struct expression_names names = {experiment_value_of, &r};
  *value = NAN;
  if (json == NULL || (c->pair && of == NULL) ||
      expression_real(c->value, &names, value, &why) == 0)
    return 0;
  return yaml_fail(&x->s->file, c->at, x->err, "of run %s, %s", run->name, why.text);
}

static double percent_if_so(const struct experiment_column *c, double value) {
  return c->form == EXPERIMENT_PERCENT || c->form == EXPERIMENT_CHANGE ? 100 * value : value;
}

static int compute_cell(const struct table_context *x, size_t row, const char *kernel,
                        const struct experiment_column *c, struct experiment_cell *cell) {
  const struct experiment_run *run, *of;
  const bool divided = c->of != NULL && !c->pair;
  double base = 1;
  int status = experiment_cell_runs(x->s, x->t, row, c, &run, &of, x->err);
  if (status == 0)
    status = evaluate(x, c, run, kernel, result_of(x, of, kernel), &cell->value);
  if (status == 0 && divided)
    status = evaluate(x, c, of, kernel, NULL, &base);
  if (status != 0)
    return status;
  const double upper = c->form == EXPERIMENT_SPEEDUP ? base : cell->value,
               lower = c->form == EXPERIMENT_SPEEDUP ? cell->value : base;
  if (divided)
    cell->value = lower != 0 ? upper / lower : NAN;
  if (c->form == EXPERIMENT_CHANGE)
    cell->value -= 1;
  cell->value = percent_if_so(c, cell->value);
  return experiment_published(x->s, c, x->s->axes[x->t->rows].values[row].name, cell, x->err);
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

/* Returns true if a row has a run in some column. */
static bool row_is_used(struct experiment_suite *s, const struct experiment_table *t, size_t row) {
  for (size_t i = 0; i < t->ncolumns; i++)
    for (const struct experiment_run *r = s->runs; r < s->runs + s->nruns; r++)
      if (in_cell(s, t, row, &t->columns[i], r))
        return true;
  return false;
}

/* Adds a row: of an axis' value, or of a kernel of its runs. */
static int add_row(const struct table_context *x, size_t row, const char *kernel) {
  struct experiment_cells *cells = x->cells;
  const char *value = x->s->axes[x->t->rows].values[row].name;
  const size_t n = cells->nrows + 1, columns = x->t->ncolumns;
  char **rows = realloc(cells->rows, n * sizeof *rows);
  cells->rows = rows != NULL ? rows : cells->rows;
  /* One more than rows, for the means. */
  struct experiment_cell *all = realloc(cells->cells, (n + 1) * columns * sizeof *all);
  cells->cells = all != NULL ? all : cells->cells;
  if (rows == NULL || all == NULL ||
      asprintf(&rows[cells->nrows], "%s%s%s", value, kernel != NULL ? " " : "",
               kernel != NULL ? kernel : "") < 0)
    return tandem_fail(x->err, -ENOMEM, "out of memory");
  struct experiment_cell *at = all + cells->nrows++ * columns;
  int status = 0;
  for (size_t i = 0; status == 0 && i < columns; i++)
    status = compute_cell(x, row, kernel, &x->t->columns[i], &at[i]);
  return status;
}

/* The kernels of a row's first run that has ended; NULL: none has. */
static json_t *kernels_of_row(const struct table_context *x, size_t row) {
  for (size_t i = 0; i < x->t->ncolumns; i++)
    for (const struct experiment_run *r = x->s->runs; r < x->s->runs + x->s->nruns; r++) {
      const json_t *json =
          in_cell(x->s, x->t, row, &x->t->columns[i], r) ? result_of(x, r, NULL) : NULL;
      if (json != NULL)
        return json_object_get(json, "kernels");
    }
  return NULL;
}

static int add_kernels(const struct table_context *x, size_t row) {
  json_t *kernels = kernels_of_row(x, row);
  int status = 0;
  for (void *at = json_object_iter(kernels); status == 0 && at != NULL;
       at = json_object_iter_next(kernels, at))
    status = add_row(x, row, json_object_iter_key(at));
  return status;
}

static int add_means(const struct table_context *x) {
  const struct experiment_table *t = x->t;
  const struct experiment_cell *first = x->cells->cells;
  struct experiment_cell *last = x->cells->cells + x->cells->nrows * t->ncolumns;
  int status = 0;
  for (size_t i = 0; status == 0 && i < t->ncolumns; i++) {
    const struct experiment_column *c = &t->columns[i];
    last[i].value = mean(t->mean, c, first + i, x->cells->nrows, t->ncolumns, false);
    status = experiment_published(x->s, c, "mean", &last[i], x->err);
    if (isnan(last[i].published))
      last[i].published = mean(t->mean, c, first + i, x->cells->nrows, t->ncolumns, true);
  }
  return status;
}

int experiment_compute(struct experiment_suite *s, const struct experiment_table *t,
                       const struct experiment_result *results, struct experiment_cells *cells,
                       struct tandem_error *err) {
  const struct table_context x = {s, t, results, cells, err};
  int status = 0;
  *cells = (struct experiment_cells){.cells = calloc(t->ncolumns + 1, sizeof *cells->cells)};
  if (cells->cells == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t row = 0; status == 0 && row < s->axes[t->rows].n; row++)
    if (t->kernels)
      status = add_kernels(&x, row);
    else if (row_is_used(s, t, row))
      status = add_row(&x, row, NULL);
  return status == 0 ? add_means(&x) : status;
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
