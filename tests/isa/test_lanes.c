/* The lane arithmetic against that of the architectural check: every operation, every legal
 * modifier combination. */

#include <time.h>

#include "csim/isa/asm/asm.h"
#include "csim/isa/lanes/lanes.h"
#include "csim/iss/arith/arith.h"
#include "tests/isa/random.h"
#include "tests/test.h"

static struct rng rng;

enum { CANARY = 0x5a5a5a5a };

struct warp {
  _Alignas(64) uint32_t d[2 * ISA_WARP_SIZE];
  _Alignas(64) uint32_t s[3][2 * ISA_WARP_SIZE];
  uint32_t p2, p3, active;
};

static uint32_t operand32(struct rng *r, bool wide_high) {
  static const uint32_t values[] = {
      0,          1,          2,          7,          8,          31,         32,
      33,         63,         64,         255,        0x7fff,     0x8000,     0xffff,
      0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x3f800000, 0xbf800000,
      0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000, 0x7f800000, 0xff800000, 0x7fc00000,
      0xffc01234, 0x7f800001, 0x00800000, 0x007fffff, 0x807fffff, 0x7f7fffff, 0x4f000000,
      0xcf000000, 0x4f800000, 0x4effffff, 0x5f000000, 0x5f800000, 0xdf000000, 0x477fefff,
      0x477ff000, 0x477fe000, 0x33000000, 0x33000001, 0x387fffff, 0x38800000, 0x437f8000,
      0x477fff80, 0x7c00,     0x3c00,     0x7e00,     0x03ff,     0x4b000001, 0x4a800001};
  static const uint32_t high[] = {0,          0x80000000, 0x3ff00000, 0xbff00000, 0x7ff00000,
                                  0xfff00000, 0x7ff80000, 0x00100000, 0x000fffff, 0x7fefffff,
                                  0x41dfffff, 0x41e00000, 0xc1e00000, 0x41f00000, 0x43e00000,
                                  0xc3e00000, 0x43f00000, 0x47efffff, 0x36a00000, 0x380fffff,
                                  0x38100000, 0x3fe00000, 0xffffffff, 0x7fffffff, 0x43300000};
  uint32_t bits = (uint32_t)rng_next(r);
  switch (rng_below(r, 6)) {
  case 0:
    return wide_high ? high[bits % (sizeof high / sizeof high[0])]
                     : values[bits % (sizeof values / sizeof values[0])];
  case 1:
    return bits % 80;
  case 2: /* floats and doubles near one */
    return (bits & 0x807fffffU) |
           ((wide_high ? 0x3fe00000U : 0x3f000000U) + (bits >> 1 & 0x800000U));
  case 3: /* floats in the range of integers */
    return (bits & 0x80ffffffU) | ((wide_high ? 0x41000000U : 0x46000000U) + (bits & 0x9000000U));
  default:
    return bits;
  }
}

static void fill(struct rng *r, struct warp *w) {
  for (unsigned s = 0; s < 3; s++) {
    for (unsigned l = 0; l < 2 * ISA_WARP_SIZE; l++)
      w->s[s][l] = operand32(r, l >= ISA_WARP_SIZE);
    for (unsigned l = 0; l < ISA_WARP_SIZE; l++) { /* relations between the sources */
      unsigned kind = rng_below(r, 8);
      if (s > 0 && kind < 2) {
        w->s[s][l] = w->s[0][l] ^ (kind == 1 ? 0x80000000U : 0);
        w->s[s][ISA_WARP_SIZE + l] = w->s[0][ISA_WARP_SIZE + l] ^ (kind == 1 ? 0x80000000U : 0);
      } else if (s > 0 && kind == 2) {
        w->s[s][l] = w->s[0][l] + (uint32_t)rng_below(r, 3) - 1;
        w->s[s][ISA_WARP_SIZE + l] = w->s[0][ISA_WARP_SIZE + l];
      }
    }
  }
  for (unsigned l = 0; l < 2 * ISA_WARP_SIZE; l++)
    w->d[l] = CANARY;
  w->p2 = (uint32_t)rng_next(r);
  w->p3 = (uint32_t)rng_next(r);
  w->active = (uint32_t)rng_next(r);
}

