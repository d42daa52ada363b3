/* downlink: two packets a core cycle, D cycles later. */
#include "csim/ref/buddy/downlink.h"

static unsigned hops;
#define UNIT downlink
#define UNIT_REF_RESET(ref) downlink_ref_reset(ref, hops)
#include "tests/unit/lockstep.h"

#define COVERAGE(F)                                                                                \
  F(full_for_long)                                                                                 \
  F(after_silence)                                                                                 \
  F(reset_under_way)
COVER_DEFINE(COVERAGE)

static void parameters(void) { hops = device_parameter("Hops", 1); }

/* The delay, from the specification's table. */
static const unsigned delays[] = {0, 1, 2, 2, 3, 3, 4, 4};
enum { DELAY_MOST = 4 };

static void arrive_after_delay(struct lockstep *l) {
  unsigned delay = delays[hops];
  /* In the first cycle after reset, and two cycles later. */
  TICK(.p0_valid = 1, .p0 = 0x1111, .p1_valid = 1, .p1 = 0x2222);
  for (unsigned c = 1; c < 12; c++) {
    if (c == 2)
      TICK(.p1_valid = 1, .p1 = UINT64_C(0xfedcba9876543210));
    else
      TICK(0);
    EXPECT(d0_valid, c == delay);
    EXPECT(d1_valid, c == delay || c == delay + 2);
    if (c == delay) {
      EXPECT(d0, 0x1111);
      EXPECT(d1, 0x2222);
    }
    if (c == delay + 2)
      EXPECT(d1, UINT64_C(0xfedcba9876543210));
  }
}

static void every_cycle_full(struct lockstep *l) {
  unsigned delay = delays[hops];
  for (uint64_t c = 0; c < 20; c++) {
    TICK(.p0_valid = 1, .p0 = 2 * c, .p1_valid = 1, .p1 = 2 * c + 1);
    EXPECT(d0_valid, c >= delay);
    EXPECT(d1_valid, c >= delay);
    if (c >= delay) {
      EXPECT(d0, 2 * (c - delay));
      EXPECT(d1, 2 * (c - delay) + 1);
    }
  }
}

static void reset_clears(struct lockstep *l) {
  TICK(.p0_valid = 1, .p0 = 1, .p1_valid = 1, .p1 = 2);
  lockstep_reset(l);
  for (unsigned c = 0; c <= DELAY_MOST; c++) {
    TICK(0);
    EXPECT(d0_valid, 0);
    EXPECT(d1_valid, 0);
  }
}

static void random_downlink(struct lockstep *l, struct rng *r, uint64_t cycles) {
  unsigned rate = 50, full = 0, silent = 0;
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_below(r, 100) == 0)
      rate = (unsigned[]){0, 10, 50, 90, 100}[rng_below(r, 5)];
    if (rng_below(r, 2000) == 0) {
      cover(COVER_reset_under_way, full > 0);
      lockstep_reset(l);
    }
    unit_in in = {.p0_valid = rng_chance(r, rate), .p1_valid = rng_chance(r, rate)};
    in.p0 = rng_next(r);
    in.p1 = rng_next(r);
    lockstep_tick(l, in);
    unsigned slots = (unsigned)(in.p0_valid + in.p1_valid);
    cover(COVER_after_silence, silent > 2 * DELAY_MOST && slots > 0);
    full = slots == 2 ? full + 1 : 0;
    silent = slots == 0 ? silent + 1 : 0;
    cover(COVER_full_for_long, full > 2 * DELAY_MOST);
  }
}

UNIT_MAIN_WITH(parameters, DIRECTED(arrive_after_delay), DIRECTED(every_cycle_full),
               DIRECTED(reset_clears), RANDOM(random_downlink))
