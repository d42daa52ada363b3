/* Math functions. */
#define ORIGINAL(type, f) type clc_##f##_##type(type x);
#include "csim/isa/opencl/library/originals.inc"
#undef ORIGINAL
float clc_rootn_float(float x, int n);
double clc_rootn_double(double x, int n);
float clc_pown_float(float x, int n);
double clc_sincos_double(double x, __private double *cosine);

/* A function of one operand by an expression, and its vectors. */
#define UNARY(type, f, expr)                                                                       \
  BUILTIN type f(type x) { return expr; }                                                          \
  SPLIT(SPLIT_1, FN, type, f, type)
#define UNARY_FROM(type, f, t, expr)                                                               \
  BUILTIN type f(t x) { return expr; }                                                             \
  SPLIT(SPLIT_1, FN, type, f, t)
#define BINARY(type, f, u, expr)                                                                   \
  BUILTIN type f(type x, u y) { return expr; }                                                     \
  SPLIT(SPLIT_2, FN, type, f, type, u)

/* ---- signs of zeros and values at infinities, which libclc loses ---- */

#define KEEPS_ZERO(type, f) UNARY(type, f, x == 0 ? x : clc_##f##_##type(x))
KEEPS_ZERO(double, atan)
KEEPS_ZERO(double, atanpi)
KEEPS_ZERO(double, erf)
KEEPS_ZERO(double, sin)
KEEPS_ZERO(double, tan)

/* A zero of sinpi has the sign of x, one of cospi is positive, one of tanpi has that of x at even
 * integers and the other at odd ones. */
#define OF_PI(type)                                                                                \
  IN type sign_zero(type zero, type x) { return zero == 0 ? copysign(zero, x) : zero; }            \
  UNARY(type, sinpi, sign_zero(clc_sinpi_##type(x), x))                                            \
  UNARY(type, cospi, clc_cospi_##type(x) + 0)                                                      \
  UNARY(type, tanpi, sign_zero(clc_tanpi_##type(x), trunc(x *(type)0.5) * 2 == x ? x : -x))
OF_PI(float)
OF_PI(double)
IN double part_sincos(double x, __private double *cosine) {
  const double sine = clc_sincos_double(x, cosine);
  return x == 0 ? x : sine;
}
OUT_1(sincos, double, double)

/* The fraction below 1 and the floor; of a zero, the zero. */
#define FRACT(type, most)                                                                          \
  IN type part_fract(type x, __private type *p) {                                                  \
    const type whole = floor(x), r = fmin(x - whole, most);                                        \
    *p = whole;                                                                                    \
    return x == 0 || x != x ? x : isinf(x) ? copysign((type)0, x) : r;                             \
  }                                                                                                \
  OUT_1(fract, type, type)
FRACT(float, 0x1.fffffep-1f)
FRACT(double, 0x1.fffffffffffffp-1)

/* ---- subnormals, which libclc's floats flush ---- */

/* x * 2^n, rounded once: at most two factors are taken off, which keep all bits of a result. */
#define LDEXP(type, whole, most, bits, as, bias)                                                   \
  BUILTIN type ldexp(type x, int n) {                                                              \
    const type up = as((whole)(2 * bias) << bits), down = as((whole)(bits + 2) << bits);           \
    for (int k = 0; k < 2; k++) {                                                                  \
      x *= n > bias ? up : n < 1 - bias ? down : 1;                                                \
      n -= n > bias ? bias : n < 1 - bias ? bits + 2 - bias : 0;                                   \
    }                                                                                              \
    return x * as((whole)(clamp(n, 1 - bias, bias) + bias) << bits);                               \
  }                                                                                                \
  SPLIT(SPLIT_2, FN, type, ldexp, type, int)                                                       \
  VECTORS(LDEXP_SCALAR, type)
#define LDEXP_SCALAR(n, type)                                                                      \
  FN type##n ldexp(type##n x, int y) { return ldexp(x, (int##n)y); }
LDEXP(float, int, 127, 23, as_float, 127)
LDEXP(double, long, 1023, 52, as_double, 1023)

/* The special-function unit's value is the nearest. */
IN float nearest_exp2(float x) {
  float r;
  __asm__("ex2.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
UNARY(float, exp2, nearest_exp2(x))

/* Below -87 the square of the root. */
BUILTIN float exp(float x) {
  const float r = clc_exp_float(x < -87 ? x * 0.5f : x);
  return x < -87 ? r * r : r;
}
SPLIT(SPLIT_1, FN, float, exp, float)

/* Above 9, where libclc has 0: exp(-x^2) / (x sqrt(pi)) times its series. */
BUILTIN float erfc(float x) {
  const float square = x * x, rest = fma(x, x, -square), u = 1 / square;
  const float root = clc_exp_float(square * -0.5f);
  const float series = 1 + u * (-0.5f + u * (0.75f + u * (-1.875f + u * 6.5625f)));
  const float tail = root * (series * (1 - rest) / (x * 1.7724539f)) * root;
  return x > 9 ? (x > 12 ? 0 : tail) : clc_erfc_float(x);
}
SPLIT(SPLIT_1, FN, float, erfc, float)

/* ---- operands that are hidden from the compiler ----
 *
 * libclc converts reals to integers that may not hold them, such as an exponent near 2^31 as a
 * float. The instruction saturates; for a constant the compiler takes the result for undefined. */

#define HIDDEN(type, k, op)                                                                        \
  IN type hidden(type x) {                                                                         \
    type r;                                                                                        \
    __asm__("mov." op " %0, %1;" : "=" k(r) : k(x));                                               \
    return r;                                                                                      \
  }
HIDDEN(int, "r", "b32")
HIDDEN(float, "f", "f32")
HIDDEN(double, "d", "f64")
BINARY(float, pown, int, clc_pown_float(x, hidden(y)))
UNARY(float, expm1, clc_expm1_float(hidden(x)))
UNARY(double, expm1, x == 0 ? x : clc_expm1_double(hidden(x)))

/* Roots of order 1 are x and its inverse; all others are far from subnormals. */
#define ROOTN(type)                                                                                \
  BINARY(type, rootn, int, y == 1 ? x : y == -1 ? 1 / x : clc_rootn_##type(x, hidden(y)))
ROOTN(float)
ROOTN(double)

/* ---- neighbours and NaN ---- */

/* One step in the order of the bits, of which the sign is one. */
#define NEXTAFTER(type, whole, as, as_type)                                                        \
  BUILTIN type nextafter(type x, type y) {                                                         \
    const whole bits = as(x), step = (x < y) == (bits >= 0) ? 1 : -1;                              \
    const type least = as_type((as(y) & ((whole)1 << (sizeof(whole) * 8 - 1))) | 1);               \
    return x != x || y != y ? (type)NAN : x == y ? y : x == 0 ? least : as_type(bits + step);      \
  }                                                                                                \
  SPLIT(SPLIT_2, FN, type, nextafter, type, type)
NEXTAFTER(float, int, as_int, as_float)
NEXTAFTER(double, long, as_long, as_double)

UNARY_FROM(double, nan, ulong, as_double(x | 0x7ff8000000000000ul))

/* ---- overloads that libclc lacks or has wrong ---- */

BUILTIN float normalize(float x) { return x != x ? x : sign(x); }
BUILTIN double normalize(double x) { return x != x ? x : sign(x); }

#define SMOOTHSTEP(n, type)                                                                        \
  FN type##n smoothstep(type x, type y, type##n z) { return smoothstep((type##n)x, (type##n)y, z); }
VECTORS(SMOOTHSTEP, double)
