/* The sum wraps; that of signed integers would be undefined. */
#define MAD_HI(n, type, utype)                                                                     \
  FN type##n mad_hi(type##n x, type##n y, type##n z) {                                             \
    return as_##type##n((utype##n)(as_##utype##n(mul_hi(x, y)) + as_##utype##n(z)));               \
  }
WIDTHS(MAD_HI, char, uchar)
WIDTHS(MAD_HI, uchar, uchar)
WIDTHS(MAD_HI, short, ushort)
WIDTHS(MAD_HI, ushort, ushort)
WIDTHS(MAD_HI, int, uint)
WIDTHS(MAD_HI, uint, uint)
WIDTHS(MAD_HI, long, ulong)
WIDTHS(MAD_HI, ulong, ulong)

/* The least number has an absolute value, too. */
#define ABS(type, utype)                                                                           \
  BUILTIN utype abs(type x) { return x < 0 ? 0 - (utype)x : (utype)x; }                            \
  SPLIT(SPLIT_1, FN, utype, abs, type)
ABS(int, uint)
ABS(long, ulong)

/* Saturation of differences and of long products. */
#define SUB_SAT(type, most, least)                                                                 \
  BUILTIN type sub_sat(type x, type y) {                                                           \
    type d;                                                                                        \
    return __builtin_sub_overflow(x, y, &d) ? (x < 0 ? least : most) : d;                          \
  }                                                                                                \
  SPLIT(SPLIT_2, FN, type, sub_sat, type, type)
SUB_SAT(int, INT_MAX, INT_MIN)
SUB_SAT(long, LONG_MAX, LONG_MIN)

BUILTIN int mad_sat(int x, int y, int z) {
  return (int)clamp((long)x * y + z, (long)INT_MIN, (long)INT_MAX);
}
SPLIT(SPLIT_3, FN, int, mad_sat, int)

/* The product has the bits high:low; adding z carries into high. */
BUILTIN long mad_sat(long x, long y, long z) {
  const ulong product = (ulong)x * (ulong)y, low = product + (ulong)z;
  const long high = mul_hi(x, y) + (z >> 63) + (low < product ? 1 : 0);
  return high == ((long)low >> 63) ? (long)low : high < 0 ? LONG_MIN : LONG_MAX;
}
SPLIT(SPLIT_3, FN, long, mad_sat, long)
