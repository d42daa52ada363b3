/* Variables of a feature, and the numbers of designs.yaml that are reckoned from them. */
#include "synth/input/features.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "csim/util/expression.h"

static int variable_value(void *user, const char *name, union expression_value *value,
                          struct tandem_error *err) {
  const struct synth_variables *v = user;
  for (size_t i = 0; i < v->n; i++)
    if (strcmp(v->all[i].name, name) == 0) {
      value->whole = v->all[i].value;
      return 0;
    }
  return tandem_fail(err, -EINVAL, "there is no parameter \"%s\"", name);
}

int synth_number_read(struct yaml_file *f, yaml_node_t *node, const char *what,
                      const struct synth_variables *v, int64_t least, int64_t most, int64_t *to,
                      struct tandem_error *err) {
  struct synth_variables all = v != NULL ? *v : (struct synth_variables){NULL, 0};
  const struct expression_names names = {variable_value, &all};
  struct tandem_error why;
  const char *text;
  const int status = yaml_text(f, node, what, &text, err);
  if (status != 0)
    return status;
  if (expression_whole(text, &names, to, &why) != 0)
    return yaml_fail(f, node, err, "%s: %.400s", what, why.text);
  if (*to < least || *to > most)
    return yaml_fail(f, node, err, "%s is %" PRId64 ", not from %" PRId64 " to %" PRId64, what, *to,
                     least, most);
  return 0;
}

yaml_node_t *synth_pair(struct yaml_file *f, const yaml_node_pair_t *p, const char **name,
                        struct tandem_error *err) {
  yaml_node_t *value = yaml_document_get_node(&f->document, p->value);
  return yaml_text(f, yaml_document_get_node(&f->document, p->key), "a name", name, err) == 0
             ? value
             : NULL;
}

int synth_pairs(struct yaml_file *f, yaml_node_t *map, const char *what, yaml_node_pair_t **pairs,
                struct tandem_error *err) {
  if (map == NULL)
    return 0;
  if (map->type != YAML_MAPPING_NODE)
    return yaml_fail(f, map, err, "%s: names and values are expected", what);
  *pairs = map->data.mapping.pairs.start;
  return (int)(map->data.mapping.pairs.top - *pairs);
}

static const char *setting_of(const struct synth_feature *to, const struct synth_setting *s,
                              const char *name) {
  const size_t length = strlen(name);
  const char *found = NULL;
  for (size_t i = 0; s->feature != NULL && strcmp(s->feature, to->name) == 0 && i < s->n; i++)
    if (strncmp(s->values[i], name, length) == 0 && s->values[i][length] == '=')
      found = s->values[i] + length + 1;
  return found;
}

static int setting_read(const char *text, struct synth_variable *v, struct tandem_error *err) {
  struct tandem_error why;
  if (expression_whole(text, NULL, &v->value, &why) != 0)
    return tandem_fail(err, -EINVAL, "--param %s: %.400s", v->name, why.text);
  if (v->value < 1 || v->value > v->most)
    return tandem_fail(err, -EINVAL, "--param %s is %" PRId64 ", not from 1 to %" PRId64, v->name,
                       v->value, v->most);
  return 0;
}

int synth_variables_follow(struct synth_variable *v, size_t n, struct tandem_error *err) {
  for (size_t i = 0; i < n; i++) {
    struct synth_variables before = {v, i};
    const struct expression_names names = {variable_value, &before};
    const bool follows = v[i].is[0] != '\0';
    const int status = follows ? expression_whole(v[i].is, &names, &v[i].value, err) : 0;
    if (status != 0)
      return status;
    if (v[i].value > v[i].most) {
      (void)tandem_fail(err, -EINVAL, "%s is %" PRId64 "%s%s, and may be %" PRId64 " at most",
                        v[i].name, v[i].value, follows ? " = " : "", v[i].is, v[i].most);
      return 1;
    }
  }
  return 0;
}

