/* simt_stack: divergence, reconvergence, exits, overflow. */
#include "csim/ref/sm/simt_stack.h"

#define UNIT simt_stack
#define UNIT_LENGTH 4 /* each entry of each warp */
/* A PC or mask of a warp that is not live means nothing. */
#define UNIT_UNDEFINED(l) hide_undefined(l)
struct lockstep;
static void hide_undefined(struct lockstep *l);
/* Bits that no legal input changes. */
#define UNIT_UNREACHED(F)                                                                          \
  F(iss0_warp, 1, "even warps")                                                                    \
  F(iss1_warp, 1, "odd warps")
#include "tests/unit/lockstep.h"

static void hide_undefined(struct lockstep *l) {
  uint64_t live = l->ref_out.live;
  if (!warpset_has(live, (unsigned)l->in.fetch_warp))
    l->ref_out.fetch_pc = l->dut_out.fetch_pc = 0;
  if (!warpset_has(live, (unsigned)l->in.iss0_warp))
    l->ref_out.rd0_pc = l->dut_out.rd0_pc = l->ref_out.rd0_mask = l->dut_out.rd0_mask = 0;
  if (!warpset_has(live, (unsigned)l->in.iss1_warp))
    l->ref_out.rd1_pc = l->dut_out.rd1_pc = l->ref_out.rd1_mask = l->dut_out.rd1_mask = 0;
  if (!warpset_has(live, (unsigned)l->in.roll0_warp))
    l->ref_out.rd0_depth = l->dut_out.rd0_depth = 0;
  if (!warpset_has(live, (unsigned)l->in.roll1_warp))
    l->ref_out.rd1_depth = l->dut_out.rd1_depth = 0;
}

#define COVERAGE(F)                                                                                \
  F(branch_none_taken)                                                                             \
  F(branch_all_taken)                                                                              \
  F(branch_some_to_next)                                                                           \
  F(branch_all_to_rpc)                                                                             \
  F(branch_none_at_rpc)                                                                            \
  F(diverge_both)                                                                                  \
  F(diverge_fall_is_rpc)                                                                           \
  F(diverge_target_is_rpc)                                                                         \
  F(diverge_same_rpc_both)                                                                         \
  F(diverge_same_rpc_fall_is_rpc)                                                                  \
  F(diverge_same_rpc_target_is_rpc)                                                                \
  F(diverge_at_bottom_without_rpc)                                                                 \
  F(diverge_deeper_without_rpc)                                                                    \
  F(stack_full)                                                                                    \
  F(trap_by_one)                                                                                   \
  F(trap_by_two)                                                                                   \
  F(full_stack_keeps_depth)                                                                        \
  F(exit_all)                                                                                      \
  F(exit_none)                                                                                     \
  F(exit_some_go_on)                                                                               \
  F(exit_top_empty)                                                                                \
  F(exit_rest_at_rpc)                                                                              \
  F(settle_by_issue)                                                                               \
  F(settle_again_empty)                                                                            \
  F(two_warps_settle)                                                                              \
  F(everything_at_once)                                                                            \
  F(done_and_pop)                                                                                  \
  F(relaunch)                                                                                      \
  F(taken_outside_mask)                                                                            \
  F(deferred)                                                                                      \
  F(deferred_beside_pop)                                                                           \
  F(popped_after_deferral)                                                                         \
  F(kernel_starts)
COVER_DEFINE(COVERAGE)

#define EVEN UINT64_C(0x555555555555)
#define ODD UINT64_C(0xaaaaaaaaaaaa)
#define ALL (EVEN | ODD)
enum { NONE, BRA, EXIT, BAR, NO_RPC = 0xffff };

/* Tests address warp 2 alone, reading it at every port. */
enum { W = 2 };
#define READ .fetch_warp = W, .iss0_warp = W, .iss1_warp = 1, .roll0_warp = W, .roll1_warp = 1
#define IDLE() TICK(READ)
#define LAUNCH(at, lanes)                                                                          \
  TICK(READ, .launch_valid = 1, .launch_warp = W, .launch_pc = at, .launch_mask = lanes)
#define ISSUE(class) TICK(READ, .iss0_valid = 1, .iss0_ctl = class)
#define BRANCH(to, meet)                                                                           \
  TICK(READ, .iss0_valid = 1, .iss0_ctl = BRA, .iss0_target = to, .iss0_rpc = meet)