static uint64_t lane_value(const uint32_t *x, unsigned l, bool wide) {
  return wide ? (uint64_t)x[ISA_WARP_SIZE + l] << 32 | x[l] : x[l];
}

/* Runs one word on one warp of random operands, and by the check. */
static void check_word(struct rng *r, uint64_t word) {
  struct warp w;
  struct isa_uop u;
  fill(r, &w);
  isa_uop_decode(word, &u);
  assert_int_not_equal(u.id, ISA_ILLEGAL);
  assert_non_null(u.fn);
  const char *shape = isa_ops[u.id].shape;
  const bool wide[4] = {shape[0] == 'D', shape[1] == 'D', shape[2] == 'D', shape[3] == 'D'};
  const uint32_t *src[3];
  for (unsigned s = 0; s < 3; s++)
    src[s] = shape[s + 1] == 'R' || shape[s + 1] == 'D' ? w.s[s] : NULL;
  if (u.imm)
    src[1] = u.imm_planes;
  uint32_t pred = u.fn(&u, w.d, src[0], src[1], src[2], w.p2, w.p3, w.active);
  assert_non_null(arith_of(u.id));
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++) {
    struct arith_in in = {.id = u.id,
                          .mods = u.f.mods,
                          .a = lane_value(w.s[0], l, wide[1]),
                          .b = u.imm ? arith_immediate(u.id, u.f.imm)
                                     : lane_value(w.s[1], l, wide[2]),
                          .c = lane_value(w.s[2], l, wide[3]),
                          .p2 = (w.p2 >> l & 1) != 0,
                          .p3 = (w.p3 >> l & 1) != 0};
    uint64_t want;
    uint64_t got = u.o.dp ? pred >> l & 1 : lane_value(w.d, l, wide[0]);
    if (!arith_fits(&in, got, &want)) {
      char text[ISA_TEXT];
      isa_disasm(word, text);
      fail_msg("%s (mods 0x%x): a 0x%llx b 0x%llx c 0x%llx p2 %d p3 %d: 0x%llx, should be 0x%llx",
               text, u.f.mods, (unsigned long long)in.a, (unsigned long long)in.b,
               (unsigned long long)in.c, in.p2, in.p3, (unsigned long long)got,
               (unsigned long long)want);
    }
    if (!wide[0])
      assert_int_equal(w.d[ISA_WARP_SIZE + l], CANARY);
  }
  if (!u.o.dp)
    assert_int_equal(pred, 0);
}

static bool is_alu(enum isa_id id) {
  unsigned unit = isa_ops[id].unit;
  return unit != ISA_U_CTRL && unit != ISA_U_MEM && unit != ISA_U_ATOM && id != ISA_MOVS;
}
/* Operations whose result is not a function of one lane's sources; they have their own tests. */
static bool across_lanes(enum isa_id id, unsigned mods) {
  return id == ISA_VOTE || id == ISA_BALLOT || id == ISA_MOVI ||
         (id == ISA_PRMT && (mods & ISA_PRMT_MODE) >= ISA_PRMT_UP);
}

TEST(every_operation) {
  struct rng r = rng;
  enum { ROUNDS = 10 };
  unsigned words = 0;
  for (enum isa_id id = 0; id < ISA_OPS; id++) {
    if (!is_alu(id))
      continue;
    for (unsigned mods = 0; mods < 128; mods++) {
      struct isa_inst f = {
          .unit = isa_ops[id].unit, .op = isa_ops[id].op, .mods = (uint8_t)mods, .guard = ISA_PT};
      if (across_lanes(id, mods) || isa_check(isa_pack(f)) != NULL)
        continue;
      bool imm = (mods & ISA_MOD_IMM) != 0;
      words++;
      for (unsigned i = 0; i < ROUNDS; i++) {
        if (imm)
          f.imm = (uint16_t)(rng_below(&r, 3) == 0 ? rng_below(&r, 70) : rng_next(&r));
        check_word(&r, isa_pack(f));
      }
    }
  }
  assert_true(words > 500);
}

