/* near_buffer: flags and operands of own and borrowed rows, requests to far rows. */
#include "csim/ref/flex/near_buffer.h"

static unsigned warps = 48;
/* Ports are as wide as they are many. */
#undef NEAR_BUFFER_WARPS
#define NEAR_BUFFER_WARPS warps
#define UNIT near_buffer
#define UNIT_LENGTH 4 /* each bit of each warp */
#define HIGH (warps > 32 ? 0 : 32)
/* Bits that no legal input changes. */
#define UNIT_UNREACHED(F)                                                                          \
  F(wr_warp, HIGH, "warps that there are")                                                         \
  F(pop0_warp, 1 | HIGH, "even warps")                                                             \
  F(pop1_warp, 1 | HIGH, "odd warps")                                                              \
  F(flush_warp, HIGH, "warps that there are")
#include "tests/unit/lockstep.h"

#define COVERAGE(F)                                                                                \
  F(everything_at_once)                                                                            \
  F(own_write)                                                                                     \
  F(far_write)                                                                                     \
  F(own_and_far_pop)                                                                               \
  F(two_far_pops)                                                                                  \
  F(far_pop_of_first)                                                                              \
  F(far_pop_of_second)                                                                             \
  F(same_row_own_and_far)                                                                          \
  F(pop_leaves_second)                                                                             \
  F(pop_leaves_none)                                                                               \
  F(both_pops_leave_second)                                                                        \
  F(branch_first)                                                                                  \
  F(branch_second)                                                                                 \
  F(exit_second)                                                                                   \
  F(barrier_first)                                                                                 \
  F(flush_of_two)                                                                                  \
  F(flush_of_one)                                                                                  \
  F(flush_of_empty)                                                                                \
  F(write_after_flush)                                                                             \
  F(write_after_last_pop)                                                                          \
  F(full_everywhere)                                                                               \
  F(kernel_starts)
COVER_DEFINE(COVERAGE)

static warpset all, even, odd;

static void parameters(void) {
  warps = device_parameter("Warps", 48);
  all = (UINT64_C(1) << warps) - 1;
  even = all & UINT64_C(0x5555555555555555);
  odd = all & ~even;
  /* Without borrowed rows nothing goes there. */
  const unsigned far[] = {COVER_far_write,         COVER_own_and_far_pop,
                          COVER_two_far_pops,      COVER_far_pop_of_first,
                          COVER_far_pop_of_second, COVER_same_row_own_and_far};
  for (unsigned i = 0; i < sizeof far / sizeof far[0]; i++)
    cover(far[i], warps <= NEAR_OWN_ROWS);
}

/* Operand words: dec from bit 25 on, with the pipe in its bits 1:0 and ctl in 3:2. */
#define OPND(ctl, pipe, low) ((uint64_t)((ctl) << 2 | (pipe)) << 25 | (low))
enum { SP, SFU, MEM, NONE };
enum { PLAIN, BRA, EXIT, BAR };

/* Two instructions of one warp, one after the other, with the requests that they make. */
static void two_in_turn(struct lockstep *l, unsigned warp) {
  const bool far = warp >= 24, is_odd = warp % 2 != 0;
  const uint64_t row = warp % 24, bit = UINT64_C(1) << warp;
  const unit_in pop = {
      .pop0_valid = !is_odd, .pop0_warp = warp, .pop1_valid = is_odd, .pop1_warp = warp};
  TICK(.wr_valid = 1, .wr_warp = warp, .wr_two = 1, .wr_opnd0 = OPND(PLAIN, MEM, 5),
       .wr_opnd1 = OPND(BRA, NONE, 6));
  EXPECT(own_wr, !far);
  EXPECT(far_wr, far);
  EXPECT(wr_row, row);
  EXPECT(nh0_valid, 1);
  EXPECT(nh0_opnd, OPND(PLAIN, MEM, 5));
  EXPECT(nh1_valid, 0);
  EXPECT_STATE(valid, 0, bit);
  EXPECT_STATE(second, 0, bit);
  EXPECT_STATE(b, 0, 0);
#define EXPECT_RD(entry, class, next)                                                              \
  if (is_odd) {                                                                                    \
    EXPECT(own_rd1, !far);                                                                         \
    EXPECT(far_rd1, far);                                                                          \
    EXPECT(rd1_row, row);                                                                          \
    EXPECT(rd1_b, entry);                                                                          \
    EXPECT(rd1_ctl, class);                                                                        \
    EXPECT(nh2_valid, next);                                                                       \
  } else {                                                                                         \
    EXPECT(own_rd0, !far);                                                                         \
    EXPECT(far_rd0, far);                                                                          \
    EXPECT(rd0_row, row);                                                                          \
    EXPECT(rd0_b, entry);                                                                          \
    EXPECT(rd0_ctl, class);                                                                        \
    EXPECT(nh1_valid, next);                                                                       \
  }
  lockstep_tick(l, pop);
  EXPECT(mem, bit);
  EXPECT_RD(0, PLAIN, 1);
  if (is_odd) {
    EXPECT(nh2_opnd, OPND(BRA, NONE, 6));
  } else {
    EXPECT(nh1_opnd, OPND(BRA, NONE, 6));
  }
  EXPECT_STATE(valid, 0, bit);
  EXPECT_STATE(second, 0, 0);
  EXPECT_STATE(b, 0, bit);
  lockstep_tick(l, pop);
  EXPECT(mem, 0);
  EXPECT(none, bit);
  EXPECT_RD(1, BRA, 0);
  EXPECT_STATE(valid, 0, 0);
  /* Written again, with one: the first entry, and no second one is left of before. */
  TICK(.wr_valid = 1, .wr_warp = warp, .wr_opnd0 = OPND(BAR, NONE, 7));
  EXPECT(valid, 0);
  EXPECT(none, 0);
  EXPECT_STATE(b, 0, 0);
  lockstep_tick(l, pop);
  EXPECT_RD(0, BAR, 0);
  TICK(.wr_valid = 1, .wr_warp = warp, .wr_opnd0 = OPND(EXIT, SFU, 7));
  lockstep_tick(l, pop);
  EXPECT(sfu, bit);
  EXPECT_RD(0, EXIT, 0);
#undef EXPECT_RD
}

