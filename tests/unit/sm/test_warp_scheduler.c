/* warp_scheduler: greedy then oldest, or loose round robin; scheduler 0 (even warps) or
 * 1 (odd warps). */
#include "csim/ref/sm/warp_scheduler.h"

static unsigned parity;
#define UNIT warp_scheduler
#define UNIT_REF_RESET(ref) warp_scheduler_ref_reset(ref, parity)
/* Bits that no legal input changes. */
#define UNIT_UNREACHED(F)                                                                          \
  F(launch_warp, 1, "warps of one parity")                                                         \
  F(elig, port_mask(48) & ~OWN, "warps of one parity")
#include "tests/unit/lockstep.h"

#define COVERAGE(F)                                                                                \
  F(greedy_goes_on)                                                                                \
  F(nothing_eligible)                                                                              \
  F(launch_of_last_with_grant)                                                                     \
  F(launch_during_pick)                                                                            \
  F(ages_wrap)
COVER_DEFINE(COVERAGE)

static void parameters(void) { parity = device_parameter("Parity", 0); }

/* The tests name the scheduler's warps by the even numbers. */
#define OWN (UINT64_C(0x555555555555) << parity)
#define WARP(w) ((w) + parity)
#define LAUNCH(w) TICK(.launch_valid = 1, .launch_warp = WARP(w))
#define SET(a, b, c) ((UINT64_C(1) << (a) | UINT64_C(1) << (b) | UINT64_C(1) << (c)) << parity)

static void greedy_then_oldest(struct lockstep *l) {
  EXPECT_STATE(last, 0, WARP(46));
  EXPECT_STATE(greedy, 0, 0);
  /* Launched in the order 20, 4, 30. */
  LAUNCH(20);
  EXPECT(pick_valid, 0);
  EXPECT(pick_warp, 0);
  LAUNCH(4);
  LAUNCH(30);
  EXPECT_STATE(count, 0, 3);
  /* The oldest is picked, but not granted: nothing changes. */
  TICK(.elig = SET(4, 20, 30));
  EXPECT(pick_valid, 1);
  EXPECT(pick_warp, WARP(20));
  EXPECT_STATE(last, 0, WARP(46));
  EXPECT_STATE(greedy, 0, 0);
  /* 20 cannot: the next oldest, granted. */
  TICK(.elig = SET(4, 4, 30), .grant = 1);
  EXPECT(pick_warp, WARP(4));
  EXPECT_STATE(last, 0, WARP(4));
  EXPECT_STATE(greedy, 0, 1);
  /* Greedy: 4 goes on although 20 is older. */
  TICK(.elig = SET(4, 20, 30), .grant = 1);
  EXPECT(pick_warp, WARP(4));
  /* 4 stalls: back to the oldest. */
  TICK(.elig = SET(20, 20, 30), .grant = 1);
  EXPECT(pick_warp, WARP(20));
  EXPECT_STATE(last, 0, WARP(20));
  /* 20 has ended and is launched anew: it is the youngest now, and greed is over. */
  TICK(.launch_valid = 1, .launch_warp = WARP(20), .elig = 0);
  EXPECT_STATE(greedy, 0, 0);
  TICK(.elig = SET(4, 20, 30), .grant = 1);
  EXPECT(pick_warp, WARP(4));
  /* A launch of the last warp in a cycle that grants another: greedy for that one. */
  TICK(.launch_valid = 1, .launch_warp = WARP(4), .elig = SET(20, 20, 30), .grant = 1);
  EXPECT(pick_warp, WARP(30));
  EXPECT_STATE(last, 0, WARP(30));
  EXPECT_STATE(greedy, 0, 1);
  /* A new kernel. */
  TICK(.kernel_start = 1);
  EXPECT_STATE(last, 0, WARP(46));
  EXPECT_STATE(greedy, 0, 0);
  EXPECT_STATE(count, 0, 0);
}

