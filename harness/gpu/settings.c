/* Configurations as handles, and their settings that are no keys. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gpu/config.h"
#include "harness/netlist.h"

static void free_text(const char *text) { free((void *)(uintptr_t)text); }

static bool copy_text(const char **to, const char *from) {
  *to = from != NULL ? strdup(from) : NULL;
  return *to != NULL || from == NULL;
}

bool config_own_texts(struct tandem_config *c) {
  const struct tandem_config from = *c;
  const bool trace = copy_text(&c->trace, from.trace),
             folder = copy_text(&c->report_dir, from.report_dir),
             command = copy_text(&c->command, from.command), rtl = copy_text(&c->rtl, from.rtl);
  if (trace && folder && command && rtl)
    return true;
  config_free_texts(c);
  return false;
}

void config_free_texts(struct tandem_config *c) {
  free_text(c->trace);
  free_text(c->report_dir);
  free_text(c->command);
  free_text(c->rtl);
  c->trace = c->report_dir = c->command = c->rtl = NULL;
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
