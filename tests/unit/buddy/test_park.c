/* park: who stops where, the leader's roll, and the answer to it. */
#include "csim/ref/buddy/park.h"

#define UNIT park
/* Bits that no legal input changes. */
#define UNIT_UNREACHED(F)                                                                          \
  F(pick0_warp, 1, "even warps")                                                                   \
  F(pick1_warp, 1, "odd warps")                                                                    \
  F(called0_warp, 1, "even warps")                                                                 \
  F(called1_warp, 1, "odd warps")
#include "tests/unit/lockstep.h"

#include "tests/unit/illegal.h"

#define COVERAGE(F)                                                                                \
  F(not_level)                                                                                     \
  F(not_level_by_two)                                                                              \
  F(level_again)                                                                                   \
  F(level_by_launch)                                                                               \
  F(level_by_together)                                                                             \
  F(pop_when_level)                                                                                \
  F(all_but_one)                                                                                   \
  F(held_not_parked)                                                                               \
  F(call_even)                                                                                     \
  F(call_odd)                                                                                      \
  F(roll_of_20_cycles)                                                                             \
  F(roll_cut_short)                                                                                \
  F(call_after_last)                                                                               \
  F(launched_while_called)                                                                         \
  F(agrees)                                                                                        \
  F(not_parked)                                                                                    \
  F(other_depth)                                                                                   \
  F(other_met)                                                                                     \
  F(only_slot_1_differs)                                                                           \
  F(count_agrees)                                                                                  \
  F(other_count)
COVER_DEFINE(COVERAGE)

enum { NO_RPC = 0xffff, R = 0x1234, DEEPEST = 16, MET = 32 };

/* Sets the park PC and begins to park; warps 2, 3 and 46 live. */
#define LIVE (UINT64_C(0xc) | UINT64_C(1) << 46)
#define PARKING .park = 1, .live = LIVE
#define PICK0(warp, pc) .pick0_valid = 1, .pick0_warp = warp, .pick0_pc = pc
#define PICK1(warp, pc) .pick1_valid = 1, .pick1_warp = warp, .pick1_pc = pc
#define PUSH(warp, n) .res_valid = 1, .res_warp = warp, .res_push = n
#define POP(warp) .pop_valid = 1, .pop_warp = warp

static void become_independent(struct lockstep *l) {
  TICK(.together = 1, .live = LIVE, .set_valid = 1, .set_pc = R);
  EXPECT_STATE(park_pc, 0, R);
  TICK(.live = LIVE);
}

static void park_all(struct lockstep *l) {
  become_independent(l);
  TICK(PARKING, PICK0(2, R), PICK1(3, R));
  TICK(PARKING, PICK0(46, R));
}

static void stops(struct lockstep *l) {
  become_independent(l);
  EXPECT(all, 0);
  TICK(.live = LIVE, PICK0(2, R)); /* not yet */
  EXPECT(stop0, 0);
  TICK(PARKING, PICK0(2, R - 1), PICK1(3, R));
  EXPECT(stop0, 0);
  EXPECT(stop1, 1);
  TICK(PARKING, PICK0(2, R));
  EXPECT(stop0, 1);
  EXPECT(parked, 1 << 3);
  TICK(PARKING, PICK0(46, R));
  EXPECT(parked, 0xc);
  EXPECT(all, 0);
  TICK(PARKING, .held = 1 << 4);
  EXPECT(parked, LIVE);
  EXPECT(all, 1);
  EXPECT(cancel, 0);
  TICK(PARKING, .held = UINT64_C(1) << 46);
  EXPECT(cancel, 1);
  /* They go on in the second cycle. */
  TICK(.live = LIVE, .together = 1);
  EXPECT(parked, LIVE);
  TICK(.live = LIVE, .together = 1);
  EXPECT(parked, 0);
}

