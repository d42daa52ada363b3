/* Check of the transposed matrix. */
#include "tests/kernels/host.h"

enum { WIDTH = 200, HEIGHT = 136 };

bool check_transpose(const struct host *h) {
  size_t n;
  const uint32_t *in = host_before(h, "in", sizeof *in, &n);
  const uint32_t *out = host_after(h, "out", sizeof *out, &n);
  for (size_t y = 0; y < HEIGHT; y++)
    for (size_t x = 0; x < WIDTH; x++)
      if (!host_equal("out", x * HEIGHT + y, out[x * HEIGHT + y], in[y * WIDTH + x]))
        return false;
  return n == (size_t)WIDTH * HEIGHT;
}
