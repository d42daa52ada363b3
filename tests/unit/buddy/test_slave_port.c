/* slave_port: instructions and outcomes of branches from the master, what goes back to it. */
#include "csim/ref/buddy/packet.h"
#include "csim/ref/buddy/slave_port.h"

#define UNIT slave_port
#include "tests/unit/lockstep.h"

#include "tests/unit/illegal.h"

#define COVERAGE(F)                                                                                \
  F(even_in_slot_1)                                                                                \
  F(instruction_with_mask)                                                                         \
  F(park_with_mask)                                                                                \
  F(called_odd)                                                                                    \
  F(answers)                                                                                       \
  F(answer_not_listening)                                                                          \
  F(slot_1_alone)                                                                                  \
  F(instruction_with_park)                                                                         \
  F(slave_falls_waiting)                                                                           \
  F(deaf)
COVER_DEFINE(COVERAGE)

enum { ROOM_MOST = 8 };
static unsigned room; /* in the queue of resolves, in cycles of the links' delay and four more */
static void parameters(void) { room = device_parameter("Delay", 2) + 4; }

static const uint64_t even = UINT64_C(46) << 58 | UINT64_C(14) << 54 | 0x1111;
static const uint64_t odd = UINT64_C(47) << 58 | 0x2222;
/* Warp 3: all lanes take the branch. */
static const uint64_t mask3 = UINT64_C(3) << 58 | UINT64_C(15) << 54 | UINT64_C(1) << 49;

static void instructions(struct lockstep *l) {
  TICK(.slave = 1, .d0_valid = 1, .d0 = even, .d1_valid = 1, .d1 = odd);
  EXPECT(x0_valid, 1);
  EXPECT(x0_inst, even);
  EXPECT(x1_valid, 1);
  EXPECT(x1_inst, odd);
  EXPECT(empty, 0);
  TICK(.slave = 1, .d0_valid = 1, .d0 = odd, .d1_valid = 1, .d1 = even);
  EXPECT(x0_inst, even);
  EXPECT(x1_inst, odd);
  TICK(.slave = 1, .d0_valid = 1, .d0 = odd);
  EXPECT(x0_valid, 0);
  EXPECT(x1_valid, 1);
  TICK(.slave = 1, .d1_valid = 1, .d1 = even);
  EXPECT(x0_valid, 1);
  EXPECT(x0_inst, even);
  EXPECT(x1_valid, 0);
  TICK(.slave = 1, .d1_valid = 1, .d1 = odd);
  EXPECT(x1_inst, odd);
  TICK(.slave = 1);
  EXPECT(x0_valid, 0);
  EXPECT(x1_valid, 0);
  EXPECT(empty, 1);
}

static void outcomes(struct lockstep *l) {
  TICK(.slave = 1, .resolve_valid = 1, .resolve_warp = 3, .resolve_taken = 0xff);
  EXPECT(st_resolve_valid, 0);
  EXPECT_STATE(count, 0, 1);
  /* In order, and the stack sees the own lanes. */
  TICK(.slave = 1, .resolve_valid = 1, .resolve_warp = 3, .resolve_taken = 0xee, .d1_valid = 1,
       .d1 = mask3, .res_dirs = 1);
  EXPECT(st_resolve_valid, 1);
  EXPECT(st_resolve_warp, 3);
  EXPECT(st_resolve_taken, 0xff);
  EXPECT(empty, 0);
  EXPECT_STATE(count, 0, 1);
  TICK(.slave = 1, .d1_valid = 1, .d1 = mask3, .res_at = 0xabcd, .res_dirs = 3);
  EXPECT(st_resolve_taken, 0xee);
  EXPECT(ctrl_valid, 0);
  EXPECT(cause_valid, 0);
  /* The directions differ from the master's: the port sends a request and reports the warp. */
  TICK(.slave = 1);
  EXPECT(ctrl_valid, 1);
  EXPECT(ctrl_type, 1);
  EXPECT(diverged, 8);
  EXPECT(empty, 0);
  /* The report of the branch stays until the member leaves the group. */
  TICK(.slave = 1, .res_at = 1, .res_dirs = 2);
  EXPECT(ctrl_valid, 0);
  EXPECT(diverged, 8);
  EXPECT(empty, 1);
  EXPECT(cause_valid, 1);
  EXPECT(cause_warp, 3);
  EXPECT(cause_pc, 0xabcd);
  EXPECT(cause_own, 3);
  EXPECT(cause_master, 1);
  TICK(.slave = 0);
  TICK(.slave = 0);
  EXPECT(diverged, 0);
  EXPECT(cause_valid, 0);
}