static void levels(struct lockstep *l) {
  become_independent(l);
  TICK(.live = LIVE, POP(2)); /* of what it had */
  TICK(.live = LIVE, PUSH(2, 2), PICK0(46, R));
  TICK(.live = LIVE, POP(2), PUSH(46, 1));
  TICK(PARKING, PICK0(2, R));
  EXPECT(stop0, 0);
  TICK(PARKING, PICK0(2, R), POP(2));
  EXPECT(stop0, 0);
  TICK(PARKING, PICK0(2, R));
  EXPECT(stop0, 1);
  TICK(PARKING, PICK0(46, R), .launch_valid = 1, .launch_warp = 46);
  EXPECT(stop0, 0);
  TICK(PARKING, PICK0(46, R));
  EXPECT(stop0, 1);
  /* All members have the entries that are there or pushed while the member leads or follows. */
  TICK(.live = LIVE, PUSH(3, 2));
  TICK(.live = LIVE, .together = 1);
  TICK(.live = LIVE, .together = 1, PUSH(2, 1));
  TICK(PARKING, PICK0(2, R), PICK1(3, R));
  EXPECT(stop0, 1);
  EXPECT(stop1, 1);
}

static void roll(struct lockstep *l) {
  park_all(l);
  TICK(PARKING, .call = 1, .launch_valid = 1, .launch_warp = 1);
  EXPECT(all, 1);
  EXPECT(call0_valid, 1);
  EXPECT(call0_warp, 2);
  EXPECT(call1_valid, 1);
  EXPECT(call1_warp, 3);
  EXPECT(last_valid, 0);
  EXPECT_STATE(count, 0, 2);
  /* A warp that has come since is not called. */
  TICK(.park = 1, .live = LIVE | 2, .call = 1);
  EXPECT(all, 0);
  EXPECT(call0_warp, 46);
  EXPECT(call1_valid, 0);
  TICK(.park = 1, .live = LIVE | 2, .call = 1);
  EXPECT(call0_valid, 0);
  EXPECT(call1_valid, 0);
  EXPECT(last_valid, 1);
  EXPECT(last_count, 3);
  EXPECT_STATE(ended, 0, 1);
  TICK(PARKING, .call = 1);
  EXPECT(last_valid, 0);
  TICK(PARKING);
  EXPECT_STATE(done, 0, 0);
  EXPECT_STATE(count, 0, 0);
  EXPECT_STATE(ended, 0, 0);
}

static void roll_of_none(struct lockstep *l) {
  TICK(.park = 1, .call = 1);
  EXPECT(all, 1);
  EXPECT(last_valid, 1);
  EXPECT(last_count, 0);
}

static void answers(struct lockstep *l) {
  park_all(l);
  TICK(PARKING, .called0_valid = 1, .called0_warp = 2, .called0_depth = 5, .depth0 = 5,
       .called1_valid = 1, .called1_warp = 3, .called1_depth = MET, .depth1 = MET, .end_valid = 1,
       .end_count = 3);
  EXPECT(differs, 0);
  TICK(PARKING, .called0_valid = 1, .called0_warp = 2, .called0_depth = 5, .depth0 = 4);
  EXPECT(differs, 1);
  TICK(PARKING, .called1_valid = 1, .called1_warp = 3, .called1_depth = 5, .depth1 = MET | 5);
  EXPECT(differs, 1);
  TICK(PARKING, .called1_valid = 1, .called1_warp = 5);
  EXPECT(differs, 1);
  TICK(PARKING, .end_valid = 1, .end_count = 4);
  EXPECT(differs, 1);
  TICK(PARKING);
  EXPECT(differs, 0);
}

static void starts(struct lockstep *l) {
  park_all(l);
  TICK(PARKING, .call = 1);
  TICK(.kernel_start = 1);
  EXPECT_STATE(park_pc, 0, NO_RPC);
  EXPECT_STATE(done, 0, 0);
  TICK(PARKING, PICK0(2, R), PICK1(3, NO_RPC));
  EXPECT(parked, 0);
  EXPECT(stop0, 0);
  EXPECT(stop1, 1);
}

