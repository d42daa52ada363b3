/* ibuffer: two to four decoded instructions a warp, with their words and without. */
#include "csim/ref/sm/ibuffer.h"

#include "csim/ref/sm/decode.h"

static unsigned warps = 48, entries = 2; /* entries: of a warp */
static bool has_words = true;
/* Ports are as wide as they are many. */
#undef IBUFFER_WARPS
#define IBUFFER_WARPS warps
#define UNIT ibuffer
static void reset(struct ibuffer_ref *u) {
  u->more = (uint8_t)(entries - IBUFFER_LEAST);
  u->no_words = !has_words;
  ibuffer_ref_reset(u);
}
#define UNIT_REF_RESET(ref) reset(ref)
#define UNIT_LENGTH 4 /* each bit of each warp */
#define HIGH (warps > 32 ? 0 : 32)
/* Bits that no legal input changes. */
#define UNIT_UNREACHED(F)                                                                          \
  F(wr_warp, HIGH, "warps that there are")                                                         \
  F(flush_warp, HIGH, "warps that there are")                                                      \
  F(fetch_warp, HIGH, "warps that there are")                                                      \
  F(pop0_warp, 1 | HIGH, "even warps")                                                             \
  F(pop1_warp, 1 | HIGH, "odd warps")
#include "tests/unit/lockstep.h"

static warpset all, even, odd;

static void parameters(void) {
  warps = device_parameter("Warps", 48);
  entries = device_parameter("Entries", 2);
  has_words = device_parameter("Words", 1) != 0;
  all = (UINT64_C(1) << warps) - 1;
  even = all & UINT64_C(0x5555555555555555);
  odd = all & ~even;
}

/* Outputs that without words have nothing but ctl. */
#define INST(value) (has_words ? (value) : 0)
#define DEC(value) (has_words ? (value) : (value)&3 << 2)

#define COVERAGE(F)                                                                                \
  F(two_pops_write_and_flush)                                                                      \
  F(two_pops_and_write)                                                                            \
  F(pop_leaves_second)                                                                             \
  F(pop_leaves_none)                                                                               \
  F(both_pops_leave_second)                                                                        \
  F(write_two)                                                                                     \
  F(write_one)                                                                                     \
  F(flush_of_two)                                                                                  \
  F(flush_of_one)                                                                                  \
  F(flush_of_empty)                                                                                \
  F(branch_first)                                                                                  \
  F(branch_second)                                                                                 \
  F(exit_second)                                                                                   \
  F(barrier_then_second)                                                                           \
  F(write_after_flush)                                                                             \
  F(buffer_full_everywhere)                                                                        \
  F(load_written)                                                                                  \
  F(load_after_pop0)                                                                               \
  F(load_after_pop1)                                                                               \
  F(load_popped)                                                                                   \
  F(load_flushed)                                                                                  \
  F(no_load_of_mem)                                                                                \
  F(kernel_starts)                                                                                 \
  F(deep_write_behind_head)                                                                        \
  F(deep_pop_and_write)                                                                            \
  F(deep_pop_of_last_and_write)                                                                    \
  F(deep_full_by_room)                                                                             \
  F(deep_full_by_branch)                                                                           \
  F(deep_full_by_exit)                                                                             \
  F(deep_room_behind_barrier)                                                                      \
  F(deep_all_entries)                                                                              \
  F(deep_stale_write)                                                                              \
  F(deep_write_with_flush)                                                                         \
  F(deep_write_after_selection)                                                                    \
  F(deep_fetch_behind_two)
COVER_DEFINE(COVERAGE)

