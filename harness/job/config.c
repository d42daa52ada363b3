/* Configuration from text: single keys, and GPU descriptions in YAML.  The keys are those of
 * harness/gpu/config.h. */
#include "harness/job/config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/yaml_tree.h"
#include "harness/gpu/config.h"
#include "harness/gpu/core/machine.h"
#include "harness/gpu/feature.h"

int config_parse(const struct config_key *k, const char *what, const char *text, uint64_t *value,
                 struct tandem_error *err) {
  bool negative = false, good = false;
  if (k->names == NULL)
    good = yaml_whole(text, &negative, value) && (!negative || *value == 0);
  for (uint64_t i = 0; k->names != NULL && k->names[i] != NULL && !good; i++)
    if (strcmp(k->names[i], text) == 0) {
      *value = i;
      good = true;
    }
  return good && config_takes(k, *value) ? 0 : config_refuse(k, what, text, err);
}

/* "memory.t_rcd" */
static void full_name(const struct config_key *k, char *name, size_t size) {
  snprintf(name, size, "%s%s%s", k->section, *k->section != '\0' ? "." : "", k->name);
}

const struct config_key *config_find(const char *key, struct tandem_error *err) {
  const struct config_key *k;
  for (size_t i = 0; key != NULL && (k = gpu_key_at(i)) != NULL; i++) {
    char name[96];
    full_name(k, name, sizeof name);
    if (strcmp(name, key) == 0)
      return k;
  }
  tandem_fail(err, -EINVAL, "there is no configuration key \"%s\" (`tandem config` lists all)",
              key != NULL ? key : "");
  return NULL;
}

enum tandem_status tandem_config_set(struct tandem_config *c, const char *key, const char *value,
                                     struct tandem_error *err) {
  const struct config_key *k = config_find(key, err);
  uint64_t v;
  if (k == NULL || config_parse(k, NULL, value != NULL ? value : "", &v, err) != 0)
    return TANDEM_USAGE;
  config_put(k, c, v);
  return TANDEM_OK;
}

enum tandem_status tandem_config_get(const struct tandem_config *c, const char *key, char *value,
                                     size_t size, struct tandem_error *err) {
  const struct config_key *k = config_find(key, err);
  char text[32];
  if (k == NULL)
    return TANDEM_USAGE;
  config_value(k, config_get(k, c), text, sizeof text);
  if (value == NULL || strlen(text) >= size) {
    tandem_fail(err, -EINVAL, "the value of %s takes %zu bytes, more than there is room for", key,
                strlen(text) + 1);
    return TANDEM_USAGE;
  }
  strcpy(value, text);
  return TANDEM_OK;
}

enum tandem_status tandem_config_number(const struct tandem_config *c, const char *key,
                                        uint64_t *value, struct tandem_error *err) {
  const struct config_key *k = config_find(key, err);
  if (k == NULL)
    return TANDEM_USAGE;
  if (k->names != NULL) {
    tandem_fail(err, -EINVAL, "the value of %s is a word, not a number", key);
    return TANDEM_USAGE;
  }
  *value = config_get(k, c);
  return TANDEM_OK;
}

/* The part of a section's name that is directly below `section`, in *name: "latency" of
 * "sm.latency.int_add" below "sm".  False if there is none. */
static bool part_below(const char *section, const char *of, char *name, size_t size) {
  const size_t n = strlen(section);
  if (n != 0 && (strncmp(of, section, n) != 0 || of[n] != '.'))
    return false;
  of += n + (n != 0);
  snprintf(name, size, "%.*s", (int)strcspn(of, "."), of);
  return *name != '\0';
}

/* The names that a section's mapping may have: keys, and sections below it; then some others. */
enum { NAMES = 128, NAME = 32 };
struct names {
  size_t n, keys;
  char text[NAMES][NAME];
  const char *list[NAMES + 1]; /* NULL-ended */
};

