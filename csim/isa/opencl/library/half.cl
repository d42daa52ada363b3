/* Functions on halves, as floats.  That is exact enough for one rounding of + - * / and square
 * roots; fma has an instruction. */
IN float th_up(half x) { return (float)x; }
IN half th_down(float x) { return (half)x; }
#define TH_CHANGE(n, _)                                                                            \
  IN float##n th_up(half##n x) { return __builtin_convertvector(x, float##n); }                    \
  IN half##n th_down(float##n x) { return __builtin_convertvector(x, half##n); }
VECTORS(TH_CHANGE, _)

/* ---- functions of one, two, three halves, and those of vectors and scalars ---- */

#define TH_1(n, f)                                                                                 \
  FN half##n f(half##n x) { return th_down(f(th_up(x))); }
#define TH_2(n, f)                                                                                 \
  FN half##n f(half##n x, half##n y) { return th_down(f(th_up(x), th_up(y))); }
#define TH_3(n, f)                                                                                 \
  FN half##n f(half##n x, half##n y, half##n z) { return th_down(f(th_up(x), th_up(y), th_up(z))); }
#define TH_2S(n, f)                                                                                \
  FN half##n f(half##n x, half y) { return f(x, (half##n)y); }
#define TH_INT(n, f)                                                                               \
  FN half##n f(half##n x, int##n y) { return th_down(f(th_up(x), y)); }
#define TH_SCALARS(n, _)                                                                           \
  FN half##n clamp(half##n x, half y, half z) { return clamp(x, (half##n)y, (half##n)z); }         \
  FN half##n mix(half##n x, half##n y, half z) { return mix(x, y, (half##n)z); }                   \
  FN half##n step(half x, half##n y) { return step((half##n)x, y); }                               \
  FN half##n smoothstep(half x, half y, half##n z) {                                               \
    return smoothstep((half##n)x, (half##n)y, z);                                                  \
  }                                                                                                \
  FN half##n ldexp(half##n x, int y) { return ldexp(x, (int##n)y); }
WIDTHS(TH_1, acos)
WIDTHS(TH_1, acosh)
WIDTHS(TH_1, acospi)
WIDTHS(TH_1, asin)
WIDTHS(TH_1, asinh)
WIDTHS(TH_1, asinpi)
WIDTHS(TH_1, atan)
WIDTHS(TH_1, atanh)
WIDTHS(TH_1, atanpi)
WIDTHS(TH_1, cbrt)
WIDTHS(TH_1, ceil)
WIDTHS(TH_1, cos)
WIDTHS(TH_1, cosh)
WIDTHS(TH_1, cospi)
WIDTHS(TH_1, degrees)
WIDTHS(TH_1, erf)
WIDTHS(TH_1, erfc)
WIDTHS(TH_1, exp)
WIDTHS(TH_1, exp2)
WIDTHS(TH_1, exp10)
WIDTHS(TH_1, expm1)
WIDTHS(TH_1, fabs)
WIDTHS(TH_1, floor)
WIDTHS(TH_1, lgamma)
WIDTHS(TH_1, log)
WIDTHS(TH_1, log2)
WIDTHS(TH_1, log10)
WIDTHS(TH_1, log1p)
WIDTHS(TH_1, logb)
WIDTHS(TH_1, radians)
WIDTHS(TH_1, rint)
WIDTHS(TH_1, round)
WIDTHS(TH_1, rsqrt)
WIDTHS(TH_1, sign)
WIDTHS(TH_1, sin)
WIDTHS(TH_1, sinh)
WIDTHS(TH_1, sinpi)
WIDTHS(TH_1, sqrt)
WIDTHS(TH_1, tan)
WIDTHS(TH_1, tanh)
WIDTHS(TH_1, tanpi)
WIDTHS(TH_1, tgamma)
WIDTHS(TH_1, trunc)
WIDTHS(TH_2, atan2)
WIDTHS(TH_2, atan2pi)
WIDTHS(TH_2, fdim)
WIDTHS(TH_2, fmax)
WIDTHS(TH_2, fmin)
WIDTHS(TH_2, fmod)
WIDTHS(TH_2, hypot)
WIDTHS(TH_2, max)
WIDTHS(TH_2, maxmag)
WIDTHS(TH_2, min)
WIDTHS(TH_2, minmag)
WIDTHS(TH_2, pow)
WIDTHS(TH_2, powr)
WIDTHS(TH_2, remainder)
WIDTHS(TH_2, step)
WIDTHS(TH_3, clamp)
WIDTHS(TH_3, mix)
WIDTHS(TH_3, smoothstep)
VECTORS(TH_2S, fmax)
VECTORS(TH_2S, fmin)
VECTORS(TH_2S, max)
VECTORS(TH_2S, min)
WIDTHS(TH_INT, ldexp)
WIDTHS(TH_INT, pown)
WIDTHS(TH_INT, rootn)
VECTORS(TH_SCALARS, _)

FN half fma(half x, half y, half z) {
  ushort r;
  __asm__("fma.rn.f16 %0, %1, %2, %3;"
          : "=h"(r)
          : "h"(as_ushort(x)), "h"(as_ushort(y)), "h"(as_ushort(z)));
  return as_half(r);
}
SPLIT(SPLIT_3, FN, half, fma, half)
#define TH_MAD(n, _)                                                                               \
  FN half##n mad(half##n x, half##n y, half##n z) { return fma(x, y, z); }
WIDTHS(TH_MAD, _)

/* ---- relations: ints of scalars, shorts of vectors ---- */

#define TH_IS_1(n, f)                                                                              \
  FN short##n f(half##n x) { return __builtin_convertvector(f(th_up(x)), short##n); }
#define TH_IS_2(n, f)                                                                              \
  FN short##n f(half##n x, half##n y) {                                                            \
    return __builtin_convertvector(f(th_up(x), th_up(y)), short##n);                               \
  }
#define TH_CLASS(f)                                                                                \
  FN int f(half x) { return f(th_up(x)); }                                                         \
  VECTORS(TH_IS_1, f)
#define TH_COMPARE(f)                                                                              \
  FN int f(half x, half y) { return f(th_up(x), th_up(y)); }                                       \
  VECTORS(TH_IS_2, f)
TH_CLASS(isfinite)
TH_CLASS(isinf)
TH_CLASS(isnan)
TH_COMPARE(isequal)
TH_COMPARE(isnotequal)
TH_COMPARE(isgreater)
TH_COMPARE(isgreaterequal)
TH_COMPARE(isless)
TH_COMPARE(islessequal)
TH_COMPARE(islessgreater)
TH_COMPARE(isordered)
TH_COMPARE(isunordered)

/* ---- bits ---- */

#define TH_BITS(n, _)                                                                              \
  FN half##n select(half##n x, half##n y, short##n c) {                                            \
    return as_half##n(select(as_short##n(x), as_short##n(y), c));                                  \
  }                                                                                                \
  FN half##n select(half##n x, half##n y, ushort##n c) {                                           \
    return as_half##n(select(as_short##n(x), as_short##n(y), c));                                  \
  }                                                                                                \
  FN half##n bitselect(half##n x, half##n y, half##n z) {                                          \
    return as_half##n(bitselect(as_short##n(x), as_short##n(y), as_short##n(z)));                  \
  }                                                                                                \
  FN int##n ilogb(half##n x) { return ilogb(th_up(x)); }