static void write_pop_pop(struct lockstep *l) {
  /* Warp 4 gets two instructions: MEM (2) then SFU (1). */
  TICK(.wr_valid = 1, .wr_warp = 4, .wr_two = 1, .wr_inst0 = 0xabcdef0123456789, .wr_dec0 = 0x7ff2,
       .wr_inst1 = 0x1111111102222222, .wr_dec1 = 0x0011);
  EXPECT(valid, 0);
  EXPECT(nh0_valid, 1);
  EXPECT(nh0_opnd, UINT64_C(0x7ff2) << 25 | 0x1456789);
  EXPECT(nh1_valid, 0);
  EXPECT_STATE(valid, 0, 16);
  EXPECT_STATE(second, 0, 16);
  /* It is popped: the second entry is its new head. */
  TICK(.pop0_valid = 1, .pop0_warp = 4);
  EXPECT(rd0_inst, INST(0xabcdef0123456789));
  EXPECT(rd0_dec, DEC(0x7ff2));
  EXPECT(mem, 16);
  EXPECT(sfu, 0);
  EXPECT(second, 16);
  EXPECT(nh0_valid, 0);
  EXPECT(nh1_valid, 1);
  EXPECT(nh1_opnd, UINT64_C(0x0011) << 25 | 0x0222222);
  /* Popped again: nothing is left. */
  TICK(.pop0_valid = 1, .pop0_warp = 4);
  EXPECT(rd0_inst, INST(0x1111111102222222));
  EXPECT(sfu, 16);
  EXPECT(mem, 0);
  EXPECT(second, 0);
  EXPECT(nh1_valid, 0);
  EXPECT_STATE(valid, 0, 0);
  TICK(0);
  EXPECT(sfu, 0);
}

static void all_at_once(struct lockstep *l) {
  const unsigned high = warps - 2;
  TICK(.wr_valid = 1, .wr_warp = high, .wr_two = 1, .wr_inst0 = 1, .wr_dec0 = 3, .wr_inst1 = 2,
       .wr_dec1 = 0);
  TICK(.wr_valid = 1, .wr_warp = high + 1, .wr_two = 1, .wr_inst0 = 3, .wr_dec0 = 3, .wr_inst1 = 4,
       .wr_dec1 = 0);
  TICK(.wr_valid = 1, .wr_warp = 0, .wr_two = 1, .wr_inst0 = 5, .wr_dec0 = 1, .wr_inst1 = 6,
       .wr_dec1 = 2);
  EXPECT(none, UINT64_C(3) << high);
  /* Pops of the last two, a write of 1 and a flush of 0 in one cycle: three new heads. */
  TICK(.pop0_valid = 1, .pop0_warp = high, .pop1_valid = 1, .pop1_warp = high + 1, .wr_valid = 1,
       .wr_warp = 1, .wr_inst0 = 7, .wr_dec0 = 5, .flush_valid = 1, .flush_warp = 0);
  EXPECT(valid, UINT64_C(3) << high | 1);
  EXPECT(sfu, 1);
  EXPECT(nh0_valid, 1);
  EXPECT(nh0_opnd, UINT64_C(5) << 25 | 7);
  EXPECT(nh1_valid, 1);
  EXPECT(nh1_opnd, 2);
  EXPECT(nh2_valid, 1);
  EXPECT(nh2_opnd, 4);
  EXPECT(rd1_inst, INST(3));
  EXPECT_STATE(valid, 0, UINT64_C(3) << high | 2);
  EXPECT_STATE(second, 0, 0);
  /* The flushed warp takes a new instruction, once it is selected. */
  TICK(.fetch_valid = 1, .fetch_warp = 0);
  TICK(.wr_valid = 1, .wr_warp = 0, .wr_inst0 = 8, .wr_dec0 = 0, .pop1_valid = 1, .pop1_warp = 1);
  EXPECT(rd1_inst, INST(7));
  EXPECT(sfu, 2);
  EXPECT_STATE(valid, 0, UINT64_C(3) << high | 1);
}

/* Control bundles: pipe in bits 1:0, code of the destination in 5:4. */
static void loads(struct lockstep *l) {
  enum { LOAD = 2 | 1 << 4, LOAD_QUAD = 2 | 3 << 4, STORE = 2, ADD = 1 << 4, SFU = 1 | 1 << 4 };
  TICK(.wr_valid = 1, .wr_warp = 8, .wr_two = 1, .wr_dec0 = LOAD, .wr_dec1 = STORE);
  EXPECT(load, 0);
  TICK(.wr_valid = 1, .wr_warp = 9, .wr_two = 1, .wr_dec0 = ADD, .wr_dec1 = LOAD_QUAD);
  EXPECT(load, 1 << 8);
  EXPECT(mem, 1 << 8);
  /* A predicate is no register: bit 6 marks no load.  Nor is an SFU instruction a load. */
  TICK(.wr_valid = 1, .wr_warp = 10, .wr_two = 1, .wr_dec0 = STORE | 1 << 6, .wr_dec1 = SFU);
  TICK(.pop0_valid = 1, .pop0_warp = 8, .pop1_valid = 1, .pop1_warp = 9);
  EXPECT(load, 1 << 8);
  EXPECT(mem, 1 << 8 | 1 << 10);
  TICK(.pop0_valid = 1, .pop0_warp = 10, .flush_valid = 1, .flush_warp = 9);
  EXPECT(load, 1 << 9);
  EXPECT(mem, 1 << 8 | 1 << 9 | 1 << 10);
  TICK(0);
  EXPECT(load, 0);
  EXPECT(mem, 1 << 8);
}

