/* block_port: the warps of a CTA gather, links are posted, all go on. */
#include "csim/ref/spu/block_port.h"
#include "csim/ref/spu/roles.h"

#define UNIT block_port
#include "tests/unit/lockstep.h"

#include "tests/unit/illegal.h"

#define UNIT_EVENT(l, in)                                                                          \
  ((void)(l),                                                                                      \
   (in).kernel_start || (in).launch || (in).arrive || (in).exit || (in).start || (in).done)
#include "tests/unit/spu/quiet.h"

#define COVERAGE(F)                                                                                \
  F(global_unit)                                                                                   \
  F(load_own_east)                                                                                 \
  F(load_own_south)                                                                                \
  F(store_own_west)                                                                                \
  F(store_own_north)                                                                               \
  F(put_alone)                                                                                     \
  F(put_and_own)                                                                                   \
  F(get_and_own)                                                                                   \
  F(done_late)                                                                                     \
  F(one_warp)                                                                                      \
  F(most_warps)                                                                                    \
  F(spill_of_real_unit)                                                                            \
  F(virtual_counted)
COVER_DEFINE(COVERAGE)

enum { WARPS_MOST = 48 };

static void launch(struct lockstep *l, unsigned warps) {
  TICK(.launch = 1, .launch_warps = warps);
  EXPECT(quiet, 1);
  EXPECT_STATE(state, 0, BLOCK_PORT_GATHER);
}

static void four_warps_gather(struct lockstep *l) {
#define BLOCK .role = SPU_ROLE_BLOCK
  launch(l, 4);
  for (unsigned w = 0; w < 4; w++) {
    TICK(BLOCK, .arrive = 1, .arrive_dirs = DIRS_NORTH | DIRS_WEST);
    EXPECT(quiet, 1);
    EXPECT_STATE(here, 0, w + 1);
    TICK(BLOCK, .start = 0);
    EXPECT(post, 0);
  }
  /* The idle cycle behind the last arrival has moved the port to WAIT. */
  EXPECT_STATE(state, 0, BLOCK_PORT_WAIT);
  TICK(BLOCK);
  EXPECT(post, DIRS_NORTH | DIRS_WEST);
  EXPECT(quiet, 0);
  TICK(BLOCK);
  EXPECT(post, 0);
  EXPECT(quiet, 1);
  /* Mask N|W, W first. */
  TICK(BLOCK, .done = DIRS_WEST);
  EXPECT_STATE(left, 0, DIRS_NORTH);
  TICK(BLOCK, .done = DIRS_NORTH);
  EXPECT(ack, 0);
  TICK(BLOCK);
  EXPECT(ack, 1);
  EXPECT(quiet, 0);
  TICK(BLOCK);
  EXPECT(ack, 0);
  EXPECT(cspill, 0);
  EXPECT_STATE(need, 0, 4);
  EXPECT_STATE(here, 0, 0);
}

static void both_orders_of_arrival(struct lockstep *l) {
  launch(l, 1);
  for (unsigned order = 0; order < 3; order++) {
    TICK(BLOCK, .arrive = 1, .arrive_dirs = DIRS_NORTH | DIRS_WEST);
    TICK(BLOCK);
    /* N first, W first, both in the cycle of the post. */
    const unsigned first = (unsigned[]){DIRS_NORTH, DIRS_WEST, DIRS_NORTH | DIRS_WEST}[order];
    TICK(BLOCK, .done = first);
    EXPECT(post, DIRS_NORTH | DIRS_WEST);
    if (order < 2) {
      EXPECT_STATE(state, 0, BLOCK_PORT_WAIT);
      TICK(BLOCK, .done = (DIRS_NORTH | DIRS_WEST) & ~first);
    }
    EXPECT_STATE(state, 0, BLOCK_PORT_ACK);
    TICK(BLOCK);
    EXPECT(ack, 1);
  }
}

static void a_warp_exits_instead(struct lockstep *l) {
  launch(l, 2);
  TICK(BLOCK, .arrive = 1, .arrive_dirs = DIRS_EAST);
  TICK(BLOCK);
  EXPECT(quiet, 1);
  TICK(BLOCK, .exit = 1);
  TICK(BLOCK);
  EXPECT_STATE(need, 0, 1);
  TICK(BLOCK, .done = DIRS_EAST);
  EXPECT(post, DIRS_EAST);
  TICK(BLOCK);
  EXPECT(ack, 1);
  /* The last warp ends: the slot is free two cycles later, and takes the next CTA. */
  TICK(BLOCK, .exit = 1);
  TICK(BLOCK);
  EXPECT(quiet, 0);
  EXPECT_STATE(state, 0, BLOCK_PORT_FREE);
  launch(l, 3);
  /* An exit beside an arrival. */
  TICK(BLOCK, .arrive = 1, .arrive_dirs = DIRS_SOUTH, .exit = 1);
  EXPECT_STATE(need, 0, 2);
  EXPECT_STATE(here, 0, 1);
}

