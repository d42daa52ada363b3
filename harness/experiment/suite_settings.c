/* Settings of runs: launch description, GPU description, engine, time limit, parameters, keys. */
#include <errno.h>
#include <string.h>

#include "csim/util/expression.h"
#include "harness/experiment/suite_local.h"
#include "harness/job/inputs.h"
#include "harness/tandem.h"

const char *const experiment_setting_keys[] = {"launch", "kernel",  "grid",   "block",   "args",
                                               "base",   "config",  "engine", "timeout", "memory",
                                               "params", "set",     "unit",   "mutants", "fault",
                                               "expect", "because", "place",  NULL};

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

/* The run that a part names is in the place of one of another kind. */
static void add_kind(struct experiment_settings *to, const struct experiment_settings *part) {
  if (part->kind >= 0) {
    to->kind = part->kind;
    to->special = part->special;
  }
  if (part->seed != NULL)
    to->seed = part->seed;
  if (part->expects_failure >= 0) {
    to->expects_failure = part->expects_failure;
    to->because = part->because;
    to->place = part->place;
  }
}

void experiment_add(struct experiment_settings *to, const struct experiment_settings *part) {
  add_kind(to, part);
  if (part->launch != NULL)
    to->launch = part->launch;
  if (part->kernel != NULL)
    to->kernel = part->kernel;
  if (part->grid != NULL)
    to->grid = part->grid;
  if (part->block != NULL)
    to->block = part->block;
  if (part->nargs != 0) {
    memcpy(to->args, part->args, sizeof to->args);
    to->nargs = part->nargs;
  }
  if (part->base != NULL)
    to->base = part->base;
  if (part->config != NULL)
    to->config = part->config;
  if (part->engine != NULL)
    to->engine = part->engine;
  if (part->timeout_s > 0)
    to->timeout_s = part->timeout_s;
  if (part->memory_most != 0)
    to->memory_most = part->memory_most;
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

static void check_key(struct suite_reader *r, yaml_node_t *at, const char *key, const char *value) {
  struct tandem_error why;
  if (r->status == 0 && try_key(key, value, &why) != 0)
    suite_fail(r, at, "%s", why.text);
}

/* Returns true if a value of an axis of `matrix` names the run's engine. */
static bool names_engine(const struct experiment_suite *s, const struct experiment_run *run) {
  for (size_t i = 1; i < s->naxes; i++)
    if (run->at[i] != NULL && run->at[i]->settings.engine != NULL)
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

/* A GPU that Tandem knows; a path is looked at when the runs get their keys. */
static void check_base(struct suite_reader *r, yaml_node_t *node) {
  const char *gpu = suite_word(r, node, "base");
  struct tandem_error why = {{0}};
  struct tandem_config *c = r->status == 0 && !config_is_path(gpu) ? tandem_config_create() : NULL;
  if (c != NULL && tandem_config_gpu(c, gpu, &why) != TANDEM_OK)
    suite_fail(r, node, "%s", why.text);
  tandem_config_destroy(c);
}

static void check_parameter(struct suite_reader *r, yaml_node_t *at, const char *name,
                            const char *value) {
  struct tandem_error why;
  int64_t v;
  (void)name;
  if (r->status == 0 && expression_whole(value, NULL, &v, &why) != 0)
    suite_fail(r, at, "%s", why.text);
}

static void read_pairs(struct suite_reader *r, yaml_node_t *map, const char *what,
                       void (*check)(struct suite_reader *, yaml_node_t *, const char *,
                                     const char *),
                       struct experiment_pairs *to) {
  if (map == NULL)
    return;
  if (map->type != YAML_MAPPING_NODE)
    suite_fail(r, map, "%s must be a mapping (name: value)", what);
  for (yaml_node_pair_t *p = map->data.mapping.pairs.start;
       r->status == 0 && p < map->data.mapping.pairs.top; p++) {
    yaml_node_t *key = yaml_document_get_node(&r->s->file.document, p->key),
                *node = yaml_document_get_node(&r->s->file.document, p->value);
    const char *name = suite_word(r, key, "a name"), *value = suite_word(r, node, name);
    check(r, node, name, value);
    if (r->status == 0 && !put_pair(to, (struct experiment_pair){name, value}))
      suite_fail(r, key, "%s has more than %d names", what, EXPERIMENT_PAIRS);
  }
}

/* Arguments of a program's launch.  Data of a file are for a launch description: a result would not
 * know of a change of them. */
static void read_args(struct suite_reader *r, yaml_node_t *list, struct experiment_settings *to) {
  static const char *const fills[] = {"", ":zero", ":range", ":random"};
  const size_t n = suite_count(r, list, "args");
  if (n > EXPERIMENT_ARGS)
    suite_fail(r, list, "there are more than %d args", EXPERIMENT_ARGS);
  for (size_t i = 0; r->status == 0 && i < n; i++) {
    yaml_node_t *item = yaml_item(&r->s->file, list, i);
    const char *text = suite_word(r, item, "an argument");
    bool good = strchr(text, ':') != NULL;
    if (strncmp(text, "buffer:", 7) == 0) {
      const char *count = strchr(text + 7, ':');
      const char *fill = count != NULL ? count + 1 + strspn(count + 1, "0123456789") : "?";
      good = false;
      for (size_t k = 0; k < sizeof fills / sizeof fills[0]; k++)
        good = good || strcmp(fill, fills[k]) == 0;
    }
    if (!good)
      suite_fail(r, item,
                 "\"%s\" is no argument: TYPE:VALUE, local:BYTES or "
                 "buffer:TYPE:COUNT[:zero|range|random]",
                 text);
    to->args[to->nargs++] = text;
  }
}

/* The launch of a run: what, and with which arguments. */
static void read_launch(struct suite_reader *r, yaml_node_t *map, struct experiment_settings *to) {
  to->launch = suite_get(r, map, "launch");
  yaml_node_t *args = suite_get(r, map, "args");
  if (to->launch != NULL) {
    to->kind = EXPERIMENT_LAUNCH;
    (void)suite_word(r, to->launch, "launch");
  }
  suite_text(r, map, "kernel", &to->kernel);
  suite_text(r, map, "grid", &to->grid);
  suite_text(r, map, "block", &to->block);
  if (args != NULL)
    read_args(r, args, to);
}

/* The limits of a run. */
static void read_limits(struct suite_reader *r, yaml_node_t *map, struct experiment_settings *to) {
  yaml_node_t *timeout = suite_get(r, map, "timeout"), *memory = suite_get(r, map, "memory");
  if (timeout != NULL) {
    to->timeout_s = suite_real(r, timeout, "timeout (seconds)");
    if (!(to->timeout_s > 0))
      suite_fail(r, timeout, "timeout (seconds) must be more than 0");
  }
  if (memory != NULL) {
    const double mb = suite_real(r, memory, "memory (MB)");
    if (!(mb >= 1 && mb <= 1e9))
      suite_fail(r, memory, "memory (MB) must be 1 to 1e9");
    else
      to->memory_most = (uint64_t)(mb * 1e6);
  }
}

void experiment_settings(struct suite_reader *r, yaml_node_t *map, struct experiment_settings *to) {
  yaml_node_t *engine = suite_get(r, map, "engine");
  to->kind = to->expects_failure = -1;
  to->engine = NULL;
  read_launch(r, map, to);
  experiment_read_kind(r, map, to);
  to->base = suite_get(r, map, "base");
  to->config = suite_get(r, map, "config");
  if (to->base != NULL)
    check_base(r, to->base);
  if (to->config != NULL)
    (void)suite_word(r, to->config, "config");
  if (engine != NULL) {
    to->engine = suite_word(r, engine, "engine");
    check_key(r, engine, "run.engine", to->engine);
  }
  read_limits(r, map, to);
  read_pairs(r, suite_get(r, map, "params"), "params", check_parameter, &to->params);
  read_pairs(r, suite_get(r, map, "set"), "set", check_key, &to->set);
}
