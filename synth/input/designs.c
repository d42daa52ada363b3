/* The designs of designs.yaml, but for the features (features.c). */
#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/yaml_tree.h"
#include "synth/input/features.h"

int synth_text_read(struct yaml_file *f, yaml_node_t *map, const char *key, char *to, size_t size,
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

static int read_all(struct yaml_file *f, const struct synth_setting *s, struct synth_designs *d,
                    struct tandem_error *err) {
  static const char *const keys[] = {"package",     "sources", "clock",    "clocks",   "reset",
                                     "memory_bits", "sms",     "baseline", "features", NULL};
  yaml_node_t *root = yaml_root(f);
  int status = yaml_map(f, root, "the list of designs", keys, err);
  if (status == 0)
    status = synth_text_read(f, root, "package", d->package, sizeof d->package, err);
  if (status == 0)
    status = synth_text_read(f, root, "sources", d->sources, sizeof d->sources, err);
  if (status == 0)
    status = yaml_real(f, yaml_get(f, root, "clock"), "clock", &d->mhz, err);
  if (status == 0)
    status = clocks_read(f, yaml_get(f, root, "clocks"), d, err);
  if (status == 0)
    status = synth_text_read(f, root, "reset", d->reset, sizeof d->reset, err);
  if (status == 0)
    status = number_to(f, root, "memory_bits", 1 << 24, &d->memory_bits, err);
  if (status == 0)
    status = number_to(f, root, "sms", 1024, &d->sms, err);
  if (status == 0)
    status = synth_spec_read(f, yaml_get(f, root, "baseline"), NULL, &d->baseline, err);
  yaml_node_t *features = yaml_get(f, root, "features");
  if (status == 0)
    status = yaml_list(f, features, "features", err);
  for (size_t i = 0; status == 0 && i < yaml_count(features); i++)
    status = synth_feature_read(f, yaml_item(f, features, i), s, d, err);
  return status;
}

int synth_designs_load(const char *root, const struct synth_setting *s, struct synth_designs *d,
                       struct tandem_error *err) {
  char path[1024];
  struct yaml_file f;
  memset(d, 0, sizeof *d);
  snprintf(path, sizeof path, "%s/synth/data/designs.yaml", root);
  int status = yaml_open(&f, path, err);
  if (status != 0)
    return status;
  status = read_all(&f, s, d, err);
  yaml_close(&f);
  if (status != 0)
    synth_designs_free(d);
  return status;
}

void synth_designs_free(struct synth_designs *d) {
  free(d->clusters);
  free(d->features);
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
