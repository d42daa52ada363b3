/* Configuration keys from text. */
#ifndef TANDEM_CONFIG_H
#define TANDEM_CONFIG_H

#include "csim/util/config.h"

/* The value that a text gives a key: a number, decimal or 0x hexadecimal, or a word.  what names
 * the key in the error, NULL: its section and name.  0 or -EINVAL. */
int config_parse(const struct config_key *k, const char *what, const char *text, uint64_t *value,
                 struct tandem_error *err);

#endif
