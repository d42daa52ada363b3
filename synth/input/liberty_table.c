/* Tables of a Liberty file: their templates, axes and rows. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "synth/input/liberty_units.h"

/* Adds the numbers of a word; false: something else is there. */
static bool numbers(const struct liberty_word *w, double *last, bool *rising, size_t *n) {
  for (const char *p = w->at; p < w->at + w->n;) {
    char *after;
    const double v = strtod(p, &after);
    if (after == p ? !isspace((unsigned char)*p) && strchr(",\\", *p) == NULL : !isfinite(v))
      return false;
    *rising &= after == p || *n == 0 || v > *last;
    *n += after > p;
    *last = after > p ? v : *last;
    p = after > p ? after : p + 1;
  }
  return true;
}

/* Numbers of a list, in order if they are of an axis; false: something else is there. */
static bool count(const struct liberty_tree *t, const struct liberty_node *n, bool axis,
                  size_t *all) {
  double last = 0;
  bool rising = true, good = true;
  *all = 0;
  for (size_t i = 0; i < n->nwords && good; i++)
    good = numbers(liberty_word(t, n, i), &last, &rising, all);
  return good && (rising || !axis);
}

/* An axis of a table, its own or that of its template.  NULL: it has none. */
static const struct liberty_node *axis_of(const struct liberty_tree *t,
                                          const struct liberty_node *table,
                                          const struct liberty_node *template, char axis) {
  char name[] = "index_1";
  name[sizeof name - 2] = axis;
  const struct liberty_node *own = liberty_words(t, table, name);
  return own != NULL || template == NULL ? own : liberty_words(t, template, name);
}

size_t liberty_row(const struct liberty_tree *t, const struct liberty_node *table) {
  const struct liberty_node *template = liberty_template(t, table), *index;
  size_t row = 1, some;
  for (char axis = '1'; axis <= '3' && template != NULL; axis++)
    if ((index = axis_of(t, table, template, axis)) != NULL && count(t, index, true, &some))
      row = some;
  return row > 0 ? row : 1;
}

/* Each word of the values is a row, in quotes. */
static bool in_rows(const struct liberty_tree *t, const struct liberty_node *values, size_t row) {
  bool rows = true, rising = true;
  double last = 0;
  for (size_t i = 0; i < values->nwords; i++) {
    const struct liberty_word *w = liberty_word(t, values, i);
    size_t n = 0;
    rows &= numbers(w, &last, &rising, &n) && n == row && w->quoted;
  }
  return rows;
}

/* A variable that tools know in a table of this name: others make them leave it out in silence. */
static bool is_variable(const struct liberty_node *table, const struct liberty_word *w) {
  static const char *const names[] = {"total_output_net_capacitance",
                                      "related_out_total_output_net_capacitance",
                                      "equal_or_opposite_output_net_capacitance",
                                      "input_net_transition",
                                      "input_transition_time",
                                      "constrained_pin_transition",
                                      "related_pin_transition"};
  const bool constraint = memmem(table->name.at, table->name.n, "constraint", 10) != NULL;
  bool known = false;
  for (size_t i = constraint ? 5 : 0; i < (constraint ? 7 : 5); i++)
    known |= liberty_is(w, names[i]);
  return known || (constraint && liberty_is(w, names[1]));
}

int liberty_table(struct liberty_tree *t, const struct liberty_node *n, struct tandem_error *err) {
  const struct liberty_node *values = liberty_words(t, n, "values");
  const struct liberty_word *name = liberty_word(t, n, 0);
  const struct liberty_node *template = liberty_template(t, n);
  size_t all = 1, some;
  if (template == NULL && !liberty_is(name, "scalar"))
    return liberty_wrong(t, n->line, err, "there is no template of its kind named \"%.*s\"",
                         (int)(name->n < 40 ? name->n : 40), name->at);
  for (char axis = '1'; axis <= '3' && template != NULL; axis++) {
    char variable[] = "variable_1";
    variable[sizeof variable - 2] = axis;
    const struct liberty_node *index = axis_of(t, n, template, axis);
    const struct liberty_word *is = liberty_value(t, template, variable);
    if (is == NULL) {
      if (axis > '1')
        break;
      return liberty_wrong(t, template->line, err, "a template without variable_1");
    }
    if (!is_variable(n, is))
      return liberty_wrong(t, n->line, err,
                           "variable_%c of its template is %.*s, which is none of %.*s", axis,
                           (int)(is->n < 60 ? is->n : 60), is->at, (int)n->name.n, n->name.at);
    if (index == NULL)
      return liberty_wrong(t, n->line, err, "neither table nor template has index_%c", axis);
    if (!count(t, index, true, &some) || some == 0)
      return liberty_wrong(t, index->line, err, "index_%c is no list of rising numbers", axis);
    all *= some;
  }
  if (values == NULL || !count(t, values, false, &some))
    return liberty_wrong(t, n->line, err, "a table without values, which are numbers");
  t->loose |= !in_rows(t, values, liberty_row(t, n));
  return some == all
             ? 0
             : liberty_wrong(t, values->line, err,
                             "a table of %zu values, but its axes have room for %zu", some, all);
}
