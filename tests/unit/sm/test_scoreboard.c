/* scoreboard: reserve at issue, release at write-back and collection, hazards of the heads. */
#include "csim/ref/sm/scoreboard.h"

#include "csim/ref/sm/decode.h"

#define UNIT scoreboard
#define UNIT_LENGTH 8 /* each register of each warp */
/* Bits that no legal input changes. */
#define UNIT_UNREACHED(F)                                                                          \
  F(iss0_warp, 1, "even warps")                                                                    \
  F(iss1_warp, 1, "odd warps")

#include "tests/unit/lockstep.h"
#include "tests/unit/rows_noise.h"

static unsigned releases; /* ports for write-backs of memory */
static void parameters(void) { releases = device_parameter("Releases", 1); }

#define COVERAGE(F)                                                                                \
  F(exit_waits_for_collection)                                                                     \
  F(write_back_and_issue)                                                                          \
  F(last_collection_and_issue)                                                                     \
  F(two_collections_of_a_warp)                                                                     \
  F(three_collections_of_a_warp)                                                                   \
  F(four_write_backs_of_a_warp)                                                                    \
  F(write_back_with_collection)                                                                    \
  F(write_back_of_nothing)                                                                         \
  F(unaligned_field)                                                                               \
  F(predicate_15)                                                                                  \
  F(issue_brings_new_head)                                                                         \
  F(issue_without_pipe)                                                                            \
  F(many_uncollected)                                                                              \
  F(hazard_ends)                                                                                   \
  F(only_uncollected)                                                                              \
  F(only_pending)                                                                                  \
  F(releases_of_a_warp)                                                                            \
  F(all_releases)
COVER_DEFINE(COVERAGE)

#define ALL UINT64_C(0xffffffffffff)
#define EVEN UINT64_C(0x555555555555)
#define ODD UINT64_C(0xaaaaaaaaaaaa)
#define PREDICATE(i) (UINT64_C(1) << (32 + (i)))
enum { PT = 15, SP = 0, NO_PIPE = 3, CTL_EXIT = 2 };

/* An operand field and its code (1, 2, 4 registers: 1, 2, 3), or a predicate. */
struct field {
  unsigned f, n, p;
};

static uint64_t opnd(struct field d, struct field s1, struct field s2, struct field s3,
                     unsigned guard, unsigned ctl, unsigned pipe) {
  uint64_t dec = (uint64_t)(s3.p << 14 | s2.p << 13 | s3.n << 11 | s2.n << 9 | s1.n << 7 |
                            d.p << 6 | d.n << 4 | ctl << 2 | pipe);
  return dec << 25 | guard << 20 | s3.f << 15 | s2.f << 10 | s1.f << 5 | d.f;
}

#define REG(r) ((struct field){r, 1, 0})
#define PAIR(r) ((struct field){r, 2, 0})
#define QUAD(r) ((struct field){r, 3, 0})
#define PRED(i) ((struct field){i, 0, 1})
#define UNUSED ((struct field){0, 0, 0})

/* Tests use warp 6 at scheduler 0 and warp 9 at scheduler 1. */
#define HEAD(o) TICK(.nh0_valid = 1, .nh0_warp = 6, .nh0_opnd = o)
#define ISSUE() TICK(.iss0_valid = 1, .iss0_warp = 6)
#define IDLE() TICK(.kernel_start = 0)
#define W6 (UINT64_C(1) << 6)

/* Ports that come in rows: a collection on port k, a write-back on port k. */
static unit_in collect(unit_in in, unsigned k, unsigned warp) {
  in.col_valid |= UINT64_C(1) << k;
  in.col_warp |= (uint64_t)warp << 6 * k;
  return in;
}

static unit_in write_back(unit_in in, unsigned k, unsigned warp, unsigned reg, unsigned size,
                          bool pred) {
  in.wb_valid |= UINT64_C(1) << k;
  in.wb_warp |= (uint64_t)warp << 6 * k;
  in.wb_reg |= (uint64_t)reg << 5 * k;
  in.wb_size |= (uint64_t)size << 2 * k;
  in.wb_pred |= (uint64_t)pred << k;
  return in;
}