WIDTHS(TH_BITS, _)

/* Signs and classes by bits: a NaN has a sign too. */
#define TH_SIGN(n, _)                                                                              \
  FN half##n copysign(half##n x, half##n y) {                                                      \
    const ushort##n sign = (ushort)0x8000;                                                         \
    return as_half##n((ushort##n)((as_ushort##n(x) & ~sign) | (as_ushort##n(y) & sign)));          \
  }                                                                                                \
  FN half##n nan(ushort##n x) { return as_half##n((ushort##n)(x | (ushort##n)0x7e00)); }
WIDTHS(TH_SIGN, _)
FN int signbit(half x) { return as_ushort(x) >> 15; }
FN int isnormal(half x) {
  return (as_ushort(x) & 0x7c00) != 0 && (as_ushort(x) & 0x7c00) != 0x7c00;
}
#define TH_NORMAL(n, _)                                                                            \
  FN short##n signbit(half##n x) { return as_short##n(x) >> (short)15; }                           \
  FN short##n isnormal(half##n x) {                                                                \
    const ushort##n e = as_ushort##n(x) & (ushort)0x7c00;                                          \
    return (e != (ushort)0) & (e != (ushort)0x7c00);                                               \
  }
VECTORS(TH_NORMAL, _)

/* The neighbour: one step of the bits' order, in which -0 and 0 are one. */
FN half nextafter(half x, half y) {
  const short a = as_short(x), b = as_short(y);
  const int i = a < 0 ? -(a & 0x7fff) : a, j = b < 0 ? -(b & 0x7fff) : b;
  const int k = i < j ? i + 1 : i - 1; /* -0 is what follows the least negative number */
  if (isnan(x) || isnan(y))
    return as_half((ushort)0x7e00);
  return i == j ? y : as_half((ushort)(k < 0 || i < 0 ? 0x8000 | -k : k));
}
SPLIT(SPLIT_2, FN, half, nextafter, half, half)

