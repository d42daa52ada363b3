/* pass_seq: passes in row-major order, and what a slot or lane does in each. */
#include "csim/ref/spu/pass_seq.h"

#define UNIT pass_seq
#include "tests/unit/lockstep.h"

#include "tests/unit/illegal.h"

#define UNIT_EVENT(l, in) ((void)(l), (in).kernel_start || (in).fin || (in).taken || (in).go)
#include "tests/unit/spu/quiet.h"

#define COVERAGE(F)                                                                                \
  F(loads)                                                                                         \
  F(stores)                                                                                        \
  F(virtual_load)                                                                                  \
  F(virtual_store)                                                                                 \
  F(waits_for_go)                                                                                  \
  F(one_pass)                                                                                      \
  F(truncated_unit)                                                                                \
  F(taken_at_once)                                                                                 \
  F(fin_at_once)                                                                                   \
  F(go_at_once)                                                                                    \
  F(all_done)                                                                                      \
  F(large_grid)
COVER_DEFINE(COVERAGE)

/* A grid of 5 x 3 blocks on 2 x 2 slots: 3 x 2 passes, the last ones of a row with one column, the
 * last row's with one row. */
#define GRID .px = 2, .qy = 2, .npx = 3, .npy = 2, .lastc = 1, .lastr = 1

enum { MOST = 65535, SLOTS_MOST = 64 };

static void overlapped_slot(struct lockstep *l) {
  /* Slot (1, 0) is a block in passes (0, 0) and (1, 0), serves the last column in (2, 0). */
#define SLOT GRID, .overlap = 1, .gx = 1
  EXPECT_STATE(state, 0, PASS_SEQ_DONE);
  TICK(SLOT, .kernel_start = 1);
  EXPECT(done, 1);
  EXPECT(at_end, 1);
  EXPECT(role, SPU_ROLE_NONE);
  TICK(SLOT);
  EXPECT(role, SPU_ROLE_BLOCK);
  EXPECT(member, 1);
  EXPECT(start, 0);
  TICK(SLOT);
  EXPECT(start, 1);
  TICK(SLOT);
  EXPECT(offer, 1);
  EXPECT(quiet, 1);
  TICK(SLOT, .taken = 1);
  EXPECT(offer, 1);
  TICK(SLOT);
  EXPECT(offer, 0);
  TICK(SLOT, .fin = 1);
  EXPECT(member, 1);
  TICK(SLOT);
  EXPECT(next_cx, 1);
  EXPECT(cx, 1);
  EXPECT_STATE(state, 0, PASS_SEQ_START);
  TICK(SLOT);
  TICK(SLOT, .taken = 1);
  TICK(SLOT, .fin = 1);
  TICK(SLOT);
  EXPECT(cx, 2);
  EXPECT(role, SPU_ROLE_STORE);
  EXPECT(side, 0);
  EXPECT(viu, 0);
  /* A DMA engine is not launched. */
  TICK(SLOT);
  EXPECT(start, 1);
  TICK(SLOT, .fin = 1);
  EXPECT(offer, 0);
  TICK(SLOT);
  EXPECT(next_cy, 1);
  EXPECT(cx, 0);
  EXPECT(cy, 1);
  EXPECT(role, SPU_ROLE_BLOCK);
#undef SLOT
}

static void serial_lane(struct lockstep *l) {
  /* N lane 1: loads in passes (0, 0), (1, 0), nothing in (2, 0), virtual in (0, 1), (1, 1). */
#define LANE GRID, .kind = KIND_NORTH, .gx = 1
  TICK(LANE, .kernel_start = 1);
  for (unsigned pass = 0; pass < 6; pass++) {
    const bool loads = pass % 3 != 2;
    TICK(LANE);
    EXPECT(role, loads ? SPU_ROLE_LOAD : SPU_ROLE_NONE);
    EXPECT(viu, loads && pass > 2);
    EXPECT(side, loads);
    EXPECT(member, loads);
    EXPECT(next_cx, pass % 3 != 0);
    EXPECT(next_cy, pass == 3);
    if (loads) {
      TICK(LANE);
      EXPECT(start, 1);
      TICK(LANE, .fin = 1);
      EXPECT(at_end, 0);
    }
    TICK(LANE);
    EXPECT(at_end, 1);
    EXPECT(member, 0);
    EXPECT(done, 0);
    TICK(LANE, .go = 1);
    EXPECT_STATE(state, 0, pass < 5 ? PASS_SEQ_SEEK : PASS_SEQ_DONE);
  }
  TICK(LANE);
  EXPECT(done, 1);
  EXPECT(at_end, 1);
  EXPECT(cx, 2);
  EXPECT(cy, 1);
  EXPECT(next_cx, 0);
  EXPECT(next_cy, 0);
  /* go after the last pass, which others still had to end, does nothing. */
  TICK(LANE, .go = 1);
  TICK(LANE);
  EXPECT(done, 1);
#undef LANE
}

