/* The facts of csim/ports/units.def as a table. */
#include "csim/ports/facts.h"

#include <stddef.h>
#include <string.h>

#define PORTS_EACH "csim/ports/facts.inc"
const struct unit_facts unit_facts[] = {
#include "csim/ports/units.def"
    {.name = NULL}};
#undef PORTS_EACH

const struct unit_facts *unit_facts_of(const char *unit) {
  const struct unit_facts *f = unit_facts;
  while (f->name != NULL && strcmp(f->name, unit) != 0)
    f++;
  return f->name != NULL ? f : NULL;
}
