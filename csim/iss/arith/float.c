/* Float operations, from exact numbers. */
#include "csim/iss/arith/arith.h"
#include "csim/iss/arith/series.h"

enum { FTZ = 4, SAT = 8 };
static const struct format *const S = &format_single, *const D = &format_double;

static bool has(const struct arith_in *in, unsigned bit) { return (in->mods & bit) != 0; }
static enum exact_mode mode_of(const struct arith_in *in) {
  return (enum exact_mode)arith_bits(in->mods, 4, 2);
}

/* A source: negated first, then flushed if it is a float and ftz is on. */
static struct num source(const struct format *f, uint64_t bits, bool negate, bool ftz) {
  struct num n = num_of(f, bits);
  n.neg = n.neg != negate;
  if (ftz && f == &format_single && n.kind == NUM_FINITE && n.m < 1U << 23)
    n.m = 0;
  return n;
}

/* ftz and sat of a result. */
static uint64_t finish(const struct arith_in *in, const struct format *f, uint64_t bits) {
  struct num n = num_of(f, bits);
  if (n.kind == NUM_NAN)
    return has(in, SAT) ? 0 : num_nan(f);
  if (has(in, FTZ) && f == &format_single && n.kind == NUM_FINITE && n.m < 1U << 23)
    bits &= 0x80000000U;
  uint64_t one = (uint64_t)f->emax << (f->precision - 1);
  if (has(in, SAT) && n.neg)
    return 0;
  return has(in, SAT) && bits > one ? one : bits;
}

static uint64_t rounded(const struct arith_in *in, const struct format *f, const struct exact *x) {
  return finish(in, f, exact_round(x, f, mode_of(in)));
}

/* x * y + z, with infinities; the product alone if z is NULL. */
static uint64_t multiply_add(const struct arith_in *in, const struct format *f, struct num x,
                             struct num y, const struct num *z) {
  bool neg = x.neg != y.neg, y_zero = y.kind == NUM_FINITE && y.m == 0;
  bool x_zero = x.kind == NUM_FINITE && x.m == 0;
  bool infinite = x.kind == NUM_INF || y.kind == NUM_INF;
  if (x.kind == NUM_NAN || y.kind == NUM_NAN || (z != NULL && z->kind == NUM_NAN) ||
      (infinite && (x_zero || y_zero)) ||
      (infinite && z != NULL && z->kind == NUM_INF && z->neg != neg))
    return finish(in, f, num_nan(f));
  if (infinite)
    return finish(in, f, num_inf(f, neg));
  if (z != NULL && z->kind == NUM_INF)
    return finish(in, f, num_inf(f, z->neg));
  struct exact sum = {0};
  exact_add(&sum, neg, (unsigned __int128)x.m * y.m, x.e + y.e);
  if (z != NULL)
    exact_add(&sum, z->neg, z->m, z->e);
  if (exact_zero(
          &sum)) { /* zeros of one sign keep it; a true cancellation is +0, -0 toward minus */
    bool product_zero = x_zero || y_zero;
    bool keep = z == NULL || (product_zero && z->m == 0 && neg == z->neg);
    sum.neg = keep ? neg : mode_of(in) == EXACT_RM;
  }
  return rounded(in, f, &sum);
}

static struct num one_of(const struct format *f) {
  return num_of(f, (uint64_t)f->emax << (f->precision - 1));
}
static uint64_t add(const struct arith_in *in, const struct format *f) {
  struct num y = source(f, in->b, has(in, 2), has(in, FTZ));
  return multiply_add(in, f, source(f, in->a, has(in, 1), has(in, FTZ)), one_of(f), &y);
}
static uint64_t mul(const struct arith_in *in, const struct format *f) {
  return multiply_add(in, f, source(f, in->a, has(in, 1), has(in, FTZ)),
                      source(f, in->b, false, has(in, FTZ)), NULL);
}
static uint64_t fma_of(const struct arith_in *in, const struct format *f) {
  struct num z = source(f, in->c, has(in, 2), has(in, FTZ));
  return multiply_add(in, f, source(f, in->a, has(in, 1), has(in, FTZ)),
                      source(f, in->b, false, has(in, FTZ)), &z);
}

/* Long division to far more places than any format has; what is left only tells that it is not
 * exact. */
