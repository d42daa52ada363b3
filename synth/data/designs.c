/* The designs of designs.yaml: tops, clusters, parts. */
#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/yaml_tree.h"
#include "synth/data/designs.h"

static int text_to(struct yaml_file *f, yaml_node_t *map, const char *key, char *to, size_t size,
                   struct tandem_error *err) {
  const char *text;
  const int status = yaml_text(f, yaml_get(f, map, key), key, &text, err);
  if (status == 0 && snprintf(to, size, "%s", text) >= (int)size)
    return yaml_fail(f, map, err, "%s: \"%s\" is too long", key, text);
  return status;
}

static int number_to(struct yaml_file *f, yaml_node_t *map, const char *key, uint64_t max,
                     unsigned *to, struct tandem_error *err) {
  uint64_t v = 0;
  const int status = yaml_uint(f, yaml_get(f, map, key), key, 1, max, &v, err);
  *to = (unsigned)v;
  return status;
}

static int spec_read(struct yaml_file *f, yaml_node_t *node, struct synth_spec *s,
                     struct tandem_error *err) {
  memset(s, 0, sizeof *s);
  int status = text_to(f, node, "module", s->module, sizeof s->module, err);
  yaml_node_t *map = yaml_get(f, node, "parameters");
  if (status != 0 || map == NULL)
    return status;
  if (map->type != YAML_MAPPING_NODE)
    return yaml_fail(f, map, err, "parameters: names and values are expected");
  for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
    yaml_node_t *key = yaml_document_get_node(&f->document, p->key);
    const char *name;
    if (s->n == SYNTH_PARAMETERS)
      return yaml_fail(f, map, err, "at most %d parameters", SYNTH_PARAMETERS);
    struct synth_parameter *to = &s->parameters[s->n++];
    status = yaml_text(f, key, "parameter", &name, err);
    if (status == 0)
      status = yaml_uint(f, yaml_document_get_node(&f->document, p->value), name, 0, UINT32_MAX,
                         &to->value, err);
    if (status != 0)
      return status;
    snprintf(to->name, sizeof to->name, "%s", name);
  }
  synth_spec_sort(s);
  return 0;
}

static int part_read(struct yaml_file *f, yaml_node_t *node, struct synth_part *p,
                     struct tandem_error *err) {
  static const char *const keys[] = {"count", "module", "parameters", "own", NULL};
  int status = yaml_map(f, node, "a part", keys, err);
  p->count = 1;
  p->own = false;
  if (status == 0)
    status = spec_read(f, node, &p->spec, err);
  if (status == 0 && yaml_get(f, node, "count") != NULL)
    status = number_to(f, node, "count", 1024, &p->count, err);
  if (status == 0 && yaml_get(f, node, "own") != NULL)
    status = yaml_bool(f, yaml_get(f, node, "own"), "own", &p->own, err);
  return status;
}

static int cluster_read(struct yaml_file *f, yaml_node_t *node, struct synth_cluster *c,
                        struct tandem_error *err) {
  static const char *const keys[] = {"members", "variant", "parts", NULL};
  int status = yaml_map(f, node, "a cluster", keys, err);
  if (status == 0)
    status = number_to(f, node, "members", 16, &c->members, err);
  if (status == 0)
    status = text_to(f, node, "variant", c->variant, sizeof c->variant, err);
  yaml_node_t *parts = yaml_get(f, node, "parts");
  if (status == 0)
    status = yaml_list(f, parts, "parts", err);
  for (size_t i = 0; status == 0 && i < yaml_count(parts); i++) {
    if (i == SYNTH_PARTS)
      return yaml_fail(f, parts, err, "at most %d parts", SYNTH_PARTS);
    status = part_read(f, yaml_item(f, parts, i), &c->parts[c->nparts++], err);
  }
  return status;
}

static int feature_read(struct yaml_file *f, yaml_node_t *node, struct synth_designs *d,
                        struct tandem_error *err) {
  static const char *const keys[] = {"name", "clusters", NULL};
  char name[32];
  int status = yaml_map(f, node, "a feature", keys, err);
  if (status == 0)
    status = text_to(f, node, "name", name, sizeof name, err);
  yaml_node_t *list = yaml_get(f, node, "clusters");
  if (status == 0)
    status = yaml_list(f, list, "clusters", err);
  for (size_t i = 0; status == 0 && i < yaml_count(list); i++) {
    struct synth_cluster *more = realloc(d->clusters, (d->nclusters + 1) * sizeof *more);
    if (more == NULL)
      return tandem_fail(err, -ENOMEM, "out of memory");
    d->clusters = more;
    struct synth_cluster *c = &more[d->nclusters++];
    memset(c, 0, sizeof *c);
    memcpy(c->feature, name, sizeof name);
    status = cluster_read(f, yaml_item(f, list, i), c, err);
    if (status == 0 && d->sms % c->members != 0)
      status = yaml_fail(f, list, err, "%u SMs are no clusters of %u", d->sms, c->members);
  }
  return status;
}

