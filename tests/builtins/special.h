/* Oracles of builtins.def. */
#ifndef BUILTINS_SPECIAL_H
#define BUILTINS_SPECIAL_H

#include "tests/builtins/case.h"

/* Reals: r becomes the exact value, or one of the precision of r. */
void real_ldexp(mpfr_t r, const mpfr_t x, const mpfr_t y);
void real_lgamma(mpfr_t r, const mpfr_t x);
void real_logb(mpfr_t r, const mpfr_t x);
void real_maxmag(mpfr_t r, const mpfr_t x, const mpfr_t y);
void real_minmag(mpfr_t r, const mpfr_t x, const mpfr_t y);
void real_powr(mpfr_t r, const mpfr_t x, const mpfr_t y);
void real_rsqrt(mpfr_t r, const mpfr_t x);
/* x * by / pi, or x * pi / by. */
void real_scaled(mpfr_t r, const mpfr_t x, unsigned long by, bool over_pi);
void real_sign(mpfr_t r, const mpfr_t x);
void real_step(mpfr_t r, const mpfr_t edge, const mpfr_t x);

/* Integers of a type, as values; the result is taken modulo the type's size. */
#define WHOLE_OPEN ((__int128)1 << 126)        /* the standard leaves the result open */
__int128 whole_clamp(enum type t, __int128 v); /* to the type's range */
__int128 whole_clz(enum type t, __int128 x);
__int128 whole_high(enum type t, __int128 x, __int128 y);
__int128 whole_mad_sat(enum type t, __int128 x, __int128 y, __int128 z);
__int128 whole_rotate(enum type t, __int128 x, __int128 y);

/* Like expect_real of the first output; logarithms of gamma of negative numbers, which has roots
 * there, to so many ulp of 1. */
void expect_approximate(struct item *it, unsigned e, mpfr_t want);

/* The operands' values at one element, and a value of any precision. */
struct values {
  mpfr_t x, y, z, r;
};
/* Judges of geometric functions (geometric.c). */
void judge_cross(struct item *it, unsigned e, struct values *v);
void judge_dot(struct item *it, unsigned e, struct values *v);
void judge_length(struct item *it, unsigned e, struct values *v); /* and distance */
void judge_normalize(struct item *it, unsigned e, struct values *v);

/* Cases of functions with an oracle of their own (special.c). */
void cases_of_special(struct cases *all);

#endif
