/* The cases of a unit's test: cycle scripts, and random ones, which run in rounds until all that
 * they are made for was reached (testing.h), or, with --faults, once for each seeded fault of the
 * unit until it is found.  lockstep.h makes the description of the unit. */
#ifndef TANDEM_TEST_CASES_H
#define TANDEM_TEST_CASES_H

#include "tests/unit/device.h"
#include "tests/unit/testing.h"

struct lockstep; /* the unit's own */

struct unit_case {
  const char *name;
  void (*directed)(struct lockstep *l);
  void (*random)(struct lockstep *l, struct rng *r, uint64_t cycles); /* or this one */
};

struct unit_test {
  const char *name;
  struct lockstep *l;
  void (*open)(struct lockstep *l, uint64_t seed, unsigned fault); /* ends what was open */
  void (*close)(struct lockstep *l);
  uint64_t cycles;           /* of a random case */
  const char *const *points; /* of coverage */
  const unsigned long *reached;
  unsigned npoints;
  /* Prints the range of each input; returns how many miss some of it. */
  unsigned (*inputs)(const struct port_excuse *excuses);
  const struct port_excuse *excuses;
};

/* Runs the cases with the program's device; the program's exit status. */
int cases_run(const struct unit_test *test, const struct unit_case *cases, unsigned n);

/* Cycles of a random case: a netlist is slower to simulate. */
uint64_t cases_cycles(uint64_t of_rtl);

/* Where a device differs: the end of a run that looks for a fault, otherwise nothing happens. */
void cases_found(void);
/* A fault is looked for. */
extern bool cases_seek;

#endif
