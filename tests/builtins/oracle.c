/* Oracles of builtins.def that neither MPFR nor an expression is. */
#include "tests/builtins/special.h"

#include <string.h>

void real_ldexp(mpfr_t r, const mpfr_t x, const mpfr_t y) {
  mpfr_mul_2si(r, x, mpfr_get_si(y, MPFR_RNDN), MPFR_RNDN);
}
void real_lgamma(mpfr_t r, const mpfr_t x) {
  int sign;
  mpfr_lgamma(r, &sign, x, MPFR_RNDN);
}
void real_logb(mpfr_t r, const mpfr_t x) {
  if (mpfr_regular_p(x))
    mpfr_set_si(r, mpfr_get_exp(x) - 1, MPFR_RNDN);
  else if (mpfr_zero_p(x))
    mpfr_set_inf(r, -1);
  else
    mpfr_abs(r, x, MPFR_RNDN);
}
void real_maxmag(mpfr_t r, const mpfr_t x, const mpfr_t y) {
  const int order = mpfr_unordered_p(x, y) ? 0 : mpfr_cmpabs(x, y);
  if (order == 0)
    mpfr_max(r, x, y, MPFR_RNDN);
  else
    mpfr_set(r, order > 0 ? x : y, MPFR_RNDN);
}
void real_minmag(mpfr_t r, const mpfr_t x, const mpfr_t y) {
  const int order = mpfr_unordered_p(x, y) ? 0 : mpfr_cmpabs(x, y);
  if (order == 0)
    mpfr_min(r, x, y, MPFR_RNDN);
  else
    mpfr_set(r, order < 0 ? x : y, MPFR_RNDN);
}
/* mpfr_powr with two corrections: -0 is a zero, and 1 to the NaN is NaN. */
void real_powr(mpfr_t r, const mpfr_t x, const mpfr_t y) {
  mpfr_t base;
  mpfr_init2(base, mpfr_get_prec(x));
  if (mpfr_zero_p(x))
    mpfr_set_zero(base, 1);
  else
    mpfr_set(base, x, MPFR_RNDN);
  if (mpfr_nan_p(y))
    mpfr_set_nan(r); /* MPFR has 1 for 1 */
  else
    mpfr_powr(r, base, y, MPFR_RNDN);
  mpfr_clear(base);
}
void real_rsqrt(mpfr_t r, const mpfr_t x) {
  mpfr_rec_sqrt(r, x, MPFR_RNDN);
  if (mpfr_zero_p(x))
    mpfr_setsign(r, r, mpfr_signbit(x), MPFR_RNDN);
}
void real_scaled(mpfr_t r, const mpfr_t x, unsigned long by, bool over_pi) {
  mpfr_const_pi(r, MPFR_RNDN);
  if (over_pi) {
    mpfr_ui_div(r, by, r, MPFR_RNDN);
    mpfr_mul(r, x, r, MPFR_RNDN);
  } else {
    mpfr_mul(r, x, r, MPFR_RNDN);
    mpfr_div_ui(r, r, by, MPFR_RNDN);
  }
}
void real_sign(mpfr_t r, const mpfr_t x) {
  if (mpfr_nan_p(x))
    mpfr_set_zero(r, 1);
  else if (mpfr_zero_p(x))
    mpfr_set(r, x, MPFR_RNDN);
  else
    mpfr_set_si(r, mpfr_sgn(x), MPFR_RNDN);
}
void real_step(mpfr_t r, const mpfr_t edge, const mpfr_t x) {
  mpfr_set_ui(r, mpfr_less_p(x, edge) ? 0 : 1, MPFR_RNDN);
}

__int128 whole_clamp(enum type t, __int128 v) {
  return v < type_least(t) ? type_least(t) : v > type_most(t) ? type_most(t) : v;
}
__int128 whole_clz(enum type t, __int128 x) {
  const uint64_t bits = type_wrap(t, x);
  const int size = 8 * (int)type_bytes(t);
  return bits == 0 ? size : __builtin_clzll(bits) - (64 - size);
}
__int128 whole_high(enum type t, __int128 x, __int128 y) {
  const unsigned bits = 8 * (unsigned)type_bytes(t);
  if (t == ULONG)
    return (__int128)((unsigned __int128)x * (unsigned __int128)y >> bits);
  return x * y >> bits;
}
__int128 whole_mad_sat(enum type t, __int128 x, __int128 y, __int128 z) {
  if (t == ULONG) {
    const unsigned __int128 product = (unsigned __int128)x * (unsigned __int128)y;
    const unsigned __int128 sum = product + (unsigned __int128)z; /* fits */
    return sum > UINT64_MAX ? type_most(t) : (__int128)sum;
  }
  return whole_clamp(t, x * y + z);
}
__int128 whole_rotate(enum type t, __int128 x, __int128 y) {
  const unsigned size = 8 * (unsigned)type_bytes(t), by = (unsigned)type_wrap(t, y) % size;
  const uint64_t bits = type_wrap(t, x);
  return by == 0 ? (__int128)bits : (__int128)(bits << by | bits >> (size - by));
}

void expect_approximate(struct item *it, unsigned e, mpfr_t want) {
  if (strncmp(it->c->name, "lgamma", 6) != 0 || !mpfr_regular_p(want) || mpfr_get_exp(want) > 0 ||
      !type_is_negative(it->c->in[0].type, item_in(it, 0, e))) {
    expect_real(it, 0, e, want, it->c->allowed);
    return;
  }
  mpfr_t bound;
  mpfr_init2(bound, 64);
  mpfr_set_d(bound, it->c->allowed, MPFR_RNDN);
  mpfr_mul_2si(bound, bound, -type_precision(it->c->out[0].type), MPFR_RNDN);
  if (mpfr_cmpabs(want, bound) > 0)
    expect_within(it, 0, e, want, bound);
  mpfr_clear(bound);
}
