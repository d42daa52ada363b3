/* Cycle scripts of the test of simt_stack.  Most run for several warps, with stages and with
 * bypassed ones. */

/* The script's warp; others are read beside it. */
static unsigned w_;
#define READ                                                                                       \
  .fetch_warp = w_, .iss0_warp = w_ % 2 == 0 ? w_ : 0, .iss1_warp = w_ % 2 != 0 ? w_ : 1,          \
  .depth0_warp = w_, .depth1_warp = w_
#define CYCLE(...) memory_tick(l, (unit_in){READ, __VA_ARGS__})
#define IDLE() CYCLE(.kernel_start = 0)
#define LAUNCH(at, lanes)                                                                          \
  CYCLE(.launch_valid = 1, .launch_warp = w_, .launch_pc = at, .launch_mask = lanes)
#define RESOLVE(lanes) CYCLE(.resolve_valid = 1, .resolve_warp = w_, .resolve_taken = lanes)
#define BIT (UINT64_C(1) << w_)
#define ALL_LANES all_lanes
#define UPPER (all_lanes & all_lanes << lanes / 2)

static void issue(struct lockstep *l, unsigned ctl) {
  if (w_ % 2 == 0)
    CYCLE(.iss0_valid = 1, .iss0_ctl = ctl);
  else
    CYCLE(.iss1_valid = 1, .iss1_ctl = ctl);
}

/* A branch, and the cycles until its target is there. */
static void branch(struct lockstep *l, uint16_t target, uint16_t rpc) {
  memory_issue(w_, target, rpc);
  issue(l, DECODE_CTL_BRA);
  EXPECT_STATE(ctrl, 0, BIT);
  for (unsigned i = 0; i < memory_delay(); i++)
    IDLE();
}

/* The pop that begins now, to its end. */
static void pop(struct lockstep *l, unsigned at) {
  EXPECT_STATE(settle, 0, BIT);
  IDLE();
  EXPECT(pop_valid, 1);
  EXPECT(pop_warp, w_);
  EXPECT(pop_at, at);
  for (unsigned i = 0; i < memory_delay(); i++) {
    EXPECT(flush_valid, 0);
    EXPECT_STATE(popping, 0, BIT);
    EXPECT_STATE(settle, 0, BIT);
    IDLE();
    EXPECT(pop_valid, 0);
  }
  EXPECT(flush_valid, 1);
  EXPECT(flush_warp, w_);
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
  EXPECT(push, push);
  if (push != 0)
    EXPECT(push_depth, depth);
}

