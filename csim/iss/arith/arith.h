/* Arithmetic of the check's own, one lane at a time.
 *
 * It is written from docs/reference/isa.md and IEEE 754 alone: bit loops for the integer
 * operations, MPFR's correctly rounded functions for the float ones.  It shares nothing with
 * csim/isa/lanes. */
#ifndef TANDEM_ISS_ARITH_H
#define TANDEM_ISS_ARITH_H

#include "csim/isa/core/isa.h"

struct arith_in {
  enum isa_id id;
  unsigned mods;
  uint64_t a, b, c; /* sources, 32-bit ones zero-extended; b is the immediate where it is used */
  bool p2, p3;
};
/* Result bits: 32-bit results zero-extended, predicates 0 or 1. */
typedef uint64_t arith_fn(const struct arith_in *in);

/* Returns the function of an operation; NULL if the lanes of the operation depend on each other. */
arith_fn *arith_of(enum isa_id id);
extern arith_fn *const arith_integer[ISA_OPS], *const arith_float[ISA_OPS];

/* Returns whether the result may be `got`.  sin, cos, ex2 and lg2 are specified by double precision
 * functions that may err in their last place, so that two results may be right.  All other
 * operations have one result, *want. */
bool arith_fits(const struct arith_in *in, uint64_t got, uint64_t *want);

/* Returns the value of the immediate as src 2 of the operation. */
uint64_t arith_immediate(enum isa_id id, uint16_t imm);

static inline unsigned arith_bits(unsigned mods, unsigned lsb, unsigned width) {
  return mods >> lsb & ((1U << width) - 1);
}

#endif
