/* uplink: ACKs in their order, credits, control packets before all. */
#include "csim/ref/buddy/uplink.h"

static unsigned hops, slave, depth;
#define UNIT uplink
#define UNIT_REF_RESET(ref) uplink_ref_reset(ref, hops, slave, depth)
#include "tests/unit/lockstep.h"

#define COVERAGE(F)                                                                                \
  F(ctrl_arrives_with_credit)                                                                      \
  F(ctrl_in_a_row)                                                                                 \
  F(queue_empties)                                                                                 \
  F(credits_in_a_row)
COVER_DEFINE(COVERAGE)

static void parameters(void) {
  hops = device_parameter("Hops", 1);
  slave = device_parameter("Slave", 1);
  depth = device_parameter("Depth", 64);
}

/* Core cycles of the way, from the specification's table. */
static const unsigned delays[] = {0, 1, 2, 2, 3, 3, 4, 4};
enum { DELAY_MOST = 4 };

static void idle(struct lockstep *l, unsigned cycles) {
  for (unsigned c = 0; c < cycles; c++)
    TICK(0);
}

/* One of each, at once: all are out 1 + D cycles later but the ACK, which lets the control packet
 * go first. */
static void control_goes_first(struct lockstep *l) {
  unsigned delay = delays[hops];
  TICK(.ctrl_valid = 1, .ctrl_type = 1, .ack_valid = 1, .ack_warp = 47, .ack_reg = 21,
       .ack_size = 3, .credit_valid = 1);
  EXPECT_STATE(backlog, 0, 1);
  EXPECT_STATE(ctrl, 0, 1);
  EXPECT_STATE(credit, 0, 1);
  for (unsigned c = 1; c <= delay; c++) {
    TICK(0);
    EXPECT(ctrl_valid, 0);
    EXPECT(ack_valid, 0);
    EXPECT(credit_valid, 0);
  }
  EXPECT_STATE(u0, 0, slave << 11 | 63 << 5 | 1);
  EXPECT_STATE(u1, 0, slave << 11);
  TICK(0);
  EXPECT(ctrl_valid, 1);
  EXPECT(ctrl_type, 1);
  EXPECT(ack_valid, 0);
  EXPECT(credit_valid, 1);
  EXPECT(slave, slave);
  EXPECT_STATE(u0, 0, 3 << 14 | slave << 11 | 47 << 5 | 21);
  TICK(0);
  EXPECT(ctrl_valid, 0);
  EXPECT(ack_valid, 1);
  EXPECT(ack_warp, 47);
  EXPECT(ack_reg, 21);
  EXPECT(ack_size, 3);
  EXPECT(slave, slave);
  EXPECT(credit_valid, 0);
  TICK(0);
  EXPECT(ack_valid, 0);
}

/* An ACK and a credit every cycle, never more than one ACK in the queue. */
static void keeps_up(struct lockstep *l) {
  unsigned delay = delays[hops];
  for (unsigned c = 0; c < 100; c++) {
    TICK(.ack_valid = 1, .ack_warp = c % 48, .ack_reg = c % 32, .ack_size = 1 + c % 3,
         .credit_valid = 1);
    EXPECT_STATE(backlog, 0, 1);
    EXPECT(ack_valid, c > delay);
    EXPECT(credit_valid, c > delay);
    if (c > delay)
      EXPECT(ack_warp, (c - delay - 1) % 48);
  }
}

/* Control packets all the while fill the queue; then it empties in order. */
static void fills_and_empties(struct lockstep *l) {
  for (unsigned c = 0; c < depth; c++) {
    TICK(.ctrl_valid = 1, .ctrl_type = c & 1, .ack_valid = 1, .ack_warp = c % 48, .ack_reg = 1,
         .ack_size = 1);
    EXPECT(backlog, c);
  }
  idle(l, 1 + DELAY_MOST + depth);
  EXPECT(backlog, 0);
  idle(l, 1 + DELAY_MOST);
  TICK(.kernel_start = 1);
  EXPECT_STATE(backlog, 0, 0);
}

static void random_uplink(struct lockstep *l, struct rng *r, uint64_t cycles) {
  unsigned ctrl = 5, ack = 50, credit = 50, quiet = 0, rows = 0, credits = 0;
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_below(r, 100) == 0) {
      ctrl = (unsigned[]){0, 5, 50, 100}[rng_below(r, 4)];
      ack = (unsigned[]){0, 10, 60, 100}[rng_below(r, 4)];
      credit = (unsigned[]){0, 10, 60, 100}[rng_below(r, 4)];
    }
    if (rng_below(r, 1000) == 0)
      quiet = depth + 2 * DELAY_MOST;
    const struct uplink_ref *u = &l->ref;
    bool pop = u->backlog > 0 && !u->ctrl, full = u->backlog == depth;
    unit_in in = {.ctrl_valid = rng_chance(r, ctrl),
                  .ctrl_type = rng_below(r, 2),
                  .ack_valid = (!full || pop) && rng_chance(r, ack),
                  .ack_warp = rng_below(r, 48),
                  .ack_reg = rng_below(r, 32),
                  .ack_size = 1 + rng_below(r, 3),
                  .credit_valid = rng_chance(r, credit)};
    if (quiet > 1)
      in = (unit_in){0};
    else if (quiet == 1) /* wins over what comes beside it */
      in.kernel_start = 1;
    quiet -= quiet > 0;
    bool was_some = u->backlog > 0;
    lockstep_tick(l, in);
    cover(COVER_ctrl_arrives_with_credit, l->ref_out.credit_valid && l->ref_out.ctrl_valid);
    rows = in.ctrl_valid ? rows + 1 : 0;
    cover(COVER_ctrl_in_a_row, rows > 2);
    cover(COVER_queue_empties, was_some && u->backlog == 0);
    credits = in.credit_valid ? credits + 1 : 0;
    cover(COVER_credits_in_a_row, credits > 2);
  }
}

UNIT_MAIN_WITH(parameters, DIRECTED(control_goes_first), DIRECTED(keeps_up),
               DIRECTED(fills_and_empties), RANDOM(random_uplink))
