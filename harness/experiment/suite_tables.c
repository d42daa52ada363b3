/* The tables of a suite, and that each of their cells is of one run. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/suite_local.h"
#include "harness/experiment/table.h"

/* A table that is read.  Once status is not 0, all that reads it does nothing. */
struct reader {
  struct experiment_suite *s;
  struct tandem_error *err;
  int status;
};

static void fail(struct reader *r, const yaml_node_t *at, const char *text) {
  if (r->status == 0)
    r->status = yaml_fail(&r->s->file, at, r->err, "%s", text);
}

static yaml_node_t *get(struct reader *r, yaml_node_t *map, const char *key) {
  return r->status == 0 ? yaml_get(&r->s->file, map, key) : NULL;
}

static void keys(struct reader *r, yaml_node_t *map, const char *what, const char *const *known) {
  if (r->status == 0)
    r->status = yaml_map(&r->s->file, map, what, known, r->err);
}

/* The text of a key; *text stays if there is none. */
static void text(struct reader *r, yaml_node_t *map, const char *key, const char **text) {
  yaml_node_t *node = get(r, map, key);
  if (node != NULL)
    r->status = yaml_text(&r->s->file, node, key, text, r->err);
}

/* The index of a key's text among names; 0 if there is none. */
static unsigned choice(struct reader *r, yaml_node_t *map, const char *key,
                       const char *const *names) {
  yaml_node_t *node = get(r, map, key);
  unsigned which = 0;
  if (node != NULL)
    r->status = yaml_choice(&r->s->file, node, key, names, &which, r->err);
  return which;
}

static yaml_node_t *selection(struct reader *r, yaml_node_t *node) {
  if (r->status == 0)
    r->status = experiment_check_selection(r->s, node, r->err);
  return node;
}

/* An axis by the name that a key has. */
static size_t axis(struct reader *r, yaml_node_t *node, const char *what) {
  const char *name;
  if (r->status == 0)
    r->status = yaml_text(&r->s->file, node, what, &name, r->err);
  const size_t found = r->status == 0 ? experiment_axis(r->s, name) : 0;
  if (found == EXPERIMENT_AXES)
    r->status = experiment_no_axis(r->s, node, what, name, r->err);
  return found;
}

/* Returns true if an expression has a name that begins with `of.`: one of the run in `of:`. */
static bool names_other(const char *value) {
  for (const char *p = value; (p = strstr(p, "of.")) != NULL; p += 3)
    if (p == value || (!isalnum((unsigned char)p[-1]) && p[-1] != '_' && p[-1] != '.'))
      return true;
  return false;
}

/* The form of a column; an expression over two runs is not divided by that of the other one. */
static void read_form(struct reader *r, yaml_node_t *map, struct experiment_column *c) {
  static const char *const forms[] = {"number", "ratio", "speedup", "percent", "change", NULL};
  yaml_node_t *form = get(r, map, "form"), *value = get(r, map, "value");
  c->form = (enum experiment_form)choice(r, map, "form", forms);
  if (form == NULL)
    c->form = c->of != NULL ? EXPERIMENT_RATIO : EXPERIMENT_NUMBER;
  if (form != NULL && c->of == NULL && c->form == EXPERIMENT_CHANGE)
    fail(r, form, "a change needs of: the run that it is compared with");
  if (form != NULL && c->of == NULL && c->form == EXPERIMENT_SPEEDUP)
    fail(r, form, "a speedup needs of: the run that it is compared with");
  c->pair = r->status == 0 && names_other(c->value);
  if (c->pair && c->of == NULL)
    fail(r, value, "\"of.\" needs of: the other run");
  if (c->pair && c->form == EXPERIMENT_SPEEDUP)
    fail(r, value, "an expression over two runs is no speedup; divide them");
  if (c->pair && form == NULL)
    c->form = EXPERIMENT_NUMBER;
}

