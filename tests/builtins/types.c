/* Element types: integers as two's complement, reals by MPFR. */
#include "tests/builtins/types.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const type_names[TYPES] = {"char", "uchar", "short", "ushort", "int",   "uint",
                                       "long", "ulong", "half",  "float",  "double"};
const char *const mode_suffixes[] = {"_rte", "_rtz", "_rtp", "_rtn", ""};

static const struct real {
  int precision, emin, emax, mantissa; /* mantissa: its bits in memory */
} reals[TYPES] = {
    [HALF] = {11, -23, 16, 10}, [FLOAT] = {24, -148, 128, 23}, [DOUBLE] = {53, -1073, 1024, 52}};

size_t type_bytes(enum type t) {
  static const size_t bytes[TYPES] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
  return bytes[t];
}

enum type type_as_signed(enum type t) {
  const size_t bytes = type_bytes(t);
  return bytes == 1 ? CHAR : bytes == 2 ? SHORT : bytes == 4 ? INT : LONG;
}
enum type type_as_unsigned(enum type t) { return type_as_signed(t) + 1; }

__int128 type_value(enum type t, uint64_t bits) {
  const unsigned shift = 64 - 8 * (unsigned)type_bytes(t);
  bits <<= shift;
  return type_signed(t) ? (__int128)((int64_t)bits >> shift) : (__int128)(bits >> shift);
}
uint64_t type_wrap(enum type t, __int128 value) {
  return (uint64_t)value & UINT64_MAX >> (64 - 8 * type_bytes(t));
}
__int128 type_least(enum type t) {
  return type_signed(t) ? -((__int128)1 << (8 * type_bytes(t) - 1)) : 0;
}
__int128 type_most(enum type t) {
  return ((__int128)1 << (8 * type_bytes(t) - (type_signed(t) ? 1 : 0))) - 1;
}

int type_precision(enum type t) { return reals[t].precision; }
mpfr_exp_t type_emin(enum type t) { return reals[t].emin; }
mpfr_exp_t type_emax(enum type t) { return reals[t].emax; }

bool type_is_negative(enum type t, uint64_t bits) {
  return (bits >> (8 * type_bytes(t) - 1) & 1) != 0;
}
static uint64_t infinity(enum type t) {
  const unsigned exponent = 8 * (unsigned)type_bytes(t) - 1 - (unsigned)reals[t].mantissa;
  return ((1ULL << exponent) - 1) << reals[t].mantissa;
}
bool type_is_nan(enum type t, uint64_t bits) {
  const uint64_t sign = 1ULL << (8 * type_bytes(t) - 1);
  return type_real(t) && (bits & (sign - 1)) > infinity(t);
}

void type_get(mpfr_t x, enum type t, uint64_t bits) {
  if (!type_real(t)) {
    const __int128 v = type_value(t, bits);
    if (v < 0)
      mpfr_set_si(x, (long)v, MPFR_RNDN);
    else
      mpfr_set_ui(x, (unsigned long)v, MPFR_RNDN);
    return;
  }
  const struct real *r = &reals[t];
  const bool negative = type_is_negative(t, bits);
  const uint64_t mantissa = bits & ((1ULL << r->mantissa) - 1);
  const uint64_t exponent = (bits & infinity(t)) >> r->mantissa;
  if (type_is_nan(t, bits))
    mpfr_set_nan(x);
  else if ((bits & infinity(t)) == infinity(t))
    mpfr_set_inf(x, 1);
  else if (exponent == 0)
    mpfr_set_ui_2exp(x, mantissa, r->emin - 1, MPFR_RNDN);
  else
    mpfr_set_ui_2exp(x, mantissa | 1ULL << r->mantissa, r->emin - 2 + (mpfr_exp_t)exponent,
                     MPFR_RNDN);
  mpfr_setsign(x, x, negative, MPFR_RNDN);
}

uint64_t type_round(enum type t, const mpfr_t x, enum mode mode) {
  static const mpfr_rnd_t modes[] = {MPFR_RNDN, MPFR_RNDZ, MPFR_RNDU, MPFR_RNDD, MPFR_RNDN};
  const struct real *r = &reals[t];
  const uint64_t sign = mpfr_signbit(x) ? 1ULL << (8 * type_bytes(t) - 1) : 0;
  if (mpfr_nan_p(x))
    return infinity(t) | 1ULL << (r->mantissa - 1);
  const mpfr_exp_t least = mpfr_get_emin(), most = mpfr_get_emax();
  mpfr_t y;
  mpfr_init2(y, r->precision);
  mpfr_set_emin(r->emin);
  mpfr_set_emax(r->emax);
  const int inexact = mpfr_set(y, x, modes[mode]);
  mpfr_subnormalize(y, mpfr_check_range(y, inexact, modes[mode]), modes[mode]);
  mpfr_set_emin(least);
  mpfr_set_emax(most);
  uint64_t bits = 0;
  if (mpfr_inf_p(y)) {
    bits = infinity(t);
  } else if (!mpfr_zero_p(y)) {
    const mpfr_exp_t below = r->emin + r->precision - 1; /* the exponent of the smallest normal */
    const mpfr_exp_t e = mpfr_get_exp(y) < below ? below : mpfr_get_exp(y);
    mpfr_abs(y, y, MPFR_RNDN);
    mpfr_mul_2si(y, y, r->precision - e, MPFR_RNDN);
    bits = mpfr_get_ui(y, MPFR_RNDN); /* with the hidden one, which is added to the exponent */
    bits += (uint64_t)(e - below) << r->mantissa;
  }
  mpfr_clear(y);
  return sign | bits;
}

uint64_t type_load(enum type t, const void *buffer, size_t index) {
  uint64_t bits = 0;
  memcpy(&bits, (const char *)buffer + index * type_bytes(t), type_bytes(t));
  return bits;
}
void type_store(enum type t, void *buffer, size_t index, uint64_t bits) {
  memcpy((char *)buffer + index * type_bytes(t), &bits, type_bytes(t));
}

void type_print(enum type t, uint64_t bits, char *text, size_t size) {
  if (!type_real(t)) {
    snprintf(text, size, type_signed(t) ? "%" PRId64 : "%" PRIu64, (uint64_t)type_value(t, bits));
    return;
  }
  mpfr_t x;
  mpfr_init2(x, 64);
  type_get(x, t, bits);
  mpfr_snprintf(text, size, "0x%0*" PRIx64 " (%.9Rg)", (int)(2 * type_bytes(t)), bits, x);
  mpfr_clear(x);
}