static void truncated_units_are_launched(struct lockstep *l) {
#define LANE GRID, .kind = KIND_EAST, .truncated = 1, .overlap = 1
  TICK(LANE, .kernel_start = 1);
  TICK(LANE);
  EXPECT(role, SPU_ROLE_STORE);
  EXPECT(viu, 1);
  TICK(LANE);
  TICK(LANE);
  EXPECT(offer, 1);
  TICK(LANE, .kernel_start = 1, .taken = 1);
  TICK(LANE);
  EXPECT(member, 1);
  EXPECT_STATE(state, 0, PASS_SEQ_START);
#undef LANE
}

static void passes_without_role(struct lockstep *l) {
  /* Slot (1, 1) in the row of passes that has one row of one column: a pass a cycle. */
#define SLOT .px = 2, .qy = 2, .npx = 1, .npy = 1, .lastc = 1, .lastr = 1, .gx = 1, .gy = 1
  TICK(SLOT, .kernel_start = 1, .overlap = 1);
  TICK(SLOT, .overlap = 1);
  EXPECT(role, SPU_ROLE_NONE);
  EXPECT(done, 0);
  TICK(SLOT, .overlap = 1);
  EXPECT(done, 1);
#undef SLOT
}

/* The largest number of passes, in a row and in rows of one: a lane has a role in each. */
static void most_passes(struct lockstep *l) {
  for (unsigned x = 0; x < 2; x++) {
    unit_in in = {.kernel_start = 1, .overlap = 1, .kind = x ? KIND_WEST : KIND_NORTH};
    in.px = in.qy = in.npx = in.npy = in.lastc = in.lastr = 1;
    *(x ? &in.npx : &in.npy) = MOST;
    lockstep_tick(l, in);
    in.kernel_start = 0;
    for (unsigned n = 0; n < MOST; n++) {
      lockstep_tick(l, in);
      EXPECT(cx, x ? n : 0);
      EXPECT(cy, x ? 0 : n);
      EXPECT(next_cx, x && n > 0);
      EXPECT(next_cy, !x && n > 0);
      EXPECT(role, SPU_ROLE_LOAD);
      EXPECT(viu, n > 0);
      lockstep_tick(l, in);
      in.fin = 1;
      lockstep_tick(l, in);
      in.fin = 0;
    }
    lockstep_tick(l, in);
    EXPECT(done, 1);
  }
}

static void illegal(struct lockstep *l) {
  TICK(GRID, .kernel_start = 1);
  LEGAL(GRID, .go = 0);
  ILLEGAL(GRID, .fin = 1);
  ILLEGAL(GRID, .taken = 1);
  ILLEGAL(GRID, .go = 1);
  ILLEGAL(.kernel_start = 1, .px = 1, .qy = 1, .npx = 1, .npy = 1, .lastc = 2, .lastr = 1);
}

/* The grid of blocks, and a unit of it, from whose place the roles follow. */
struct grid {
  unit_in fixed;
  uint64_t columns, rows; /* of blocks */
};

static bool is_block(const struct grid *g, uint64_t cx, uint64_t cy, uint64_t gx, uint64_t gy) {
  return gx < g->fixed.px && gy < g->fixed.qy && cx * g->fixed.px + gx < g->columns &&
         cy * g->fixed.qy + gy < g->rows;
}

