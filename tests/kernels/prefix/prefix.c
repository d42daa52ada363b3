/* Check of the prefix sums. */
#include "tests/kernels/host.h"

bool check_prefix(const struct host *h) {
  size_t n, m;
  const uint32_t *in = host_before(h, "in", sizeof *in, &n);
  const uint32_t *out = host_after(h, "out", sizeof *out, &n);
  uint32_t sum = 0;
  for (size_t i = 0; i < n; i++) {
    if (!host_equal("out", i, out[i], sum))
      return false;
    sum += in[i];
  }
  const uint32_t *all = host_after(h, "all", sizeof *all, &m);
  return host_equal("all", 0, all[0], sum);
}
