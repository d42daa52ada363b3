/* icache: lookups, one request a line however many warps miss, fills of eight beats, LRU. */
#include "csim/ref/sm/icache.h"

#define UNIT icache
#define UNIT_LENGTH 8 /* each word of each line */
#include "tests/unit/lockstep.h"

#define COVERAGE(F)                                                                                \
  F(line_finishing_has_other_waiters)                                                              \
  F(retry_woken_with_waiters)                                                                      \
  F(lookup_of_line_at_beat_0)                                                                      \
  F(lookup_of_line_amid_fill)                                                                      \
  F(hit_on_victim_at_beat_0)                                                                       \
  F(miss_on_victim_after_beat_0)
COVER_DEFINE(COVERAGE)

/* Memory: what line and word give. */
static uint64_t memory(unsigned line, unsigned word) {
  struct rng r = {(uint64_t)line << 8 | word};
  return rng_next(&r);
}

static unit_in beat_of(unsigned line, unsigned beat) {
  return (unit_in){.fill_valid = 1,
                   .fill_line = line,
                   .fill_beat = beat,
                   .fill_data0 = memory(line, 2 * beat),
                   .fill_data1 = memory(line, 2 * beat + 1)};
}

static void fill(struct lockstep *l, unsigned line, unsigned first, unsigned last) {
  for (unsigned beat = first; beat <= last; beat++)
    lockstep_tick(l, beat_of(line, beat));
}

static void ask(struct lockstep *l, unsigned warp, unsigned pc) {
  TICK(.req_valid = 1, .req_warp = warp, .req_pc = pc);
}

static void misses_fills_hits(struct lockstep *l) {
  /* Warp 3 misses on line 0x12: memory is asked, once. */
  ask(l, 3, 0x125);
  EXPECT(mshr_valid, 0);
  EXPECT_STATE(mshr_valid, 0, 1);
  EXPECT_STATE(mshr_line, 0, 0x12);
  EXPECT_STATE(mshr_waiters, 0, 8);
  /* Warp 40 misses on the same line: it joins. */
  ask(l, 40, 0x12f);
  EXPECT(imiss_valid, 1);
  EXPECT(imiss_line, 0x12);
  EXPECT(rsp_valid, 0);
  EXPECT_STATE(mshr_waiters, 0, UINT64_C(1) << 40 | 8);
  TICK(.kernel_start = 0);
  EXPECT(imiss_valid, 0);
  /* The line arrives; the warps are woken after its last beat. */
  fill(l, 0x12, 0, 7);
  EXPECT(wake, 0);
  EXPECT_STATE(valid, 0, 1U << 4 * 2);
  EXPECT_STATE(mshr_valid, 0, 0);
  /* Warp 3 asks again and gets words 5 and 6, a cycle later. */
  ask(l, 3, 0x125);
  EXPECT(wake, UINT64_C(1) << 40 | 8);
  EXPECT(rsp_valid, 0);
  /* Warp 40 gets the last word of the line, alone. */
  ask(l, 40, 0x12f);
  EXPECT(wake, 0);
  EXPECT(rsp_valid, 1);
  EXPECT(rsp_warp, 3);
  EXPECT(rsp_two, 1);
  EXPECT(rsp_inst0, memory(0x12, 5));
  EXPECT(rsp_inst1, memory(0x12, 6));
  TICK(.kernel_start = 0);
  EXPECT(rsp_warp, 40);
  EXPECT(rsp_two, 0);
  EXPECT(rsp_inst0, memory(0x12, 15));
}

static void lookup_meets_last_beat(struct lockstep *l) {
  ask(l, 1, 0x000);
  fill(l, 0, 0, 6);
  /* Warp 2 asks for the line in the cycle of its last beat: a miss, but woken with the waiters and
   * no second request. */
  unit_in in = beat_of(0, 7);
  in.req_valid = 1;
  in.req_warp = 2;
  in.req_pc = 0x003;
  lockstep_tick(l, in);
  EXPECT_STATE(mshr_valid, 0, 0);
  TICK(.kernel_start = 0);
  EXPECT(wake, 6);
  EXPECT(rsp_valid, 0);
  EXPECT(imiss_valid, 0);
}