#define RESOLVE(lanes) TICK(READ, .resolve_valid = 1, .resolve_warp = W, .resolve_taken = lanes)

static void expect_top(struct lockstep *l, uint64_t pc, uint64_t rpc, uint64_t mask,
                       uint64_t depth) {
  EXPECT_STATE(tos_pc, W, pc);
  EXPECT_STATE(tos_rpc, W, rpc);
  EXPECT_STATE(tos_mask, W, mask);
  EXPECT_STATE(depth, W, depth);
}

static void straight_line(struct lockstep *l) {
  LAUNCH(100, 0xff);
  EXPECT_STATE(live, 0, 1 << W);
  expect_top(l, 100, NO_RPC, 0xff, 0);
  /* A plain instruction and a barrier: the PC goes on. */
  ISSUE(NONE);
  EXPECT(rd0_pc, 100);
  EXPECT(rd0_mask, 0xff);
  EXPECT(fetch_pc, 100);
  ISSUE(BAR);
  expect_top(l, 102, NO_RPC, 0xff, 0);
  /* A branch that all lanes take; the warp is held meanwhile. */
  BRANCH(200, 210);
  EXPECT_STATE(ctrl, 0, 1 << W);
  IDLE();
  EXPECT(ctrl, 1 << W);
  EXPECT(rd0_pc, 103);
  RESOLVE(0xffffffff);
  EXPECT(done_valid, 0);
  EXPECT_STATE(ctrl, 0, 0);
  expect_top(l, 200, NO_RPC, 0xff, 0);
  /* One that none takes: only lanes outside the mask. */
  BRANCH(300, 310);
  RESOLVE(0xffffff00);
  expect_top(l, 201, NO_RPC, 0xff, 0);
  /* One that some take, to the next instruction: no divergence. */
  BRANCH(202, 310);
  RESOLVE(0x0f);
  expect_top(l, 202, NO_RPC, 0xff, 0);
  /* Half of the lanes exit, then the rest. */
  ISSUE(EXIT);
  RESOLVE(0x0f);
  EXPECT(done_valid, 0);
  EXPECT_STATE(live_mask, W, 0xf0);
  expect_top(l, 203, NO_RPC, 0xf0, 0);
  ISSUE(EXIT);
  RESOLVE(0xf0);
  EXPECT(done_valid, 1);
  EXPECT(done_warp, W);
  EXPECT_STATE(live, 0, 0);
  EXPECT_STATE(ctrl, 0, 0);
  EXPECT_STATE(settle, 0, 0);
}

static void if_then_else(struct lockstep *l) {
  LAUNCH(10, 0xff);
  /* Lanes 0 to 3 jump to 20, the others fall to 11; they meet at 30. */
  BRANCH(20, 30);
  RESOLVE(0x0f);
  expect_top(l, 20, 30, 0x0f, 2);
  EXPECT_STATE(settle, 0, 0);
  /* 20 jumps to 30: popped, and the buffer flushed. */
  BRANCH(30, 30);
  RESOLVE(0xff);
  EXPECT_STATE(settle, 0, 1 << W);
  IDLE();
  EXPECT(flush_valid, 1);
  EXPECT(flush_warp, W);
  EXPECT_STATE(settle, 0, 0);
  expect_top(l, 11, 30, 0xf0, 1);
  /* Within it a branch to its own reconvergence point: lanes 4 and 5 are already there, so nothing
   * is added but the way of the others, in place of the old top. */
  BRANCH(30, 30);
  RESOLVE(0x30);
  expect_top(l, 12, 30, 0xc0, 1);
  /* The others reach it by falling through. */
  for (unsigned pc = 12; pc < 30; pc++)
    ISSUE(NONE);
  EXPECT_STATE(settle, 0, 1 << W);
  IDLE();
  expect_top(l, 30, NO_RPC, 0xff, 0);
  EXPECT_STATE(settle, 0, 0);
  /* A loop's exit: lane 7 falls to 31 where the others will meet it; they go on at 25. */
  BRANCH(25, 31);
  RESOLVE(0x7f);
  expect_top(l, 25, 31, 0x7f, 1);
}

