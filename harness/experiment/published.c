/* Published figures beside a table's values: numbers, or ranges [low, high], by row. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/suite_local.h"
#include "harness/experiment/table.h"

/* A number, or a list of two. */
static int read_figure(struct experiment_suite *s, yaml_node_t *node, double *from, double *upto,
                       struct tandem_error *err) {
  struct yaml_file *f = &s->file;
  *upto = NAN;
  if (node->type != YAML_SEQUENCE_NODE)
    return yaml_real(f, node, "a published figure", from, err);
  if (yaml_count(node) != 2)
    return yaml_fail(f, node, err, "a published range has two ends, as [1.2, 1.4]");
  TRY(yaml_real(f, yaml_item(f, node, 0), "a published figure", from, err));
  TRY(yaml_real(f, yaml_item(f, node, 1), "a published figure", upto, err));
  return *upto < *from ? yaml_fail(f, node, err, "a published range ends before it begins") : 0;
}

/* Last rows whose figures may be there though a table does not have them, so that tables may share
 * columns. */
static const char *const always[] = {"mean", "largest"};
enum { ALWAYS = sizeof always / sizeof always[0] };

/* Figures by the values of an axis, and of last rows; by: a further axis inside, EXPERIMENT_AXES:
 * none; last NULL: no last rows. */
static void check(struct suite_reader *r, yaml_node_t *map, size_t axis, size_t by,
                  const struct experiment_table *last) {
  const struct experiment_axis *a = &r->s->axes[axis];
  const char **names = suite_room(r, a->n + ALWAYS + EXPERIMENT_LAST + 1, sizeof *names);
  size_t known = a->n;
  for (size_t i = 0; names != NULL && i < a->n; i++)
    names[i] = a->values[i].name;
  for (size_t i = 0; names != NULL && last != NULL && i < ALWAYS; i++)
    names[known++] = always[i];
  for (size_t i = 0; names != NULL && last != NULL && i < last->nlast; i++)
    if (last->last[i].kind == EXPERIMENT_ABOVE)
      names[known++] = last->last[i].published;
  suite_keys(r, map, "published", names);
  for (size_t i = 0; r->status == 0 && names[i] != NULL; i++) {
    yaml_node_t *node = suite_get(r, map, names[i]);
    double from, upto;
    if (node != NULL && by != EXPERIMENT_AXES)
      check(r, node, by, EXPERIMENT_AXES, NULL);
    else if (node != NULL)
      r->status = read_figure(r->s, node, &from, &upto, r->err);
  }
  free(names);
}

void experiment_check_published(struct suite_reader *r, const struct experiment_table *t,
                                yaml_node_t *map) {
  check(r, map, t->rows, t->across, t);
}

void experiment_published(struct table_context *x, const struct experiment_column *c,
                          const char *row, struct experiment_cell *cell) {
  struct yaml_file *f = &x->s->file;
  yaml_node_t *node = c->published != NULL ? yaml_get(f, c->published, row) : NULL;
  if (node != NULL && c->only != NULL)
    node = yaml_get(f, node, c->only->name);
  cell->published = cell->upto = NAN;
  if (node != NULL && x->status == 0)
    x->status = read_figure(x->s, node, &cell->published, &cell->upto, x->err);
}

/* ---- text ---- */

const char *experiment_compared(const struct experiment_column *c) {
  return c->quotient ? "ratio" : "difference";
}

bool experiment_new_source(const struct experiment_table *t, size_t column) {
  const char *source = t->columns[column].source;
  bool told = source == NULL;
  for (size_t k = 0; k < column && !told; k++)
    told = t->columns[k].source != NULL && strcmp(t->columns[k].source, source) == 0;
  return !told;
}

void experiment_print_published(const struct experiment_column *c,
                                const struct experiment_cell *cell, char text[EXPERIMENT_CELL]) {
  char upto[EXPERIMENT_CELL];
  c = experiment_printed_as(c, cell);
  experiment_print(c, cell->published, text);
  if (isnan(cell->upto))
    return;
  experiment_print(c, cell->upto, upto);
  const size_t n = strlen(text);
  snprintf(text + n, EXPERIMENT_CELL - n, " to %s", upto);
}

void experiment_print_difference(const struct experiment_column *c,
                                 const struct experiment_cell *cell, char text[EXPERIMENT_CELL]) {
  c = experiment_printed_as(c, cell);
  const bool points = c->form == EXPERIMENT_PERCENT || c->form == EXPERIMENT_CHANGE,
             range = !isnan(cell->upto);
  const double nearest = range && cell->value > cell->upto ? cell->upto : cell->published,
               d = points ? cell->value - nearest : 100 * (cell->value / nearest - 1);
  if (!isnan(cell->deviation))
    snprintf(text, EXPERIMENT_CELL, "%.1f %%", cell->deviation);
  else if (range && cell->value >= cell->published && cell->value <= cell->upto)
    strcpy(text, "within");
  else if (!isfinite(d))
    strcpy(text, "-");
  else if (c->quotient)
    snprintf(text, EXPERIMENT_CELL, "%.2f", cell->value / nearest);
  else
    snprintf(text, EXPERIMENT_CELL, "%+.1f %s", d, points ? "points" : "%");
}
