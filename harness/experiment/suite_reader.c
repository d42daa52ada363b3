/* Reading parts of a suite, up to the first error. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/suite_local.h"

void suite_fail(struct suite_reader *r, const yaml_node_t *at, const char *format, ...) {
  struct tandem_error text;
  va_list args;
  if (r->status != 0)
    return;
  va_start(args, format);
  (void)vsnprintf(text.text, sizeof text.text, format, args);
  va_end(args);
  r->status = yaml_fail(&r->s->file, at, r->err, "%s", text.text);
}

void *suite_room(struct suite_reader *r, size_t n, size_t bytes) {
  void *room = r->status == 0 ? calloc(n + 1, bytes) : NULL;
  if (r->status == 0 && room == NULL)
    r->status = tandem_fail(r->err, -ENOMEM, "out of memory");
  return room;
}

void suite_keys(struct suite_reader *r, yaml_node_t *map, const char *what,
                const char *const *known) {
  if (r->status == 0)
    r->status = yaml_map(&r->s->file, map, what, known, r->err);
}

yaml_node_t *suite_get(struct suite_reader *r, yaml_node_t *map, const char *key) {
  return r->status == 0 ? yaml_get(&r->s->file, map, key) : NULL;
}

const char *suite_word(struct suite_reader *r, yaml_node_t *node, const char *what) {
  const char *text = "";
  if (r->status == 0)
    r->status = yaml_text(&r->s->file, node, what, &text, r->err);
  return r->status == 0 ? text : "";
}

void suite_text(struct suite_reader *r, yaml_node_t *map, const char *key, const char **text) {
  yaml_node_t *node = suite_get(r, map, key);
  if (node != NULL)
    *text = suite_word(r, node, key);
}

unsigned suite_choice(struct suite_reader *r, yaml_node_t *map, const char *key,
                      const char *const *names) {
  yaml_node_t *node = suite_get(r, map, key);
  unsigned which = 0;
  if (node != NULL)
    r->status = yaml_choice(&r->s->file, node, key, names, &which, r->err);
  return which;
}

double suite_real(struct suite_reader *r, yaml_node_t *node, const char *what) {
  double value = 0;
  if (r->status == 0)
    r->status = yaml_real(&r->s->file, node, what, &value, r->err);
  return value;
}

size_t suite_count(struct suite_reader *r, yaml_node_t *list, const char *what) {
  if (r->status == 0 && list != NULL)
    r->status = yaml_list(&r->s->file, list, what, r->err);
  return r->status == 0 && list != NULL ? yaml_count(list) : 0;
}

/* ---- axes and their values ---- */

enum { NAMES = 512 }; /* bytes of a list of names in an error */

/* Adds a name to such a list, or dots when it is full. */
static void add_name(char names[NAMES], const char *name) {
  const size_t n = strlen(names);
  if (n + strlen(name) + sizeof ", ..." < NAMES)
    snprintf(names + n, NAMES - n, "%s%s", n != 0 ? ", " : "", name);
  else if (n >= 3 && strcmp(names + n - 3, "...") != 0)
    snprintf(names + n, NAMES - n, ", ...");
}

size_t experiment_axis(const struct experiment_suite *s, const char *name) {
  for (size_t i = 0; i < s->naxes; i++)
    if (strcmp(s->axes[i].name, name) == 0)
      return i;
  return EXPERIMENT_AXES;
}

size_t suite_axis(struct suite_reader *r, yaml_node_t *node, const char *what) {
  const char *name = suite_word(r, node, what);
  const size_t found = r->status == 0 ? experiment_axis(r->s, name) : 0;
  char names[NAMES] = "";
  if (found != EXPERIMENT_AXES)
    return found;
  for (size_t i = 0; i < r->s->naxes; i++)
    add_name(names, r->s->axes[i].name);
  suite_fail(r, node, "%s: there is no axis \"%s\"; there are %s", what, name, names);
  return 0;
}

/* A value of an axis, or a list of such. */
static void check_values(struct suite_reader *r, const struct experiment_axis *axis,
                         yaml_node_t *node) {
  if (node->type == YAML_SEQUENCE_NODE) {
    for (size_t i = 0; r->status == 0 && i < yaml_count(node); i++)
      check_values(r, axis, yaml_item(&r->s->file, node, i));
    return;
  }
  const char *text = suite_word(r, node, axis->name);
  char names[NAMES] = "";
  if (r->status != 0 || names_find(axis->names, axis->n, text) != SIZE_MAX)
    return;
  for (size_t i = 0; i < axis->n; i++)
    add_name(names, axis->values[i].name);
  suite_fail(r, node, "axis %s has no value \"%s\"; it has %s", axis->name, text, names);
}

void experiment_check_names(struct suite_reader *r, yaml_node_t *map, const char *const *more) {
  const char *keys[SETTING_KEYS];
  size_t n = 0;
  for (size_t i = 0; i < r->s->naxes; i++)
    keys[n++] = r->s->axes[i].name;
  for (size_t i = 0; more[i] != NULL; i++)
    keys[n++] = more[i];
  keys[n] = NULL;
  suite_keys(r, map, "a selection of runs", keys);
  for (size_t i = 0; i < r->s->naxes; i++) {
    yaml_node_t *node = suite_get(r, map, r->s->axes[i].name);
    if (node != NULL)
      check_values(r, &r->s->axes[i], node);
  }
}

yaml_node_t *suite_selection(struct suite_reader *r, yaml_node_t *node) {
  static const char *const none[] = {NULL};
  if (node != NULL)
    experiment_check_names(r, node, none);
  return node;
}