static void fifth_line_has_to_wait(struct lockstep *l) {
  for (unsigned i = 0; i < 4; i++)
    ask(l, i, i << 4);
  EXPECT_STATE(mshr_valid, 0, 15);
  /* No MSHR is free: `wake` makes warp 9 ask again. */
  ask(l, 9, 0x40);
  TICK(.kernel_start = 0);
  EXPECT(wake, 1U << 9);
  EXPECT(imiss_valid, 0);
  /* Line 2's last beat frees MSHR 2, but only from the next cycle on: warps 2 and 9 are woken. */
  fill(l, 2, 0, 6);
  unit_in in = beat_of(2, 7);
  in.req_valid = 1;
  in.req_warp = 9;
  in.req_pc = 0x40;
  lockstep_tick(l, in);
  EXPECT_STATE(mshr_valid, 0, 11);
  ask(l, 9, 0x40);
  EXPECT(wake, 1U << 9 | 1U << 2);
  EXPECT(imiss_valid, 0);
  EXPECT_STATE(mshr_valid, 0, 15);
  EXPECT_STATE(mshr_line, 2, 4);
}

static void replaces_least_recent(struct lockstep *l) {
  /* Lines 0, 8, 16, 24 fill the four ways of set 0 in order. */
  EXPECT_STATE(rank, 0, UINT64_C(0xe4e4e4e4e4e4e4e4));
  for (unsigned i = 0; i < 4; i++) {
    ask(l, i, i << 7);
    fill(l, i * 8, 0, 7);
  }
  EXPECT_STATE(valid, 0, 15);
  EXPECT_STATE(rank, 0, UINT64_C(0xe4e4e4e4e4e4e41b));
  /* Touch line 0: line 8 in way 1 is now the oldest. */
  ask(l, 0, 0x000);
  EXPECT_STATE(rank, 0, UINT64_C(0xe4e4e4e4e4e4e46c));
  ask(l, 7, 32 << 4);
  /* A lookup of line 8 in the cycle of beat 0 that evicts it: a hit still, and touched; but way 1
   * stays the victim. */
  unit_in in = beat_of(32, 0);
  in.req_valid = 1;
  in.req_warp = 8;
  in.req_pc = 0x082;
  lockstep_tick(l, in);
  EXPECT_STATE(valid, 0, 13);
  /* The next one misses. */
  in = beat_of(32, 1);
  in.req_valid = 1;
  in.req_warp = 9;
  in.req_pc = 0x082;
  lockstep_tick(l, in);
  EXPECT(rsp_valid, 1);
  EXPECT(rsp_warp, 8);
  EXPECT(rsp_inst0, memory(8, 2));
  EXPECT_STATE(mshr_line, 1, 8);
  /* A hit on line 16 (way 2) in the cycle of the last beat: the hit is touched first. */
  fill(l, 32, 2, 6);
  in = beat_of(32, 7);
  in.req_valid = 1;
  in.req_warp = 10;
  in.req_pc = 0x100;
  lockstep_tick(l, in);
  /* Order way 1, 2, 0, 3. */
  EXPECT_STATE(rank, 0, UINT64_C(0xe4e4e4e4e4e4e4d2));
  EXPECT_STATE(valid, 0, 15);
  /* The new line is there. */
  ask(l, 7, 0x20f);
  EXPECT(wake, 1U << 7);
  TICK(.kernel_start = 0);
  EXPECT(rsp_valid, 1);
  EXPECT(rsp_inst0, memory(32, 15));
}

/* The environment's record: the warps that ask, the fill under way. */
struct environment {
  bool filling, draining;
  unsigned line, beat;
  unsigned base;           /* of the lines that are asked for */
  unsigned eager, answers; /* per cent */
  warpset waiting;         /* asked, neither answered nor woken */
};

static void drive_fill(struct lockstep *l, struct rng *r, struct environment *e, unit_in *in) {
  if (!e->filling && l->ref_view.mshr_valid[0] != 0 && rng_chance(r, e->answers)) {
    e->filling = true;
    e->line = (unsigned)l->ref_view.mshr_line[rng_member(r, l->ref_view.mshr_valid[0])];
    e->beat = 0;
  }
  if (!e->filling || !rng_chance(r, e->answers + 20))
    return;
  *in = beat_of(e->line, e->beat);
  e->filling = e->beat++ < ICACHE_LAST_BEAT;
}