static void exits_on_the_way(struct lockstep *l) {
  LAUNCH(10, 0xff);
  BRANCH(20, 30);
  RESOLVE(0x0f);
  /* All lanes of the taken way exit: it is popped. */
  ISSUE(EXIT);
  RESOLVE(0x0f);
  EXPECT(done_valid, 0);
  EXPECT_STATE(settle, 0, 1 << W);
  IDLE();
  expect_top(l, 11, 30, 0xf0, 1);
  /* The other way too: then the meeting point is left with no lane, but that is the end. */
  ISSUE(EXIT);
  RESOLVE(0xf0);
  EXPECT(done_valid, 1);
  EXPECT_STATE(live, 0, 0);
  EXPECT_STATE(settle, 0, 0);
  /* Launched again while the old stack lies there: a fresh one. */
  LAUNCH(50, 3);
  expect_top(l, 50, NO_RPC, 3, 0);
  EXPECT_STATE(live_mask, W, 3);
  /* Nested: lane 0 at 60 within {0, 1} at 70; entries below lose exited lanes when they surface. */
  BRANCH(60, NO_RPC);
  RESOLVE(1);
  expect_top(l, 60, NO_RPC, 1, 1);
  ISSUE(EXIT);
  RESOLVE(1);
  IDLE();
  expect_top(l, 51, NO_RPC, 2, 0);
  EXPECT_STATE(live_mask, W, 2);
}

static void settles_twice(struct lockstep *l) {
  LAUNCH(10, 0xf);
  BRANCH(20, 40);
  RESOLVE(0x3);
  expect_top(l, 20, 40, 0x3, 2);
  /* Nested, meeting at 39: the taken way is 39 itself, so only lane 1's is added above it. */
  BRANCH(39, 39);
  RESOLVE(0x1);
  expect_top(l, 21, 39, 0x2, 3);
  /* Lane 1 exits; the entry at 39 surfaces with lane 0. */
  ISSUE(EXIT);
  RESOLVE(0x2);
  IDLE();
  expect_top(l, 39, 40, 0x1, 2);
  EXPECT_STATE(settle, 0, 0);
  /* It falls to 40 and is popped: the way of lanes 2 and 3, which exit, and then the meeting
   * point. */
  ISSUE(NONE);
  EXPECT_STATE(settle, 0, 1 << W);
  IDLE();
  expect_top(l, 11, 40, 0xc, 1);
  ISSUE(EXIT);
  RESOLVE(0xc);
  IDLE();
  expect_top(l, 40, NO_RPC, 0x1, 0);
  ISSUE(EXIT);
  RESOLVE(0x1);
  EXPECT(done_valid, 1);
  /* Two ways that never meet, within one that does: what would join them surfaces with no lane and
   * is popped as well. */
  LAUNCH(10, 0xf);
  BRANCH(20, 40);
  RESOLVE(0x3);
  BRANCH(30, NO_RPC);
  RESOLVE(0x1);
  expect_top(l, 30, NO_RPC, 0x1, 4);
  ISSUE(EXIT);
  RESOLVE(0x1);
  IDLE();
  expect_top(l, 21, NO_RPC, 0x2, 3);
  EXPECT_STATE(settle, 0, 0);
  ISSUE(EXIT);
  RESOLVE(0x2);
  IDLE();
  EXPECT(flush_valid, 1);
  expect_top(l, NO_RPC, 40, 0, 2);
  EXPECT_STATE(settle, 0, 1 << W);
  IDLE();
  EXPECT(flush_valid, 1);
  expect_top(l, 11, 40, 0xc, 1);
  EXPECT_STATE(settle, 0, 0);
}

static void overflows(struct lockstep *l) {
  LAUNCH(0, 0xffffffff);
  BRANCH(1000, 3000);
  RESOLVE(0xfffffffe);
  expect_top(l, 1000, 3000, 0xfffffffe, 2);
  /* Branches that meet at 3000 too replace the top by two: the depth grows by one. */
  for (unsigned i = 2; i < 16; i++) {
    BRANCH(1000 + 10 * i, 3000);
    RESOLVE(UINT64_C(0xffffffff) << i);
    expect_top(l, 1000 + 10 * i, 3000, UINT64_C(0xffffffff) << i & 0xffffffff, i + 1);
  }
  /* Sixteen are below the top.  A branch to 3000 itself replaces the top by one: it fits. */
  BRANCH(3000, 3000);
  RESOLVE(0x00ff0000);
  EXPECT(trap_valid, 0);
  expect_top(l, 1151, 3000, 0xff008000, 16);
  /* One more is too many: a trap, and the warp stays as it is, held for good. */
  BRANCH(2000, 3000);
  RESOLVE(0x0f000000);
  EXPECT(trap_valid, 1);
  EXPECT(trap_warp, W);
  EXPECT(done_valid, 0);
  EXPECT_STATE(ctrl, 0, 1 << W);
  EXPECT_STATE(settle, 0, 0);
  expect_top(l, 1152, 3000, 0xff008000, 16);
  IDLE();
  EXPECT(trap_valid, 0);
  EXPECT(live, 1 << W);
}