static void each_row(struct lockstep *l, void script(struct lockstep *l)) {
  static const unsigned tried[] = {0, 11, 12, 23, 24, 35, 36, 47};
  for (unsigned bypass = 0; bypass < (stages == 0 ? 1 : 2); bypass++)
    for (unsigned i = 0; i < sizeof tried / sizeof tried[0] && tried[i] < warps; i++) {
      w_ = tried[i];
      memory.bypass = bypass != 0;
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
  RESOLVE(ALL_LANES & ~(UPPER | 0xff));
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
  EXPECT(push1_mask, ALL_LANES & ~UPPER);
  EXPECT(push1_pcs, UINT64_C(30) << 16 | 11);
  expect_top(l, 20, 30, UPPER, 2);
  /* 20 jumps to 30: popped, and the buffer flushed. */
  branch(l, 30, 30);
  RESOLVE(ALL_LANES);
  pop(l, 2);
  EXPECT_STATE(settle, 0, 0);
  expect_top(l, 11, 30, ALL_LANES & ~UPPER, 1);
  /* Within it a branch to its own reconvergence point takes the old top's place. */
  branch(l, 30, 30);
  RESOLVE(0x30);
  expect_push(l, 0, 1);
  expect_top(l, 12, 30, ALL_LANES & ~UPPER & ~UINT64_C(0x30), 1);
  /* The others reach it by falling through. */
  for (unsigned pc = 12; pc < 30; pc++)
    issue(l, DECODE_CTL_NONE);
  pop(l, 1);
  expect_top(l, 30, NO_RPC, ALL_LANES, 0);
  EXPECT_STATE(settle, 0, 0);
  /* A loop's exit: lane 7 falls to 31, where the others will meet it; they go on at 25. */
  branch(l, 25, 31);
  RESOLVE(ALL_LANES & ~UINT64_C(0x80));
  expect_push(l, 1, 0);
  expect_top(l, 25, 31, ALL_LANES & ~UINT64_C(0x80), 1);
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
  /* Lane 0 goes to 60, and they never meet. */
  branch(l, 60, NO_RPC);
  RESOLVE(1);
  expect_top(l, 60, NO_RPC, 1, 1);
  issue(l, DECODE_CTL_EXIT);
  RESOLVE(1);
  pop(l, 1);
  expect_top(l, 51, NO_RPC, 2, 0);
  EXPECT_STATE(live_mask, w_, 2);
}
static void exits_on_the_way(struct lockstep *l) { each_row(l, exits_on_the_way_of); }

/* Two entries are popped, one after the other: the first one surfaces at its end. */
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
  issue(l, DECODE_CTL_EXIT);
  RESOLVE(0xc);
  EXPECT(done_valid, 1);
  /* Lane 0 waits at 39 while lane 1 exits; it goes on there, to where all meet. */
  LAUNCH(10, 0xf);
  branch(l, 20, 40);
  RESOLVE(0x3);
  branch(l, 39, 39);
  RESOLVE(0x1);
  expect_push(l, 1, 2);
  expect_top(l, 21, 39, 0x2, 3);
  issue(l, DECODE_CTL_EXIT);
  RESOLVE(0x2);
  pop(l, 3);
  expect_top(l, 39, 40, 0x1, 2);
  EXPECT_STATE(settle, 0, 0);
  issue(l, DECODE_CTL_NONE);
  pop(l, 2);
  expect_top(l, 11, 40, 0xc, 1);
  issue(l, DECODE_CTL_EXIT);
  RESOLVE(0xc);
  pop(l, 1);
  expect_top(l, 40, NO_RPC, 0x1, 0);
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
    expect_top(l, 11, end, ALL_LANES & ~UPPER, 1);
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
  RESOLVE(ALL_LANES & ALL_LANES << 1);
  for (unsigned i = 2; i < 16; i++) {
    branch(l, (uint16_t)(1000 + 10 * i), 3000);
    RESOLVE(ALL_LANES & ALL_LANES << i);
    expect_push(l, 1, i);
    expect_top(l, 1000 + 10 * i, 3000, ALL_LANES & ALL_LANES << i, i + 1);
  }
  /* Sixteen are below the top.  A branch to 3000 itself adds none: it fits. */
  branch(l, 3000, 3000);
  RESOLVE(UINT64_C(0xff) << 16);
  EXPECT(trap_valid, 0);
  expect_top(l, 1151, 3000, (ALL_LANES & ALL_LANES << 24) | 0x8000, 16);
  /* One more is too many: a trap, and the warp stays as it is, held for good. */
  branch(l, 2000, 3000);
  RESOLVE(UINT64_C(0xf) << 24);
  EXPECT(trap_valid, 1);
  EXPECT(trap_warp, w_);
  expect_push(l, 0, 16);
  EXPECT_STATE(ctrl, 0, BIT);
  expect_top(l, 1152, 3000, (ALL_LANES & ALL_LANES << 24) | 0x8000, 16);
  IDLE();
  EXPECT(live, BIT);
  EXPECT_STATE(settle, 0, 0);
}
static void overflows(struct lockstep *l) { each_row(l, overflows_of); }

/* Launches these warps, and lets half of their lanes meet the others at the end of a branch; at the
 * issue of their next instruction they settle. */
static void come_to_29(struct lockstep *l, const unsigned *of, unsigned n) {
  memory.bypass = false;
  for (unsigned i = 0; i < n; i++) {
    w_ = of[i];
    LAUNCH(10, 0xff);
    branch(l, 29, 30);
    RESOLVE(0xf);
  }
}

/* Warps 2, 3 and the last one settle in one cycle or the next: a pop begins in every cycle, the
 * lowest warp first, and one ends in every cycle. */
static void pops_in_turn(struct lockstep *l) {
  const unsigned last = warps - 1, of[] = {2, 3, last};
  come_to_29(l, of, 3);
  memory_tick(l, (unit_in){.iss0_valid = 1, .iss0_warp = 2, .iss1_valid = 1, .iss1_warp = last});
  EXPECT(rd0_pc, 29);
  EXPECT(rd1_pc, 29);
  EXPECT_STATE(settle, 0, 1 << 2 | UINT64_C(1) << last);
  memory_tick(l, (unit_in){.iss1_valid = 1, .iss1_warp = 3});
  /* Warp 3 is lower than the last one, and comes first. */
  for (unsigned i = 0; i < 3 + stages; i++) {
    uint64_t popping = 0;
    for (unsigned k = 0; k < 3; k++)
      popping |= i >= k && i - k < stages ? UINT64_C(1) << of[k] : 0;
    EXPECT(pop_valid, i < 3);
    EXPECT(flush_valid, i >= stages);
    EXPECT_STATE(popping, 0, popping);
    if (i < 3)
      EXPECT(pop_warp, of[i]);
    if (i >= stages)
      EXPECT(flush_warp, of[i - stages]);
    IDLE();
  }
  EXPECT(flush_valid, 0);
  EXPECT_STATE(settle, 0, 0);
  for (unsigned i = 0; i < 3; i++) {
    w_ = of[i];
    expect_top(l, 11, 30, 0xf0, 1);
  }
}

