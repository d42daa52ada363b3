/* The tables of a suite, and that each of their cells is of one run. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/suite.h"
#include "harness/experiment/table.h"

static int read_text(struct experiment_suite *s, yaml_node_t *map, const char *key,
                     const char **text, struct tandem_error *err) {
  yaml_node_t *node = yaml_get(&s->file, map, key);
  return node != NULL ? yaml_text(&s->file, node, key, text, err) : 0;
}

/* An axis by the name that a key has. */
static int read_axis(struct experiment_suite *s, yaml_node_t *node, const char *what, size_t *axis,
                     struct tandem_error *err) {
  const char *name;
  int status = yaml_text(&s->file, node, what, &name, err);
  if (status != 0)
    return status;
  *axis = experiment_axis(s, name);
  return *axis != EXPERIMENT_AXES ? 0 : experiment_no_axis(s, node, what, name, err);
}

/* Whether a name of an expression is that of the run in `of:`. */
static bool names_other(const char *text) {
  for (const char *p = text; (p = strstr(p, "of.")) != NULL; p += 3)
    if (p == text || (!isalnum((unsigned char)p[-1]) && p[-1] != '_' && p[-1] != '.'))
      return true;
  return false;
}

/* An expression over two runs is not divided by that of the other one. */
static int read_pair(struct experiment_suite *s, yaml_node_t *value, struct experiment_column *c,
                     struct tandem_error *err) {
  c->pair = names_other(c->value);
  if (!c->pair)
    return 0;
  if (c->of == NULL)
    return yaml_fail(&s->file, value, err, "\"of.\" needs of: the other run");
  if (c->form == EXPERIMENT_SPEEDUP)
    return yaml_fail(&s->file, value, err,
                     "an expression over two runs is no speedup; divide them");
  return 0;
}

/* What a column is of: in its mapping, or in the table's for columns of an axis. */
static int read_figure(struct experiment_suite *s, const struct experiment_table *t,
                       yaml_node_t *map, struct experiment_column *c, struct tandem_error *err) {
  static const char *const forms[] = {"number", "ratio", "speedup", "percent", "change", NULL};
  struct yaml_file *f = &s->file;
  yaml_node_t *value = yaml_get(f, map, "value"), *form = yaml_get(f, map, "form"),
              *decimals = yaml_get(f, map, "decimals");
  unsigned which;
  uint64_t digits;
  c->at = map;
  c->decimals = -1;
  c->of = yaml_get(f, map, "of");
  c->of = c->of != NULL ? c->of : t->against;
  c->form = c->of != NULL ? EXPERIMENT_RATIO : EXPERIMENT_NUMBER;
  c->published = yaml_get(f, map, "published");
  if (value == NULL)
    return yaml_fail(f, map, err, "a column needs a value: a path into a run's JSON, as cycles");
  int status = yaml_text(f, value, "value", &c->value, err);
  if (status == 0)
    status = experiment_check_selection(s, c->of, err);
  if (status == 0 && form != NULL) {
    status = yaml_choice(f, form, "form", forms, &which, err);
    if (status == 0)
      c->form = (enum experiment_form)which;
    if (status == 0 && c->of == NULL &&
        (c->form == EXPERIMENT_CHANGE || c->form == EXPERIMENT_SPEEDUP))
      status =
          yaml_fail(f, form, err, "a %s needs of: the run that it is compared with", forms[which]);
  }
  if (status == 0)
    status = read_pair(s, value, c, err);
  if (c->pair && form == NULL)
    c->form = EXPERIMENT_NUMBER;
  if (status == 0 && decimals != NULL) {
    status = yaml_uint(f, decimals, "decimals", 0, 15, &digits, err);
    if (status == 0)
      c->decimals = (int)digits;
  }
  if (status == 0 && c->published != NULL && t->kernels)
    status = yaml_fail(f, c->published, err, "published figures are of runs, not of kernels");
  if (status == 0 && c->published != NULL)
    status = experiment_check_published(s, t, c->published, err);
  if (status == 0)
    status = read_text(s, map, "source", &c->source, err);
  return status == 0 && c->published != NULL && c->source == NULL
             ? yaml_fail(f, c->published, err, "published figures need their source:")
             : status;
}

