/* The tables of a suite, and that each of their cells is of one run. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/suite_local.h"
#include "harness/experiment/table.h"

/* Returns true if an expression has a name that begins with `of.`: one of the run in `of:`. */
static bool names_other(const char *value) {
  for (const char *p = value; (p = strstr(p, "of.")) != NULL; p += 3)
    if (p == value || (!isalnum((unsigned char)p[-1]) && p[-1] != '_' && p[-1] != '.'))
      return true;
  return false;
}

/* The form of a column; an expression over two runs is not divided by that of the other one. */
static void read_form(struct suite_reader *r, yaml_node_t *map, struct experiment_column *c) {
  static const char *const forms[] = {"number", "ratio", "speedup", "percent", "change", NULL};
  yaml_node_t *form = suite_get(r, map, "form"), *value = suite_get(r, map, "value");
  c->form = (enum experiment_form)suite_choice(r, map, "form", forms);
  if (form == NULL)
    c->form = c->of != NULL ? EXPERIMENT_RATIO : EXPERIMENT_NUMBER;
  if (form != NULL && c->of == NULL && c->form == EXPERIMENT_CHANGE)
    suite_fail(r, form, "a change needs of: the run that it is compared with");
  if (form != NULL && c->of == NULL && c->form == EXPERIMENT_SPEEDUP)
    suite_fail(r, form, "a speedup needs of: the run that it is compared with");
  c->pair = r->status == 0 && names_other(c->value);
  if (c->pair && c->of == NULL)
    suite_fail(r, value, "\"of.\" needs of: the other run");
  if (c->pair && c->form == EXPERIMENT_SPEEDUP)
    suite_fail(r, value, "an expression over two runs is no speedup; divide them");
  if (c->pair && form == NULL)
    c->form = EXPERIMENT_NUMBER;
}

static void read_published(struct suite_reader *r, const struct experiment_table *t,
                           yaml_node_t *map, struct experiment_column *c) {
  static const char *const ways[] = {"difference", "ratio", NULL};
  c->published = suite_get(r, map, "published");
  c->quotient = suite_choice(r, map, "compare", ways) == 1;
  if (c->published != NULL && t->kernels)
    suite_fail(r, c->published, "published figures are of runs, not of kernels");
  if (c->published != NULL)
    experiment_check_published(r, t, c->published);
  suite_text(r, map, "source", &c->source);
  if (c->published != NULL && c->source == NULL)
    suite_fail(r, c->published, "published figures need their source:");
}

/* The columns to the left of one. */
struct left {
  const struct experiment_column *columns;
  size_t n;
};

/* Any name, whose value is not known yet: no number, which no operation refuses.  Columns are
 * known: those to the left. */
static int any_name(void *user, const char *name, union expression_value *v,
                    struct tandem_error *err) {
  const struct left *left = user;
  v->real = NAN;
  if (strncmp(name, "row.", 4) == 0 &&
      experiment_named(left->columns, left->n, name + 4) == left->n)
    return tandem_fail(err, -ENOENT, "no column to the left is named %s", name + 4);
  return 0;
}

/* An expression of a column over results that are not there yet. */
static void check_expression(struct suite_reader *r, const struct experiment_table *t,
                             const struct experiment_column *c, const yaml_node_t *at,
                             const char *text) {
  struct left left = {t->columns, (size_t)(c - t->columns)};
  const struct expression_names names = {any_name, &left};
  struct tandem_error why;
  double value;
  if (r->status == 0 && expression_real(text, &names, &value, &why) != 0)
    suite_fail(r, at, "%s", why.text);
}

/* Reads a column's figure: from its mapping, or from the table's for columns of an axis. */
static void read_figure(struct suite_reader *r, const struct experiment_table *t, yaml_node_t *map,
                        struct experiment_column *c) {
  yaml_node_t *decimals = suite_get(r, map, "decimals");
  uint64_t digits;
  c->at = map;
  c->decimals = -1;
  c->of = suite_get(r, map, "of");
  c->of = c->of != NULL ? c->of : t->against;
  suite_text(r, map, "value", &c->value);
  if (c->value == NULL)
    suite_fail(r, map, "a column needs a value: a path into a run's JSON, as cycles");
  check_expression(r, t, c, map, c->value);
  suite_selection(r, c->of);
  read_form(r, map, c);
  if (decimals != NULL && r->status == 0) {
    r->status = yaml_uint(&r->s->file, decimals, "decimals", 0, 15, &digits, r->err);
    c->decimals = (int)digits;
  }
  read_published(r, t, map, c);
}