static void drive_request(struct rng *r, struct environment *e, unit_in *in) {
  warpset free = ~e->waiting & (warpset_of(WARPS) - 1);
  if (e->draining || free == 0 || !rng_chance(r, e->eager))
    return;
  unsigned line = (rng_below(r, 3) + 8 * rng_below(r, 6)) ^ e->base;
  if (e->filling && rng_chance(r, 30))
    line = e->line;
  in->req_valid = 1;
  in->req_warp = rng_member(r, free);
  in->req_pc = line << 4 | (rng_chance(r, 20) ? 15 : rng_below(r, 16));
  e->waiting |= warpset_of((unsigned)in->req_warp);
}

/* Which coincidences a cycle is, from the state before it. */
static void cover_cycle(const struct lockstep *l, const unit_in *in, const unit_view *before) {
  unsigned line = (unsigned)in->req_pc >> 4, set = line % ICACHE_SETS;
  bool fills = in->fill_valid, first = fills && in->fill_beat == 0;
  bool last = fills && in->fill_beat == ICACHE_LAST_BEAT;
  bool same_line = fills && in->fill_line == line, same_set = fills && in->fill_line % 8 == set;
  bool full = before->mshr_valid[0] == 15, pending = false;
  for (unsigned i = 0; i < ICACHE_MSHRS; i++)
    pending |= (before->mshr_valid[0] >> i & 1) != 0 && before->mshr_line[i] == line;
  if (!in->req_valid)
    return;
  bool hit = l->ref.rsp.valid, asks = l->ref.imiss_valid;
  bool retry = !hit && !pending && full;
  cover(COVER_line_finishing_has_other_waiters,
        last && same_line && __builtin_popcountll(l->ref.wake) > 1);
  cover(COVER_retry_woken_with_waiters, retry && __builtin_popcountll(l->ref.wake) > 1);
  cover(COVER_lookup_of_line_at_beat_0, first && same_line);
  cover(COVER_lookup_of_line_amid_fill, fills && !first && !last && same_line);
  bool still_there = false;
  for (unsigned w = 0; w < ICACHE_WAYS; w++)
    still_there |= l->ref.set[set].way[w].valid && l->ref.set[set].way[w].tag == line / ICACHE_SETS;
  cover(COVER_hit_on_victim_at_beat_0, hit && first && !still_there);
  cover(COVER_miss_on_victim_after_beat_0, asks && same_set && fills && !first && !same_line);
}

static void random_icache(struct lockstep *l, struct rng *r, uint64_t cycles) {
  struct environment e = {.eager = 50, .answers = 50};
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_chance(r, 1)) {
      e.eager = 20 + rng_below(r, 81);
      e.answers = rng_chance(r, 30) ? 3 : rng_below(r, 81);
      e.draining = rng_chance(r, 10);
      if (rng_chance(r, 10))
        e.base = rng_below(r, 4096);
    }
    unit_in in = {0};
    if (e.draining && e.waiting == 0 && l->ref_view.mshr_valid[0] == 0 && !e.filling &&
        !l->ref.imiss_valid) {
      in.kernel_start = 1;
      e.draining = false;
    } else {
      drive_fill(l, r, &e, &in);
      drive_request(r, &e, &in);
      if (rng_below(r, 500) == 0 && !e.filling) /* whatever is awaited, beside a last beat, too */
        in.kernel_start = 1;
    }
    unit_view before = l->ref_view;
    lockstep_tick(l, in);
    cover_cycle(l, &in, &before);
    if (in.kernel_start)
      e.waiting = 0;
    e.waiting &= ~(l->ref.wake | warpset_if(l->ref.rsp.valid, l->ref.rsp.warp));
  }
}

UNIT_MAIN(DIRECTED(misses_fills_hits), DIRECTED(lookup_meets_last_beat),
          DIRECTED(fifth_line_has_to_wait), DIRECTED(replaces_least_recent), RANDOM(random_icache))