static void read_after_write(struct lockstep *l) {
  /* r4,r5 = r1 op r2: nothing pends, it may issue. */
  HEAD(opnd(PAIR(5), REG(1), REG(2), UNUSED, PT, 0, SP));
  EXPECT_STATE(hazard, 0, 0);
  /* The next head reads r5 in the cycle of the issue: it has to wait. */
  TICK(.iss0_valid = 1, .iss0_warp = 6, .nh1_valid = 1,
       .nh1_opnd = opnd(REG(9), REG(5), UNUSED, UNUSED, PT, 0, SP));
  EXPECT(hazard, 0);
  EXPECT_STATE(wpend, 6, 0x30);
  EXPECT_STATE(rpend, 6, 0x6);
  EXPECT_STATE(uncol, 6, 1);
  EXPECT_STATE(hazard, 0, W6);
  /* Collected: the reads are free, the writes are not. */
  lockstep_tick(l, collect((unit_in){0}, 3, 6));
  EXPECT(hazard, W6);
  EXPECT_STATE(rpend, 6, 0);
  EXPECT_STATE(uncol, 6, 0);
  EXPECT_STATE(hazard, 0, W6);
  /* Written back, by the odd number of the pair: the head may go. */
  lockstep_tick(l, write_back((unit_in){0}, 2, 6, 5, 2, false));
  EXPECT(hazard, W6);
  EXPECT_STATE(wpend, 6, 0);
  EXPECT_STATE(hazard, 0, 0);
}

static void write_after_write_and_read(struct lockstep *l) {
  /* A quad r8..r11 from field 9, and a predicate as source. */
  HEAD(opnd(QUAD(9), REG(20), PRED(0x13), PRED(0x1f), 0x12, 0, SP));
  TICK(.iss0_valid = 1, .iss0_warp = 6, .nh1_valid = 1,
       .nh1_opnd = opnd(REG(11), UNUSED, UNUSED, UNUSED, PT, 0, SP));
  EXPECT_STATE(wpend, 6, 0xf00);
  /* Negation is not part of a predicate's number; predicate 15 is not read. */
  EXPECT_STATE(rpend, 6, PREDICATE(3) | PREDICATE(2) | 1 << 20);
  EXPECT_STATE(hazard, 0, W6);
  /* Another warp is not concerned. */
  TICK(.nh0_valid = 1, .nh0_warp = 9, .nh0_opnd = opnd(REG(11), REG(8), UNUSED, UNUSED, PT, 0, SP));
  EXPECT_STATE(hazard, 0, W6);
  /* The buffer is flushed; the next head writes what is still to be read: p3. */
  TICK(.flush_valid = 1, .flush_warp = 6);
  EXPECT_STATE(hazard, 0, 0);
  HEAD(opnd(PRED(3), UNUSED, UNUSED, UNUSED, PT, 0, SP));
  EXPECT_STATE(hazard, 0, W6);
  /* Collection frees it, though the quad is still pending. */
  lockstep_tick(l, collect((unit_in){0}, 0, 6));
  EXPECT_STATE(wpend, 6, 0xf00);
  EXPECT_STATE(hazard, 0, 0);
  /* Issue of the predicate's writer in the cycle of the quad's write-back. */
  lockstep_tick(l, write_back((unit_in){.iss0_valid = 1, .iss0_warp = 6}, 0, 6, 9, 3, false));
  EXPECT_STATE(wpend, 6, PREDICATE(3));
  EXPECT_STATE(uncol, 6, 1);
  lockstep_tick(l, write_back(collect((unit_in){0}, 1, 6), 1, 6, 0x13, 0, true));
  EXPECT_STATE(wpend, 6, 0);
  EXPECT_STATE(uncol, 6, 0);
}

/* The g-th of six heads that together name all registers and predicates, less the quad of one that
 * pends. */
static uint64_t sixth(unsigned g, unsigned pending) {
  struct field f[4];
  for (unsigned k = 0; k < 4; k++) {
    const unsigned reg = 16 * g + 4 * k, predicate = 4 * (g - 2) + k;
    if (g < 2)
      f[k] = reg == pending / 4 * 4 ? UNUSED : QUAD(reg);
    else
      f[k] = 32 + predicate == pending ? UNUSED : PRED(predicate);
  }
  if (g < 2)
    return opnd(f[0], f[1], f[2], f[3], PT, 0, SP);
  return opnd(f[0], UNUSED, f[1], f[2], f[3].p ? f[3].f : PT, 0, SP);
}

