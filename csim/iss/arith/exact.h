/* Exact binary numbers and their rounding to a float format: what IEEE 754 defines results by. */
#ifndef TANDEM_ISS_EXACT_H
#define TANDEM_ISS_EXACT_H

#include <stdbool.h>
#include <stdint.h>

enum exact_mode { EXACT_RN, EXACT_RZ, EXACT_RM, EXACT_RP };

/* precision: bits of the significand with the hidden one; emax: largest exponent, and the bias. */
struct format {
  int precision, emax;
};
extern const struct format format_half, format_single, format_double;

/* A decoded float: magnitude m * 2^e. */
struct num {
  enum { NUM_FINITE, NUM_INF, NUM_NAN } kind;
  bool neg;
  uint64_t m;
  int e;
};
struct num num_of(const struct format *f, uint64_t bits);
uint64_t num_inf(const struct format *f, bool neg);
uint64_t num_nan(const struct format *f); /* the canonical one: all ones but the sign */

/* A number m * 2^e with its sign, exact as far as it is rounded: lost says that ones follow below.
 */
struct exact {
  bool neg, lost;
  unsigned __int128 m;
  int e;
};
/* Adds m * 2^e with its sign to a number without lost ones. */
void exact_add(struct exact *x, bool neg, unsigned __int128 m, int e);
bool exact_zero(const struct exact *x);
/* Nearest float in the mode; zero keeps the sign of x. */
uint64_t exact_round(const struct exact *x, const struct format *f, enum exact_mode mode);
/* Magnitude rounded to an integer, at most 2^64 (which stands for all above too). */
unsigned __int128 exact_integer(const struct exact *x, enum exact_mode mode);

#endif