static void round_robin(struct lockstep *l) {
  for (unsigned w = 0; w < 48; w += 2)
    LAUNCH(w);
  /* From 46 round the end. */
  TICK(.lrr = 1, .elig = OWN, .grant = 1);
  EXPECT(pick_warp, WARP(0));
  TICK(.lrr = 1, .elig = OWN, .grant = 1);
  EXPECT(pick_warp, WARP(2));
  TICK(.lrr = 1, .elig = SET(0, 2, 46), .grant = 1);
  EXPECT(pick_warp, WARP(46));
  TICK(.lrr = 1, .elig = SET(46, 46, 46), .grant = 1);
  EXPECT(pick_warp, WARP(46));
  /* Without a grant the turn stays. */
  TICK(.lrr = 1, .elig = SET(10, 12, 46));
  EXPECT(pick_warp, WARP(10));
  TICK(.lrr = 1, .elig = SET(10, 12, 46), .grant = 1);
  EXPECT(pick_warp, WARP(10));
  EXPECT_STATE(last, 0, WARP(10));
}

static void age_is_modulo_65536(struct lockstep *l) {
  LAUNCH(2);
  /* 65534 launches later the next ones come close to the wrap. */
  for (unsigned i = 1; i < 65535; i++)
    LAUNCH(10);
  LAUNCH(2);
  LAUNCH(6);
  EXPECT_STATE(count, 0, 1);
  /* 10 is the oldest, then 2 (sequence 65535), then 6 (sequence 0). */
  TICK(.elig = SET(2, 6, 10));
  EXPECT(pick_warp, WARP(10));
  TICK(.elig = SET(2, 6, 6));
  EXPECT(pick_warp, WARP(2));
}

enum { OWN_WARPS = 24, AGE_ROUNDS = 46, AGE_ROUNDS_OF_NETLIST = 12 };

/* The warp at place k of an order.  In all orders together each warp comes directly behind each
 * other one, not counting last places: OWN_WARPS orders of steps 1, -2, 3, -4 and so on, two of
 * steps -1. */
static unsigned in_order(unsigned order, unsigned k) {
  if (order >= OWN_WARPS)
    return (OWN_WARPS / 2 * order + OWN_WARPS - k) % OWN_WARPS;
  return ((k % 2 != 0 ? (k + 1) / 2 : OWN_WARPS - k / 2) + order) % OWN_WARPS;
}

/* Ages that wrap in launches of another warp, one after the other; then each is compared with the
 * next.  A netlist of gates has time for two orders. */
static void ages_wrap_in_each_order(struct lockstep *l) {
  const unsigned orders = device.spec.kind == RTL_NETLIST ? 2 : OWN_WARPS + 2;
  const unsigned last = OWN_WARPS - 1;
#define IN_ORDER(k) (2 * in_order(order, k))
  for (unsigned order = 0; order < orders; order++) {
    for (unsigned k = 0; k < last; k++)
      LAUNCH(IN_ORDER(k));
    for (unsigned i = 0; i <= UINT16_MAX; i++)
      LAUNCH(IN_ORDER(last));
    for (unsigned k = 1; k < last; k++) {
      TICK(.elig = SET(IN_ORDER(k - 1), IN_ORDER(k), IN_ORDER(k)));
      EXPECT(pick_warp, WARP(IN_ORDER(k - 1)));
    }
  }
}

/* Launches without end, a round of 2^16 after the other.  In a round one warp is launched again and
 * again; each other one is launched when its age has wrapped, that is once, or a round later.  Its
 * age wraps beside the launch of another, and it is as young as the next one that is launched.
 * Every second round begins with a kernel in which half of the warps, equally old, are launched
 * after the first wrap, but for one beside it. */
