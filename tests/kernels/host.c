/* Buffers of a launch description before and after it ran, and its run. */
#include "tests/kernels/host.h"
#include "harness/job/job.h"
#include "tests/test.h"

#include <math.h>

static const struct host_buffer *find(const struct host *h, const char *name, size_t size,
                                      size_t *n) {
  for (size_t i = 0; i < h->count; i++)
    if (strcmp(h->buffer[i].name, name) == 0) {
      *n = h->buffer[i].bytes / size;
      return &h->buffer[i];
    }
  fail_msg("the launch description has no buffer %s", name);
  return NULL;
}

const void *host_before(const struct host *h, const char *name, size_t size, size_t *n) {
  return find(h, name, size, n)->before;
}

const void *host_after(const struct host *h, const char *name, size_t size, size_t *n) {
  return find(h, name, size, n)->after;
}

int64_t host_parameter(const struct host *h, const char *name) {
  for (size_t i = 0; i < h->parameters; i++)
    if (strcmp(h->parameter[i].name, name) == 0)
      return h->parameter[i].value;
  fail_msg("the launch description has no parameter %s", name);
  return 0;
}

bool host_equal(const char *name, size_t i, uint32_t got, uint32_t want) {
  if (got == want)
    return true;
  print_error("%s[%zu] is %u (0x%08x), should be %u (0x%08x)\n", name, i, got, got, want, want);
  return false;
}

bool host_near(const char *name, size_t i, double got, double want, double tolerance) {
  if (fabs(got - want) <= tolerance) /* false for NaN */
    return true;
  print_error("%s[%zu] is %.9g, should be %.9g within %.3g\n", name, i, got, want, tolerance);
  return false;
}

void host_open(const struct tandem_config *config, const char *path,
               const struct tandem_parameter *given, size_t n, struct tandem **gpu,
               struct tandem_job **job) {
  struct tandem_error err;
  if (tandem_open(config, gpu, &err) != TANDEM_OK ||
      tandem_job_open_with(*gpu, path, given, n, job, &err) != TANDEM_OK)
    fail_msg("%s: %s", path, err.text);
}

static void *contents(struct tandem *gpu, const struct host_buffer *b) {
  struct tandem_error err;
  void *to = malloc(b->bytes);
  assert_non_null(to);
  if (tandem_read(gpu, b->address, to, b->bytes, &err) != TANDEM_OK)
    fail_msg("%s: %s", b->name, err.text);
  return to;
}

void host_run(const struct tandem_config *config, const char *path,
              const struct tandem_parameter *given, size_t n, bool (*check)(const struct host *h),
              struct host_outcome *out) {
  struct tandem_error err;
  struct tandem *gpu;
  struct tandem_job *job;
  struct host h = {.count = 0};
  host_open(config, path, given, n, &gpu, &job);
  h.parameters = tandem_job_parameters(job, h.parameter, HOST_PARAMETERS);
  assert_true(h.parameters <= HOST_PARAMETERS && job->nbuffers <= HOST_BUFFERS);
  for (; h.count < job->nbuffers; h.count++) {
    struct host_buffer *b = &h.buffer[h.count];
    const struct job_buffer *from = &job->buffers[h.count];
    *b = (struct host_buffer){.name = from->name, .address = from->address, .bytes = from->bytes};
    b->before = contents(gpu, b);
  }
  if (tandem_job_run(job, &err) != TANDEM_OK)
    fail_msg("%s: %s\n%s", path, err.text, tandem_report(gpu));
  if (tandem_job_check(job, &err) != TANDEM_OK)
    fail_msg("%s: %s", path, err.text);
  for (size_t i = 0; i < h.count; i++)
    h.buffer[i].after = contents(gpu, &h.buffer[i]);
  assert_true(check(&h));
  gpu_statistics(gpu, &out->stats);
  out->digest = tandem_digest(gpu);
  for (size_t i = 0; i < h.count; i++)
    free(h.buffer[i].before), free(h.buffer[i].after);
  tandem_job_close(job);
  tandem_close(gpu);
}

void host_assert_same(const struct host_outcome *a, const struct host_outcome *b) {
  const struct gpu_stats *s = &a->stats, *o = &b->stats;
  assert_int_equal(o->cycles, s->cycles);
  assert_int_equal(o->launches, s->launches);
  assert_int_equal(b->digest, a->digest);
  assert_memory_equal(&o->sm, &s->sm, sizeof s->sm);
  assert_memory_equal(&o->mem, &s->mem, sizeof s->mem);
  assert_memory_equal(&o->feature.buddy, &s->feature.buddy, sizeof s->feature.buddy);
  assert_memory_equal(&o->feature.spu, &s->feature.spu, sizeof s->feature.spu);
}
