/* Sine, cosine, 2^x and log2 x of single precision numbers by series, good to about 2^-60. */
#ifndef TANDEM_ISS_SERIES_H
#define TANDEM_ISS_SERIES_H

#include "csim/isa/core/isa.h"
#include "csim/iss/arith/exact.h"

/* A magnitude m * 2^e with its sign, or infinity. */
struct series_value {
  bool neg, infinite;
  uint64_t m;
  int e;
};
/* x is no NaN.  False: the result is one. */
bool series_of(enum isa_id id, const struct num *x, struct series_value *v);

#endif
