/* Parameters of a YAML file, and the values computed from them. */
#include "csim/util/yaml_parameters.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/expression.h"

enum { MOST = 64 };

struct reading {
  struct yaml_file *f;
  struct yaml_parameter *list;
  size_t n;
};

static const struct yaml_parameter *find(const struct yaml_parameter *list, size_t n,
                                         const char *name) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(list[i].name, name) == 0)
      return &list[i];
  return NULL;
}

/* "n, b" */
static void known(const struct reading *r, char *text, size_t size) {
  size_t at = 0;
  *text = '\0';
  for (size_t i = 0; i < r->n && at < size; i++)
    at += (size_t)snprintf(text + at, size - at, "%s%s", i != 0 ? ", " : "", r->list[i].name);
}

static int value_of(void *user, const char *name, union expression_value *v,
                    struct tandem_error *err) {
  const struct reading *r = user;
  const struct yaml_parameter *p = find(r->list, r->n, name);
  char names[512];
  if (p != NULL) {
    v->whole = p->value;
    return 0;
  }
  known(r, names, sizeof names);
  if (*names == '\0')
    return tandem_fail(err, -EINVAL, "there is no parameter \"%s\"; add it to parameters:", name);
  return tandem_fail(err, -EINVAL,
                     "there is no parameter \"%s\" (known here: %s); add it to parameters:", name,
                     names);
}

/* Computes an expression of a node. */
static int compute(struct reading *r, const yaml_node_t *at, const char *text, int64_t *value,
                   struct tandem_error *err) {
  const struct expression_names names = {value_of, r};
  struct tandem_error why;
  if (expression_whole(text, &names, value, &why) == 0)
    return 0;
  return yaml_fail(r->f, at, err, "%s", why.text);
}

/* The text with each ${...} replaced by its value.  The caller frees *out. */
static int replace(struct reading *r, const yaml_node_t *at, const char *text, char **out,
                   struct tandem_error *err) {
  size_t size;
  int status = 0;
  FILE *to = open_memstream(out, &size);
  if (to == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (const char *start; status == 0 && (start = strstr(text, "${")) != NULL;) {
    const char *inside = start + 2, *end = strchr(inside, '}');
    char expression[256];
    int64_t value;
    const int n = end != NULL ? (int)(end - inside) : 0;
    fwrite(text, 1, (size_t)(start - text), to);
    if (end == NULL)
      status = yaml_fail(r->f, at, err, "\"%s\" has no closing \"}\"", start);
    else if (snprintf(expression, sizeof expression, "%.*s", n, inside) >= (int)sizeof expression)
      status = yaml_fail(r->f, at, err, "\"%.60s...\" is longer than 255 letters", start);
    else
      status = compute(r, at, expression, &value, err);
    if (status == 0) {
      fprintf(to, "%" PRId64, value);
      text = end + 1;
    }
  }
  fputs(text, to);
  return fclose(to) == 0 || status != 0 ? status : tandem_fail(err, -ENOMEM, "out of memory");
}

/* Computes what a scalar node has to be computed. */
static int resolve(struct reading *r, const yaml_node_t *node, struct tandem_error *err) {
  const char *text = (const char *)node->data.scalar.value;
  char *out = NULL;
  int64_t value;
  int status = 0;
  if (*text == '=') {
    status = compute(r, node, text + 1, &value, err);
    if (status == 0 && asprintf(&out, "%" PRId64, value) < 0)
      status = tandem_fail(err, -ENOMEM, "out of memory");
  } else if (strstr(text, "${") != NULL) {
    status = replace(r, node, text, &out, err);
  }
  if (status == 0 && out != NULL)
    return yaml_put(r->f, node, out, err);
  free(out);
  return status;
}

static int read_one(struct reading *r, const yaml_node_t *key, yaml_node_t *node,
                    const struct yaml_parameter *given, size_t ngiven, struct tandem_error *err) {
  const char *name;
  int64_t value;
  TRY(yaml_text(r->f, key, "a parameter's name", &name, err));
  if (!expression_is_name(name) || strchr(name, '.') != NULL)
    return yaml_fail(r->f, key, err,
                     "\"%s\" cannot name a parameter: letters, digits and _ do, other than min and "
                     "max",
                     name);
  if (find(r->list, r->n, name) != NULL)
    return yaml_fail(r->f, key, err, "parameter \"%s\" is there twice", name);
  if (r->n == MOST)
    return yaml_fail(r->f, key, err, "there are more than %d parameters", MOST);
  const struct yaml_parameter *other = find(given, ngiven, name);
  if (other != NULL) {
    value = other->value;
  } else {
    if (node->type == YAML_SCALAR_NODE)
      TRY(resolve(r, node, err));
    TRY(yaml_int(r->f, node, "a parameter", INT64_MIN, INT64_MAX, &value, err));
  }
  r->list[r->n++] = (struct yaml_parameter){name, value};
  return 0;
}

static int read_all(struct reading *r, yaml_node_t *map, const struct yaml_parameter *given,
                    size_t ngiven, struct tandem_error *err) {
  if (map != NULL && map->type != YAML_MAPPING_NODE)
    return yaml_fail(r->f, map, err, "parameters must be a mapping (name: number)");
  for (yaml_node_pair_t *p = map != NULL ? map->data.mapping.pairs.start : NULL;
       p != NULL && p < map->data.mapping.pairs.top; p++)
    TRY(read_one(r, yaml_document_get_node(&r->f->document, p->key),
                 yaml_document_get_node(&r->f->document, p->value), given, ngiven, err));
  for (size_t i = 0; i < ngiven; i++) {
    char names[512];
    if (find(r->list, r->n, given[i].name) != NULL)
      continue;
    known(r, names, sizeof names);
    return yaml_fail(r->f, map, err, "there is no parameter \"%s\"; %s%s", given[i].name,
                     r->n != 0 ? "known: " : "the file has none", names);
  }
  return 0;
}

/* Marks keys of mappings, and the parameters' own values, which are computed already. */
static void mark(struct yaml_file *f, const yaml_node_t *map, bool *done) {
  yaml_node_t *nodes = f->document.nodes.start;
  for (yaml_node_t *node = nodes; node < f->document.nodes.top; node++)
    if (node->type == YAML_MAPPING_NODE)
      for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top;
           p++) {
        done[p->key - 1] = true;
        if (node == map)
          done[p->value - 1] = true;
      }
}

int yaml_parameters(struct yaml_file *f, yaml_node_t *map, const struct yaml_parameter *given,
                    size_t ngiven, struct yaml_parameter **list, size_t *n,
                    struct tandem_error *err) {
  yaml_node_t *nodes = f->document.nodes.start;
  const size_t count = (size_t)(f->document.nodes.top - nodes);
  bool *done = calloc(count + 1, sizeof *done);
  struct reading r = {f, calloc(MOST, sizeof *r.list), 0};
  int status = 0;
  *list = r.list;
  if (done == NULL || r.list == NULL)
    status = tandem_fail(err, -ENOMEM, "out of memory");
  if (status == 0)
    status = read_all(&r, map, given, ngiven, err);
  if (status == 0)
    mark(f, map, done);
  for (size_t i = 0; status == 0 && i < count; i++)
    if (nodes[i].type == YAML_SCALAR_NODE && !done[i])
      status = resolve(&r, &nodes[i], err);
  *n = r.n;
  free(done);
  return status;
}
