/* master_port: slots of the downlinks, the master's own way to its back end, verdict windows,
 * credits of the slaves. */
#include "csim/ref/buddy/master_port.h"
#include "csim/ref/buddy/packet.h"

static unsigned neighbours, delay; /* of the master; of the links, in cycles */
/* Ports are as wide as these. */
#undef MASTER_PORT_MEMBERS
#define MASTER_PORT_MEMBERS (neighbours + 1)
#define UNIT master_port
#define UNIT_REF_RESET(ref) master_port_ref_reset(ref, neighbours + 1, delay)
/* Bits that no legal input changes. */
#define UNIT_UNREACHED(F)                                                                          \
  F(call0_warp, 1, "even warps")                                                                   \
  F(call1_warp, 1, "odd warps")                                                                    \
  F(iss0_inst, UINT64_C(1) << 58, "even warps")                                                    \
  F(iss1_inst, UINT64_C(1) << 58, "odd warps")
#include "tests/unit/lockstep.h"

#include "tests/unit/illegal.h"

#define COVERAGE(F)                                                                                \
  F(line_full)                                                                                     \
  F(many_windows)                                                                                  \
  F(window_opens_again)                                                                            \
  F(window_closes_as_another_opens)                                                                \
  F(last_credit_taken)                                                                             \
  F(all_returned)                                                                                  \
  F(rest_after_work)                                                                               \
  F(comes_apart)                                                                                   \
  F(comes_apart_elsewhere)                                                                         \
  F(park_packet)                                                                                   \
  F(park_packet_with_mask)                                                                         \
  F(apart_again)                                                                                   \
  F(resolve_of_no_master)                                                                          \
  F(credit_of_no_slave)
COVER_DEFINE(COVERAGE)

enum { PLACES = 8 };
static unsigned verdict, all; /* cycles of a verdict's window; a bit each neighbour */
static void parameters(void) {
  neighbours = device_parameter("Members", 4) - 1;
  delay = device_parameter("Delay", 2);
  verdict = 2 * delay + 4;
  all = (1U << neighbours) - 1;
}

static const uint64_t even = UINT64_C(6) << 58 | 0x1234567, odd = UINT64_C(7) << 58 | 0x7654321;

static void slots(struct lockstep *l) {
  /* One instruction takes the first slot, whichever scheduler's it is. */
  TICK(.master = 1, .slaves = all, .iss0_valid = 1, .iss0_inst = even);
  EXPECT(p0_valid, 1);
  EXPECT(p0, even);
  EXPECT(p1_valid, 0);
  TICK(.master = 1, .slaves = all, .iss1_valid = 1, .iss1_inst = odd);
  EXPECT(p0_valid, 1);
  EXPECT(p0, odd);
  EXPECT(p1_valid, 0);
  TICK(.master = 1, .slaves = all, .iss0_valid = 1, .iss0_inst = even, .iss1_valid = 1,
       .iss1_inst = odd);
  EXPECT(p0, even);
  EXPECT(p1_valid, 1);
  EXPECT(p1, odd);
  /* The outcome of a branch has the second: warp 9, both directions. */
  TICK(.master = 1, .slaves = all, .iss1_valid = 1, .iss1_inst = odd, .rs_valid = 1, .rs_warp = 9,
       .rs_dirs = 3);
  EXPECT(p0, odd);
  EXPECT(p1_valid, 1);
  EXPECT(p1, UINT64_C(0x27c6000000000000));
  TICK(.master = 1, .slaves = all, .rs_valid = 1, .rs_warp = 47, .rs_dirs = 1);
  EXPECT(p0_valid, 0);
  EXPECT(p1, UINT64_C(0xbfc2000000000000));
  for (unsigned c = 0; c < verdict; c++)
    TICK(.master = 1, .slaves = all);
  /* Nobody follows: no packets, no window. */
  TICK(.iss0_valid = 1, .iss0_inst = even, .iss1_valid = 1, .iss1_inst = odd, .rs_valid = 1,
       .rs_warp = 9, .rs_dirs = 1);
  EXPECT(p0_valid, 0);
  EXPECT(p1_valid, 0);
  EXPECT(out0_valid, 1);
  EXPECT(out1_inst, odd);
  EXPECT(verdict, 0);
  TICK(.master = 1, .slaves = all);
  EXPECT(verdict, 0);
}

