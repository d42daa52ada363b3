/* What is known of each unit besides its ports: the facts of csim/ports/units.def. */
#ifndef TANDEM_PORTS_FACTS_H
#define TANDEM_PORTS_FACTS_H

#include <stdbool.h>

enum {
  VARIANT_FAULTS = 1,  /* the unit's faults are looked for in this variant */
  VARIANT_COVERED = 2, /* coverage counts it */
};
enum { UNIT_VARIANTS = 8 /* at most, with the end */ };

/* A set of parameters with which a unit's test runs, besides the RTL's own. */
struct unit_variant {
  const char *name;       /* NULL: no further one */
  const char *parameters; /* "Name=value Name=value" */
  unsigned uses;          /* VARIANT_FAULTS, VARIANT_COVERED */
};

struct unit_facts {
  const char *name;     /* NULL: no further one */
  const char *machine;  /* compiler flags of its plain model in machines; NULL: no machine has it */
  const char *standard; /* parameters of the default GPU's; NULL: that has none */
  const char *mutated;  /* of its netlist with mutants; NULL: the RTL's own */
  bool made_of_units;   /* tested as machines use it */
  bool gates;           /* the netlist of its test has gates, not words */
  bool mapped_fast;     /* its test in cells of a library is a fast one */
  struct unit_variant variants[UNIT_VARIANTS];
};
extern const struct unit_facts unit_facts[];

/* NULL: there is no such unit. */
const struct unit_facts *unit_facts_of(const char *unit);

#endif
