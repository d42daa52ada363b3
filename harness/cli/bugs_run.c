/* Runs of launch descriptions with a seeded fault switched on, and which checks notice it. */
#include "harness/cli/bugs.h"

#include <stdio.h>
#include <string.h>

struct tandem_job *bugs_read(const char *path, bool of_job, struct tandem_config *c,
                             struct tandem_error *err) {
  struct tandem_job *job;
  if (tandem_job_read(path, NULL, 0, &job, err) != TANDEM_OK)
    return NULL;
  if (of_job && tandem_job_config(job, c, err) != TANDEM_OK) {
    tandem_job_close(job);
    return NULL;
  }
  c->threads = 1;
  c->max_cycles = 2000000;
  c->hang_cycles = 5000;
  c->pin = false;
  return job;
}

bool bugs_run(struct tandem_job *job, const struct tandem_config *c, struct bugs_outcome *o) {
  struct tandem *t;
  struct tandem_error err;
  *o = (struct bugs_outcome){0};
  enum tandem_status status = tandem_open(c, &t, &err);
  if (status == TANDEM_OK)
    status = tandem_job_bind(job, t, &err);
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
  }
  tandem_job_close(job);
  tandem_close(t);
  return status != TANDEM_USAGE;
}

/* Runs a description with this configuration. */
static bool run(const char *path, struct tandem_config c, struct bugs_outcome *o) {
  struct tandem_error err;
  struct tandem_job *job = bugs_read(path, false, &c, &err);
  return job != NULL && bugs_run(job, &c, o);
}

static void add(char *names, size_t size, const char *name) {
  const size_t n = strlen(names);
  snprintf(names + n, size - n, "%s%s", n == 0 ? "" : " ", name);
}

void bugs_detectors(const char *path, struct tandem_config c, uint64_t sound, char *names,
                    size_t size) {
  struct bugs_outcome none, shadow = {0}, iss = {0};
  c.engine = TANDEM_ENGINE_RTL;
  c.iss = false;
  *names = '\0';
  /* The shadow is a feature's check: without the feature there is no such key. */
  const bool has_shadow = tandem_config_set(&c, "run.shadow", "false", NULL) == TANDEM_OK;
  if (!run(path, c, &none))
    return;
  if (has_shadow) {
    (void)tandem_config_set(&c, "run.shadow", "true", NULL);
    (void)run(path, c, &shadow);
    (void)tandem_config_set(&c, "run.shadow", "false", NULL);
  }
  c.iss = true;
  (void)run(path, c, &iss);
  if (shadow.failed && (strcmp(shadow.kind, none.kind) != 0 || shadow.cycle != none.cycle))
    add(names, size, "shadow");
  if (iss.failed && strcmp(iss.kind, "iss") == 0)
    add(names, size, "iss");
  if (none.failed)
    add(names, size, none.kind);
  else if (none.digest != sound)
    add(names, size, "image");
}
