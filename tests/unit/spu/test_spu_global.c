/* spu_global: the barrier of all units, and the end of a pass. */
#include "csim/ref/spu/spu_global.h"

#define UNIT spu_global
#include "tests/unit/lockstep.h"

#include "tests/unit/illegal.h"

/* Posts, a change of levels, and the cycle after kernel_start. */
static bool spu_global_event(const struct spu_global_in *was, const struct spu_global_in *in) {
  static const uint64_t none[4];
  return in->kernel_start || was->kernel_start || memcmp(in->post, none, sizeof in->post) != 0 ||
         memcmp(in->lane_post, none, sizeof in->lane_post) != 0 ||
         memcmp(in->member, was->member, sizeof in->member) != 0 ||
         memcmp(in->lane_member, was->lane_member, sizeof in->lane_member) != 0 ||
         memcmp(in->at_end, was->at_end, sizeof in->at_end) != 0 ||
         memcmp(in->lane_at_end, was->lane_at_end, sizeof in->lane_at_end) != 0;
}
#define UNIT_EVENT(l, in) spu_global_event(&(l)->in, &(in))
#include "tests/unit/spu/quiet.h"

#define COVERAGE(F)                                                                                \
  F(done_of_all_units)                                                                             \
  F(done_of_lanes_alone)                                                                           \
  F(done_as_a_member_leaves)                                                                       \
  F(post_beside_done)                                                                              \
  F(all_post_together)                                                                             \
  F(last_post_far_behind)                                                                          \
  F(no_hops)                                                                                       \
  F(most_hops)                                                                                     \
  F(go_after_barriers)                                                                             \
  F(last_lane_ends_last)                                                                           \
  F(no_member_left)                                                                                \
  F(kernel_start_at_the_end)
COVER_DEFINE(COVERAGE)

enum { SLOTS = 256, LANES = 128, UNITS = SLOTS + LANES, HOPS_MOST = 31 };

/* Slots 0 and 255 and lane 127. */
#define THREE .enabled = {1, 0, 0, TOP}, .lane_enabled = {0, TOP}
#define MEMBERS .member = {1, 0, 0, TOP}, .lane_member = {0, TOP}
#define TOP (UINT64_C(1) << 63)

static void barrier_waits_for_all(struct lockstep *l) {
  for (unsigned h = 0; h <= HOPS_MOST; h++) {
    TICK(THREE, .hops = h, .kernel_start = 1);
    TICK(THREE, .hops = h, MEMBERS);
    TICK(THREE, .hops = h, MEMBERS, .post = {1});
    TICK(THREE, .hops = h, MEMBERS, .lane_post = {0, TOP});
    TICK(THREE, .hops = h, MEMBERS);
    EXPECT(quiet, 1);
    TICK(THREE, .hops = h, MEMBERS, .post = {0, 0, 0, TOP});
    /* The barrier fires in the next cycle. */
    TICK(THREE, .hops = h, MEMBERS);
    EXPECT(quiet, 0);
    EXPECT_STATE(here, 0, 0);
    EXPECT_STATE(here, 3, 0);
    EXPECT_STATE(lane_here, 1, 0);
    for (unsigned c = 0; c < 2 * h; c++) {
      EXPECT_STATE(done_line, 0, UINT64_C(1) << c);
      TICK(THREE, .hops = h, MEMBERS);
      EXPECT(done, 0);
    }
    TICK(THREE, .hops = h, MEMBERS);
    EXPECT(done, 1);
    EXPECT_STATE(done_line, 0, 0);
    TICK(THREE, .hops = h, MEMBERS);
    EXPECT(done, 0);
    EXPECT(quiet, 1);
  }
}

