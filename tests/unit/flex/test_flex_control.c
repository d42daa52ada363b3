/* flex_control: roles, power, waking. */
#include "csim/ref/flex/flex_control.h"

static unsigned members, all;
#define UNIT flex_control
#define UNIT_LENGTH 8 /* each length of the power-up */
#define UNIT_REF_RESET(ref) flex_control_ref_reset(ref, members)
#include "tests/unit/lockstep.h"

#include "tests/unit/illegal.h"

#define COVERAGE(F)                                                                                \
  F(front_end_rises)                                                                               \
  F(lanes_rise)                                                                                    \
  F(contexts_rise)                                                                                 \
  F(memory_rises)                                                                                  \
  F(one_waits_one_does_not)                                                                        \
  F(longest_power_up)                                                                              \
  F(start_at_zero)                                                                                 \
  F(start_ends_waking)                                                                             \
  F(start_again_waits_longer)                                                                      \
  F(pair_to_trio)                                                                                  \
  F(trio_to_pair)
COVER_DEFINE(COVERAGE)

static void parameters(void) {
  members = device_parameter("Members", 6);
  all = (1U << members) - 1;
  cover(COVER_one_waits_one_does_not, members == 2);
  cover(COVER_pair_to_trio, members == 2);
  cover(COVER_trio_to_pair, members == 2);
}

/* The specification's tables.  A letter a member, from member 0 on: A active, L lends; whom it
 * borrows from: - nobody, l the left, r the right neighbour; the lender's domains, from misc (bit
 * 6) down to fe (bit 0), and without memory that is lent. */
static const struct {
  const char *roles, *from;
  unsigned banks, power, power_own; /* of a lender */
} schemes[] = {
    [FLEX_BASE] = {"AAAAAA", "------", 0, 0, 0},
    [FLEX_OCC] = {"ALALLA", "r-r--l", 3, 0x16, 0x06},
    [FLEX_BAL] = {"ALAALA", "r-lr-l", 3, 0x16, 0x06},
    [FLEX_BIGSM] = {"ALALLA", "r-r--l", 3, 0x1c, 0x1c},
    [FLEX_BIGSM_OCC] = {"ALALLA", "r-r--l", 3, 0x1e, 0x1e},
};

static bool is_scheme(unsigned mode) { return members > 2 || mode != FLEX_BAL; }

static void expect_scheme(struct lockstep *l, unsigned mode, bool own) {
  uint64_t active = 0, lend = 0, from = 0, power = 0;
  for (unsigned m = 0; m < members; m++) {
    const bool lends = schemes[mode].roles[m] == 'L';
    const unsigned lent = own ? schemes[mode].power_own : schemes[mode].power;
    active |= (uint64_t)!lends << m;
    lend |= (uint64_t)(lends ? 3 : 0) << (2 * m);
    from |= (uint64_t)(schemes[mode].from[m] == 'l') << (2 * m) |
            (uint64_t)(schemes[mode].from[m] == 'r') << (2 * m + 1);
    power |= (uint64_t)(lends ? lent : 0x7f) << (7 * m);
  }
  EXPECT(mode, mode);
  EXPECT(active, active);
  EXPECT(lend, lend);
  EXPECT(from, from);
  EXPECT(power, power);
}

static void roles_of_schemes(struct lockstep *l) {
  TICK(0);
  expect_scheme(l, FLEX_BASE, false);
  EXPECT(hold, 0);
  for (unsigned mode = 0; mode < FLEX_MODES; mode++)
    for (unsigned own = 0; own < 2; own++) {
      if (!is_scheme(mode))
        continue;
      TICK(.kernel_start = 1, .mode = mode, .own_memory = own);
      TICK(0);
      expect_scheme(l, mode, own != 0);
      TICK(0);
      TICK(0);
      expect_scheme(l, mode, own != 0);
    }
}

