/* Exact binary numbers, and their rounding to float formats. */
#include "tests/isa/exact.h"

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

static bool bit(const struct exact *x, int i) {
  return i >= 0 && i < 32 * EXACT_WORDS && (x->w[i / 32] >> (i % 32) & 1) != 0;
}

bool exact_zero(const struct exact *x) {
  for (int i = 0; i < EXACT_WORDS; i++) {
    if (x->w[i] != 0)
      return false;
  }
  return true;
}

/* Two's complement while adding, so that signs need no cases. */
static void negate(uint32_t *w) {
  uint64_t carry = 1;
  for (int i = 0; i < EXACT_WORDS; i++) {
    carry += (uint32_t)~w[i];
    w[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

void exact_add(struct exact *x, bool neg, unsigned __int128 m, int e) {
  uint32_t other[EXACT_WORDS] = {0};
  for (int i = 0; i < 128; i++) {
    int at = i + e + EXACT_ONE;
    if ((m >> i & 1) != 0)
      other[at / 32] |= 1U << (at % 32);
  }
  if (x->neg)
    negate(x->w);
  if (neg)
    negate(other);
  uint64_t carry = 0;
  for (int i = 0; i < EXACT_WORDS; i++) {
    carry += (uint64_t)x->w[i] + other[i];
    x->w[i] = (uint32_t)carry;
    carry >>= 32;
  }
  x->neg = x->w[EXACT_WORDS - 1] >> 31 != 0;
  if (x->neg)
    negate(x->w);
}

static int highest(const struct exact *x) {
  int i = 32 * EXACT_WORDS - 1;
  while (i >= 0 && !bit(x, i))
    i--;
  return i;
}

/* Bits from position `last` up, stepped up by the mode and what is below. */
static unsigned __int128 round_at(const struct exact *x, int last, enum exact_mode mode) {
  unsigned __int128 m = 0;
  for (int i = highest(x); i >= last; i--)
    m = 2 * m + bit(x, i);
  bool half = bit(x, last - 1), rest = x->lost;
  for (int i = 0; i < last - 1; i++)
    rest = rest || bit(x, i);
  const bool inexact = half || rest;
  const bool up[4] = {half && (rest || (m & 1) != 0), false, inexact && x->neg, inexact && !x->neg};
  return m + up[mode];
}

uint64_t exact_round(const struct exact *x, const struct format *f, enum exact_mode mode) {
  const uint64_t hidden = 1ULL << (f->precision - 1);
  const uint64_t sign = (x->neg ? (uint64_t)(2 * f->emax + 2) : 0) * hidden;
  int lowest = EXACT_ONE + 1 - f->emax - (f->precision - 1); /* last place of subnormals */
  int last = highest(x) - (f->precision - 1);
  if (last < lowest)
    last = lowest;
  uint64_t m = (uint64_t)round_at(x, last, mode);
  if (m == 2 * hidden) {
    m = hidden;
    last++;
  }
  uint64_t biased = m < hidden ? 0 : (uint64_t)(last - lowest + 1);
  if (biased > 2 * (uint64_t)f->emax) {
    bool away = mode == EXACT_RN || (mode == EXACT_RM && x->neg) || (mode == EXACT_RP && !x->neg);
    return sign | (num_inf(f, false) - (away ? 0 : 1));
  }
  return sign | (biased * hidden + (m < hidden ? m : m - hidden));
}

unsigned __int128 exact_integer(const struct exact *x, enum exact_mode mode) {
  unsigned __int128 limit = (unsigned __int128)1 << 64;
  if (highest(x) >= EXACT_ONE + 64)
    return limit;
  return round_at(x, EXACT_ONE, mode);
}