static void who_leaves_is_not_waited_for(struct lockstep *l) {
  TICK(THREE, .kernel_start = 1);
  TICK(THREE, MEMBERS);
  TICK(THREE, MEMBERS, .post = {1, 0, 0, TOP});
  TICK(THREE, MEMBERS);
  EXPECT(done, 0);
  /* Lane 127 leaves: its level is registered, the barrier fires a cycle later. */
  TICK(THREE, .member = {1, 0, 0, TOP});
  TICK(THREE, .member = {1, 0, 0, TOP});
  EXPECT(done, 0);
  /* Slot 0 posts for the next barrier in the cycle of done. */
  TICK(THREE, .member = {1, 0, 0, TOP}, .post = {1});
  EXPECT(done, 1);
  EXPECT_STATE(here, 0, 1);
  TICK(THREE, .member = {1, 0, 0, TOP}, .post = {0, 0, 0, TOP});
  TICK(THREE, .member = {1, 0, 0, TOP});
  TICK(THREE);
  EXPECT(done, 1);
  /* Nobody is a member: nothing fires. */
  for (unsigned c = 0; c < 4; c++) {
    TICK(THREE);
    EXPECT(done, 0);
  }
}

static void put_unit(uint64_t *slots, uint64_t *lanes, unsigned unit) {
  uint64_t *to = unit < SLOTS ? &slots[unit / 64] : &lanes[(unit - SLOTS) / 64];
  *to |= UINT64_C(1) << unit % 64;
}

/* The units `from` to `to` - 1 but one, or this one alone: in the grid, members, posting, at the
 * end. */
enum { POST = 1, MEMBER = 2, END = 4 };
static unit_in units(unsigned from, unsigned to, unsigned but, unsigned what) {
  unit_in in = {0};
  for (unsigned u = from; u < to; u++) {
    put_unit(in.enabled, in.lane_enabled, u);
    if ((what & MEMBER) != 0)
      put_unit(in.member, in.lane_member, u);
    if ((what & POST) != 0 && u != but)
      put_unit(in.post, in.lane_post, u);
    if ((what & END) != 0 && u != but)
      put_unit(in.at_end, in.lane_at_end, u);
  }
  return in;
}

/* Each unit may be the only one, and each may be the last of all to post and to end. */
static void each_is_waited_for(struct lockstep *l) {
  for (unsigned u = 0; u < 2 * UNITS; u++) {
    const unsigned one = u % UNITS, from = u < UNITS ? one : 0, to = u < UNITS ? one + 1 : UNITS;
    unit_in last = units(from, to, UNITS, MEMBER);
    put_unit(last.post, last.lane_post, one);
    /* kernel_start wins over what comes beside it. */
    unit_in start = units(from, to, UNITS, POST | MEMBER | END);
    start.kernel_start = 1;
    lockstep_tick(l, start);
    lockstep_tick(l, units(from, to, UNITS, MEMBER));
    EXPECT(quiet, 1);
    lockstep_tick(l, units(from, to, one, MEMBER | POST));
    lockstep_tick(l, units(from, to, UNITS, MEMBER));
    lockstep_tick(l, last);
    EXPECT(done, 0);
    lockstep_tick(l, units(from, to, one, END));
    EXPECT(done, 0);
    lockstep_tick(l, units(from, to, UNITS, END));
    EXPECT(done, 1);
    lockstep_tick(l, units(from, to, UNITS, END));
    EXPECT(go, 0);
    lockstep_tick(l, units(from, to, UNITS, END));
    EXPECT(go, 1);
  }
}

static void pass_ends_once(struct lockstep *l) {
#define ENDED .at_end = {1, 0, 0, TOP}, .lane_at_end = { 0, TOP }
  for (unsigned h = 0; h <= HOPS_MOST; h++) {
    TICK(THREE, .hops = h, .kernel_start = 1, ENDED);
    /* The ends of the kernel before do not count. */
    TICK(THREE, .hops = h);
    EXPECT(quiet, 1);
    TICK(THREE, .hops = h, .at_end = {1, 0, 0, TOP});
    TICK(THREE, .hops = h, ENDED);
    EXPECT(quiet, 1);
    TICK(THREE, .hops = h, ENDED);
    EXPECT(quiet, 0);
    EXPECT_STATE(ended, 0, 1);
    for (unsigned c = 1; c < 2 * h + 6; c++) {
      TICK(THREE, .hops = h, ENDED);
      EXPECT(go, c == 2 * h + 1);
      EXPECT(quiet, c > 2 * h + 1);
    }
    /* The next pass: all begin, and end again. */
    TICK(THREE, .hops = h);
    TICK(THREE, .hops = h);
    EXPECT(quiet, 0);
    EXPECT_STATE(ended, 0, 0);
    TICK(THREE, .hops = h, ENDED);
    EXPECT(quiet, 1);
    for (unsigned c = 0; c < 2 * h + 6; c++) {
      TICK(THREE, .hops = h, ENDED);
      EXPECT(go, c == 2 * h + 1);
    }
  }
}