/* Warps 2 and 5 are to be popped; `defer` makes warps wait. */
static void deferred_warps_wait(struct lockstep *l) {
  enum { BOTH = 1 << 5 | 1 << 2 };
  const unsigned of[] = {5, 2};
  come_to_29(l, of, 2);
  memory_tick(
      l,
      (unit_in){.iss0_valid = 1, .iss0_warp = 2, .iss1_valid = 1, .iss1_warp = 5, .defer = BOTH});
  EXPECT_STATE(settle, 0, BOTH);
  /* Both are: no pop begins. */
  CYCLE(.defer = BOTH);
  EXPECT(pop_valid, 0);
  EXPECT_STATE(settle, 0, BOTH);
  /* The lower one only: the other has the cycle. */
  CYCLE(.defer = 1 << 2);
  EXPECT(pop_valid, 1);
  EXPECT(pop_warp, 5);
  expect_top(l, 30, 30, 0xf, 2);
  /* No more: its pop begins as if nothing had been, and that of 5 ends although it is deferred. */
  CYCLE(.defer = 1 << 5);
  EXPECT(pop_warp, 2);
  for (unsigned i = 0; i < stages; i++)
    CYCLE(.defer = BOTH);
  EXPECT(flush_warp, 2);
  expect_top(l, 11, 30, 0xf0, 1);
  EXPECT_STATE(settle, 0, 0);
}

static void outcomes_of_resolves(struct lockstep *l) {
  ONLY_IF(outcomes);
  w_ = 2;
  LAUNCH(10, 0xff);
  /* Lanes that are not active do not count. */
  branch(l, 20, 30);
  RESOLVE(0xf0f);
  EXPECT(res_at, 10);
  EXPECT(res_dirs, 3);
  /* All of them take it, then none. */
  branch(l, 25, 30);
  RESOLVE(0xf);
  EXPECT(res_dirs, 1);
  branch(l, 28, 30);
  RESOLVE(0xf0);
  EXPECT(res_dirs, 2);
  /* To where the ways meet, at once: the others are on top. */
  branch(l, 30, 30);
  RESOLVE(0x3);
  EXPECT(res_dirs, 3);
  expect_top(l, 27, 30, 0xc, 2);
  /* The directions of an exit: some lanes end, and some do not. */
  issue(l, DECODE_CTL_EXIT);
  RESOLVE(0x4);
  EXPECT(res_dirs, 3);
}

/* Lanes that wait where the top reconverges. */
static void lanes_that_wait(struct lockstep *l) {
  enum { MET = 32 };
  ONLY_IF(outcomes);
  w_ = 2;
  LAUNCH(10, 0xff);
  branch(l, 20, 30);
  EXPECT(depth0, 0);
  RESOLVE(0x0f);
  EXPECT(push, 3);
  EXPECT(res_rpc, 30);
  /* Lanes 0 and 1 go to 30 at once; 2 and 3 meet elsewhere meanwhile, which is not there. */
  branch(l, 30, 30);
  EXPECT(depth0, 2);
  RESOLVE(0x03);
  EXPECT(push, 0);
  branch(l, 25, 26);
  EXPECT(depth0, MET | 2);
  RESOLVE(0x04);
  EXPECT(push, 3);
  branch(l, 26, 26);
  EXPECT(depth0, 4);
  RESOLVE(0xff);
  EXPECT(push, 0);
  IDLE();
  EXPECT(depth0, 4);
  /* Lane 3's way to 26 is left, lane 2 waits there. */
  issue(l, DECODE_CTL_EXIT);
  EXPECT(depth0, MET | 3);
  RESOLVE(0x08);
  EXPECT(res_rpc, NO_RPC);
  EXPECT(push, 0);
  IDLE();
  /* That both meet is known of the entry that waited for them: lanes wait at 30. */
  issue(l, DECODE_CTL_EXIT);
  EXPECT(rd0_pc, 26);
  EXPECT(depth0, MET | 2);
  RESOLVE(0x04);
  IDLE();
  /* The popped entry had no lane, but lanes had been there before. */
  branch(l, 28, 29);
  EXPECT(rd0_pc, 11);
  EXPECT(depth0, MET | 1);
  RESOLVE(0x10);
  IDLE();
  EXPECT(depth0, 3);
}

static void no_lane_waits(struct lockstep *l) {
  ONLY_IF(outcomes);
  w_ = 2;
  LAUNCH(10, 0xff);
  branch(l, 20, 30);
  RESOLVE(0x0f);
  issue(l, DECODE_CTL_EXIT);
  RESOLVE(0x0f);
  IDLE();
  IDLE();
  EXPECT(rd0_pc, 11);
  EXPECT(depth0, 1);
}
