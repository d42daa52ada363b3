/* Checks of the two kernels of Gaussian elimination, in double precision. */
#include <math.h>

#include "tests/kernels/host.h"

enum { ELIMINATED = 8 }; /* launches of GAUS1 */

bool check_gaus1(const struct host *h) {
  size_t n;
  const float *a = host_before(h, "a", sizeof *a, &n);
  const float *got = host_after(h, "multiples", sizeof *got, &n);
  const size_t pitch = (size_t)host_parameter(h, "pitch");
  bool ok = n > ELIMINATED * pitch;
  for (size_t i = 0; ok && i < n; i++) {
    const size_t row = i / pitch, t = i % pitch;
    double want = 0.0;
    if (t < ELIMINATED && row > t)
      want = (double)a[i] / (double)a[t * pitch + t];
    ok = host_near("multiples", i, (double)got[i], want, 4.0 * HOST_EPS * want);
  }
  return ok;
}

bool check_gaus2(const struct host *h) {
  size_t n;
  const float *a = host_before(h, "a", sizeof *a, &n);
  const float *multiples = host_before(h, "multiples", sizeof *multiples, &n);
  const float *got = host_after(h, "a", sizeof *got, &n);
  const float *right = host_before(h, "right", sizeof *right, &n);
  const float *right_after = host_after(h, "right", sizeof *right_after, &n);
  bool ok = true;
  for (size_t row = 0; ok && row < n; row++) {
    const double multiple = row > 0 ? (double)multiples[row * n] : 0.0;
    for (size_t i = 0; ok && i < n; i++)
      ok = host_near("a", row * n + i, (double)got[row * n + i],
                     (double)a[row * n + i] - multiple * (double)a[i], 8.0 * HOST_EPS);
    ok = ok && host_near("right", row, (double)right_after[row],
                         (double)right[row] - multiple * (double)right[0], 8.0 * HOST_EPS);
  }
  return ok;
}
