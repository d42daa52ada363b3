/* Check of the sum of floats, and of the sum and the maximum of integers. */
#include "tests/kernels/host.h"

/* A number passes through at most 4 additions in its thread, 8 in its block, 5 in the last launch:
 * 20 roundings bound the error of the sum of these positive numbers. */
bool check_reduction(const struct host *h) {
  size_t n, m;
  const float *floats = host_before(h, "floats", sizeof *floats, &n);
  const float *total = host_after(h, "total", sizeof *total, &m);
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += (double)floats[i];
  if (!host_near("total", 0, (double)total[0], sum, 20.0 * HOST_EPS * sum))
    return false;

  const uint32_t *ints = host_before(h, "ints", sizeof *ints, &n);
  const uint32_t *sum_max = host_after(h, "sum_max", sizeof *sum_max, &m);
  uint32_t all = 0, most = 0;
  for (size_t i = 0; i < n; i++) {
    all += ints[i];
    most = ints[i] > most ? ints[i] : most;
  }
  return host_equal("sum_max", 0, sum_max[0], all) && host_equal("sum_max", 1, sum_max[1], most);
}
