/* Names in order of their letters. */
#include "harness/experiment/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
  const struct name *x = a, *y = b;
  const int order = strcmp(x->text, y->text);
  return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

void names_sort(struct name *names, size_t n) { qsort(names, n, sizeof *names, compare); }

size_t names_find(const struct name *names, size_t n, const char *text) {
  size_t low = 0, high = n;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (strcmp(names[middle].text, text) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < n && strcmp(names[low].text, text) == 0 ? names[low].index : SIZE_MAX;
}

size_t names_twice(const struct name *names, size_t n) {
  size_t least = SIZE_MAX;
  for (size_t i = 1; i < n; i++)
    if (names[i].index < least && strcmp(names[i - 1].text, names[i].text) == 0)
      least = names[i].index;
  return least;
}