static void roles_map_directions(struct lockstep *l) {
  static const struct {
    unsigned role, viu, side, dirs, post, counts;
  } cases[] = {
      {SPU_ROLE_BLOCK, 0, 0, 15, 15, 0},
      {SPU_ROLE_BLOCK, 0, 0, DIRS_GLOBAL, POST_GLOBAL, 0},
      {SPU_ROLE_LOAD, 0, 0, DIRS_OWN, DIRS_EAST, 1},
      {SPU_ROLE_LOAD, 0, 1, DIRS_OWN, DIRS_SOUTH, 1},
      {SPU_ROLE_LOAD, 1, 1, DIRS_OWN | DIRS_SPILL, DIRS_SOUTH | POST_SPILL, 1},
      {SPU_ROLE_LOAD, 1, 0, DIRS_SPILL, POST_SPILL, 0},
      {SPU_ROLE_LOAD, 1, 0, DIRS_GLOBAL, POST_GLOBAL, 1},
      {SPU_ROLE_STORE, 0, 0, DIRS_OWN, DIRS_WEST, 1},
      {SPU_ROLE_STORE, 0, 1, DIRS_OWN, DIRS_NORTH, 1},
      {SPU_ROLE_STORE, 1, 1, DIRS_GLOBAL, POST_GLOBAL, 1},
  };
  launch(l, 1);
  uint64_t cspill = 0, vcount = 0;
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
#define ROLE .role = cases[i].role, .viu = cases[i].viu, .side = cases[i].side
    TICK(ROLE, .arrive = 1, .arrive_dirs = cases[i].dirs);
    TICK(ROLE);
    TICK(ROLE, .done = cases[i].post);
    EXPECT(post, cases[i].post);
    TICK(ROLE);
    EXPECT(ack, 1);
    EXPECT(bad, 0);
    cspill += cases[i].counts;
    vcount += cases[i].counts && cases[i].viu;
    EXPECT(cspill, cspill - cases[i].counts);
  }
  TICK(.role = SPU_ROLE_LOAD, .exit = 1);
  EXPECT(cspill, cspill);
  EXPECT(vcount, vcount);
  TICK(0);
  TICK(.start = 1);
  TICK(0);
  EXPECT(cspill, 0);
  EXPECT(vcount, vcount);
}

/* Enough synchronisations of a virtual unit to use all bits of the counters. */
static void many_are_counted(struct lockstep *l) {
#define LOADS .role = SPU_ROLE_LOAD, .viu = 1
  launch(l, 1);
  for (unsigned n = 0; n < 0x8004; n++) {
    TICK(LOADS, .arrive = 1, .arrive_dirs = DIRS_OWN);
    EXPECT(cspill, n);
    EXPECT(vcount, n);
    TICK(LOADS);
    TICK(LOADS, .done = DIRS_EAST);
    EXPECT(post, DIRS_EAST);
    TICK(LOADS);
    EXPECT(ack, 1);
  }
}

static void a_put_needs_no_answer(struct lockstep *l) {
#define SPILLS .role = SPU_ROLE_STORE, .viu = 1, .side = 1
  launch(l, 1);
  TICK(SPILLS, .arrive = 1, .arrive_dirs = DIRS_SPILL);
  TICK(SPILLS);
  TICK(SPILLS);
  EXPECT(post, POST_SPILL);
  TICK(SPILLS);
  EXPECT(ack, 1);
  TICK(SPILLS, .arrive = 1, .arrive_dirs = DIRS_SPILL | DIRS_OWN);
  EXPECT(vcount, 0);
  TICK(SPILLS);
  TICK(SPILLS);
  EXPECT(post, POST_SPILL | DIRS_NORTH);
  EXPECT_STATE(left, 0, DIRS_NORTH);
  TICK(SPILLS, .done = DIRS_NORTH);
  TICK(SPILLS);
  EXPECT(ack, 1);
  TICK(SPILLS);
  EXPECT(vcount, 1);
}