/* Starts a scheme, in which these members are held and these reset. */
static void wakes(struct lockstep *l, unsigned mode, bool own, uint64_t hold, uint64_t reset) {
  enum { POWER_UP = 3 };
  hold &= all;
  reset &= all;
  TICK(.kernel_start = 1, .mode = mode, .own_memory = own, .power_up = POWER_UP);
  for (unsigned c = 0; c <= POWER_UP; c++) {
    TICK(.power_up = POWER_UP);
    EXPECT(hold, hold);
    EXPECT(reset_fe, 0);
    expect_scheme(l, mode, own);
  }
  TICK(.power_up = POWER_UP);
  EXPECT(hold, hold);
  EXPECT(reset_fe, reset);
  for (unsigned c = 0; c < 2; c++) {
    TICK(.power_up = POWER_UP);
    EXPECT(hold, 0);
    EXPECT(reset_fe, 0);
    EXPECT_STATE(rising, 0, 0);
  }
}

/* Between schemes: members 1, 3 and 4 lend in pairs to 0, 2 and 5. */
static void waking(struct lockstep *l) {
  wakes(l, FLEX_BASE, false, 0, 0);
  wakes(l, FLEX_OCC, false, 0, 0);
  wakes(l, FLEX_BASE, false, 0x1a, 0x1a); /* who was a lender; its own parts alone */
  wakes(l, FLEX_BIGSM, false, 0, 0);
  wakes(l, FLEX_OCC, false, 0x25, 0);   /* contexts of lenders: their borrowers wait */
  wakes(l, FLEX_BIGSM, false, 0x25, 0); /* their lanes */
  wakes(l, FLEX_BIGSM_OCC, false, 0x25, 0);
  wakes(l, FLEX_OCC, true, 0, 0);
  wakes(l, FLEX_OCC, true, 0, 0);
  wakes(l, FLEX_OCC, false, 0x25, 0);      /* their memory */
  wakes(l, FLEX_BIGSM_OCC, true, 0x25, 0); /* own memory means nothing here */
  expect_scheme(l, FLEX_BIGSM_OCC, true);
}

/* Trios beside pairs: member 3 is active in Bal. */
static void waking_of_trios(struct lockstep *l) {
  ONLY_IF(members == 6);
  wakes(l, FLEX_OCC, false, 0, 0);
  wakes(l, FLEX_BAL, false, 0x08, 0x08);
  wakes(l, FLEX_OCC, false, 0, 0);
  wakes(l, FLEX_BIGSM, false, 0x25, 0);
  wakes(l, FLEX_BAL, false, 0x2d, 0x08); /* contexts of 1 and 4, and what 3 lacks */
  wakes(l, FLEX_BASE, false, 0x12, 0x12);
}

/* A kernel that starts before all are up: the counter begins again, for what it still needs. */
static void starts_again(struct lockstep *l) {
  for (unsigned after = 0; after < 4; after++) {
    TICK(.kernel_start = 1, .mode = FLEX_OCC, .power_up = 1);
    for (unsigned c = 0; c < 4; c++)
      TICK(.power_up = 1);
    TICK(.kernel_start = 1, .mode = FLEX_BASE, .power_up = 1);
    for (unsigned c = 0; c < after; c++) {
      TICK(.power_up = 1);
      EXPECT(hold, all & 0x1a);
      EXPECT(reset_fe, c == 2 ? all & 0x1a : 0);
    }
    if (after == 3) {
      TICK(.power_up = 1);
      EXPECT(hold, 0);
    }
    wakes(l, FLEX_BASE, false, after == 3 ? 0 : 0x1a, after == 3 ? 0 : 0x1a);
  }
  /* It needs nothing of it: nobody waits, and it is off as before. */
  TICK(.kernel_start = 1, .mode = FLEX_OCC, .power_up = 1);
  TICK(.kernel_start = 1, .mode = FLEX_BASE, .power_up = 1);
  TICK(.power_up = 1);
  wakes(l, FLEX_OCC, false, 0, 0);
  wakes(l, FLEX_BASE, false, 0x1a, 0x1a);
}

static void illegal_inputs(struct lockstep *l) {
  LEGAL(.kernel_start = 1, .mode = FLEX_BIGSM_OCC);
  for (unsigned mode = FLEX_MODES; mode < 8; mode++)
    ILLEGAL(.kernel_start = 1, .mode = mode);
  if (members == 2)
    ILLEGAL(.kernel_start = 1, .mode = FLEX_BAL);
  else
    LEGAL(.kernel_start = 1, .mode = FLEX_BAL);
  TICK(.power_up = 3);
  LEGAL(.power_up = 4);
  TICK(.kernel_start = 1, .mode = FLEX_OCC, .power_up = 5);
  LEGAL(.power_up = 5);
  ILLEGAL(.power_up = 4);
  TICK(.power_up = 5);
  ILLEGAL(.power_up = 6);
  LEGAL(.kernel_start = 1, .power_up = 6);
}