static int clocks_read(struct yaml_file *f, yaml_node_t *map, struct synth_designs *d,
                       struct tandem_error *err) {
  if (map == NULL || map->type != YAML_MAPPING_NODE)
    return yaml_fail(f, yaml_root(f), err, "clocks: ports and multiples are expected");
  for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
    const char *name;
    uint64_t multiple;
    int status = yaml_text(f, yaml_document_get_node(&f->document, p->key), "clock", &name, err);
    if (status == 0)
      status =
          yaml_uint(f, yaml_document_get_node(&f->document, p->value), name, 1, 16, &multiple, err);
    if (status != 0)
      return status;
    if (d->nclocks == sizeof d->clocks / sizeof d->clocks[0])
      return yaml_fail(f, map, err, "too many clocks");
    snprintf(d->clocks[d->nclocks].port, sizeof d->clocks[0].port, "%s", name);
    d->clocks[d->nclocks++].multiple = (unsigned)multiple;
  }
  return 0;
}

static int read_all(struct yaml_file *f, struct synth_designs *d, struct tandem_error *err) {
  static const char *const keys[] = {"package",     "sources", "clock",    "clocks",   "reset",
                                     "memory_bits", "sms",     "baseline", "features", NULL};
  yaml_node_t *root = yaml_root(f);
  int status = yaml_map(f, root, "the list of designs", keys, err);
  if (status == 0)
    status = text_to(f, root, "package", d->package, sizeof d->package, err);
  if (status == 0)
    status = text_to(f, root, "sources", d->sources, sizeof d->sources, err);
  if (status == 0)
    status = yaml_real(f, yaml_get(f, root, "clock"), "clock", &d->mhz, err);
  if (status == 0)
    status = clocks_read(f, yaml_get(f, root, "clocks"), d, err);
  if (status == 0)
    status = text_to(f, root, "reset", d->reset, sizeof d->reset, err);
  if (status == 0)
    status = number_to(f, root, "memory_bits", 1 << 24, &d->memory_bits, err);
  if (status == 0)
    status = number_to(f, root, "sms", 1024, &d->sms, err);
  if (status == 0)
    status = spec_read(f, yaml_get(f, root, "baseline"), &d->baseline, err);
  yaml_node_t *features = yaml_get(f, root, "features");
  if (status == 0)
    status = yaml_list(f, features, "features", err);
  for (size_t i = 0; status == 0 && i < yaml_count(features); i++)
    status = feature_read(f, yaml_item(f, features, i), d, err);
  return status;
}

int synth_designs_load(const char *root, struct synth_designs *d, struct tandem_error *err) {
  char path[1024];
  struct yaml_file f;
  memset(d, 0, sizeof *d);
  snprintf(path, sizeof path, "%s/synth/data/designs.yaml", root);
  int status = yaml_open(&f, path, err);
  if (status != 0)
    return status;
  status = read_all(&f, d, err);
  yaml_close(&f);
  if (status != 0)
    synth_designs_free(d);
  return status;
}

void synth_designs_free(struct synth_designs *d) {
  free(d->clusters);
  memset(d, 0, sizeof *d);
}

/* The name of the module in a file of sources, which ends with .sv. */
static const char *module_of(const char *path, int *length) {
  const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
  *length = (int)strlen(name) - 3;
  return name;
}

static void find_sources(const struct synth_designs *d, const char *root, glob_t *g) {
  char pattern[1024];
  snprintf(pattern, sizeof pattern, "%s/%s", root, d->sources);
  memset(g, 0, sizeof *g);
  (void)glob(pattern, 0, NULL, g);
}

bool synth_source(const struct synth_designs *d, const char *root, const char *module, char *path,
                  size_t size) {
  glob_t g;
  bool found = false;
  find_sources(d, root, &g);
  for (size_t i = 0; !found && i < g.gl_pathc; i++) {
    int length;
    const char *name = module_of(g.gl_pathv[i], &length);
    found = (int)strlen(module) == length && strncmp(name, module, (size_t)length) == 0 &&
            snprintf(path, size, "%s", g.gl_pathv[i]) < (int)size;
  }
  globfree(&g);
  return found;
}

char *synth_modules(const struct synth_designs *d, const char *root) {
  glob_t g;
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL)
    return NULL;
  find_sources(d, root, &g);
  for (size_t i = 0; i < g.gl_pathc; i++) {
    int length;
    const char *name = module_of(g.gl_pathv[i], &length);
    fprintf(out, "%s%.*s", i > 0 ? " " : "", length, name);
  }
  globfree(&g);
  return fclose(out) == 0 ? text : NULL;
}