/* Each warp alone parks, counts, cancels, is called and answered for; no other warp does. */
static void one_by_one(struct lockstep *l) {
  for (unsigned w = 0; w < WARPS; w++) {
    const uint64_t one = UINT64_C(1) << w;
    const bool odd = w % 2 != 0;
    TICK(.together = 1, .live = one, .set_valid = 1, .set_pc = R);
    TICK(.live = one, PUSH(w, 1));
    unit_in pick = {.park = 1, .live = one, .pick0_valid = !odd, .pick0_warp = w, .pick0_pc = R};
    if (odd)
      pick = (unit_in){.park = 1, .live = one, .pick1_valid = 1, .pick1_warp = w, .pick1_pc = R};
    lockstep_tick(l, pick); /* not with an entry above */
    EXPECT(stop0, 0);
    EXPECT(stop1, 0);
    EXPECT(all, 0);
    TICK(.park = 1, .live = one, POP(w));
    lockstep_tick(l, pick);
    EXPECT(stop0, !odd);
    EXPECT(stop1, odd);
    TICK(.park = 1, .live = one, .held = one);
    EXPECT(parked, one);
    EXPECT(all, 1);
    EXPECT(cancel, 1);
    TICK(.park = 1, .live = one, .held = ~one & port_mask(WARPS));
    EXPECT(cancel, 0);
    unit_in called = {.park = 1, .live = one, .end_valid = 1, .end_count = 1};
    if (odd)
      called.called1_valid = 1, called.called1_warp = w;
    else
      called.called0_valid = 1, called.called0_warp = w;
    lockstep_tick(l, called);
    EXPECT(differs, 0);
    TICK(.park = 1, .live = one, .call = 1);
    EXPECT(call0_valid, !odd);
    EXPECT(call1_valid, odd);
    EXPECT(last_valid, 0);
    if (odd)
      EXPECT(call1_warp, w);
    else
      EXPECT(call0_warp, w);
    TICK(.park = 1, .live = one, .call = 1);
    EXPECT(call0_valid, 0);
    EXPECT(call1_valid, 0);
    EXPECT(last_valid, 1);
    EXPECT(last_count, 1);
    TICK(.live = one);
  }
}

static void illegal_inputs(struct lockstep *l) {
  ILLEGAL(.park = 1, .set_valid = 1, .set_pc = R);
  ILLEGAL(.live = LIVE, PUSH(2, 1), POP(2));
  ILLEGAL(.live = LIVE, PUSH(2, 1), .launch_valid = 1, .launch_warp = 2);
  ILLEGAL(.park = 1, PICK0(3, R));
  ILLEGAL(.park = 1, PICK1(2, R));
  ILLEGAL(.park = 1, .called0_valid = 1, .called0_warp = 3);
  ILLEGAL(.park = 1, .called1_valid = 1, .called1_warp = 2);
  LEGAL(.live = LIVE, PUSH(2, 1), POP(3), .launch_valid = 1, .launch_warp = 4);
}

/* The test's record of the member. */
struct member {
  enum { TOGETHER, ALONE, PARKS, CALLS, PHASES } phase;
  warpset live, parked;
  unsigned depth[WARPS], above[WARPS]; /* entries below the top; of them, not there before */
  unsigned lives;                      /* percent: how many warps there are to be */
  bool calm;                           /* few resolves, so that all park */
  bool pushed_two[WARPS];
  unsigned called; /* cycles of this roll */
};

static unsigned low_pc(struct rng *r) { return rng_chance(r, 10) ? NO_RPC : rng_below(r, 3); }

static void next_phase(struct member *m, struct rng *r) {
  static const unsigned leave[PHASES] = {15, 15, 50, 25}; /* one cycle in so many */
  if (rng_below(r, leave[m->phase]) != 0)
    return;
  cover(COVER_roll_cut_short, m->phase == CALLS && m->called == 1);
  m->phase = m->phase == CALLS ? rng_below(r, 3) : m->phase + 1;
  m->calm = rng_chance(r, 60);
  m->called = 0;
  if (m->phase == TOGETHER)
    m->lives = (unsigned[]){0, 4, 50, 95}[rng_below(r, 4)];
}