/* Each register and predicate pends in each warp, while heads of the warp name all others. */
static void one_of_a_warp_pends(struct lockstep *l) {
  for (unsigned y = 0; y < 32 + PT; y++)
    for (unsigned w = 0; w < 48; w += 2) {
      const bool predicate = y >= 32;
      const uint64_t writer =
          opnd(predicate ? PRED(y - 32) : REG(y), UNUSED, UNUSED, UNUSED, PT, 0, SP);
      TICK(.nh0_valid = 1, .nh0_warp = w, .nh0_opnd = writer);
      TICK(.nh0_valid = 1, .nh0_warp = w + 1, .nh0_opnd = writer, .iss0_valid = 1, .iss0_warp = w);
      TICK(.iss1_valid = 1, .iss1_warp = w + 1);
      lockstep_tick(l, collect(collect((unit_in){0}, 0, w), 1, w + 1));
      for (unsigned g = 0; g < 6; g++) {
        TICK(.nh0_valid = 1, .nh0_warp = w, .nh0_opnd = sixth(g, y));
        TICK(.nh0_valid = 1, .nh0_warp = w + 1, .nh0_opnd = sixth(g, y));
        for (unsigned k = 0; k < 2; k++) /* the rows are looked at again */
          lockstep_tick(
              l, write_back(write_back((unit_in){0}, 0, w, 0, 0, false), 1, w + 1, 0, 0, false));
        TICK(.flush_valid = 1, .flush_warp = w);
        TICK(.flush_valid = 1, .flush_warp = w + 1);
      }
      lockstep_tick(l, write_back(write_back((unit_in){0}, 0, w, y % 32, !predicate, predicate), 1,
                                  w + 1, y % 32, !predicate, predicate));
    }
  EXPECT_STATE(hazard, 0, 0);
  IDLE();
  EXPECT(idle, 1);
}

static void guard_is_a_source(struct lockstep *l) {
  HEAD(opnd(PRED(7), UNUSED, UNUSED, UNUSED, PT, 0, SP));
  TICK(.iss0_valid = 1, .iss0_warp = 6, .nh1_valid = 1,
       .nh1_opnd = opnd(REG(1), UNUSED, UNUSED, UNUSED, 0x17, 0, SP));
  EXPECT_STATE(hazard, 0, W6);
  lockstep_tick(l, write_back(collect((unit_in){0}, 2, 6), 3, 6, 7, 0, true));
  EXPECT_STATE(hazard, 0, 0);
  TICK(.iss0_valid = 1, .iss0_warp = 6, .nh1_valid = 1,
       .nh1_opnd = opnd(PRED(0x1f), UNUSED, UNUSED, UNUSED, PT, 0, SP));
  ISSUE();
  EXPECT_STATE(wpend, 6, PREDICATE(15) | 2);
  EXPECT_STATE(uncol, 6, 2);
  /* Nobody waits to read predicate 15; who writes it waits for who wrote it, and so does an end. */
  HEAD(opnd(REG(2), UNUSED, PRED(15), PRED(0x1f), PT, 0, SP));
  EXPECT_STATE(hazard, 0, 0);
  HEAD(opnd(PRED(15), UNUSED, UNUSED, UNUSED, PT, 0, SP));
  EXPECT_STATE(hazard, 0, W6);
  HEAD(opnd(UNUSED, UNUSED, UNUSED, UNUSED, PT, CTL_EXIT, SP));
  lockstep_tick(l, write_back(collect(collect((unit_in){0}, 0, 6), 3, 6), 1, 6, 1, 1, false));
  EXPECT_STATE(wpend, 6, PREDICATE(15));
  EXPECT_STATE(uncol, 6, 0);
  EXPECT_STATE(hazard, 0, W6);
  lockstep_tick(l, write_back((unit_in){0}, 0, 6, 0x1f, 0, true));
  EXPECT_STATE(wpend, 6, 0);
  EXPECT_STATE(hazard, 0, 0);
}