/* Control bundles of the three classes that are looked at: an add, a branch, a barrier. */
enum { DEC_ADD = 1 << 4, DEC_BRA = 1 << 2, DEC_EXIT = 2 << 2, DEC_BAR = 3 << 2 | 3 };

/* Two instructions of one warp, one after the other, then one in their place. */
static void two_in_turn(struct lockstep *l, unsigned warp) {
  const bool is_odd = warp % 2 != 0;
  const uint64_t bit = UINT64_C(1) << warp;
  const unit_in pop = {.pop0_valid = !is_odd,
                       .pop0_warp = is_odd ? 0 : warp,
                       .pop1_valid = is_odd,
                       .pop1_warp = is_odd ? warp : 1};
#define EXPECT_POP(dec, b, next)                                                                   \
  if (is_odd) {                                                                                    \
    EXPECT(rd1_dec, DEC(dec));                                                                     \
    EXPECT(rd1_b, entries == 2 ? (b) : 0);                                                         \
    EXPECT(nh2_valid, next);                                                                       \
  } else {                                                                                         \
    EXPECT(rd0_dec, DEC(dec));                                                                     \
    EXPECT(rd0_b, entries == 2 ? (b) : 0);                                                         \
    EXPECT(nh1_valid, next);                                                                       \
  }
  TICK(.wr_valid = 1, .wr_warp = warp, .wr_two = 1, .wr_dec0 = DEC_BAR, .wr_dec1 = DEC_BRA | 2);
  EXPECT_STATE(from_b, 0, 0);
  lockstep_tick(l, pop);
  EXPECT_POP(DEC_BAR, 0, 1);
  EXPECT(none, bit);
  EXPECT_STATE(second, 0, 0);
  EXPECT_STATE(from_b, 0, entries == 2 ? bit : 0);
  lockstep_tick(l, pop);
  EXPECT_POP(DEC_BRA | 2, 1, 0);
  EXPECT(mem, bit);
  EXPECT_STATE(from_b, 0, 0);
  TICK(.wr_valid = 1, .wr_warp = warp, .wr_dec0 = DEC_EXIT);
  lockstep_tick(l, pop);
  EXPECT_POP(DEC_EXIT, 0, 0);
#undef EXPECT_POP
}

static void in_turn(struct lockstep *l) {
  static const unsigned tried[] = {0, 11, 12, 23, 24, 35, 36, 47};
  for (unsigned i = 0; i < sizeof tried / sizeof tried[0] && tried[i] < warps; i++)
    two_in_turn(l, tried[i]);
}

