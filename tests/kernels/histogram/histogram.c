/* Check of both histograms. */
#include "tests/kernels/host.h"

bool check_histogram(const struct host *h) {
  size_t n, bins;
  const uint8_t *data = host_before(h, "data", sizeof *data, &n);
  const uint32_t *bins64 = host_after(h, "bins64", sizeof *bins64, &bins);
  const uint32_t *bins256 = host_after(h, "bins256", sizeof *bins256, &bins);
  uint32_t want[256] = {0};
  for (size_t i = 0; i < n; i++)
    want[data[i]]++;
  for (size_t i = 0; i < 256; i++)
    if (!host_equal("bins256", i, bins256[i], want[i]))
      return false;
  for (size_t i = 0; i < 64; i++)
    if (!host_equal("bins64", i, bins64[i],
                    want[4 * i] + want[4 * i + 1] + want[4 * i + 2] + want[4 * i + 3]))
      return false;
  return true;
}
