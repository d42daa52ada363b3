/* All units and ports tables: the list csim/ports/units.def in C. */
#ifndef TANDEM_PORTS_FACTS_H
#define TANDEM_PORTS_FACTS_H

#include "csim/ports/ports.h"

enum {
  VARIANT_FAULTS = 1,  /* the unit's faults are looked for in this variant */
  VARIANT_COVERED = 2, /* coverage counts it */
};

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
  const char *member;   /* the ports table of a cluster's members; NULL: it is no cluster */
  unsigned most;        /* members at most */
  bool made_of_units;   /* tested as machines use it */
  bool gates;           /* the netlist of its test has gates, not words */
  bool mapped_fast;     /* its test in cells of a library is a fast one */
  /* More that its models are made of: C++ below rtl with its ports and state, or in the
   * place of the shim's; files there for Verilator; parameters that the C++ sees, "Name=value"
   * with their defaults. */
  const char *kind, *shim, *vlt, *sees;
  const struct unit_variant *variants;
};
extern const struct unit_facts unit_facts[];

/* The tables of all units, then of the blocks; NULL ends them. */
extern const struct ports_table *const ports_tables[];

/* The facts of a unit, of a block, the table of a unit or block; NULL: there is none. */
const struct unit_facts *unit_facts_of(const char *unit);
const struct unit_facts *block_facts_of(const char *block);
const struct ports_table *ports_table_of(const char *name);

#endif