static void read_published(struct reader *r, const struct experiment_table *t, yaml_node_t *map,
                           struct experiment_column *c) {
  c->published = get(r, map, "published");
  if (c->published != NULL && t->kernels)
    fail(r, c->published, "published figures are of runs, not of kernels");
  if (c->published != NULL && r->status == 0)
    r->status = experiment_check_published(r->s, t, c->published, r->err);
  text(r, map, "source", &c->source);
  if (c->published != NULL && c->source == NULL)
    fail(r, c->published, "published figures need their source:");
}

/* Reads a column's figure: from its mapping, or from the table's for columns of an axis. */
static void read_figure(struct reader *r, const struct experiment_table *t, yaml_node_t *map,
                        struct experiment_column *c) {
  yaml_node_t *decimals = get(r, map, "decimals");
  uint64_t digits;
  c->at = map;
  c->decimals = -1;
  c->of = get(r, map, "of");
  c->of = c->of != NULL ? c->of : t->against;
  text(r, map, "value", &c->value);
  if (c->value == NULL)
    fail(r, map, "a column needs a value: a path into a run's JSON, as cycles");
  selection(r, c->of);
  read_form(r, map, c);
  if (decimals != NULL && r->status == 0) {
    r->status = yaml_uint(&r->s->file, decimals, "decimals", 0, 15, &digits, r->err);
    c->decimals = (int)digits;
  }
  read_published(r, t, map, c);
}

static void read_listed(struct reader *r, struct experiment_table *t, yaml_node_t *list) {
  static const char *const known[] = {"title",    "value",     "where",  "of", "form",
                                      "decimals", "published", "source", NULL};
  for (size_t i = 0; r->status == 0 && i < t->ncolumns; i++) {
    yaml_node_t *map = yaml_item(&r->s->file, list, i);
    struct experiment_column *c = &t->columns[i];
    keys(r, map, "a column", known);
    read_figure(r, t, map, c);
    c->title = c->value;
    text(r, map, "title", &c->title);
    c->where = selection(r, get(r, map, "where"));
  }
}

/* The columns of a table: a list, or those of an axis. */
static void read_columns(struct reader *r, struct experiment_table *t, yaml_node_t *map) {
  yaml_node_t *node = get(r, map, "columns");
  if (node == NULL)
    fail(r, map, "a table needs columns: an axis, or a list");
  if (r->status != 0)
    return;
  const bool listed = node->type == YAML_SEQUENCE_NODE;
  t->across = listed ? EXPERIMENT_AXES : axis(r, node, "columns");
  if (t->across == t->rows)
    fail(r, node, "rows and columns are the same axis");
  if (r->status != 0)
    return;
  t->ncolumns = listed ? yaml_count(node) : r->s->axes[t->across].n;
  t->columns = calloc(t->ncolumns + 1, sizeof *t->columns);
  if (t->columns == NULL)
    r->status = tandem_fail(r->err, -ENOMEM, "out of memory");
  else if (listed)
    read_listed(r, t, node);
  for (size_t i = 0; !listed && r->status == 0 && i < t->ncolumns; i++) {
    struct experiment_column *c = &t->columns[i];
    read_figure(r, t, map, c);
    c->title = c->only = r->s->axes[t->across].values[i].name;
  }
}

static void read_plot(struct reader *r, struct experiment_table *t, yaml_node_t *map) {
  static const char *const known[] = {"style", "x", "y", "log", NULL},
                           *const styles[] = {"bars", "lines", NULL},
                           *const logs[] = {"none", "x", "y", "xy", NULL};
  if (map == NULL)
    return;
  keys(r, map, "plot", known);
  const unsigned style = choice(r, map, "style", styles), log = choice(r, map, "log", logs);
  t->plot.wanted = true;
  t->plot.lines = style == 1;
  t->plot.log_x = (log & 1) != 0;
  t->plot.log_y = (log & 2) != 0;
  t->plot.x = r->s->axes[t->rows].name;
  t->plot.y = "";
  text(r, map, "x", &t->plot.x);
  text(r, map, "y", &t->plot.y);
}

