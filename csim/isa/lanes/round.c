/* Operations with a directed rounding mode.  Rare in real code, so each lane runs through the
 * processor's own rounding mode; this file is compiled with -frounding-math, and the volatile
 * sources and results keep the arithmetic between the two changes of mode. */
#include <fenv.h>

#include "csim/isa/lanes/local.h"

static int enter(unsigned mode) {
  static const int modes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  int old = fegetround();
  (void)fesetround(modes[mode]);
  return old;
}

struct sources {
  volatile float x, y, z;
  volatile double wide; /* 64-bit sources: as a double, as an integer */
  volatile uint64_t bits;
};

static float compute32(const struct isa_uop *u, const struct sources *s) {
  switch (u->id) {
  case ISA_FADD:
    return s->x + s->y;
  case ISA_FMUL:
    return s->x * s->y;
  case ISA_FMA:
    return __builtin_fmaf(s->x, s->y, s->z);
  case ISA_FDIV:
    return s->x / s->y;
  case ISA_RCP:
    return 1.0F / s->x;
  case ISA_SQRT:
    return sqrtf(s->x);
  case ISA_L2F:
    return (u->f.mods & 1) != 0 ? (float)(int64_t)s->bits : (float)s->bits;
  default: /* D2F, I2F */
    return (float)s->wide;
  }
}

static bool from_integer(const struct isa_uop *u) {
  return u->id == ISA_I2F || u->id == ISA_L2F || u->id == ISA_L2D;
}

static void fetch32(const struct isa_uop *u, struct sources *s, const uint32_t *a,
                    const uint32_t *b, const uint32_t *c, unsigned l) {
  const bool integer = from_integer(u), wide = u->o.s1 == ISA_N_PAIR;
  const unsigned mods = integer ? 0 : u->f.mods;
  const uint32_t ftz = (mods & LANE_FTZ) != 0 ? ~0U : 0;
  const uint32_t n1 = (mods & LANE_NEG1) << 31, n2 = (mods & LANE_NEG2) << 30;
  const bool fma = u->id == ISA_FMA;
  s->bits = wide ? lane_get64(a, l) : a[l];
  s->wide = u->id != ISA_I2F       ? lane_f64(s->bits)
            : (u->f.mods & 1) != 0 ? (double)(int32_t)a[l]
                                   : (double)a[l];
  s->x = lane_f32(lane_flush(a[l] ^ n1, ftz));
  if (b != NULL)
    s->y = lane_f32(lane_flush(b[l] ^ (fma ? 0 : n2), ftz));
  if (c != NULL)
    s->z = lane_f32(lane_flush(c[l] ^ n2, ftz));
}

uint32_t isa_lanes_round32(LANE_ARGS) {
  const bool integer = from_integer(u);
  const uint32_t ftz = integer ? 0 : lane_mask(u, LANE_FTZ);
  const uint32_t sat = integer ? 0 : lane_mask(u, LANE_SAT);
  LANES(l) {
    struct sources s = {0};
    fetch32(u, &s, a, b, c, l);
    int old = enter(lane_mode(u));
    volatile float r = compute32(u, &s);
    (void)fesetround(old);
    d[l] = lane_result(lane_bits(r), ftz, sat);
  }
  return 0;
}

struct sources64 {
  volatile double x, y, z;
  volatile uint64_t bits;
};

static double compute64(const struct isa_uop *u, const struct sources64 *s) {
  switch (u->id) {
  case ISA_DADD:
    return s->x + s->y;
  case ISA_DMUL:
    return s->x * s->y;
  case ISA_DFMA:
    return __builtin_fma(s->x, s->y, s->z);
  case ISA_DDIV:
    return s->x / s->y;
  case ISA_DRCP:
    return 1.0 / s->x;
  case ISA_DSQRT:
    return sqrt(s->x);
  default: /* L2D */
    return (u->f.mods & 1) != 0 ? (double)(int64_t)s->bits : (double)s->bits;
  }
}

uint32_t isa_lanes_round64(LANE_ARGS) {
  const unsigned mods = from_integer(u) ? 0 : u->f.mods;
  const uint64_t n1 = (uint64_t)(mods & LANE_NEG1) << 63, n2 = (uint64_t)(mods & LANE_NEG2) << 62;
  const uint32_t sat = (mods & LANE_SAT) != 0 ? ~0U : 0;
  const uint32_t ftz = u->id == ISA_DRCP && (mods & LANE_FTZ) != 0 ? ~0U : 0;
  const bool fma = u->id == ISA_DFMA;
  LANES(l) {
    struct sources64 s = {0};
    s.bits = lane_get64(a, l);
    s.x = lane_f64(lane_flush64(lane_get64(a, l) ^ n1, ftz));
    if (b != NULL)
      s.y = lane_f64(lane_get64(b, l) ^ (fma ? 0 : n2));
    if (c != NULL)
      s.z = lane_f64(lane_get64(c, l) ^ n2);
    int old = enter(lane_mode(u));
    volatile double r = compute64(u, &s);
    (void)fesetround(old);
    lane_put64(d, l, lane_result64(lane_bits64(r), ftz, sat));
  }
  return 0;
}
