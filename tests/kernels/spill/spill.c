/* Check of the kernel that has more live values than registers. */
#include "tests/kernels/host.h"

enum { LIVE = 56 };

bool check_spill(const struct host *h) {
  size_t n, m;
  const uint32_t *in = host_before(h, "in", sizeof *in, &m);
  const uint32_t *out = host_after(h, "out", sizeof *out, &n);
  for (size_t i = 0; i < n; i++) {
    uint32_t v[LIVE], sum = 0;
    for (size_t k = 0; k < LIVE; k++)
      v[k] = in[i + k];
    for (uint32_t round = 0; round < 3; round++) {
      if (v[0] & 1)
        for (size_t k = 0; k < LIVE; k++)
          v[k] += v[(k + 17) % LIVE] ^ round;
      else
        for (size_t k = LIVE; k-- > 0;)
          v[k] = v[k] * 3 - v[(k + 5) % LIVE];
    }
    for (size_t k = 0; k < LIVE; k++)
      sum = sum * 31 + v[k];
    if (!host_equal("out", i, out[i], sum))
      return false;
  }
  return true;
}
