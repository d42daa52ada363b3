/* The tables of configuration keys as one; their defaults and checks. */
#include "harness/gpu/config.h"

#include <string.h>

#include "harness/gpu/feature.h"

/* Offset and size of a field, of the SM's and the memory's structs within that of the GPU. */
#define FIELD(member)                                                                              \
  offsetof(struct tandem_config, member), sizeof(((struct tandem_config *)0)->member)
#define CONFIG_CHOICE CONFIG_CHOICE_ROW
#define CONFIG_SWITCH CONFIG_SWITCH_ROW
#define CONFIG_LATENCIES

static const struct config_key common[] = {
#define CONFIG_NUMBER CONFIG_NUMBER_ROW
#define CONFIG_POWER CONFIG_POWER_ROW
#define CONFIG_PLACE(field) FIELD(field)
#include "harness/gpu/config.def"
};
static const struct config_key models[] = {
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
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* Table i: that of every GPU, those of the features, that of SM and memory; false: no more. */
static bool table_of(size_t i, const struct config_key **rows, size_t *n) {
  if (i == 0) {
    *rows = common;
    *n = COUNT(common);
  } else if (i <= features_count) {
    *rows = features[i - 1]->keys;
    *n = features[i - 1]->nkeys;
  } else {
    *rows = models;
    *n = COUNT(models);
  }
  return i <= features_count + 1;
}

const struct config_key *gpu_key_at(size_t i) {
  const struct config_key *rows;
  size_t n;
  for (size_t table = 0; table_of(table, &rows, &n); i -= n, table++)
    if (i < n)
      return &rows[i];
  return NULL;
}

size_t gpu_noptions(void) {
  size_t n = COUNT(common);
  for (size_t i = 0; i < features_count; i++)
    n += features[i]->nkeys;
  return n;
}

void gpu_config_default(struct tandem_config *c) {
  const struct config_key *rows;
  size_t n;
  memset(c, 0, sizeof *c);
  sm_config_default(&c->sm);
  for (size_t table = 0; table_of(table, &rows, &n); table++)
    config_default(rows, n, c);
  c->trace_to = UINT64_MAX;
  c->trace_sms = 1;
}

const struct config_key *gpu_key(const char *section, const char *name) {
  const struct config_key *k;
  for (size_t i = 0; (k = gpu_key_at(i)) != NULL; i++)
    if (strcmp(k->section, section) == 0 && strcmp(k->name, name) == 0)
      break;
  return k;
}

const char *gpu_word(const struct tandem_config *c, const char *section, const char *name) {
  const struct config_key *k = gpu_key(section, name);
  return k->names[config_get(k, c)];
}

int gpu_config_check(const struct tandem_config *c, struct config_about *about,
                     struct tandem_error *err) {
  const struct config_key *rows;
  size_t n;
  int status = 0;
  for (size_t table = 0; status == 0 && table_of(table, &rows, &n); table++)
    status = config_check(rows, n, c, about, err);
  return status != 0 ? status : mem_config_check(&c->mem, about, err);
}
