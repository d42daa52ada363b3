/* Settings of runs: launch description, GPU description, engine, time limit, parameters, keys. */
#include <errno.h>
#include <string.h>

#include "csim/util/expression.h"
#include "harness/experiment/suite_local.h"
#include "harness/tandem.h"

const char *const experiment_setting_keys[] = {"launch", "config", "engine", "timeout",
                                               "params", "set",    NULL};

/* Puts a pair, in the place of one of the same name. */
static bool put_pair(struct experiment_pairs *to, struct experiment_pair pair) {
  for (size_t i = 0; i < to->n; i++)
    if (strcmp(to->at[i].name, pair.name) == 0) {
      to->at[i] = pair;
      return true;
    }
  if (to->n == EXPERIMENT_PAIRS)
    return false;
  to->at[to->n++] = pair;
  return true;
}

void experiment_add(struct experiment_settings *to, const struct experiment_settings *part) {
  if (part->launch != NULL)
    to->launch = part->launch;
  if (part->config != NULL)
    to->config = part->config;
  if (part->engine != NULL)
    to->engine = part->engine;
  if (part->timeout_s > 0)
    to->timeout_s = part->timeout_s;
  for (size_t i = 0; i < part->params.n; i++)
    (void)put_pair(&to->params, part->params.at[i]);
  for (size_t i = 0; i < part->set.n; i++)
    (void)put_pair(&to->set, part->set.at[i]);
}

/* Tries a value of a key in a new configuration: 0, -EINVAL or -ENOMEM. */
static int try_key(const char *key, const char *value, struct tandem_error *err) {
  struct tandem_config *c = tandem_config_create();
  if (c == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  const bool good = tandem_config_set(c, key, value, err) == TANDEM_OK;
  tandem_config_destroy(c);
  return good ? 0 : -EINVAL;
}

static int check_key(struct experiment_suite *s, yaml_node_t *at, const char *key,
                     const char *value, struct tandem_error *err) {
  struct tandem_error why;
  return try_key(key, value, &why) == 0 ? 0 : yaml_fail(&s->file, at, err, "%s", why.text);
}

/* Returns true if a value of an axis of `matrix` names the run's engine. */
static bool names_engine(const struct experiment_suite *s, const struct experiment_run *run) {
  for (size_t i = 1; i < s->naxes; i++)
    for (size_t k = 0; run->at[i] != NULL && k < s->axes[i].n; k++)
      if (strcmp(s->axes[i].values[k].name, run->at[i]) == 0 &&
          s->axes[i].values[k].settings.engine != NULL)
        return true;
  return false;
}

int experiment_engine(struct experiment_suite *s, const char *engine, struct tandem_error *err) {
  int status = try_key("run.engine", engine, err);
  for (size_t i = 0; status == 0 && i < s->nruns; i++)
    if (!names_engine(s, &s->runs[i]))
      s->runs[i].settings.engine = engine;
  return status;
}

static int check_parameter(struct experiment_suite *s, yaml_node_t *at, const char *name,
                           const char *value, struct tandem_error *err) {
  struct tandem_error why;
  int64_t v;
  (void)name;
  return expression_whole(value, NULL, &v, &why) == 0
             ? 0
             : yaml_fail(&s->file, at, err, "%s", why.text);
}

static int read_pairs(struct experiment_suite *s, yaml_node_t *map, const char *what,
                      int (*check)(struct experiment_suite *, yaml_node_t *, const char *,
                                   const char *, struct tandem_error *),
                      struct experiment_pairs *to, struct tandem_error *err) {
  if (map->type != YAML_MAPPING_NODE)
    return yaml_fail(&s->file, map, err, "%s must be a mapping (name: value)", what);
  for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
    yaml_node_t *key = yaml_document_get_node(&s->file.document, p->key),
                *node = yaml_document_get_node(&s->file.document, p->value);
    struct experiment_pair pair;
    int status = yaml_text(&s->file, key, "a name", &pair.name, err);
    if (status == 0)
      status = yaml_text(&s->file, node, pair.name, &pair.value, err);
    if (status == 0)
      status = check(s, node, pair.name, pair.value, err);
    if (status == 0 && !put_pair(to, pair))
      status = yaml_fail(&s->file, key, err, "%s has more than %d names", what, EXPERIMENT_PAIRS);
    if (status != 0)
      return status;
  }
  return 0;
}

int experiment_settings(struct experiment_suite *s, yaml_node_t *map,
                        struct experiment_settings *to, struct tandem_error *err) {
  struct yaml_file *f = &s->file;
  const char *text;
  int status = 0;
  to->engine = NULL;
  to->launch = yaml_get(f, map, "launch");
  to->config = yaml_get(f, map, "config");
  yaml_node_t *engine = yaml_get(f, map, "engine"), *timeout = yaml_get(f, map, "timeout"),
              *params = yaml_get(f, map, "params"), *set = yaml_get(f, map, "set");
  if (to->launch != NULL)
    status = yaml_text(f, to->launch, "launch", &text, err);
  if (status == 0 && to->config != NULL)
    status = yaml_text(f, to->config, "config", &text, err);
  if (status == 0 && engine != NULL)
    status = yaml_text(f, engine, "engine", &to->engine, err);
  if (status == 0 && engine != NULL)
    status = check_key(s, engine, "run.engine", to->engine, err);
  if (status == 0 && timeout != NULL) {
    status = yaml_real(f, timeout, "timeout (seconds)", &to->timeout_s, err);
    if (status == 0 && !(to->timeout_s > 0))
      status = yaml_fail(f, timeout, err, "timeout (seconds) must be more than 0");
  }
  if (status == 0 && params != NULL)
    status = read_pairs(s, params, "params", check_parameter, &to->params, err);
  if (status == 0 && set != NULL)
    status = read_pairs(s, set, "set", check_key, &to->set, err);
  return status;
}