/* Results through pointers.  A fraction that rounds to 1 is the number below. */
#define TH_OUT(n, _)                                                                               \
  IN half##n part_fract(half##n x, __private half##n *p) {                                         \
    float##n whole, r = fract(th_up(x), &whole);                                                   \
    *p = th_down(whole);                                                                           \
    return th_down(r > 0x1.ffcp-1f ? (float##n)0x1.ffcp-1f : r);                                   \
  }                                                                                                \
  IN half##n part_modf(half##n x, __private half##n *p) {                                          \
    float##n whole, r = modf(th_up(x), &whole);                                                    \
    *p = th_down(whole);                                                                           \
    return th_down(r);                                                                             \
  }                                                                                                \
  IN half##n part_sincos(half##n x, __private half##n *p) {                                        \
    *p = th_down(cos(th_up(x)));                                                                   \
    return th_down(sin(th_up(x)));                                                                 \
  }                                                                                                \
  IN half##n part_frexp(half##n x, __private int##n *p) { return th_down(frexp(th_up(x), p)); }    \
  IN half##n part_lgamma_r(half##n x, __private int##n *p) {                                       \
    return th_down(lgamma_r(th_up(x), p));                                                         \
  }                                                                                                \
  IN half##n part_remquo(half##n x, half##n y, __private int##n *p) {                              \
    return th_down(remquo(th_up(x), th_up(y), p));                                                 \
  }
WIDTHS(TH_OUT, _)
WIDTHS(WIDTH_OUT_1, fract, half, half)
WIDTHS(WIDTH_OUT_1, modf, half, half)
WIDTHS(WIDTH_OUT_1, sincos, half, half)
WIDTHS(WIDTH_OUT_1, frexp, half, int)
WIDTHS(WIDTH_OUT_1, lgamma_r, half, int)
WIDTHS(WIDTH_OUT_2, remquo, half, int)

/* ---- geometry, shuffles, vectors in memory ---- */

#define TH_GEOMETRY(n)                                                                             \
  FN half dot(half##n x, half##n y) { return th_down(dot(th_up(x), th_up(y))); }                   \
  FN half distance(half##n x, half##n y) { return th_down(distance(th_up(x), th_up(y))); }         \
  FN half length(half##n x) { return th_down(length(th_up(x))); }                                  \
  FN half##n normalize(half##n x) { return th_down(normalize(th_up(x))); }
TH_GEOMETRY()
TH_GEOMETRY(2)
TH_GEOMETRY(3)
TH_GEOMETRY(4)
FN half3 cross(half3 x, half3 y) { return th_down(cross(th_up(x), th_up(y))); }
FN half4 cross(half4 x, half4 y) { return th_down(cross(th_up(x), th_up(y))); }

#define TH_SHUFFLE(n, m)                                                                           \
  FN half##n shuffle(half##m x, ushort##n k) { return as_half##n(shuffle(as_ushort##m(x), k)); }   \
  FN half##n shuffle2(half##m x, half##m y, ushort##n k) {                                         \
    return as_half##n(shuffle2(as_ushort##m(x), as_ushort##m(y), k));                              \
  }
#define TH_SHUFFLES(m) TH_SHUFFLE(2, m) TH_SHUFFLE(4, m) TH_SHUFFLE(8, m) TH_SHUFFLE(16, m)
TH_SHUFFLES(2)
TH_SHUFFLES(4)
TH_SHUFFLES(8)
TH_SHUFFLES(16)

#define TH_LOAD(n, space)                                                                          \
  FN half##n vload##n(size_t i, const space half *p) {                                             \
    return as_half##n(vload##n(i, (const space short *)p));                                        \
  }
#define TH_STORE(n, space)                                                                         \
  FN void vstore##n(half##n x, size_t i, space half *p) {                                          \
    vstore##n(as_short##n(x), i, (space short *)p);                                                \
  }
VECTORS(TH_LOAD, __global)
VECTORS(TH_LOAD, __local)
VECTORS(TH_LOAD, __private)
VECTORS(TH_LOAD, __constant)
VECTORS(TH_STORE, __global)
VECTORS(TH_STORE, __local)
VECTORS(TH_STORE, __private)