static void random_ages(struct lockstep *l, struct rng *r, uint64_t cycles) {
  const uint64_t launches = (uint64_t)UINT16_MAX + 1;
  const bool netlist = device.spec.kind == RTL_NETLIST;
  const uint64_t rounds =
      2 + (netlist ? AGE_ROUNDS_OF_NETLIST : AGE_ROUNDS) * cycles / LOCKSTEP_CYCLES;
  uint64_t due[OWN_WARPS] = {0};
  for (uint64_t i = 0; i < rounds * launches; i++) {
    const unsigned round = (unsigned)(i / launches), often = round * 7 % OWN_WARPS;
    const unsigned beside = OWN_WARPS - 1 - round / 2 % OWN_WARPS;
    if (i % (2 * launches) == 0) {
      TICK(.kernel_start = 1);
      for (unsigned w = 0; w < OWN_WARPS; w++)
        due[w] = i + rng_below(r, 500) + (w == beside || rng_chance(r, 50) ? launches : 0);
    }
    unsigned w = often;
    for (unsigned j = 0; j < OWN_WARPS; j++) {
      uint16_t age = (uint16_t)(l->ref.count - l->ref.sequence[WARP(2 * j)]);
      if (age == UINT16_MAX) { /* it wraps */
        w = l->ref.count == UINT16_MAX ? beside : (j + 1 + round / 2) % OWN_WARPS;
        cover(COVER_ages_wrap, true);
        break;
      }
      if (age == 0 && rng_chance(r, 50)) { /* it has wrapped */
        w = rng_below(r, OWN_WARPS);
        break;
      }
      if (due[j] <= i)
        w = j;
    }
    due[w] = i + launches - 1 + rng_below(r, 20) + (rng_chance(r, 10) ? launches : 0);
    unit_in in = {.launch_valid = 1, .launch_warp = WARP(2 * w)};
    in.elig = rng_subset(r, OWN & ~warpset_of(WARP(2 * w)), rng_below(r, 4));
    in.grant = in.elig != 0;
    lockstep_tick(l, in);
  }
}

/* Warps run, end (live loses them) and are launched again. */
static void random_scheduler(struct lockstep *l, struct rng *r, uint64_t cycles) {
  warpset live = 0;
  unsigned launches = 50, density = 3, ends = 10;
  bool lrr = false, ending = false;
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_chance(r, 1)) {
      launches = rng_below(r, 101);
      density = rng_below(r, 5);
      ends = rng_below(r, 60);
      ending = rng_chance(r, 10);
    }
    unit_in in = {.lrr = lrr};
    if (ending && live == 0) {
      in.kernel_start = 1;
      lrr = !lrr;
      ending = false;
    } else {
      if (live != 0 && rng_chance(r, ending ? 90 : ends))
        live &= ~warpset_of(rng_member(r, live));
      if (!ending && rng_chance(r, launches) && live != OWN) {
        in.launch_valid = 1;
        in.launch_warp = rng_member(r, OWN & ~live);
        if (!warpset_has(live, l->ref.last) && rng_chance(r, 30))
          in.launch_warp = l->ref.last;
      }
      in.elig = rng_subset(r, live, density);
      if (warpset_has(live, l->ref.last) && rng_chance(r, 30))
        in.elig |= warpset_of(l->ref.last);
      if (warpset_has(live, l->ref.last) && rng_chance(r, 3))
        in.elig = warpset_of(l->ref.last);
      in.grant = lockstep_peek(l, &in).pick_valid && rng_chance(r, 80);
      in.kernel_start = rng_below(r, 500) == 0; /* whatever the warps do */
    }
    unsigned last = l->ref.last;
    bool greedy = l->ref.greedy && !in.lrr, relaunch = in.launch_valid && in.launch_warp == last;
    uint16_t count = l->ref.count;
    lockstep_tick(l, in);
    unsigned pick = (unsigned)l->ref_out.pick_warp;
    bool picked = l->ref_out.pick_valid;
    live = in.kernel_start ? 0 : live | warpset_if(in.launch_valid, in.launch_warp);
    cover(COVER_greedy_goes_on, picked && greedy && pick == last && in.elig != warpset_of(last));
    cover(COVER_nothing_eligible, !picked && live != 0);
    cover(COVER_launch_of_last_with_grant, greedy && relaunch && in.grant);
    cover(COVER_launch_during_pick, picked && in.launch_valid);
    cover(COVER_ages_wrap, in.launch_valid && count == UINT16_MAX);
  }
  random_ages(l, r, cycles);
}

UNIT_MAIN_WITH(parameters, DIRECTED(greedy_then_oldest), DIRECTED(round_robin),
               DIRECTED(age_is_modulo_65536), DIRECTED(ages_wrap_in_each_order),
               RANDOM(random_scheduler))