/* Warps that come, change or go: each warp sees one of it. */
static void random_warps(struct member *m, struct rng *r, unit_in *in) {
  const warpset all = (UINT64_C(1) << WARPS) - 1;
  warpset may = m->live & ~m->parked;
  const unsigned percent = 100 * (unsigned)__builtin_popcountll(m->live) / WARPS;
  const unsigned rate = m->calm && m->phase >= PARKS ? 4 : 50;
  if (m->live != all && percent <= m->lives && rng_chance(r, m->calm ? 10 : 60)) {
    in->launch_valid = 1;
    in->launch_warp = rng_member(r, all & ~m->live);
  }
  if (may != 0 && rng_chance(r, rate)) {
    in->res_valid = 1;
    in->res_warp = rng_member(r, may);
    in->res_push = rng_below(r, 3);
    may &= ~warpset_of((unsigned)in->res_warp);
    if (m->depth[in->res_warp] + in->res_push > DEEPEST)
      in->res_push = 0;
  }
  if (may != 0 && rng_chance(r, m->calm ? 80 : 50)) {
    const unsigned warp = rng_member(r, may);
    in->pop_valid = m->depth[warp] > 0;
    in->pop_warp = warp;
  }
}

static void random_picks(const struct member *m, struct rng *r, const struct lockstep *l,
                         unit_in *in) {
  const warpset may = m->live & ~m->parked;
  const warpset even = may & warpset_of_parity(0), odd = may & warpset_of_parity(1);
  const uint64_t park_pc = l->ref_view.park_pc[0];
  in->pick0_valid = even != 0 && rng_chance(r, 70);
  in->pick0_warp = in->pick0_valid ? rng_member(r, even) : 0;
  in->pick0_pc = rng_chance(r, 80) ? park_pc : low_pc(r);
  in->pick1_valid = odd != 0 && rng_chance(r, 70);
  in->pick1_warp = in->pick1_valid ? rng_member(r, odd) : 1;
  in->pick1_pc = rng_chance(r, 80) ? park_pc : low_pc(r);
}

/* A warp as the leader calls it, and what it says of it: mostly the same. */
static void random_called(struct rng *r, warpset parked, unsigned parity, uint64_t *warp,
                          uint64_t *depth, uint64_t *own) {
  const warpset of = parked & warpset_of_parity(parity);
  *warp = of != 0 && rng_chance(r, 95) ? rng_member(r, of) : 2 * rng_below(r, WARPS / 2) + parity;
  *own = rng_below(r, 2 * MET);
  *depth = *own;
  if (rng_chance(r, 10))
    *depth ^= UINT64_C(1) << rng_below(r, 6);
}

static void random_roll(struct rng *r, warpset parked, unit_in *in) {
  const unsigned n = (unsigned)__builtin_popcountll(parked);
  in->depth0 = rng_below(r, 2 * MET);
  in->depth1 = rng_below(r, 2 * MET);
  if (!in->park || in->call)
    return;
  in->called0_valid = rng_chance(r, 30);
  in->called1_valid = rng_chance(r, 30);
  in->end_valid = rng_chance(r, 20);
  random_called(r, parked, 0, &in->called0_warp, &in->called0_depth, &in->depth0);
  random_called(r, parked, 1, &in->called1_warp, &in->called1_depth, &in->depth1);
  in->end_count = rng_chance(r, 80) ? n : rng_below(r, WARPS + 1);
}

static void follow(struct member *m, struct rng *r, const unit_in *in) {
  if (in->res_valid) {
    m->depth[in->res_warp] += (unsigned)in->res_push;
    m->above[in->res_warp] += (unsigned)in->res_push;
    m->pushed_two[in->res_warp] = in->res_push == 2;
    if (rng_chance(r, 5)) /* its end */
      m->live &= ~warpset_of((unsigned)in->res_warp);
  }
  if (in->pop_valid) {
    m->depth[in->pop_warp]--;
    m->above[in->pop_warp] -= m->above[in->pop_warp] != 0;
  }
  if (in->launch_valid) {
    m->depth[in->launch_warp] = m->above[in->launch_warp] = 0;
    m->live |= warpset_of((unsigned)in->launch_warp);
  }
  if (in->together)
    memset(m->above, 0, sizeof m->above);
}

static void cover_stops(const struct member *m, const unit_in *in, const unit_out *out,
                        uint64_t park_pc) {
  const bool at0 = in->park && in->pick0_valid && in->pick0_pc == park_pc;
  const unsigned above = m->above[in->pick0_warp];
  cover(COVER_not_level, at0 && above == 1);
  cover(COVER_not_level_by_two, at0 && above == 2 && m->pushed_two[in->pick0_warp]);
  cover(COVER_level_again, out->stop0 && m->pushed_two[in->pick0_warp]);
  cover(COVER_level_by_launch, in->launch_valid && m->above[in->launch_warp] > 0);
  cover(COVER_pop_when_level, in->pop_valid && m->above[in->pop_warp] == 0 && !in->together);
  for (unsigned w = 0; w < WARPS; w++)
    cover(COVER_level_by_together, in->together && m->above[w] > 0 && warpset_has(m->live, w));
}

