/* Double precision on register pairs, rounded to nearest even.  ftz flushes doubles in drcp and
 * drsqrt only. */
#include "csim/isa/lanes/local.h"

struct double_mods {
  uint64_t n1, n2;
  uint32_t sat;
};
LANE_INLINE struct double_mods double_mods(const struct isa_uop *u) {
  return (struct double_mods){.n1 = (uint64_t)lane_mask(u, LANE_NEG1) << 32 & 1ULL << 63,
                              .n2 = (uint64_t)lane_mask(u, LANE_NEG2) << 32 & 1ULL << 63,
                              .sat = lane_mask(u, LANE_SAT)};
}
LANE_INLINE double source(const uint32_t *x, unsigned l, uint64_t sign) {
  return lane_f64(lane_get64(x, l) ^ sign);
}
LANE_INLINE void result(uint32_t *restrict d, unsigned l, double v, uint32_t sat) {
  lane_put64(d, l, lane_result64(lane_bits64(v), 0, sat));
}

#define BODY(name, sources, expr)                                                                  \
  LANE_FN(name) {                                                                                  \
    const struct double_mods m = double_mods(u);                                                   \
    LANES(l) {                                                                                     \
      sources;                                                                                     \
      result(d, l, (expr), m.sat);                                                                 \
    }                                                                                              \
    return 0;                                                                                      \
  }
#define X double x = source(a, l, m.n1)
#define UNARY(name, expr) BODY(name, X, expr)
#define BINARY(name, expr) BODY(name, X; double y = source(b, l, m.n2), expr)

BINARY(dadd, x + y)
BINARY(dmul, x *y)
BINARY(ddiv, x / y)
BODY(dfma, X; double y = source(b, l, 0); double z = source(c, l, m.n2), __builtin_fma(x, y, z))
UNARY(dsqrt, sqrt(x))
UNARY(drnd_rn, rint(x))
UNARY(drnd_rz, trunc(x))
UNARY(drnd_rm, floor(x))
UNARY(drnd_rp, ceil(x))

#define FLUSHED(name, expr)                                                                        \
  LANE_FN(name) {                                                                                  \
    const uint32_t ftz = lane_mask(u, LANE_FTZ), sat = lane_mask(u, LANE_SAT);                     \
    LANES(l) {                                                                                     \
      double x = lane_f64(lane_flush64(lane_get64(a, l), ftz));                                    \
      lane_put64(d, l, lane_result64(lane_bits64(expr), ftz, sat));                                \
    }                                                                                              \
    return 0;                                                                                      \
  }
FLUSHED(drcp, 1.0 / x)
FLUSHED(drsqrt, 1.0 / sqrt(x))

LANE_FN(dabs_) {
  LANES(l) lane_put64(d, l, lane_get64(a, l) & ~(1ULL << 63));
  return 0;
}
LANE_FN(dneg) {
  LANES(l) lane_put64(d, l, lane_get64(a, l) ^ 1ULL << 63);
  return 0;
}

/* Integers in the order of the doubles, -0 below +0. */
LANE_INLINE int64_t order(uint64_t v) {
  return (int64_t)(v ^ ((uint64_t)((int64_t)v >> 63) & 0x7fffffffffffffffU));
}
LANE_INLINE bool is_nan(uint64_t v) { return (v & 0x7fffffffffffffffU) > 0x7ff0000000000000U; }

#define PICK(name, relation)                                                                       \
  LANE_FN(name) {                                                                                  \
    LANES(l) {                                                                                     \
      uint64_t x = lane_get64(a, l), y = lane_get64(b, l);                                         \
      uint64_t pick = order(x) relation order(y) ? x : y;                                          \
      pick = is_nan(x) ? y : pick;                                                                 \
      pick = is_nan(y) ? x : pick;                                                                 \
      lane_put64(d, l, lane_canonical64(pick));                                                    \
    }                                                                                              \
    return 0;                                                                                      \
  }
PICK(dmin, <)
PICK(dmax, >)

LANE_FN(dsetp) {
  const unsigned relations = lane_relations[u->f.mods & 15];
  uint32_t lt = 0, eq = 0, gt = 0;
  LANES(l) {
    double x = source(a, l, 0), y = source(b, l, 0);
    lt |= x < y ? 1U << l : 0;
    eq |= x == y ? 1U << l : 0;
    gt |= x > y ? 1U << l : 0;
  }
  return lane_accept(relations, lt, eq, gt);
}

#define ONLY(f)                                                                                    \
  { {f}, LANE_ONLY }
#define ROUNDED(f)                                                                                 \
  { {f, isa_lanes_round64, isa_lanes_round64, isa_lanes_round64}, LANE_MODE }
const struct lane_entry isa_lanes_double[ISA_OPS] = {
    [ISA_DADD] = ROUNDED(dadd),   [ISA_DMUL] = ROUNDED(dmul),
    [ISA_DFMA] = ROUNDED(dfma),   [ISA_DDIV] = ROUNDED(ddiv),
    [ISA_DSQRT] = ROUNDED(dsqrt), [ISA_DRCP] = ROUNDED(drcp),
    [ISA_DRSQRT] = ONLY(drsqrt),  [ISA_DRND] = {{drnd_rn, drnd_rz, drnd_rm, drnd_rp}, LANE_MODE},
    [ISA_DABS] = ONLY(dabs_),     [ISA_DNEG] = ONLY(dneg),
    [ISA_DMIN] = ONLY(dmin),      [ISA_DMAX] = ONLY(dmax),
    [ISA_DSETP] = ONLY(dsetp),
};
