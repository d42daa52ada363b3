/* The designs of designs.yaml, but for the features (features.c). */
#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/input/features.h"

static void clocks_read(struct reader *r, yaml_node_t *map, struct synth_designs *d) {
  const size_t n = reader_pairs(r, map, "clocks", sizeof d->clocks / sizeof d->clocks[0]);
  for (size_t i = 0; i < n; i++) {
    struct synth_clock *c = &d->clocks[d->nclocks++];
    const char *name;
    yaml_node_t *multiple = reader_pair(r, map, i, &name);
    snprintf(c->port, sizeof c->port, "%s", name);
    c->multiple = (unsigned)reader_uint(r, multiple, name, 1, 16);
  }
}

/* Reads a feature, or the file of this folder that has it. */
static void feature_read(struct reader *r, yaml_node_t *node, const char *folder,
                         const struct synth_setting *s, struct synth_designs *d) {
  char path[1024];
  struct reader of;
  if (node->type != YAML_SCALAR_NODE) {
    synth_feature_read(r, node, s, d);
    return;
  }
  snprintf(path, sizeof path, "%s/%.*s", folder, (int)node->data.scalar.length,
           (const char *)node->data.scalar.value);
  yaml_node_t *root = reader_open(&of, path, r->err);
  if (of.status == 0)
    synth_feature_read(&of, root, s, d);
  r->status = reader_close(&of);
}

static void read_all(struct reader *r, yaml_node_t *root, const char *folder,
                     const struct synth_setting *s, struct synth_designs *d) {
  static const char *const keys[] = {"package",     "sources", "clock",    "clocks",   "reset",
                                     "memory_bits", "sms",     "baseline", "features", NULL};
  static const char what[] = "the list of designs";
  reader_keys(r, root, what, keys);
  for (size_t i = 0; keys[i] != NULL; i++)
    (void)reader_need(r, root, keys[i], what);
  reader_copy(r, root, "package", d->package, sizeof d->package);
  reader_copy(r, root, "sources", d->sources, sizeof d->sources);
  d->mhz = reader_real(r, reader_get(r, root, "clock"), "clock");
  clocks_read(r, reader_get(r, root, "clocks"), d);
  reader_copy(r, root, "reset", d->reset, sizeof d->reset);
  d->memory_bits =
      (unsigned)reader_uint(r, reader_get(r, root, "memory_bits"), "memory_bits", 1, 1 << 24);
  d->sms = (unsigned)reader_uint(r, reader_get(r, root, "sms"), "sms", 1, 1024);
  synth_spec_read(r, reader_get(r, root, "baseline"), NULL, &d->baseline);
  yaml_node_t *features = reader_get(r, root, "features");
  const size_t n = reader_list(r, features, "features", SIZE_MAX);
  for (size_t i = 0; i < n && r->status == 0; i++)
    feature_read(r, reader_item(r, features, i), folder, s, d);
}

int synth_designs_load(const char *root, const struct synth_setting *s, struct synth_designs *d,
                       struct tandem_error *err) {
  char folder[1000], path[1024];
  struct reader r;
  memset(d, 0, sizeof *d);
  snprintf(folder, sizeof folder, "%s/synth/data", root);
  snprintf(path, sizeof path, "%s/designs.yaml", folder);
  read_all(&r, reader_open(&r, path, err), folder, s, d);
  const int status = reader_close(&r);
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
