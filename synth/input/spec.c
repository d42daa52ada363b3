/* A module with its parameters: order, comparison, name. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/input/spec.h"

static int by_name(const void *a, const void *b) {
  const struct synth_parameter *x = a, *y = b;
  return strcmp(x->name, y->name);
}

void synth_spec_sort(struct synth_spec *s) {
  qsort(s->parameters, s->n, sizeof s->parameters[0], by_name);
}

bool synth_spec_same(const struct synth_spec *a, const struct synth_spec *b) {
  if (a->n != b->n || strcmp(a->module, b->module) != 0)
    return false;
  for (unsigned i = 0; i < a->n; i++)
    if (strcmp(a->parameters[i].name, b->parameters[i].name) != 0 ||
        a->parameters[i].value != b->parameters[i].value)
      return false;
  return true;
}

void synth_spec_name(const struct synth_spec *s, char *name, size_t size) {
  int n = snprintf(name, size, "%s", s->module);
  for (unsigned i = 0; i < s->n && n >= 0 && (size_t)n < size; i++)
    n += snprintf(name + n, size - (size_t)n, "_%s%" PRIu64, s->parameters[i].name,
                  s->parameters[i].value);
}
