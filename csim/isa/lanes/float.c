/* Single precision, rounded to nearest even.
 *
 * Every operation has two functions: one without ftz and sat, which is what most code runs, and one
 * with both as masks.  The signs that the modifiers turn are masks in both. */
#include "csim/isa/lanes/local.h"

struct float_mods {
  uint32_t n1, n2, ftz, sat;
};

/* full is a constant: without it ftz and sat vanish from the loop. */
LANE_INLINE struct float_mods float_mods(const struct isa_uop *u, bool full) {
  return (struct float_mods){.n1 = lane_mask(u, LANE_NEG1) & 0x80000000U,
                             .n2 = lane_mask(u, LANE_NEG2) & 0x80000000U,
                             .ftz = full ? lane_mask(u, LANE_FTZ) : 0,
                             .sat = full ? lane_mask(u, LANE_SAT) : 0};
}
LANE_INLINE float source(uint32_t v, uint32_t sign, struct float_mods m) {
  return lane_f32(lane_flush(v ^ sign, m.ftz));
}
LANE_INLINE uint32_t result(float v, struct float_mods m) {
  return lane_result(lane_bits(v), m.ftz, m.sat);
}

/* statement: what is done to lane l */
#define TWICE(fn, name, statement)                                                                 \
  fn(name) {                                                                                       \
    const struct float_mods m = float_mods(u, false);                                              \
    LANES(l) { statement; }                                                                        \
    return 0;                                                                                      \
  }                                                                                                \
  fn(name##_full) {                                                                                \
    const struct float_mods m = float_mods(u, true);                                               \
    LANES(l) { statement; }                                                                        \
    return 0;                                                                                      \
  }
#define X source(a[l], m.n1, m)
#define UNARY(fn, name, expr) TWICE(fn, name, float x = X; d[l] = result((expr), m))
#define BINARY(name, expr)                                                                         \
  TWICE(LANE_FN, name, float x = X; float y = source(b[l], m.n2, m); d[l] = result((expr), m))

BINARY(fadd, x + y)
BINARY(fmul, x *y)
BINARY(fdiv, x / y)
TWICE(LANE_FN, fma_, float y = source(b[l], 0, m); float z = source(c[l], m.n2, m);
      d[l] = result(__builtin_fmaf(X, y, z), m))
UNARY(LANE_FN, rcp, 1.0F / x)
UNARY(LANE_FN, sqrt_, sqrtf(x))
/* The approximations of real hardware are replaced by the double function, rounded. */
UNARY(LANE_FN, rsqrt, (float)(1.0 / sqrt((double)x)))
UNARY(LANE_FN_SCALAR, sin_, (float)sin((double)x))
UNARY(LANE_FN_SCALAR, cos_, (float)cos((double)x))
UNARY(LANE_FN_SCALAR, ex2, (float)exp2((double)x))
UNARY(LANE_FN_SCALAR, lg2, (float)log2((double)x))
UNARY(LANE_FN, f2f, x)

#define ROUND(name, function)                                                                      \
  LANE_FN(name) {                                                                                  \
    const struct float_mods m = float_mods(u, true);                                               \
    LANES(l) d[l] = result(function(source(a[l], 0, m)), m);                                       \
    return 0;                                                                                      \
  }
ROUND(frnd_rn, rintf)
ROUND(frnd_rz, truncf)
ROUND(frnd_rm, floorf)
ROUND(frnd_rp, ceilf)

/* Sign operations leave a NaN's payload alone. */
#define SIGN(name, expr)                                                                           \
  LANE_FN(name) {                                                                                  \
    const struct float_mods m = float_mods(u, true);                                               \
    LANES(l) {                                                                                     \
      uint32_t x = lane_flush(a[l], m.ftz);                                                        \
      d[l] = lane_saturate((expr), m.sat);                                                         \
    }                                                                                              \
    return 0;                                                                                      \
  }
SIGN(fabs_, x & 0x7fffffffU)
SIGN(fneg, x ^ 0x80000000U)

/* Integers in the order of the floats, -0 below +0. */
LANE_INLINE int32_t order(uint32_t v) {
  return (int32_t)(v ^ ((uint32_t)((int32_t)v >> 31) & 0x7fffffffU));
}
LANE_INLINE bool is_nan(uint32_t v) { return (v & 0x7fffffffU) > 0x7f800000U; }

#define PICK(name, relation)                                                                       \
  LANE_FN(name) {                                                                                  \
    const uint32_t ftz = lane_mask(u, LANE_FTZ);                                                   \
    LANES(l) {                                                                                     \
      uint32_t x = lane_flush(a[l], ftz), y = lane_flush(b[l], ftz);                               \
      uint32_t pick = order(x) relation order(y) ? x : y;                                          \
      pick = is_nan(x) ? y : pick;                                                                 \
      pick = is_nan(y) ? x : pick;                                                                 \
      d[l] = lane_canonical(pick);                                                                 \
    }                                                                                              \
    return 0;                                                                                      \
  }
PICK(fmin_, <)
PICK(fmax_, >)

LANE_FN(fsetp) {
  const unsigned relations = lane_relations[u->f.mods & 15];
  const uint32_t ftz = lane_mask(u, 16);
  uint32_t lt = 0, eq = 0, gt = 0;
  LANES(l) {
    float x = lane_f32(lane_flush(a[l], ftz)), y = lane_f32(lane_flush(b[l], ftz));
    lt |= x < y ? 1U << l : 0;
    eq |= x == y ? 1U << l : 0;
    gt |= x > y ? 1U << l : 0;
  }
  return lane_accept(relations, lt, eq, gt);
}

#define ONLY(f)                                                                                    \
  { {f}, LANE_ONLY }
#define ROUNDED(f)                                                                                 \
  { {f, f##_full, isa_lanes_round32}, LANE_FLOAT }
#define NEAREST(f)                                                                                 \
  { {f, f##_full, f##_full}, LANE_FLOAT }
const struct lane_entry isa_lanes_float[ISA_OPS] = {
    [ISA_FADD] = ROUNDED(fadd),
    [ISA_FMUL] = ROUNDED(fmul),
    [ISA_FMA] = ROUNDED(fma_),
    [ISA_FDIV] = ROUNDED(fdiv),
    [ISA_RCP] = ROUNDED(rcp),
    [ISA_SQRT] = ROUNDED(sqrt_),
    [ISA_RSQRT] = NEAREST(rsqrt),
    [ISA_SIN] = NEAREST(sin_),
    [ISA_COS] = NEAREST(cos_),
    [ISA_EX2] = NEAREST(ex2),
    [ISA_LG2] = NEAREST(lg2),
    [ISA_F2F] = NEAREST(f2f),
    [ISA_FRND] = {{frnd_rn, frnd_rz, frnd_rm, frnd_rp}, LANE_MODE},
    [ISA_FABS] = ONLY(fabs_),
    [ISA_FNEG] = ONLY(fneg),
    [ISA_FMIN] = ONLY(fmin_),
    [ISA_FMAX] = ONLY(fmax_),
    [ISA_FSETP] = ONLY(fsetp),
};
