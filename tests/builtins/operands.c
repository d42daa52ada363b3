/* Edges, random values, neighbours, and how they become tuples. */
#include "tests/builtins/operands.h"

#include <math.h>
#include <string.h>

enum { EDGES = 96 };

/* splitmix64 */
static uint64_t next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15ULL;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
  return z ^ z >> 31;
}
static double unit(uint64_t *state) { return (double)(next(state) >> 11) * 0x1p-53; }

static uint64_t of_double(enum type t, double v) {
  mpfr_t x;
  mpfr_init2(x, 53);
  mpfr_set_d(x, v, MPFR_RNDN);
  const uint64_t bits = type_round(t, x, RTE);
  mpfr_clear(x);
  return bits;
}

/* ---- edges ---- */

static unsigned real_edges(enum type t, uint64_t *list) {
  static const double values[] = {
      0.5,    1,      1.5,       2,           2.5,     3,          3.5,    4,      7,
      10,     16,     100.5,     1000,        2048,    65504,      0x1p23, 0x1p24, 0x1p31,
      0x1p32, 0x1p53, 0x1p63,    0x1p64,      0x1p-24, 0x1p-12,    0.1,    1. / 3, 0.75,
      M_PI_4, M_PI_2, M_PI,      M_E,         M_LN2,   0.99999994, 88.73,  -87.34, 103.98,
      709.79, 745.2,  1.0000001, 2147483583., 1e-5,    33.5,       170.6,  35.04,  171.62};
  const uint64_t sign = 1ULL << (8 * type_bytes(t) - 1);
  const uint64_t infinity = of_double(t, INFINITY),
                 normal = of_double(t, ldexp(1, (int)type_emin(t) + type_precision(t) - 2));
  const uint64_t special[] = {0,
                              1,
                              2,
                              normal - 1,
                              normal,
                              normal + 1,
                              infinity - 1,
                              infinity,
                              of_double(t, 1) - 1,
                              of_double(t, 1) + 1};
  unsigned n = 0;
  for (unsigned i = 0; i < sizeof special / sizeof *special; i++) {
    list[n++] = special[i];
    list[n++] = special[i] | sign;
  }
  list[n++] = of_double(t, NAN);
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    const uint64_t bits = of_double(t, values[i]);
    if (i % 2 == 0 || i < 14)
      list[n++] = bits ^ sign;
    list[n++] = bits;
  }
  return n; /* 20 + 1 + 30 + 45 = 96 at most */
}

static unsigned whole_edges(enum type t, uint64_t *list) {
  static const int64_t small[] = {0,  1,  2,  3,  4,  5,  7,  8,  13, 15,
                                  16, 31, 32, 33, 63, 64, 65, 77, 100};
  unsigned n = 0;
  for (unsigned i = 0; i < sizeof small / sizeof *small; i++) {
    list[n++] = type_wrap(t, small[i]);
    if (i < 9)
      list[n++] = type_wrap(t, -small[i]);
  }
  for (int i = -2; i <= 2; i++) {
    list[n++] = type_wrap(t, type_most(t) + i);
    list[n++] = type_wrap(t, type_most(t) / 2 + i);
    list[n++] = type_wrap(t, type_most(t) / 4 + i);
  }
  for (unsigned bits = 8; bits < 64; bits += 8)
    for (int i = -1; i <= 1 && bits < 8 * type_bytes(t); i++)
      list[n++] = type_wrap(t, ((__int128)1 << bits) + i);
  list[n++] = type_wrap(t, 0x5555555555555555);
  list[n++] = type_wrap(t, (__int128)0xaaaaaaaaaaaaaaaaULL);
  return n;
}

/* ---- random values ---- */

/* Halfway between two neighbours of a narrower type, or just beside: conversions round there. */
static uint64_t random_tie(enum type t, uint64_t *state) {
  const enum type narrow = t == DOUBLE && next(state) % 2 == 0 ? FLOAT : HALF;
  uint64_t bits = type_wrap(type_as_unsigned(narrow), (__int128)next(state));
  mpfr_t low, high;
  mpfr_inits2(64, low, high, (mpfr_ptr)NULL);
  type_get(low, narrow, bits);
  type_get(high, narrow, bits + 1);
  mpfr_add(low, low, high, MPFR_RNDN);
  mpfr_div_2ui(low, low, 1, MPFR_RNDN);
  bits = type_round(t, low, RTE);
  mpfr_clears(low, high, (mpfr_ptr)NULL);
  return bits + next(state) % 3 - 1;
}

