/* Check of the sorted pairs: ascending, complete, stable. */
#include <stdlib.h>

#include "tests/kernels/host.h"

/* Values are the keys' old places, so the pairs are right if the keys ascend, each is the old key
 * of its value, and equal keys kept their order (which makes the values a permutation too). */
bool check_mergesort(const struct host *h) {
  size_t n;
  const uint32_t *old = host_before(h, "keys", sizeof *old, &n);
  const uint32_t *keys = host_after(h, "keys", sizeof *keys, &n);
  const uint32_t *values = host_after(h, "values", sizeof *values, &n);
  for (size_t i = 0; i < n; i++) {
    if (values[i] >= n)
      return host_equal("values", i, values[i], (uint32_t)n - 1);
    if (!host_equal("keys", i, keys[i], old[values[i]]))
      return false;
    if (i > 0 && (keys[i - 1] > keys[i] || (keys[i - 1] == keys[i] && values[i - 1] >= values[i])))
      return host_equal("keys, out of order,", i, keys[i], keys[i - 1]) &&
             host_equal("values, out of order,", i, values[i], values[i - 1] + 1);
  }
  return true;
}
