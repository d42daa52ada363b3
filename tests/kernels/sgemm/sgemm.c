/* Check of the matrix, in double precision. */
#include <math.h>

#include "tests/kernels/host.h"

bool check_sgemm(const struct host *h) {
  size_t size;
  const float *a = host_before(h, "a", sizeof *a, &size);
  const float *b = host_before(h, "b", sizeof *b, &size);
  const float *before = host_before(h, "c", sizeof *before, &size);
  const float *c = host_after(h, "c", sizeof *c, &size);
  const size_t m = (size_t)host_parameter(h, "m"), n = (size_t)host_parameter(h, "n");
  const size_t k = (size_t)host_parameter(h, "k");
  for (size_t column = 0; column < n; column++)
    for (size_t row = 0; row < m; row++) {
      const size_t at = column * m + row;
      double sum = 0.5 * (double)before[at], all = fabs(sum);
      for (size_t i = 0; i < k; i++) {
        const double product = (double)a[i * m + row] * (double)b[i * n + column];
        sum += product;
        all += fabs(product);
      }
      if (!host_near("c", at, (double)c[at], sum, ((double)k + 4.0) * HOST_EPS * all))
        return false;
    }
  return size == m * n;
}
