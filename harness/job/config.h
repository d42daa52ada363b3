/* Configuration keys from text. */
#ifndef TANDEM_CONFIG_H
#define TANDEM_CONFIG_H

#include <stdio.h>

#include "csim/util/config.h"
#include "csim/util/yaml_tree.h"

/* The value that a text gives a key: a number, decimal or 0x hexadecimal, or a word.  what names
 * the key in the error, NULL: its section and name.  0 or -EINVAL. */
int config_parse(const struct config_key *k, const char *what, const char *text, uint64_t *value,
                 struct tandem_error *err);

/* The key of a full name, as "memory.t_rcd"; NULL: err has the reason. */
const struct config_key *config_find(const char *key, struct tandem_error *err);

/* The source of each key's value, in the order of gpu_key_at, as the GPU descriptions that were
 * read give it; NULL: none. */
enum { CONFIG_KEYS = 512 };
struct config_sources {
  char *of[CONFIG_KEYS];
};
/* A key's value has this source from now on; NULL: none.  s NULL: nothing happens. */
void config_note_source(struct config_sources *s, const struct config_key *k, const char *source);
void config_forget_sources(struct config_sources *s);

struct tandem_config;
/* Reads a mapping that describes a GPU over *c, with its sources over *sources (NULL allowed); map
 * NULL: nothing.  0 or a negative errno, and *c is as it was. */
int config_read(struct tandem_config *c, struct yaml_file *f, yaml_node_t *map,
                struct config_sources *sources, struct tandem_error *err);
/* Likewise of a file. */
int config_load(struct tandem_config *c, const char *path, struct config_sources *sources,
                struct tandem_error *err);

/* config_write.c: writes the keys that have other values than by default as a GPU description, but
 * those that leave_out returns true for (NULL: none); depth: of its indentation. */
void config_write(FILE *out, const struct tandem_config *c,
                  bool (*leave_out)(const struct config_key *k), unsigned depth);

/* gpus.c: the GPUs that Tandem has descriptions of (config_is_path: inputs.h).
 *
 * Returns true if Tandem has a GPU of that name; else err names those that there are. */
bool config_has_gpu(const char *name, struct tandem_error *err);
/* All keys of the machine get the values of that GPU, unless *c has one that was chosen
 * (tandem_config_gpu).  0 or a negative errno. */
int config_start(struct tandem_config *c, const char *name, struct config_sources *sources,
                 struct tandem_error *err);
/* Does what tandem_config_gpu does, and gives the sources. */
int config_choose(struct tandem_config *c, const char *gpu, struct config_sources *sources,
                  struct tandem_error *err);

#endif
