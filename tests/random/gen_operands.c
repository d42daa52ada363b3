/* Operations on sources at which they may change their ways. */
#include <string.h>

#include "tests/random/emit.h"

enum {
  R_SOURCES = R_DATA,
  R_RESULTS = R_DATA + 6,
  OPERATIONS = 4, /* of a record */
  RECORDS = 32768 / GEN_RECORD_BYTES
};

/* ---- records ---- */

static uint64_t bits_of(double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

static uint32_t bits_of_float(float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

static double double_of(uint64_t bits) {
  double v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

static float float_of(uint32_t bits) {
  float v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

static uint32_t edge32(struct rng *rng) {
  static const uint32_t edges[] = {
      0,          1,          2,          7,          8,          15,         16,
      31,         32,         33,         63,         64,         65,         0x7f,
      0x80,       0xff,       0x100,      0x7fff,     0x8000,     0xffff,     0x10000,
      0x7fffff,   0x800000,   0xffffff,   0x1000000,  0x7fffffff, 0x80000000, 0x80000001,
      0xfffffffe, 0xffffffff, /* floats: */
      0x3f800000, 0xbf800000, 0x3f000000, 0x3fc00000, 0x3f7fffff, 0x3f800001, 0x00800000,
      0x007fffff, 0x807fffff, 0x00000001, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
      0x7f800001, 0x7fc00000, 0xffc01234, 0x42ff0000, 0x43000000, 0xc3160000, /* halves: */
      0x33000000, 0x33000001, 0x387fffff, 0x38800000, 0x477fefff, 0x477ff000, 0x7c00,
      0x3c00,     0x7e00,     0x03ff,     0x0400,     0xfc00, /* ends of the integers: */
      0x4effffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000, 0x5f800000, 0xdf000000};
  return edges[rng_below(rng, sizeof edges / sizeof edges[0])];
}

/* The upper word of a double, of which the lower one is all of a kind. */
static uint64_t edge64(struct rng *rng) {
  static const uint32_t high[] = {0x00000000, 0x80000000, 0x3ff00000, 0xbff00000, 0x7ff00000,
                                  0xfff00000, 0x7ff80000, 0x00100000, 0x000fffff, 0x7fefffff,
                                  0x41dfffff, 0x41e00000, 0xc1e00000, 0x41efffff, 0x41f00000,
                                  0x43dfffff, 0x43e00000, 0xc3e00000, 0x43f00000, 0x47efffff,
                                  0x36a00000, 0x36900000, 0x380fffff, 0x38100000, 0x3fe00000,
                                  0xffffffff, 0x7fffffff, 0x43300000, 0x40000000, 0x7f7fffff};
  static const uint32_t low[] = {0, 0, 1, 0xffffffff, 0xe0000000, 0xf0000000, 0xffe00000};
  return (uint64_t)high[rng_below(rng, sizeof high / sizeof high[0])] << 32 |
         low[rng_below(rng, sizeof low / sizeof low[0])];
}

/* A power of two with a bit far below it, or one less: what rounds to even, and shifts. */
static uint64_t near_power(struct rng *rng) {
  const unsigned k = rng_below(rng, 64), below[] = {1, 11, 12, 23, 24, 25, 52, 53};
  const uint64_t power = UINT64_C(1) << k;
  const unsigned less = below[rng_below(rng, 8)];
  uint64_t v = power;
  switch (rng_below(rng, 5)) {
  case 0:
    v = power - 1;
    break;
  case 1:
    v = power + (less <= k ? power >> less : 1);
    break;
  case 2:
    v = power + (less <= k ? 3 * (power >> less) : 1);
    break;
  case 3:
    v = power + (less <= k ? power >> less : 1) + 1;
    break;
  default:
    break;
  }
  return rng_below(rng, 3) == 0 ? 0 - v : v;
}

/* Halfway between two values of a narrower format, or beside it: doubles to floats in both
 * words, floats to halves. */
static uint64_t tie(struct rng *rng) {
  static const uint32_t ends[] = {0, 1, 2, 3};
  const uint64_t any = rng_next(rng), sign = any & UINT64_C(1) << 63;
  const uint32_t end = ends[rng_below(rng, 4)];
  if (rng_below(rng, 2)) { /* exponents from below the least float to above the greatest */
    const uint64_t exponent = 1023 - 152 + rng_below(rng, 282);
    const unsigned dropped = exponent >= 1023 - 126 ? 29 : (unsigned)(29 + 1023 - 126 - exponent);
    const uint64_t half = dropped > 52 ? 0 : UINT64_C(1) << (dropped - 1);
    const uint64_t mantissa = dropped > 52 ? 0 : any & ((UINT64_C(1) << 52) - 1) & ~(2 * half - 1);
    return sign | exponent << 52 | mantissa | (end == 0 ? half : end == 1 ? half - 1 : half + 1);
  }
  const uint32_t exponent = 127 - 26 + rng_below(rng, 44);
  const unsigned dropped = exponent >= 127 - 14 ? 13 : 13 + 127 - 14 - exponent;
  const uint32_t half = dropped > 23 ? 0 : 1U << (dropped - 1);
  const uint32_t mantissa = dropped > 23 ? 0 : ((uint32_t)any & 0x7fffffU) & ~(2 * half - 1);
  return (uint32_t)(sign >> 32) | exponent << 23 | mantissa |
         (end == 0                ? half
          : end == 1 && half != 0 ? half - 1
                                  : half + 1);
}

/* Numbers of halves, as they are rounded to integers. */
static uint64_t halves(struct rng *rng) {
  const double v = ((double)rng_below(rng, 600) - 300) / 4;
  return rng_below(rng, 2) ? bits_of(v) : bits_of_float((float)v);
}

static uint64_t value(struct rng *rng) {
  const uint64_t any = rng_next(rng);
  switch (rng_below(rng, 9)) {
  case 0:
    return (uint64_t)edge32(rng) << 32 | edge32(rng);
  case 1:
    return edge64(rng);
  case 2:
    return rng_below(rng, 80);
  case 3:
    return near_power(rng);
  case 4:
    return tie(rng);
  case 5:
    return halves(rng);
  case 6: /* floats and doubles near one */
    return (any & UINT64_C(0x800fffff807fffff)) | UINT64_C(0x3fe000003f000000) |
           (any & UINT64_C(0x0010000000800000));
  case 7: /* in the range of integers */
    return (any & UINT64_C(0x83ffffff8fffffff)) | UINT64_C(0x4000000040000000);
  default:
    return any;
  }
}

/* A source that another one makes special: equal, beside it, its negative. */
static uint64_t like(struct rng *rng, uint64_t v) {
  switch (rng_below(rng, 5)) {
  case 0:
    return v;
  case 1:
    return v ^ UINT64_C(0x8000000080000000);
  case 2:
    return 0 - v;
  case 3:
    return v + 1;
  default:
    return v - 1;
  }
}

struct gen_record gen_record(struct rng *rng) {
  struct gen_record r = {{value(rng), value(rng), value(rng)}, 0};
  const uint64_t a = r.source[0], b = r.source[1];
  switch (rng_below(rng, 8)) {
  case 0:
    r.source[1] = like(rng, a);
    break;
  case 1:
    r.source[2] = like(rng, a);
    break;
  case 2:
    r.source[2] = like(rng, b);
    break;
  case 3: /* what cancels a product */
    r.source[2] = bits_of(-(double_of(a) * double_of(b)));
    break;
  case 4:
    r.source[2] = bits_of_float(-(float_of((uint32_t)a) * float_of((uint32_t)b)));
    break;
  default:
    break;
  }
  return r;
}

/* ---- statements ---- */

static void load(struct gen *g, unsigned reg, unsigned offset, unsigned mods) {
  struct isa_inst i = gen_op(ISA_LDG);
  i.dst = (uint8_t)reg;
  i.src1 = R_ADDR;
  i.imm = (uint16_t)offset;
  i.mods = (uint8_t)mods;
  (void)gen_emit(g, i);
}

/* Each thread's record, another one each time. */
static void load_record(struct gen *g) {
  gen_alu_imm(g, ISA_SHL, R_ADDR, R_THREAD, 5);
  gen_alu_imm(g, ISA_IADD, R_ADDR, R_ADDR, gen_pick(g, RECORDS) * GEN_RECORD_BYTES);
  gen_alu_imm(g, ISA_AND, R_ADDR, R_ADDR, (RECORDS - 1) * GEN_RECORD_BYTES);
  gen_alu(g, ISA_IADD, R_ADDR, R_ADDR, R_BASE, 0);
  load(g, R_SOURCES, 0, 2 << 3 | 2); /* four words */
  load(g, R_SOURCES + 4, 16, 1 << 3 | 2);
}

static bool of_lanes(enum isa_id id) {
  const unsigned unit = isa_ops[id].unit;
  return unit != ISA_U_CTRL && unit != ISA_U_MEM && unit != ISA_U_ATOM && id != ISA_MOVS &&
         id != ISA_MOVI;
}

static uint8_t source(struct gen *g, char letter, unsigned n) {
  return (uint8_t)(letter == 'P' ? gen_pred_source(g) : R_SOURCES + 2 * n);
}

static struct isa_inst try_operation(struct gen *g, enum isa_id id) {
  struct isa_inst i = gen_op(id);
  i.mods = isa_ops[id].mods == ISA_M_NONE ? 0 : (uint8_t)gen_pick(g, 128);
  if (gen_chance(&g->rng, 70))
    i.mods &= (uint8_t)~ISA_MOD_IMM;
  const struct isa_operands o = isa_operands_of(isa_pack(i));
  const char *shape = isa_ops[id].shape;
  i.dst = (uint8_t)(o.dp ? gen_pick(g, P_DATA_END) : R_RESULTS + 2 * gen_pick(g, 8));
  i.src1 = shape[1] == 'P' || o.s1 != ISA_N_NONE ? source(g, shape[1], 0) : 0;
  i.src2 = shape[2] == 'P' || o.s2 != ISA_N_NONE ? source(g, shape[2], 1) : 0;
  i.src3 = shape[3] == 'P' || o.s3 != ISA_N_NONE ? source(g, shape[3], 2) : 0;
  if ((i.mods & ISA_MOD_IMM) != 0)
    i.imm = (uint16_t)(gen_pick(g, 2) ? gen_pick(g, 70) : gen_pick(g, 65536));
  i.guard = (uint8_t)(gen_chance(&g->rng, 90) ? ISA_PT : gen_pred_source(g));
  return i;
}

void gen_operands(struct gen *g) {
  load_record(g);
  for (unsigned n = 0; n < OPERATIONS; n++) {
    enum isa_id id;
    struct isa_inst i;
    do
      id = gen_any(g);
    while (!of_lanes(id));
    do
      i = try_operation(g, id);
    while (isa_check(isa_pack(i)) != NULL);
    (void)gen_emit(g, i);
  }
}
