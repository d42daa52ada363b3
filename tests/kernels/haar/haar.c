/* Check of the wavelet transform, in double precision. */
#include <math.h>
#include <stdlib.h>

#include "tests/kernels/host.h"

/* A level's sums are exact but for three roundings a level: the sum's, the product's, and that of
 * the square root.  They are bounded by the same sums of magnitudes, held behind the signal. */
bool check_haar(const struct host *h) {
  size_t n;
  const float *signal = host_before(h, "signal", sizeof *signal, &n);
  const float *transform = host_after(h, "transform", sizeof *transform, &n);
  double *sum = malloc(2 * n * sizeof *sum), *all = sum + n;
  bool ok = sum != NULL;
  for (size_t i = 0; ok && i < n; i++) {
    sum[i] = (double)signal[i];
    all[i] = fabs(sum[i]);
  }
  int level = 0;
  for (size_t half = n / 2; ok && half > 0; half /= 2) {
    level++;
    for (size_t i = 0; ok && i < half; i++) {
      const double difference = (sum[2 * i] - sum[2 * i + 1]) * sqrt(0.5);
      all[i] = (all[2 * i] + all[2 * i + 1]) * sqrt(0.5);
      sum[i] = (sum[2 * i] + sum[2 * i + 1]) * sqrt(0.5);
      ok = host_near("transform", half + i, (double)transform[half + i], difference,
                     3.0 * level * HOST_EPS * all[i]);
    }
  }
  ok = ok &&
       host_near("transform", 0, (double)transform[0], sum[0], 3.0 * level * HOST_EPS * all[0]);
  free(sum);
  return ok;
}
