/* Check of the matrix product, within the rounding of its sums. */
#include <math.h>

#include "tests/kernels/host.h"

enum { M = 72, N = 90, K = 56 };

/* Tolerance: the bound of a sum of K products in any order, K + 1 roundings of the absolute sum. */
bool check_matmul(const struct host *h) {
  size_t n;
  const float *a = host_before(h, "a", sizeof *a, &n);
  const float *b = host_before(h, "b", sizeof *b, &n);
  const float *c = host_after(h, "c", sizeof *c, &n);
  for (size_t row = 0; row < M; row++)
    for (size_t col = 0; col < N; col++) {
      double sum = 0.0, size = 0.0;
      for (size_t k = 0; k < K; k++) {
        double product = (double)a[row * K + k] * (double)b[k * N + col];
        sum += product;
        size += fabs(product);
      }
      if (!host_near("c", row * N + col, (double)c[row * N + col], sum, (K + 1) * HOST_EPS * size))
        return false;
    }
  return n == (size_t)M * N;
}
