/* Remainders, exactly: a subtraction for each bit of the quotient.  libclc flushes subnormal
 * floats, and overflows for quotients near the largest number.
 *
 * mantissa_of: with its highest bit set; |x| is m * 2^(e - bias - bits).
 * modulo: |x| modulo |y| of finite x and y other than 0, and the quotient's low bits.
 * part_remquo: the remainder of the nearest quotient, the even one of two, and the quotient's low
 * seven bits with its sign. */
#define REMAINDERS(type, whole, bits, bias, as)                                                    \
  IN whole mantissa_of(type x, __private int *e) {                                                 \
    const whole one = (whole)1 << bits, m = as(fabs(x));                                           \
    const int shift = (int)clz(m) - (int)(sizeof(whole) * 8 - 1 - bits);                           \
    *e = m < one ? 1 - shift : (int)(m >> bits);                                                   \
    return m < one ? m << shift : (m & (one - 1)) | one;                                           \
  }                                                                                                \
  IN type modulo(type x, type y, __private uint *quotient) {                                       \
    int ex, ey;                                                                                    \
    uint q = 0;                                                                                    \
    whole mx = mantissa_of(x, &ex);                                                                \
    const whole my = mantissa_of(y, &ey);                                                          \
    *quotient = 0;                                                                                 \
    if (ex < ey || x == 0)                                                                         \
      return fabs(x);                                                                              \
    for (int k = ex - ey; k >= 0; k--) {                                                           \
      const bool take = mx >= my;                                                                  \
      mx -= take ? my : 0;                                                                         \
      q = q << 1 | (take ? 1 : 0);                                                                 \
      mx <<= k > 0 ? 1 : 0;                                                                        \
    }                                                                                              \
    *quotient = q;                                                                                 \
    return ldexp((type)mx, ey - bias - bits);                                                      \
  }                                                                                                \
  IN bool has_remainder(type x, type y) { return y != 0 && isfinite(x) && y == y; }                \
  BUILTIN type fmod(type x, type y) {                                                              \
    uint q;                                                                                        \
    if (!has_remainder(x, y))                                                                      \
      return NAN;                                                                                  \
    return isinf(y) ? x : copysign(modulo(x, y, &q), x);                                           \
  }                                                                                                \
  SPLIT(SPLIT_2, FN, type, fmod, type, type)                                                       \
  IN type part_remquo(type x, type y, __private int *p) {                                          \
    uint q = 0;                                                                                    \
    *p = 0;                                                                                        \
    if (!has_remainder(x, y))                                                                      \
      return NAN;                                                                                  \
    const type magnitude = fabs(y);                                                                \
    type r = isinf(y) ? fabs(x) : modulo(x, y, &q);                                                \
    if (!isinf(y) && (r > magnitude - r || (r == magnitude - r && (q & 1) != 0))) {                \
      r -= magnitude;                                                                              \
      q++;                                                                                         \
    }                                                                                              \
    *p = signbit(x) != signbit(y) ? -(int)(q & 127) : (int)(q & 127);                              \
    return r == 0 ? copysign((type)0, x) : signbit(x) ? -r : r;                                    \
  }                                                                                                \
  OUT_2(remquo, type, int)                                                                         \
  BUILTIN type remainder(type x, type y) {                                                         \
    int q;                                                                                         \
    return part_remquo(x, y, &q);                                                                  \
  }                                                                                                \
  SPLIT(SPLIT_2, FN, type, remainder, type, type)
REMAINDERS(float, uint, 23, 127, as_uint)
REMAINDERS(double, ulong, 52, 1023, as_ulong)
