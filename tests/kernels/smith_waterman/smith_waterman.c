/* Check of the best alignments, each table row by row. */
#include <stdlib.h>

#include "tests/kernels/host.h"

enum { ROWS = 64 };

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

/* Fills a row of a table from the one above, in place.  Returns its largest value. */
static int32_t fill(int32_t *row, uint32_t letter, const uint32_t *target, size_t columns) {
  int32_t left = 0, corner = 0, most = 0;
  for (size_t i = 0; i < columns; i++) {
    const int32_t above = row[i], match = corner + (letter == target[i] ? 3 : -2);
    left = larger(larger(match, 0), larger(above, left) - 1);
    corner = above;
    row[i] = left;
    most = larger(most, left);
  }
  return most;
}

bool check_smith_waterman(const struct host *h) {
  size_t letters, places, n;
  const uint32_t *query = host_before(h, "query", sizeof *query, &letters);
  const uint32_t *target = host_before(h, "target", sizeof *target, &places);
  const int32_t *best = host_after(h, "best", sizeof *best, &n);
  const size_t columns = places / (letters / ROWS);
  int32_t *row = calloc(columns, sizeof *row);
  bool ok = row != NULL && n == letters;
  for (size_t i = 0; ok && i < n; i++) {
    for (size_t k = 0; i % ROWS == 0 && k < columns; k++)
      row[k] = 0;
    ok = host_equal("best", i, (uint32_t)best[i],
                    (uint32_t)fill(row, query[i], target + i / ROWS * columns, columns));
  }
  free(row);
  return ok;
}