static uint64_t quotient(const struct arith_in *in, const struct format *f, struct num x,
                         struct num y) {
  bool neg = x.neg != y.neg;
  bool x_zero = x.kind == NUM_FINITE && x.m == 0, y_zero = y.kind == NUM_FINITE && y.m == 0;
  if (x.kind == NUM_NAN || y.kind == NUM_NAN || (x_zero && y_zero) ||
      (x.kind == NUM_INF && y.kind == NUM_INF))
    return finish(in, f, num_nan(f));
  if (x.kind == NUM_INF || y_zero)
    return finish(in, f, num_inf(f, neg));
  struct exact q = {.neg = neg};
  if (y.kind == NUM_INF || x_zero)
    return rounded(in, f, &q);
  while (x.m >> 62 == 0) {
    x.m *= 2;
    x.e--;
  }
  unsigned __int128 m = (unsigned __int128)x.m << 64;
  q.neg = false;
  exact_add(&q, neg, m / y.m, x.e - 64 - y.e);
  q.lost = m % y.m != 0;
  return rounded(in, f, &q);
}
static uint64_t divide(const struct arith_in *in, const struct format *f) {
  return quotient(in, f, source(f, in->a, false, has(in, FTZ)),
                  source(f, in->b, false, has(in, FTZ)));
}
static uint64_t reciprocal(const struct arith_in *in, const struct format *f) {
  return quotient(in, f, one_of(f), source(f, in->a, false, has(in, FTZ)));
}

/* Root bit by bit, from an even exponent. */
static uint64_t root(const struct arith_in *in, const struct format *f) {
  struct num x = source(f, in->a, false, has(in, FTZ));
  bool zero = x.kind == NUM_FINITE && x.m == 0;
  if (x.kind == NUM_NAN || (x.neg && !zero))
    return finish(in, f, num_nan(f));
  if (x.kind == NUM_INF)
    return finish(in, f, num_inf(f, false));
  struct exact r = {.neg = x.neg};
  if (zero)
    return rounded(in, f, &r);
  while (x.m >> 61 == 0 || x.e % 2 != 0) {
    x.m *= 2;
    x.e--;
  }
  unsigned __int128 m = (unsigned __int128)x.m << 62, s = 0;
  for (int i = 62; i >= 0; i--) {
    unsigned __int128 t = s | (unsigned __int128)1 << i;
    if (t * t <= m)
      s = t;
  }
  exact_add(&r, false, s, x.e / 2 - 31);
  r.lost = s * s != m;
  return rounded(in, f, &r);
}

static uint64_t o_fadd(const struct arith_in *in) { return add(in, S); }
static uint64_t o_dadd(const struct arith_in *in) { return add(in, D); }
static uint64_t o_fmul(const struct arith_in *in) { return mul(in, S); }
static uint64_t o_dmul(const struct arith_in *in) { return mul(in, D); }
static uint64_t o_fma(const struct arith_in *in) { return fma_of(in, S); }
static uint64_t o_dfma(const struct arith_in *in) { return fma_of(in, D); }
static uint64_t o_fdiv(const struct arith_in *in) { return divide(in, S); }
static uint64_t o_ddiv(const struct arith_in *in) { return divide(in, D); }
static uint64_t o_rcp(const struct arith_in *in) { return reciprocal(in, S); }
static uint64_t o_drcp(const struct arith_in *in) { return reciprocal(in, D); }
static uint64_t o_sqrt(const struct arith_in *in) { return root(in, S); }
static uint64_t o_dsqrt(const struct arith_in *in) { return root(in, D); }

/* fabs and fneg: the sign alone, NaN or not; ftz and sat as elsewhere. */
static uint64_t sign_only(const struct arith_in *in, uint64_t bits) {
  struct num n = num_of(S, bits);
  return n.kind == NUM_NAN && !has(in, SAT) ? bits : finish(in, S, bits);
}
static uint64_t o_fabs(const struct arith_in *in) { return sign_only(in, in->a & 0x7fffffffU); }
static uint64_t o_fneg(const struct arith_in *in) { return sign_only(in, in->a ^ 0x80000000U); }
static uint64_t o_dabs(const struct arith_in *in) { return in->a & ~(1ULL << 63); }
static uint64_t o_dneg(const struct arith_in *in) { return in->a ^ 1ULL << 63; }

static struct exact exact_of(struct num n) {
  struct exact x = {0};
  exact_add(&x, n.neg, n.m, n.e);
  x.neg = n.neg;
  return x;
}

/* From one float format to another. */
static uint64_t convert(const struct arith_in *in, const struct format *from,
                        const struct format *to) {
  struct num n =
      source(from, in->a & (from == &format_half ? 0xffffU : ~0ULL), false, has(in, FTZ));
  if (n.kind != NUM_FINITE)
    return finish(in, to, n.kind == NUM_NAN ? num_nan(to) : num_inf(to, n.neg));
  struct exact x = exact_of(n);
  return rounded(in, to, &x);
}
static uint64_t o_f2f(const struct arith_in *in) { return convert(in, S, S); }
static uint64_t o_f2h(const struct arith_in *in) { return convert(in, S, &format_half); }
static uint64_t o_h2f(const struct arith_in *in) { return convert(in, &format_half, S); }
static uint64_t o_d2f(const struct arith_in *in) { return convert(in, D, S); }
static uint64_t o_f2d(const struct arith_in *in) { return convert(in, S, D); }