/* At every distance, ends in all patterns: several are under way together. */
static void ends_follow_each_other(struct lockstep *l) {
  struct rng r = {.state = 1};
  for (unsigned h = 0; h <= HOPS_MOST; h++) {
    TICK(THREE, .hops = h, .kernel_start = 1);
    for (unsigned c = 0; c < 4 * h + 20; c++)
      if (rng_chance(&r, 50))
        TICK(THREE, .hops = h, ENDED);
      else
        TICK(THREE, .hops = h);
  }
}

static void illegal(struct lockstep *l) {
  TICK(THREE, .kernel_start = 1);
  TICK(THREE, MEMBERS);
  LEGAL(THREE, MEMBERS, .post = {1});
  ILLEGAL(THREE, MEMBERS, .post = {2});
  ILLEGAL(THREE, MEMBERS, .lane_post = {2});
  TICK(THREE, MEMBERS, .post = {1});
  ILLEGAL(THREE, MEMBERS, .post = {1});
  TICK(THREE, .hops = 3, .kernel_start = 1);
  TICK(THREE, .hops = 3, ENDED);
  TICK(THREE, .hops = 3, ENDED);
  LEGAL(THREE, .hops = 3);
  ILLEGAL(THREE, .hops = 2);
}

/* ---- random ---- */

enum stage { ABSENT, IN_PASS, AT_END };

/* All units, each in its own stage. */
struct grid {
  unsigned n, unit[UNITS]; /* those that there are */
  enum stage stage[UNITS];
  bool waits[UNITS]; /* at the barrier */
  unsigned hops, post, leave;
  unsigned barriers; /* of the pass */
};

static void new_grid(struct grid *g, struct rng *r) {
  *g = (struct grid){.hops = (unsigned[]){0, 1, HOPS_MOST, rng_below(r, 32)}[rng_below(r, 4)],
                     .post = 1 + rng_below(r, 100),
                     .leave = rng_below(r, 4)};
  const unsigned kind = rng_below(r, 6);
  const unsigned from = kind == 0 ? SLOTS : 0, chance = kind < 2 ? 100 : kind == 2 ? 50 : 2;
  for (unsigned u = from; u < UNITS; u++)
    if (rng_chance(r, chance) || (u + 1 == UNITS && (g->n == 0 || kind != 3)) ||
        (u == from && kind != 3))
      g->unit[g->n++] = u;
}

/* A new pass: most units have a role. */
static void new_pass(struct grid *g, struct rng *r) {
  const unsigned idle = rng_chance(r, 50) ? 0 : rng_below(r, 101);
  for (unsigned i = 0; i < g->n; i++)
    g->stage[i] = rng_chance(r, idle) ? AT_END : IN_PASS;
  g->barriers = 0;
}

static unit_in levels(const struct grid *g) {
  unit_in in = {.hops = g->hops};
  for (unsigned i = 0; i < g->n; i++) {
    put_unit(in.enabled, in.lane_enabled, g->unit[i]);
    if (g->stage[i] == IN_PASS)
      put_unit(in.member, in.lane_member, g->unit[i]);
    if (g->stage[i] == AT_END)
      put_unit(in.at_end, in.lane_at_end, g->unit[i]);
  }
  return in;
}

static bool is_member(const struct lockstep *l, unsigned unit) {
  return (l->ref.member.word[unit / 64] >> unit % 64 & 1) != 0;
}