/* Resolves that wait when the slave becomes independent are gone; its own ones pass at once. */
static void leaves_waiting(struct lockstep *l) {
  TICK(.slave = 1, .resolve_valid = 1, .resolve_warp = 3, .resolve_taken = 0xff);
  TICK(.slave = 0, .resolve_valid = 1, .resolve_warp = 20, .resolve_taken = 0xf00);
  EXPECT(st_resolve_valid, 1);
  EXPECT(st_resolve_warp, 20);
  EXPECT(st_resolve_taken, 0xf00);
  EXPECT_STATE(count, 0, 0);
  TICK(.slave = 1);
  EXPECT(empty, 1);
}

/* A resolve may be taken in the cycle in which it joins. */
static void verdicts(struct lockstep *l) {
  for (uint64_t dirs = 1; dirs <= 3; dirs++) {
    TICK(.slave = 1, .resolve_valid = 1, .resolve_warp = 3, .resolve_taken = 7, .d1_valid = 1,
         .d1 = mask3, .res_dirs = dirs);
    EXPECT(st_resolve_valid, 1);
    EXPECT(st_resolve_taken, 7);
    EXPECT_STATE(count, 0, 0);
    TICK(.slave = 1);
    EXPECT(ctrl_valid, dirs != 1);
  }
}

static void answers(struct lockstep *l) {
  TICK(.slave = 1, .wb3_valid = 1, .wb3_warp = 33, .wb3_reg = 17, .wb3_size = 3, .mem_credit = 1);
  EXPECT(ack_valid, 1);
  EXPECT(ack_warp, 33);
  EXPECT(ack_reg, 17);
  EXPECT(ack_size, 3);
  EXPECT(credit_valid, 1);
  TICK(.slave = 0, .wb3_valid = 1, .wb3_warp = 33, .wb3_reg = 17, .wb3_size = 3, .mem_credit = 1,
       .resolve_valid = 1, .resolve_warp = 21, .resolve_taken = 0xabc);
  EXPECT(ack_valid, 0);
  EXPECT(credit_valid, 0);
  EXPECT(st_resolve_valid, 1);
  EXPECT(st_resolve_warp, 21);
  EXPECT(st_resolve_taken, 0xabc);
  EXPECT_STATE(count, 0, 0);
}

/* Control packets to all members: kind 1 calls a warp, 2 ends the roll, 3 carries the park PC. */
static uint64_t control(unsigned kind, unsigned warp, uint64_t payload) {
  return (uint64_t)warp << 58 | UINT64_C(15) << 54 | (uint64_t)kind << 51 | payload;
}