static void what_is_not_allowed(struct lockstep *l) {
  static const struct {
    unsigned role, viu, dirs;
  } cases[] = {
      {SPU_ROLE_BLOCK, 0, 0},
      {SPU_ROLE_BLOCK, 0, DIRS_OWN},
      {SPU_ROLE_BLOCK, 0, DIRS_GLOBAL | DIRS_NORTH},
      {SPU_ROLE_BLOCK, 0, DIRS_SPILL | DIRS_EAST},
      {SPU_ROLE_LOAD, 0, DIRS_SPILL},
      {SPU_ROLE_LOAD, 0, DIRS_SPILL | DIRS_OWN},
      {SPU_ROLE_LOAD, 1, DIRS_EAST},
      {SPU_ROLE_LOAD, 1, DIRS_OWN | DIRS_GLOBAL},
      {SPU_ROLE_STORE, 1, 0},
      {SPU_ROLE_NONE, 0, DIRS_GLOBAL},
      {SPU_ROLE_NONE, 0, DIRS_NORTH},
  };
#define UNIT_ROLE .role = cases[i].role, .viu = cases[i].viu
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    TICK(.kernel_start = 1);
    launch(l, 1);
    TICK(UNIT_ROLE, .arrive = 1, .arrive_dirs = cases[i].dirs);
    EXPECT(bad, 0);
    TICK(UNIT_ROLE);
    TICK(UNIT_ROLE);
    EXPECT(post, 0);
    EXPECT(bad, 1);
    EXPECT(quiet, 0);
    TICK(UNIT_ROLE);
    EXPECT(ack, 1);
  }
  /* Two warps that differ. */
  TICK(.kernel_start = 1);
  launch(l, 2);
  TICK(BLOCK, .arrive = 1, .arrive_dirs = DIRS_EAST);
  EXPECT(bad, 0);
  TICK(BLOCK, .arrive = 1, .arrive_dirs = DIRS_EAST | DIRS_SOUTH);
  TICK(BLOCK);
  EXPECT(bad, 1);
  TICK(BLOCK);
  EXPECT(post, DIRS_EAST);
}

static void illegal(struct lockstep *l) {
  ILLEGAL(.arrive = 1, .arrive_dirs = 1);
  ILLEGAL(.exit = 1);
  ILLEGAL(.done = 1);
  ILLEGAL(.launch = 1, .launch_warps = 0);
  ILLEGAL(.launch = 1, .launch_warps = 49);
  launch(l, 1);
  ILLEGAL(.launch = 1, .launch_warps = 1);
  ILLEGAL(.start = 1);
  ILLEGAL(BLOCK, .arrive = 1, .arrive_dirs = 1, .exit = 1);
  TICK(BLOCK, .arrive = 1, .arrive_dirs = 1);
  ILLEGAL(BLOCK, .exit = 1);
  TICK(BLOCK);
  LEGAL(BLOCK, .done = 1);
  ILLEGAL(BLOCK, .done = 2);
  ILLEGAL(BLOCK, .arrive = 1, .arrive_dirs = 1);
}

/* The SM around the port: what its pass_seq says, and the CTA's warps. */
struct slot {
  unsigned role, viu, side;
  unsigned arrive, exit, done; /* how often, of a hundred */
  unsigned dirs;               /* of the open synchronisation */
  unsigned posted, answered;   /* since the last ack */
};

/* A mask for the role: mostly one that is allowed. */
static unsigned random_dirs(const struct slot *s, struct rng *r) {
  if (rng_chance(r, 3))
    return rng_chance(r, 30) ? DIRS_SPILL : rng_below(r, 128);
  if (rng_chance(r, 20))
    return DIRS_GLOBAL;
  if (s->role == SPU_ROLE_BLOCK)
    return 1 + rng_below(r, 15);
  return s->viu ? (unsigned[]){DIRS_OWN, DIRS_SPILL, DIRS_OWN | DIRS_SPILL}[rng_below(r, 3)]
                : DIRS_OWN;
}

static void drive_gather(const struct block_port_ref *b, struct slot *s, struct rng *r,
                         unit_in *in) {
  if (b->here == b->need)
    return;
  if (b->here == 0)
    s->dirs = random_dirs(s, r);
  in->arrive = rng_chance(r, s->arrive);
  in->arrive_dirs = rng_chance(r, 1) ? random_dirs(s, r) : s->dirs;
  in->exit = b->need - b->here > in->arrive && rng_chance(r, s->exit);
}

static unsigned random_exits(struct rng *r) { return rng_chance(r, 60) ? 0 : rng_below(r, 40); }

