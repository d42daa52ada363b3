/* All configuration keys in one table; their defaults and checks. */
#include "harness/gpu/config.h"

#include <string.h>

/* Offset and size of a field, of the SM's and the memory's structs within that of the GPU. */
#define FIELD(member)                                                                              \
  offsetof(struct tandem_config, member), sizeof(((struct tandem_config *)0)->member)
#define CONFIG_CHOICE CONFIG_CHOICE_ROW
#define CONFIG_SWITCH CONFIG_SWITCH_ROW
#define CONFIG_LATENCIES

const struct config_key gpu_keys[] = {
#define CONFIG_NUMBER CONFIG_NUMBER_ROW
#define CONFIG_POWER CONFIG_POWER_ROW
#define CONFIG_PLACE(field) FIELD(field)
#include "harness/gpu/config.def"
#undef CONFIG_PLACE
#define CONFIG_NUMBER CONFIG_NUMBER_ROW
#define CONFIG_POWER CONFIG_POWER_ROW
#define CONFIG_PLACE(field) FIELD(sm.field)
#include "csim/sm/config.def"
#undef CONFIG_PLACE
#define CONFIG_NUMBER CONFIG_NUMBER_ROW
#define CONFIG_POWER CONFIG_POWER_ROW
#define CONFIG_SWITCH CONFIG_SWITCH_ROW
#define CONFIG_PLACE(field) FIELD(mem.field)
#include "csim/mem/config.def"
};
const size_t gpu_nkeys = sizeof gpu_keys / sizeof gpu_keys[0];

#define CONFIG_NUMBER(...) +1
#define CONFIG_POWER(...) +1
#define CONFIG_CHOICE(...) +1
#define CONFIG_SWITCH(...) +1
const size_t gpu_noptions = 0
#include "harness/gpu/config.def"
    ;

void gpu_config_default(struct tandem_config *c) {
  memset(c, 0, sizeof *c);
  sm_config_default(&c->sm);
  config_default(gpu_keys, gpu_nkeys, c);
  c->trace_to = UINT64_MAX;
  c->trace_sms = 1;
}

const struct config_key *gpu_key(const char *section, const char *name) {
  for (const struct config_key *k = gpu_keys; k < gpu_keys + gpu_nkeys; k++)
    if (strcmp(k->section, section) == 0 && strcmp(k->name, name) == 0)
      return k;
  return NULL;
}

const char *gpu_word(const struct tandem_config *c, const char *section, const char *name) {
  const struct config_key *k = gpu_key(section, name);
  return k->names[config_get(k, c)];
}

int gpu_config_check(const struct tandem_config *c, struct config_about *about,
                     struct tandem_error *err) {
  const int status = config_check(gpu_keys, gpu_nkeys, c, about, err);
  return status != 0 ? status : mem_config_check(&c->mem, about, err);
}
