/* The device that a test looks at, chosen by the options of its program:
 *
 *   --device rtl|netlist|mutants|covered|none   the RTL with assertions and seeded faults
 * (default); its netlist; a netlist with mutants; the RTL, which counts what is covered; no device:
 * directed expectations and the reference's coverage
 *   --variant NAME            with the parameters of csim/ports/units.def
 *   --parameters "Name=value Name=value"
 *   --files FILE,FILE         of which the model is made, and --rtl FOLDER: struct rtl_spec
 *   --faults                  random tests look for each seeded fault of the unit
 *   --seed N, --cycles N      testing_seeds(); of a random test
 *   --mutant N                testing_mutate()
 */
#ifndef TANDEM_TEST_DEVICE_H
#define TANDEM_TEST_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/shim/models/models.h"

struct device {
  struct rtl_spec spec;
  const struct rtl_type *type; /* NULL: none */
  bool faults;
  uint64_t seed;
  uint64_t fresh;  /* the seed of a last, short round; 0: none */
  uint64_t cycles; /* 0: as many as the test has of itself */
};
/* That of this program. */
extern struct device device;

/* Reads the options and gets the model from the cache.  `parameters`: without those of an option;
 * NULL: the RTL's own.  0, or the program's exit status after a message. */
int device_choose(const char *unit, const char *parameters, int argc, char **argv);

/* The value of a parameter; `otherwise`: the RTL's own. */
unsigned device_parameter(const char *name, unsigned otherwise);

/* A model after a reset; NULL: there is no device. */
struct rtl_model *device_create(uint64_t seed);

/* It has states, which can be compared. */
bool device_has_states(void);
/* It has assertions, of which none may fail. */
bool device_asserts(void);

#endif