static void two_pops_in_turn(struct lockstep *l) {
  /* Warps 2 and 5 diverge, their first ways meet at once. */
  LAUNCH(10, 0xff);
  TICK(.launch_valid = 1, .launch_warp = 5, .launch_pc = 10, .launch_mask = 0xff, .iss1_warp = 1);
  TICK(.iss0_valid = 1, .iss0_warp = W, .iss0_ctl = BRA, .iss0_target = 29, .iss0_rpc = 30,
       .iss1_valid = 1, .iss1_warp = 5, .iss1_ctl = BRA, .iss1_target = 29, .iss1_rpc = 30);
  EXPECT_STATE(ctrl, 0, 1 << 5 | 1 << W);
  TICK(.resolve_valid = 1, .resolve_warp = 5, .resolve_taken = 0xf, .iss1_warp = 5);
  TICK(.resolve_valid = 1, .resolve_warp = W, .resolve_taken = 0xf, .iss1_warp = 5);
  TICK(.iss0_valid = 1, .iss0_warp = W, .iss1_valid = 1, .iss1_warp = 5);
  EXPECT(rd0_pc, 29);
  EXPECT(rd1_pc, 29);
  EXPECT_STATE(settle, 0, 1 << 5 | 1 << W);
  /* The lower warp first. */
  TICK(READ);
  EXPECT(flush_warp, W);
  EXPECT_STATE(settle, 0, 1 << 5);
  TICK(READ);
  EXPECT(flush_valid, 1);
  EXPECT(flush_warp, 5);
  TICK(READ);
  EXPECT(flush_valid, 0);
}

/* Warps 2 and 5 are to be popped; `defer` makes warps wait. */
static void deferred_warps_wait(struct lockstep *l) {
  enum { BOTH = 1 << 5 | 1 << W };
  LAUNCH(10, 0xff);
  TICK(.launch_valid = 1, .launch_warp = 5, .launch_pc = 10, .launch_mask = 0xff, .iss1_warp = 1);
  TICK(.iss0_valid = 1, .iss0_warp = W, .iss0_ctl = BRA, .iss0_target = 29, .iss0_rpc = 30,
       .iss1_valid = 1, .iss1_warp = 5, .iss1_ctl = BRA, .iss1_target = 29, .iss1_rpc = 30);
  TICK(.resolve_valid = 1, .resolve_warp = 5, .resolve_taken = 0xf, .iss1_warp = 5);
  TICK(.resolve_valid = 1, .resolve_warp = W, .resolve_taken = 0xf, .iss1_warp = 5);
  TICK(.iss0_valid = 1, .iss0_warp = W, .iss1_valid = 1, .iss1_warp = 5, .defer = BOTH);
  EXPECT_STATE(settle, 0, BOTH);
  /* Both are: nothing is popped. */
  TICK(READ, .defer = BOTH);
  EXPECT(flush_valid, 0);
  EXPECT_STATE(settle, 0, BOTH);
  /* The lower one alone: the other has the cycle. */
  TICK(READ, .defer = 1 << W);
  EXPECT(flush_valid, 1);
  EXPECT(flush_warp, 5);
  EXPECT_STATE(settle, 0, 1 << W);
  expect_top(l, 30, 30, 0xf, 2);
  /* No more: it is popped as if nothing had been. */
  TICK(READ);
  EXPECT(flush_warp, W);
  expect_top(l, 11, 30, 0xf0, 1);
}

