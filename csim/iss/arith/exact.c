/* Exact binary numbers, and their rounding to float formats. */
#include "csim/iss/arith/exact.h"

const struct format format_half = {11, 15}, format_single = {24, 127}, format_double = {53, 1023};

struct num num_of(const struct format *f, uint64_t bits) {
  uint64_t hidden = 1ULL << (f->precision - 1);
  uint64_t mantissa = bits & (hidden - 1);
  int exponent = (int)(bits >> (f->precision - 1)) & (2 * f->emax + 1);
  struct num n = {.kind = NUM_FINITE, .neg = bits / hidden > 2 * (uint64_t)f->emax + 1};
  if (exponent == 2 * f->emax + 1) {
    n.kind = mantissa != 0 ? NUM_NAN : NUM_INF;
    return n;
  }
  n.m = exponent == 0 ? mantissa : mantissa | hidden;
  n.e = (exponent == 0 ? 1 : exponent) - f->emax - (f->precision - 1);
  return n;
}

uint64_t num_inf(const struct format *f, bool neg) {
  uint64_t exponent = 2 * (uint64_t)f->emax + 1;
  return (exponent | (neg ? exponent + 1 : 0)) << (f->precision - 1);
}

uint64_t num_nan(const struct format *f) { return num_inf(f, true) / 2 | (num_inf(f, false) - 1); }

enum { TOP = 125 /* place of the highest bit of a sum's operands: two of them fit 128 bits */ };

static int highest(unsigned __int128 m) {
  const uint64_t high = (uint64_t)(m >> 64);
  return high != 0 ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)m);
}

/* Shifts right; ones that go leave a one at the lowest place, far below all that is kept. */
static unsigned __int128 shift_down(unsigned __int128 m, int n) {
  if (n <= 0)
    return m;
  if (n > 127)
    return m != 0;
  return m >> n | ((m & (((unsigned __int128)1 << n) - 1)) != 0);
}

/* The highest bit to TOP. */
static void normalise(unsigned __int128 *m, int *e) {
  const int up = TOP - highest(*m);
  *m = up >= 0 ? *m << up : shift_down(*m, -up);
  *e -= up;
}

bool exact_zero(const struct exact *x) { return x->m == 0; }

/* Operands lose bits to the lowest place only where they are far apart; then little cancels. */
void exact_add(struct exact *x, bool neg, unsigned __int128 m, int e) {
  if (m == 0) {
    x->neg = x->m != 0 && x->neg;
    return;
  }
  normalise(&m, &e);
  if (x->m == 0) {
    *x = (struct exact){.neg = neg, .m = m, .e = e};
    return;
  }
  normalise(&x->m, &x->e);
  const int top = x->e > e ? x->e : e;
  x->m = shift_down(x->m, top - x->e);
  m = shift_down(m, top - e);
  x->e = top;
  if (x->neg == neg) {
    x->m += m;
  } else if (x->m >= m) {
    x->m -= m;
    x->neg = x->m != 0 && x->neg;
  } else {
    x->m = m - x->m;
    x->neg = neg;
  }
}

/* The magnitude in units of 2^last, stepped up by the mode and what is below. */
static unsigned __int128 round_at(const struct exact *x, int last, enum exact_mode mode) {
  const int cut = last - x->e;
  const unsigned __int128 one = 1;
  if (cut <= 0)
    return x->m << -cut;
  const unsigned __int128 m = cut < 128 ? x->m >> cut : 0;
  const bool half = cut <= 128 && (x->m >> (cut - 1) & 1) != 0;
  const bool below = cut > 128 ? x->m != 0 : (x->m & ((one << (cut - 1)) - 1)) != 0;
  const bool rest = below || x->lost, inexact = half || rest;
  const bool up[4] = {half && (rest || (m & 1) != 0), false, inexact && x->neg, inexact && !x->neg};
  return m + up[mode];
}

uint64_t exact_round(const struct exact *x, const struct format *f, enum exact_mode mode) {
  const uint64_t hidden = 1ULL << (f->precision - 1);
  const uint64_t sign = (x->neg ? (uint64_t)(2 * f->emax + 2) : 0) * hidden;
  const int lowest = 1 - f->emax - (f->precision - 1); /* last place of subnormals */
  if (x->m == 0)
    return sign;
  int last = x->e + highest(x->m) - (f->precision - 1);
  if (last < lowest)
    last = lowest;
  uint64_t m = (uint64_t)round_at(x, last, mode);
  if (m == 2 * hidden) {
    m = hidden;
    last++;
  }
  const uint64_t biased = m < hidden ? 0 : (uint64_t)(last - lowest + 1);
  if (biased > 2 * (uint64_t)f->emax) {
    bool away = mode == EXACT_RN || (mode == EXACT_RM && x->neg) || (mode == EXACT_RP && !x->neg);
    return sign | (num_inf(f, false) - (away ? 0 : 1));
  }
  return sign | (biased * hidden + (m < hidden ? m : m - hidden));
}

unsigned __int128 exact_integer(const struct exact *x, enum exact_mode mode) {
  if (x->m == 0)
    return 0;
  if (x->e + highest(x->m) >= 64)
    return (unsigned __int128)1 << 64;
  return round_at(x, 0, mode);
}
