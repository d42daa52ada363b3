/* Conversions to reals with a rounding: an instruction each.  libclc corrects the nearest value in
 * software, which is wrong at the ends of the integers and of the halves. */

/* The types that registers have, and their letters in inline assembly. */
#define CONVERT_ONE(to, reg, k, mode, type, from, c, op)                                           \
  IN to to_##to##mode(from x) {                                                                    \
    reg r;                                                                                         \
    __asm__("cvt." op "." type " %0, %1;" : "=" k(r) : c(x));                                      \
    return as_##to(r);                                                                             \
  }                                                                                                \
  SPLIT(SPLIT_1, IN, to, to_##to##mode, from)                                                      \
  WIDTHS(CONVERT_NAME, to, mode, from)
#define CONVERT_NAME(n, to, mode, from)                                                            \
  FN to##n convert_##to##n##mode(from##n x) { return to_##to##mode(x); }

#define CONVERT_TO(to, reg, k, type, from, c, source)                                              \
  CONVERT_ONE(to, reg, k, _rte, type "." source, from, c, "rn")                                    \
  CONVERT_ONE(to, reg, k, _rtz, type "." source, from, c, "rz")                                    \
  CONVERT_ONE(to, reg, k, _rtp, type "." source, from, c, "rp")                                    \
  CONVERT_ONE(to, reg, k, _rtn, type "." source, from, c, "rm")
#define CONVERT_WORDS(to, reg, k, type)                                                            \
  CONVERT_TO(to, reg, k, type, int, "r", "s32")                                                    \
  CONVERT_TO(to, reg, k, type, uint, "r", "u32")                                                   \
  CONVERT_TO(to, reg, k, type, long, "l", "s64")                                                   \
  CONVERT_TO(to, reg, k, type, ulong, "l", "u64")
CONVERT_WORDS(float, float, "f", "f32")
CONVERT_WORDS(half, ushort, "h", "f16")
CONVERT_TO(double, double, "d", "f64", long, "l", "s64")
CONVERT_TO(double, double, "d", "f64", ulong, "l", "u64")
CONVERT_TO(float, float, "f", "f32", double, "d", "f64")
CONVERT_TO(half, ushort, "h", "f16", float, "f", "f32")
CONVERT_TO(half, ushort, "h", "f16", double, "d", "f64")

/* Saturated to integers by an instruction, which saturates.  libclc leaves a NaN to fptosi, whose
 * result is undefined: clang removes all that depends on one that it knows.  The instruction makes
 * 0 of a NaN, but from doubles or to 64 bits another number. */
#define CONVERT_SAT_ONE(to, reg, k, mode, type, from, c, number, op)                               \
  IN to to_##to##_sat##mode(from x) {                                                              \
    reg r;                                                                                         \
    __asm__("cvt." op "." type " %0, %1;" : "=" k(r) : c(x));                                      \
    return number ? (to)r : (to)0;                                                                 \
  }                                                                                                \
  SPLIT(SPLIT_1, IN, to, to_##to##_sat##mode, from)                                                \
  WIDTHS(CONVERT_NAME, to, _sat##mode, from)
#define CONVERT_SAT(to, reg, k, type, from, c, number)                                             \
  CONVERT_SAT_ONE(to, reg, k, , type, from, c, number, "rzi")                                      \
  CONVERT_SAT_ONE(to, reg, k, _rte, type, from, c, number, "rni")                                  \
  CONVERT_SAT_ONE(to, reg, k, _rtz, type, from, c, number, "rzi")                                  \
  CONVERT_SAT_ONE(to, reg, k, _rtp, type, from, c, number, "rpi")                                  \
  CONVERT_SAT_ONE(to, reg, k, _rtn, type, from, c, number, "rmi")
#define CONVERT_SAT_BOTH(to, reg, k, type, number)                                                 \
  CONVERT_SAT(to, reg, k, type ".f32", float, "f", number)                                         \
  CONVERT_SAT(to, reg, k, type ".f64", double, "d", x == x)
CONVERT_SAT_BOTH(char, short, "h", "s8", true)
CONVERT_SAT_BOTH(uchar, ushort, "h", "u8", true)
CONVERT_SAT_BOTH(short, short, "h", "s16", true)
CONVERT_SAT_BOTH(ushort, ushort, "h", "u16", true)
CONVERT_SAT_BOTH(int, int, "r", "s32", true)
CONVERT_SAT_BOTH(uint, uint, "r", "u32", true)
CONVERT_SAT_BOTH(long, long, "l", "s64", x == x)
CONVERT_SAT_BOTH(ulong, ulong, "l", "u64", x == x)

/* Small integers to halves by the wider ones. */
#define CONVERT_SMALL_MODE(n, from, wide, mode)                                                    \
  FN half##n convert_half##n##mode(from##n x) { return to_half##mode(convert_##wide##n(x)); }
#define CONVERT_SMALL(from, wide)                                                                  \
  WIDTHS(CONVERT_SMALL_MODE, from, wide, _rte)                                                     \
  WIDTHS(CONVERT_SMALL_MODE, from, wide, _rtz)                                                     \
  WIDTHS(CONVERT_SMALL_MODE, from, wide, _rtp) WIDTHS(CONVERT_SMALL_MODE, from, wide, _rtn)
CONVERT_SMALL(char, int)
CONVERT_SMALL(uchar, int)
CONVERT_SMALL(short, int)
CONVERT_SMALL(ushort, int)

/* Halves to halves, and the nearest half. */
#define CONVERT_SELF(n, mode)                                                                      \
  FN half##n convert_half##n##mode(half##n x) { return x; }
WIDTHS(CONVERT_SELF, )
WIDTHS(CONVERT_SELF, _rte)
WIDTHS(CONVERT_SELF, _rtz)
WIDTHS(CONVERT_SELF, _rtp)
WIDTHS(CONVERT_SELF, _rtn)
#define CONVERT_NEAREST(n, from)                                                                   \
  FN half##n convert_half##n(from##n x) { return convert_half##n##_rte(x); }
WIDTHS(CONVERT_NEAREST, char)
WIDTHS(CONVERT_NEAREST, uchar)
WIDTHS(CONVERT_NEAREST, short)
WIDTHS(CONVERT_NEAREST, ushort)
WIDTHS(CONVERT_NEAREST, int)
WIDTHS(CONVERT_NEAREST, uint)
WIDTHS(CONVERT_NEAREST, long)
WIDTHS(CONVERT_NEAREST, ulong)
WIDTHS(CONVERT_NEAREST, float)
WIDTHS(CONVERT_NEAREST, double)

/* Halves to the rest by floats, which is exact. */
#define CONVERT_FROM_HALF(n, to, mode)                                                             \
  FN to##n convert_##to##n##mode(half##n x) { return convert_##to##n##mode(th_up(x)); }
#define CONVERT_FROM(to, s)                                                                        \
  WIDTHS(CONVERT_FROM_HALF, to, s)                                                                 \
  WIDTHS(CONVERT_FROM_HALF, to, s##_rte)                                                           \
  WIDTHS(CONVERT_FROM_HALF, to, s##_rtz)                                                           \
  WIDTHS(CONVERT_FROM_HALF, to, s##_rtp) WIDTHS(CONVERT_FROM_HALF, to, s##_rtn)
#define CONVERT_FROM_BOTH(to) CONVERT_FROM(to, ) CONVERT_FROM(to, _sat)
CONVERT_FROM_BOTH(char)
CONVERT_FROM_BOTH(uchar)
CONVERT_FROM_BOTH(short)
CONVERT_FROM_BOTH(ushort)
CONVERT_FROM_BOTH(int)
CONVERT_FROM_BOTH(uint)
CONVERT_FROM_BOTH(long)
CONVERT_FROM_BOTH(ulong)
CONVERT_FROM(float, )
CONVERT_FROM(double, )