/* A column that shows which of those to its left has the least value. */
static void read_least(struct suite_reader *r, const struct experiment_table *t, yaml_node_t *map,
                       struct experiment_column *c) {
  static const char *const known[] = {"title", "name", "least", NULL};
  const size_t left = (size_t)(c - t->columns);
  suite_keys(r, map, "a column of the least value", known);
  c->at = map;
  c->decimals = -1;
  c->value = "least";
  const size_t n = suite_count(r, c->least, "least");
  if (n == 0)
    suite_fail(r, c->least, "least needs names of columns");
  for (size_t i = 0; r->status == 0 && i < n; i++) {
    yaml_node_t *item = yaml_item(&r->s->file, c->least, i);
    const char *name = suite_word(r, item, "least");
    if (r->status == 0 && experiment_named(t->columns, left, name) == left)
      suite_fail(r, item, "least: no column to the left is named %s", name);
  }
}

/* The name and the condition of a column. */
static void read_name(struct suite_reader *r, const struct experiment_table *t, yaml_node_t *map,
                      struct experiment_column *c) {
  yaml_node_t *name = suite_get(r, map, "name"), *condition = suite_get(r, map, "if");
  suite_text(r, map, "if", &c->condition);
  if (condition != NULL)
    check_expression(r, t, c, condition, c->condition);
  suite_text(r, map, "name", &c->name);
  if (name == NULL || r->status != 0)
    return;
  if (!expression_is_name(c->name))
    suite_fail(r, name, "\"%s\" is no name of letters, digits and _", c->name);
  for (const struct experiment_column *o = t->columns; o < c; o++)
    if (o->name != NULL && strcmp(o->name, c->name) == 0)
      suite_fail(r, name, "two columns are named %s", c->name);
}

static void read_listed(struct suite_reader *r, struct experiment_table *t, yaml_node_t *list) {
  static const char *const known[] = {"title", "value",     "where",  "of",      "form", "decimals",
                                      "name",  "published", "source", "compare", "if",   NULL};
  for (size_t i = 0; r->status == 0 && i < t->ncolumns; i++) {
    yaml_node_t *map = yaml_item(&r->s->file, list, i);
    struct experiment_column *c = &t->columns[i];
    c->least = suite_get(r, map, "least");
    if (c->least != NULL) {
      read_least(r, t, map, c);
    } else {
      suite_keys(r, map, "a column", known);
      read_figure(r, t, map, c);
    }
    read_name(r, t, map, c);
    c->title = c->value;
    suite_text(r, map, "title", &c->title);
    if (c->least == NULL)
      c->where = suite_selection(r, suite_get(r, map, "where"));
  }
}

/* The columns of a table: a list, or those of an axis. */
static void read_columns(struct suite_reader *r, struct experiment_table *t, yaml_node_t *map) {
  yaml_node_t *node = suite_get(r, map, "columns");
  if (node == NULL)
    suite_fail(r, map, "a table needs columns: an axis, or a list");
  if (r->status != 0)
    return;
  const bool listed = node->type == YAML_SEQUENCE_NODE;
  t->across = listed ? EXPERIMENT_AXES : suite_axis(r, node, "columns");
  if (t->across == t->rows)
    suite_fail(r, node, "rows and columns are the same axis");
  if (r->status != 0)
    return;
  t->ncolumns = listed ? yaml_count(node) : r->s->axes[t->across].n;
  t->columns = suite_room(r, t->ncolumns, sizeof *t->columns);
  if (listed)
    read_listed(r, t, node);
  for (size_t i = 0; !listed && r->status == 0 && i < t->ncolumns; i++) {
    struct experiment_column *c = &t->columns[i];
    read_figure(r, t, map, c);
    c->only = &r->s->axes[t->across].values[i];
    c->title = c->only->name;
  }
}

/* The index of a column by its name. */
static size_t column_of(struct suite_reader *r, const struct experiment_table *t, yaml_node_t *map,
                        const char *key) {
  yaml_node_t *node = suite_get(r, map, key);
  if (node == NULL) {
    suite_fail(r, map, "points need x and y: names of columns");
    return 0;
  }
  const char *name = suite_word(r, node, key);
  const size_t k = experiment_named(t->columns, t->ncolumns, name);
  if (k == t->ncolumns)
    suite_fail(r, node, "%s: no column is named %s", key, name);
  return k;
}