/* Warp 6 gets more while it has some, in both ways that room may end. */
static void more_behind(struct lockstep *l) {
  ONLY_IF(entries > 2);
  TICK(.wr_valid = 1, .wr_warp = 6, .wr_inst0 = 0x10, .wr_dec0 = DEC_ADD);
  TICK(.fetch_valid = 1, .fetch_warp = 6);
  EXPECT(fetch_held, 1);
  EXPECT(full, 0);
  /* Two more: no head is new. */
  TICK(.wr_valid = 1, .wr_warp = 6, .wr_two = 1, .wr_inst0 = 0x11, .wr_dec0 = DEC_ADD,
       .wr_inst1 = 0x12, .wr_dec1 = DEC_ADD);
  EXPECT(nh0_valid, 0);
  TICK(0);
  EXPECT(full, 1 << 6);
  /* They come in order; the last of them leaves with a write, whose first follows at once. */
  TICK(.pop0_valid = 1, .pop0_warp = 6);
  EXPECT(rd0_inst, INST(0x10));
  EXPECT(nh1_opnd, (uint64_t)(DEC_ADD) << 25 | 0x11);
  TICK(.pop0_valid = 1, .pop0_warp = 6, .fetch_valid = 1, .fetch_warp = 6);
  EXPECT(full, entries == 3 ? 1 << 6 : 0);
  EXPECT(fetch_held, 2);
  EXPECT(rd0_inst, INST(0x11));
  TICK(.pop0_valid = 1, .pop0_warp = 6, .wr_valid = 1, .wr_warp = 6, .wr_inst0 = 0x13,
       .wr_dec0 = DEC_BAR);
  EXPECT(rd0_inst, INST(0x12));
  EXPECT(nh0_valid, 0);
  EXPECT(nh1_valid, 1);
  EXPECT(nh1_opnd, (uint64_t)(DEC_BAR) << 25 | 0x13);
  /* A barrier is followed, a branch is not. */
  TICK(.wr_valid = 1, .wr_warp = 6, .wr_inst0 = 0x14, .wr_dec0 = DEC_BRA);
  EXPECT(full, 0);
  EXPECT(none, 1 << 6);
  TICK(.pop0_valid = 1, .pop0_warp = 6);
  EXPECT(full, 1 << 6);
  TICK(.pop0_valid = 1, .pop0_warp = 6);
  EXPECT(full, 1 << 6);
  EXPECT(rd0_inst, INST(0x14));
  TICK(0);
  EXPECT(full, 0);
  EXPECT(valid, 0);
}

/* Instructions on the way to a warp when it is flushed do not enter its buffer. */
static void stale(struct lockstep *l) {
  ONLY_IF(entries > 2);
  TICK(.wr_valid = 1, .wr_warp = 9, .wr_inst0 = 1);
  TICK(.fetch_valid = 1, .fetch_warp = 9);
  TICK(.flush_valid = 1, .flush_warp = 9);
  TICK(.wr_valid = 1, .wr_warp = 9, .wr_inst0 = 2);
  EXPECT(nh0_valid, 0);
  EXPECT_STATE(valid, 0, 0);
  TICK(.fetch_valid = 1, .fetch_warp = 9);
  EXPECT(fetch_held, 0);
  TICK(.wr_valid = 1, .wr_warp = 9, .wr_inst0 = 3);
  EXPECT(nh0_valid, 1);
  /* A write in the cycle of the flush is as late. */
  TICK(.fetch_valid = 1, .fetch_warp = 9, .pop1_valid = 1, .pop1_warp = 9);
  EXPECT(rd1_inst, INST(3));
  TICK(.wr_valid = 1, .wr_warp = 9, .wr_inst0 = 4, .flush_valid = 1, .flush_warp = 9);
  EXPECT_STATE(valid, 0, 0);
}

/* The state before a cycle, and the entries of the warps that are written and popped. */
struct before {
  warpset valid, second, stale;
  warpset flushed, renewed; /* in the cycle before: flushed; selected, stale until then */
  unsigned written, popped;
};

static struct before look(const struct lockstep *l, const unit_in *in, warpset flushed,
                          warpset renewed) {
  return (struct before){.valid = l->ref.valid,
                         .second = l->ref.second,
                         .stale = l->ref.stale,
                         .flushed = flushed,
                         .renewed = renewed,
                         .written = in->wr_valid ? l->ref.queue[in->wr_warp].length : 0,
                         .popped = in->pop0_valid ? l->ref.queue[in->pop0_warp].length : 0};
}

