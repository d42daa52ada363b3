/* Check of the sum. */
#include "tests/kernels/host.h"

/* A number passes through additions in its thread, 8 in its block, 2 + 4 in the second launch. */
bool check_reduction(const struct host *h) {
  size_t n, one;
  const float *floats = host_before(h, "floats", sizeof *floats, &n);
  const float *total = host_after(h, "total", sizeof *total, &one);
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += (double)floats[i];
  return host_near("total", 0, (double)total[0], sum,
                   ((double)n / (32 * 256) + 16.0) * HOST_EPS * sum);
}
