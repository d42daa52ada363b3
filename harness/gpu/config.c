/* Configurations: the tables of keys as one, their defaults and checks; texts; tandem.h. */
#include "harness/gpu/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gpu/feature.h"
#include "harness/netlist.h"

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
  strcpy(c->gpu, GPU_DEFAULT);
  c->trace_to = UINT64_MAX;
  c->trace_sms = 1;
}

bool gpu_key_describes(const struct config_key *k) {
  return (k >= models && k < models + COUNT(models)) ||
         (k >= common && k < common + COUNT(common) && *k->section == '\0');
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
  for (size_t table = 0; table_of(table, &rows, &n); table++)
    TRY(config_check(rows, n, c, about, err));
  return mem_config_check(&c->mem, about, err);
}

static void free_text(const char *text) { free((void *)(uintptr_t)text); }

static bool copy_text(const char **to, const char *from) {
  *to = from != NULL ? strdup(from) : NULL;
  return *to != NULL || from == NULL;
}

bool gpu_config_looked_at(const struct tandem_config *c) {
  return c->trace != NULL || c->netlist != NULL || c->instead != NULL || !c->pin;
}

bool config_own_texts(struct tandem_config *c) {
  const struct tandem_config from = *c;
  const bool trace = copy_text(&c->trace, from.trace),
             folder = copy_text(&c->report_dir, from.report_dir),
             ptx = copy_text(&c->keep_ptx, from.keep_ptx),
             command = copy_text(&c->command, from.command), rtl = copy_text(&c->rtl, from.rtl);
  if (trace && folder && ptx && command && rtl)
    return true;
  config_free_texts(c);
  return false;
}

void config_free_texts(struct tandem_config *c) {
  free_text(c->trace);
  free_text(c->report_dir);
  free_text(c->keep_ptx);
  free_text(c->command);
  free_text(c->rtl);
  c->trace = c->report_dir = c->keep_ptx = c->command = c->rtl = NULL;
}

struct tandem_config *tandem_config_create(void) {
  struct tandem_config *c = malloc(sizeof *c);
  if (c != NULL)
    gpu_config_default(c);
  return c;
}

struct tandem_config *tandem_config_copy(const struct tandem_config *c) {
  struct tandem_config *copy = malloc(sizeof *copy);
  if (copy == NULL)
    return NULL;
  *copy = *c;
  if (config_own_texts(copy))
    return copy;
  free(copy);
  return NULL;
}

void tandem_config_destroy(struct tandem_config *c) {
  if (c == NULL)
    return;
  config_free_texts(c);
  free(c);
}

static enum tandem_status set_text(const char **at, const char *text, struct tandem_error *err) {
  const char *copy;
  if (!copy_text(&copy, text)) {
    tandem_fail(err, -ENOMEM, "out of memory for a configuration");
    return TANDEM_USAGE;
  }
  free_text(*at);
  *at = copy;
  return TANDEM_OK;
}

enum tandem_status tandem_config_trace(struct tandem_config *c, const struct tandem_trace *trace,
                                       struct tandem_error *err) {
  if (trace == NULL)
    return set_text(&c->trace, NULL, err);
  if (trace->path == NULL) {
    tandem_fail(err, -EINVAL, "a waveform needs the path of its file");
    return TANDEM_USAGE;
  }
  const enum tandem_status status = set_text(&c->trace, trace->path, err);
  c->trace_from = trace->from;
  c->trace_to = trace->to;
  c->trace_sms = trace->sms == UINT64_MAX ? GPU_TRACE_ALL : trace->sms;
  c->trace_gpu = trace->gpu;
  return status;
}

enum tandem_status tandem_config_report(struct tandem_config *c, const char *folder,
                                        const char *command, struct tandem_error *err) {
  const enum tandem_status status = set_text(&c->report_dir, folder, err);
  return status == TANDEM_OK ? set_text(&c->command, command, err) : status;
}

void tandem_config_trust(struct tandem_config *c, bool trust) { c->trust = trust; }

void tandem_config_stop(struct tandem_config *c, uint64_t cycle) { c->stop = cycle; }

void tandem_config_progress(struct tandem_config *c,
                            void (*on_progress)(void *user, const struct tandem_progress *progress),
                            void *user) {
  c->on_progress = on_progress;
  c->user = user;
}

enum tandem_status tandem_config_rtl(struct tandem_config *c, const char *folder,
                                     struct tandem_error *err) {
  return set_text(&c->rtl, folder, err);
}

void tandem_config_instead(struct tandem_config *c, const struct tandem_instead *instead) {
  c->instead = instead;
}

void tandem_config_netlist(struct tandem_config *c, const struct tandem_netlist *netlist) {
  c->netlist = netlist;
}