static void cover_rolls(struct member *m, const unit_in *in, const unit_out *out, bool ended) {
  const warpset off = in->live & ~out->parked;
  cover(COVER_all_but_one, (off & (off - 1)) == 0 && off != 0 && out->parked != 0);
  cover(COVER_held_not_parked, !out->cancel && in->held != 0 && out->parked != 0);
  cover(COVER_call_even, out->call0_valid && !out->call1_valid);
  cover(COVER_call_odd, !out->call0_valid && out->call1_valid);
  m->called += in->call && !out->last_valid && !ended;
  cover(COVER_roll_of_20_cycles, m->called >= 20 && out->last_valid);
  cover(COVER_call_after_last, in->call && ended);
  cover(COVER_launched_while_called, in->call && off != 0 && out->last_valid);
}

static void cover_answers(const unit_in *in, const unit_out *out) {
  const uint64_t depths0 = in->called0_depth ^ in->depth0, depths1 = in->called1_depth ^ in->depth1;
  const bool here0 = in->called0_valid && warpset_has(out->parked, (unsigned)in->called0_warp);
  const bool here1 = in->called1_valid && warpset_has(out->parked, (unsigned)in->called1_warp);
  cover(COVER_agrees, here0 && here1 && !out->differs);
  cover(COVER_not_parked, in->called0_valid && !here0 && depths0 == 0 && !in->called1_valid);
  cover(COVER_other_depth, here0 && depths0 != 0 && depths0 != MET && !in->called1_valid);
  cover(COVER_other_met, here0 && depths0 == MET && !in->called1_valid);
  cover(COVER_only_slot_1_differs, here0 && depths0 == 0 && here1 && depths1 != 0);
  cover(COVER_count_agrees, in->end_valid && !out->differs && in->end_count != 0);
  cover(COVER_other_count,
        in->end_valid && !in->called0_valid && !in->called1_valid && out->differs);
}

static void random_park(struct lockstep *l, struct rng *r, uint64_t cycles) {
  struct member m = {.phase = TOGETHER, .lives = 50};
  for (uint64_t c = 0; c < cycles; c++) {
    unit_in in = {.kernel_start = rng_below(r, 300) == 0};
    next_phase(&m, r);
    m.parked = lockstep_peek(l, &in).parked;
    if (!in.kernel_start || rng_chance(r, 80)) {
      in.together = m.phase == TOGETHER;
      in.park = m.phase >= PARKS;
      in.call = m.phase == CALLS;
      in.set_valid = !in.park && rng_chance(r, 5);
      in.set_pc = low_pc(r);
      in.live = m.live;
      in.held = rng_chance(r, 5) ? rng_subset(r, m.live, rng_below(r, 5)) : 0;
      random_warps(&m, r, &in);
      random_picks(&m, r, l, &in);
      random_roll(r, m.parked, &in);
    }
    if (in.kernel_start) {
      in.set_valid = rng_chance(r, 50);
      in.set_pc = rng_next(r) & 0xffff;
      in.held = rng_next(r) & port_mask(WARPS);
    }
    const uint64_t park_pc = l->ref_view.park_pc[0];
    const bool ended = l->ref_view.ended[0] != 0;
    lockstep_tick(l, in);
    cover_stops(&m, &in, &l->ref_out, park_pc);
    cover_rolls(&m, &in, &l->ref_out, ended);
    cover_answers(&in, &l->ref_out);
    follow(&m, r, &in);
    if (in.kernel_start) { /* wins over what came beside it */
      m = (struct member){.phase = TOGETHER, .lives = m.lives};
    }
  }
}

UNIT_MAIN(DIRECTED(stops), DIRECTED(levels), DIRECTED(roll), DIRECTED(roll_of_none),
          DIRECTED(answers), DIRECTED(starts), DIRECTED(one_by_one), DIRECTED(illegal_inputs),
          RANDOM(random_park))
