/* Distances of names. */
#include "csim/util/nearest.h"

#include <string.h>

/* Changes of a letter that make one word of another; of the second the first 64 count. */
static size_t distance(const char *a, const char *b) {
  enum { MOST = 64 };
  size_t row[MOST + 1];
  const size_t n = strnlen(b, MOST);
  for (size_t k = 0; k <= n; k++)
    row[k] = k;
  for (size_t i = 1; a[i - 1] != '\0'; i++) {
    size_t before = row[0];
    row[0] = i;
    for (size_t k = 1; k <= n; k++) {
      const size_t same = before + (a[i - 1] != b[k - 1]);
      before = row[k];
      row[k] = (row[k] < row[k - 1] ? row[k] : row[k - 1]) + 1;
      row[k] = same < row[k] ? same : row[k];
    }
  }
  return row[n];
}

const char *nearest(const char *name, const char *near, const char *other) {
  return near == NULL || distance(name, other) < distance(name, near) ? other : near;
}
