/* Check of the potential, in double precision. */
#include <math.h>

#include "tests/kernels/host.h"

static const double spacing = (double)0.1f;

/* A distance is wrong by some roundings of coordinates up to 25.6; a sum by one a term. */
bool check_coulomb(const struct host *h) {
  size_t n, count;
  const float *atom = host_before(h, "atoms", 4 * sizeof *atom, &count);
  const float *before = host_before(h, "energy", sizeof *before, &n);
  const float *energy = host_after(h, "energy", sizeof *energy, &n);
  const size_t width = (size_t)(32 * host_parameter(h, "across"));
  for (size_t i = 0; i < n; i++) {
    const size_t column = i % width, row = i / width;
    double sum = (double)before[i], tolerance = 2.0 * HOST_EPS * sum;
    for (size_t a = 0; a < count; a++) {
      const double dx = spacing * (double)column - (double)atom[4 * a];
      const double dy = spacing * (double)row - (double)atom[4 * a + 1];
      const double distance = sqrt(dx * dx + dy * dy + (double)atom[4 * a + 2]);
      const double term = (double)atom[4 * a + 3] / distance;
      sum += term;
      tolerance += term * HOST_EPS * ((double)count + 8.0 + 4.0 * 25.6 / distance);
    }
    if (!host_near("energy", i, (double)energy[i], sum, tolerance))
      return false;
  }
  return true;
}
