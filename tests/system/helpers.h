/* Shared by the tests of the library. */
#ifndef TANDEM_TESTS_SYSTEM_HELPERS_H
#define TANDEM_TESTS_SYSTEM_HELPERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/internal.h"

static inline void contains(const char *text, const char *part) {
  if (strstr(text, part) == NULL)
    fail_msg("\"%s\" is not in: %s", part, text);
}

/* A small GPU; everything else as by default. */
static inline struct tandem_config small(enum tandem_engine engine) {
  struct tandem_config c;
  gpu_config_default(&c);
  c.sms = 2;
  c.threads = 1;
  c.engine = engine;
  return c;
}

static inline struct tandem *open_gpu(const struct tandem_config *c) {
  struct tandem *t;
  struct tandem_error err;
  if (tandem_open(c, &t, &err) != TANDEM_OK)
    fail_msg("open: %s", err.text);
  return t;
}

/* Runs a launch description from a text on a new GPU.  The caller closes *t. */
static inline enum tandem_status run_text(const struct tandem_config *c, const char *text,
                                          struct tandem **t, struct tandem_error *err) {
  struct tandem_job *job;
  *t = open_gpu(c);
  err->text[0] = '\0';
  enum tandem_status status = tandem_job_open_text(*t, text, PROGRAMS "/text.yaml", &job, err);
  if (status == TANDEM_OK)
    status = tandem_job_run(job, err);
  if (status == TANDEM_OK)
    status = tandem_job_check(job, err);
  tandem_job_close(job);
  return status;
}

/* A kernel of tests/kernels on a new GPU.  The caller closes *t. */
static inline enum tandem_status run_kernel(const struct tandem_config *c, const char *kernel,
                                            struct tandem **t, struct tandem_error *err) {
  char path[512];
  struct tandem_job *job;
  snprintf(path, sizeof path, "%s/%s/%s.yaml", KERNELS, kernel, kernel);
  *t = open_gpu(c);
  enum tandem_status status = tandem_job_open(*t, path, &job, err);
  if (status == TANDEM_OK)
    status = tandem_job_run(job, err);
  if (status == TANDEM_OK)
    status = tandem_job_check(job, err);
  tandem_job_close(job);
  return status;
}

/* A configuration that cannot be, and what its error says. */
static inline void refused(const struct tandem_config *c, const char *part) {
  struct tandem *t;
  struct tandem_error err;
  assert_int_equal(tandem_open(c, &t, &err), TANDEM_USAGE);
  contains(err.text, part);
}

#endif
