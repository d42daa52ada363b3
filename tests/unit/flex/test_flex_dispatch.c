/* flex_dispatch: operands of own registers and of borrowed ones, to one pipeline. */
#include "csim/ref/flex/flex_dispatch.h"

static unsigned stages, planes_a_cycle;
#define UNIT flex_dispatch
#define UNIT_REF_RESET(ref) flex_dispatch_ref_reset(ref, stages, planes_a_cycle)
#include "tests/unit/lockstep.h"

#include "tests/unit/illegal.h"

#define COVERAGE(F)                                                                                \
  F(far_in_one_cycle)                                                                              \
  F(far_in_two_cycles)                                                                             \
  F(far_in_three_cycles)                                                                           \
  F(own_behind_far)                                                                                \
  F(far_behind_own)                                                                                \
  F(far_behind_far)                                                                                \
  F(three_planes_behind_fewer)                                                                     \
  F(full)                                                                                          \
  F(reset_under_way)
COVER_DEFINE(COVERAGE)

static void parameters(void) {
  stages = device_parameter("Stages", 1);
  planes_a_cycle = device_parameter("Link", 3);
  cover(COVER_far_in_two_cycles, planes_a_cycle == 3);
  cover(COVER_far_in_three_cycles, planes_a_cycle > 1);
}

/* Cycles that an instruction takes on the link. */
static unsigned beats_of(unsigned planes) {
  return planes == 0 ? 1 : (planes + planes_a_cycle - 1) / planes_a_cycle;
}

static void own_operands(struct lockstep *l) {
  TICK(.own_valid = 1, .own_planes = 3, .own_data0 = 10, .own_data1 = 11, .own_data2 = 12);
  EXPECT(valid, 0);
  for (unsigned c = 1; c <= stages + 1; c++) {
    TICK(0);
    EXPECT(valid, c == stages);
    if (c < stages || c > stages)
      continue;
    EXPECT(side, 0);
    EXPECT(planes, 3);
    EXPECT(data0, 10);
    EXPECT(data1, 11);
    EXPECT(data2, 12);
  }
  TICK(.bypass = 1, .own_valid = 1, .own_planes = 1, .own_data0 = 20);
  EXPECT(valid, 1);
  EXPECT(data0, 20);
  TICK(.bypass = 1);
  EXPECT(valid, 0);
}

/* The planes of a cycle of the link, from plane `at` on. */
static unit_in far_beat(unsigned planes, unsigned at, uint64_t data) {
  return (unit_in){.far_valid = 1,
                   .far_planes = planes,
                   .far_data0 = data + at,
                   .far_data1 = data + at + 1,
                   .far_data2 = data + at + 2};
}

static void far_operands(struct lockstep *l) {
  for (unsigned planes = 0; planes <= 3; planes++) {
    const unsigned beats = beats_of(planes);
    for (unsigned c = 0; c <= stages + beats; c++) {
      lockstep_tick(l, c < beats ? far_beat(planes, c * planes_a_cycle, 100) : (unit_in){0});
      EXPECT(valid, c == stages + beats - 1);
      if (c != stages + beats - 1)
        continue;
      EXPECT(side, 1);
      EXPECT(planes, planes);
      if (planes > 0)
        EXPECT(data0, 100);
      if (planes > 1)
        EXPECT(data1, 101);
      if (planes > 2)
        EXPECT(data2, 102);
    }
  }
}

/* Own instructions while one of borrowed registers takes the link, and in the next cycle. */
static void one_a_cycle(struct lockstep *l) {
  const unsigned beats = beats_of(3);
  for (unsigned c = 0; c <= stages + beats; c++) {
    unit_in in = c < beats ? far_beat(3, c * planes_a_cycle, 200) : (unit_in){0};
    in.own_valid = c + 1 < beats || c == beats;
    in.own_planes = 2;
    in.own_data0 = in.own_data1 = c;
    lockstep_tick(l, in);
    EXPECT(valid, c >= stages);
    if (c < stages)
      continue;
    EXPECT(side, c == stages + beats - 1);
    EXPECT(data1, c == stages + beats - 1 ? 201 : c - stages);
  }
}

static void reset_clears(struct lockstep *l) {
  lockstep_tick(l, far_beat(3, 0, 0));
  lockstep_reset(l);
  for (unsigned c = 0; c < 5; c++) {
    TICK(0);
    EXPECT(valid, 0);
    EXPECT_STATE(come, 0, 0);
  }
}