/* With more than two entries; otherwise these count as reached. */
static void cover_deep(const struct lockstep *l, const unit_in *in, const struct before *was) {
  const bool pair = entries == 2;
  const bool flush = in->flush_valid && in->flush_warp == in->wr_warp;
  const bool stale = in->wr_valid && warpset_has(was->stale, (unsigned)in->wr_warp);
  const bool taken = in->wr_valid && !stale && !flush && !in->kernel_start;
  const bool both = taken && in->pop0_valid && in->pop0_warp == in->wr_warp;
  const struct ibuffer_queue *q = &l->ref.queue[taken ? in->wr_warp : 0];
  const unsigned ctl =
      taken ? decode_ctl(q->dec[(q->first + q->length - 1U) % IBUFFER_MOST]) : DECODE_CTL_NONE;
  const bool full = taken && warpset_has(l->ref.full, (unsigned)in->wr_warp);
  cover(COVER_deep_write_behind_head, pair || (taken && was->written > 0 && !both));
  cover(COVER_deep_pop_and_write, entries < 4 || (both && was->popped > 1));
  cover(COVER_deep_pop_of_last_and_write, pair || (both && was->popped == 1));
  cover(COVER_deep_full_by_room, pair || (full && (ctl == DECODE_CTL_NONE)));
  cover(COVER_deep_full_by_branch, pair || (full && ctl == DECODE_CTL_BRA && q->length == 1));
  cover(COVER_deep_full_by_exit, pair || (full && ctl == DECODE_CTL_EXIT && q->length == 1));
  cover(COVER_deep_room_behind_barrier, pair || (taken && !full && ctl == DECODE_CTL_BAR));
  cover(COVER_deep_all_entries, pair || (taken && q->length == entries));
  cover(COVER_deep_stale_write, pair || (stale && was->written == 0));
  cover(COVER_deep_write_with_flush, pair || (in->wr_valid && flush && was->written > 0));
  cover(COVER_deep_write_after_selection,
        pair || (taken && warpset_has(was->renewed, (unsigned)in->wr_warp)));
  cover(COVER_deep_fetch_behind_two, pair || l->ref_out.fetch_held == 2);
}

/* Heads that issue, by ctl, first and second ones. */
static void cover_classes(const struct lockstep *l, const unit_in *in) {
  const unit_out *out = &l->ref_out;
  const unsigned ctl0 = decode_ctl((unsigned)out->rd0_dec),
                 ctl1 = decode_ctl((unsigned)out->rd1_dec);
  const bool ring = entries > 2;
  cover(COVER_branch_first, in->pop0_valid && ctl0 == DECODE_CTL_BRA && !out->rd0_b);
  cover(COVER_branch_second, in->pop1_valid && ctl1 == DECODE_CTL_BRA && (ring || out->rd1_b));
  cover(COVER_exit_second, in->pop0_valid && ctl0 == DECODE_CTL_EXIT && (ring || out->rd0_b));
  cover(COVER_barrier_then_second, out->nh2_valid && ctl1 == DECODE_CTL_BAR);
}

static void cover_cycle(const struct lockstep *l, const unit_in *in, const struct before *was) {
  const warpset valid = was->valid, second = was->second;
  bool two_pops = in->pop0_valid && in->pop1_valid;
  bool flush_has = in->flush_valid && warpset_has(valid, (unsigned)in->flush_warp);
  bool flush_two = in->flush_valid && warpset_has(second, (unsigned)in->flush_warp);
  cover(COVER_two_pops_and_write, two_pops && in->wr_valid);
  cover(COVER_two_pops_write_and_flush, two_pops && in->wr_valid && flush_two);
  cover(COVER_pop_leaves_second, l->ref_out.nh1_valid);
  cover(COVER_pop_leaves_none, in->pop0_valid && !l->ref_out.nh1_valid);
  cover(COVER_both_pops_leave_second, l->ref_out.nh1_valid && l->ref_out.nh2_valid);
  cover(COVER_write_two, in->wr_valid && in->wr_two);
  cover(COVER_write_one, in->wr_valid && !in->wr_two);
  cover(COVER_flush_of_two, flush_two);
  cover(COVER_flush_of_one, flush_has && !flush_two);
  cover(COVER_flush_of_empty, in->flush_valid && !flush_has);
  cover_classes(l, in);
  cover(COVER_write_after_flush, in->wr_valid && warpset_has(was->flushed, (unsigned)in->wr_warp));
  cover(COVER_buffer_full_everywhere, valid == all);
  const warpset before = l->ref_out.load, after = ibuffer_ref_loads(&l->ref, ~UINT64_C(0));
  cover(COVER_load_written, in->wr_valid && warpset_has(after, (unsigned)in->wr_warp));
  cover(COVER_load_after_pop0, in->pop0_valid && warpset_has(after, (unsigned)in->pop0_warp));
  cover(COVER_load_after_pop1, in->pop1_valid && warpset_has(after, (unsigned)in->pop1_warp));
  cover(COVER_load_popped, in->pop0_valid && warpset_has(before & ~after, (unsigned)in->pop0_warp));
  cover(COVER_load_flushed, in->flush_valid && warpset_has(before, (unsigned)in->flush_warp));
  cover(COVER_no_load_of_mem, (l->ref_out.mem & ~before) != 0);
  cover(COVER_kernel_starts, in->kernel_start);
  cover_deep(l, in, was);
}