static void outcomes_of_resolves(struct lockstep *l) {
  LAUNCH(10, 0xff);
  /* Lanes that are not active do not count. */
  BRANCH(20, 30);
  RESOLVE(0xf0f);
  EXPECT(res_at, 10);
  EXPECT(res_dirs, 3);
  /* All of them take it, then none. */
  BRANCH(25, 30);
  RESOLVE(0xf);
  EXPECT(res_dirs, 1);
  BRANCH(28, 30);
  RESOLVE(0xf0);
  EXPECT(res_dirs, 2);
  /* To where the ways meet, at once: the others are on top. */
  BRANCH(30, 30);
  RESOLVE(0x3);
  EXPECT(res_dirs, 3);
  expect_top(l, 27, 30, 0xc, 2);
  /* The directions of an exit: some lanes end, and some do not. */
  ISSUE(EXIT);
  RESOLVE(0x4);
  EXPECT(res_dirs, 3);
}

/* Which coincidences a resolve is, from the warp before it. */
static void cover_resolve(const struct simt_warp *w, uint32_t lanes, const unit_out *out) {
  const struct simt_entry *top = &w->top;
  const struct simt_pending *b = &w->pending;
  uint32_t taken = lanes & top->mask, rest = top->mask & ~taken;
  cover(COVER_taken_outside_mask, (lanes & ~top->mask) != 0);
  if (b->exit) {
    bool done = (w->lanes & ~taken) == 0;
    cover(COVER_exit_all, done);
    cover(COVER_exit_none, taken == 0);
    cover(COVER_exit_some_go_on, taken != 0 && rest != 0);
    cover(COVER_exit_top_empty, !done && rest == 0);
    cover(COVER_exit_rest_at_rpc, !done && rest != 0 && top->pc == top->rpc);
    return;
  }
  bool to_next = b->target == top->pc, both = taken != 0 && rest != 0 && !to_next;
  bool same = b->rpc == top->rpc, fall_meets = b->rpc == top->pc, goes_meet = b->rpc == b->target;
  cover(COVER_branch_none_taken, taken == 0);
  cover(COVER_branch_all_taken, rest == 0 && !to_next);
  cover(COVER_branch_some_to_next, taken != 0 && rest != 0 && to_next);
  cover(COVER_branch_all_to_rpc, rest == 0 && b->target == top->rpc);
  cover(COVER_branch_none_at_rpc, taken == 0 && top->pc == top->rpc);
  if (!both)
    return;
  unsigned added = 2U - fall_meets - goes_meet, below = w->depth + added - same;
  cover(COVER_trap_by_one, out->trap_valid && below == SIMT_BELOW + 1);
  cover(COVER_trap_by_two, out->trap_valid && below == SIMT_BELOW + 2);
  cover(COVER_stack_full, below == SIMT_BELOW && w->depth < SIMT_BELOW);
  cover(COVER_full_stack_keeps_depth, below == SIMT_BELOW && w->depth == SIMT_BELOW);
  if (out->trap_valid)
    return;
  cover(COVER_diverge_both, !same && added == 2);
  cover(COVER_diverge_fall_is_rpc, !same && fall_meets);
  cover(COVER_diverge_target_is_rpc, !same && goes_meet);
  cover(COVER_diverge_same_rpc_both, same && added == 2);
  cover(COVER_diverge_same_rpc_fall_is_rpc, same && fall_meets);
  cover(COVER_diverge_same_rpc_target_is_rpc, same && goes_meet);
  cover(COVER_diverge_at_bottom_without_rpc, w->depth == 0 && b->rpc == NO_RPC);
  cover(COVER_diverge_deeper_without_rpc, !same && b->rpc == NO_RPC);
}

struct driver {
  warpset trapped, launched;
  warpset deferred; /* warps that were to wait, in the cycle before */
  unsigned defer;   /* per cent of cycles in which those to wait change; 0: none waits */
  warpset waits;
  bool ending;          /* warps only exit */
  bool deepening;       /* they only branch, and one lane stays behind each time */
  unsigned rate, split; /* per cent: events; branches that diverge */
};

/* PCs are below FAR_PC, and increments do not take them to NO_RPC. */
enum { FAR_PC = 0xf000 };

/* A little behind a PC, within its 256 instructions. */
static uint16_t near_pc(struct rng *r, uint16_t pc) {
  return (uint16_t)((pc & 0xff00) | ((pc + 1 + rng_below(r, 8)) & 0xff));
}