/* The unit's duty in a pass: a block's missing neighbour, or the border beside a block. */
static struct pass_role expected(const struct grid *g, uint64_t cx, uint64_t cy) {
  static const struct pass_role none = {.role = SPU_ROLE_NONE};
  const unit_in *f = &g->fixed;
  const bool more_east = (cx + 1) * f->px < g->columns, more_south = (cy + 1) * f->qy < g->rows;
  switch (f->kind) {
  case KIND_SLOT:
    if (is_block(g, cx, cy, f->gx, f->gy))
      return (struct pass_role){.role = SPU_ROLE_BLOCK};
    if (f->gx > 0 && f->gx < f->px && is_block(g, cx, cy, f->gx - 1, f->gy))
      return (struct pass_role){.role = SPU_ROLE_STORE, .side = 0};
    if (f->gy > 0 && f->gy < f->qy && is_block(g, cx, cy, f->gx, f->gy - 1))
      return (struct pass_role){.role = SPU_ROLE_STORE, .side = 1};
    return none;
  case KIND_NORTH:
    return is_block(g, cx, cy, f->gx, 0) ? (struct pass_role){SPU_ROLE_LOAD, cy != 0, 1} : none;
  case KIND_WEST:
    return is_block(g, cx, cy, 0, f->gy) ? (struct pass_role){SPU_ROLE_LOAD, cx != 0, 0} : none;
  case KIND_SOUTH:
    return is_block(g, cx, cy, f->gx, f->qy - 1) ? (struct pass_role){SPU_ROLE_STORE, more_south, 1}
                                                 : none;
  default:
    return is_block(g, cx, cy, f->px - 1, f->gy) ? (struct pass_role){SPU_ROLE_STORE, more_east, 0}
                                                 : none;
  }
}

/* Grids of one pass, of any size along one direction: the roles of units at the end of it, and
 * after it, where a slot has none. */
static void roles_at_the_end(struct lockstep *l) {
  for (unsigned kind = KIND_SLOT; kind <= KIND_EAST; kind++)
    for (unsigned i = 0; i < 2 * SLOTS_MOST * SLOTS_MOST; i++) {
      const unsigned size = i / 2 / SLOTS_MOST + 1, last = i / 2 % SLOTS_MOST + 1;
      const bool x = i % 2 != 0;
      for (unsigned place = last - 1; last <= size && place <= last && place < SLOTS_MOST;
           place++) {
        struct grid g = {.fixed = {.kind = kind, .px = 1, .qy = 1, .npx = 1, .npy = 1}};
        unit_in *f = &g.fixed;
        *(x ? &f->px : &f->qy) = size;
        *(x ? &f->gx : &f->gy) = place;
        f->lastc = g.columns = x ? last : 1;
        f->lastr = g.rows = x ? 1 : last;
        const struct pass_role e = expected(&g, 0, 0);
        f->kernel_start = 1;
        lockstep_tick(l, *f);
        f->kernel_start = 0;
        lockstep_tick(l, *f);
        EXPECT(role, e.role);
        EXPECT(viu, e.viu);
        EXPECT(side, e.side);
      }
    }
}

/* A place among n; often one at the end of the last pass, whose size is `last`, where roles change.
 */
static unsigned random_place(struct rng *r, unsigned n, unsigned last) {
  if (rng_chance(r, 50))
    return rng_below(r, n);
  return last == n ? n - 1 : last - rng_below(r, 2);
}

/* 1 to n, of which n is the most frequent. */
static unsigned most_often(struct rng *r, unsigned n) {
  return rng_chance(r, 50) ? n : 1 + rng_below(r, n);
}

static struct grid random_grid(struct rng *r) {
  const unsigned slots = (unsigned[]){2, 4, 16, 64}[rng_below(r, 4)],
                 large = rng_chance(r, 50) ? 600 : 65535, passes = rng_chance(r, 90) ? 4 : large;
  struct grid g = {.fixed = {.overlap = rng_below(r, 2),
                             .truncated = rng_below(r, 2),
                             .kind = rng_below(r, 5),
                             .px = most_often(r, slots),
                             .qy = most_often(r, slots),
                             .npx = 1 + rng_below(r, passes),
                             .npy = 1 + rng_below(r, passes)}};
  unit_in *f = &g.fixed;
  f->lastc = most_often(r, (unsigned)f->px);
  f->lastr = most_often(r, (unsigned)f->qy);
  if (f->kind == KIND_SLOT || f->kind == KIND_NORTH || f->kind == KIND_SOUTH)
    f->gx = random_place(r, (unsigned)f->px, (unsigned)f->lastc);
  if (f->kind == KIND_SLOT || f->kind == KIND_WEST || f->kind == KIND_EAST)
    f->gy = random_place(r, (unsigned)f->qy, (unsigned)f->lastr);
  g.columns = (f->npx - 1) * f->px + f->lastc;
  g.rows = (f->npy - 1) * f->qy + f->lastr;
  return g;
}

