/* Configuration of the memory system.  csim/mem/config.def has its keys with defaults, ranges,
 * units and descriptions. */
#ifndef TANDEM_MEM_CONFIG_H
#define TANDEM_MEM_CONFIG_H

#include <stdint.h>

#include "csim/util/config.h"

struct mem_config {
#define CONFIG_NUMBER(section, key, field, ...) uint32_t field;
#define CONFIG_POWER CONFIG_NUMBER
#define CONFIG_SWITCH CONFIG_NUMBER
#include "csim/mem/config.def"
};

void mem_config_default(struct mem_config *c);

/* Checks that every value is within its range and that the rules between them hold.  Returns 0, or
 * -EINVAL with key, value and range in *err, and with the keys in *about (NULL allowed). */
int mem_config_check(const struct mem_config *c, struct config_about *about,
                     struct tandem_error *err);

#endif
