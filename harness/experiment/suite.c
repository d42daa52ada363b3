/* Reading a suite: its axes, then its runs and tables. */
#include "harness/experiment/suite_local.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/expression.h"

size_t experiment_axis(const struct experiment_suite *s, const char *name) {
  for (size_t i = 0; i < s->naxes; i++)
    if (strcmp(s->axes[i].name, name) == 0)
      return i;
  return EXPERIMENT_AXES;
}

static int add_value(struct experiment_suite *s, struct experiment_axis *axis,
                     const yaml_node_t *at, const char *name, yaml_node_t *settings,
                     struct tandem_error *err) {
  struct experiment_value *v = &axis->values[axis->n];
  if (*name == '\0' || strpbrk(name, "/\n") != NULL)
    return yaml_fail(&s->file, at, err, "\"%s\" cannot name a value: no \"/\" or line's end", name);
  for (size_t i = 0; i < axis->n; i++)
    if (strcmp(axis->values[i].name, name) == 0)
      return yaml_fail(&s->file, at, err, "\"%s\" is there twice in %s", name, axis->name);
  v->name = name;
  axis->n++;
  return settings != NULL ? experiment_settings(s, settings, &v->settings, err) : 0;
}

/* The axis "run": a list of mappings, each with a name. */
static int read_runs(struct experiment_suite *s, yaml_node_t *list, struct tandem_error *err) {
  static const char *const keys[] = {"name",    "over",   "launch", "config", "engine",
                                     "timeout", "params", "set",    NULL};
  struct experiment_axis *axis = &s->axes[s->naxes++];
  int status = yaml_list(&s->file, list, "runs", err);
  const size_t n = status == 0 ? yaml_count(list) : 0;
  axis->name = "run";
  axis->values = calloc(n + 1, sizeof *axis->values);
  if (axis->values == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  if (status == 0 && n == 0)
    status = yaml_fail(&s->file, list, err, "there are no runs");
  for (size_t i = 0; status == 0 && i < n; i++) {
    yaml_node_t *item = yaml_item(&s->file, list, i);
    const char *name = NULL;
    status = yaml_map(&s->file, item, "a run", keys, err);
    yaml_node_t *at = status == 0 ? yaml_get(&s->file, item, "name") : NULL;
    if (status == 0 && at == NULL)
      status = yaml_fail(&s->file, item, err, "a run needs a name");
    if (status == 0)
      status = yaml_text(&s->file, at, "name", &name, err);
    if (status == 0)
      status = add_value(s, axis, at, name, item, err);
  }
  return status;
}

/* Values of an axis: a mapping from each to its settings. */
static int read_axis(struct experiment_suite *s, const yaml_node_t *key, yaml_node_t *map,
                     struct tandem_error *err) {
  const char *name;
  int status = yaml_text(&s->file, key, "an axis", &name, err);
  if (status != 0)
    return status;
  for (size_t i = 0; experiment_setting_keys[i] != NULL; i++)
    if (strcmp(name, experiment_setting_keys[i]) == 0)
      return yaml_fail(&s->file, key, err, "\"%s\" is a setting and cannot name an axis", name);
  if (experiment_axis(s, name) != EXPERIMENT_AXES)
    return yaml_fail(&s->file, key, err, "axis \"%s\" is there twice (\"run\" are the runs)", name);
  if (s->naxes == EXPERIMENT_AXES)
    return yaml_fail(&s->file, key, err, "there are more than %d axes", EXPERIMENT_AXES - 1);
  if (map->type != YAML_MAPPING_NODE)
    return yaml_fail(&s->file, map, err, "axis %s must be a mapping (value: settings)", name);
  struct experiment_axis *axis = &s->axes[s->naxes++];
  yaml_node_pair_t *first = map->data.mapping.pairs.start, *end = map->data.mapping.pairs.top;
  axis->name = name;
  axis->values = calloc((size_t)(end - first) + 1, sizeof *axis->values);
  if (axis->values == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  if (first == end)
    return yaml_fail(&s->file, map, err, "axis %s has no values", name);
  for (yaml_node_pair_t *p = first; status == 0 && p < end; p++) {
    yaml_node_t *at = yaml_document_get_node(&s->file.document, p->key),
                *settings = yaml_document_get_node(&s->file.document, p->value);
    const char *value;
    status = yaml_text(&s->file, at, "a value of an axis", &value, err);
    if (status == 0)
      status = yaml_map(&s->file, settings, value, experiment_setting_keys, err);
    if (status == 0)
      status = add_value(s, axis, at, value, settings, err);
  }
  return status;
}

static int read_matrix(struct experiment_suite *s, yaml_node_t *map, struct tandem_error *err) {
  int status = 0;
  if (map == NULL)
    return 0;
  if (map->type != YAML_MAPPING_NODE)
    return yaml_fail(&s->file, map, err, "matrix must be a mapping (axis: values)");
  for (yaml_node_pair_t *p = map->data.mapping.pairs.start;
       status == 0 && p < map->data.mapping.pairs.top; p++)
    status = read_axis(s, yaml_document_get_node(&s->file.document, p->key),
                       yaml_document_get_node(&s->file.document, p->value), err);
  return status;
}

/* columns: "all", or a list of paths. */
static int read_columns(struct experiment_suite *s, yaml_node_t *node, struct tandem_error *err) {
  const char *text;
  int status = 0;
  s->columns = node;
  if (node == NULL)
    return 0;
  if (node->type == YAML_SEQUENCE_NODE) {
    for (size_t i = 0; status == 0 && i < yaml_count(node); i++) {
      yaml_node_t *item = yaml_item(&s->file, node, i);
      status = yaml_text(&s->file, item, "a column", &text, err);
      if (status == 0 && !expression_is_name(text))
        status = yaml_fail(&s->file, item, err, "\"%s\" is not a path, as memory.dram.reads", text);
    }
    return status;
  }
  status = yaml_text(&s->file, node, "columns", &text, err);
  if (status == 0 && strcmp(text, "all") != 0)
    status = yaml_fail(&s->file, node, err, "columns must be all or a list of paths");
  return status;
}

static int read_text(struct experiment_suite *s, yaml_node_t *root, const char *key,
                     const char **text, struct tandem_error *err) {
  yaml_node_t *node = yaml_get(&s->file, root, key);
  return node != NULL ? yaml_text(&s->file, node, key, text, err) : 0;
}

static int read_suite(struct experiment_suite *s, struct tandem_error *err) {
  static const char *const keys[] = {"title",   "text",    "defaults", "runs",   "matrix",
                                     "exclude", "include", "columns",  "tables", NULL};
  yaml_node_t *root = yaml_root(&s->file);
  struct experiment_settings defaults = {0};
  if (root == NULL)
    return yaml_fail(&s->file, NULL, err, "the suite is empty");
  int status = yaml_map(&s->file, root, "the suite", keys, err);
  if (status != 0)
    return status;
  yaml_node_t *common = yaml_get(&s->file, root, "defaults"),
              *runs = yaml_get(&s->file, root, "runs");
  s->title = s->name;
  s->text = "";
  status = read_text(s, root, "title", &s->title, err);
  if (status == 0)
    status = read_text(s, root, "text", &s->text, err);
  if (status == 0 && common != NULL)
    status = yaml_map(&s->file, common, "defaults", experiment_setting_keys, err);
  if (status == 0 && common != NULL)
    status = experiment_settings(s, common, &defaults, err);
  if (status == 0 && runs == NULL)
    status = yaml_fail(&s->file, root, err, "a suite needs runs");
  if (status == 0)
    status = read_runs(s, runs, err);
  if (status == 0)
    status = read_matrix(s, yaml_get(&s->file, root, "matrix"), err);
  if (status == 0)
    status = experiment_make_runs(s, &defaults, err);
  if (status == 0)
    status = read_columns(s, yaml_get(&s->file, root, "columns"), err);
  if (status == 0)
    status = experiment_read_tables(s, yaml_get(&s->file, root, "tables"), err);
  return status;
}

int experiment_open(struct experiment_suite *s, const char *path, struct tandem_error *err) {
  memset(s, 0, sizeof *s);
  const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  s->folder = strndup(path, (size_t)(name - path));
  s->name = strndup(name, dot != NULL ? (size_t)(dot - name) : strlen(name));
  int status = s->folder == NULL || s->name == NULL ? tandem_fail(err, -ENOMEM, "out of memory")
                                                    : yaml_open(&s->file, path, err);
  if (status == 0)
    status = read_suite(s, err);
  if (status != 0)
    experiment_close(s);
  return status;
}

void experiment_close(struct experiment_suite *s) {
  for (size_t i = 0; i < s->naxes; i++)
    free(s->axes[i].values);
  for (size_t i = 0; i < s->nruns; i++) {
    free(s->runs[i].name);
    free(s->runs[i].launch);
    free(s->runs[i].config);
  }
  for (size_t i = 0; i < s->ntables; i++) {
    free(s->tables[i].columns);
    free(s->tables[i].made);
  }
  free(s->runs);
  free(s->tables);
  free(s->name);
  free(s->folder);
  yaml_close(&s->file);
  memset(s, 0, sizeof *s);
}
