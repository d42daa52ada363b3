/* Float operations, correctly rounded by MPFR.
 *
 * A value of a format is a double here, which holds every half, single and double exactly. */
#include <math.h>
#include <mpfr.h>
#include <pthread.h>
#include <string.h>

#include "csim/iss/arith/arith.h"

enum { FTZ = 4, SAT = 8 };

/* precision: bits of the significand with the hidden one; emax: largest exponent, and the bias. */
struct format {
  mpfr_prec_t precision;
  int emax;
};
static const struct format half = {11, 15}, single = {24, 127}, wide = {53, 1023};
static const struct format *const S = &single, *const D = &wide;

/* A number with its one limb: nothing is allocated. */
struct number {
  mpfr_t n;
  mp_limb_t limb;
};

static bool has(const struct arith_in *in, unsigned bit) { return (in->mods & bit) != 0; }

/* The format of the operation: that of its function unit. */
static const struct format *format_of(const struct arith_in *in) {
  return isa_ops[in->id].unit == ISA_U_DP ? D : S;
}

static mpfr_rnd_t mode_of(const struct arith_in *in) {
  static const mpfr_rnd_t mode[] = {MPFR_RNDN, MPFR_RNDZ, MPFR_RNDD, MPFR_RNDU};
  return mode[arith_bits(in->mods, 4, 2)];
}

/* ---- values and their bits ---- */

static double of_half(uint64_t bits) {
  const unsigned exponent = bits >> 10 & 31, m = bits & 1023;
  const double v = exponent == 31  ? (m != 0 ? (double)NAN : (double)INFINITY)
                   : exponent != 0 ? ldexp(m + 1024, (int)exponent - 25)
                                   : ldexp(m, -24);
  return (bits >> 15 & 1) != 0 ? -v : v;
}

static uint64_t half_bits(double v) {
  const double size = fabs(v);
  const uint64_t sign = signbit(v) ? 0x8000 : 0;
  if (isinf(v))
    return sign | 0x7c00;
  if (size < 0x1p-14)
    return sign | (uint64_t)ldexp(size, 24);
  const int e = ilogb(size);
  return sign | (((uint64_t)(e + 14) << 10) + (uint64_t)ldexp(size, 10 - e));
}

static double value_of(const struct format *f, uint64_t bits) {
  const uint32_t low = (uint32_t)bits;
  float s;
  double d;
  memcpy(&s, &low, sizeof s);
  memcpy(&d, &bits, sizeof d);
  return f == &half ? of_half(bits) : f == S ? (double)s : d;
}

/* The bits of a value of the format.  NaN is the canonical one: all ones but the sign. */
static uint64_t bits_of(const struct format *f, double v) {
  const float s = (float)v;
  uint32_t low;
  uint64_t bits;
  memcpy(&low, &s, sizeof low);
  memcpy(&bits, &v, sizeof bits);
  if (isnan(v))
    return f == &half ? 0x7fff : f == S ? 0x7fffffff : ~0ULL >> 1;
  return f == &half ? half_bits(v) : f == S ? low : bits;
}

/* A source: negated first, then flushed if it is a float and ftz is on. */
static double source(const struct format *f, uint64_t bits, bool negate, bool ftz) {
  const double v = value_of(f, bits), x = negate ? -v : v;
  return ftz && f == S && fabs(x) < 0x1p-126 ? copysign(0, x) : x;
}

/* A double as drcp and drsqrt see it, source and result: with ftz no subnormal. */
static double flushed_double(const struct arith_in *in, const struct format *f, double x) {
  return has(in, FTZ) && f == D && fabs(x) < 0x1p-1022 ? copysign(0, x) : x;
}

/* The bits of a result after ftz and sat. */
static uint64_t finish(const struct arith_in *in, const struct format *f, double v) {
  if (has(in, FTZ) && f == S && fabs(v) < 0x1p-126)
    v = copysign(0, v);
  if (has(in, SAT) && (isnan(v) || signbit(v)))
    return 0;
  return bits_of(f, has(in, SAT) && v > 1 ? 1 : v);
}

/* ---- rounding ---- */

static void empty(struct number *x, mpfr_prec_t precision) {
  mpfr_custom_init_set(x->n, MPFR_NAN_KIND, 0, precision, &x->limb);
}

static void set(struct number *x, double v) {
  empty(x, D->precision);
  (void)mpfr_set_d(x->n, v, MPFR_RNDN);
}