static void read_points(struct suite_reader *r, struct experiment_table *t, yaml_node_t *plot) {
  static const char *const known[] = {"title", "x", "y", NULL};
  yaml_node_t *list = suite_get(r, plot, "points"), *front = suite_get(r, plot, "front");
  if (t->plot.kind != PLOT_POINTS && (list != NULL || front != NULL))
    suite_fail(r, plot, "points and front are for plots of style points");
  if (t->plot.kind != PLOT_POINTS || r->status != 0)
    return;
  const size_t n = suite_count(r, list, "points");
  if (n == 0)
    suite_fail(r, plot, "a plot of style points needs points: a list of series");
  t->plot.points = suite_room(r, n, sizeof *t->plot.points);
  for (size_t i = 0; r->status == 0 && i < n; i++) {
    yaml_node_t *map = yaml_item(&r->s->file, list, i);
    struct experiment_points *p = &t->plot.points[i];
    suite_keys(r, map, "points", known);
    p->x = column_of(r, t, map, "x");
    p->y = column_of(r, t, map, "y");
    p->title = r->status == 0 ? t->columns[p->y].title : "";
    suite_text(r, map, "title", &p->title);
    t->plot.npoints = i + 1;
  }
  if (r->status == 0) {
    t->plot.x = t->columns[t->plot.points->x].title;
    t->plot.y = t->columns[t->plot.points->y].title;
  }
  if (front != NULL && r->status == 0)
    r->status = yaml_bool(&r->s->file, front, "front", &t->plot.front, r->err);
}

static void read_plot(struct suite_reader *r, struct experiment_table *t, yaml_node_t *map) {
  static const char *const known[] = {"style", "x", "y", "log", "points", "front", NULL},
                           *const styles[] = {"bars", "lines", "points", NULL},
                           *const logs[] = {"none", "x", "y", "xy", NULL};
  if (map == NULL)
    return;
  suite_keys(r, map, "plot", known);
  const unsigned style = suite_choice(r, map, "style", styles),
                 log = suite_choice(r, map, "log", logs);
  t->plot.wanted = true;
  t->plot.kind = style == 0 ? PLOT_BARS : style == 1 ? PLOT_LINES : PLOT_POINTS;
  t->plot.log_x = (log & 1) != 0;
  t->plot.log_y = (log & 2) != 0;
  t->plot.x = r->s->axes[t->rows].name;
  t->plot.y = "";
  read_points(r, t, map);
  suite_text(r, map, "x", &t->plot.x);
  suite_text(r, map, "y", &t->plot.y);
}

/* A last row: a mean, the largest value, or "above" and a limit. */
static void read_last(struct suite_reader *r, yaml_node_t *node, struct experiment_last *l) {
  static const struct experiment_last kinds[] = {
      {EXPERIMENT_ARITHMETIC, 0, "mean", "mean"},
      {EXPERIMENT_GEOMETRIC, 0, "mean", "mean"},
      {EXPERIMENT_DEVIATION, 0, "mean deviation", NULL},
      {EXPERIMENT_LARGEST, 0, "largest", "largest"},
  };
  static const char *const words[] = {"arithmetic", "geometric", "deviation", "largest"};
  enum { KINDS = sizeof kinds / sizeof kinds[0] };
  const char *text = suite_word(r, node, "mean");
  size_t i = 0;
  char *end = NULL;
  while (i < KINDS && strcmp(text, words[i]) != 0)
    i++;
  if (i < KINDS) {
    *l = kinds[i];
    return;
  }
  *l = (struct experiment_last){EXPERIMENT_ABOVE, 0, text, text};
  if (strncmp(text, "above ", 6) == 0)
    l->limit = strtod(text + 6, &end);
  if (end == NULL || end == text + 6 || *end != '\0')
    suite_fail(r, node,
               "mean must be one of none, arithmetic, geometric, deviation, largest, "
               "above and a number, or a list of them");
}

