/* Runs of launch descriptions with a fault of the RTL switched on, and what notices it. */
#include "harness/cli/bugs.h"

#include <stdio.h>
#include <string.h>

bool bugs_configure(const char *path, bool of_job, struct tandem_config *c,
                    struct tandem_error *err) {
  if (of_job && tandem_config_of_job(c, path, NULL, 0, err) != TANDEM_OK)
    return false;
  c->threads = 1;
  c->max_cycles = 2000000;
  c->hang_cycles = 5000;
  c->pin = false;
  return true;
}

static uint64_t words_of(const struct tandem *t) {
  struct gpu_stats s;
  gpu_statistics(t, &s);
  return s.mem.global_words_loaded + s.mem.global_words_stored + s.feature.spu.words_in +
         s.feature.spu.words_out + s.feature.spu.words_spilled + s.feature.spu.words_restored;
}

bool bugs_run(const char *path, const struct tandem_config *c, struct bugs_outcome *o) {
  struct tandem *t;
  struct tandem_job *job;
  struct tandem_error err;
  memset(o, 0, sizeof *o);
  enum tandem_status status = tandem_open(c, &t, &err);
  if (status != TANDEM_OK) {
    fprintf(stderr, "tandem: %s\n", err.text);
    return false;
  }
  status = tandem_job_open(t, path, &job, &err);
  if (status == TANDEM_OK)
    status = tandem_job_run(job, &err);
  if (status == TANDEM_USAGE)
    fprintf(stderr, "tandem: %s\n", err.text);
  if (status == TANDEM_FAULT) {
    const struct tandem_failure *failure = tandem_failure(t);
    o->failed = true;
    o->cycle = failure->cycle;
    snprintf(o->kind, sizeof o->kind, "%s", failure->kind);
    snprintf(o->where, sizeof o->where, "%s", failure->where);
  } else if (status == TANDEM_OK) {
    o->digest = tandem_digest(t);
    o->words = words_of(t);
  }
  tandem_job_close(job);
  tandem_close(t);
  return status != TANDEM_USAGE;
}

bool bugs_noticed(const struct bugs_outcome *o, const struct bugs_outcome *sound) {
  return o->failed &&
         !(sound->failed && strcmp(o->kind, sound->kind) == 0 && o->cycle == sound->cycle);
}

static void add(char *names, size_t size, const char *name) {
  const size_t n = strlen(names);
  snprintf(names + n, size - n, "%s%s", n == 0 ? "" : " ", name);
}

void bugs_detectors(const char *path, struct tandem_config c, const struct bugs_outcome *sound,
                    char *names, size_t size) {
  struct bugs_outcome none, shadow = {0}, iss = {0};
  *names = '\0';
  c.engine = TANDEM_ENGINE_RTL;
  c.iss = c.feature.spu.shadow = false;
  if (!bugs_run(path, &c, &none))
    return;
  if (c.feature.spu.columns != 0) {
    c.feature.spu.shadow = true;
    (void)bugs_run(path, &c, &shadow);
    c.feature.spu.shadow = false;
  }
  c.iss = true;
  (void)bugs_run(path, &c, &iss);
  if (shadow.failed && (strcmp(shadow.kind, none.kind) != 0 || shadow.cycle != none.cycle))
    add(names, size, "shadow");
  if (iss.failed && strcmp(iss.kind, "iss") == 0)
    add(names, size, "iss");
  if (bugs_noticed(&none, sound))
    add(names, size, none.kind);
  if (!none.failed && none.digest != sound->digest)
    add(names, size, "image");
  if (!none.failed && none.words != sound->words)
    add(names, size, "words");
}