static unsigned rising_of(const struct flex_control_ref *c) {
  unsigned set = 0;
  for (unsigned m = 0; m < members; m++)
    set |= c->role[m].rising;
  return set;
}

static void cover_start(const struct flex_control_ref *was, const struct lockstep *l) {
  const unsigned before = rising_of(was), after = rising_of(&l->ref);
  const unit_out out = lockstep_peek(l, &l->in);
  const uint64_t lenders = all & ~out.active;
  bool borrower = false;
  for (unsigned m = 0; m < members; m++)
    borrower = borrower || ((out.hold >> m & 1) != 0 && l->ref.role[m].rising == 0);
  cover(COVER_front_end_rises, (after & FLEX_FE) != 0);
  cover(COVER_lanes_rise, lenders != 0 && (after & ~(unsigned)FLEX_SIMD) == 0 && after != 0);
  cover(COVER_contexts_rise, (after & ~(unsigned)FLEX_CTX) == 0 && after != 0);
  cover(COVER_memory_rises, (after & ~(unsigned)FLEX_MEM) == 0 && after != 0);
  cover(COVER_one_waits_one_does_not, out.hold != 0 && (out.active & ~out.hold) != 0);
  cover(COVER_longest_power_up, after != 0 && l->in.power_up == 255);
  cover(COVER_start_at_zero, before != 0 && was->count == 0 && !was->woken);
  cover(COVER_start_ends_waking, before != 0 && after == 0);
  cover(COVER_start_again_waits_longer, before != 0 && after != 0 && l->ref.count > was->count);
  cover(COVER_pair_to_trio, was->mode == FLEX_OCC && l->ref.mode == FLEX_BAL);
  cover(COVER_trio_to_pair, was->mode == FLEX_BAL && l->ref.mode == FLEX_BIGSM);
}

/* Invariants of the outputs. */
static void check_sanity(const unit_out *o) {
  for (unsigned m = 0; m < members; m++) {
    const bool active = (o->active >> m & 1) != 0;
    const unsigned from = (unsigned)(o->from >> (2 * m) & 3);
    assert_int_equal(active, (o->lend >> (2 * m) & 3) == 0);
    assert_int_equal(active, (o->power >> (7 * m) & FLEX_FE) != 0);
    if (from == 0)
      continue;
    assert_true(active && from < 3);
    assert_true((o->lend >> (2 * (from == 1 ? m - 1 : m + 1)) & 3) != 0);
  }
  assert_true((o->hold & ~o->active) == 0 && (o->reset_fe & ~o->hold) == 0);
}

static void random_kernels(struct lockstep *l, struct rng *r, uint64_t cycles) {
  static const unsigned counts[] = {0, 1, 3, 24};
  unsigned power_up = 0, rate = 10;
  for (uint64_t c = 0; c < cycles; c++) {
    const struct flex_control_ref was = l->ref;
    unit_in in = {.kernel_start = c == 0 || rng_below(r, 10 * rate) == 0 ||
                                  (was.woken && rng_chance(r, 10)) ||
                                  (rising_of(&was) != 0 && was.count == 0 && rng_chance(r, 5))};
    if (in.kernel_start) {
      power_up = rng_chance(r, 70) ? counts[rng_below(r, 4)] : rng_below(r, 256);
      if (rng_chance(r, 5))
        power_up = 255;
      rate = 1 + rng_below(r, 60);
      do
        in.mode = rng_below(r, FLEX_MODES);
      while (!is_scheme((unsigned)in.mode));
      in.own_memory = rng_chance(r, 40);
    }
    in.power_up = power_up;
    assert_true(in.kernel_start || flex_control_ref_rests(&was, &in) == (rising_of(&was) == 0));
    lockstep_tick(l, in);
    if (in.kernel_start)
      cover_start(&was, l);
    check_sanity(&l->ref_out);
  }
}

UNIT_MAIN_WITH(parameters, DIRECTED(roles_of_schemes), DIRECTED(waking), DIRECTED(waking_of_trios),
               DIRECTED(starts_again), DIRECTED(illegal_inputs), RANDOM(random_kernels))
