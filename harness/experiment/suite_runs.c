/* The runs of a suite: each entry of `runs:` with each combination of values of its axes, less
 * those that `exclude:` selects, and those of `include:`. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/suite_local.h"

enum { MOST = 100000 };

/* A value of an axis by name; NULL: there is none. */
static const struct experiment_value *value_of(const struct experiment_axis *axis,
                                               const char *name) {
  for (size_t i = 0; i < axis->n; i++)
    if (strcmp(axis->values[i].name, name) == 0)
      return &axis->values[i];
  return NULL;
}

/* Returns true if a selection of an axis (a value or a list of values) has this value. */
static bool has(struct experiment_suite *s, yaml_node_t *node, const char *value) {
  const char *text;
  struct tandem_error unused;
  if (node->type != YAML_SEQUENCE_NODE)
    return yaml_text(&s->file, node, "", &text, &unused) == 0 && strcmp(text, value) == 0;
  for (size_t i = 0; i < yaml_count(node); i++)
    if (has(s, yaml_item(&s->file, node, i), value))
      return true;
  return false;
}

bool experiment_selects(struct experiment_suite *s, yaml_node_t *selection,
                        const struct experiment_run *run) {
  for (size_t i = 0; i < s->naxes && selection != NULL; i++) {
    yaml_node_t *node = yaml_get(&s->file, selection, s->axes[i].name);
    if (node != NULL && (run->at[i] == NULL || !has(s, node, run->at[i])))
      return false;
  }
  return true;
}

enum { NAMES = 512 }; /* bytes of a list of names in an error */

/* Adds a name to such a list, or dots when it is full. */
static void add_name(char names[NAMES], const char *name) {
  const size_t n = strlen(names);
  if (n + strlen(name) + sizeof ", ..." < NAMES)
    snprintf(names + n, NAMES - n, "%s%s", n != 0 ? ", " : "", name);
  else if (n >= 3 && strcmp(names + n - 3, "...") != 0)
    snprintf(names + n, NAMES - n, ", ...");
}

int experiment_no_axis(const struct experiment_suite *s, const yaml_node_t *node, const char *what,
                       const char *name, struct tandem_error *err) {
  char names[NAMES] = "run"; /* the first one */
  for (size_t i = 1; i < s->naxes; i++)
    add_name(names, s->axes[i].name);
  return yaml_fail(&s->file, node, err, "%s: there is no axis \"%s\"; there are %s", what, name,
                   names);
}

static int no_value(const struct experiment_suite *s, const struct experiment_axis *axis,
                    const yaml_node_t *node, const char *name, struct tandem_error *err) {
  char names[NAMES] = "";
  for (size_t i = 0; i < axis->n; i++)
    add_name(names, axis->values[i].name);
  return yaml_fail(&s->file, node, err, "axis %s has no value \"%s\"; it has %s", axis->name, name,
                   names);
}

static int check_values(struct experiment_suite *s, const struct experiment_axis *axis,
                        yaml_node_t *node, struct tandem_error *err) {
  const char *text;
  int status = 0;
  if (node->type == YAML_SEQUENCE_NODE) {
    for (size_t i = 0; status == 0 && i < yaml_count(node); i++)
      status = check_values(s, axis, yaml_item(&s->file, node, i), err);
    return status;
  }
  status = yaml_text(&s->file, node, axis->name, &text, err);
  if (status == 0 && value_of(axis, text) == NULL)
    status = no_value(s, axis, node, text, err);
  return status;
}

/* Names of axes with their values; more: other keys that may be there, NULL-terminated. */
static int check_names(struct experiment_suite *s, yaml_node_t *map, const char *const *more,
                       struct tandem_error *err) {
  const char *keys[EXPERIMENT_AXES + 8];
  size_t n = 0;
  for (size_t i = 0; i < s->naxes; i++)
    keys[n++] = s->axes[i].name;
  for (size_t i = 0; more[i] != NULL; i++)
    keys[n++] = more[i];
  keys[n] = NULL;
  int status = yaml_map(&s->file, map, "a selection of runs", keys, err);
  for (size_t i = 0; status == 0 && i < s->naxes; i++) {
    yaml_node_t *node = yaml_get(&s->file, map, s->axes[i].name);
    if (node != NULL)
      status = check_values(s, &s->axes[i], node, err);
  }
  return status;
}

int experiment_check_selection(struct experiment_suite *s, yaml_node_t *selection,
                               struct tandem_error *err) {
  static const char *const none[] = {NULL};
  return selection != NULL ? check_names(s, selection, none, err) : 0;
}

/* "vecadd/16" */
static char *name_of(const struct experiment_suite *s, const struct experiment_run *run) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL)
    return NULL;
  for (size_t i = 0; i < s->naxes; i++)
    if (run->at[i] != NULL)
      fprintf(out, "%s%s", i != 0 ? "/" : "", run->at[i]);
  return fclose(out) == 0 ? text : NULL;
}

/* A path relative to the suite's file. */
static char *path_of(const struct experiment_suite *s, yaml_node_t *node) {
  const char *text;
  char *joined = NULL;
  if (yaml_text(&s->file, node, "", &text, NULL) != 0)
    return NULL;
  if (asprintf(&joined, "%s%s", *text != '/' ? s->folder : "", text) < 0)
    return NULL;
  char *real = realpath(joined, NULL); /* as short as it can be; a missing file is reported later */
  if (real != NULL)
    free(joined);
  return real != NULL ? real : joined;
}