/* A branch or other instruction of a warp, with PCs that coincide often. */
static struct simt_issue random_issue(const struct lockstep *l, struct rng *r, unsigned warp,
                                      const struct driver *d) {
  const struct simt_entry *top = simt_stack_ref_top(&l->ref, warp);
  uint16_t fall = (uint16_t)(top->pc + 1);
  struct simt_issue i = {.ctl = d->ending ? EXIT : rng_below(r, 4)};
  if (d->deepening || (i.ctl == EXIT && !d->ending && rng_chance(r, 60)))
    i.ctl = BRA;
  unsigned kind = rng_below(r, 10);
  i.rpc = kind < 4    ? top->rpc
          : kind == 4 ? fall
          : kind == 5 ? NO_RPC
                      : (uint16_t)(fall + rng_below(r, 6));
  kind = rng_below(r, 10);
  i.target = kind == 0   ? fall
             : kind == 1 ? top->rpc
             : kind == 2 ? i.rpc
             : kind == 3 ? (uint16_t)rng_below(r, FAR_PC)
                         : near_pc(r, fall);
  if (l->ref.warp[warp].depth == SIMT_BELOW && rng_chance(r, 60))
    i.target = i.rpc = top->rpc;
  if (i.target == NO_RPC)
    i.target = (uint16_t)(fall + 2);
  return i;
}

static uint32_t random_lanes(const struct lockstep *l, struct rng *r, unsigned warp,
                             const struct driver *d) {
  uint32_t mask = simt_stack_ref_top(&l->ref, warp)->mask;
  uint32_t noise = (uint32_t)rng_next(r);
  if (d->ending)
    return UINT32_MAX;
  if (l->ref.warp[warp].pending.exit && rng_chance(r, 50))
    return noise & (uint32_t)rng_next(r) & (uint32_t)rng_next(r);
  if (rng_chance(r, d->deepening
                        ? 95
                        : d->split)) /* one lane stays, so that there is something left to split */
    return mask & (mask - 1);
  switch (rng_below(r, 4)) {
  case 0:
    return 0;
  case 1:
    return mask | noise;
  case 2:
    return ~mask;
  default:
    return noise;
  }
}

/* A warp of a set; deepening goes on with the same few. */
static unsigned choose(struct rng *r, warpset set, const struct driver *d) {
  return d->deepening && rng_chance(r, 80) ? warpset_first(set) : rng_member(r, set);
}

static unit_in drive(const struct lockstep *l, struct rng *r, const struct driver *d) {
  const struct simt_stack_ref *s = &l->ref;
  warpset can_issue = s->live & ~s->ctrl & ~s->settle, resolvable = s->ctrl & ~d->trapped;
  warpset dead = ALL & ~s->live;
  unit_in in = {.fetch_warp = rng_member(r, s->live != 0 ? s->live : ALL),
                .iss0_warp = rng_member(r, EVEN & (s->live & EVEN ? s->live : ALL)),
                .iss1_warp = rng_member(r, ODD & (s->live & ODD ? s->live : ALL)),
                .roll0_warp = rng_member(r, s->live != 0 ? s->live : ALL),
                .roll1_warp = rng_member(r, s->live != 0 ? s->live : ALL),
                .defer = d->waits};
  if (!d->ending && dead != 0 && rng_chance(r, d->rate)) {
    in.launch_valid = 1;
    in.launch_warp = rng_member(r, dead);
    in.launch_pc = rng_below(r, rng_chance(r, 50) ? 256 : FAR_PC);
    in.launch_mask = rng_chance(r, d->deepening ? 95 : 50)
                         ? UINT32_MAX
                         : rng_next(r) >> 32 | UINT32_C(1) << rng_below(r, 32);
  }
  if (resolvable != 0 && rng_chance(r, d->rate)) {
    in.resolve_valid = 1;
    in.resolve_warp = choose(r, resolvable, d);
    in.resolve_taken = random_lanes(l, r, (unsigned)in.resolve_warp, d);
  }
  if ((can_issue & EVEN) != 0 && rng_chance(r, d->rate)) {
    unsigned w = choose(r, can_issue & EVEN, d);
    struct simt_issue i = random_issue(l, r, w, d);
    in.iss0_valid = 1;
    in.iss0_warp = w;
    in.iss0_ctl = i.ctl;
    in.iss0_target = i.target;
    in.iss0_rpc = i.rpc;
  }
  if ((can_issue & ODD) != 0 && rng_chance(r, d->rate)) {
    unsigned w = choose(r, can_issue & ODD, d);
    struct simt_issue i = random_issue(l, r, w, d);
    in.iss1_valid = 1;
    in.iss1_warp = w;
    in.iss1_ctl = i.ctl;
    in.iss1_target = i.target;
    in.iss1_rpc = i.rpc;
  }
  return in;
}

