/* Check of the temperatures, in double precision over the whole chip. */
#include <stdlib.h>
#include <string.h>

#include "tests/kernels/host.h"

/* The arguments in hs.yaml. */
enum { STEPS = 2 };
static const double rate = 0.34, down = 0.1, along = 0.1, away = 0.0125, ambient = 80.0;

static void step(const float *power, const double *now, double *next, size_t rows, size_t columns) {
  for (size_t y = 0; y < rows; y++)
    for (size_t x = 0; x < columns; x++) {
      const size_t at = y * columns + x;
      const double north = now[y > 0 ? at - columns : at];
      const double south = now[y + 1 < rows ? at + columns : at];
      const double west = now[x > 0 ? at - 1 : at], east = now[x + 1 < columns ? at + 1 : at];
      next[at] =
          now[at] + rate * ((double)power[at] + (north + south - 2.0 * now[at]) * down +
                            (west + east - 2.0 * now[at]) * along + (ambient - now[at]) * away);
    }
}

bool check_hs(const struct host *h) {
  size_t n;
  const float *power = host_before(h, "power", sizeof *power, &n);
  const float *from = host_before(h, "from", sizeof *from, &n);
  const float *got = host_after(h, "to", sizeof *got, &n);
  const size_t side = (size_t)host_parameter(h, "side");
  double *now = malloc(n * sizeof *now), *next = malloc(n * sizeof *next);
  bool ok = now && next && n == side * side;
  for (size_t i = 0; ok && i < n; i++)
    now[i] = (double)from[i];
  for (int i = 0; ok && i < STEPS; i++) {
    step(power, now, next, side, side);
    memcpy(now, next, n * sizeof *now);
  }
  for (size_t i = 0; ok && i < n; i++)
    ok = host_near("to", i, (double)got[i], now[i], 4.0 * HOST_EPS * now[i]);
  free(now);
  free(next);
  return ok;
}
