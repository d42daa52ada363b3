/* Checks of the two kernels of a level of a breadth-first search. */
#include <stdlib.h>

#include "tests/kernels/host.h"

static bool check_masks(const char *name, const struct host *h, const uint8_t *want) {
  size_t n;
  const uint8_t *got = host_after(h, name, 1, &n);
  bool ok = true;
  for (size_t i = 0; ok && i < n; i++)
    ok = host_equal(name, i, got[i], want[i]);
  return ok;
}

bool check_bfsr1(const struct host *h) {
  size_t n;
  const uint32_t *first = host_before(h, "first", sizeof *first, &n);
  const uint32_t *degree = host_before(h, "degree", sizeof *degree, &n);
  const uint32_t *edges = host_before(h, "edges", sizeof *edges, &n);
  const uint8_t *frontier = host_before(h, "frontier", 1, &n);
  const uint8_t *visited = host_before(h, "visited", 1, &n);
  const int32_t *cost = host_after(h, "cost", sizeof *cost, &n);
  uint8_t *reached = calloc(n, 1), *none = calloc(n, 1);
  size_t count = 0;
  bool ok = reached && none;
  for (size_t i = 0; ok && i < n; i++)
    for (uint32_t e = first[i]; frontier[i] && e < first[i] + degree[i]; e++)
      reached[edges[e]] = !visited[edges[e]];
  for (size_t i = 0; ok && i < n; i++) {
    count += reached[i];
    ok = host_equal("cost", i, (uint32_t)cost[i], reached[i] ? 4 : 3);
  }
  ok =
      ok && check_masks("reached", h, reached) && check_masks("frontier", h, none) && count > n / 4;
  free(reached);
  free(none);
  return ok;
}

bool check_bfsr2(const struct host *h) {
  size_t n;
  const uint8_t *reached = host_before(h, "reached", 1, &n);
  const uint8_t *visited = host_before(h, "visited", 1, &n);
  uint8_t *seen = malloc(n), *none = calloc(n, 1);
  bool ok = seen && none;
  for (size_t i = 0; ok && i < n; i++)
    seen[i] = visited[i] | reached[i];
  ok = ok && check_masks("frontier", h, reached) && check_masks("visited", h, seen) &&
       check_masks("reached", h, none) &&
       host_equal("more", 0, *(const uint32_t *)host_after(h, "more", 4, &n), 1);
  free(seen);
  free(none);
  return ok;
}