static unsigned in_pass(const struct grid *g, unsigned *waiting) {
  unsigned n = 0;
  *waiting = 0;
  for (unsigned i = 0; i < g->n; i++) {
    n += g->stage[i] == IN_PASS;
    *waiting += g->waits[i];
  }
  return n;
}

/* done: all that are in the pass wait, and now go on.  go: all have ended it. */
static void take(struct grid *g, const unit_out *now, struct rng *r, bool *starts) {
  unsigned waiting;
  const unsigned members = in_pass(g, &waiting);
  if (now->done) {
    assert_int_equal(waiting, members);
    cover(COVER_done_of_all_units, members == UNITS);
    cover(COVER_done_of_lanes_alone, g->unit[0] >= SLOTS);
    cover(COVER_no_hops, g->hops == 0);
    cover(COVER_most_hops, g->hops == HOPS_MOST);
    memset(g->waits, 0, sizeof g->waits);
    g->barriers++;
  }
  if (now->go) {
    assert_int_equal(members, 0);
    cover(COVER_go_after_barriers, g->barriers > 1);
    new_pass(g, r);
    *starts = true;
  }
}

/* Members post once each; those that do not wait may end the pass. */
static unsigned post(struct grid *g, const struct lockstep *l, struct rng *r, unit_in *in) {
  unsigned posts = 0;
  for (unsigned i = 0; i < g->n; i++)
    if (g->stage[i] == IN_PASS && !g->waits[i] && is_member(l, g->unit[i]) &&
        rng_chance(r, g->post)) {
      put_unit(in->post, in->lane_post, g->unit[i]);
      g->waits[i] = true;
      posts++;
    }
  return posts;
}

static unsigned leave(struct grid *g, struct rng *r) {
  unsigned left = 0;
  for (unsigned i = 0; i < g->n; i++)
    if (g->stage[i] == IN_PASS && !g->waits[i] && rng_chance(r, g->leave)) {
      g->stage[i] = AT_END;
      left++;
    }
  return left;
}

static void random_spu_global(struct lockstep *l, struct rng *r, uint64_t cycles) {
  struct grid g = {.n = 0};
  unsigned late = 0, left = 0;
  for (uint64_t c = 0; c < cycles; c++) {
    const unit_in before = levels(&g);
    const unit_out now = lockstep_peek(l, &before);
    bool starts = false;
    unsigned waiting, posts = 0;
    take(&g, &now, r, &starts);
    const unsigned was_left = left;
    left = starts ? 0 : leave(&g, r);
    unit_in in = levels(&g);
    posts = post(&g, l, r, &in);
    const unsigned members = in_pass(&g, &waiting);
    cover(COVER_post_beside_done, now.done && posts != 0);
    cover(COVER_all_post_together, posts > 1 && posts == members);
    late = posts != 0 ? 0 : late + (waiting != 0 && waiting < members);
    cover(COVER_last_post_far_behind, late > 20);
    cover(COVER_done_as_a_member_leaves,
          was_left != 0 && members != 0 && waiting == members && l->ref.dones.n == 0 && !now.done);
    cover(COVER_last_lane_ends_last,
          left == 1 && members == 0 && g.n > 1 && !(before.lane_at_end[1] >> 63));
    cover(COVER_no_member_left, members == 0 && waiting == 0 && g.n > 0 && g.barriers > 0);
    if (g.n == 0 || rng_below(r, 1000) == 0) {
      cover(COVER_kernel_start_at_the_end, g.n != 0 && members == 0);
      const unit_in old = in;
      new_grid(&g, r);
      in = levels(&g);
      in.kernel_start = 1;
      memcpy(in.at_end, old.at_end, sizeof in.at_end);
      memcpy(in.lane_at_end, old.lane_at_end, sizeof in.lane_at_end);
      new_pass(&g, r);
    }
    quiet_tick(l, in);
  }
}

UNIT_MAIN(DIRECTED(barrier_waits_for_all), DIRECTED(who_leaves_is_not_waited_for),
          DIRECTED(each_is_waited_for), DIRECTED(pass_ends_once), DIRECTED(ends_follow_each_other),
          DIRECTED(illegal), RANDOM(random_spu_global))
