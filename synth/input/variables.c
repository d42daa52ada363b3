/* Variables of a feature, and the numbers of designs.yaml that are reckoned from them. */
#include "synth/input/variables.h"

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

int64_t synth_number(struct reader *r, const yaml_node_t *node, const char *what,
                     const struct synth_variables *v, int64_t least, int64_t most) {
  struct synth_variables all = v != NULL ? *v : (struct synth_variables){NULL, 0};
  const struct expression_names names = {variable_value, &all};
  struct tandem_error why;
  int64_t value = least;
  const char *text = reader_text(r, node, what);
  if (r->status != 0)
    return least;
  if (expression_whole(text, &names, &value, &why) != 0)
    reader_fail(r, node, "%s: %.400s", what, why.text);
  else if (value < least || value > most)
    reader_fail(r, node, "%s is %" PRId64 ", not from %" PRId64 " to %" PRId64, what, value, least,
                most);
  return r->status == 0 ? value : least;
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

static void variable_read(struct reader *r, yaml_node_t *node, const char *name,
                          struct synth_variable *v) {
  static const char *const keys[] = {"value", "is", "most", NULL};
  if (snprintf(v->name, sizeof v->name, "%s", name) >= (int)sizeof v->name)
    reader_fail(r, node, "%s is too long", name);
  reader_keys(r, node, "a parameter", keys);
  yaml_node_t *value = reader_get(r, node, "value"), *most = reader_get(r, node, "most");
  const bool follows = reader_get(r, node, "is") != NULL;
  if ((value != NULL) == follows)
    reader_fail(r, node, "%s must have either a value or what it is", name);
  v->most = most != NULL ? synth_number(r, most, "most", NULL, 1, UINT32_MAX) : UINT32_MAX;
  if (follows)
    reader_copy(r, node, "is", v->is, sizeof v->is);
  else
    v->value = synth_number(r, value, name, NULL, 1, v->most);
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

/* Takes the chosen value of a variable that may be chosen. */
static void setting_take(struct reader *r, const struct synth_setting *s, struct synth_feature *to,
                         struct synth_variable *v) {
  const int64_t value = v->value;
  const char *set = setting_of(to, s, v->name);
  if (r->status == 0 && v->is[0] == '\0' && set != NULL)
    r->status = setting_read(set, v, r->err);
  to->chosen |= v->value != value;
}

void synth_variables_read(struct reader *r, yaml_node_t *map, const struct synth_setting *s,
                          struct synth_feature *to) {
  const size_t n = reader_pairs(r, map, "parameters", SYNTH_VARIABLES);
  for (size_t i = 0; i < n && r->status == 0; i++) {
    struct synth_variable *v = &to->variables[to->nvariables++];
    const char *name;
    yaml_node_t *node = reader_pair(r, map, i, &name);
    variable_read(r, node, name, v);
    setting_take(r, s, to, v);
  }
  if (r->status == 0)
    r->status = settings_check(to, s, r->err);
  struct tandem_error why;
  if (r->status != 0 || synth_variables_follow(to->variables, to->nvariables, &why) == 0)
    return;
  if (to->chosen)
    r->status = tandem_fail(r->err, -EINVAL, "--param: %s: %.300s", to->name, why.text);
  else
    reader_fail(r, map, "%s: %.300s", to->name, why.text);
}