static void own_way(struct lockstep *l) {
  for (unsigned c = 0; c < 8; c++) {
    TICK(.master = 1, .slaves = all, .iss0_valid = c == 0, .iss0_inst = even, .iss0_pc = 5,
         .iss0_mask = 0xf0f0, .iss1_valid = c == 0 || c == 2, .iss1_inst = odd, .iss1_pc = 7 + c,
         .iss1_mask = 1);
    EXPECT(out0_valid, c == delay);
    EXPECT(out1_valid, c == delay || c == delay + 2);
    EXPECT(empty, c == 0 || c > delay + 2 || (delay == 1 && c == 2));
    if (c == delay) {
      EXPECT(out0_inst, even);
      EXPECT(out0_pc, 5);
      EXPECT(out0_mask, 0xf0f0);
      EXPECT(out1_pc, 7);
    }
    if (c == delay + 2)
      EXPECT(out1_pc, 9);
  }
}

static void verdict_window(struct lockstep *l) {
  /* Cycle 0 is the one after the resolve: verdict - 1 cycles; a second warp's two cycles later. */
  for (unsigned c = 0; c < verdict + 4; c++) {
    TICK(.master = 1, .slaves = all, .rs_valid = c == 0 || c == 2, .rs_warp = c == 0 ? 5 : 40);
    uint64_t first = c < verdict - 1 ? UINT64_C(1) << 5 : 0;
    uint64_t second = c >= 2 && c < verdict + 1 ? UINT64_C(1) << 40 : 0;
    EXPECT(verdict, first | second);
    EXPECT(empty, (first | second) == 0);
  }
}

static void credits(struct lockstep *l) {
  for (unsigned c = 0; c < PLACES; c++) {
    TICK(.master = 1, .slaves = 1, .take_mem = 1);
    EXPECT(members_ok, 1);
  }
  TICK(.master = 1, .slaves = 1);
  EXPECT(members_ok, 0);
  EXPECT(empty, 0);
  EXPECT_STATE(count, 0, UINT64_C(0x8888888) << 4 & ((UINT64_C(1) << 4 * neighbours) - 1));
  TICK(.master = 1, .slaves = 1, .credit = 1);
  EXPECT(members_ok, 0);
  TICK(.master = 1, .slaves = 1, .take_mem = 1, .credit = 1);
  EXPECT(members_ok, 1);
  TICK(.master = 1, .slaves = 1);
  EXPECT(members_ok, 1);
  for (unsigned c = 1; c < PLACES; c++)
    TICK(.master = 1, .slaves = 1, .credit = 1);
  TICK(.master = 1, .slaves = 1);
  EXPECT(empty, 1);
  /* Without a follower `take_mem` takes no place. */
  TICK(.take_mem = 1);
  EXPECT(members_ok, 1);
  EXPECT(empty, 1);
  TICK(0);
  EXPECT(empty, 1);
}

static void comes_apart(struct lockstep *l) {
  /* The window of warp 5, whose branch has the reconvergence PC 0x1234, closes as the group comes
   * apart; that of warp 40 closes later. */
  for (unsigned c = 0; c < verdict + delay + 4; c++) {
    TICK(.master = 1, .slaves = all, .rs_valid = c == 0 || c == 2, .rs_warp = c == 0 ? 5 : 40,
         .rs_rpc = c == 0 ? 0x1234 : 0x4321, .set = c == verdict - 2);
    EXPECT(split_rpc, c == verdict - 2 ? 0x1234 : c == verdict ? 0x4321 : 0xffff);
    EXPECT(p0_valid, c == verdict);
    if (c == verdict)
      EXPECT(p0, UINT64_C(0x03d8000000001234));
    EXPECT(empty, c > verdict + delay);
  }
}

static void roll(struct lockstep *l) {
  TICK(.call0_valid = 1, .call0_warp = 6, .call0_depth = 0x2c, .call1_valid = 1, .call1_warp = 47,
       .call1_depth = 3);
  EXPECT(p0_valid, 1);
  EXPECT(p0, UINT64_C(0x1bc800000000002c));
  EXPECT(p1_valid, 1);
  EXPECT(p1, UINT64_C(0xbfc8000000000003));
  TICK(.call1_valid = 1, .call1_warp = 1, .call1_depth = 0);
  EXPECT(p0_valid, 0);
  EXPECT(p1, UINT64_C(0x07c8000000000000));
  TICK(.last_valid = 1, .last_count = 48);
  EXPECT(p0, UINT64_C(0x03d0000000000030));
  EXPECT(p1_valid, 0);
}