static uint64_t random_real(enum type t, uint64_t *state) {
  const double sign = next(state) % 2 == 0 ? 1 : -1;
  switch (next(state) % 9) {
  case 8:
    return type_wrap(type_as_unsigned(t), (__int128)random_tie(t, state));
  case 0:
  case 1:
  case 2:
    return type_wrap(type_as_unsigned(t), (__int128)next(state));
  case 3: /* beside integers and their halves */
    return type_wrap(
        type_as_unsigned(t),
        (__int128)(of_double(t, sign * (double)(next(state) % 200) / 2) + next(state) % 3 - 1));
  case 4:
    return of_double(t, sign * exp2((unit(state) - 0.5) * 80));
  case 5:
    return of_double(t, sign * unit(state));
  default:
    return of_double(t, sign * unit(state) * 12);
  }
}
static uint64_t random_whole(enum type t, uint64_t *state) {
  const uint64_t v = next(state);
  return type_wrap(t, (__int128)(next(state) % 2 == 0 ? v : v >> next(state) % 64));
}
/* Exponents, counts: small ones matter. */
static uint64_t random_int(uint64_t *state) {
  const int64_t range[] = {4, 40, 400, 3000};
  const int64_t most = range[next(state) % 4];
  return type_wrap(INT, (int64_t)(next(state) % (uint64_t)(2 * most + 1)) - most);
}

static uint64_t confine(enum type t, enum domain domain, uint64_t bits, uint64_t *state) {
  mpfr_t x;
  bool inside;
  switch (domain) {
  case BITS24:
    return type_wrap(t,
                     t == INT ? (int32_t)((uint32_t)bits << 8) >> 8 : (int32_t)(bits & 0xffffff));
  case REDUCED:
    mpfr_init2(x, 64);
    type_get(x, t, bits);
    inside = mpfr_number_p(x) && (mpfr_zero_p(x) || mpfr_get_exp(x) <= 16);
    mpfr_clear(x);
    return inside ? bits : of_double(t, (unit(state) - 0.5) * 131072);
  case POSITIVE:
    return of_double(t, exp2((unit(state) - 0.5) * 40));
  default:
    return bits;
  }
}

static uint64_t neighbour(enum type t, uint64_t of, uint64_t *state) {
  const uint64_t sign = 1ULL << (8 * type_bytes(t) - 1);
  const uint64_t near = of + next(state) % 5 - 2;
  return type_wrap(type_as_unsigned(t), (__int128)(next(state) % 2 == 0 ? near : near ^ sign));
}

void operands_make(const struct builtin_case *c, uint64_t seed, size_t n,
                   uint64_t *tuples[INPUTS]) {
  uint64_t edges[INPUTS][2 * EDGES], state = seed;
  unsigned count[INPUTS] = {0};
  for (const char *p = c->name; *p; p++)
    state = state * 31 + (unsigned char)*p;
  for (unsigned k = 0; k < c->nin; k++)
    count[k] = (type_real(c->in[k].type) ? real_edges : whole_edges)(c->in[k].type, edges[k]);
  for (size_t j = 0; j < n; j++) {
    const bool paired = c->nin == 1 ? j < count[0] : j < n * 2 / 3;
    for (unsigned k = 0; k < c->nin; k++) {
      const enum type t = c->in[k].type;
      uint64_t v;
      if (paired)
        v = edges[k][c->nin == 1 ? j : next(&state) % count[k]];
      else if (k > 0 && t == c->in[0].type && next(&state) % 4 == 0)
        v = neighbour(t, tuples[0][j], &state);
      else if (type_real(t))
        v = random_real(t, &state);
      else
        v = t == INT && type_real(c->in[0].type) ? random_int(&state) : random_whole(t, &state);
      tuples[k][j] = confine(t, c->domain, v, &state);
    }
  }
}
