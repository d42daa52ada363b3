/* Carrying out a launch description and comparing with what it expects. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/job/job.h"

static enum tandem_status at_line(const struct tandem_job *job, unsigned line,
                                  enum tandem_status status, struct tandem_error *err) {
  if (status != TANDEM_USAGE || err == NULL)
    return status;
  char text[sizeof err->text];
  memcpy(text, err->text, sizeof text);
  tandem_fail(err, 0, "%s:%u: %s", job->file.name, line, text);
  return status;
}

static enum tandem_status copy(struct tandem_job *job, const struct job_step *s,
                               struct tandem_error *err) {
  void *data = malloc(s->from->bytes);
  if (data == NULL) {
    tandem_fail(err, -ENOMEM, "out of memory");
    return TANDEM_USAGE;
  }
  enum tandem_status status = tandem_read(job->t, s->from->address, data, s->from->bytes, err);
  if (status == TANDEM_OK)
    status = tandem_write(job->t, s->to->address, data, s->from->bytes, err);
  free(data);
  return status;
}

static enum tandem_status run_steps(struct tandem_job *job, const struct job_steps *steps,
                                    struct tandem_error *err);

static enum tandem_status until_zero(struct tandem_job *job, const struct job_step *s,
                                     struct tandem_error *err) {
  for (uint64_t n = 0;; n++) {
    uint32_t word;
    enum tandem_status status = tandem_read(job->t, s->to->address, &word, sizeof word, err);
    if (status != TANDEM_OK || word == 0)
      return status;
    if (n == s->times) {
      tandem_fail(err, 0, "%s:%u: buffer \"%s\" is still not 0 after %" PRIu64 " repetitions",
                  job->file.name, s->line, s->to->name, n);
      return TANDEM_FAULT;
    }
    status = run_steps(job, &s->steps, err);
    if (status != TANDEM_OK)
      return status;
  }
}

static enum tandem_status run_step(struct tandem_job *job, const struct job_step *s,
                                   struct tandem_error *err) {
  enum tandem_status status = TANDEM_OK;
  switch (s->kind) {
  case JOB_LAUNCH:
    return at_line(job, s->line, tandem_launch(job->t, &s->launch, err), err);
  case JOB_WRITE:
    return tandem_write(job->t, s->to->address + (uint32_t)s->offset, s->data, s->bytes, err);
  case JOB_COPY:
    return copy(job, s, err);
  case JOB_REPEAT:
    for (uint64_t i = 0; status == TANDEM_OK && i < s->times; i++)
      status = run_steps(job, &s->steps, err);
    return status;
  case JOB_UNTIL_ZERO:
    return until_zero(job, s, err);
  }
  return status;
}

static enum tandem_status run_steps(struct tandem_job *job, const struct job_steps *steps,
                                    struct tandem_error *err) {
  enum tandem_status status = TANDEM_OK;
  for (size_t i = 0; status == TANDEM_OK && i < steps->n; i++)
    status = run_step(job, &steps->step[i], err);
  return status;
}

/* ---- repetitions of the whole ---- */

/* Reads or writes the contents of all buffers, one after the other in *data. */
static enum tandem_status move_buffers(struct tandem_job *job, char *data, bool write,
                                       struct tandem_error *err) {
  enum tandem_status status = TANDEM_OK;
  for (size_t i = 0; status == TANDEM_OK && i < job->nbuffers; i++) {
    const struct job_buffer *b = &job->buffers[i];
    status = write ? tandem_write(job->t, b->address, data, b->bytes, err)
                   : tandem_read(job->t, b->address, data, b->bytes, err);
    data += b->bytes;
  }
  return status;
}

/* Carries out the steps several times, each time with the buffers as they are now. */
static enum tandem_status repeat_all(struct tandem_job *job, uint64_t times,
                                     struct tandem_error *err) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < job->nbuffers; i++)
    bytes += job->buffers[i].bytes;
  char *data = malloc(bytes + 1);
  if (data == NULL) {
    tandem_fail(err, -ENOMEM, "out of memory");
    return TANDEM_USAGE;
  }
  enum tandem_status status = move_buffers(job, data, false, err);
  for (uint64_t i = 0; status == TANDEM_OK && i < times; i++) {
    if (i != 0)
      status = move_buffers(job, data, true, err);
    if (status == TANDEM_OK)
      status = run_steps(job, &job->steps, err);
  }
  free(data);
  return status;
}

