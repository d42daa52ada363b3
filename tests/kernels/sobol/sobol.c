/* Check of the Sobol points, each from the Gray code of its number. */
#include <string.h>

#include "tests/kernels/host.h"

enum { BITS = 32 };

static uint32_t point(const uint32_t *numbers, uint32_t i) {
  uint32_t x = 0;
  for (uint32_t b = 0, gray = i ^ i >> 1; b < BITS; b++)
    if (gray >> b & 1)
      x ^= (numbers[b] | 1) << (BITS - 1 - b);
  return x;
}

/* Returns true if each interval of length 2^-k has one of the first 2^k points, as in any Sobol
 * sequence. */
static bool even(const float *points, uint32_t k) {
  uint8_t seen[1024] = {0};
  for (uint32_t i = 0; i < 1U << k; i++)
    seen[(uint32_t)(points[i] * (float)(1U << k))] = 1;
  return memchr(seen, 0, 1U << k) == NULL;
}

bool check_sobol(const struct host *h) {
  size_t dimensions, size;
  const uint32_t *numbers = host_before(h, "numbers", BITS * sizeof *numbers, &dimensions);
  const float *points = host_after(h, "points", sizeof *points, &size);
  const size_t n = size / dimensions;
  for (size_t d = 0; d < dimensions; d++) {
    for (size_t i = 0; i < n; i++)
      if (!host_near("points", d * n + i, (double)points[d * n + i],
                     (double)((float)point(numbers + BITS * d, (uint32_t)i) * 0x1p-32f), 0.0))
        return false;
    if (!even(points + d * n, 10) || !even(points + d * n, 5))
      return host_equal("evenly spread points of dimension", d, 0, 1);
  }
  return true;
}