static void illegal_inputs(struct lockstep *l) {
  LEGAL(.master = 1, .slaves = all, .take_mem = 1);
  ILLEGAL(.master = 1, .slaves = all, .credit = 1);
  ILLEGAL(.master = 1, .slaves = all, .iss0_valid = 1, .iss1_valid = 1, .rs_valid = 1);
  for (unsigned c = 0; c < PLACES; c++)
    TICK(.master = 1, .slaves = all, .take_mem = 1);
  ILLEGAL(.master = 1, .slaves = all, .take_mem = 1);
  TICK(.master = 1, .slaves = all, .set = 1);
  LEGAL(.master = 1, .slaves = all, .iss0_valid = 1);
  TICK(.master = 1, .slaves = all);
  ILLEGAL(.master = 1, .slaves = all, .iss0_valid = 1);
  TICK(.master = 1, .slaves = all, .kernel_start = 1);
  ILLEGAL(.master = 1, .slaves = all, .call1_valid = 1, .call1_warp = 1);
  TICK(.master = 1, .slaves = all, .iss0_valid = 1);
  ILLEGAL(.master = 0);
}

/* An instruction of warp 0; function unit 15 is that of packets that are none. */
static uint64_t random_word(struct rng *r) {
  return (uint64_t)rng_below(r, 15) << 54 | (rng_next(r) & port_mask(54));
}

/* `open`: verdicts; a warp in one has nothing to resolve. */
static void random_issue(struct rng *r, uint64_t open, unit_in *in, unsigned rate) {
  in->rs_warp = rng_below(r, rng_chance(r, 50) ? 4 : WARPS);
  bool resolves = (open >> in->rs_warp & 1) == 0 && rng_chance(r, rate / 3);
  in->iss0_valid = rng_chance(r, rate);
  in->iss1_valid = rng_chance(r, rate) && !(in->master && resolves && in->iss0_valid);
  in->iss0_inst = (uint64_t)(2 * rng_below(r, 24)) << 58 | random_word(r);
  in->iss1_inst = (uint64_t)(2 * rng_below(r, 24) + 1) << 58 | random_word(r);
  in->iss0_pc = rng_next(r) & 0xffff;
  in->iss1_pc = rng_next(r) & 0xffff;
  in->iss0_mask = rng_next(r) & UINT32_MAX;
  in->iss1_mask = rng_next(r) & UINT32_MAX;
  in->rs_valid = resolves;
  in->rs_dirs = 1 + rng_below(r, 3);
  in->rs_rpc = rng_next(r) & 0xffff;
}

/* The group may come apart: then nothing issues from the next cycle on, so that in the one after it
 * the slot is free. */
static void random_parting(struct rng *r, const unit_view *before, const struct lockstep *l,
                           unit_in *in) {
  if ((before->park[0] & 2) != 0) {
    in->iss0_valid = in->iss1_valid = 0;
    cover(COVER_park_packet, true);
    cover(COVER_park_packet_with_mask, in->rs_valid);
  }
  const bool closes = lockstep_peek(l, in).split_rpc != 0xffff;
  in->set = rng_chance(r, closes ? 30 : 2);
  cover(COVER_comes_apart, in->set && closes);
  cover(COVER_comes_apart_elsewhere, in->set && !closes);
  cover(COVER_apart_again, in->set && before->park[0] != 0);
}

/* A leader that is no master calls its roll. */
static void random_roll(struct rng *r, unit_in *in) {
  in->iss0_valid = in->iss1_valid = 0;
  in->last_valid = rng_chance(r, 20);
  in->last_count = rng_below(r, WARPS + 1);
  in->call0_valid = !in->last_valid && rng_chance(r, 60);
  in->call0_warp = 2 * rng_below(r, WARPS / 2);
  in->call0_depth = rng_below(r, 64);
  in->call1_valid = !in->last_valid && rng_chance(r, 60);
  in->call1_warp = 2 * rng_below(r, WARPS / 2) + 1;
  in->call1_depth = rng_below(r, 64);
}

