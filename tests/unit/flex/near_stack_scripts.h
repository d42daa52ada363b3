/* Cycle scripts of the test of near_stack.  Each runs for warps at the ends of banks, own and
 * borrowed, in Base and with stages. */

/* The script's warp; others are read beside it. */
static unsigned w_;
#define READ .fetch_warp = w_, .iss0_warp = w_ % 2 == 0 ? w_ : 0, .iss1_warp = w_ % 2 != 0 ? w_ : 1
#define CYCLE(...) far_tick(l, (unit_in){READ, __VA_ARGS__})
#define IDLE() CYCLE(.kernel_start = 0)
#define LAUNCH(at, lanes)                                                                          \
  CYCLE(.launch_valid = 1, .launch_warp = w_, .launch_pc = at, .launch_mask = lanes)
#define RESOLVE(lanes) CYCLE(.resolve_valid = 1, .resolve_warp = w_, .resolve_taken = lanes)
#define BIT (UINT64_C(1) << w_)
#define ALL_LANES (~UINT64_C(0))
#define UPPER (ALL_LANES << 32)

static void issue(struct lockstep *l, unsigned ctl) {
  if (w_ % 2 == 0)
    CYCLE(.iss0_valid = 1, .iss0_ctl = ctl);
  else
    CYCLE(.iss1_valid = 1, .iss1_ctl = ctl);
}

/* A branch, and the cycles until its target is there. */
static void branch(struct lockstep *l, uint16_t target, uint16_t rpc) {
  far_issue(w_, target, rpc);
  issue(l, DECODE_CTL_BRA);
  EXPECT_STATE(ctrl, 0, BIT);
  for (unsigned i = 0; i < far_delay(); i++)
    IDLE();
}

/* The pop that begins now, to its end. */
static void pop(struct lockstep *l, unsigned at) {
  EXPECT_STATE(settle, 0, BIT);
  IDLE();
  EXPECT(own_pop, w_ < 24);
  EXPECT(far_pop, w_ >= 24);
  EXPECT(pop_row, w_ % 24);
  EXPECT(pop_at, at);
  for (unsigned i = 0; i < far_delay(); i++) {
    EXPECT(flush_valid, 0);
    EXPECT_STATE(popping, 0, BIT);
    EXPECT_STATE(settle, 0, BIT);
    IDLE();
    EXPECT(own_pop, 0);
    EXPECT(far_pop, 0);
  }
  EXPECT(flush_valid, 1);
  EXPECT(flush_warp, w_);
  EXPECT(flush_far, w_ >= 24);
  EXPECT_STATE(popping, 0, 0);
}

static void expect_top(struct lockstep *l, uint64_t pc, uint64_t rpc, uint64_t mask,
                       uint64_t depth) {
  EXPECT_STATE(tos_pc, w_, pc);
  EXPECT_STATE(tos_rpc, w_, rpc);
  EXPECT_STATE(tos_mask, w_, mask);
  EXPECT_STATE(depth, w_, depth);
}

static void expect_push(struct lockstep *l, uint64_t push, uint64_t depth) {
  EXPECT(own_push, w_ < 24 ? push : 0);
  EXPECT(far_push, w_ < 24 ? 0 : push);
  if (push == 0)
    return;
  EXPECT(push_row, w_ % 24);
  EXPECT(push_depth, depth);
}

static void each_row(struct lockstep *l, void script(struct lockstep *l)) {
  static const unsigned tried[] = {0, 11, 12, 23, 24, 35, 36, 47};
  for (unsigned base = 0; base < 2; base++)
    for (unsigned i = 0; i < sizeof tried / sizeof tried[0] && tried[i] < warps; i++) {
      w_ = tried[i];
      far.bypass = base != 0;
      CYCLE(.kernel_start = 1);
      script(l);
    }
}

static void straight_line_of(struct lockstep *l) {
  LAUNCH(100, UPPER | 0xff);
  EXPECT_STATE(live, 0, BIT);
  expect_top(l, 100, NO_RPC, UPPER | 0xff, 0);
  issue(l, DECODE_CTL_NONE);
  EXPECT(fetch_pc, 100);
  issue(l, DECODE_CTL_BAR);
  expect_top(l, 102, NO_RPC, UPPER | 0xff, 0);
  /* A branch that all lanes take, one that none takes, one of some to the next instruction. */
  branch(l, 200, 210);
  RESOLVE(ALL_LANES);
  EXPECT_STATE(ctrl, 0, 0);
  expect_top(l, 200, NO_RPC, UPPER | 0xff, 0);
  branch(l, 300, 310);
  RESOLVE(0xffffff00);
  expect_top(l, 201, NO_RPC, UPPER | 0xff, 0);
  branch(l, 202, 310);
  RESOLVE(0x0f);
  expect_push(l, 0, 0);
  expect_top(l, 202, NO_RPC, UPPER | 0xff, 0);
  /* The lower lanes exit, then the upper ones. */
  issue(l, DECODE_CTL_EXIT);
  RESOLVE(0xff);
  EXPECT(done_valid, 0);
  EXPECT_STATE(live_mask, w_, UPPER);
  issue(l, DECODE_CTL_EXIT);
  RESOLVE(ALL_LANES);
  EXPECT(done_valid, 1);
  EXPECT(done_warp, w_);
  EXPECT_STATE(live, 0, 0);
  EXPECT_STATE(settle, 0, 0);
}
static void straight_line(struct lockstep *l) { each_row(l, straight_line_of); }

