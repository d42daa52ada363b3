/* Check of the sum and of the maximum of integers. */
#include "tests/kernels/host.h"

bool check_atomics(const struct host *h) {
  size_t n, m;
  const uint32_t *ints = host_before(h, "ints", sizeof *ints, &n);
  const uint32_t *sum_max = host_after(h, "sum_max", sizeof *sum_max, &m);
  uint32_t all = 0, most = 0;
  for (size_t i = 0; i < n; i++) {
    all += ints[i];
    most = ints[i] > most ? ints[i] : most;
  }
  return host_equal("sum", 0, sum_max[0], all) && host_equal("maximum", 1, sum_max[1], most);
}
