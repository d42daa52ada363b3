/* flex_map: places of registers, words of shared memory and lines of L1D in each scheme. */
#include "csim/ref/flex/flex_map.h"

#include "csim/ref/flex/flex_control.h"

#define UNIT flex_map
#include "tests/unit/lockstep.h"

#include "tests/unit/illegal.h"

#define COVERAGE(F)                                                                                \
  F(last_own_warp)                                                                                 \
  F(first_borrowed_warp)                                                                           \
  F(last_warp)                                                                                     \
  F(upper_half_of_registers)                                                                       \
  F(lower_half_of_registers)                                                                       \
  F(bank_wraps)                                                                                    \
  F(last_own_byte)                                                                                 \
  F(first_borrowed_byte)                                                                           \
  F(last_byte)                                                                                     \
  F(last_way)                                                                                      \
  F(upper_sets_of_a_trio)
COVER_DEFINE(COVERAGE)

/* The specification's table: warps, bytes of shared memory and ways of an active SM. */
static const struct {
  unsigned warps, bytes, ways;
} has[FLEX_MODES] = {[FLEX_BASE] = {24, 16384, 4},
                     [FLEX_OCC] = {48, 32768, 8},
                     [FLEX_BAL] = {36, 24576, 6},
                     [FLEX_BIGSM] = {24, 32768, 8},
                     [FLEX_BIGSM_OCC] = {48, 32768, 8}};

static void registers(struct lockstep *l) {
  TICK(.mode = FLEX_OCC, .warp = 23, .reg = 31);
  EXPECT(rf_side, 0);
  EXPECT(rf_bank, (23 + 31) % 16);
  TICK(.mode = FLEX_OCC, .warp = 24, .reg = 5);
  EXPECT(rf_side, 1);
  EXPECT(rf_bank, 5);
  EXPECT(rf_row, 0);
  TICK(.mode = FLEX_OCC, .warp = 47, .reg = 16);
  EXPECT(rf_side, 1);
  EXPECT(rf_bank, 7);
  EXPECT(rf_row, 23 * 4 + 1);
  for (unsigned upper = 0; upper < 2; upper++) {
    TICK(.mode = FLEX_BAL, .upper = upper, .warp = 35, .reg = 30);
    EXPECT(rf_side, 1);
    EXPECT(rf_bank, 8 * upper + 1); /* 41 */
    EXPECT(rf_row, 11 * 4 + 3);
    TICK(.mode = FLEX_BAL, .upper = upper, .warp = 3, .reg = 15);
    EXPECT(rf_side, 0);
    EXPECT(rf_bank, 2);
  }
  /* A wide warp has the same bank in each of its SMs. */
  TICK(.mode = FLEX_BIGSM_OCC, .warp = 40, .reg = 9);
  EXPECT(rf_side, 0);
  EXPECT(rf_bank, 1);
}

static void shared_memory(struct lockstep *l) {
  TICK(.mode = FLEX_BASE, .shared = 16383);
  EXPECT(sh_side, 0);
  EXPECT(sh_bank, 15);
  EXPECT(sh_row, 255);
  TICK(.mode = FLEX_OCC, .shared = 16384);
  EXPECT(sh_side, 1);
  EXPECT(sh_bank, 0);
  EXPECT(sh_row, 0);
  TICK(.mode = FLEX_BIGSM, .shared = 16384 + 68);
  EXPECT(sh_bank, 1);
  EXPECT(sh_row, 1);
  TICK(.mode = FLEX_BAL, .upper = 1, .shared = 16384 + 68);
  EXPECT(sh_side, 1);
  EXPECT(sh_bank, 9);
  EXPECT(sh_row, 2);
  TICK(.mode = FLEX_BAL, .shared = 24575);
  EXPECT(sh_bank, 7);
  EXPECT(sh_row, 255);
}

static void lines(struct lockstep *l) {
  TICK(.mode = FLEX_BASE, .set = 31, .way = 3);
  EXPECT(l1_side, 0);
  EXPECT(l1_bank, 1);
  EXPECT(l1_row, 15);
  EXPECT(l1_way, 3);
  TICK(.mode = FLEX_OCC, .set = 2, .way = 7);
  EXPECT(l1_side, 1);
  EXPECT(l1_bank, 0);
  EXPECT(l1_way, 3);
  for (unsigned upper = 0; upper < 2; upper++) {
    TICK(.mode = FLEX_BAL, .upper = upper, .set = 18, .way = 5);
    EXPECT(l1_side, 1);
    EXPECT(l1_bank, upper);
    EXPECT(l1_row, 2);
    EXPECT(l1_way, 3);
    TICK(.mode = FLEX_BAL, .upper = upper, .set = 2, .way = 4);
    EXPECT(l1_bank, upper);
    EXPECT(l1_way, 0);
    TICK(.mode = FLEX_BAL, .upper = upper, .set = 18, .way = 2);
    EXPECT(l1_side, 0);
    EXPECT(l1_bank, 1);
    EXPECT(l1_way, 2);
  }
}

