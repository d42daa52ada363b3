/* Configuration keys: what one line of a table (csim/mem/config.def, csim/sm/config.def,
 * harness/gpu/config.def) says, and defaults, ranges and texts made from it.
 *
 * Lines of a table.  `field` is the member of the table's struct that holds the value; `text` says
 * in one line what it is; `section` is "" for keys of the top level.
 *
 *   CONFIG_NUMBER(section, key, field, standard, low, high, unit, text)
 *   CONFIG_POWER(section, key, field, standard, low, high, unit, text)   powers of two alone
 *   CONFIG_CHOICE(section, key, field, standard, names, text)   a word; its number is the value
 *   CONFIG_SWITCH(section, key, field, standard, text)          false or true
 *   CONFIG_RULE(section, condition, text, key, ...)             must hold of *c, the struct;
 * between the keys named, four at most
 *
 * Who includes a table defines all macros that it uses; the table undefines them at its end.
 */
#ifndef TANDEM_UTIL_CONFIG_H
#define TANDEM_UTIL_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csim/util/error.h"

struct config_key {
  const char *section, *name;
  const char *option;  /* its name, with _ or - between words */
  size_t offset, size; /* place of the value within the struct: 1, 4 or 8 bytes */
  uint64_t standard, low, high;
  bool power;               /* powers of two alone */
  const char *const *names; /* words in the place of numbers, NULL-ended; NULL: a number */
  const char *unit;         /* "": a count */
  const char *text;
};

/* The keys that an error is about, for a caller who knows where their values were written. */
struct config_about {
  const char *section;
  const char *key[5]; /* NULL-ended */
};

/* Lines of a table as elements of an array of struct config_key.  CONFIG_PLACE(field) is the
 * includer's: offset and size of a field. */
#define CONFIG_ROW(section, key, field, ...)                                                       \
  {section, #key, #field, CONFIG_PLACE(field), __VA_ARGS__},
#define CONFIG_NUMBER_ROW(section, key, field, standard, low, high, unit, text)                    \
  CONFIG_ROW(section, key, field, standard, low, high, false, NULL, unit, text)
#define CONFIG_POWER_ROW(section, key, field, standard, low, high, unit, text)                     \
  CONFIG_ROW(section, key, field, standard, low, high, true, NULL, unit, text)
#define CONFIG_CHOICE_ROW(section, key, field, standard, names, text)                              \
  CONFIG_ROW(section, key, field, standard, 0, UINT32_MAX, false, names, "", text)
#define CONFIG_SWITCH_ROW(section, key, field, standard, text)                                     \
  CONFIG_ROW(section, key, field, standard, 0, 1, false, config_switch, "", text)

/* The words of a choice. */
#define WORDS(...)                                                                                 \
  (const char *const[]) { __VA_ARGS__, NULL }
extern const char *const config_switch[]; /* "false", "true" */

uint64_t config_get(const struct config_key *k, const void *config);
void config_put(const struct config_key *k, void *config, uint64_t value);

/* Gives each of n keys its default. */
void config_default(const struct config_key *keys, size_t n, void *config);

/* Returns whether the value is one of the key's. */
bool config_takes(const struct config_key *k, uint64_t value);

/* Writes the values of the key as text, as "1 to 64" or "gto or lrr". */
void config_range(const struct config_key *k, char *text, size_t size);

/* The value as text: a word or a decimal number. */
void config_value(const struct config_key *k, uint64_t value, char *text, size_t size);

/* "WHAT must be RANGE UNIT, not VALUE"; what is NULL for section and name.  -EINVAL. */
int config_refuse(const struct config_key *k, const char *what, const char *value,
                  struct tandem_error *err);

/* Checks that all values are within their ranges.  Returns 0, or -EINVAL with *about (NULL
 * allowed). */
int config_check(const struct config_key *keys, size_t n, const void *config,
                 struct config_about *about, struct tandem_error *err);

/* A CONFIG_RULE that does not hold of the keys named (NULL-ended).  -EINVAL, about filled. */
int config_broken(const struct config_key *keys, size_t n, const void *config, const char *section,
                  const char *text, const char *const *names, struct config_about *about,
                  struct tandem_error *err);

#endif