struct rates {
  unsigned write, pop, flush;
};

/* A random control bundle; ends: it may be of a branch or exit. */
static uint64_t random_dec(struct rng *r, bool ends) {
  const uint64_t dec = rng_next(r) & 0x7fff;
  return ends || (dec & DEC_BAR) == DEC_BAR ? dec : dec & ~(uint64_t)(3 << 2);
}

static unit_in drive(const struct lockstep *l, struct rng *r, const struct rates *rate) {
  warpset valid = l->ref.valid, busy = 0;
  unit_in in = {0};
  if ((valid & even) != 0 && rng_chance(r, rate->pop)) {
    in.pop0_valid = 1;
    in.pop0_warp = rng_member(r, valid & even);
    busy |= warpset_of((unsigned)in.pop0_warp);
  }
  if ((valid & odd) != 0 && rng_chance(r, rate->pop)) {
    in.pop1_valid = 1;
    in.pop1_warp = rng_member(r, valid & odd);
    busy |= warpset_of((unsigned)in.pop1_warp);
  }
  const warpset full = l->ref.full;
  if (full != all && rng_chance(r, rate->write)) {
    in.wr_valid = 1;
    in.wr_warp = entries > 2 && rng_chance(r, 20) && (busy & ~full) != 0
                     ? rng_member(r, busy & ~full) /* popped in this cycle */
                     : rng_member(r, all & ~full);
    in.wr_two = rng_chance(r, 60);
    in.wr_inst0 = rng_next(r);
    in.wr_dec0 = random_dec(r, !in.wr_two);
    in.wr_inst1 = rng_next(r);
    in.wr_dec1 = random_dec(r, true);
    if (entries == 2)
      busy |= warpset_of((unsigned)in.wr_warp);
  }
  if (rng_chance(r, rate->flush)) {
    in.flush_valid = 1;
    warpset held = l->ref.valid & ~busy;
    in.flush_warp = rng_member(r, held != 0 && rng_chance(r, 70) ? held : all & ~busy);
    if (in.wr_valid && !warpset_has(busy, (unsigned)in.wr_warp) && rng_chance(r, 20))
      in.flush_warp = in.wr_warp;
  }
  in.fetch_valid = rng_chance(r, 50);
  if (in.fetch_valid)
    in.fetch_warp = rng_member(r, all & ~warpset_if(in.flush_valid, in.flush_warp));
  return in;
}

static void random_ibuffer(struct lockstep *l, struct rng *r, uint64_t cycles) {
  struct rates rate = {50, 50, 10};
  bool draining = false;
  warpset flushed = 0, renewed = 0;
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_chance(r, 1)) {
      rate = (struct rates){rng_below(r, 101), rng_below(r, 101), rng_below(r, 30)};
      if (rng_chance(r, 15))
        rate = (struct rates){100, 10, 1};
      draining = rng_chance(r, 20);
    }
    if (draining)
      rate = (struct rates){0, 90, 30};
    unit_in in = drive(l, r, &rate);
    if (draining && l->ref.valid == 0) {
      in = (unit_in){.kernel_start = 1};
      draining = false;
      rate = (struct rates){80, 30, 5};
    }
    in.kernel_start |= rng_below(r, 1000) == 0; /* whatever the warps hold */
    const struct before was = look(l, &in, flushed, renewed);
    lockstep_tick(l, in);
    cover_cycle(l, &in, &was);
    flushed = warpset_if(in.flush_valid, in.flush_warp);
    renewed = warpset_if(in.fetch_valid, in.fetch_warp) & was.stale;
  }
}

UNIT_MAIN_WITH(parameters, DIRECTED(write_pop_pop), DIRECTED(all_at_once), DIRECTED(loads),
               DIRECTED(in_turn), DIRECTED(more_behind), DIRECTED(stale), RANDOM(random_ibuffer))