static int add_run(struct experiment_suite *s, const struct experiment_run *run,
                   const yaml_node_t *at, struct tandem_error *err) {
  if ((s->nruns & (s->nruns - 1)) == 0) { /* powers of two are full */
    const size_t room = s->nruns != 0 ? 2 * s->nruns : 1;
    struct experiment_run *more = realloc(s->runs, room * sizeof *more);
    if (more == NULL)
      return tandem_fail(err, -ENOMEM, "out of memory");
    s->runs = more;
  }
  struct experiment_run *r = &s->runs[s->nruns++];
  *r = *run;
  r->name = name_of(s, r);
  r->launch = r->settings.launch != NULL ? path_of(s, r->settings.launch) : NULL;
  r->config = r->settings.config != NULL ? path_of(s, r->settings.config) : NULL;
  if (r->name == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  if (r->launch == NULL)
    return yaml_fail(&s->file, at, err, "run %s has no launch description (launch:)", r->name);
  for (size_t i = 0; i + 1 < s->nruns; i++)
    if (strcmp(s->runs[i].name, r->name) == 0)
      return yaml_fail(&s->file, at, err, "two runs are named %s", r->name);
  return s->nruns <= MOST ? 0 : yaml_fail(&s->file, at, err, "there are more than %d runs", MOST);
}

/* All runs with one of the values that are chosen of each axis. */
struct product {
  const yaml_node_t *at;                  /* for messages */
  yaml_node_t *chosen[EXPERIMENT_AXES];   /* a value or a list; NULL: all */
  bool without[EXPERIMENT_AXES];          /* the runs are not on this axis */
  yaml_node_t *exclude;                   /* selections that are left out, NULL: none */
  const struct experiment_settings *last; /* they win; NULL: none */
};

static int multiply(struct experiment_suite *s, const struct product *p, size_t axis,
                    const struct experiment_run *so_far, struct tandem_error *err) {
  struct experiment_run run = *so_far;
  int status = 0;
  if (axis == s->naxes) {
    for (size_t i = 0; p->exclude != NULL && i < yaml_count(p->exclude); i++)
      if (experiment_selects(s, yaml_item(&s->file, p->exclude, i), &run))
        return 0;
    if (p->last != NULL)
      experiment_add(&run.settings, p->last);
    return add_run(s, &run, p->at, err);
  }
  if (p->without[axis])
    return multiply(s, p, axis + 1, so_far, err);
  for (size_t i = 0; status == 0 && i < s->axes[axis].n; i++) {
    const struct experiment_value *v = &s->axes[axis].values[i];
    if (p->chosen[axis] != NULL && !has(s, p->chosen[axis], v->name))
      continue;
    run = *so_far;
    run.at[axis] = v->name;
    experiment_add(&run.settings, &v->settings);
    status = multiply(s, p, axis + 1, &run, err);
  }
  return status;
}

/* The axes of an entry of `runs:`, if it names them: it is not on the others. */
static int read_over(struct experiment_suite *s, yaml_node_t *list, struct product *p,
                     struct tandem_error *err) {
  int status = list != NULL ? yaml_list(&s->file, list, "over", err) : 0;
  if (list == NULL || status != 0)
    return status;
  for (size_t i = 1; i < s->naxes; i++)
    p->without[i] = true;
  for (size_t i = 0; status == 0 && i < yaml_count(list); i++) {
    yaml_node_t *node = yaml_item(&s->file, list, i);
    const char *name;
    status = yaml_text(&s->file, node, "an axis", &name, err);
    const size_t axis = status == 0 ? experiment_axis(s, name) : 0;
    if (axis == EXPERIMENT_AXES)
      return experiment_no_axis(s, node, "over", name, err);
    p->without[axis] = false;
  }
  return status;
}

/* An entry of `include:`: a value or several of each axis that its runs are on. */
static int include(struct experiment_suite *s, yaml_node_t *map, const struct experiment_run *start,
                   struct tandem_error *err) {
  struct experiment_settings settings = {0};
  struct product p = {.at = map, .last = &settings};
  int status = check_names(s, map, experiment_setting_keys, err);
  if (status == 0)
    status = experiment_settings(s, map, &settings, err);
  if (status != 0)
    return status;
  for (size_t i = 0; i < s->naxes; i++) {
    p.chosen[i] = yaml_get(&s->file, map, s->axes[i].name);
    p.without[i] = p.chosen[i] == NULL;
  }
  if (p.without[0])
    return yaml_fail(&s->file, map, err, "what is included needs a run: of runs");
  return multiply(s, &p, 0, start, err);
}

int experiment_make_runs(struct experiment_suite *s, const struct experiment_settings *defaults,
                         struct tandem_error *err) {
  yaml_node_t *root = yaml_root(&s->file), *runs = yaml_get(&s->file, root, "runs"),
              *out = yaml_get(&s->file, root, "exclude"), *in = yaml_get(&s->file, root, "include");
  const struct experiment_run start = {.settings = *defaults};
  int status = out != NULL ? yaml_list(&s->file, out, "exclude", err) : 0;
  if (status == 0 && in != NULL)
    status = yaml_list(&s->file, in, "include", err);
  for (size_t i = 0; status == 0 && out != NULL && i < yaml_count(out); i++)
    status = experiment_check_selection(s, yaml_item(&s->file, out, i), err);
  for (size_t i = 0; status == 0 && i < s->axes[0].n; i++) {
    yaml_node_t *entry = yaml_item(&s->file, runs, i);
    struct product p = {.at = entry, .exclude = out};
    p.chosen[0] = yaml_get(&s->file, entry, "name");
    status = read_over(s, yaml_get(&s->file, entry, "over"), &p, err);
    if (status == 0)
      status = multiply(s, &p, 0, &start, err);
  }
  for (size_t i = 0; status == 0 && in != NULL && i < yaml_count(in); i++)
    status = include(s, yaml_item(&s->file, in, i), &start, err);
  return status;
}
