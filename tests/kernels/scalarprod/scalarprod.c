/* Check of the scalar products, in double precision. */
#include <math.h>

#include "tests/kernels/host.h"

enum { SUMS = 1024 };

/* An element passes through the additions of its partial sum, then 10. */
bool check_scalarprod(const struct host *h) {
  size_t vectors, size;
  const float *a = host_before(h, "a", sizeof *a, &size);
  const float *b = host_before(h, "b", sizeof *b, &size);
  const float *product = host_after(h, "product", sizeof *product, &vectors);
  const size_t elements = size / vectors;
  for (size_t v = 0; v < vectors; v++) {
    double sum = 0.0, all = 0.0;
    for (size_t i = v * elements; i < (v + 1) * elements; i++) {
      sum += (double)a[i] * (double)b[i];
      all += fabs((double)a[i] * (double)b[i]);
    }
    if (!host_near("product", v, (double)product[v], sum,
                   ((double)elements / SUMS + 11.0) * HOST_EPS * all))
      return false;
  }
  return true;
}
