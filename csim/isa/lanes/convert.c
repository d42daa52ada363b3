/* Conversions between integers, half, single and double precision. */
#include "csim/isa/lanes/local.h"

/* Range of an integer type that fits a double exactly, what NaN becomes, and what brings the range
 * to that of int32_t, so that one signed conversion, which vector units have, serves all. */
struct range {
  double low, high, nan, bias;
  uint32_t turn;
};
static struct range range_of(const struct isa_uop *u) {
  const bool is_signed = (u->f.mods & 1) != 0;
  const unsigned bits = (u->f.mods & 8) != 0 ? 8 : (u->f.mods & 2) != 0 ? 16 : 32;
  const double span = bits == 8 ? 256.0 : bits == 16 ? 65536.0 : 4294967296.0;
  const double top = u->id == ISA_D2I ? span / 2 : 0; /* the value of the type's top bit */
  if (is_signed)
    return (struct range){-span / 2, span / 2 - 1, -top, 0, 0};
  return (struct range){0, span - 1, top, 2147483648.0, 0x80000000U};
}
LANE_INLINE uint32_t to_int(double v, struct range r) {
  v = v == v ? v : r.nan;
  v = v > r.high ? r.high : v;
  v = v < r.low ? r.low : v;
  return (uint32_t)(int32_t)(v - r.bias) ^ r.turn;
}

#define F2I(name, function)                                                                        \
  LANE_FN(name) {                                                                                  \
    const struct range r = range_of(u);                                                            \
    const uint32_t ftz = lane_mask(u, LANE_FTZ);                                                   \
    LANES(l) d[l] = to_int((double)function(lane_f32(lane_flush(a[l], ftz))), r);                  \
    return 0;                                                                                      \
  }
F2I(f2i_rn, rintf)
F2I(f2i_rz, truncf)
F2I(f2i_rm, floorf)
F2I(f2i_rp, ceilf)

#define D2I(name, function)                                                                        \
  LANE_FN(name) {                                                                                  \
    const struct range r = range_of(u);                                                            \
    LANES(l) d[l] = to_int(function(lane_f64(lane_get64(a, l))), r);                               \
    return 0;                                                                                      \
  }
D2I(d2i_rn, rint)
D2I(d2i_rz, trunc)
D2I(d2i_rm, floor)
D2I(d2i_rp, ceil)

/* Any 32-bit integer is exact as a double. */
LANE_INLINE double of_int(uint32_t v, bool is_signed) {
  return is_signed ? (double)(int32_t)v : (double)(int32_t)(v ^ 0x80000000U) + 2147483648.0;
}
LANE_FN(i2f_u) {
  LANES(l) d[l] = lane_bits((float)of_int(a[l], false));
  return 0;
}
LANE_FN(i2f_s) {
  LANES(l) d[l] = lane_bits((float)(int32_t)a[l]);
  return 0;
}
LANE_FN_SCALAR(i2f) {
  return ((u->f.mods & 1) != 0 ? i2f_s : i2f_u)(u, d, a, b, c, p2, p3, active);
}
LANE_FN(i2d) {
  const bool is_signed = (u->f.mods & 1) != 0;
  LANES(l) lane_put64(d, l, lane_bits64(of_int(a[l], is_signed)));
  return 0;
}

/* v is integral, infinite or NaN. */
LANE_INLINE uint64_t to_long(double v, bool is_signed) {
  const double top = is_signed ? 0x1p63 : 0x1p64;
  const double bottom = is_signed ? -0x1p63 : 0.0;
  if (!(v == v))
    return 1ULL << 63;
  if (v >= top)
    return is_signed ? (uint64_t)INT64_MAX : UINT64_MAX;
  if (v <= bottom)
    return is_signed ? 1ULL << 63 : 0;
  return is_signed ? (uint64_t)(int64_t)v : (uint64_t)v;
}
typedef double round_fn(double);
static round_fn *rounding(const struct isa_uop *u) {
  static round_fn *const functions[4] = {rint, trunc, floor, ceil};
  return functions[lane_mode(u)];
}
LANE_FN_SCALAR(f2l) {
  round_fn *round_to = rounding(u);
  LANES(l) lane_put64(d, l, to_long(round_to((double)lane_f32(a[l])), (u->f.mods & 1) != 0));
  return 0;
}
LANE_FN_SCALAR(d2l) {
  round_fn *round_to = rounding(u);
  LANES(l) lane_put64(d, l, to_long(round_to(lane_f64(lane_get64(a, l))), (u->f.mods & 1) != 0));
  return 0;
}
LANE_FN_SCALAR(l2f) {
  LANES(l) {
    uint64_t v = lane_get64(a, l);
    d[l] = lane_bits((u->f.mods & 1) != 0 ? (float)(int64_t)v : (float)v);
  }
  return 0;
}
LANE_FN_SCALAR(l2d) {
  LANES(l) {
    uint64_t v = lane_get64(a, l);
    lane_put64(d, l, lane_bits64((u->f.mods & 1) != 0 ? (double)(int64_t)v : (double)v));
  }
  return 0;
}