static void exit_waits_for_all(struct lockstep *l) {
  /* A store (no write) is issued and not collected: an exit has to wait for the collection. */
  HEAD(opnd(UNUSED, REG(1), REG(2), UNUSED, PT, 0, 2));
  TICK(.iss0_valid = 1, .iss0_warp = 6, .nh1_valid = 1,
       .nh1_opnd = opnd(UNUSED, UNUSED, UNUSED, UNUSED, PT, CTL_EXIT, SP));
  EXPECT_STATE(wpend, 6, 0);
  EXPECT_STATE(hazard, 0, W6);
  lockstep_tick(l, collect((unit_in){0}, 3, 6));
  EXPECT_STATE(hazard, 0, 0);
  /* A barrier between: it uses no pipe, so nothing is to be collected. */
  TICK(.flush_valid = 1, .flush_warp = 6);
  HEAD(opnd(UNUSED, UNUSED, UNUSED, UNUSED, PT, 3, NO_PIPE));
  TICK(.iss0_valid = 1, .iss0_warp = 6, .nh1_valid = 1,
       .nh1_opnd = opnd(REG(31), UNUSED, UNUSED, UNUSED, PT, 0, SP));
  EXPECT_STATE(uncol, 6, 0);
  /* r31 pends: an exit waits, an instruction that does not use it does not. */
  TICK(.iss0_valid = 1, .iss0_warp = 6, .nh1_valid = 1,
       .nh1_opnd = opnd(UNUSED, UNUSED, UNUSED, UNUSED, PT, CTL_EXIT, SP), .nh0_valid = 1,
       .nh0_warp = 9, .nh0_opnd = opnd(REG(31), REG(31), UNUSED, UNUSED, PT, 0, SP));
  lockstep_tick(l, collect((unit_in){0}, 0, 6));
  EXPECT_STATE(hazard, 0, W6);
  lockstep_tick(l, write_back((unit_in){0}, 0, 6, 31, 1, false));
  EXPECT_STATE(hazard, 0, 0);
}

static void ports_share_a_warp(struct lockstep *l) {
  /* Four instructions of warp 6 write r0, r1, p0 and r4..r7. */
  const uint64_t head[] = {opnd(REG(0), REG(16), UNUSED, UNUSED, PT, 0, SP),
                           opnd(REG(1), REG(17), UNUSED, UNUSED, PT, 0, SP),
                           opnd(PRED(0), REG(18), UNUSED, UNUSED, PT, 0, SP),
                           opnd(QUAD(4), REG(19), UNUSED, UNUSED, PT, 0, 2)};
  for (unsigned i = 0; i < 4; i++) {
    HEAD(head[i]);
    ISSUE();
  }
  EXPECT_STATE(wpend, 6, PREDICATE(0) | 0xf3);
  EXPECT_STATE(rpend, 6, 0xf0000);
  EXPECT_STATE(uncol, 6, 4);
  /* Three are collected at once: what they read stays, as one is left. */
  lockstep_tick(l, collect(collect(collect((unit_in){0}, 0, 6), 1, 6), 2, 6));
  EXPECT_STATE(uncol, 6, 1);
  EXPECT_STATE(rpend, 6, 0xf0000);
  HEAD(opnd(UNUSED, REG(30), UNUSED, UNUSED, PT, 0, 2));
  /* The last is collected as another issues; all four write back: only the new read is left. */
  lockstep_tick(
      l, write_back(
             write_back(
                 write_back(write_back(collect((unit_in){.iss0_valid = 1, .iss0_warp = 6}, 3, 6), 0,
                                       6, 0, 1, false),
                            1, 6, 1, 1, false),
                 2, 6, 0, 0, true),
             3, 6, 6, 3, false));
  EXPECT_STATE(wpend, 6, 0);
  EXPECT_STATE(rpend, 6, 1 << 30);
  EXPECT_STATE(uncol, 6, 1);
}

static void idle_when_all_is_over(struct lockstep *l) {
  /* A store, collected; an add, which is written back behind that. */
  HEAD(opnd(UNUSED, REG(1), REG(2), UNUSED, PT, 0, 2));
  EXPECT(idle, 1);
  ISSUE();
  EXPECT(idle, 1);
  lockstep_tick(l, collect((unit_in){0}, 3, 6));
  EXPECT(idle, 0);
  HEAD(opnd(REG(1), UNUSED, UNUSED, UNUSED, PT, 0, SP));
  EXPECT(idle, 1);
  ISSUE();
  lockstep_tick(l, collect((unit_in){0}, 0, 6));
  EXPECT(idle, 0);
  IDLE();
  EXPECT(idle, 0);
  lockstep_tick(l, write_back((unit_in){0}, 0, 6, 1, 1, false));
  EXPECT(idle, 0);
  IDLE();
  EXPECT(idle, 1);
}

