/* Check of the breadth-first search: the same search with a queue. */
#include <stdlib.h>

#include "tests/kernels/host.h"

enum { SOURCE = 5 };

/* The same search with a queue. */
bool check_bfs(const struct host *h) {
  size_t n, m;
  const uint32_t *first = host_before(h, "first", sizeof *first, &n);
  const uint32_t *degree = host_before(h, "degree", sizeof *degree, &n);
  const uint32_t *edges = host_before(h, "edges", sizeof *edges, &m);
  const uint32_t *level = host_after(h, "level", sizeof *level, &n);
  uint32_t *want = malloc(n * sizeof *want), *queue = malloc(n * sizeof *queue);
  bool ok = want && queue;
  size_t head = 0, tail = 0;
  for (size_t i = 0; ok && i < n; i++)
    want[i] = UINT32_MAX;
  if (ok) {
    want[SOURCE] = 0;
    queue[tail++] = SOURCE;
  }
  while (head < tail) {
    uint32_t at = queue[head++];
    for (uint32_t e = first[at]; e < first[at] + degree[at]; e++)
      if (want[edges[e]] == UINT32_MAX) {
        want[edges[e]] = want[at] + 1;
        queue[tail++] = edges[e];
      }
  }
  for (size_t i = 0; ok && i < n; i++)
    ok = host_equal("level", i, level[i], want[i]);
  ok = ok && tail > n / 2; /* else the graph is no test */
  free(want);
  free(queue);
  return ok;
}