static int variable_read(struct yaml_file *f, yaml_node_t *node, const char *name,
                         struct synth_variable *v, struct tandem_error *err) {
  static const char *const keys[] = {"value", "is", "most", NULL};
  int64_t most = UINT32_MAX;
  if (snprintf(v->name, sizeof v->name, "%s", name) >= (int)sizeof v->name)
    return yaml_fail(f, node, err, "%s is too long", name);
  int status = yaml_map(f, node, "a parameter", keys, err);
  if (status == 0 && (yaml_get(f, node, "value") == NULL) == (yaml_get(f, node, "is") == NULL))
    return yaml_fail(f, node, err, "%s must have either a value or what it is", name);
  if (status == 0 && yaml_get(f, node, "most") != NULL)
    status =
        synth_number_read(f, yaml_get(f, node, "most"), "most", NULL, 1, UINT32_MAX, &most, err);
  v->most = most;
  if (status == 0 && yaml_get(f, node, "is") != NULL)
    return synth_text_read(f, node, "is", v->is, sizeof v->is, err);
  return status == 0
             ? synth_number_read(f, yaml_get(f, node, "value"), name, NULL, 1, most, &v->value, err)
             : status;
}

/* Checks that all settings are of variables that may be chosen. */
static int settings_check(const struct synth_feature *to, const struct synth_setting *s,
                          struct tandem_error *err) {
  char names[512] = "";
  size_t n = 0;
  for (size_t i = 0; i < to->nvariables && n < sizeof names; i++)
    if (to->variables[i].is[0] == '\0')
      n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", n > 0 ? ", " : "",
                            to->variables[i].name);
  for (size_t i = 0; s->feature != NULL && strcmp(s->feature, to->name) == 0 && i < s->n; i++) {
    const size_t length = strcspn(s->values[i], "=");
    bool found = false;
    if (s->values[i][length] == '\0')
      return tandem_fail(err, -EINVAL, "--param \"%s\": NAME=VALUE is expected", s->values[i]);
    for (size_t k = 0; k < to->nvariables; k++)
      found |= to->variables[k].is[0] == '\0' && strlen(to->variables[k].name) == length &&
               strncmp(to->variables[k].name, s->values[i], length) == 0;
    if (!found)
      return tandem_fail(err, -EINVAL, "--param %s: %s has no parameter \"%.*s\"; it has %s",
                         s->values[i], to->name, (int)length, s->values[i], n > 0 ? names : "none");
  }
  return 0;
}

int synth_variables_read(struct yaml_file *f, yaml_node_t *map, const struct synth_setting *s,
                         struct synth_feature *to, struct tandem_error *err) {
  yaml_node_pair_t *pairs = NULL;
  const int n = synth_pairs(f, map, "parameters", &pairs, err);
  if (n > SYNTH_VARIABLES)
    return yaml_fail(f, map, err, "at most %d parameters", SYNTH_VARIABLES);
  int status = n < 0 ? n : 0;
  for (int i = 0; status == 0 && i < n; i++) {
    struct synth_variable *v = &to->variables[to->nvariables++];
    const char *name, *set;
    yaml_node_t *node = synth_pair(f, &pairs[i], &name, err);
    status = node != NULL ? variable_read(f, node, name, v, err) : -EINVAL;
    const int64_t value = v->value;
    if (status == 0 && v->is[0] == '\0' && (set = setting_of(to, s, v->name)) != NULL)
      status = setting_read(set, v, err);
    to->chosen |= v->value != value;
  }
  if (status == 0)
    status = settings_check(to, s, err);
  struct tandem_error why;
  if (status == 0 && synth_variables_follow(to->variables, to->nvariables, &why) != 0)
    return to->chosen ? tandem_fail(err, -EINVAL, "--param: %s: %.300s", to->name, why.text)
                      : yaml_fail(f, map, err, "%s: %.300s", to->name, why.text);
  return status;
}