static void add_name(struct names *names, const char *name) {
  for (size_t i = 0; i < names->n; i++)
    if (strcmp(names->text[i], name) == 0)
      return;
  if (names->n < NAMES) {
    snprintf(names->text[names->n], NAME, "%s", name);
    names->list[names->n] = names->text[names->n];
    names->list[++names->n] = NULL;
  }
}

static void names_of(const char *section, struct names *names) {
  names->n = 0;
  const struct config_key *k;
  for (size_t i = 0; (k = gpu_key_at(i)) != NULL; i++) {
    char part[NAME];
    if (strcmp(k->section, section) == 0) {
      const size_t n = strlen(k->name);
      char pair[NAME];
      add_name(names, k->name);
      if (n > 2 && strcmp(k->name + n - 2, "_x") == 0) {
        snprintf(pair, sizeof pair, "%.*s", (int)(n - 2), k->name);
        add_name(names, pair);
      }
    } else if (part_below(section, k->section, part, sizeof part))
      add_name(names, part);
  }
  names->keys = names->n;
}

/* A description that is read, and where its keys go. */
struct reading {
  struct yaml_file *f;
  struct tandem_config *c;
  struct config_sources *sources; /* NULL: not wanted */
};

void config_forget_sources(struct config_sources *s) {
  for (size_t i = 0; i < CONFIG_KEYS; i++) {
    free(s->of[i]);
    s->of[i] = NULL;
  }
}

void config_note_source(struct config_sources *s, const struct config_key *k, const char *source) {
  size_t i = 0;
  while (s != NULL && gpu_key_at(i) != k)
    i++;
  if (s == NULL || i >= CONFIG_KEYS)
    return;
  free(s->of[i]);
  s->of[i] = source != NULL ? strdup(source) : NULL;
}

/* The text of a mapping's `source`; *source stays if there is none. */
static int read_source(struct reading *r, yaml_node_t *map, const char **source,
                       struct tandem_error *err) {
  yaml_node_t *node = yaml_get(r->f, map, "source");
  return node != NULL ? yaml_text(r->f, node, "source", source, err) : 0;
}

/* A value, or a mapping with the value and its source.  source: that of the section. */
static int read_value(struct reading *r, const struct config_key *k, yaml_node_t *node,
                      const char *source, struct tandem_error *err) {
  static const char *const keys[] = {"value", "source", NULL};
  char name[96];
  const char *text;
  uint64_t value;
  struct tandem_error why;
  full_name(k, name, sizeof name);
  if (node->type == YAML_MAPPING_NODE) {
    yaml_node_t *map = node;
    TRY(yaml_map(r->f, map, name, keys, err));
    TRY(read_source(r, map, &source, err));
    if ((node = yaml_get(r->f, map, "value")) == NULL)
      return yaml_fail(r->f, map, err, "%s needs a value", name);
  }
  TRY(yaml_text(r->f, node, name, &text, err));
  if (config_parse(k, NULL, text, &value, &why) != 0)
    return yaml_fail(r->f, node, err, "%s", why.text);
  config_put(k, r->c, value);
  config_note_source(r->sources, k, source);
  return 0;
}

/* A list of two numbers sets the keys NAME_x and NAME_y: as blocks: [2, 1]. */
static int read_pair(struct reading *r, const char *section, const char *name, yaml_node_t *list,
                     const char *source, struct tandem_error *err) {
  TRY(yaml_list(r->f, list, name, err));
  if (yaml_count(list) != 2)
    return yaml_fail(r->f, list, err, "%s is a list of two numbers, x and y", name);
  for (unsigned i = 0; i < 2; i++) {
    char key[NAME + 2];
    snprintf(key, sizeof key, "%s_%c", name, i == 0 ? 'x' : 'y');
    TRY(read_value(r, gpu_key(section, key), yaml_item(r->f, list, i), source, err));
  }
  return 0;
}

/* Returns true if a name stands for a pair of keys. */
static bool is_pair(const char *section, const char *name) {
  char key[NAME + 2];
  snprintf(key, sizeof key, "%s_x", name);
  return gpu_key(section, name) == NULL && gpu_key(section, key) != NULL;
}