static void parking(struct lockstep *l) {
  TICK(.slave = 1, .listens = 1, .d0_valid = 1, .d0 = control(3, 0, 0x1234));
  EXPECT(set_valid, 1);
  EXPECT(set_pc, 0x1234);
  EXPECT(x0_valid, 0);
  EXPECT(x1_valid, 0);
  EXPECT(called0_valid, 0);
  EXPECT(empty, 0);
  TICK(.listens = 1, .d0_valid = 1, .d0 = control(1, 46, 0x2f), .d1_valid = 1,
       .d1 = control(1, 47, 0x10));
  EXPECT(called0_valid, 1);
  EXPECT(called0_warp, 46);
  EXPECT(called0_depth, 0x2f);
  EXPECT(called1_valid, 1);
  EXPECT(called1_warp, 47);
  EXPECT(called1_depth, 0x10);
  EXPECT(set_valid, 0);
  EXPECT(st_resolve_valid, 0);
  TICK(.listens = 1, .d0_valid = 1, .d0 = control(2, 0, 48), .park_differs = 1);
  EXPECT(end_valid, 1);
  EXPECT(end_count, 48);
  EXPECT(called0_valid, 0);
  EXPECT(ctrl_valid, 0);
  TICK(.listens = 1);
  EXPECT(ctrl_valid, 1);
  EXPECT(ctrl_type, 1);
  EXPECT(diverged, 0);
  /* A member that does not listen ignores these packets. */
  TICK(.d0_valid = 1, .d0 = control(1, 46, 0), .d1_valid = 1, .d1 = control(1, 47, 0),
       .park_differs = 1);
  EXPECT(called0_valid, 0);
  EXPECT(called1_valid, 0);
  TICK(.d0_valid = 1, .d0 = control(2, 0, 1));
  EXPECT(end_valid, 0);
  EXPECT(ctrl_valid, 0);
  TICK(.d0_valid = 1, .d0 = control(3, 0, 1));
  EXPECT(set_valid, 0);
}

static void illegal_inputs(struct lockstep *l) {
  ILLEGAL(.slave = 1, .d1_valid = 1, .d1 = mask3);
  ILLEGAL(.slave = 1, .d0_valid = 1, .d0 = mask3);
  ILLEGAL(.slave = 1, .d1_valid = 1, .d1 = control(3, 0, 0x1234));
  ILLEGAL(.slave = 1, .d0_valid = 1, .d0 = even, .d1_valid = 1, .d1 = even);
  TICK(.slave = 1, .resolve_valid = 1, .resolve_warp = 4);
  ILLEGAL(.slave = 1, .d1_valid = 1, .d1 = mask3);
  LEGAL(.slave = 1, .resolve_valid = 1, .resolve_warp = 5);
  for (unsigned i = 1; i < room; i++)
    TICK(.slave = 1, .resolve_valid = 1, .resolve_warp = 4);
  ILLEGAL(.slave = 1, .resolve_valid = 1, .resolve_warp = 4);
}

/* The test's record of the resolves that wait. */
struct waiting {
  unsigned warp[ROOM_MOST], n;
};

static void random_mask(struct rng *r, struct waiting *w, unit_in *in) {
  unsigned warp = w->n > 0 ? w->warp[0] : (unsigned)in->resolve_warp;
  uint64_t dirs = 1 + rng_below(r, 3);
  in->d1_valid = 1;
  in->d1 = packet_of_mask(warp, dirs);
  in->res_dirs = rng_chance(r, 90) ? dirs : 1 + rng_below(r, 3);
}

static uint64_t instruction(struct rng *r, unsigned warp) {
  return (uint64_t)warp << 58 | (uint64_t)rng_below(r, 15) << 54 | rng_next(r) >> 10;
}

static void random_packets(struct rng *r, struct waiting *w, unit_in *in, unsigned rate) {
  unsigned warp = rng_below(r, WARPS);
  in->res_dirs = rng_below(r, 4);
  in->res_at = rng_below(r, 65536);
  in->d0_valid = rng_chance(r, rate);
  in->d0 = instruction(r, warp);
  if ((w->n > 0 || in->resolve_valid) && rng_chance(r, rate)) {
    random_mask(r, w, in);
    cover(COVER_instruction_with_mask, in->d0_valid);
  } else {
    in->d1_valid = rng_chance(r, rate);
    in->d1 = instruction(r, (2 * rng_below(r, WARPS / 2) + 1 - warp % 2) % WARPS);
    cover(COVER_slot_1_alone, !in->d0_valid && in->d1_valid);
    cover(COVER_even_in_slot_1, in->d1_valid && warp % 2 == 1);
  }
}

