/* Configuration keys from text. */
#ifndef TANDEM_CONFIG_H
#define TANDEM_CONFIG_H

#include "csim/util/config.h"
#include "csim/util/yaml_tree.h"

/* The value that a text gives a key: a number, decimal or 0x hexadecimal, or a word.  what names
 * the key in the error, NULL: its section and name.  0 or -EINVAL. */
int config_parse(const struct config_key *k, const char *what, const char *text, uint64_t *value,
                 struct tandem_error *err);

/* The key of a full name, as "memory.t_rcd"; NULL: err has the reason. */
const struct config_key *config_find(const char *key, struct tandem_error *err);

struct tandem_config;
/* Reads a mapping that describes a GPU over *c; NULL: nothing.  0 or a negative errno, and *c is as
 * it was. */
int config_read(struct tandem_config *c, struct yaml_file *f, yaml_node_t *map,
                struct tandem_error *err);

#endif
