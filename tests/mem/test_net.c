/* The crossbar alone: a flit a tick and port, fairness, back-pressure, clocks. */
#include "csim/mem/net/net.h"
#include "tests/mem/bench.h"

enum { INPUTS = 4, OUTPUTS = 3 };

struct crossbar {
  struct net net;
  struct ring in[INPUTS], out[OUTPUTS];
  uint64_t tick;
};

/* Core and crossbar clock alike: the packet is ready in the core cycle after its arrival's tick. */
static void crossbar_open(struct crossbar *x, uint32_t room) {
  memset(x, 0, sizeof *x);
  x->net.clock = (struct clock_ratio){1, 1};
  x->net.latency = 10;
  x->net.inputs = INPUTS;
  for (unsigned i = 0; i < INPUTS; i++) {
    assert_true(ring_init(&x->in[i], 64));
    x->net.in[i] = &x->in[i];
  }
  for (unsigned o = 0; o < OUTPUTS; o++) {
    assert_true(ring_init(&x->out[o], room));
    x->net.out[o] = &x->out[o];
  }
}

static void crossbar_close(struct crossbar *x) {
  for (unsigned i = 0; i < INPUTS; i++)
    free(x->in[i].slot);
  for (unsigned o = 0; o < OUTPUTS; o++)
    free(x->out[o].slot);
}

static void offer(struct crossbar *x, unsigned in, unsigned out, unsigned flits) {
  *ring_push(&x->in[in]) =
      (struct packet){.sm = (uint8_t)in, .part = (uint8_t)out, .flits = (uint8_t)flits};
  net_offer(&x->net, in);
}

static void run(struct crossbar *x, uint64_t ticks) {
  net_run(&x->net, x->tick, x->tick + ticks);
  x->tick += ticks;
}

/* The next packet of an output: where it came from and when it is ready. */
static void expect(struct crossbar *x, unsigned out, unsigned in, uint64_t ready) {
  assert_false(ring_empty(&x->out[out]));
  assert_int_equal(ring_head(&x->out[out])->sm, in);
  assert_int_equal(ring_head(&x->out[out])->ready, ready);
  ring_pop(&x->out[out]);
}

static void ports_move_a_flit_a_tick(void **state) {
  (void)state;
  struct crossbar x;
  crossbar_open(&x, 64);
  offer(&x, 0, 1, 4); /* one input, two outputs: one after the other */
  offer(&x, 0, 2, 1);
  offer(&x, 0, 1, 2);
  offer(&x, 3, 2, 1); /* another input meanwhile */
  run(&x, 20);
  expect(&x, 1, 0, 0 + 3 + 10 + 1);
  expect(&x, 2, 3, 0 + 0 + 10 + 1);
  expect(&x, 2, 0, 4 + 0 + 10 + 1);
  expect(&x, 1, 0, 5 + 1 + 10 + 1);
  assert_int_equal(x.net.flits, 8);
  offer(&x, 0, 1, 4); /* two inputs, one output */
  offer(&x, 1, 1, 4);
  run(&x, 20);
  expect(&x, 1, 1, 20 + 3 + 10 + 1); /* input 0 was served last */
  expect(&x, 1, 0, 24 + 3 + 10 + 1);
  assert_int_equal(x.net.wanted, 0);
  crossbar_close(&x);
}

static void inputs_take_turns(void **state) {
  (void)state;
  struct crossbar x;
  crossbar_open(&x, 64);
  for (unsigned k = 0; k < 8; k++)
    for (unsigned i = 0; i < INPUTS; i++)
      if (i != 1)
        offer(&x, i, 0, 1);
  run(&x, 24);
  static const unsigned turn[3] = {0, 2, 3};
  for (unsigned k = 0; k < 24; k++)
    expect(&x, 0, turn[k % 3], k + 11);
  crossbar_close(&x);
}

static void a_full_output_waits_and_holds_its_input(void **state) {
  (void)state;
  struct crossbar x;
  crossbar_open(&x, 2);
  for (unsigned k = 0; k < 3; k++)
    offer(&x, 0, 0, 1);
  offer(&x, 0, 1, 1); /* behind the one that waits */
  run(&x, 10);
  assert_int_equal(ring_count(&x.out[0]), 2);
  assert_int_equal(ring_count(&x.out[1]), 0);
  expect(&x, 0, 0, 11);
  run(&x, 10);
  expect(&x, 0, 0, 12);
  expect(&x, 0, 0, 10 + 11);
  expect(&x, 1, 0, 11 + 11);
  crossbar_close(&x);
}

/* Every tick falls into exactly one core cycle, that of its time. */
static void clocks_cover_every_tick_once(void **state) {
  (void)state;
  static const struct clock_ratio ratios[] = {{1400, 700}, {924, 700}, {700, 700}, {333, 700}};
  for (unsigned k = 0; k < 4; k++) {
    const struct clock_ratio *r = &ratios[k];
    uint64_t tick = 0;
    for (uint64_t cycle = 0; cycle < 3000; cycle++) {
      assert_int_equal(clock_first(r, cycle), tick);
      for (; tick < clock_first(r, cycle + 1); tick++) {
        assert_int_equal(clock_cycle(r, tick), cycle);
        assert_true(tick * r->core >= cycle * r->mhz && tick * r->core < (cycle + 1) * r->mhz);
      }
    }
    assert_int_equal(tick, (3000 * r->mhz + r->core - 1) / r->core);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ports_move_a_flit_a_tick),
      cmocka_unit_test(inputs_take_turns),
      cmocka_unit_test(a_full_output_waits_and_holds_its_input),
      cmocka_unit_test(clocks_cover_every_tick_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