static void read_last_rows(struct suite_reader *r, struct experiment_table *t, yaml_node_t *node) {
  bool geometric = false, arithmetic = false;
  if (node == NULL || r->status != 0)
    return;
  const bool list = node->type == YAML_SEQUENCE_NODE;
  if (!list && strcmp(suite_word(r, node, "mean"), "none") == 0)
    return;
  const size_t n = list ? yaml_count(node) : 1;
  if (n > EXPERIMENT_LAST)
    suite_fail(r, node, "mean has more than %d rows", EXPERIMENT_LAST);
  for (size_t i = 0; r->status == 0 && i < n; i++) {
    read_last(r, list ? yaml_item(&r->s->file, node, i) : node, &t->last[i]);
    geometric = geometric || t->last[i].kind == EXPERIMENT_GEOMETRIC;
    arithmetic = arithmetic || t->last[i].kind == EXPERIMENT_ARITHMETIC;
    t->nlast = i + 1;
  }
  for (size_t i = 0; geometric && arithmetic && i < t->nlast; i++)
    if (t->last[i].kind == EXPERIMENT_ARITHMETIC || t->last[i].kind == EXPERIMENT_GEOMETRIC)
      t->last[i].name =
          t->last[i].kind == EXPERIMENT_GEOMETRIC ? "geometric mean" : "arithmetic mean";
}

/* Every cell has one run at most, and at least one run is in the table. */
static void check_cells(struct suite_reader *r, const struct experiment_table *t,
                        yaml_node_t *map) {
  struct table_context x = {.s = r->s, .t = t, .err = r->err, .status = r->status};
  size_t found = 0;
  table_begin(&x);
  for (size_t row = 0; x.status == 0 && row < r->s->axes[t->rows].n; row++)
    for (size_t c = 0; x.status == 0 && c < t->ncolumns; c++)
      if (t->columns[c].least == NULL)
        found += table_cell(&x, row, &t->columns[c]).run != NULL;
  r->status = table_end(&x);
  if (found == 0)
    suite_fail(r, map, "no run is in this table");
}

/* The title of a table that is there once for each control, with this one's values. */
static void name_control(struct suite_reader *r, struct experiment_table *t) {
  size_t size = 0;
  FILE *title = open_memstream(&t->made, &size);
  if (title == NULL) {
    suite_fail(r, t->against, "out of memory");
    return;
  }
  suite_selection(r, t->against);
  fprintf(title, "%s, against", t->title);
  for (size_t i = 0; i < r->s->naxes; i++) {
    const char *value = NULL;
    suite_text(r, t->against, r->s->axes[i].name, &value);
    if (value != NULL)
      fprintf(title, " %s", value);
  }
  if (fclose(title) != 0)
    suite_fail(r, t->against, "out of memory");
  t->title = t->made;
}

static void read_table(struct suite_reader *r, yaml_node_t *map, struct experiment_table *t) {
  static const char *const known[] = {"title", "text", "rows",     "columns",   "where",  "value",
                                      "of",    "form", "decimals", "published", "source", "compare",
                                      "mean",  "plot", "each",     "against",   NULL};
  static const char *const parts[] = {"run", "kernel", NULL};
  suite_keys(r, map, "a table", known);
  yaml_node_t *rows = suite_get(r, map, "rows");
  t->title = r->s->title;
  t->text = "";
  if (rows == NULL)
    suite_fail(r, map, "a table needs rows: an axis");
  t->rows = suite_axis(r, rows, "rows");
  t->kernels = suite_choice(r, map, "each", parts) == 1;
  suite_text(r, map, "title", &t->title);
  suite_text(r, map, "text", &t->text);
  t->where = suite_selection(r, suite_get(r, map, "where"));
  if (t->against != NULL && r->status == 0)
    name_control(r, t);
  read_last_rows(r, t, suite_get(r, map, "mean"));
  read_columns(r, t, map);
  read_plot(r, t, suite_get(r, map, "plot"));
  check_cells(r, t, map);
}

void experiment_read_tables(struct suite_reader *r, yaml_node_t *list) {
  struct experiment_suite *s = r->s;
  const size_t n = suite_count(r, list, "tables");
  size_t all = 0;
  for (size_t i = 0; i < n; i++) {
    yaml_node_t *against = suite_get(r, yaml_item(&s->file, list, i), "against");
    all += against != NULL ? suite_count(r, against, "against") : 1;
  }
  s->tables = suite_room(r, all, sizeof *s->tables);
  for (size_t i = 0; r->status == 0 && i < n; i++) {
    yaml_node_t *map = yaml_item(&s->file, list, i), *against = suite_get(r, map, "against");
    const size_t controls = against != NULL ? yaml_count(against) : 1;
    for (size_t k = 0; r->status == 0 && k < controls; k++) {
      struct experiment_table *t = &s->tables[s->ntables++];
      t->against = against != NULL ? yaml_item(&s->file, against, k) : NULL;
      read_table(r, map, t);
    }
  }
}