static void illegal_inputs(struct lockstep *l) {
  LEGAL(.own_valid = 1, .far_valid = 1);
  LEGAL(.bypass = 1, .own_valid = 1);
  ILLEGAL(.bypass = 1, .far_valid = 1);
  /* Both at the output. */
  ONLY_IF(device_asserts());
  rtl_step(l->dut, &(unit_in){.own_valid = 1, .far_valid = 1, .far_planes = 1});
  for (unsigned c = 1; c < stages; c++)
    rtl_step(l->dut, &(unit_in){0});
  ILLEGAL(0);
  lockstep_reset(l);
  /* A gap. */
  ONLY_IF(planes_a_cycle < 3);
  rtl_step(l->dut, &(unit_in){.far_valid = 1, .far_planes = 3});
  for (unsigned c = 1; c <= stages; c++)
    rtl_step(l->dut, &(unit_in){0});
  ILLEGAL(0);
}

/* A plan of what comes to the output, by cycles from now on. */
struct plan {
  uint64_t busy; /* bit c: something is at the output in c cycles */
  unsigned left,
      come; /* cycles of the link that an instruction still takes; planes that have come */
  unsigned planes;
};

static unit_in drive(struct plan *k, struct rng *r, unsigned own, unsigned far) {
  unit_in in = {.own_data0 = rng_next(r),
                .own_data1 = rng_next(r),
                .own_data2 = rng_next(r),
                .far_data0 = rng_next(r),
                .far_data1 = rng_next(r),
                .far_data2 = rng_next(r),
                .far_planes = rng_below(r, 4)};
  if (k->left == 0 && rng_chance(r, far)) {
    const unsigned beats = beats_of((unsigned)in.far_planes), at = stages + beats - 1;
    if ((k->busy >> at & 1) == 0) {
      k->busy |= UINT64_C(1) << at;
      k->left = beats;
      k->planes = (unsigned)in.far_planes;
    }
  }
  in.far_valid = k->left > 0;
  k->left -= in.far_valid != 0;
  in.own_valid = (k->busy >> stages & 1) == 0 && rng_chance(r, own);
  in.own_planes = rng_below(r, 4);
  k->busy |= in.own_valid << stages;
  k->busy >>= 1;
  return in;
}

static void cover_cycle(const struct lockstep *l, const unit_in *in, const unit_out *was) {
  const unit_out *o = &l->ref_out;
  const unsigned beats = o->side ? beats_of((unsigned)o->planes) : 0;
  cover(COVER_far_in_one_cycle, beats == 1 && o->planes > 0);
  cover(COVER_far_in_two_cycles, beats == 2);
  cover(COVER_far_in_three_cycles, beats == 3);
  cover(COVER_own_behind_far, o->valid && !o->side && was->side);
  cover(COVER_far_behind_own, o->side && was->valid && !was->side);
  cover(COVER_far_behind_far, o->side && was->side);
  cover(COVER_three_planes_behind_fewer, o->planes == 3 && was->valid && was->planes < 3);
  cover(COVER_full, o->valid && was->valid && in->own_valid);
}

static void random_dispatch(struct lockstep *l, struct rng *r, uint64_t cycles) {
  struct plan k = {0};
  unit_out was = {0};
  unsigned own = 50, far = 50, bypass = 0;
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_below(r, 100) == 0) {
      own = rng_below(r, 101);
      far = rng_below(r, 101);
    }
    if (rng_below(r, 1000) == 0) {
      cover(COVER_reset_under_way, l->ref.under_way > 0);
      lockstep_reset(l);
      k = (struct plan){0};
    }
    if (rng_below(r, 300) == 0 && l->ref.under_way == 0 && k.left == 0)
      bypass = 20;
    unit_in in;
    if (bypass > 0) {
      in = (unit_in){.bypass = 1, .own_valid = rng_chance(r, own), .own_planes = rng_below(r, 4)};
      in.own_data0 = rng_next(r);
      in.own_data1 = rng_next(r);
      in.own_data2 = rng_next(r);
      bypass--;
    } else {
      in = drive(&k, r, own, far);
    }
    lockstep_tick(l, in);
    cover_cycle(l, &in, &was);
    was = l->ref_out;
  }
}

UNIT_MAIN_WITH(parameters, DIRECTED(own_operands), DIRECTED(far_operands), DIRECTED(one_a_cycle),
               DIRECTED(reset_clears), DIRECTED(illegal_inputs), RANDOM(random_dispatch))