/* An issued instruction, as the back end knows it. */
struct flight {
  bool collected;
  bool writes; /* its write-back is to come (of nothing, for a store) */
  bool pred;
  unsigned reg, size;
};
enum { FLIGHTS = 63, COLLECTIONS = 4, MEM_PORT = 3 };

struct back_end {
  struct flight flight[WARPS][FLIGHTS];
  unsigned count[WARPS];
  warpset busy; /* warps with flights */
  uint64_t head[WARPS];
  unsigned fetch, issue, collect, write, flush; /* per cent */
  unsigned last, focus;                         /* per cent on the first warp behind this one */
  unsigned reg;                                 /* the first of those that are used most */
  unsigned readers;                             /* heads that write nothing, per cent */
  bool ending;
};

static struct field random_reg(struct rng *r, const struct back_end *b) {
  static const unsigned sizes[] = {1, 1, 1, 1, 1, 2, 2, 3};
  unsigned reg = b->reg + rng_below(r, rng_chance(r, 70) ? 12 : 32);
  return (struct field){reg % 32, sizes[rng_below(r, 8)], 0};
}

static struct field random_field(struct rng *r, const struct back_end *b, bool may_be_predicate) {
  unsigned kind = rng_below(r, 4);
  if (kind == 0)
    return (struct field){rng_below(r, 32), 0, 0};
  if (kind == 1 && may_be_predicate)
    return (struct field){rng_below(r, 32), 0, 1};
  return random_reg(r, b);
}

static uint64_t random_opnd(struct rng *r, const struct back_end *b) {
  unsigned guard = rng_chance(r, 60) ? PT : rng_below(r, 32);
  unsigned kind = rng_below(r, 12);
  struct field nothing = {rng_below(r, 32), 0, 0};
  if (kind == 0)
    return opnd(nothing, nothing, nothing, nothing, PT, 3 * rng_below(r, 2), NO_PIPE);
  if (kind <= 2)
    return opnd(nothing, nothing, nothing, nothing, guard, CTL_EXIT, SP);
  if (rng_chance(r, b->readers))
    return opnd(nothing, random_reg(r, b), random_reg(r, b), nothing, guard, 0, SP);
  return opnd(random_field(r, b, true), random_field(r, b, false), random_field(r, b, true),
              random_field(r, b, true), guard, rng_below(r, 2), rng_below(r, 3));
}

static void take_off(struct back_end *b, unsigned warp) {
  unsigned dec = (unsigned)(b->head[warp] >> 25);
  if (decode_pipe(dec) == NO_PIPE)
    return;
  b->flight[warp][b->count[warp]++] = (struct flight){.writes = true,
                                                      .pred = decode_d_p(dec),
                                                      .reg = (unsigned)b->head[warp] & 31,
                                                      .size = decode_d_n(dec)};
  b->busy |= warpset_of(warp);
}

/* Flights that are over go. */
static void land(struct back_end *b, unsigned warp) {
  unsigned n = 0;
  for (unsigned i = 0; i < b->count[warp]; i++)
    if (!b->flight[warp][i].collected || b->flight[warp][i].writes)
      b->flight[warp][n++] = b->flight[warp][i];
  b->count[warp] = n;
  warpset_put(&b->busy, warp, n != 0);
}

/* A flight that may be collected, or written back; NULL if the warp chosen has none. */
static struct flight *find(struct rng *r, struct back_end *b, unsigned *warp, bool to_collect) {
  if (b->busy == 0)
    return NULL;
  *warp = rng_chance(r, b->focus) ? warpset_first_after(b->busy, b->last) : rng_member(r, b->busy);
  for (unsigned i = 0; i < b->count[*warp]; i++) {
    struct flight *f = &b->flight[*warp][i];
    if (to_collect ? !f->collected : f->collected && f->writes)
      return f;
  }
  return NULL;
}

