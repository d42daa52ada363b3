/* Defaults and checks of the memory system's configuration, from its table. */
#include "csim/mem/mem_config.h"

#include "csim/mem/l1/sm_mem.h"

#define CONFIG_PLACE(field) offsetof(struct mem_config, field), sizeof(uint32_t)
static const struct config_key keys[] = {
#define CONFIG_NUMBER CONFIG_NUMBER_ROW
#define CONFIG_POWER CONFIG_POWER_ROW
#define CONFIG_SWITCH CONFIG_SWITCH_ROW
#include "csim/mem/config.def"
};
enum { KEYS = sizeof keys / sizeof keys[0] };

/* The upper ends of the ranges, which the model must be made for. */
enum {
#define CONFIG_NUMBER(section, key, field, standard, low, high, ...) MOST_##key = (high),
#define CONFIG_POWER CONFIG_NUMBER
#define CONFIG_SWITCH(...)
#include "csim/mem/config.def"
};
_Static_assert((int)MOST_partitions <= (int)MEM_PARTS, "partitions");
_Static_assert((int)MOST_dram_banks <= (int)DRAM_BANKS && (int)MOST_dram_groups <= (int)DRAM_BANKS,
               "DRAM banks");
_Static_assert((int)MOST_shared_banks <= 32, "a mask of banks has 32 bits");

void mem_config_default(struct mem_config *c) { config_default(keys, KEYS, c); }

static int check_rules(const struct mem_config *c, struct config_about *about,
                       struct tandem_error *err) {
#define CONFIG_NUMBER(...)
#define CONFIG_POWER(...)
#define CONFIG_SWITCH(...)
#define CONFIG_RULE(section, condition, text, ...)                                                 \
  if (!(condition))                                                                                \
    return config_broken(keys, KEYS, c, section, text, (const char *const[]){__VA_ARGS__, NULL},   \
                         about, err);
#include "csim/mem/config.def"
  return 0;
}

int mem_config_check(const struct mem_config *c, struct config_about *about,
                     struct tandem_error *err) {
  TRY(config_check(keys, KEYS, c, about, err));
  return check_rules(c, about, err);
}