/* To an integral float. */
static uint64_t integral(const struct arith_in *in, const struct format *f) {
  struct num n = source(f, in->a, false, has(in, FTZ));
  if (n.kind != NUM_FINITE)
    return finish(in, f, n.kind == NUM_NAN ? num_nan(f) : num_inf(f, n.neg));
  struct exact x = exact_of(n), whole = {0};
  if (n.e >= 0)
    return rounded(in, f, &x);
  exact_add(&whole, n.neg, exact_integer(&x, mode_of(in)), 0);
  whole.neg = n.neg;
  return rounded(in, f, &whole);
}
static uint64_t o_frnd(const struct arith_in *in) { return integral(in, S); }
static uint64_t o_drnd(const struct arith_in *in) { return integral(in, D); }

/* To an integer type, saturated. */
static uint64_t saturated(const struct arith_in *in, struct num n, unsigned bits) {
  bool with_sign = (in->mods & 1) != 0;
  __int128 top = ((__int128)1 << (bits - with_sign)) - 1, bottom = with_sign ? -top - 1 : 0;
  if (n.kind == NUM_NAN)
    return 0;
  struct exact x = exact_of(n);
  __int128 v = n.kind == NUM_INF ? (__int128)1 << 64 : (__int128)exact_integer(&x, mode_of(in));
  v = n.neg ? -v : v;
  v = v > top ? top : v < bottom ? bottom : v;
  return (uint64_t)v;
}
static unsigned width(const struct arith_in *in) { return has(in, 8) ? 8 : has(in, 2) ? 16 : 32; }
static uint64_t o_f2i(const struct arith_in *in) {
  return saturated(in, source(S, in->a, false, has(in, FTZ)), width(in)) & 0xffffffffU;
}
static uint64_t o_d2i(const struct arith_in *in) {
  return saturated(in, num_of(D, in->a), width(in)) & 0xffffffffU;
}
static uint64_t o_f2l(const struct arith_in *in) { return saturated(in, num_of(S, in->a), 64); }
static uint64_t o_d2l(const struct arith_in *in) { return saturated(in, num_of(D, in->a), 64); }

/* From an integer. */
static uint64_t of_integer(const struct arith_in *in, const struct format *f, unsigned bits) {
  bool neg = (in->mods & 1) != 0 && (in->a >> (bits - 1) & 1) != 0;
  unsigned __int128 size = (unsigned __int128)1 << bits;
  struct exact x = {0};
  exact_add(&x, neg, neg ? size - in->a : in->a, 0);
  return exact_round(&x, f, mode_of(in));
}
static uint64_t o_i2f(const struct arith_in *in) { return of_integer(in, S, 32); }
static uint64_t o_i2d(const struct arith_in *in) { return of_integer(in, D, 32); }
static uint64_t o_l2f(const struct arith_in *in) { return of_integer(in, S, 64); }
static uint64_t o_l2d(const struct arith_in *in) { return of_integer(in, D, 64); }

/* -1, 0, 1 of finite and infinite numbers. */
static int order(const struct format *f, struct num x, struct num y) {
  if (x.kind == NUM_INF || y.kind == NUM_INF) {
    int vx = x.kind == NUM_INF ? (x.neg ? -1 : 1) : 0,
        vy = y.kind == NUM_INF ? (y.neg ? -1 : 1) : 0;
    return (vx > vy) - (vx < vy);
  }
  (void)f;
  struct exact difference = exact_of(x);
  exact_add(&difference, !y.neg, y.m, y.e);
  return exact_zero(&difference) ? 0 : difference.neg ? -1 : 1;
}

static uint64_t extreme(const struct arith_in *in, const struct format *f, int want) {
  struct num x = source(f, in->a, false, has(in, FTZ)), y = source(f, in->b, false, has(in, FTZ));
  struct arith_in plain = *in;
  plain.mods &= FTZ;
  if (x.kind == NUM_NAN)
    return finish(&plain, f, in->b);
  if (y.kind == NUM_NAN)
    return finish(&plain, f, in->a);
  int o = order(f, x, y);
  if (o == 0) /* only zeros are equal and different: -0 is the smaller one */
    return finish(&plain, f, x.neg == (want < 0) ? in->a : in->b);
  return finish(&plain, f, o == want ? in->a : in->b);
}
static uint64_t o_fmin(const struct arith_in *in) { return extreme(in, S, -1); }
static uint64_t o_fmax(const struct arith_in *in) { return extreme(in, S, 1); }
static uint64_t o_dmin(const struct arith_in *in) { return extreme(in, D, -1); }
static uint64_t o_dmax(const struct arith_in *in) { return extreme(in, D, 1); }