static struct isa_uop decoded(enum isa_id id, unsigned mods, unsigned imm) {
  struct isa_inst f = {.unit = isa_ops[id].unit,
                       .op = isa_ops[id].op,
                       .mods = (uint8_t)mods,
                       .imm = (uint16_t)imm,
                       .guard = ISA_PT};
  struct isa_uop u;
  isa_uop_decode(isa_pack(f), &u);
  assert_int_not_equal(u.id, ISA_ILLEGAL);
  return u;
}

static uint32_t vote(unsigned mods, uint32_t p2, uint32_t active) {
  struct isa_uop u = decoded(ISA_VOTE, mods, 0);
  return u.fn(&u, NULL, NULL, NULL, NULL, p2, 0, active);
}

TEST(votes) {
  enum { ALL, ANY, UNI };
  assert_int_equal(vote(ALL, 0x0f, 0x0f), 0xffffffff);
  assert_int_equal(vote(ALL, 0x0e, 0x0f), 0);
  assert_int_equal(vote(ALL, 0, 0), 0xffffffff);
  assert_int_equal(vote(ANY, 0x10, 0x0f), 0);
  assert_int_equal(vote(ANY, 0x18, 0x0f), 0xffffffff);
  assert_int_equal(vote(ANY, 0xff, 0), 0);
  assert_int_equal(vote(UNI, 0xf0, 0x0f), 0xffffffff);
  assert_int_equal(vote(UNI, 0xff, 0x0f), 0xffffffff);
  assert_int_equal(vote(UNI, 0x01, 0x0f), 0);
  struct isa_uop u = decoded(ISA_BALLOT, 0, 0);
  uint32_t d[ISA_WARP_SIZE];
  assert_int_equal(u.fn(&u, d, NULL, NULL, NULL, 0xf0f0, 0, 0xff00), 0);
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
    assert_int_equal(d[l], 0xf000);
}

/* The source of a lane by PTX's text: segments, clamps, lanes that do not execute. */
static unsigned shuffled(unsigned mode, unsigned lane, unsigned b, unsigned c, uint32_t active) {
  enum { UP, DOWN, BFLY };
  const int mask = (int)(c >> 8 & 31), low = (int)lane & mask, edge = low | ((int)(c & 31) & ~mask);
  const int by = (int)(b & 31);
  const int j = mode == UP     ? (int)lane - by
                : mode == DOWN ? (int)lane + by
                : mode == BFLY ? (int)lane ^ by
                               : low | (by & ~mask);
  if (mode == UP ? j < edge : j > edge)
    return lane;
  return j < 0 || j > 31 || (active >> j & 1) == 0 ? lane : (unsigned)j;
}

TEST(shuffles) {
  struct rng r = rng;
  for (unsigned round = 0; round < 2000; round++) {
    const unsigned mode = round % 4;
    uint32_t a[ISA_WARP_SIZE], b[ISA_WARP_SIZE], c[ISA_WARP_SIZE], d[ISA_WARP_SIZE];
    const uint32_t active = round < 400 ? ~0U : (uint32_t)rng_next(&r);
    const uint32_t shift = (uint32_t)rng_next(&r), usual = mode == 0 ? 0 : 31;
    for (unsigned l = 0; l < ISA_WARP_SIZE; l++) {
      a[l] = (uint32_t)rng_next(&r);
      b[l] = round < 1000 ? shift & 31 : (uint32_t)rng_next(&r);
      c[l] = round < 800 ? usual : (uint32_t)rng_next(&r);
    }
    struct isa_uop u = decoded(ISA_PRMT, ISA_PRMT_UP + mode, 0);
    assert_int_equal(u.fn(&u, d, a, b, c, 0, 0, active), 0);
    for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
      assert_int_equal(d[l], a[shuffled(mode, l, b[l], c[l], active)]);
  }
}

