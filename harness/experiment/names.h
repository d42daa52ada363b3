/* Names in order of their letters, to be found without a look at each. */
#ifndef TANDEM_EXPERIMENT_NAMES_H
#define TANDEM_EXPERIMENT_NAMES_H

#include <stddef.h>

struct name {
  const char *text;
  size_t index; /* the caller's */
};

/* Sorts by text; equal texts by index. */
void names_sort(struct name *names, size_t n);
/* The least index of a text in a sorted list; SIZE_MAX: it is not there. */
size_t names_find(const struct name *names, size_t n, const char *text);
/* The least index of a text that a lesser index of a sorted list has, too; SIZE_MAX: none has. */
size_t names_twice(const struct name *names, size_t n);

#endif
