/* Check of the prefix sums: all launches one after the other. */
#include <stdlib.h>
#include <string.h>

#include "tests/kernels/host.h"

bool check_scan(const struct host *h) {
  size_t n;
  const uint32_t *in = host_before(h, "in", sizeof *in, &n);
  const uint32_t *got = host_after(h, "here", sizeof *got, &n);
  uint32_t *want = malloc(n * sizeof *want);
  bool ok = want != NULL;
  if (ok)
    memcpy(want, in, n * sizeof *want);
  for (size_t size = 4; ok && size <= 1024; size *= 2)
    for (size_t i = 0, sum = 0; i < n; i++) {
      const uint32_t x = want[i];
      if (i % size == 0)
        sum = 0;
      want[i] = (uint32_t)sum;
      sum += x;
    }
  for (size_t i = 0; ok && i < n; i++)
    ok = host_equal("here", i, got[i], want[i]);
  free(want);
  return ok;
}
