/* The runs of a table's cells. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/table.h"

/* ---- the runs by place ---- */

/* The number of places of a row: a value each of the axis of columns, one if they are listed. */
static size_t across(const struct table_context *x) {
  return x->t->across != EXPERIMENT_AXES ? x->s->axes[x->t->across].n : 1;
}

static size_t index_of(const struct table_context *x, size_t axis,
                       const struct experiment_value *value) {
  return (size_t)(value - x->s->axes[axis].values);
}

/* The place of a run; SIZE_MAX: it is not in the table. */
static size_t place_of(const struct table_context *x, const struct experiment_run *run) {
  const struct experiment_table *t = x->t;
  const struct experiment_value *row = run->at[t->rows],
                                *column = t->across != EXPERIMENT_AXES ? run->at[t->across] : row;
  if (row == NULL || column == NULL)
    return SIZE_MAX;
  return index_of(x, t->rows, row) * across(x) +
         (t->across != EXPERIMENT_AXES ? index_of(x, t->across, column) : 0);
}

void table_begin(struct table_context *x) {
  if (x->status != 0)
    return;
  const size_t places = x->s->axes[x->t->rows].n * across(x);
  size_t *next = calloc(places + 1, sizeof *next);
  x->first = calloc(places + 1, sizeof *x->first);
  x->runs = calloc(x->s->nruns + 1, sizeof *x->runs);
  if (next == NULL || x->first == NULL || x->runs == NULL) {
    free(next);
    x->status = tandem_fail(x->err, -ENOMEM, "out of memory");
    return;
  }
  for (const struct experiment_run *r = x->s->runs; r < x->s->runs + x->s->nruns; r++)
    if (place_of(x, r) != SIZE_MAX)
      x->first[place_of(x, r) + 1]++;
  for (size_t i = 1; i <= places; i++)
    x->first[i] += x->first[i - 1];
  memcpy(next, x->first, places * sizeof *next);
  for (const struct experiment_run *r = x->s->runs; r < x->s->runs + x->s->nruns; r++)
    if (place_of(x, r) != SIZE_MAX)
      x->runs[next[place_of(x, r)]++] = r;
  free(next);
}

int table_end(struct table_context *x) {
  free(x->first);
  free(x->runs);
  return x->status;
}

const struct experiment_run *const *table_place(const struct table_context *x, size_t row,
                                                const struct experiment_column *c, size_t *n) {
  const size_t place = row * across(x) + (c->only != NULL ? index_of(x, x->t->across, c->only) : 0);
  *n = x->first[place + 1] - x->first[place];
  return x->runs + x->first[place];
}

bool table_has(const struct table_context *x, const struct experiment_column *c,
               const struct experiment_run *run) {
  return experiment_selects(x->s, x->t->where, run) && experiment_selects(x->s, c->where, run);
}

/* ---- one run ---- */

/* Takes a run that was found, the only one. */
static void take(struct table_context *x, yaml_node_t *at, const char *what,
                 const struct experiment_run *run, const struct experiment_run **found) {
  if (*found != NULL && *found != run && x->status == 0)
    x->status = yaml_fail(&x->s->file, at, x->err,
                          "%s is not one run: %s or %s; choose by where: or of:", what,
                          (*found)->name, run->name);
  *found = run;
}

/* Looks for the runs that have the wanted run's values of axes below `axis`, of the others those
 * that `of` names, or else the value of the cell's run, or none. */
static void find_others(struct table_context *x, const struct experiment_column *c, size_t axis,
                        const struct experiment_run *cell, struct experiment_run *wanted,
                        const struct experiment_run **found) {
  if (axis == x->s->naxes) {
    const struct experiment_run *run = experiment_run_at(x->s, wanted);
    if (run != NULL)
      take(x, c->of, "that a cell is compared with", run, found);
    return;
  }
  const struct experiment_axis *a = &x->s->axes[axis];
  yaml_node_t *of = yaml_get(&x->s->file, c->of, a->name);
  const bool list = of != NULL && of->type == YAML_SEQUENCE_NODE;
  for (size_t i = 0; of != NULL && i < (list ? yaml_count(of) : 1); i++) {
    const char *name = "";
    struct tandem_error unused;
    (void)yaml_text(&x->s->file, list ? yaml_item(&x->s->file, of, i) : of, "", &name, &unused);
    wanted->at[axis] = a->values + names_find(a->names, a->n, name); /* it was checked */
    find_others(x, c, axis + 1, cell, wanted, found);
  }
  wanted->at[axis] = of == NULL ? cell->at[axis] : NULL;
  if (wanted->at[axis] != NULL)
    find_others(x, c, axis + 1, cell, wanted, found);
  wanted->at[axis] = NULL;
  if (of == NULL)
    find_others(x, c, axis + 1, cell, wanted, found);
}

struct table_cell table_cell(struct table_context *x, size_t row,
                             const struct experiment_column *c) {
  struct table_cell cell = {NULL, NULL};
  struct experiment_run wanted = {.name = NULL};
  size_t n = 0;
  const struct experiment_run *const *runs = x->status == 0 ? table_place(x, row, c, &n) : NULL;
  for (size_t i = 0; i < n; i++)
    if (table_has(x, c, runs[i]))
      take(x, c->at, "a cell of this column", runs[i], &cell.run);
  if (cell.run != NULL && c->of != NULL && x->status == 0)
    find_others(x, c, 0, cell.run, &wanted, &cell.of);
  return cell;
}