/* Every cell has one run at most, and at least one run is in the table. */
static void check_cells(struct reader *r, const struct experiment_table *t, yaml_node_t *map) {
  size_t found = 0;
  for (size_t row = 0; r->status == 0 && row < r->s->axes[t->rows].n; row++)
    for (size_t c = 0; r->status == 0 && c < t->ncolumns; c++) {
      const struct experiment_run *run = NULL, *of;
      r->status = experiment_cell_runs(r->s, t, row, &t->columns[c], &run, &of, r->err);
      found += run != NULL;
    }
  if (found == 0)
    fail(r, map, "no run is in this table");
}

/* The title of a table that is there once for each control, with this one's values. */
static void name_control(struct reader *r, struct experiment_table *t) {
  size_t size = 0;
  FILE *title = open_memstream(&t->made, &size);
  if (title == NULL) {
    r->status = tandem_fail(r->err, -ENOMEM, "out of memory");
    return;
  }
  selection(r, t->against);
  fprintf(title, "%s, against", t->title);
  for (size_t i = 0; i < r->s->naxes; i++) {
    const char *value = NULL;
    text(r, t->against, r->s->axes[i].name, &value);
    if (value != NULL)
      fprintf(title, " %s", value);
  }
  if (fclose(title) != 0 && r->status == 0)
    r->status = tandem_fail(r->err, -ENOMEM, "out of memory");
  t->title = t->made;
}

static void read_table(struct reader *r, yaml_node_t *map, struct experiment_table *t) {
  static const char *const known[] = {"title", "text", "rows",     "columns",   "where",  "value",
                                      "of",    "form", "decimals", "published", "source", "mean",
                                      "plot",  "each", "against",  NULL};
  static const char *const means[] = {"none", "arithmetic", "geometric", NULL};
  static const char *const parts[] = {"run", "kernel", NULL};
  keys(r, map, "a table", known);
  yaml_node_t *rows = get(r, map, "rows");
  t->title = r->s->title;
  t->text = "";
  if (rows == NULL)
    fail(r, map, "a table needs rows: an axis");
  t->rows = axis(r, rows, "rows");
  t->kernels = choice(r, map, "each", parts) == 1;
  text(r, map, "title", &t->title);
  text(r, map, "text", &t->text);
  t->where = selection(r, get(r, map, "where"));
  if (t->against != NULL && r->status == 0)
    name_control(r, t);
  read_columns(r, t, map);
  t->mean = (enum experiment_mean)choice(r, map, "mean", means);
  read_plot(r, t, get(r, map, "plot"));
  check_cells(r, t, map);
}

int experiment_read_tables(struct experiment_suite *s, yaml_node_t *list,
                           struct tandem_error *err) {
  struct reader r = {s, err, 0};
  size_t all = 0;
  if (list == NULL)
    return 0;
  r.status = yaml_list(&s->file, list, "tables", err);
  for (size_t i = 0; r.status == 0 && i < yaml_count(list); i++) {
    yaml_node_t *against = get(&r, yaml_item(&s->file, list, i), "against");
    r.status = against != NULL ? yaml_list(&s->file, against, "against", err) : 0;
    all += r.status == 0 && against != NULL ? yaml_count(against) : 1;
  }
  if (r.status == 0 && (s->tables = calloc(all + 1, sizeof *s->tables)) == NULL)
    r.status = tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; r.status == 0 && i < yaml_count(list); i++) {
    yaml_node_t *map = yaml_item(&s->file, list, i), *against = get(&r, map, "against");
    const size_t controls = against != NULL ? yaml_count(against) : 1;
    for (size_t k = 0; r.status == 0 && k < controls; k++) {
      struct experiment_table *t = &s->tables[s->ntables++];
      t->against = against != NULL ? yaml_item(&s->file, against, k) : NULL;
      read_table(&r, map, t);
    }
  }
  return r.status;
}