static void if_then_else_of(struct lockstep *l) {
  LAUNCH(10, ALL_LANES);
  /* The upper lanes jump to 20, the others fall to 11; they meet at 30. */
  branch(l, 20, 30);
  RESOLVE(UPPER);
  expect_push(l, 3, 0);
  EXPECT(push0_mask, ALL_LANES);
  EXPECT(push0_pcs, (uint64_t)NO_RPC << 16 | 30);
  EXPECT(push1_mask, ~UPPER);
  EXPECT(push1_pcs, UINT64_C(30) << 16 | 11);
  expect_top(l, 20, 30, UPPER, 2);
  /* 20 jumps to 30: popped, and the buffer flushed. */
  branch(l, 30, 30);
  RESOLVE(ALL_LANES);
  pop(l, 2);
  EXPECT_STATE(settle, 0, 0);
  expect_top(l, 11, 30, ~UPPER, 1);
  /* Within it a branch to its own reconvergence point takes the old top's place. */
  branch(l, 30, 30);
  RESOLVE(0x30);
  expect_push(l, 0, 1);
  expect_top(l, 12, 30, ~UPPER & ~UINT64_C(0x30), 1);
  /* The others reach it by falling through. */
  for (unsigned pc = 12; pc < 30; pc++)
    issue(l, DECODE_CTL_NONE);
  pop(l, 1);
  expect_top(l, 30, NO_RPC, ALL_LANES, 0);
  EXPECT_STATE(settle, 0, 0);
  /* A loop's exit: lane 7 falls to 31, where the others will meet it; they go on at 25. */
  branch(l, 25, 31);
  RESOLVE(~UINT64_C(0x80));
  expect_push(l, 1, 0);
  expect_top(l, 25, 31, ~UINT64_C(0x80), 1);
}
static void if_then_else(struct lockstep *l) { each_row(l, if_then_else_of); }

static void exits_on_the_way_of(struct lockstep *l) {
  LAUNCH(10, UPPER | 0xf0);
  branch(l, 20, 30);
  RESOLVE(UPPER);
  /* All lanes of the taken way exit: it is popped. */
  issue(l, DECODE_CTL_EXIT);
  RESOLVE(UPPER);
  EXPECT(done_valid, 0);
  pop(l, 2);
  expect_top(l, 11, 30, 0xf0, 1);
  /* An entry below loses the lanes that exited. */
  for (unsigned pc = 11; pc < 30; pc++)
    issue(l, DECODE_CTL_NONE);
  pop(l, 1);
  expect_top(l, 30, NO_RPC, 0xf0, 0);
  issue(l, DECODE_CTL_EXIT);
  RESOLVE(0xf0);
  EXPECT(done_valid, 1);
  EXPECT_STATE(live, 0, 0);
  /* Launched again while the old stack lies there: a fresh one. */
  LAUNCH(50, 3);
  expect_top(l, 50, NO_RPC, 3, 0);
  EXPECT_STATE(live_mask, w_, 3);
}
static void exits_on_the_way(struct lockstep *l) { each_row(l, exits_on_the_way_of); }

/* Two entries are popped, one behind the other: the first one surfaces at its end. */
static void pops_twice_of(struct lockstep *l) {
  LAUNCH(10, 0xf);
  branch(l, 20, 40);
  RESOLVE(0x3);
  branch(l, 30, NO_RPC);
  RESOLVE(0x1);
  expect_push(l, 3, 2);
  expect_top(l, 30, NO_RPC, 0x1, 4);
  issue(l, DECODE_CTL_EXIT);
  RESOLVE(0x1);
  pop(l, 4);
  expect_top(l, 21, NO_RPC, 0x2, 3);
  issue(l, DECODE_CTL_EXIT);
  RESOLVE(0x2);
  pop(l, 3);
  expect_top(l, NO_RPC, 40, 0, 2);
  pop(l, 2);
  expect_top(l, 11, 40, 0xc, 1);
  EXPECT_STATE(settle, 0, 0);
}
static void pops_twice(struct lockstep *l) { each_row(l, pops_twice_of); }

