/* Names in the expressions of tables: numbers of results. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/experiment/table.h"

/* The error that an object has no number of that name, with the names that it has. */
static int no_number(const json_t *o, const char *text, struct tandem_error *err) {
  json_t *all = (json_t *)(uintptr_t)o;
  char names[256] = "";
  size_t n = 0;
  for (void *at = json_object_iter(all); at != NULL && n < sizeof names;
       at = json_object_iter_next(all, at)) {
    const json_t *v = json_object_iter_value(at);
    if (json_is_number(v) || json_is_object(v))
      n += (size_t)snprintf(names + n, sizeof names - n, "%s%s%s", n != 0 ? ", " : "",
                            json_object_iter_key(at), json_is_object(v) ? "." : "");
  }
  if (n >= sizeof names)
    strcpy(names + sizeof names - 4, "...");
  return tandem_fail(err, -ENOENT, "the result has no number \"%s\"; there are %s", text, names);
}

/* The value at a path like memory.dram.reads; NULL: there is none, and *in is the innermost object
 * on the way. */
static const json_t *at_path(const json_t **in, const char *path) {
  const size_t n = strcspn(path, ".");
  const json_t *o = json_object_getn(*in, path, n);
  if (path[n] == '\0' || o == NULL)
    return o;
  *in = o;
  return at_path(in, path + n + 1);
}

int experiment_check_path(const json_t *run, const char *path, struct tandem_error *err) {
  const json_t *in = run, *o = at_path(&in, path);
  return json_is_number(o) || json_is_string(o) ? 0 : no_number(in, path, err);
}

size_t experiment_named(const struct experiment_column *columns, size_t n, const char *name) {
  size_t i = 0;
  while (i < n && (columns[i].name == NULL || strcmp(columns[i].name, name) != 0))
    i++;
  return i;
}

int experiment_value_of(void *user, const char *text, union expression_value *v,
                        struct tandem_error *err) {
  const struct experiment_values *r = user;
  const bool other = r->of != NULL && strncmp(text, "of.", 3) == 0;
  const char *name = other ? text + 3 : text;
  if (strncmp(text, "row.", 4) == 0) {
    const size_t i = experiment_named(r->columns, r->n, text + 4);
    if (i == r->n)
      return tandem_fail(err, -ENOENT, "no column to the left is named %s", text + 4);
    v->real = r->cells[i].value;
    return 0;
  }
  const json_t *in = other ? r->of : r->run,
               *o = json_object_get(json_object_get(in, "parameters"), name);
  if (o == NULL)
    o = at_path(&in, name);
  if (o == NULL && !other && strchr(name, '.') == NULL)
    o = json_object_get(r->whole, name);
  if (!json_is_number(o))
    return no_number(in, text, err);
  v->real = json_number_value(o);
  return 0;
}