enum tandem_status tandem_job_run(struct tandem_job *job, struct tandem_error *err) {
  const uint64_t times = job->t->config.repeat;
  return times == 1 ? run_steps(job, &job->steps, err) : repeat_all(job, times, err);
}

/* ---- expectations ---- */

/* Distance in units of the last place: how many floats lie between, of their bits as integers. */
static double ulps(int64_t a, int64_t b, int64_t lowest) {
  a = a < 0 ? lowest - a : a;
  b = b < 0 ? lowest - b : b;
  return (double)(a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a);
}

static bool near(const struct job_expect *e, const void *got, const void *expected) {
  const unsigned bytes = job_type_bytes(e->buffer->type);
  if (memcmp(got, expected, bytes) == 0)
    return true;
  if (e->tolerance == JOB_EXACT)
    return false;
  double g, x, distance;
  if (bytes == 4) {
    float gf, xf;
    int32_t gi, xi;
    memcpy(&gf, got, 4), memcpy(&xf, expected, 4);
    memcpy(&gi, got, 4), memcpy(&xi, expected, 4);
    g = gf, x = xf;
    distance = ulps(gi, xi, INT32_MIN);
  } else {
    int64_t gi, xi;
    memcpy(&g, got, 8), memcpy(&x, expected, 8);
    memcpy(&gi, got, 8), memcpy(&xi, expected, 8);
    distance = ulps(gi, xi, INT64_MIN);
  }
  if (isnan(g) || isnan(x))
    return isnan(g) && isnan(x);
  if (e->tolerance == JOB_ULP)
    return distance <= e->limit;
  return isfinite(x) && fabs(g - x) <= e->limit * fabs(x);
}

static void print_value(enum job_type type, const void *at, char *text, size_t size) {
  uint64_t u = 0;
  float f;
  double d;
  const unsigned bytes = job_type_bytes(type), unused = 64 - 8 * bytes;
  memcpy(&u, at, bytes);
  if (type == JOB_F32) {
    memcpy(&f, at, sizeof f);
    snprintf(text, size, "%.9g", (double)f);
  } else if (type == JOB_F64) {
    memcpy(&d, at, sizeof d);
    snprintf(text, size, "%.17g", d);
  } else if (job_type_signed(type)) {
    snprintf(text, size, "%" PRId64, (int64_t)(u << unused) >> unused);
  } else {
    snprintf(text, size, "%" PRIu64, u);
  }
}

static enum tandem_status check_one(struct tandem_job *job, const struct job_expect *e,
                                    struct tandem_error *err) {
  const unsigned bytes = job_type_bytes(e->buffer->type);
  char *data = malloc(e->count * bytes + 1);
  if (data == NULL) {
    tandem_fail(err, -ENOMEM, "out of memory");
    return TANDEM_USAGE;
  }
  enum tandem_status status = tandem_read(job->t, e->buffer->address, data, e->count * bytes, err);
  uint64_t wrong = 0, first = 0;
  for (uint64_t i = 0; status == TANDEM_OK && i < e->count; i++)
    if (!near(e, data + i * bytes, (const char *)e->data + i * bytes) && wrong++ == 0)
      first = i;
  if (wrong != 0) {
    char got[40], expected[40];
    print_value(e->buffer->type, data + first * bytes, got, sizeof got);
    print_value(e->buffer->type, (const char *)e->data + first * bytes, expected, sizeof expected);
    tandem_fail(err, 0,
                "%s:%u: buffer \"%s\": %" PRIu64 " of %" PRIu64
                " elements are not as expected; the first is [%" PRIu64 "]: %s, expected %s",
                job->file.name, e->line, e->buffer->name, wrong, e->count, first, got, expected);
    status = TANDEM_FAULT;
  }
  free(data);
  return status;
}

enum tandem_status tandem_job_check(struct tandem_job *job, struct tandem_error *err) {
  enum tandem_status status = TANDEM_OK;
  for (size_t i = 0; status == TANDEM_OK && i < job->nexpects; i++)
    status = check_one(job, &job->expects[i], err);
  return status;
}