/* The rows at the ends of the banks, own and borrowed. */
static void rows(struct lockstep *l) {
  static const unsigned tried[] = {0, 11, 12, 23, 24, 35, 36, 47};
  for (unsigned i = 0; i < sizeof tried / sizeof tried[0] && tried[i] < warps; i++) {
    two_in_turn(l, tried[i]);
    TICK(.kernel_start = 1);
  }
}

/* Even and odd pick of one bank in one cycle, beside a write and a flush. */
static void all_at_once(struct lockstep *l) {
  for (unsigned w = 2; w < 5; w++)
    TICK(.wr_valid = 1, .wr_warp = w, .wr_two = 1, .wr_opnd0 = OPND(PLAIN, SP, w),
         .wr_opnd1 = OPND(PLAIN, SFU, w));
  TICK(.wr_valid = 1, .wr_warp = 7, .wr_opnd0 = OPND(PLAIN, MEM, 7), .pop0_valid = 1,
       .pop0_warp = 2, .pop1_valid = 1, .pop1_warp = 3, .flush_valid = 1, .flush_warp = 4);
  EXPECT(nh0_valid, 1);
  EXPECT(nh1_valid, 1);
  EXPECT(nh2_valid, 1);
  EXPECT_STATE(valid, 0, 1 << 2 | 1 << 3 | 1 << 7);
  EXPECT_STATE(second, 0, 0);
  TICK(0);
  EXPECT(sfu, 1 << 2 | 1 << 3);
  EXPECT(mem, 1 << 7);
  /* A flush of a head that is the second entry, and of none. */
  TICK(.flush_valid = 1, .flush_warp = 2);
  TICK(.flush_valid = 1, .flush_warp = 2);
  EXPECT(valid, 1 << 3 | 1 << 7);
  EXPECT(sfu, 1 << 3);
  TICK(.kernel_start = 1);
  EXPECT_STATE(valid, 0, 0);
  TICK(0);
  EXPECT(mem, 0);
}

struct rates {
  unsigned write, pop, flush;
};

/* A random instruction; `last`: it may be a branch or exit. */
static uint64_t instruction(struct rng *r, bool last) {
  const unsigned ctl = rng_below(r, 2) ? PLAIN : rng_below(r, 4);
  const uint64_t opnd = rng_next(r) & port_mask(40) & ~(UINT64_C(3) << 27);
  return opnd | (uint64_t)(last || ctl == BAR ? ctl : PLAIN) << 27;
}