/* Rounds a number that has the format's precision and the ternary value t to the format's range. */
static double in_range(struct number *x, int t, const struct format *f, mpfr_rnd_t mode) {
  if (!mpfr_regular_p(x->n) ||
      (mpfr_get_exp(x->n) > 2 - f->emax && mpfr_get_exp(x->n) <= f->emax + 1))
    return mpfr_get_d(x->n, MPFR_RNDN);
  const mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
  (void)mpfr_set_emin(3 - f->emax - f->precision);
  (void)mpfr_set_emax(f->emax + 1);
  t = mpfr_check_range(x->n, t, mode);
  (void)mpfr_subnormalize(x->n, t, mode);
  (void)mpfr_set_emin(emin);
  (void)mpfr_set_emax(emax);
  return mpfr_get_d(x->n, MPFR_RNDN);
}

typedef int unary_fn(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
typedef int binary_fn(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

static double rounded_1(const struct arith_in *in, const struct format *f, unary_fn *fn, double a) {
  struct number x, r;
  set(&x, a);
  empty(&r, f->precision);
  return in_range(&r, fn(r.n, x.n, mode_of(in)), f, mode_of(in));
}

static double rounded_2(const struct arith_in *in, const struct format *f, binary_fn *fn, double a,
                        double b) {
  struct number x, y, r;
  set(&x, a);
  set(&y, b);
  empty(&r, f->precision);
  return in_range(&r, fn(r.n, x.n, y.n, mode_of(in)), f, mode_of(in));
}

/* ---- operations ---- */

static uint64_t o_add(const struct arith_in *in) {
  const struct format *f = format_of(in);
  const double x = source(f, in->a, has(in, 1), has(in, FTZ));
  return finish(in, f, rounded_2(in, f, mpfr_add, x, source(f, in->b, has(in, 2), has(in, FTZ))));
}
static uint64_t o_mul(const struct arith_in *in) {
  const struct format *f = format_of(in);
  const double x = source(f, in->a, has(in, 1), has(in, FTZ));
  return finish(in, f, rounded_2(in, f, mpfr_mul, x, source(f, in->b, false, has(in, FTZ))));
}
static uint64_t o_fma(const struct arith_in *in) {
  const struct format *f = format_of(in);
  struct number x, y, z, r;
  set(&x, source(f, in->a, has(in, 1), has(in, FTZ)));
  set(&y, source(f, in->b, false, has(in, FTZ)));
  set(&z, source(f, in->c, has(in, 2), has(in, FTZ)));
  empty(&r, f->precision);
  const int t = mpfr_fma(r.n, x.n, y.n, z.n, mode_of(in));
  return finish(in, f, in_range(&r, t, f, mode_of(in)));
}
static uint64_t o_div(const struct arith_in *in) {
  const struct format *f = format_of(in);
  const double x = source(f, in->a, false, has(in, FTZ));
  return finish(in, f, rounded_2(in, f, mpfr_div, x, source(f, in->b, false, has(in, FTZ))));
}
static uint64_t o_rcp(const struct arith_in *in) {
  const struct format *f = format_of(in);
  const double v = flushed_double(in, f, source(f, in->a, false, has(in, FTZ)));
  return finish(in, f, flushed_double(in, f, rounded_2(in, f, mpfr_div, 1, v)));
}

/* The function of the first source, rounded. */
static uint64_t of_first(const struct arith_in *in, unary_fn *fn) {
  const struct format *f = format_of(in);
  return finish(in, f, rounded_1(in, f, fn, source(f, in->a, false, has(in, FTZ))));
}
static uint64_t o_sqrt(const struct arith_in *in) { return of_first(in, mpfr_sqrt); }
static uint64_t o_round(const struct arith_in *in) { return of_first(in, mpfr_rint); }

/* fabs and fneg change the sign alone, also of NaN; ftz and sat as elsewhere. */
static uint64_t sign_only(const struct arith_in *in, uint64_t bits) {
  const double v = value_of(S, bits);
  return isnan(v) && !has(in, SAT) ? bits : finish(in, S, v);
}
static uint64_t o_fabs(const struct arith_in *in) { return sign_only(in, in->a & 0x7fffffffU); }
static uint64_t o_fneg(const struct arith_in *in) { return sign_only(in, in->a ^ 0x80000000U); }
static uint64_t o_dabs(const struct arith_in *in) { return in->a & ~(1ULL << 63); }
static uint64_t o_dneg(const struct arith_in *in) { return in->a ^ 1ULL << 63; }

/* From one float format to another. */
static uint64_t convert(const struct arith_in *in, const struct format *from,
                        const struct format *to) {
  const double x = source(from, in->a, false, has(in, FTZ));
  return finish(in, to, rounded_1(in, to, mpfr_set, x));
}
static uint64_t o_f2f(const struct arith_in *in) { return convert(in, S, S); }
static uint64_t o_f2h(const struct arith_in *in) { return convert(in, S, &half); }
static uint64_t o_h2f(const struct arith_in *in) { return convert(in, &half, S); }
static uint64_t o_d2f(const struct arith_in *in) { return convert(in, D, S); }
static uint64_t o_f2d(const struct arith_in *in) { return convert(in, S, D); }

/* To an integer type, saturated.  NaN gives the type's top bit, from a float to at most 32 bits 0.
 */
static uint64_t saturated(const struct arith_in *in, double v, unsigned bits) {
  struct number x;
  set(&x, v);
  if (isnan(v))
    return format_of(in) == S && bits < 64 ? 0
           : (in->mods & 1) != 0           ? ~0ULL << (bits - 1)
                                           : 1ULL << (bits - 1);
  if ((in->mods & 1) == 0) {
    const uint64_t top = ~0ULL >> (64 - bits), n = v < 0 ? 0 : mpfr_get_ui(x.n, mode_of(in));
    return n < top ? n : top;
  }
  const int64_t top = INT64_MAX >> (64 - bits), n = mpfr_get_si(x.n, mode_of(in));
  return (uint64_t)(n > top ? top : n < -top - 1 ? -top - 1 : n);
}
static uint64_t o_to_integer(const struct arith_in *in) {
  const unsigned bits = has(in, 8) ? 8 : has(in, 2) ? 16 : 32;
  return saturated(in, source(format_of(in), in->a, false, has(in, FTZ)), bits) & 0xffffffffU;
}
static uint64_t o_to_long(const struct arith_in *in) {
  return saturated(in, value_of(format_of(in), in->a), 64);
}

/* From an integer. */
static uint64_t of_integer(const struct arith_in *in, int64_t with_sign) {
  const struct format *f = format_of(in);
  struct number r;
  empty(&r, f->precision);
  if ((in->mods & 1) == 0)
    (void)mpfr_set_ui(r.n, in->a, mode_of(in));
  else
    (void)mpfr_set_si(r.n, with_sign, mode_of(in));
  return bits_of(f, mpfr_get_d(r.n, MPFR_RNDN));
}
static uint64_t o_of_integer(const struct arith_in *in) { return of_integer(in, (int32_t)in->a); }
static uint64_t o_of_long(const struct arith_in *in) { return of_integer(in, (int64_t)in->a); }

static uint64_t extreme(const struct arith_in *in, bool largest) {
  const struct format *f = format_of(in);
  const double x = source(f, in->a, false, has(in, FTZ)), y = source(f, in->b, false, has(in, FTZ));
  struct arith_in plain = *in;
  plain.mods &= FTZ;
  /* -0 is less than +0. */
  const bool less = x < y || (x == y && signbit(x) != 0);
  return finish(&plain, f, isnan(x) || (!isnan(y) && less == largest) ? y : x);
}
static uint64_t o_min(const struct arith_in *in) { return extreme(in, false); }
static uint64_t o_max(const struct arith_in *in) { return extreme(in, true); }

static uint64_t o_setp(const struct arith_in *in) {
  const struct format *f = format_of(in);
  const bool ftz = has(in, 16);
  const double x = source(f, in->a, false, ftz), y = source(f, in->b, false, ftz);
  const bool un = isnan(x) || isnan(y);
  const unsigned cmp = arith_bits(in->mods, 0, 4);
  const bool ordered[6] = {x == y, x != y, x<y, x <= y, x> y, x >= y};
  if (cmp == 12 || cmp == 13)
    return un == (cmp == 13);
  return cmp < 6 ? !un && ordered[cmp] : un || ordered[cmp - 6];
}

/* 1 / root, rounded to double precision twice, then to the format. */
static uint64_t o_rsqrt(const struct arith_in *in) {
  const struct arith_in nearest = {.id = in->id};
  const struct format *f = format_of(in);
  const double v = flushed_double(in, f, source(f, in->a, false, has(in, FTZ)));
  const double twice = rounded_2(&nearest, D, mpfr_div, 1, rounded_1(&nearest, D, mpfr_sqrt, v));
  return finish(in, f, rounded_1(&nearest, f, mpfr_set, twice));
}

/* ---- functions without an exact result ---- */

static pthread_key_t cache;
static void free_cache(void *unused) {
  (void)unused;
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
}
static void make_key(void) { (void)pthread_key_create(&cache, free_cache); }

/* MPFR keeps pi and log 2 for each thread; they are freed when the thread ends. */
static void keep_cache(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  static _Thread_local bool kept;
  if (kept)
    return;
  (void)pthread_once(&once, make_key);
  kept = pthread_setspecific(cache, &kept) == 0;
}

static unary_fn *function_of(enum isa_id id) {
  keep_cache();
  return id == ISA_SIN   ? mpfr_sin
         : id == ISA_COS ? mpfr_cos
         : id == ISA_EX2 ? mpfr_exp2
                         : mpfr_log2;
}

static uint64_t o_function(const struct arith_in *in) {
  const struct arith_in nearest = {.id = in->id};
  const double x = source(S, in->a, false, has(in, FTZ));
  return finish(in, S, rounded_1(&nearest, S, function_of(in->id), x));
}

/* The result if a double's last place, 2^-52 of the value, is added to its magnitude or taken off.
 */
static uint64_t off_by_a_place(const struct arith_in *in, bool add) {
  struct number x, v, place, r;
  set(&x, source(S, in->a, false, has(in, FTZ)));
  empty(&v, 64);
  empty(&place, 64);
  empty(&r, S->precision);
  (void)function_of(in->id)(v.n, x.n, MPFR_RNDN);
  (void)mpfr_div_2ui(place.n, v.n, 52, MPFR_RNDN);
  const int t = (add ? mpfr_add : mpfr_sub)(r.n, v.n, place.n, MPFR_RNDN);
  return finish(in, S, in_range(&r, t, S, MPFR_RNDN));
}

arith_fn *arith_of(enum isa_id id) {
  return arith_integer[id] != NULL ? arith_integer[id] : arith_float[id];
}

bool arith_fits(const struct arith_in *in, uint64_t got, uint64_t *want) {
  *want = arith_of(in->id)(in);
  return got == *want || (arith_float[in->id] == o_function &&
                          (got == off_by_a_place(in, false) || got == off_by_a_place(in, true)));
}

arith_fn *const arith_float[ISA_OPS] = {
    [ISA_FADD] = o_add,       [ISA_FABS] = o_fabs,      [ISA_FNEG] = o_fneg,
    [ISA_F2I] = o_to_integer, [ISA_I2F] = o_of_integer, [ISA_FRND] = o_round,
    [ISA_F2F] = o_f2f,        [ISA_F2H] = o_f2h,        [ISA_H2F] = o_h2f,
    [ISA_FMIN] = o_min,       [ISA_FMAX] = o_max,       [ISA_FSETP] = o_setp,
    [ISA_FMUL] = o_mul,       [ISA_FMA] = o_fma,        [ISA_RCP] = o_rcp,
    [ISA_SQRT] = o_sqrt,      [ISA_RSQRT] = o_rsqrt,    [ISA_SIN] = o_function,
    [ISA_COS] = o_function,   [ISA_EX2] = o_function,   [ISA_LG2] = o_function,
    [ISA_FDIV] = o_div,       [ISA_DADD] = o_add,       [ISA_DMUL] = o_mul,
    [ISA_DFMA] = o_fma,       [ISA_DDIV] = o_div,       [ISA_DSQRT] = o_sqrt,
    [ISA_DRCP] = o_rcp,       [ISA_DMIN] = o_min,       [ISA_DMAX] = o_max,
    [ISA_DSETP] = o_setp,     [ISA_DABS] = o_dabs,      [ISA_DNEG] = o_dneg,
    [ISA_DRND] = o_round,     [ISA_D2F] = o_d2f,        [ISA_F2D] = o_f2d,
    [ISA_D2I] = o_to_integer, [ISA_I2D] = o_of_integer, [ISA_D2L] = o_to_long,
    [ISA_L2D] = o_of_long,    [ISA_DRSQRT] = o_rsqrt,   [ISA_L2F] = o_of_long,
    [ISA_F2L] = o_to_long,
};