static void illegal_inputs(struct lockstep *l) {
  TICK(0);
  ILLEGAL(.mode = FLEX_MODES);
  for (unsigned mode = 0; mode < FLEX_MODES; mode++) {
    LEGAL(.mode = mode, .warp = has[mode].warps - 1, .reg = 31, .set = 31);
    ILLEGAL(.mode = mode, .warp = has[mode].warps);
    LEGAL(.mode = mode, .shared = has[mode].bytes - 1);
    LEGAL(.mode = mode, .way = has[mode].ways - 1);
    if (has[mode].ways < 8) {
      ILLEGAL(.mode = mode, .shared = has[mode].bytes);
      ILLEGAL(.mode = mode, .way = has[mode].ways);
    }
  }
}

/* Marks a place of 2 sides, 16 banks, 256 rows and 4 ways; fails if it has been marked. */
static void mark(uint8_t *used, uint64_t side, uint64_t bank, uint64_t row, uint64_t way) {
  uint8_t *at = &used[((side * 16 + bank) * 256 + row) * 4 + way];
  assert_int_equal(*at, 0);
  *at = 1;
}

/* No two things have one place, and in Bal the two borrowers' places differ. */
static void one_to_one(struct lockstep *l) {
  static uint8_t used[3][2 * 16 * 256 * 4];
  for (unsigned mode = 0; mode < FLEX_MODES; mode++) {
    memset(used, 0, sizeof used);
    for (unsigned upper = 0; upper < (mode == FLEX_BAL ? 2U : 1U); upper++) {
      for (unsigned i = upper * 24 * 32; i < has[mode].warps * 32; i++) {
        TICK(.mode = mode, .upper = upper, .warp = i / 32, .reg = i % 32);
        mark(used[0], l->dut_out.rf_side, l->dut_out.rf_bank, l->dut_out.rf_row, 0);
      }
      for (unsigned a = upper * 16384; a < has[mode].bytes; a += 4) {
        TICK(.mode = mode, .upper = upper, .shared = a);
        mark(used[1], l->dut_out.sh_side, l->dut_out.sh_bank, l->dut_out.sh_row, 0);
      }
      for (unsigned i = upper * 4 * 32; i < has[mode].ways * 32; i++) {
        TICK(.mode = mode, .upper = upper, .set = i % 32, .way = i / 32);
        mark(used[2], l->dut_out.l1_side, l->dut_out.l1_bank, l->dut_out.l1_row, l->dut_out.l1_way);
      }
    }
  }
}

static unsigned near_ends(struct rng *r, unsigned n, unsigned middle) {
  const unsigned at[] = {0, middle - 1, middle, n - 1};
  return rng_chance(r, 30) && middle < n ? at[rng_below(r, 4)] : rng_below(r, n);
}

static void random_map(struct lockstep *l, struct rng *r, uint64_t cycles) {
  for (uint64_t c = 0; c < cycles; c++) {
    const unsigned mode = rng_below(r, FLEX_MODES);
    const unit_in in = {.mode = mode,
                        .upper = rng_chance(r, 50),
                        .warp = near_ends(r, has[mode].warps, 24),
                        .reg = rng_below(r, 32),
                        .shared = near_ends(r, has[mode].bytes, 16384),
                        .set = rng_below(r, 32),
                        .way = rng_below(r, has[mode].ways)};
    lockstep_tick(l, in);
    const bool borrowed = l->ref_out.rf_side != 0, trio = mode == FLEX_BAL;
    cover(COVER_last_own_warp, mode == FLEX_OCC && in.warp == 23);
    cover(COVER_first_borrowed_warp, mode == FLEX_OCC && in.warp == 24);
    cover(COVER_last_warp, trio && in.warp == 35);
    cover(COVER_upper_half_of_registers, trio && borrowed && in.upper);
    cover(COVER_lower_half_of_registers, trio && borrowed && !in.upper);
    cover(COVER_bank_wraps, in.reg + in.warp > 16);
    cover(COVER_last_own_byte, in.shared == 16383 && mode != FLEX_BASE);
    cover(COVER_first_borrowed_byte, in.shared == 16384);
    cover(COVER_last_byte, in.shared == 24575 && trio);
    cover(COVER_last_way, in.way == 7);
    cover(COVER_upper_sets_of_a_trio, trio && in.way > 3 && in.set > 15);
  }
}

UNIT_MAIN(DIRECTED(registers), DIRECTED(shared_memory), DIRECTED(lines), DIRECTED(one_to_one),
          DIRECTED(illegal_inputs), RANDOM(random_map))
