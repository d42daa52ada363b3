/* Functions without an exact result.
 *
 * sin, cos: the argument times 2 / pi with as many bits as its exponent needs, so that radians of
 * any size have a quadrant and a rest; then Taylor's series.  2^x: Taylor's series of e^(x ln 2)
 * for the fraction.  log2: the series of the inverse hyperbolic tangent. */
#include "csim/iss/arith/series.h"

#include <math.h>

enum { WORDS = 10, POINT = 32 * WORDS, TERMS = 30 };
static const long double half_pi = 1.57079632679489661923132169163975144L,
                         ln2 = 0.693147180559945309417232121458176568L;

static long double value_of(const struct num *x) {
  const long double v = ldexpl((long double)x->m, x->e);
  return x->neg ? -v : v;
}

static struct series_value of_value(long double v) {
  int e = 0;
  const long double m = frexpl(v < 0 ? -v : v, &e);
  return (struct series_value){.neg = signbit(v) != 0, .m = (uint64_t)ldexpl(m, 64), .e = e - 64};
}

/* Bits [from, from + 64) of a number of 32-bit words. */
static uint64_t bits(const uint32_t *w, int n, int from) {
  uint64_t v = 0;
  for (int i = 63; i >= 0; i--) {
    const int at = from + i;
    v = v << 1 | (at >= 0 && at < 32 * n ? w[at / 32] >> (at % 32) & 1 : 0);
  }
  return v;
}

/* |x| as quarter turns to the nearest, and the rest in radians. */
static unsigned quadrant(const struct num *x, long double *rest) {
  static const uint32_t two_over_pi[WORDS] = {0x424dd2e0, 0xb7246e3a, 0xdebbc561, 0xfe5163ab,
                                              0x3c439041, 0xdb629599, 0xf534ddc0, 0xfc2757d1,
                                              0x4e441529, 0xa2f9836e};
  uint32_t product[WORDS + 1];
  uint64_t carry = 0;
  if (x->m == 0 || x->e < -26) { /* below a quarter turn by far */
    *rest = ldexpl((long double)x->m, x->e);
    return 0;
  }
  for (int i = 0; i < WORDS; i++) {
    carry += x->m * two_over_pi[i];
    product[i] = (uint32_t)carry;
    carry >>= 32;
  }
  product[WORDS] = (uint32_t)carry;
  const int point = POINT - x->e;
  unsigned turns = (unsigned)(bits(product, WORDS + 1, point) & 3);
  unsigned __int128 fraction = (unsigned __int128)bits(product, WORDS + 1, point - 64) << 64 |
                               bits(product, WORDS + 1, point - 128);
  const bool above = fraction >> 127 != 0;
  if (above) {
    turns++;
    fraction = -fraction;
  }
  const long double part = ldexpl((long double)fraction, -128) * half_pi;
  *rest = above ? -part : part;
  return turns & 3;
}

/* The sum of r^k / k! for k from first on in steps of 2, signs in turn. */
static long double taylor(long double r, unsigned first) {
  long double term = first == 1 ? r : 1, sum = term;
  for (unsigned k = first + 1; k < TERMS; k += 2) {
    term *= -r * r / ((long double)k * (k + 1));
    sum += term;
  }
  return sum;
}

static long double turn(const struct num *x, unsigned more) {
  long double rest;
  const unsigned quarters = (quadrant(x, &rest) + more) & 3;
  const long double v = taylor(rest, quarters % 2 == 0 ? 1 : 0);
  return quarters >= 2 ? -v : v;
}

static long double power(const struct num *x) {
  const long double v = value_of(x);
  if (v > 200 || v < -200)
    return v > 0 ? 0x1p200L : 0x1p-200L;
  const long double whole = floorl(v + 0.5L), r = (v - whole) * ln2;
  long double term = 1, sum = 1;
  for (unsigned k = 1; k < TERMS; k++) {
    term *= r / k;
    sum += term;
  }
  return ldexpl(sum, (int)whole);
}

/* log2 m = 2 / ln 2 * artanh((m - 1) / (m + 1)), m near 1. */
static long double logarithm(const struct num *x) {
  int e = 0;
  long double m = frexpl(value_of(x), &e);
  if (m < 0.70710678118654752440L) {
    m *= 2;
    e--;
  }
  const long double z = (m - 1) / (m + 1);
  long double term = z, sum = 0;
  for (unsigned k = 1; k < 2 * TERMS; k += 2, term *= z * z)
    sum += term / k;
  return (long double)e + 2 * sum / ln2;
}

bool series_of(enum isa_id id, const struct num *x, struct series_value *v) {
  const bool infinite = x->kind == NUM_INF, zero = !infinite && x->m == 0;
  long double result;
  switch (id) {
  case ISA_SIN:
    if (infinite)
      return false;
    result = zero ? 0 : turn(x, 0);
    *v = of_value(result);
    v->neg = zero ? x->neg : v->neg != x->neg;
    return true;
  case ISA_COS:
    if (infinite)
      return false;
    *v = of_value(turn(x, 1));
    return true;
  case ISA_EX2:
    *v = infinite ? (struct series_value){.infinite = !x->neg} : of_value(power(x));
    return true;
  default: /* log2 */
    if (x->neg && !zero)
      return false;
    *v = infinite ? (struct series_value){.infinite = true}
         : zero   ? (struct series_value){.infinite = true, .neg = true}
                  : of_value(logarithm(x));
    return true;
  }
}
