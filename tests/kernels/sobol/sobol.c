/* Check of the Sobol sequence, from its direction numbers. */
#include <string.h>

#include "tests/kernels/host.h"

enum { DIMENSIONS = 10, BITS = 32 };

/* Direction numbers m_1, m_2, ... of a dimension after Bratley and Fox, as integers m_i < 2^i:
 * m_i = 2 c_1 m_(i-1) ^ 4 c_2 m_(i-2) ^ ... ^ 2^s m_(i-s) ^ m_(i-s). */
static void numbers(uint64_t m[BITS], uint32_t polynomial, const uint32_t *initial) {
  uint32_t s = polynomial >> 16, inner = polynomial & 0xffff;
  for (uint32_t i = 0; i < BITS; i++) {
    if (s == 0) {
      m[i] = 1;
    } else if (i < s) {
      m[i] = initial[i];
    } else {
      m[i] = m[i - s] ^ m[i - s] << s;
      for (uint32_t k = 1; k < s; k++)
        m[i] ^= (uint64_t)(inner >> (s - 1 - k) & 1) * m[i - k] << k;
    }
  }
}

/* What makes it a Sobol sequence: the first 2^k points have one in each interval of length 2^-k. */
static bool even(const uint32_t *points, uint32_t k) {
  uint8_t seen[2048] = {0};
  for (uint32_t i = 0; i < 1U << k; i++)
    seen[points[i] >> (32 - k)] = 1;
  return memchr(seen, 0, 1U << k) == NULL;
}

bool check_sobol(const struct host *h) {
  size_t n;
  const uint32_t *polynomial = host_before(h, "polynomial", sizeof *polynomial, &n);
  const uint32_t *initial = host_before(h, "initial", 8 * sizeof *initial, &n);
  const uint32_t *points = host_after(h, "points", DIMENSIONS * sizeof *points, &n);
  for (size_t d = 0; d < DIMENSIONS; d++) {
    uint64_t m[BITS];
    numbers(m, polynomial[d], initial + 8 * d);
    uint32_t x = 0;
    for (size_t i = 0; i < n; i++) {
      if (!host_equal("points", d * n + i, points[d * n + i], x))
        return false;
      /* The Gray codes of i and i + 1 differ in the lowest zero bit of i. */
      int bit = __builtin_ctzll(~(uint64_t)i);
      x ^= (uint32_t)(m[bit] << (31 - bit));
    }
    if (!even(points + d * n, 11) || !even(points + d * n, 6))
      return host_equal("evenly spread points of dimension", d, 0, 1);
  }
  return true;
}
