/* Checks of the two kernels of k-means. */
#include "tests/kernels/host.h"

enum { FEATURES = 34 };

static double distance(const float *columns, size_t points, size_t point, const float *centre) {
  double sum = 0.0;
  for (size_t f = 0; f < FEATURES; f++) {
    const double along = (double)columns[point + points * f] - (double)centre[f];
    sum += along * along;
  }
  return sum;
}

/* Another centre than the nearest one may be as near within the kernel's errors. */
bool check_km1(const struct host *h) {
  size_t points, n;
  const float *columns = host_before(h, "columns", sizeof *columns, &n);
  const float *centres = host_before(h, "centres", sizeof *centres, &n);
  const int32_t *got = host_after(h, "membership", sizeof *got, &points);
  const size_t clusters = n / FEATURES;
  bool ok = true;
  for (size_t i = 0; ok && i < points; i++) {
    size_t best = 0;
    for (size_t c = 1; c < clusters; c++)
      if (distance(columns, points, i, &centres[c * FEATURES]) <
          distance(columns, points, i, &centres[best * FEATURES]))
        best = c;
    const double least = distance(columns, points, i, &centres[best * FEATURES]);
    ok = got[i] >= 0 && (size_t)got[i] < clusters &&
         distance(columns, points, i, &centres[(size_t)got[i] * FEATURES]) <=
             least * (1.0 + 2.0 * FEATURES * HOST_EPS);
    if (!ok)
      (void)host_equal("membership", i, (uint32_t)got[i], (uint32_t)best);
  }
  return ok;
}

bool check_km2(const struct host *h) {
  size_t n;
  const uint32_t *rows = host_before(h, "rows", sizeof *rows, &n);
  const uint32_t *got = host_after(h, "columns", sizeof *got, &n);
  const size_t features = (size_t)host_parameter(h, "features"), points = n / features;
  bool ok = true;
  for (size_t i = 0; ok && i < n; i++)
    ok = host_equal("columns", i, got[i], rows[i % points * features + i / points]);
  return ok;
}
