/* Check of the sum of two vectors. */
#include "tests/kernels/host.h"

bool check_vecadd(const struct host *h) {
  size_t n;
  const float *a = host_before(h, "a", sizeof *a, &n);
  const float *b = host_before(h, "b", sizeof *b, &n);
  const float *c = host_after(h, "c", sizeof *c, &n);
  for (size_t i = 0; i < n; i++)
    if (!host_near("c", i, (double)c[i], (double)(a[i] + b[i]), 0.0)) /* one rounding: exact */
      return false;
  return true;
}
