/* spill_chan: puts that are under way, credits, and who wants one. */
#include "csim/ref/spu/spill_chan.h"

#define UNIT spill_chan
#include "tests/unit/lockstep.h"

#include "tests/unit/illegal.h"

#define UNIT_EVENT(l, in) ((void)(l), (in).kernel_start || (in).put || (in).get)
#include "tests/unit/spu/quiet.h"

#define COVERAGE(F)                                                                                \
  F(got_at_once)                                                                                   \
  F(got_after_wait)                                                                                \
  F(put_joins_beside_got)                                                                          \
  F(get_beside_got)                                                                                \
  F(way_full)                                                                                      \
  F(one_hop)                                                                                       \
  F(most_hops)                                                                                     \
  F(many_credits)
COVER_DEFINE(COVERAGE)

enum { HOPS_MOST = 63, COUNT_MOST = 65535 };

static void puts_take_their_way(struct lockstep *l) {
  for (unsigned h = 1; h <= HOPS_MOST; h++) {
    TICK(.kernel_start = 1, .hops = h);
    /* A put and a get together: the put counts `hops` cycles later, got one more. */
    TICK(.hops = h, .put = 1, .get = 1);
    for (unsigned c = 1; c <= h; c++) {
      EXPECT_STATE(count, 0, c == h);
      EXPECT_STATE(line, 0, c == h ? 0 : UINT64_C(1) << (c - 1));
      EXPECT_STATE(want, 0, 1);
      TICK(.hops = h);
      EXPECT(got, 0);
      EXPECT(quiet, 0);
    }
    TICK(.hops = h);
    EXPECT(got, 1);
    TICK(.hops = h);
    EXPECT(got, 0);
    EXPECT(quiet, 1);
    EXPECT_STATE(count, 0, 0);
  }
}

/* At every distance, puts in all patterns: several are under way together. */
static void puts_follow_each_other(struct lockstep *l) {
  struct rng r = {.state = 1};
  for (unsigned h = 1; h <= HOPS_MOST; h++) {
    TICK(.kernel_start = 1, .hops = h);
    for (unsigned c = 0; c < 3 * HOPS_MOST; c++) {
      const bool get = l->ref_view.want[0] == 0 && rng_chance(&r, 50);
      TICK(.hops = h, .put = rng_chance(&r, 50), .get = get);
    }
  }
}

static void credits_are_kept(struct lockstep *l) {
  /* Three puts in a row, nobody wants them. */
  for (unsigned c = 0; c < 3; c++)
    TICK(.hops = 1, .put = 1);
  EXPECT_STATE(count, 0, 3);
  TICK(.hops = 1);
  EXPECT(quiet, 1);
  /* Three gets, each in the cycle of the last got. */
  for (unsigned c = 0; c < 3; c++) {
    TICK(.hops = 1, .get = 1);
    EXPECT(got, c != 0);
    EXPECT_STATE(count, 0, 2 - c);
  }
  TICK(.hops = 1, .get = 1);
  EXPECT(got, 1);
  /* The fourth waits; it wants and has nothing, which is quiet. */
  TICK(.hops = 1);
  EXPECT(got, 0);
  EXPECT(quiet, 1);
  EXPECT_STATE(want, 0, 1);
  /* A put arrives, and another one in the cycle in which the first is given away. */
  TICK(.hops = 1, .put = 1);
  TICK(.hops = 1, .put = 1);
  EXPECT_STATE(count, 0, 1);
  TICK(.hops = 1);
  EXPECT(got, 1);
  EXPECT_STATE(count, 0, 1);
}

