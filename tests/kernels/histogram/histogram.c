/* Check of the histogram: the bytes counted on the host. */
#include "tests/kernels/host.h"

bool check_histogram(const struct host *h) {
  size_t n, bins;
  const uint8_t *data = host_before(h, "data", sizeof *data, &n);
  const uint32_t *got = host_after(h, "bins", sizeof *got, &bins);
  uint32_t want[256] = {0};
  for (size_t i = 0; i < n; i++)
    want[data[i]]++;
  for (size_t i = 0; i < 256; i++)
    if (!host_equal("bins", i, got[i], want[i]))
      return false;
  return bins == 256;
}