static void cover_slots(const unit_in *in) {
  cover(COVER_resolve_of_no_master, !in->master && in->rs_valid);
  cover(COVER_credit_of_no_slave, (in->credit & ~in->slaves) != 0);
}

static void cover_state(const struct lockstep *l, const unit_view *before, const unit_in *in) {
  uint64_t full = (UINT64_C(1) << delay) - 1, now = l->ref_view.verdict[0];
  cover(COVER_line_full, before->line0[0] == full && before->line1[0] == full);
  cover(COVER_many_windows, __builtin_popcountll(now) >= 3);
  cover(COVER_window_closes_as_another_opens,
        (before->verdict[0] & ~now) != 0 && (now & ~before->verdict[0]) != 0);
  for (unsigned k = 0; k < neighbours; k++) {
    bool follows = (in->slaves >> k & 1) != 0, back = (in->credit >> k & 1) != 0;
    uint64_t count = before->count[0] >> 4 * k & 15;
    cover(COVER_last_credit_taken, follows && in->take_mem && count == 1 && !back);
    cover(COVER_all_returned, back && count == PLACES - 1 && !(follows && in->take_mem));
  }
}

/* How many neighbours have all their places free; those that have not, as a set. */
static unsigned at_home(const unit_view *v, uint64_t *owing) {
  unsigned home = 0;
  for (unsigned k = 0; k < neighbours; k++) {
    const bool full = (v->count[0] >> 4 * k & 15) == PLACES;
    home += full;
    *owing |= (uint64_t)!full << k;
  }
  return home;
}

/* The roles change when the port is at rest. */
static void random_master_port(struct lockstep *l, struct rng *r, uint64_t cycles) {
  unsigned rate = 50, taking = 50, returning = 50;
  uint64_t slaves = all, busy = 0, closed = 0;
  bool leaving = false;
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_below(r, 100) == 0) {
      rate = (unsigned[]){0, 10, 60, 100}[rng_below(r, 4)];
      taking = (unsigned[]){0, 20, 60, 100}[rng_below(r, 4)];
      returning = (unsigned[]){0, 20, 60, 100}[rng_below(r, 4)];
      leaving = rng_chance(r, 30);
    }
    const unit_view before = l->ref_view;
    uint64_t owing = 0;
    const bool rest = at_home(&before, &owing) == neighbours && before.verdict[0] == 0 &&
                      before.park[0] == 0 && before.line0[0] == 0 && before.line1[0] == 0;
    if (leaving && rest) {
      slaves = slaves != 0 && rng_chance(r, 50) ? 0 : 1 + rng_below(r, all);
      leaving = false;
    }
    unit_in in = {.master = slaves != 0, .slaves = slaves};
    random_issue(r, before.verdict[0], &in, leaving ? 0 : rate);
    if (in.master && !leaving)
      random_parting(r, &before, l, &in);
    else if ((before.park[0] & 2) != 0)
      in.iss0_valid = in.iss1_valid = 0;
    else if (!in.master && rng_chance(r, 20))
      random_roll(r, &in);
    for (unsigned k = 0; k < neighbours; k++)
      if ((owing >> k & 1) != 0 && rng_chance(r, leaving ? 50 : returning))
        in.credit |= UINT64_C(1) << k;
    if (rng_chance(r, 10)) /* those of others change nothing */
      in.credit |= ~slaves & rng_below(r, all + 1);
    in.take_mem = rng_chance(r, leaving ? 0 : taking) && lockstep_peek(l, &in).members_ok;
    /* Wins over what comes beside it, and ends all that is under way. */
    in.kernel_start = rng_below(r, rest ? 10 : 1000) == 0;
    lockstep_tick(l, in);
    cover_slots(&in);
    cover_state(l, &before, &in);
    cover(COVER_window_opens_again, in.master && in.rs_valid && (closed >> in.rs_warp & 1) != 0);
    closed = before.verdict[0] & ~l->ref_view.verdict[0];
    busy = l->ref_out.empty ? busy : c;
    cover(COVER_rest_after_work, l->ref_out.empty && c > 0 && busy == c - 1);
  }
}

UNIT_MAIN_WITH(parameters, DIRECTED(slots), DIRECTED(own_way), DIRECTED(verdict_window),
               DIRECTED(credits), DIRECTED(comes_apart), DIRECTED(roll), DIRECTED(illegal_inputs),
               RANDOM(random_master_port))