static unit_in drive(const struct lockstep *l, struct rng *r, const struct rates *rate) {
  const warpset valid = l->ref.valid;
  warpset busy = 0;
  unit_in in = {0};
  if ((valid & even) != 0 && rng_chance(r, rate->pop)) {
    in.pop0_valid = 1;
    in.pop0_warp = rng_member(r, valid & even);
    busy |= warpset_of((unsigned)in.pop0_warp);
  }
  if ((valid & odd) != 0 && rng_chance(r, rate->pop)) {
    in.pop1_valid = 1;
    in.pop1_warp = rng_member(r, valid & odd);
    const unsigned same = (unsigned)(in.pop0_warp ^ 1);
    if (in.pop0_valid && rng_chance(r, 30) && warpset_has(valid & odd, same))
      in.pop1_warp = same;
    busy |= warpset_of((unsigned)in.pop1_warp);
  }
  if (valid != all && rng_chance(r, rate->write)) {
    in.wr_valid = 1;
    in.wr_warp = rng_member(r, all & ~valid);
    in.wr_two = rng_chance(r, 60);
    in.wr_opnd0 = instruction(r, !in.wr_two);
    in.wr_opnd1 = instruction(r, true);
    busy |= warpset_of((unsigned)in.wr_warp);
  }
  if (rng_chance(r, rate->flush)) {
    in.flush_valid = 1;
    in.flush_warp = rng_member(r, all & ~busy);
  }
  return in;
}

/* The state before a cycle. */
struct before {
  warpset valid, second;
  warpset flushed, emptied; /* in the cycle before */
};

static void cover_pops(const struct lockstep *l, const unit_in *in, const struct before *was) {
  const unit_out *out = &l->ref_out;
  const bool both = in->pop0_valid && in->pop1_valid;
  cover(COVER_own_and_far_pop, out->own_rd0 && out->far_rd1);
  cover(COVER_two_far_pops, out->far_rd0 && out->far_rd1);
  cover(COVER_far_pop_of_first, out->far_rd0 && !out->rd0_b);
  cover(COVER_far_pop_of_second, out->far_rd1 && out->rd1_b);
  cover(COVER_same_row_own_and_far,
        out->own_rd0 && out->far_rd1 && out->rd0_row == (out->rd1_row ^ 1));
  cover(COVER_pop_leaves_second, out->nh1_valid);
  cover(COVER_pop_leaves_none, in->pop0_valid && !out->nh1_valid);
  cover(COVER_both_pops_leave_second, both && out->nh1_valid && out->nh2_valid);
  cover(COVER_branch_first, in->pop0_valid && out->rd0_ctl == BRA && !out->rd0_b);
  cover(COVER_branch_second, in->pop1_valid && out->rd1_ctl == BRA && out->rd1_b);
  cover(COVER_exit_second, in->pop0_valid && out->rd0_ctl == EXIT && out->rd0_b);
  cover(COVER_barrier_first, out->nh2_valid && out->rd1_ctl == BAR);
  cover(COVER_everything_at_once, both && in->wr_valid && in->flush_valid &&
                                      warpset_has(was->second, (unsigned)in->flush_warp));
}

static void cover_cycle(const struct lockstep *l, const unit_in *in, const struct before *was) {
  const unsigned flushed = (unsigned)in->flush_warp, written = (unsigned)in->wr_warp;
  const bool has = in->flush_valid && warpset_has(was->valid, flushed);
  const bool two = in->flush_valid && warpset_has(was->second, flushed);
  cover_pops(l, in, was);
  cover(COVER_own_write, l->ref_out.own_wr);
  cover(COVER_far_write, l->ref_out.far_wr);
  cover(COVER_flush_of_two, two);
  cover(COVER_flush_of_one, has && !two);
  cover(COVER_flush_of_empty, in->flush_valid && !has);
  cover(COVER_write_after_flush, in->wr_valid && warpset_has(was->flushed, written));
  cover(COVER_write_after_last_pop, in->wr_valid && warpset_has(was->emptied, written));
  cover(COVER_full_everywhere, was->valid == all);
}

static void random_buffer(struct lockstep *l, struct rng *r, uint64_t cycles) {
  struct rates rate = {50, 50, 10};
  struct before was = {0};
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_below(r, 200) == 0)
      rate = (struct rates){rng_below(r, 101), rng_below(r, 101), rng_below(r, 40)};
    if (rng_below(r, 2000) == 0)
      rate = (struct rates){100, 0, 0};
    unit_in in = drive(l, r, &rate);
    in.kernel_start = rng_below(r, 1000) == 0; /* whatever comes beside it */
    cover(COVER_kernel_starts, in.kernel_start);
    was.valid = l->ref.valid;
    was.second = l->ref.second;
    lockstep_tick(l, in);
    cover_cycle(l, &in, &was);
    was.flushed = warpset_if(in.flush_valid, in.flush_warp);
    was.emptied = was.valid & ~l->ref.valid & ~was.flushed;
  }
}

UNIT_MAIN_WITH(parameters, DIRECTED(rows), DIRECTED(all_at_once), RANDOM(random_buffer))
