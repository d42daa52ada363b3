/* Shared by the tests of the library. */
#ifndef TANDEM_TESTS_SYSTEM_HELPERS_H
#define TANDEM_TESTS_SYSTEM_HELPERS_H

#include <unistd.h>

#include "harness/gpu/config.h"
#include "harness/gpu/results/statistics.h"
#include "tests/kernels/small.h"
#include "tests/test.h"

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

/* Reads a text as a GPU description. */
static inline enum tandem_status read_config(const char *text, struct tandem_config *c,
                                             struct tandem_error *err) {
  char path[] = "/tmp/tandem-gpu-XXXXXX";
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
  err->text[0] = '\0';
  gpu_config_default(c);
  enum tandem_status status = tandem_config_load(c, path, err);
  unlink(path);
  return status;
}

/* Runs, checks and closes a job that was opened with this status. */
static inline enum tandem_status run_job(enum tandem_status status, struct tandem_job *job,
                                         struct tandem_error *err) {
  if (status == TANDEM_OK)
    status = tandem_job_run(job, err);
  if (status == TANDEM_OK)
    status = tandem_job_check(job, err);
  tandem_job_close(job);
  return status;
}

/* Runs a launch description from a text on a new GPU.  The caller closes *t. */
static inline enum tandem_status run_text(const struct tandem_config *c, const char *text,
                                          struct tandem **t, struct tandem_error *err) {
  struct tandem_job *job;
  *t = open_gpu(c);
  err->text[0] = '\0';
  const enum tandem_status status =
      tandem_job_open_text(*t, text, PROGRAMS "/text.yaml", &job, err);
  return run_job(status, job, err);
}

/* A kernel of tests/kernels, scaled down, on a new GPU.  The caller closes *t. */
static inline enum tandem_status run_kernel(const struct tandem_config *c, const char *kernel,
                                            struct tandem **t, struct tandem_error *err) {
  char path[512];
  size_t n;
  const struct tandem_parameter *small = kernel_small(kernel, &n);
  struct tandem_job *job;
  snprintf(path, sizeof path, "%s/%s/%s.yaml", KERNELS, kernel, kernel);
  *t = open_gpu(c);
  const enum tandem_status status = tandem_job_open_with(*t, path, small, n, &job, err);
  return run_job(status, job, err);
}

/* A configuration that cannot be, and what its error says. */
static inline void refused(const struct tandem_config *c, const char *part) {
  struct tandem *t;
  struct tandem_error err;
  assert_int_equal(tandem_open(c, &t, &err), TANDEM_USAGE);
  contains(err.text, part);
}

#endif
