/* fetch: round robin over the warps that may be fetched. */
#include "csim/ref/sm/fetch.h"

#define UNIT fetch
#include "tests/unit/lockstep.h"

#define COVERAGE(F) F(fetchable_but_buffered)
COVER_DEFINE(COVERAGE)

#define ALL UINT64_C(0xffffffffffff)

static void selects_in_turn(struct lockstep *l) {
  /* Nobody may be fetched. */
  TICK(.fetchable = 0);
  EXPECT(sel_valid, 0);
  EXPECT(req_valid, 0);
  /* After reset the turn begins at warp 0. */
  TICK(.fetchable = ALL, .sel_pc = 0x1234);
  EXPECT(sel_valid, 1);
  EXPECT(sel_warp, 0);
  EXPECT_STATE(outstanding, 0, 1);
  EXPECT_STATE(last, 0, 0);
  /* Warp 0's request is out; warp 1 is next. */
  TICK(.fetchable = ALL, .sel_pc = 0x55);
  EXPECT(sel_warp, 1);
  EXPECT(req_valid, 1);
  EXPECT(req_warp, 0);
  EXPECT(req_pc, 0x1234);
  /* Warps 2 and 3 have an instruction already, warp 4 has not. */
  TICK(.fetchable = ALL, .ib_valid = 0xc);
  EXPECT(sel_warp, 4);
  EXPECT_STATE(outstanding, 0, 0x13);
  /* Only warps that wait already: none. */
  TICK(.fetchable = 0x13);
  EXPECT(sel_valid, 0);
  EXPECT(req_valid, 1);
  EXPECT(req_warp, 4);
  EXPECT_STATE(last, 0, 4);
}

static void wraps(struct lockstep *l) {
  /* The highest warp, then round the end to the lowest. */
  TICK(.fetchable = UINT64_C(1) << 47);
  EXPECT(sel_warp, 47);
  TICK(.fetchable = ALL);
  EXPECT(sel_warp, 0);
  /* Warp 0 alone is fetchable, and delivered in this cycle: it counts as outstanding still. */
  TICK(.fetchable = 1, .deliver_valid = 1, .deliver_warp = 0);
  EXPECT(sel_valid, 0);
  EXPECT_STATE(outstanding, 0, UINT64_C(1) << 47);
  /* Now it may go again, although it was the last. */
  TICK(.fetchable = 1, .wake = UINT64_C(1) << 47);
  EXPECT(sel_valid, 1);
  EXPECT(sel_warp, 0);
  EXPECT_STATE(outstanding, 0, 1);
}

static void wakes_many(struct lockstep *l) {
  /* Four warps ask. */
  for (unsigned i = 0; i < 4; i++)
    TICK(.fetchable = ALL);
  EXPECT_STATE(outstanding, 0, 0xf);
  /* One is delivered, two are woken, another is selected, all at once. */
  TICK(.fetchable = UINT64_C(1) << 20, .deliver_valid = 1, .deliver_warp = 3, .wake = 5);
  EXPECT(sel_warp, 20);
  EXPECT_STATE(outstanding, 0, UINT64_C(1) << 20 | 2);
  /* A new kernel: as after reset. */
  TICK(.wake = UINT64_C(1) << 20 | 2);
  TICK(.kernel_start = 1);
  EXPECT_STATE(outstanding, 0, 0);
  EXPECT_STATE(last, 0, 47);
  TICK(.fetchable = ALL);
  EXPECT(sel_warp, 0);
  EXPECT(req_valid, 0);
}

static void random_fetch(struct lockstep *l, struct rng *r, uint64_t cycles) {
  bool draining = false;
  unsigned eager = 2, answers = 20;
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_chance(r, 1)) {
      eager = rng_below(r, 5);
      answers = rng_below(r, 100);
      draining = rng_chance(r, 20);
    }
    warpset waiting = l->ref.outstanding;
    unit_in in = {.sel_pc = rng_next(r) & 0xffff};
    if ((draining && waiting == 0 && !l->ref.req_valid) || rng_below(r, 1000) == 0) {
      in = lockstep_start(l);
      draining = false;
    } else {
      in.fetchable = draining ? 0 : rng_subset(r, ALL, eager);
      if (!draining && rng_chance(r, 3))
        in.fetchable = warpset_of(l->ref.last);
      in.ib_valid = rng_subset(r, ALL, rng_below(r, 4));
      in.deliver_valid = waiting != 0 && rng_chance(r, answers);
      if (in.deliver_valid)
        in.deliver_warp = rng_member(r, waiting);
      waiting &= ~warpset_if(in.deliver_valid, in.deliver_warp);
      in.wake = rng_chance(r, answers / 2 + 1) ? rng_subset(r, waiting, rng_below(r, 5)) : 0;
    }
    lockstep_tick(l, in);
    cover(COVER_fetchable_but_buffered, !l->ref_out.sel_valid && (in.fetchable & in.ib_valid) != 0);
  }
}

UNIT_MAIN(DIRECTED(selects_in_turn), DIRECTED(wraps), DIRECTED(wakes_many), RANDOM(random_fetch))
