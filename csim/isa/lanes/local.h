/* Shared by the files of the lane arithmetic: function shapes, bit views, float helpers. */
#ifndef TANDEM_LANES_LOCAL_H
#define TANDEM_LANES_LOCAL_H

#include <math.h>
#include <string.h>

#include "csim/isa/lanes/lanes.h"
#include "csim/util/clones.h"

#define LANE_UNUSED __attribute__((unused))
#define LANE_INLINE static inline __attribute__((always_inline))
#define LANE_ARGS                                                                                  \
  LANE_UNUSED const struct isa_uop *u, LANE_UNUSED uint32_t *restrict d,                           \
      LANE_UNUSED const uint32_t *a, LANE_UNUSED const uint32_t *b, LANE_UNUSED const uint32_t *c, \
      LANE_UNUSED uint32_t p2, LANE_UNUSED uint32_t p3, LANE_UNUSED uint32_t active
#define LANE_FN(name) static HOST_CLONES uint32_t name(LANE_ARGS)
/* For what no vector unit does: libm calls, divisions. */
#define LANE_FN_SCALAR(name) static uint32_t name(LANE_ARGS)
#define LANES(l) for (unsigned l = 0; l < ISA_WARP_SIZE; l++)

/* How an operation's modifiers choose among its functions. */
enum lane_select {
  LANE_ONLY,   /* fn[0] */
  LANE_SIGNED, /* fn[mods bit 0] */
  LANE_MODE,   /* fn[rounding mode, mods bits 5:4] */
  LANE_FLOAT   /* fn[0]; with ftz or sat fn[1]; with a directed rounding fn[2] */
};
struct lane_entry {
  isa_lane_fn *fn[4];
  enum lane_select select;
};
/* Indexed by enum isa_id; fn[0] is NULL for operations of another table. */
extern const struct lane_entry isa_lanes_int[ISA_OPS];
extern const struct lane_entry isa_lanes_long[ISA_OPS];
extern const struct lane_entry isa_lanes_float[ISA_OPS];
extern const struct lane_entry isa_lanes_double[ISA_OPS];
extern const struct lane_entry isa_lanes_convert[ISA_OPS];

/* Directed rounding, exact and slow; reads everything it needs from the micro-operation. */
isa_lane_fn isa_lanes_round32, isa_lanes_round64;

/* Modifier bits of the float layouts. */
enum { LANE_NEG1 = 1, LANE_NEG2 = 2, LANE_FTZ = 4, LANE_SAT = 8 };
enum { LANE_RN, LANE_RZ, LANE_RM, LANE_RP };
LANE_INLINE unsigned lane_mode(const struct isa_uop *u) { return u->f.mods >> 4 & 3U; }

LANE_INLINE float lane_f32(uint32_t v) {
  float f;
  memcpy(&f, &v, sizeof f);
  return f;
}
LANE_INLINE uint32_t lane_bits(float f) {
  uint32_t v;
  memcpy(&v, &f, sizeof v);
  return v;
}
LANE_INLINE double lane_f64(uint64_t v) {
  double f;
  memcpy(&f, &v, sizeof f);
  return f;
}
LANE_INLINE uint64_t lane_bits64(double f) {
  uint64_t v;
  memcpy(&v, &f, sizeof v);
  return v;
}
LANE_INLINE uint64_t lane_get64(const uint32_t *x, unsigned l) {
  return (uint64_t)x[ISA_WARP_SIZE + l] << 32 | x[l];
}
LANE_INLINE void lane_put64(uint32_t *restrict d, unsigned l, uint64_t v) {
  d[l] = (uint32_t)v;
  d[ISA_WARP_SIZE + l] = (uint32_t)(v >> 32);
}

/* All ones if the modifier bit is set. */
LANE_INLINE uint32_t lane_mask(const struct isa_uop *u, unsigned bit) {
  return (u->f.mods & bit) != 0 ? ~0U : 0U;
}

/* A subnormal becomes a zero of its sign where ftz is all ones. */
LANE_INLINE uint32_t lane_flush(uint32_t v, uint32_t ftz) {
  uint32_t small = (v & 0x7f800000U) == 0 ? 0x7fffffffU : 0U;
  return v & ~(small & ftz);
}
LANE_INLINE uint32_t lane_canonical(uint32_t v) {
  return (v & 0x7fffffffU) > 0x7f800000U ? 0x7fffffffU : v;
}
/* Clamps to [+0, 1], NaN to +0, where sat is all ones. */
LANE_INLINE uint32_t lane_saturate(uint32_t v, uint32_t sat) {
  uint32_t clamped = v > 0x3f800000U ? 0x3f800000U : v;
  clamped = v > 0x7f800000U ? 0U : clamped; /* NaN, and whatever has a sign */
  return (clamped & sat) | (v & ~sat);
}
/* Result of a float operation: canonical NaN, ftz, sat. */
LANE_INLINE uint32_t lane_result(uint32_t v, uint32_t ftz, uint32_t sat) {
  return lane_saturate(lane_flush(lane_canonical(v), ftz), sat);
}
LANE_INLINE uint64_t lane_flush64(uint64_t v, uint32_t ftz) {
  const bool small = (v & 0x7ff0000000000000U) == 0;
  return small && ftz != 0 ? v & 1ULL << 63 : v;
}
LANE_INLINE uint64_t lane_canonical64(uint64_t v) {
  return (v & 0x7fffffffffffffffU) > 0x7ff0000000000000U ? 0x7fffffffffffffffU : v;
}
LANE_INLINE uint64_t lane_result64(uint64_t v, uint32_t ftz, uint32_t sat) {
  v = lane_flush64(lane_canonical64(v), ftz);
  uint64_t clamped = v > 0x3ff0000000000000U ? 0x3ff0000000000000U : v;
  clamped = v > 0x7ff0000000000000U ? 0U : clamped;
  return sat != 0 ? clamped : v;
}

/* Relations that a comparison accepts, by the number in its cmp field. */
enum { LANE_LT = 1, LANE_EQ = 2, LANE_GT = 4, LANE_UN = 8 };
static const uint8_t lane_relations[16] = {
    LANE_EQ,
    LANE_LT | LANE_GT,
    LANE_LT,
    LANE_LT | LANE_EQ,
    LANE_GT,
    LANE_GT | LANE_EQ,
    LANE_EQ | LANE_UN,
    LANE_LT | LANE_GT | LANE_UN,
    LANE_LT | LANE_UN,
    LANE_LT | LANE_EQ | LANE_UN,
    LANE_GT | LANE_UN,
    LANE_GT | LANE_EQ | LANE_UN,
    LANE_LT | LANE_EQ | LANE_GT,
    LANE_UN,
};
/* From the masks of lanes in each relation to those the comparison accepts. */
LANE_INLINE uint32_t lane_accept(unsigned relations, uint32_t lt, uint32_t eq, uint32_t gt) {
  return ((relations & LANE_LT) != 0 ? lt : 0) | ((relations & LANE_EQ) != 0 ? eq : 0) |
         ((relations & LANE_GT) != 0 ? gt : 0) | ((relations & LANE_UN) != 0 ? ~(lt | eq | gt) : 0);
}

#endif
