/* A second opinion on the lane arithmetic, one lane at a time.
 *
 * Written from the definitions of the PTX manual and of IEEE 754 alone: bit loops for the integer
 * operations, exact big numbers and one rounding for the float ones.  Slow and plain on purpose. */
#ifndef TANDEM_TESTS_ORACLE_H
#define TANDEM_TESTS_ORACLE_H

#include "csim/isa/core/isa.h"

struct oracle_in {
  enum isa_id id;
  unsigned mods;
  uint64_t a, b, c; /* sources, 32-bit ones zero-extended; b is the immediate where it is used */
  bool p2, p3;
};
/* Result bits: 32-bit results zero-extended, predicates 0 or 1. */
typedef uint64_t oracle_fn(const struct oracle_in *in);

/* The oracle of an operation; NULL for those that are not of one lane alone. */
oracle_fn *oracle_of(enum isa_id id);
extern oracle_fn *const oracle_int[ISA_OPS], *const oracle_float[ISA_OPS];

/* Results of sin, cos, ex2 and lg2 may differ by this many units in the last place. */
bool oracle_approximate(enum isa_id id);

/* What the immediate means as src 2 of the operation. */
uint64_t oracle_immediate(enum isa_id id, uint16_t imm);

static inline unsigned oracle_bits(unsigned mods, unsigned lsb, unsigned width) {
  return mods >> lsb & ((1U << width) - 1);
}

#endif
