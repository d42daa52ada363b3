/* Buffers of a launch description before and after it ran. */
#include "tests/kernels/host.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

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
