/* The table of configuration keys, for the reader and for the test of docs/configuration.md. */
#ifndef TANDEM_CONFIG_H
#define TANDEM_CONFIG_H

#include "harness/tandem.h"

struct config_key {
  const char *section, *key; /* section "": top level */
  size_t offset, size;       /* in struct tandem_config */
  uint64_t min, max;
  const char *const *names; /* a choice instead of a number: value is the index */
};
extern const struct config_key config_keys[]; /* ended by a key of NULL */

#endif
