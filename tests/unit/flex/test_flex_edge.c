/* flex_edge: values at the output after as many cycles as there are stages, or at once. */
#include "csim/ref/flex/flex_edge.h"

static unsigned stages;
#define UNIT flex_edge
#define UNIT_REF_RESET(ref) flex_edge_ref_reset(ref, stages)
#include "tests/unit/lockstep.h"

#include "tests/unit/illegal.h"

#define COVERAGE(F)                                                                                \
  F(bypass_ends_with_valid)                                                                        \
  F(bypass_begins_with_valid)                                                                      \
  F(bypass_begins_behind_the_last)                                                                 \
  F(gap_of_one)                                                                                    \
  F(reset_while_full)
COVER_DEFINE(COVERAGE)

static void parameters(void) { stages = device_parameter("Stages", 1); }

static void arrives_after_stages(struct lockstep *l) {
  TICK(.valid = 1, .data = UINT64_C(0xfedcba9876543210));
  EXPECT(valid, 0);
  for (unsigned c = 1; c < 6; c++) {
    if (c == 2)
      TICK(.valid = 1, .data = 7);
    else
      TICK(0);
    EXPECT(valid, c == stages || c == stages + 2);
    if (c == stages)
      EXPECT(data, UINT64_C(0xfedcba9876543210));
    if (c == stages + 2)
      EXPECT(data, 7);
  }
}

static void keeps_the_order(struct lockstep *l) {
  for (uint64_t c = 0; c < 20; c++) {
    TICK(.valid = 1, .data = 100 + c);
    EXPECT(valid, c >= stages);
    if (c >= stages)
      EXPECT(data, 100 + c - stages);
    EXPECT_STATE(stages, 0, c + 1 >= stages ? (1U << stages) - 1 : 1);
  }
}

static void bypass_is_a_wire(struct lockstep *l) {
  TICK(.bypass = 1, .valid = 1, .data = 5);
  EXPECT(valid, 1);
  EXPECT(data, 5);
  EXPECT_STATE(stages, 0, 0);
  TICK(.bypass = 1);
  EXPECT(valid, 0);
  /* Nothing of the time of the bypass comes out later. */
  TICK(.bypass = 1, .valid = 1, .data = 6);
  TICK(.valid = 1, .data = 9);
  EXPECT(valid, 0);
  for (unsigned c = 1; c <= stages; c++) {
    TICK(0);
    EXPECT(valid, c == stages);
  }
  EXPECT(data, 9);
  TICK(.bypass = 1, .valid = 1, .data = 10);
  EXPECT(data, 10);
}

static void reset_clears(struct lockstep *l) {
  TICK(.valid = 1, .data = 1);
  lockstep_reset(l);
  for (unsigned c = 0; c < 4; c++) {
    TICK(0);
    EXPECT(valid, 0);
  }
}

static void illegal_inputs(struct lockstep *l) {
  TICK(0);
  LEGAL(.bypass = 1, .valid = 1);
  TICK(.valid = 1, .data = 1);
  LEGAL(.valid = 1);
  ILLEGAL(.bypass = 1);
  ILLEGAL(.bypass = 1, .valid = 1);
  for (unsigned c = 0; c < stages; c++)
    TICK(0);
  LEGAL(.bypass = 1);
}

static void random_edge(struct lockstep *l, struct rng *r, uint64_t cycles) {
  unsigned rate = 50, pause = 0;
  bool bypass = false, change = false, was_valid = false, was_before = false;
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_below(r, 100) == 0)
      rate = (unsigned[]){0, 10, 50, 90, 100}[rng_below(r, 5)];
    if (rng_below(r, 2000) == 0) {
      cover(COVER_reset_while_full, l->ref.inside == stages);
      lockstep_reset(l);
    }
    change = change || rng_below(r, 200) == 0;
    const bool now = change && l->ref.inside == 0;
    const unit_in in = {.bypass = bypass != now,
                        .valid = (!change || now) && rng_chance(r, rate),
                        .data = rng_next(r)};
    cover(COVER_bypass_ends_with_valid, now && bypass && in.valid);
    cover(COVER_bypass_begins_with_valid, now && !bypass && in.valid);
    cover(COVER_bypass_begins_behind_the_last, now && !bypass && pause == stages);
    cover(COVER_gap_of_one, !in.bypass && in.valid && !was_valid && was_before);
    lockstep_tick(l, in);
    bypass = in.bypass != 0;
    change = change && !now;
    was_before = was_valid;
    was_valid = in.valid != 0;
    pause = in.valid ? 0 : pause + 1;
  }
}

UNIT_MAIN_WITH(parameters, DIRECTED(arrives_after_stages), DIRECTED(keeps_the_order),
               DIRECTED(bypass_is_a_wire), DIRECTED(reset_clears), DIRECTED(illegal_inputs),
               RANDOM(random_edge))