TEST(decode) {
  struct isa_uop u;
  struct isa_inst f = {.unit = ISA_U_IALU,
                       .op = 1,
                       .mods = 1,
                       .src3 = 0x1f,
                       .src2 = 1,
                       .src1 = 2,
                       .imm = 0xbeef,
                       .guard = ISA_PT};
  isa_uop_decode(isa_pack(f) | (uint64_t)5 << 58, &u);
  assert_int_equal(u.id, ISA_MOVI);
  assert_int_equal(u.imm32, 0xfc22beef);
  assert_int_equal(u.word, isa_pack(f));
  _Alignas(64) uint32_t d[ISA_WARP_SIZE];
  u.fn(&u, d, NULL, NULL, NULL, 0, 0, 0);
  assert_int_equal(d[31], 0xfc22beef);

  u = decoded(ISA_LDG, 0x2, 0xfffc);
  assert_null(u.fn);
  assert_int_equal(u.imm32, 0xfffffffc);
  assert_int_equal(u.mem_size, 4);
  assert_int_equal(u.mem_elems, 1);
  u = decoded(ISA_LDG, 0x3 | 1 << 3 | ISA_MOD_ABS, 0xfffc);
  assert_int_equal(u.imm32, 0xfffc);
  assert_int_equal(u.mem_size, 8);
  assert_int_equal(u.mem_elems, 2);
  assert_int_equal(u.o.d, ISA_N_QUAD);
  assert_int_equal(u.o.s1, ISA_N_NONE);
  u = decoded(ISA_IADD, ISA_MOD_IMM, 0x8000);
  assert_true(u.imm);
  assert_int_equal(u.imm_planes[31], 0xffff8000);
  u = decoded(ISA_FADD, ISA_MOD_IMM, 0x3f80);
  assert_int_equal(u.imm_planes[5], 0x3f800000);
  u = decoded(ISA_DADD, ISA_MOD_IMM, 0x3ff0);
  assert_int_equal(u.imm_planes[31], 0);
  assert_int_equal(u.imm_planes[32], 0x3ff00000);

  isa_uop_decode((uint64_t)15 << 54, &u);
  assert_int_equal(u.id, ISA_ILLEGAL);
  assert_null(u.fn);
  assert_int_equal(u.o.d, ISA_N_NONE);
  f = (struct isa_inst){.guard = ISA_PT, .op = 1, .imm = 7, .src2 = 1, .dst = 3};
  isa_uop_decode(isa_pack(f), &u);
  assert_int_equal(u.id, ISA_BRA);
  assert_int_equal(u.rpc, 0x403);
}

static uint64_t atomic(enum isa_id id, unsigned mods, uint64_t old, uint64_t b, uint64_t c) {
  struct isa_uop u = decoded(id, mods, 0);
  return isa_atomic(&u, old, b, c);
}

