/* Reading a suite: its axes, then its runs and tables. */
#include "harness/experiment/suite_local.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/expression.h"

struct experiment_value *suite_add_value(struct suite_reader *r, struct experiment_axis *axis,
                                         const yaml_node_t *at, const char *name) {
  struct experiment_value *v = &axis->values[axis->n];
  if (*name == '\0' || strpbrk(name, "/\n") != NULL)
    suite_fail(r, at, "\"%s\" cannot name a value: no \"/\" or line's end", name);
  axis->names[axis->n] = (struct name){name, axis->n};
  v->name = name;
  v->at = at;
  v->settings.kind = v->settings.expects_failure = -1;
  axis->n++;
  return v;
}

/* Adds a value with settings to an axis, whose room is enough. */
static void add_value(struct suite_reader *r, struct experiment_axis *axis, const yaml_node_t *at,
                      const char *name, yaml_node_t *settings) {
  if (r->status == 0)
    experiment_settings(r, settings, &suite_add_value(r, axis, at, name)->settings);
}

struct experiment_axis *suite_add_axis(struct suite_reader *r, const char *name, size_t n) {
  struct experiment_axis *axis = &r->s->axes[r->s->naxes++];
  axis->name = name;
  axis->values = suite_room(r, n, sizeof *axis->values);
  axis->names = suite_room(r, n, sizeof *axis->names);
  return axis;
}

void suite_end_axis(struct suite_reader *r, struct experiment_axis *axis) {
  if (r->status != 0)
    return;
  names_sort(axis->names, axis->n);
  const size_t twice = names_twice(axis->names, axis->n);
  if (twice != SIZE_MAX)
    suite_fail(r, axis->values[twice].at, "\"%s\" is there twice in %s", axis->values[twice].name,
               axis->name);
}

/* The axis "run": a list of mappings, each with a name. */
static void read_runs(struct suite_reader *r, yaml_node_t *list) {
  const char *keys[SETTING_KEYS] = {"name", "over", "random", "random_cl"};
  size_t nkeys = 4;
  for (size_t i = 0; experiment_setting_keys[i] != NULL; i++)
    keys[nkeys++] = experiment_setting_keys[i];
  const size_t n = suite_count(r, list, "runs");
  struct experiment_axis *axis = suite_add_axis(r, "run", n);
  if (n == 0)
    suite_fail(r, list, "there are no runs");
  for (size_t i = 0; r->status == 0 && i < n; i++) {
    yaml_node_t *item = yaml_item(&r->s->file, list, i);
    const char *name = "";
    suite_keys(r, item, "a run", keys);
    yaml_node_t *at = suite_get(r, item, "name");
    if (at == NULL)
      suite_fail(r, item, "a run needs a name");
    suite_text(r, item, "name", &name);
    add_value(r, axis, at, name, item);
  }
  suite_end_axis(r, axis);
}

/* The name of a new axis. */
static const char *axis_name(struct suite_reader *r, yaml_node_t *key) {
  const char *name = suite_word(r, key, "an axis");
  for (size_t i = 0; experiment_setting_keys[i] != NULL; i++)
    if (strcmp(name, experiment_setting_keys[i]) == 0)
      suite_fail(r, key, "\"%s\" is a setting and cannot name an axis", name);
  if (experiment_axis(r->s, name) != EXPERIMENT_AXES)
    suite_fail(r, key, "axis \"%s\" is there twice (\"run\" are the runs)", name);
  if (r->s->naxes == EXPERIMENT_AXES)
    suite_fail(r, key, "there are more than %d axes", EXPERIMENT_AXES - 1);
  return name;
}

/* Values of an axis: a mapping from each to its settings. */
static void read_axis(struct suite_reader *r, yaml_node_t *key, yaml_node_t *map) {
  const char *name = axis_name(r, key);
  if (map->type != YAML_MAPPING_NODE)
    suite_fail(r, map, "axis %s must be a mapping (value: settings)", name);
  if (r->status != 0)
    return;
  yaml_node_pair_t *first = map->data.mapping.pairs.start, *end = map->data.mapping.pairs.top;
  struct experiment_axis *axis = suite_add_axis(r, name, (size_t)(end - first));
  if (first == end)
    suite_fail(r, map, "axis %s has no values", name);
  for (yaml_node_pair_t *p = first; r->status == 0 && p < end; p++) {
    yaml_node_t *at = yaml_document_get_node(&r->s->file.document, p->key),
                *settings = yaml_document_get_node(&r->s->file.document, p->value);
    const char *value = suite_word(r, at, "a value of an axis");
    suite_keys(r, settings, value, experiment_setting_keys);
    add_value(r, axis, at, value, settings);
  }
  suite_end_axis(r, axis);
}