static unit_in drive(const struct lockstep *l, struct slot *s, struct rng *r) {
  const struct block_port_ref *b = &l->ref;
  unit_in in = {.kernel_start = rng_below(r, 2000) == 0};
  if (b->state == BLOCK_PORT_FREE) {
    in.start = rng_chance(r, 20);
    if (in.start) {
      s->role = 1 + rng_below(r, rng_chance(r, 5) ? 7 : 3);
      s->viu = rng_below(r, 2);
      s->side = rng_below(r, 2);
    }
    in.launch = rng_chance(r, 20);
    in.launch_warps = 1 + rng_below(r, rng_chance(r, 80) ? 4 : WARPS_MOST);
    if (rng_chance(r, 10))
      in.launch_warps = WARPS_MOST;
    if (in.launch) {
      s->arrive = 5 + rng_below(r, 96);
      s->exit = random_exits(r);
      s->done = 1 + rng_below(r, 100);
    }
  } else if (b->state == BLOCK_PORT_GATHER) {
    drive_gather(b, s, r, &in);
  } else if (b->state == BLOCK_PORT_WAIT) {
    in.done = b->left & (rng_chance(r, s->done) ? rng_next(r) : 0);
    if (s->role == SPU_ROLE_STORE)
      in.done &= ~(uint64_t)POST_SPILL;
  }
  if (b->state == BLOCK_PORT_ACK)
    s->exit = random_exits(r);
  in.role = s->role;
  in.viu = s->viu;
  in.side = s->side;
  return in;
}

/* Nobody goes on before each post has had its answer, and nothing is posted twice. */
static void check(struct slot *s, const unit_in *in, const unit_out *now) {
  assert_int_equal(s->posted & now->post, 0);
  s->posted |= (unsigned)now->post;
  if (in->role == SPU_ROLE_STORE)
    s->answered |= (unsigned)now->post & POST_SPILL;
  if (now->ack) {
    assert_int_equal(s->posted, s->answered);
    s->posted = s->answered = 0;
  }
  s->answered |= (unsigned)in->done;
  if (in->kernel_start)
    s->posted = s->answered = 0;
}

static void cover_posts(const unit_in *in, unsigned post) {
  const bool load = in->role == SPU_ROLE_LOAD, store = in->role == SPU_ROLE_STORE;
  const bool block = in->role == SPU_ROLE_BLOCK;
  cover(COVER_global_unit, !block && post == POST_GLOBAL);
  cover(COVER_load_own_east, load && (post & DIRS_EAST) != 0);
  cover(COVER_load_own_south, load && (post & DIRS_SOUTH) != 0);
  cover(COVER_store_own_west, store && (post & DIRS_WEST) != 0);
  cover(COVER_store_own_north, store && (post & DIRS_NORTH) != 0);
  cover(COVER_put_alone, store && post == POST_SPILL);
  cover(COVER_put_and_own, store && post > POST_SPILL && post < POST_GLOBAL);
  cover(COVER_get_and_own, load && post > POST_SPILL && post < POST_GLOBAL);
}

static void cover_cycle(const struct block_port_ref *b, const unit_in *in, const unit_out *now) {
  static uint64_t waited;
  const bool gathers = b->state == BLOCK_PORT_GATHER, unit = in->role > SPU_ROLE_BLOCK;
  waited = b->state == BLOCK_PORT_WAIT ? waited + 1 : 0;
  cover_posts(in, (unsigned)now->post);
  cover(COVER_done_late, waited > 20);
  cover(COVER_one_warp, gathers && b->need == 1);
  cover(COVER_most_warps, gathers && b->here == WARPS_MOST);
  cover(COVER_spill_of_real_unit,
        gathers && b->here == b->need && b->dirs == DIRS_SPILL && unit && !in->viu);
  cover(COVER_virtual_counted, now->vcount != 0 && now->ack && in->viu);
}

static void random_block_port(struct lockstep *l, struct rng *r, uint64_t cycles) {
  struct slot s = {.role = SPU_ROLE_BLOCK};
  for (uint64_t c = 0; c < cycles; c++) {
    unit_in in = drive(l, &s, r);
    if (in.kernel_start) {
      in = lockstep_start(l);
      in.role = s.role;
      in.viu = s.viu;
      in.side = s.side;
    }
    const unit_out now = lockstep_peek(l, &in);
    check(&s, &in, &now);
    cover_cycle(&l->ref, &in, &now);
    quiet_tick(l, in);
  }
}

UNIT_MAIN(DIRECTED(four_warps_gather), DIRECTED(both_orders_of_arrival),
          DIRECTED(a_warp_exits_instead), DIRECTED(roles_map_directions),
          DIRECTED(a_put_needs_no_answer), DIRECTED(what_is_not_allowed), DIRECTED(illegal),
          RANDOM(random_block_port), DIRECTED(many_are_counted))
