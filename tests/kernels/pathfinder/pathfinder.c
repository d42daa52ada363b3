/* Check of the cheapest ways, row by row. */
#include <stdlib.h>
#include <string.h>

#include "tests/kernels/host.h"

bool check_pathfinder(const struct host *h) {
  size_t n, places;
  const int32_t *wall = host_before(h, "wall", sizeof *wall, &places);
  const int32_t *row = host_before(h, "row", sizeof *row, &n);
  const int32_t *got = host_after(h, "other", sizeof *got, &n);
  int32_t *cost = malloc(2 * n * sizeof *cost), *below = cost + n;
  bool ok = cost != NULL;
  if (ok)
    memcpy(cost, row, n * sizeof *cost);
  for (size_t y = 0; ok && y < places / n; y++) {
    for (size_t x = 0; x < n; x++) {
      int32_t least = cost[x];
      if (x > 0 && cost[x - 1] < least)
        least = cost[x - 1];
      if (x + 1 < n && cost[x + 1] < least)
        least = cost[x + 1];
      below[x] = least + wall[y * n + x];
    }
    memcpy(cost, below, n * sizeof *cost);
  }
  for (size_t x = 0; ok && x < n; x++)
    ok = host_equal("other", x, (uint32_t)got[x], (uint32_t)cost[x]);
  free(cost);
  return ok;
}