static void read_matrix(struct suite_reader *r, yaml_node_t *map) {
  if (map == NULL)
    return;
  if (map->type != YAML_MAPPING_NODE)
    suite_fail(r, map, "matrix must be a mapping (axis: values)");
  for (yaml_node_pair_t *p = map->data.mapping.pairs.start;
       r->status == 0 && p < map->data.mapping.pairs.top; p++)
    read_axis(r, yaml_document_get_node(&r->s->file.document, p->key),
              yaml_document_get_node(&r->s->file.document, p->value));
}

/* columns: "all", or a list of paths. */
static void read_columns(struct suite_reader *r, yaml_node_t *node) {
  r->s->columns = node;
  if (node == NULL || r->status != 0)
    return;
  if (node->type != YAML_SEQUENCE_NODE) {
    if (strcmp(suite_word(r, node, "columns"), "all") != 0)
      suite_fail(r, node, "columns must be all or a list of paths");
    return;
  }
  for (size_t i = 0; r->status == 0 && i < yaml_count(node); i++) {
    yaml_node_t *item = yaml_item(&r->s->file, node, i);
    const char *text = suite_word(r, item, "a column");
    if (!expression_is_name(text))
      suite_fail(r, item, "\"%s\" is not a path, as memory.dram.reads", text);
  }
}

static void read_suite(struct suite_reader *r) {
  static const char *const keys[] = {"title",  "text",    "defaults", "runs",
                                     "matrix", "exclude", "include",  "columns",
                                     "tables", "goldens", NULL};
  yaml_node_t *root = yaml_root(&r->s->file);
  struct experiment_settings defaults = {.kind = -1, .expects_failure = -1};
  if (root == NULL) {
    suite_fail(r, NULL, "the suite is empty");
    return;
  }
  suite_keys(r, root, "the suite", keys);
  r->s->title = r->s->name;
  r->s->text = "";
  suite_text(r, root, "title", &r->s->title);
  suite_text(r, root, "text", &r->s->text);
  yaml_node_t *common = suite_get(r, root, "defaults"), *runs = suite_get(r, root, "runs");
  if (common != NULL)
    suite_keys(r, common, "defaults", experiment_setting_keys);
  if (common != NULL)
    experiment_settings(r, common, &defaults);
  if (runs == NULL)
    suite_fail(r, root, "a suite needs runs");
  read_runs(r, runs);
  read_matrix(r, suite_get(r, root, "matrix"));
  experiment_read_seeds(r);
  experiment_make_runs(r, &defaults);
  read_columns(r, suite_get(r, root, "columns"));
  experiment_read_tables(r, suite_get(r, root, "tables"));
}

int experiment_open(struct experiment_suite *s, const char *path,
                    const struct experiment_seeds *fresh, struct tandem_error *err) {
  memset(s, 0, sizeof *s);
  if (fresh != NULL)
    s->fresh = *fresh;
  const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  s->folder = strndup(path, (size_t)(name - path));
  s->name = strndup(name, dot != NULL ? (size_t)(dot - name) : strlen(name));
  struct suite_reader r = {s, err, 0};
  r.status = s->folder == NULL || s->name == NULL ? tandem_fail(err, -ENOMEM, "out of memory")
                                                  : yaml_open(&s->file, path, err);
  if (r.status == 0)
    read_suite(&r);
  if (r.status != 0)
    experiment_close(s);
  return r.status;
}

void experiment_close(struct experiment_suite *s) {
  for (size_t i = 0; i < s->naxes; i++) {
    free(s->axes[i].values);
    free(s->axes[i].names);
  }
  for (size_t i = 0; i < s->nruns; i++) {
    free(s->runs[i].name);
    free(s->runs[i].launch);
    free(s->runs[i].config);
    free(s->runs[i].base);
  }
  for (size_t i = 0; i < s->ntables; i++) {
    free(s->tables[i].columns);
    free(s->tables[i].plot.points);
    free(s->tables[i].made);
  }
  free(s->seeds);
  free(s->runs);
  free(s->order);
  free(s->tables);
  free(s->name);
  free(s->folder);
  yaml_close(&s->file);
  memset(s, 0, sizeof *s);
}