/* The leader's roll, and its Park packet, in slots that hold nothing else. */
static void random_control(struct rng *r, unit_in *in) {
  if (in->d0_valid || rng_chance(r, 50))
    return;
  const unsigned of0 = 2 * rng_below(r, WARPS / 2), of1 = 2 * rng_below(r, WARPS / 2) + 1;
  /* A slave hears a roll as any other member does, though its leader sends none. */
  const unsigned kind = 1 + rng_below(r, 3);
  in->d0_valid = kind != 1 || rng_chance(r, 70);
  in->d0 = control(kind, kind == 1 ? of0 : 0, rng_below(r, kind == 3 ? 65536 : 64));
  const bool park = kind == 3 && in->d1_valid && in->listens;
  cover(COVER_park_with_mask, park && packet_is(in->d1, PACKET_MASK));
  cover(COVER_instruction_with_park, park && packet_is_instruction(in->d1));
  if (kind != 1)
    return;
  in->d1_valid = !in->d0_valid || rng_chance(r, 70);
  in->d1 = control(1, of1, rng_below(r, 64));
}

static void cover_control(const unit_in *in, const unit_out *out, bool answers) {
  cover(COVER_called_odd, !out->called0_valid && out->called1_valid);
  cover(COVER_answers, answers && out->ctrl_valid);
  cover(COVER_answer_not_listening, !in->listens && in->park_differs);
  cover(COVER_deaf, !in->listens && (in->d0_valid || in->d1_valid));
}

static void follow(struct waiting *w, const unit_in *in) {
  if (in->resolve_valid)
    w->warp[w->n++] = (unsigned)in->resolve_warp;
  if (in->d1_valid && packet_is(in->d1, PACKET_MASK))
    memmove(&w->warp[0], &w->warp[1], --w->n * sizeof w->warp[0]);
}

static void random_slave_port(struct lockstep *l, struct rng *r, uint64_t cycles) {
  struct waiting w = {.n = 0};
  unsigned packets = 50, resolves = 50;
  bool slave = true, listens = true, ctrl = false, answers = false;
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_below(r, 60) == 0) {
      packets = (unsigned[]){0, 20, 60, 100}[rng_below(r, 4)];
      resolves = (unsigned[]){0, 20, 60, 100}[rng_below(r, 4)];
    }
    if (rng_below(r, w.n == 0 && !ctrl ? 20 : 200) == 0) {
      cover(COVER_slave_falls_waiting, slave && w.n > 0);
      slave = !slave;
      w.n = 0;
      listens = slave || rng_chance(r, 70);
    }
    unit_in in = {.slave = slave, .listens = listens};
    in.resolve_valid = rng_chance(r, resolves) && (!slave || w.n < room);
    in.resolve_warp = rng_below(r, WARPS);
    in.resolve_taken = rng_next(r) & UINT32_MAX;
    in.wb3_valid = rng_chance(r, 50);
    in.wb3_warp = rng_below(r, WARPS);
    in.wb3_reg = rng_below(r, 32);
    in.wb3_size = 1 + rng_below(r, 3);
    in.mem_credit = rng_chance(r, 50);
    if (slave)
      random_packets(r, &w, &in, packets);
    else
      in.park_differs = rng_chance(r, 20);
    random_control(r, &in);
    lockstep_tick(l, in);
    cover_control(&in, &l->ref_out, answers);
    answers = in.park_differs && !slave;
    if (slave)
      follow(&w, &in);
    ctrl = l->ref_view.ctrl[0] != 0;
  }
}

UNIT_MAIN_WITH(parameters, DIRECTED(instructions), DIRECTED(outcomes), DIRECTED(leaves_waiting),
               DIRECTED(verdicts), DIRECTED(answers), DIRECTED(parking), DIRECTED(illegal_inputs),
               RANDOM(random_slave_port))