static void drive_back_end(struct rng *r, struct back_end *b, unit_in *in) {
  unsigned warp;
  struct flight *f;
  warpset touched = 0, collected = 0, written = 0;
  unsigned per_warp[WARPS] = {0}, released[WARPS] = {0};
  for (unsigned k = 0; k < COLLECTIONS; k++) {
    if (!rng_chance(r, b->collect) || (f = find(r, b, &warp, true)) == NULL)
      continue;
    *in = collect(*in, k, warp);
    f->collected = true;
    touched |= warpset_of(warp);
    collected |= warpset_of(warp);
    per_warp[warp]++;
    cover(COVER_two_collections_of_a_warp, per_warp[warp] == 2);
    cover(COVER_three_collections_of_a_warp, per_warp[warp] == 3);
  }
  memset(per_warp, 0, sizeof per_warp);
  for (unsigned k = 0; k < MEM_PORT + releases; k++) {
    if (!rng_chance(r, b->write) || (f = find(r, b, &warp, false)) == NULL)
      continue;
    *in = write_back(*in, k, warp, f->reg, f->size, f->pred);
    f->writes = false;
    touched |= warpset_of(warp);
    written |= warpset_of(warp);
    per_warp[warp]++;
    cover(COVER_four_write_backs_of_a_warp, per_warp[warp] == 4);
    cover(COVER_write_back_of_nothing, f->size == 0 && !f->pred);
    cover(COVER_unaligned_field, f->size == 3 && f->reg % 4 != 0);
    cover(COVER_predicate_15, f->pred && f->reg % 16 == PT);
    if (k >= MEM_PORT) /* as many as a monitor may release in a cycle */
      cover(COVER_releases_of_a_warp, ++released[warp] == 2 || releases == 1);
  }
  cover(COVER_all_releases, in->wb_valid >> MEM_PORT == (UINT64_C(1) << releases) - 1);
  cover(COVER_write_back_with_collection, (collected & written) != 0);
  for (; touched != 0; touched &= touched - 1)
    land(b, warpset_first(touched));
}

/* The warps of a scheduler that may issue and have room for another flight. */
static warpset may_issue(const struct lockstep *l, const struct back_end *b, warpset own) {
  warpset ready = l->ref.has_head & ~l->ref.hazard & own;
  for (warpset left = ready; left != 0; left &= left - 1)
    if (b->count[warpset_first(left)] == FLIGHTS)
      ready &= ~warpset_of(warpset_first(left));
  return ready;
}

static void drive_front_end(struct lockstep *l, struct rng *r, struct back_end *b, unit_in *in) {
  warpset even = may_issue(l, b, EVEN), odd = may_issue(l, b, ODD), busy = 0;
#define PICK(set) (rng_chance(r, 50) ? warpset_first_after(set, b->last) : rng_member(r, set))
  if (even != 0 && rng_chance(r, b->issue)) {
    unsigned w = PICK(even);
    in->iss0_valid = 1;
    in->iss0_warp = w;
    take_off(b, w);
    busy |= warpset_of(w);
    in->nh1_valid = !b->ending && rng_chance(r, 60);
    if (in->nh1_valid)
      b->head[w] = in->nh1_opnd = random_opnd(r, b);
  }
  if (odd != 0 && rng_chance(r, b->issue)) {
    unsigned w = PICK(odd);
    in->iss1_valid = 1;
    in->iss1_warp = w;
    take_off(b, w);
    busy |= warpset_of(w);
    in->nh2_valid = !b->ending && rng_chance(r, 60);
    if (in->nh2_valid)
      b->head[w] = in->nh2_opnd = random_opnd(r, b);
  }
  warpset empty = ALL & ~l->ref.has_head & ~busy;
  if (!b->ending && empty != 0 && rng_chance(r, b->fetch)) {
    unsigned w = PICK(empty);
    in->nh0_valid = 1;
    in->nh0_warp = w;
    b->head[w] = in->nh0_opnd = random_opnd(r, b);
    busy |= warpset_of(w);
  }
  if (rng_chance(r, b->flush)) {
    warpset full = l->ref.has_head & ~busy;
    in->flush_valid = 1;
    in->flush_warp = rng_member(r, full != 0 && rng_chance(r, 70) ? full : ALL & ~busy);
  }
#undef PICK
}