static uint64_t compare(const struct arith_in *in, const struct format *f) {
  bool ftz = has(in, 16);
  struct num x = source(f, in->a, false, ftz), y = source(f, in->b, false, ftz);
  bool un = x.kind == NUM_NAN || y.kind == NUM_NAN;
  int o = un ? 0 : order(f, x, y);
  unsigned cmp = arith_bits(in->mods, 0, 4);
  const bool ordered[6] = {o == 0, o != 0, o<0, o <= 0, o> 0, o >= 0};
  if (cmp == 12 || cmp == 13)
    return un == (cmp == 13);
  return cmp < 6 ? !un && ordered[cmp] : un || ordered[cmp - 6];
}
static uint64_t o_fsetp(const struct arith_in *in) { return compare(in, S); }
static uint64_t o_dsetp(const struct arith_in *in) { return compare(in, D); }

/* 1 / root, rounded to double precision twice. */
static uint64_t double_rsqrt(uint64_t bits) {
  const struct arith_in source = {.id = ISA_DSQRT, .a = bits};
  const struct arith_in result = {.id = ISA_DRCP, .a = o_dsqrt(&source)};
  return o_drcp(&result);
}
static uint64_t o_rsqrt(const struct arith_in *in) {
  const struct arith_in wide = {.id = ISA_F2D, .mods = in->mods & FTZ, .a = in->a};
  struct arith_in narrow = {.id = ISA_D2F, .a = double_rsqrt(o_f2d(&wide))};
  return finish(in, S, o_d2f(&narrow));
}
static uint64_t o_drsqrt(const struct arith_in *in) { return finish(in, D, double_rsqrt(in->a)); }

/* The functions of series.c, of which the result may lie on either side of a rounding. */
static uint64_t by_series(const struct arith_in *in, int side) {
  const struct num x = source(S, in->a, false, has(in, FTZ));
  struct series_value v;
  if (x.kind == NUM_NAN || !series_of(in->id, &x, &v))
    return finish(in, S, num_nan(S));
  if (v.infinite)
    return finish(in, S, num_inf(S, v.neg));
  struct exact e = {.neg = v.neg};
  if (v.m != 0)
    exact_add(&e, v.neg, v.m, v.e);
  if (v.m != 0 && side != 0) /* an error of a double's last place: 2^-52 of it */
    exact_add(&e, v.neg != (side < 0), v.m, v.e - 52);
  e.neg = v.neg;
  return finish(in, S, exact_round(&e, S, EXACT_RN));
}
static uint64_t o_series(const struct arith_in *in) { return by_series(in, 0); }

bool arith_fits(const struct arith_in *in, uint64_t got, uint64_t *want) {
  *want = arith_of(in->id)(in);
  if (got == *want)
    return true;
  return arith_float[in->id] == o_series && (got == by_series(in, -1) || got == by_series(in, 1));
}

arith_fn *const arith_float[ISA_OPS] = {
    [ISA_FADD] = o_fadd,     [ISA_FABS] = o_fabs,  [ISA_FNEG] = o_fneg,   [ISA_F2I] = o_f2i,
    [ISA_I2F] = o_i2f,       [ISA_FRND] = o_frnd,  [ISA_F2F] = o_f2f,     [ISA_F2H] = o_f2h,
    [ISA_H2F] = o_h2f,       [ISA_FMIN] = o_fmin,  [ISA_FMAX] = o_fmax,   [ISA_FSETP] = o_fsetp,
    [ISA_FMUL] = o_fmul,     [ISA_FMA] = o_fma,    [ISA_RCP] = o_rcp,     [ISA_SQRT] = o_sqrt,
    [ISA_RSQRT] = o_rsqrt,   [ISA_SIN] = o_series, [ISA_COS] = o_series,  [ISA_EX2] = o_series,
    [ISA_LG2] = o_series,    [ISA_FDIV] = o_fdiv,  [ISA_DADD] = o_dadd,   [ISA_DMUL] = o_dmul,
    [ISA_DFMA] = o_dfma,     [ISA_DDIV] = o_ddiv,  [ISA_DSQRT] = o_dsqrt, [ISA_DRCP] = o_drcp,
    [ISA_DMIN] = o_dmin,     [ISA_DMAX] = o_dmax,  [ISA_DSETP] = o_dsetp, [ISA_DABS] = o_dabs,
    [ISA_DNEG] = o_dneg,     [ISA_DRND] = o_drnd,  [ISA_D2F] = o_d2f,     [ISA_F2D] = o_f2d,
    [ISA_D2I] = o_d2i,       [ISA_I2D] = o_i2d,    [ISA_D2L] = o_d2l,     [ISA_L2D] = o_l2d,
    [ISA_DRSQRT] = o_drsqrt, [ISA_L2F] = o_l2f,    [ISA_F2L] = o_f2l,
};
