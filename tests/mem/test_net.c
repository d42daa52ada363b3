/* The crossbar alone: a flit a tick and port, fairness, back-pressure, clocks. */
#include "csim/mem/net/net.h"
#include "tests/mem/bench.h"

enum { INPUTS = 4, OUTPUTS = 3, PORTS = NET_PORTS };

static struct rng rng;

struct crossbar {
  struct net net;
  struct ring in[PORTS], out[PORTS];
  unsigned inputs, outputs;
  uint64_t tick;
};

/* Core and crossbar clock alike: the packet is ready in the core cycle after its arrival's tick. */
static void open_ports(struct crossbar *x, uint32_t room, unsigned inputs, unsigned outputs) {
  memset(x, 0, sizeof *x);
  x->inputs = inputs;
  x->outputs = outputs;
  x->net.clock = (struct clock_ratio){1, 1};
  x->net.latency = 10;
  x->net.inputs = (uint8_t)inputs;
  for (unsigned i = 0; i < inputs; i++) {
    assert_true(ring_init(&x->in[i], 64, 0));
    x->net.in[i] = &x->in[i];
  }
  for (unsigned o = 0; o < outputs; o++) {
    assert_true(ring_init(&x->out[o], room, 0));
    x->net.out[o] = &x->out[o];
  }
}

static void crossbar_open(struct crossbar *x, uint32_t room) {
  open_ports(x, room, INPUTS, OUTPUTS);
}

static void crossbar_close(struct crossbar *x) {
  for (unsigned i = 0; i < x->inputs; i++)
    free(x->in[i].slot);
  for (unsigned o = 0; o < x->outputs; o++)
    free(x->out[o].slot);
}

static void offer(struct crossbar *x, unsigned in, unsigned out, unsigned flits) {
  *ring_push(&x->in[in]) =
      (struct packet){.port = (uint8_t)in, .part = (uint8_t)out, .flits = (uint8_t)flits};
  net_offer(&x->net, in);
}

static void run(struct crossbar *x, uint64_t ticks) {
  net_run(&x->net, x->tick, x->tick + ticks);
  x->tick += ticks;
}

/* The next packet of an output: where it came from and when it is ready. */
static void expect(struct crossbar *x, unsigned out, unsigned in, uint64_t ready) {
  assert_false(ring_empty(&x->out[out]));
  assert_int_equal(ring_head(&x->out[out])->port, in);
  assert_int_equal(ring_head(&x->out[out])->ready, ready);
  ring_pop(&x->out[out], 0);
}

TEST(ports_move_a_flit_a_tick) {
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
  assert_true(net_empty(&x.net.wanted));
  crossbar_close(&x);
}

TEST(inputs_take_turns) {
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

TEST(a_full_output_waits_and_holds_its_input) {
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

/* Ports of both words of a set, in turns that cross from one to the other. */
TEST(turns_go_round_all_ports) {
  struct crossbar x;
  static const unsigned inputs[] = {0, 5, 63, 64, 100, 127};
  open_ports(&x, 64, PORTS, PORTS);
  for (unsigned k = 0; k < 4; k++)
    for (unsigned i = 0; i < 6; i++)
      for (unsigned o = 0; o < 6; o++)
        offer(&x, inputs[i], inputs[o], 1);
  run(&x, 200);
  for (unsigned o = 0; o < 6; o++)
    assert_int_equal(ring_count(&x.out[inputs[o]]), 24);
  for (unsigned k = 0; k < 24; k++)
    expect(&x, 0, inputs[k % 6], k + 11);
  assert_true(net_empty(&x.net.wanted) && net_empty(&x.net.registered));
  crossbar_close(&x);
}

/* The same rules in plain loops over all ports. */
struct plain {
  uint64_t in_free[PORTS], out_free[PORTS];
  unsigned next[PORTS];
};

/* A tick of output o; returns the input that it serves, or -1. */
static int plain_turn(struct plain *p, const struct crossbar *x, unsigned o) {
  if (p->out_free[o] > x->tick || ring_room(&x->out[o]) == 0)
    return -1;
  for (unsigned k = 0; k < x->inputs; k++) {
    const unsigned i = (p->next[o] + k) % x->inputs;
    if (ring_empty(&x->in[i]) || p->in_free[i] > x->tick || ring_head(&x->in[i])->part != o)
      continue;
    p->in_free[i] = p->out_free[o] = x->tick + ring_head(&x->in[i])->flits;
    p->next[o] = (i + 1) % x->inputs;
    return (int)i;
  }
  return -1;
}

TEST(random_traffic_follows_the_rules) {
  struct crossbar x;
  static const unsigned sizes[][2] = {{128, 32}, {65, 6}, {6, 128}, {64, 64}, {16, 6}, {127, 3}};
  for (unsigned round = 0; round < sizeof sizes / sizeof sizes[0]; round++) {
    struct plain p = {{0}, {0}, {0}};
    unsigned moved = 0;
    open_ports(&x, 2, sizes[round][0], sizes[round][1]);
    for (unsigned n = 0; n < 4000; n++) {
      int served[PORTS];
      for (unsigned k = rng_below(&rng, 8); k > 0; k--) {
        const unsigned in = rng_below(&rng, x.inputs);
        if (ring_room(&x.in[in]) != 0)
          offer(&x, in, rng_below(&rng, x.outputs), 1 + rng_below(&rng, 5));
      }
      for (unsigned o = 0; o < x.outputs; o++)
        served[o] = plain_turn(&p, &x, o);
      uint32_t before[PORTS];
      for (unsigned o = 0; o < x.outputs; o++)
        before[o] = x.out[o].tail;
      run(&x, 1);
      for (unsigned o = 0; o < x.outputs; o++) {
        assert_int_equal(x.out[o].tail - before[o], served[o] >= 0);
        if (served[o] >= 0)
          assert_int_equal(x.out[o].slot[before[o] & x.out[o].mask].port, served[o]);
        moved += served[o] >= 0;
        if (!ring_empty(&x.out[o]) && rng_below(&rng, 3) == 0)
          ring_pop(&x.out[o], 0);
      }
    }
    assert_true(moved > 1000);
    crossbar_close(&x);
  }
}

/* Every tick falls into exactly one core cycle, that of its time. */
TEST(clocks_cover_every_tick_once) {
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

int main(int argc, char **argv) {
  rng = rng_from_arguments(argc, argv);
  return test_run(NULL, NULL);
}