/* An entry that differs in one bit from its end does not end where it begins: one pop. */
static void entries_a_bit_from_their_end_of(struct lockstep *l) {
  for (unsigned bit = 0; bit < 16; bit++) {
    const uint16_t end = (uint16_t)(11 ^ 1U << bit);
    LAUNCH(10, ALL_LANES);
    branch(l, 20, end);
    RESOLVE(UPPER);
    expect_push(l, 3, 0);
    issue(l, DECODE_CTL_EXIT);
    RESOLVE(UPPER);
    pop(l, 2);
    expect_top(l, 11, end, ~UPPER, 1);
    EXPECT_STATE(settle, 0, 0);
    issue(l, DECODE_CTL_EXIT);
    RESOLVE(ALL_LANES);
    EXPECT(done_valid, 1);
  }
}
static void entries_a_bit_from_their_end(struct lockstep *l) {
  each_row(l, entries_a_bit_from_their_end_of);
}

static void overflows_of(struct lockstep *l) {
  LAUNCH(0, ALL_LANES);
  branch(l, 1000, 3000);
  RESOLVE(ALL_LANES << 1);
  for (unsigned i = 2; i < 16; i++) {
    branch(l, (uint16_t)(1000 + 10 * i), 3000);
    RESOLVE(ALL_LANES << i);
    expect_push(l, 1, i);
    expect_top(l, 1000 + 10 * i, 3000, ALL_LANES << i, i + 1);
  }
  /* Sixteen are below the top.  A branch to 3000 itself adds none: it fits. */
  branch(l, 3000, 3000);
  RESOLVE(UINT64_C(0xff) << 16);
  EXPECT(trap_valid, 0);
  expect_top(l, 1151, 3000, (ALL_LANES << 24) | 0x8000, 16);
  /* One more is too many: a trap, and the warp stays as it is, held for good. */
  branch(l, 2000, 3000);
  RESOLVE(UINT64_C(0xf) << 40);
  EXPECT(trap_valid, 1);
  EXPECT(trap_warp, w_);
  expect_push(l, 0, 16);
  EXPECT_STATE(ctrl, 0, BIT);
  expect_top(l, 1152, 3000, (ALL_LANES << 24) | 0x8000, 16);
  IDLE();
  EXPECT(live, BIT);
  EXPECT_STATE(settle, 0, 0);
}
static void overflows(struct lockstep *l) { each_row(l, overflows_of); }

/* Warps 2, 3 and the last one settle in one cycle or the next: a pop begins in every cycle, the
 * lowest warp first, and one ends in every cycle. */
static void pops_in_turn(struct lockstep *l) {
  const unsigned last = warps - 1, of[] = {2, 3, last};
  far.bypass = false;
  for (unsigned i = 0; i < 3; i++) {
    w_ = of[i];
    LAUNCH(10, 0xff);
    far_issue(w_, 29, 30);
    issue(l, DECODE_CTL_BRA);
    for (unsigned k = 0; k < dummy; k++)
      IDLE();
    RESOLVE(0xf);
  }
  far_tick(l, (unit_in){.iss0_valid = 1, .iss0_warp = 2, .iss1_valid = 1, .iss1_warp = last});
  EXPECT_STATE(settle, 0, 1 << 2 | UINT64_C(1) << last);
  far_tick(l, (unit_in){.iss1_valid = 1, .iss1_warp = 3});
  EXPECT(own_pop, 1);
  EXPECT(pop_row, 2);
  EXPECT_STATE(popping, 0, 1 << 2);
  /* Warp 3 is lower than the last one, and comes first. */
  IDLE();
  EXPECT(own_pop, 1);
  EXPECT(pop_row, 3);
  EXPECT(flush_valid, dummy == 1);
  EXPECT_STATE(popping, 0, dummy == 1 ? 1 << 3 : 1 << 2 | 1 << 3);
  IDLE();
  EXPECT(own_pop, last < 24);
  EXPECT(far_pop, last >= 24);
  EXPECT(pop_row, last % 24);
  EXPECT(flush_warp, dummy == 1 ? 3 : 2);
  for (unsigned i = 0; i < dummy; i++)
    IDLE();
  EXPECT(flush_warp, last);
  EXPECT_STATE(popping, 0, 0);
  EXPECT_STATE(settle, 0, 0);
  for (unsigned i = 0; i < 3; i++) {
    w_ = of[i];
    expect_top(l, 11, 30, 0xf0, 1);
  }
}