static int read_listed(struct experiment_suite *s, struct experiment_table *t, yaml_node_t *list,
                       struct tandem_error *err) {
  static const char *const keys[] = {"title",    "value",     "where",  "of", "form",
                                     "decimals", "published", "source", NULL};
  int status = 0;
  for (size_t i = 0; status == 0 && i < t->ncolumns; i++) {
    yaml_node_t *map = yaml_item(&s->file, list, i);
    struct experiment_column *c = &t->columns[i];
    status = yaml_map(&s->file, map, "a column", keys, err);
    if (status == 0)
      status = read_figure(s, t, map, c, err);
    if (status != 0)
      return status;
    c->title = c->value;
    c->where = yaml_get(&s->file, map, "where");
    status = read_text(s, map, "title", &c->title, err);
    if (status == 0)
      status = experiment_check_selection(s, c->where, err);
  }
  return status;
}

/* The columns of a table: a list, or those of an axis. */
static int read_columns(struct experiment_suite *s, struct experiment_table *t, yaml_node_t *map,
                        struct tandem_error *err) {
  yaml_node_t *node = yaml_get(&s->file, map, "columns");
  int status = 0;
  t->across = EXPERIMENT_AXES;
  if (node == NULL)
    return yaml_fail(&s->file, map, err, "a table needs columns: an axis, or a list");
  const bool listed = node->type == YAML_SEQUENCE_NODE;
  if (!listed)
    status = read_axis(s, node, "columns", &t->across, err);
  if (status != 0)
    return status;
  if (t->across == t->rows)
    return yaml_fail(&s->file, node, err, "rows and columns are the same axis");
  t->ncolumns = listed ? yaml_count(node) : s->axes[t->across].n;
  t->columns = calloc(t->ncolumns + 1, sizeof *t->columns);
  if (t->columns == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  if (listed)
    return read_listed(s, t, node, err);
  for (size_t i = 0; status == 0 && i < t->ncolumns; i++) {
    struct experiment_column *c = &t->columns[i];
    status = read_figure(s, t, map, c, err);
    c->title = c->only = s->axes[t->across].values[i].name;
  }
  return status;
}

static int read_plot(struct experiment_suite *s, struct experiment_table *t, yaml_node_t *map,
                     struct tandem_error *err) {
  static const char *const keys[] = {"style", "x", "y", "log", NULL},
                           *const styles[] = {"bars", "lines", NULL},
                           *const logs[] = {"none", "x", "y", "xy", NULL};
  unsigned which = 0;
  if (map == NULL)
    return 0;
  int status = yaml_map(&s->file, map, "plot", keys, err);
  yaml_node_t *style = yaml_get(&s->file, map, "style"), *log = yaml_get(&s->file, map, "log");
  t->plot.wanted = true;
  t->plot.x = s->axes[t->rows].name;
  t->plot.y = "";
  if (status == 0 && style != NULL)
    status = yaml_choice(&s->file, style, "style", styles, &which, err);
  t->plot.lines = which == 1;
  which = 0;
  if (status == 0 && log != NULL)
    status = yaml_choice(&s->file, log, "log", logs, &which, err);
  t->plot.log_x = (which & 1) != 0;
  t->plot.log_y = (which & 2) != 0;
  if (status == 0)
    status = read_text(s, map, "x", &t->plot.x, err);
  return status == 0 ? read_text(s, map, "y", &t->plot.y, err) : status;
}

/* Every cell has one run at most, and at least one run is in the table. */
static int check_cells(struct experiment_suite *s, const struct experiment_table *t,
                       yaml_node_t *map, struct tandem_error *err) {
  size_t found = 0;
  for (size_t r = 0; r < s->axes[t->rows].n; r++)
    for (size_t c = 0; c < t->ncolumns; c++) {
      const struct experiment_run *run, *of;
      int status = experiment_cell_runs(s, t, r, &t->columns[c], &run, &of, err);
      if (status != 0)
        return status;
      found += run != NULL;
    }
  return found != 0 ? 0 : yaml_fail(&s->file, map, err, "no run is in this table");
}

/* The title of a table that is there once for each control, with this one's values. */
static int name_control(struct experiment_suite *s, struct experiment_table *t,
                        struct tandem_error *err) {
  size_t size = 0;
  FILE *title = open_memstream(&t->made, &size);
  int status = title != NULL ? experiment_check_selection(s, t->against, err)
                             : tandem_fail(err, -ENOMEM, "out of memory");
  if (status == 0)
    fprintf(title, "%s, against", t->title);
  for (size_t i = 0; status == 0 && i < s->naxes; i++) {
    yaml_node_t *value = yaml_get(&s->file, t->against, s->axes[i].name);
    const char *text = NULL;
    status = value != NULL ? yaml_text(&s->file, value, "against", &text, err) : 0;
    if (text != NULL)
      fprintf(title, " %s", text);
  }
  if (title != NULL && fclose(title) != 0 && status == 0)
    status = tandem_fail(err, -ENOMEM, "out of memory");
  t->title = t->made;
  return status;
}

static int read_table(struct experiment_suite *s, yaml_node_t *map, struct experiment_table *t,
                      struct tandem_error *err) {
  static const char *const keys[] = {"title", "text", "rows",     "columns",   "where",  "value",
                                     "of",    "form", "decimals", "published", "source", "mean",
                                     "plot",  "each", "against",  NULL};
  static const char *const means[] = {"none", "arithmetic", "geometric", NULL};
  static const char *const parts[] = {"run", "kernel", NULL};
  unsigned which = 0;
  int status = yaml_map(&s->file, map, "a table", keys, err);
  if (status != 0)
    return status;
  yaml_node_t *rows = yaml_get(&s->file, map, "rows"), *mean = yaml_get(&s->file, map, "mean"),
              *each = yaml_get(&s->file, map, "each");
  t->title = s->title;
  t->text = "";
  t->where = yaml_get(&s->file, map, "where");
  if (rows == NULL)
    return yaml_fail(&s->file, map, err, "a table needs rows: an axis");
  status = read_axis(s, rows, "rows", &t->rows, err);
  if (status == 0 && each != NULL)
    status = yaml_choice(&s->file, each, "each", parts, &which, err);
  t->kernels = which == 1;
  which = 0;
  if (status == 0)
    status = read_text(s, map, "title", &t->title, err);
  if (status == 0)
    status = read_text(s, map, "text", &t->text, err);
  if (status == 0)
    status = experiment_check_selection(s, t->where, err);
  if (status == 0 && t->against != NULL)
    status = name_control(s, t, err);
  if (status == 0)
    status = read_columns(s, t, map, err);
  if (status == 0 && mean != NULL)
    status = yaml_choice(&s->file, mean, "mean", means, &which, err);
  t->mean = (enum experiment_mean)which;
  if (status == 0)
    status = read_plot(s, t, yaml_get(&s->file, map, "plot"), err);
  return status == 0 ? check_cells(s, t, map, err) : status;
}

int experiment_read_tables(struct experiment_suite *s, yaml_node_t *list,
                           struct tandem_error *err) {
  if (list == NULL)
    return 0;
  int status = yaml_list(&s->file, list, "tables", err);
  const size_t n = status == 0 ? yaml_count(list) : 0;
  size_t all = 0;
  for (size_t i = 0; status == 0 && i < n; i++) {
    yaml_node_t *against = yaml_get(&s->file, yaml_item(&s->file, list, i), "against");
    status = against != NULL ? yaml_list(&s->file, against, "against", err) : 0;
    all += status == 0 && against != NULL ? yaml_count(against) : 1;
  }
  if (status != 0)
    return status;
  s->tables = calloc(all + 1, sizeof *s->tables);
  if (s->tables == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; status == 0 && i < n; i++) {
    yaml_node_t *map = yaml_item(&s->file, list, i), *against = yaml_get(&s->file, map, "against");
    const size_t controls = against != NULL ? yaml_count(against) : 1;
    for (size_t k = 0; status == 0 && k < controls; k++) {
      struct experiment_table *t = &s->tables[s->ntables++];
      t->against = against != NULL ? yaml_item(&s->file, against, k) : NULL;
      status = read_table(s, map, t, err);
    }
  }
  return status;
}