/* Why the heads of the warps wait. */
static void cover_hazards(const struct lockstep *l) {
  for (warpset left = l->ref.hazard; left != 0; left &= left - 1) {
    const struct scoreboard_warp *w = &l->ref.warp[warpset_first(left)];
    cover(COVER_exit_waits_for_collection, w->head.exits && w->written == 0);
    cover(COVER_many_uncollected, w->uncollected > 32);
  }
}

static void cover_cycle(const struct lockstep *l, const unit_in *in, warpset hazards,
                        unsigned uncollected) {
  unsigned w = in->iss0_valid ? (unsigned)in->iss0_warp : NO_WARP;
  unsigned collections = 0;
  for (unsigned k = 0; k < COLLECTIONS; k++)
    collections += (in->col_valid >> k & 1) != 0 && (in->col_warp >> 6 * k & 63) == w;
  cover(COVER_write_back_and_issue, (in->wb_valid & 1) != 0 && (in->wb_warp & 63) == w);
  cover(COVER_last_collection_and_issue, collections != 0 && collections == uncollected);
  cover(COVER_issue_brings_new_head, in->iss0_valid && in->nh1_valid);
  cover(COVER_issue_without_pipe, w != NO_WARP && !l->ref.warp[w].head.collects && !in->nh1_valid);
  bool pending = false, waits = false;
  for (unsigned i = 0; i < WARPS; i++) {
    pending = pending || l->ref.warp[i].written != 0;
    waits = waits || l->ref.warp[i].uncollected != 0;
  }
  cover(COVER_only_uncollected, waits && !pending);
  cover(COVER_only_pending, pending && !waits);
  cover(COVER_hazard_ends, (hazards & ~l->ref.hazard & l->ref.has_head) != 0);
}

static void random_scoreboard(struct lockstep *l, struct rng *r, uint64_t cycles) {
  static struct back_end b;
  b = (struct back_end){.fetch = 80, .issue = 70, .collect = 30, .write = 30, .flush = 3};
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_below(r, 200) == 0) {
      b.fetch = 20 + rng_below(r, 81);
      b.issue = 20 + rng_below(r, 81);
      b.collect = rng_chance(r, 20) ? 100 : 3 + rng_below(r, 60);
      b.write = rng_chance(r, 20) ? 100 : 3 + rng_below(r, 60);
      b.last = rng_below(r, WARPS);
      b.focus = 20 + rng_below(r, 81);
      b.reg = rng_below(r, 32);
      b.flush = rng_below(r, 10);
      b.ending = rng_chance(r, 40);
      b.readers = 0;
      if (rng_chance(r, 15)) { /* operands pile up where nothing waits for a write */
        b.readers = 95;
        b.fetch = b.issue = 100;
        b.collect = rng_below(r, 5);
        b.ending = false;
      }
      if (rng_chance(r, 15)) /* and write-backs of one warp on all ports */
        b.collect = b.write = b.focus = 100;
    }
    unit_in in = {0};
    if (b.ending && b.busy == 0 && l->ref.has_head == 0) {
      in.kernel_start = 1;
      b.ending = false;
    } else {
      drive_back_end(r, &b, &in);
      drive_front_end(l, r, &b, &in);
      if (rng_below(r, 1000) == 0) { /* whatever is in flight, and whatever else happens */
        in.kernel_start = 1;
        memset(b.count, 0, sizeof b.count);
        b.busy = 0;
      }
    }
    warpset hazards = l->ref.hazard;
    unsigned uncollected = l->ref.warp[in.iss0_warp].uncollected;
    ROWS_NOISE(&in, MEM_PORT + releases, r);
    lockstep_tick(l, in);
    cover_hazards(l);
    cover_cycle(l, &in, hazards, uncollected);
  }
}

UNIT_MAIN_WITH(parameters, DIRECTED(read_after_write), DIRECTED(write_after_write_and_read),
               DIRECTED(guard_is_a_source), DIRECTED(exit_waits_for_all),
               DIRECTED(ports_share_a_warp), DIRECTED(idle_when_all_is_over),
               DIRECTED(one_of_a_warp_pends), RANDOM(random_scoreboard))
