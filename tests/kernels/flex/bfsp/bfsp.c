/* Check of a level of the search with queues: levels exactly, the next queue as a set. */
#include <stdlib.h>

#include "tests/kernels/host.h"

enum { DEPTH = 3 };

/* Gives the unseen neighbours of the frontier the next level, and returns how many there are. */
static size_t expand(const struct host *h, uint32_t *level) {
  size_t n, nodes, found = 0;
  const uint32_t *frontier = host_before(h, "frontier", sizeof *frontier, &n);
  const uint32_t *first = host_before(h, "first", sizeof *first, &nodes);
  const uint32_t *degree = host_before(h, "degree", sizeof *degree, &nodes);
  const uint32_t *edges = host_before(h, "edges", sizeof *edges, &nodes);
  for (size_t i = 0; i < n; i++) {
    const uint32_t node = frontier[i] / 4;
    for (uint32_t e = first[node]; e < first[node] + degree[node]; e++)
      if (level[edges[e] / 4] == UINT32_MAX) {
        level[edges[e] / 4] = DEPTH;
        found++;
      }
  }
  return found;
}

/* Each node of the queue is one of the new level, and none is there twice. */
static bool check_queue(const struct host *h, const uint32_t *level, size_t nodes, size_t found) {
  size_t n, room;
  const uint32_t *tail = host_after(h, "tail", sizeof *tail, &n);
  const uint32_t *next = host_after(h, "next", sizeof *next, &room);
  bool *seen = calloc(nodes, sizeof *seen);
  bool ok = seen != NULL && found <= room && host_equal("tail", 0, *tail, (uint32_t)found);
  for (size_t i = 0; ok && i < found; i++) {
    const uint32_t node = next[i] / 4;
    ok = node < nodes && next[i] % 4 == 0 && !seen[node] &&
         host_equal("level of next", i, level[node], DEPTH);
    if (ok)
      seen[node] = true;
  }
  free(seen);
  return ok;
}

bool check_bfsp(const struct host *h) {
  size_t n, seen;
  const uint32_t *level = host_after(h, "level", sizeof *level, &n);
  uint32_t *want = malloc(n * sizeof *want);
  if (want == NULL)
    return false;
  host_before(h, "seen", sizeof *want, &seen); /* the nodes of the levels before come first */
  for (size_t i = 0; i < n; i++)
    want[i] = i < seen ? DEPTH - 1 : UINT32_MAX;
  const size_t found = expand(h, want);
  bool ok = found > n / 20; /* else the graph is no test */
  for (size_t i = 0; ok && i < n; i++)
    ok = host_equal("level", i, level[i], want[i]);
  ok = ok && check_queue(h, want, n, found);
  free(want);
  return ok;
}