LANE_FN(d2f) {
  const uint32_t ftz = lane_mask(u, LANE_FTZ), sat = lane_mask(u, LANE_SAT);
  LANES(l) d[l] = lane_result(lane_bits((float)lane_f64(lane_get64(a, l))), ftz, sat);
  return 0;
}
LANE_FN(f2d) {
  const uint32_t ftz = lane_mask(u, LANE_FTZ), sat = lane_mask(u, LANE_SAT);
  LANES(l) {
    double v = (double)lane_f32(lane_flush(a[l], ftz));
    lane_put64(d, l, lane_result64(lane_bits64(v), 0, sat));
  }
  return 0;
}

/* True if the part cut off, rest of one, makes a magnitude with last bit odd step up. */
static bool steps_up(uint32_t rest, uint32_t one, bool odd, bool negative, unsigned mode) {
  switch (mode) {
  case LANE_RN:
    return rest > one / 2 || (rest == one / 2 && odd);
  case LANE_RM:
    return rest != 0 && negative;
  case LANE_RP:
    return rest != 0 && !negative;
  default:
    return false;
  }
}

static uint32_t half_of(uint32_t v, unsigned mode) {
  enum { HALF_MAX = 0x7bff, HALF_INF = 0x7c00, EXP_DIFF = 127 - 15 };
  const bool negative = v >> 31 != 0;
  const uint32_t sign = v >> 16 & 0x8000U, magnitude = v & 0x7fffffffU;
  if (magnitude > 0x7f800000U)
    return 0x7fff;
  if (magnitude == 0x7f800000U)
    return sign | HALF_INF;
  uint32_t exponent = magnitude >> 23;
  if (exponent >= EXP_DIFF + 31) { /* 65536 and above */
    bool up = mode == LANE_RN || (mode == LANE_RM && negative) || (mode == LANE_RP && !negative);
    return sign | (up ? HALF_INF : HALF_MAX);
  }
  uint32_t mantissa = (magnitude & 0x7fffffU) | (exponent != 0 ? 0x800000U : 0);
  uint32_t below = exponent > EXP_DIFF ? 0 : EXP_DIFF + 1 - exponent;
  uint32_t shift = 13 + (below > 12 ? 12 : below); /* 25 drops everything, below half a step */
  uint32_t base = below != 0 ? 0 : (exponent - EXP_DIFF - 1) << 10;
  uint32_t kept = mantissa >> shift, one = 1U << shift;
  kept += steps_up(mantissa & (one - 1), one, (kept & 1) != 0, negative, mode);
  return sign | (base + kept); /* a carry runs into the exponent as it should */
}
LANE_FN_SCALAR(f2h) {
  const uint32_t ftz = lane_mask(u, LANE_FTZ), sat = lane_mask(u, LANE_SAT);
  LANES(l) {
    uint32_t h = half_of(lane_flush(a[l], ftz), lane_mode(u));
    uint32_t clamped = h > 0x7c00U ? 0 : h > 0x3c00U ? 0x3c00U : h;
    d[l] = sat != 0 ? clamped : h;
  }
  return 0;
}

static uint32_t float_of_half(uint32_t h) {
  uint32_t sign = (h & 0x8000U) << 16, exponent = h >> 10 & 31, mantissa = h & 0x3ffU;
  if (exponent == 31)
    return mantissa != 0 ? 0x7fffffffU : sign | 0x7f800000U;
  if (exponent == 0)
    return sign | lane_bits((float)mantissa * 0x1p-24F);
  return sign | (exponent + 112) << 23 | mantissa << 13;
}
LANE_FN_SCALAR(h2f) {
  const uint32_t sat = lane_mask(u, LANE_SAT);
  LANES(l) d[l] = lane_saturate(float_of_half(a[l]), sat);
  return 0;
}

#define ONLY(f)                                                                                    \
  { {f}, LANE_ONLY }
#define NEAREST(f, other)                                                                          \
  { {f, other, other, other}, LANE_MODE }
const struct lane_entry isa_lanes_convert[ISA_OPS] = {
    [ISA_F2I] = {{f2i_rn, f2i_rz, f2i_rm, f2i_rp}, LANE_MODE},
    [ISA_D2I] = {{d2i_rn, d2i_rz, d2i_rm, d2i_rp}, LANE_MODE},
    [ISA_I2F] = NEAREST(i2f, isa_lanes_round32),
    [ISA_I2D] = ONLY(i2d),
    [ISA_F2L] = ONLY(f2l),
    [ISA_D2L] = ONLY(d2l),
    [ISA_L2F] = NEAREST(l2f, isa_lanes_round32),
    [ISA_L2D] = NEAREST(l2d, isa_lanes_round64),
    [ISA_D2F] = NEAREST(d2f, isa_lanes_round32),
    [ISA_F2D] = ONLY(f2d),
    [ISA_F2H] = ONLY(f2h),
    [ISA_H2F] = ONLY(h2f),
};