/* The largest number of tiles that the count holds waits, and all are given away. */
static void most_tiles_wait(struct lockstep *l) {
  for (unsigned n = 1; n <= COUNT_MOST; n++) {
    TICK(.hops = 1, .put = 1);
    EXPECT_STATE(count, 0, n);
  }
  ILLEGAL(.hops = 1, .put = 1);
  for (unsigned n = COUNT_MOST; n > 0; n--) {
    TICK(.hops = 1, .get = 1);
    EXPECT_STATE(count, 0, n - 1);
  }
  TICK(.hops = 1);
  EXPECT(got, 1);
  TICK(.hops = 1);
  EXPECT(got, 0);
}

static void kernel_start_wins(struct lockstep *l) {
  TICK(.hops = 5, .put = 1);
  TICK(.hops = 5, .get = 1);
  TICK(.kernel_start = 1, .hops = 5, .put = 1, .get = 1);
  EXPECT_STATE(want, 0, 0);
  EXPECT_STATE(line, 0, 0);
  for (unsigned c = 0; c < 10; c++) {
    TICK(.hops = 5);
    EXPECT(got, 0);
    EXPECT(quiet, 1);
  }
}

static void illegal(struct lockstep *l) {
  TICK(.hops = 1, .get = 1);
  LEGAL(.hops = 1, .put = 1);
  ILLEGAL(.hops = 1, .get = 1);
  TICK(.hops = 3, .put = 1);
  LEGAL(.hops = 3);
  ILLEGAL(.hops = 2);
}

/* When each put counts, and when the next got is to be, by the specification's words. */
struct ledger {
  uint64_t counts[512];
  unsigned puts, gots;
  bool wanted;
  uint64_t asked; /* cycle of the open get */
};

static uint64_t due(const struct ledger *x) {
  const uint64_t there = x->counts[x->gots % 512];
  return (there > x->asked ? there : x->asked) + 1;
}

static void random_spill_chan(struct lockstep *l, struct rng *r, uint64_t cycles) {
  struct ledger x = {.puts = 0};
  unsigned hops = 1, put = 50, get = 50;
  for (uint64_t c = 0; c < cycles; c++) {
    const unit_out now = lockstep_peek(l, &(unit_in){.hops = hops});
    const bool owed = x.wanted && x.gots < x.puts && due(&x) == c;
    assert_int_equal(now.got, owed);
    if (owed) {
      cover(COVER_got_at_once, x.asked + 1 == c);
      cover(COVER_got_after_wait, x.asked + 1 < c);
      x.gots++;
      x.wanted = false;
    }
    if (rng_below(r, 100) == 0) {
      put = rng_below(r, 101);
      get = rng_below(r, 101);
    }
    unit_in in = {.hops = hops,
                  .put = x.puts - x.gots < 500 && rng_chance(r, put),
                  .get = !x.wanted && rng_chance(r, get)};
    if (rng_below(r, 500) == 0) {
      hops = (unsigned[]){1, 2, HOPS_MOST, 1 + rng_below(r, HOPS_MOST)}[rng_below(r, 4)];
      in.kernel_start = 1;
      in.hops = hops;
      x = (struct ledger){.puts = 0};
    } else {
      if (in.put)
        x.counts[x.puts++ % 512] = c + hops;
      if (in.get) {
        x.wanted = true;
        x.asked = c;
      }
      cover(COVER_put_joins_beside_got,
            x.puts != 0 && x.counts[(x.puts - 1) % 512] == c + 1 && x.wanted && l->ref.count > 0);
      cover(COVER_get_beside_got, in.get && now.got);
      cover(COVER_way_full, l->ref.puts.n == HOPS_MOST - 1);
      cover(COVER_one_hop, hops == 1 && now.got);
      cover(COVER_most_hops, hops == HOPS_MOST && now.got);
      cover(COVER_many_credits, l->ref.count > 256);
    }
    quiet_tick(l, in);
  }
}

UNIT_MAIN(DIRECTED(puts_take_their_way), DIRECTED(puts_follow_each_other),
          DIRECTED(credits_are_kept), DIRECTED(kernel_start_wins), DIRECTED(illegal),
          RANDOM(random_spill_chan), DIRECTED(most_tiles_wait))