/* Covers coincidences of pops, deferrals and launches, once the cycle is over. */
static void cover_cycle(const struct lockstep *l, const unit_in *in, const struct driver *d) {
  const uint64_t deferred = l->ref_out.settle & in->defer;
  cover(COVER_deferred, deferred != 0 && !l->ref_out.flush_valid);
  cover(COVER_deferred_beside_pop,
        deferred != 0 && l->ref_out.flush_valid && warpset_first(deferred) < l->ref_out.flush_warp);
  cover(COVER_popped_after_deferral,
        l->ref_out.flush_valid && warpset_has(d->deferred, (unsigned)l->ref_out.flush_warp));
  const unit_out *out = &l->ref_out;
  unsigned popped = out->flush_valid ? (unsigned)out->flush_warp : NO_WARP;
  bool again = popped != NO_WARP && warpset_has(l->ref.settle, popped);
  uint32_t mask = popped != NO_WARP ? simt_stack_ref_top(&l->ref, popped)->mask : 0;
  cover(COVER_settle_again_empty, again && mask == 0);
  cover(COVER_two_warps_settle, __builtin_popcountll(out->settle) > 1);
  cover(COVER_settle_by_issue,
        in->iss0_valid && warpset_has(l->ref.settle, (unsigned)in->iss0_warp));
  cover(COVER_everything_at_once, in->launch_valid && in->resolve_valid && in->iss0_valid &&
                                      in->iss1_valid && popped != NO_WARP);
  cover(COVER_done_and_pop, out->done_valid && popped != NO_WARP);
  cover(COVER_relaunch, in->launch_valid && warpset_has(d->launched, (unsigned)in->launch_warp));
  cover(COVER_kernel_starts, in->kernel_start);
}

static void random_stack(struct lockstep *l, struct rng *r, uint64_t cycles) {
  struct driver d = {.rate = 70, .split = 50};
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_chance(r, d.deepening ? 0 : 1) || rng_below(r, 400) == 0) {
      d.rate = 30 + rng_below(r, 71);
      d.split = rng_below(r, 101);
      d.ending = rng_chance(r, 40);
      d.deepening = !d.ending && rng_chance(r, 30);
    }
    if (__builtin_popcountll(d.trapped) > 20 || (d.deepening && rng_below(r, 500) == 0)) {
      /* Trapped warps never go on: only a reset helps.  And fresh warps have all their lanes. */
      lockstep_reset(l);
      d.trapped = d.launched = 0;
    }
    if (rng_below(r, 400) == 0)
      d.defer = rng_below(r, 30);
    if (d.defer == 0)
      d.waits = 0;
    else if (rng_chance(r, d.defer))
      d.waits = rng_subset(r, ALL, rng_below(r, 4));
    unit_in in = drive(l, r, &d);
    if (d.ending && l->ref.live == 0) {
      in = (unit_in){.kernel_start = 1, .iss1_warp = 1};
      d.ending = false;
      d.launched = 0;
    }
    if (rng_below(r, 2000) == 0) { /* whatever the warps do */
      in.kernel_start = 1;
      d.trapped = d.launched = 0;
    }
    struct simt_warp before = l->ref.warp[in.resolve_warp];
    lockstep_tick(l, in);
    if (in.resolve_valid)
      cover_resolve(&before, (uint32_t)in.resolve_taken, &l->ref_out);
    cover_cycle(l, &in, &d);
    d.trapped |= warpset_if(l->ref_out.trap_valid && !in.kernel_start, l->ref_out.trap_warp);
    d.launched |= warpset_if(in.launch_valid && !in.kernel_start, in.launch_warp);
    d.deferred = l->ref_out.settle & in.defer;
    if (d.ending && d.trapped != 0 && l->ref.live == d.trapped) {
      lockstep_reset(l);
      d.trapped = d.launched = 0;
    }
  }
}

UNIT_MAIN(DIRECTED(straight_line), DIRECTED(if_then_else), DIRECTED(exits_on_the_way),
          DIRECTED(settles_twice), DIRECTED(overflows), DIRECTED(two_pops_in_turn),
          DIRECTED(deferred_warps_wait), DIRECTED(outcomes_of_resolves), RANDOM(random_stack))