/* Reads a section's mapping, and the sections below it, whose values have the section's source. */
static int read_section(struct reading *r, yaml_node_t *map, const char *section,
                        const char *source, struct tandem_error *err) {
  struct names names;
  names_of(section, &names);
  add_name(&names, "source");
  if (*section == '\0')
    add_name(&names, "base");
  TRY(yaml_map(r->f, map, *section != '\0' ? section : "the GPU description", names.list, err));
  TRY(read_source(r, map, &source, err));
  for (size_t i = 0; i < names.keys; i++) {
    yaml_node_t *node = yaml_get(r->f, map, names.list[i]);
    const struct config_key *k = gpu_key(section, names.list[i]);
    char below[96];
    if (node == NULL)
      continue;
    snprintf(below, sizeof below, "%s%s%s", section, *section != '\0' ? "." : "", names.list[i]);
    if (is_pair(section, names.list[i]))
      TRY(read_pair(r, section, names.list[i], node, source, err));
    else
      TRY(k != NULL ? read_value(r, k, node, source, err)
                    : read_section(r, node, below, source, err));
  }
  return 0;
}

/* Values that are within their ranges and yet do not go together: reported at the first of the keys
 * that the file has, if it has one; else they are not the file's. */
static int check_together(const struct tandem_config *c, struct yaml_file *f, yaml_node_t *root,
                          struct tandem_error *err) {
  struct config_about about;
  struct tandem_error why;
  const yaml_node_t *at = NULL;
  if (gpu_config_check(c, &about, &why) != 0) {
    yaml_node_t *map = *about.section != '\0' ? yaml_get(f, root, about.section) : root;
    for (size_t i = 0; map != NULL && at == NULL && about.key[i] != NULL; i++)
      at = yaml_get(f, map, about.key[i]);
  } else if (machine_check(c, &why) != 0) {
    for (size_t i = 0; at == NULL && i < features_count; i++)
      if (features[i]->present != NULL && features[i]->present(c))
        at = yaml_get(f, root, features[i]->name);
  }
  return at != NULL ? yaml_fail(f, at, err, "%s", why.text) : 0;
}

/* The GPU that a description begins with. */
static int read_base(struct reading *r, yaml_node_t *map, struct tandem_error *err) {
  yaml_node_t *node = yaml_get(r->f, map, "base");
  const char *name;
  struct tandem_error why;
  if (node == NULL)
    return 0;
  TRY(yaml_text(r->f, node, "base", &name, err));
  if (!config_has_gpu(name, &why))
    return yaml_fail(r->f, node, err, "base: %s", why.text);
  return config_start(r->c, name, r->sources, err);
}

int config_read(struct tandem_config *c, struct yaml_file *f, yaml_node_t *map,
                struct config_sources *sources, struct tandem_error *err) {
  struct tandem_config read = *c;
  struct reading r = {f, &read, sources};
  if (map == NULL)
    return 0;
  if (map->type == YAML_MAPPING_NODE)
    TRY(read_base(&r, map, err));
  TRY(read_section(&r, map, "", NULL, err));
  TRY(check_together(&read, f, map, err));
  *c = read;
  return 0;
}

int config_load(struct tandem_config *c, const char *path, struct config_sources *sources,
                struct tandem_error *err) {
  struct yaml_file f;
  if (path == NULL)
    return tandem_fail(err, -EINVAL, "a GPU description needs a path");
  TRY(yaml_open(&f, path, err));
  const int status =
      config_read(c, &f, yaml_root(&f), sources, err); /* an empty description changes nothing */
  yaml_close(&f);
  return status;
}

enum tandem_status tandem_config_load(struct tandem_config *c, const char *path,
                                      struct tandem_error *err) {
  return config_load(c, path, NULL, err) != 0 ? TANDEM_USAGE : TANDEM_OK;
}
