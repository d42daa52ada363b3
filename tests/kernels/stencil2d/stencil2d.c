/* Check of the stencil, within the rounding of its steps. */
#include <stdlib.h>
#include <string.h>

#include "tests/kernels/host.h"

enum { WIDTH = 150, HEIGHT = 100, STEPS = 6 };

/* The weights add up to 1, so errors do not grow from step to step: six roundings a step of numbers
 * up to 1. */
bool check_stencil2d(const struct host *h) {
  size_t n;
  const float *in = host_before(h, "grid", sizeof *in, &n);
  const float *out = host_after(h, "grid", sizeof *out, &n);
  double *now = malloc(n * sizeof *now), *next = malloc(n * sizeof *next);
  bool ok = now && next && n == (size_t)WIDTH * HEIGHT;
  for (size_t i = 0; ok && i < n; i++)
    now[i] = next[i] = (double)in[i];
  for (int s = 0; ok && s < STEPS; s++) {
    for (size_t y = 1; y + 1 < HEIGHT; y++)
      for (size_t x = 1; x + 1 < WIDTH; x++) {
        const double *at = &now[y * WIDTH + x];
        next[y * WIDTH + x] = 0.5 * at[0] + 0.125 * (at[-1] + at[1] + at[-WIDTH] + at[WIDTH]);
      }
    memcpy(now, next, n * sizeof *now);
  }
  for (size_t i = 0; ok && i < n; i++)
    ok = host_near("grid", i, (double)out[i], now[i], STEPS * 6 * HOST_EPS);
  free(now);
  free(next);
  return ok;
}