TEST(atomics) {
  enum { S = 2, W = ISA_MOD_64 };
  assert_int_equal(atomic(ISA_AADD, 0, 0xffffffff, 2, 0), 1);
  assert_int_equal(atomic(ISA_AEXCH, 0, 5, 2, 0), 2);
  assert_int_equal(atomic(ISA_ACAS, 0, 5, 5, 9), 9);
  assert_int_equal(atomic(ISA_ACAS, 0, 6, 5, 9), 6);
  assert_int_equal(atomic(ISA_AMIN, 0, 0xffffffff, 1, 0), 1);
  assert_int_equal(atomic(ISA_AMIN, S, 0xffffffff, 1, 0), 0xffffffff);
  assert_int_equal(atomic(ISA_AMAX, 0, 0xffffffff, 1, 0), 0xffffffff);
  assert_int_equal(atomic(ISA_AMAX, S, 0xffffffff, 1, 0), 1);
  assert_int_equal(atomic(ISA_AAND, 0, 12, 10, 0), 8);
  assert_int_equal(atomic(ISA_AOR, 0, 12, 10, 0), 14);
  assert_int_equal(atomic(ISA_AXOR, 0, 12, 10, 0), 6);
  assert_int_equal(atomic(ISA_AINC, 0, 3, 4, 0), 4);
  assert_int_equal(atomic(ISA_AINC, 0, 4, 4, 0), 0);
  assert_int_equal(atomic(ISA_ADEC, 0, 4, 4, 0), 3);
  assert_int_equal(atomic(ISA_ADEC, 0, 5, 4, 0), 4);
  assert_int_equal(atomic(ISA_ADEC, 0, 0, 4, 0), 4);
  assert_int_equal(atomic(ISA_AFADD, 0, 0x3f800000, 0x40000000, 0), 0x40400000);
  assert_int_equal(atomic(ISA_AFADD, 0, 0x7f800000, 0xff800000, 0), 0x7fffffff);

  const uint64_t low = UINT32_MAX, top = UINT64_C(1) << 63;
  assert_int_equal(atomic(ISA_AADD, W, low, 2, 0), low + 2);
  assert_int_equal(atomic(ISA_AADD, W, UINT64_MAX, 2, 0), 1);
  assert_int_equal(atomic(ISA_AEXCH, W, 5, top, 0), top);
  assert_int_equal(atomic(ISA_ACAS, W, top, top, 9), 9);
  assert_int_equal(atomic(ISA_ACAS, W, top | 5, 5, 9), top | 5);
  assert_int_equal(atomic(ISA_AMIN, W, top, low, 0), low);
  assert_int_equal(atomic(ISA_AMIN, W | S, top, low, 0), top);
  assert_int_equal(atomic(ISA_AMAX, W, top, low, 0), top);
  assert_int_equal(atomic(ISA_AMAX, W | S, top, low, 0), low);
  assert_int_equal(atomic(ISA_AMAX, W | S, low, 1, 0), low); /* bit 31 is no sign */
  assert_int_equal(atomic(ISA_AAND, W, top | 3, top | 6, 0), top | 2);
  assert_int_equal(atomic(ISA_AOR, W, top, 1, 0), top | 1);
  assert_int_equal(atomic(ISA_AXOR, W, top | 1, top, 0), 1);
}

/* Not a check: what the back end can count on. */
TEST(print_speed) {
  struct rng r = rng;
  static const enum isa_id ids[] = {ISA_IADD,  ISA_ISETP, ISA_MAD,  ISA_FADD, ISA_FMA,
                                    ISA_FSETP, ISA_FMIN,  ISA_F2I,  ISA_FDIV, ISA_SQRT,
                                    ISA_SIN,   ISA_IDIV,  ISA_DADD, ISA_DFMA, ISA_LADD};
  enum { REPEAT = 20000 };
  struct warp w;
  fill(&r, &w);
  for (unsigned s = 0; s < 3; s++) { /* everyday numbers: subnormals cost the processor more */
    for (unsigned l = 0; l < 2 * ISA_WARP_SIZE; l++)
      w.s[s][l] = 0x40000000U | (uint32_t)rng_below(&r, 0x1000000U);
  }
  for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
    struct isa_uop u = decoded(ids[i], 0, 0);
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (unsigned k = 0; k < REPEAT; k++) {
      u.fn(&u, w.d, w.s[0], w.s[1], w.s[2], w.p2, w.p3, w.active);
      __asm__ volatile("" ::: "memory");
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    double ns = (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
    print_message("%-6s %7.1f ns a warp instruction\n", isa_ops[ids[i]].mnemonic, ns / REPEAT);
  }
}

int main(int argc, char **argv) {
#ifdef TANDEM_TEST_V3
  if (!__builtin_cpu_supports("x86-64-v3"))
    return 77; /* skipped: this processor cannot run the code */
#endif
  rng = rng_from_arguments(argc, argv);
  return test_run(NULL, NULL);
}