/* The pass that is to be next, in row-major order, and whether it is to start. */
struct walk {
  uint64_t cx, cy;
  bool over;
};

static void walk_on(struct walk *w, const struct grid *g) {
  w->over = w->cx + 1 == g->fixed.npx && w->cy + 1 == g->fixed.npy;
  if (w->over)
    return;
  w->cy += w->cx + 1 == g->fixed.npx;
  w->cx = w->cx + 1 == g->fixed.npx ? 0 : w->cx + 1;
}

/* A role that starts: the next pass in which the unit has one. */
static void check_start(struct walk *w, const struct grid *g, const unit_out *now) {
  while (!w->over && expected(g, w->cx, w->cy).role == SPU_ROLE_NONE)
    walk_on(w, g);
  assert_false(w->over);
  const struct pass_role e = expected(g, w->cx, w->cy);
  assert_int_equal(now->cx, w->cx);
  assert_int_equal(now->cy, w->cy);
  assert_int_equal(now->role, e.role);
  assert_int_equal(now->viu, e.viu);
  assert_int_equal(now->side, e.side);
  walk_on(w, g);
}

/* No pass with a role may be left at the end. */
static void check_done(struct walk *w, const struct grid *g) {
  for (; !w->over; walk_on(w, g))
    assert_int_equal(expected(g, w->cx, w->cy).role, SPU_ROLE_NONE);
}

static void cover_cycle(const struct lockstep *l, const unit_in *in, const unit_out *now) {
  static unsigned offered, ran, ended;
  const struct pass_seq_ref *s = &l->ref;
  offered = now->offer ? offered + 1 : 0;
  ran = s->state == PASS_SEQ_RUN ? ran + 1 : 0;
  ended = s->state == PASS_SEQ_END ? ended + 1 : 0;
  const bool slot = in->kind == KIND_SLOT;
  cover(COVER_loads, now->role == SPU_ROLE_LOAD && !now->viu);
  cover(COVER_stores, !slot && now->role == SPU_ROLE_STORE && !now->viu);
  cover(COVER_virtual_load, now->role == SPU_ROLE_LOAD && now->viu);
  cover(COVER_virtual_store, now->role == SPU_ROLE_STORE && now->viu);
  cover(COVER_waits_for_go, ended > 2);
  cover(COVER_one_pass, now->done && in->npx == 1 && in->npy == 1);
  cover(COVER_truncated_unit, now->offer && now->role != SPU_ROLE_BLOCK);
  cover(COVER_taken_at_once, in->taken && offered == 1);
  cover(COVER_fin_at_once, in->fin && ran == 1);
  cover(COVER_go_at_once, in->go && ended == 1);
  cover(COVER_all_done, now->done);
  cover(COVER_large_grid, now->cx > 255 || now->cy > 255);
}

static void random_pass_seq(struct lockstep *l, struct rng *r, uint64_t cycles) {
  struct grid g = random_grid(r);
  struct walk w = {.over = true};
  unsigned pace = 50;
  for (uint64_t c = 0; c < cycles; c++) {
    const unit_out now = lockstep_peek(l, &g.fixed);
    if (now.start)
      check_start(&w, &g, &now);
    unit_in in = g.fixed;
    if (now.done)
      check_done(&w, &g);
    if ((now.done && rng_chance(r, 20)) || rng_below(r, 3000) == 0) {
      g = random_grid(r);
      in = g.fixed;
      in.kernel_start = 1;
      w = (struct walk){.cx = 0};
      pace = (unsigned[]){5, 50, 100}[rng_below(r, 3)];
    }
    in.taken = now.offer && rng_chance(r, pace);
    in.fin = l->ref.state == PASS_SEQ_RUN && rng_chance(r, pace);
    in.go = now.at_end && rng_chance(r, pace);
    cover_cycle(l, &in, &now);
    quiet_tick(l, in);
  }
}

UNIT_MAIN(DIRECTED(overlapped_slot), DIRECTED(serial_lane), DIRECTED(truncated_units_are_launched),
          DIRECTED(passes_without_role), DIRECTED(roles_at_the_end), DIRECTED(illegal),
          RANDOM(random_pass_seq), DIRECTED(most_passes))
