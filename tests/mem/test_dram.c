/* The DRAM channel alone: every command against every timing parameter, row hits, order. */
#include "csim/mem/l2/dram.h"
#include "tests/mem/bench.h"

static struct rng rng;

enum { LOG = 1 << 16 };

struct command {
  uint64_t tick;
  enum dram_command kind;
  unsigned bank;
  int64_t row;
  uint16_t tag;
};

struct channel {
  struct mem_config config;
  struct dram dram;
  uint64_t tick;
  struct command log[LOG];
  unsigned n;
};

static struct channel channel;

static void watch(void *context, uint64_t tick, enum dram_command command, unsigned bank,
                  int64_t row, uint16_t tag) {
  struct channel *c = context;
  assert_true(c->n < LOG);
  c->log[c->n++] = (struct command){tick, command, bank, row, tag};
}

static struct channel *channel_open(const struct mem_config *config) {
  struct channel *c = &channel;
  memset(c, 0, sizeof *c);
  if (config != NULL)
    c->config = *config;
  else
    mem_config_default(&c->config);
  assert_true(dram_init(&c->dram, &c->config));
  c->dram.watch = watch;
  c->dram.watch_context = c;
  return c;
}

/* Address of a bank, row and 256-byte chunk within the row, by search of the bank. */
static uint32_t address_of(struct channel *c, unsigned bank, int32_t row, uint32_t chunk) {
  uint32_t banks = c->config.dram_banks;
  uint32_t groups = c->config.dram_groups;
  uint32_t chunks = c->config.dram_row_bytes / 256;
  for (uint32_t i = 0; i < banks; i++) {
    uint32_t a =
        ((((uint32_t)row * (banks / groups) + i / groups) * chunks + chunk) * groups + i % groups) *
        256;
    unsigned b;
    int32_t r;
    dram_map(&c->dram, a, &b, &r);
    assert_int_equal(r, row);
    if (b == bank)
      return a;
  }
  fail_msg("no address of bank %u", bank);
  return 0;
}

static void push_as(struct channel *c, unsigned bank, int32_t row, unsigned bursts,
                    enum dram_access access, uint16_t tag) {
  dram_push(&c->dram, address_of(c, bank, row, 0), bursts, access, tag);
}
static void push(struct channel *c, unsigned bank, int32_t row, unsigned bursts, bool write,
                 uint16_t tag) {
  push_as(c, bank, row, bursts, write ? DRAM_STORE : DRAM_LOAD, tag);
}

static void run(struct channel *c, uint64_t ticks) {
  for (uint64_t end = c->tick + ticks; c->tick < end; c->tick++)
    dram_tick(&c->dram, c->tick);
}

static void expect(struct channel *c, unsigned i, uint64_t tick, enum dram_command kind,
                   unsigned bank, int64_t row) {
  assert_true(i < c->n);
  assert_int_equal(c->log[i].tick, tick);
  assert_int_equal(c->log[i].kind, kind);
  assert_int_equal(c->log[i].bank, bank);
  assert_int_equal(c->log[i].row, row);
}

TEST(hit_miss_and_conflict) {
  struct channel *c = channel_open(NULL);
  uint16_t tag;
  push(c, 3, 7, 2, false, 11); /* closed: activate, then two bursts of one bank group */
  run(c, 26 + 3);
  assert_int_equal(c->n, 3);
  expect(c, 0, 0, DRAM_ACTIVATE, 3, 7);
  expect(c, 1, 12, DRAM_READ, 3, 7);
  expect(c, 2, 15, DRAM_READ, 3, 7);
  assert_false(dram_take(&c->dram, 29, &tag)); /* data on the bus until tick 15 + 12 + 1 */
  assert_true(dram_take(&c->dram, 30, &tag));
  assert_int_equal(tag, 11);
  assert_true(dram_idle(&c->dram));
  assert_int_equal(c->dram.row_hits, 0);
  run(c, 100 - c->tick);
  push(c, 3, 7, 1, false, 12); /* hit */
  run(c, 100);
  expect(c, 3, 100, DRAM_READ, 3, 7);
  assert_int_equal(c->dram.row_hits, 1);
  push(c, 3, 8, 1, false, 13); /* conflict */
  run(c, 100);
  expect(c, 4, 200, DRAM_PRECHARGE, 3, 8);
  expect(c, 5, 212, DRAM_ACTIVATE, 3, 8);
  expect(c, 6, 224, DRAM_READ, 3, 8);
  assert_int_equal(c->n, 7);
  assert_int_equal(c->dram.row_hits, 1);
  assert_int_equal(c->dram.reads, 3);
  assert_int_equal(c->dram.busy_ticks, 8);
  dram_free(&c->dram);
}

TEST(a_row_is_kept_open_long_enough) {
  struct channel *c = channel_open(NULL);
  push(c, 3, 7, 1, false, 1);
  push(c, 3, 8, 1, false, 2); /* conflict at once: RAS, then RP (RC) */
  run(c, 100);
  expect(c, 1, 12, DRAM_READ, 3, 7);
  expect(c, 2, 28, DRAM_PRECHARGE, 3, 8);
  expect(c, 3, 40, DRAM_ACTIVATE, 3, 8);
  expect(c, 4, 52, DRAM_READ, 3, 8);
  dram_free(&c->dram);
  c = channel_open(NULL);
  push(c, 3, 7, 1, true, 1);
  push(c, 3, 8, 1, true, 2);
  run(c, 100);
  expect(c, 1, 12, DRAM_WRITE, 3, 7);
  expect(c, 2, 12 + 4 + 2 + 12, DRAM_PRECHARGE, 3, 8); /* WL, data, WR */
  dram_free(&c->dram);
}

TEST(banks_and_groups) {
  struct channel *c = channel_open(NULL);
  push(c, 0, 1, 1, false, 1);
  push(c, 1, 1, 1, false, 2);
  run(c, 100);
  expect(c, 0, 0, DRAM_ACTIVATE, 0, 1);
  expect(c, 1, 6, DRAM_ACTIVATE, 1, 1); /* RRD */
  /* Both rows open: bursts of two groups alternate at CCD, those of one group at CCDL. */
  push(c, 0, 1, 2, false, 3);
  push(c, 1, 1, 2, false, 4);
  run(c, 100);
  expect(c, 4, 100, DRAM_READ, 0, 1);
  expect(c, 5, 102, DRAM_READ, 1, 1);
  expect(c, 6, 104, DRAM_READ, 0, 1);
  expect(c, 7, 106, DRAM_READ, 1, 1);
  push(c, 0, 1, 2, false, 5);
  push(c, 4, 1, 1, false, 6); /* the same group as bank 0, to be activated */
  run(c, 100);
  expect(c, 8, 200, DRAM_READ, 0, 1);
  expect(c, 9, 201, DRAM_ACTIVATE, 4, 1);
  expect(c, 10, 203, DRAM_READ, 0, 1);
  expect(c, 11, 213, DRAM_READ, 4, 1);
  dram_free(&c->dram);
}

TEST(an_arrival_does_not_wait_for_others) {
  struct channel *c = channel_open(NULL);
  push(c, 0, 1, 1, false, 1);
  run(c, 3); /* nothing to do before tick 12 */
  push(c, 1, 1, 1, false, 2);
  run(c, 20);
  expect(c, 1, 6, DRAM_ACTIVATE, 1, 1);
  dram_free(&c->dram);
}

TEST(the_bus_turns_around) {
  struct channel *c = channel_open(NULL);
  push(c, 0, 1, 1, false, 1);
  push(c, 1, 1, 1, false, 2);
  run(c, 100);
  push(c, 0, 1, 1, true, 3);
  push(c, 1, 1, 1, false, 4);
  run(c, 100);
  expect(c, 4, 100, DRAM_WRITE, 0, 1);
  expect(c, 5, 100 + 4 + 2 + 5, DRAM_READ, 1, 1); /* WL, data, CDLR */
  push(c, 0, 1, 1, false, 5);
  push(c, 1, 1, 1, true, 6);
  run(c, 100);
  expect(c, 6, 200, DRAM_READ, 0, 1);
  expect(c, 7, 212, DRAM_WRITE, 1, 1); /* data after two idle ticks: CL + 2 + 2 - WL */
  assert_int_equal(c->dram.writes, 2);
  dram_free(&c->dram);
}

/* A write is answered, if that is wanted, after its last data: WL and a burst after the command. */
TEST(writes_are_answered_on_demand) {
  struct channel *c = channel_open(NULL);
  uint16_t tag;
  push_as(c, 0, 1, 1, DRAM_STORE, 1);
  push_as(c, 0, 1, 1, DRAM_STORE_ANSWERED, 2);
  run(c, 100);
  expect(c, 1, 12, DRAM_WRITE, 0, 1);
  expect(c, 2, 15, DRAM_WRITE, 0, 1);
  assert_false(dram_take(&c->dram, 15 + 4 + 2, &tag));
  assert_true(dram_take(&c->dram, 15 + 4 + 2 + 1, &tag));
  assert_int_equal(tag, 2);
  assert_true(dram_idle(&c->dram));
  dram_free(&c->dram);
}

TEST(row_hits_come_first) {
  struct channel *c = channel_open(NULL);
  push(c, 5, 1, 1, false, 1);
  run(c, 100);
  push(c, 5, 2, 1, false, 2); /* older, but the row must be changed */
  push(c, 5, 1, 1, false, 3);
  push(c, 5, 1, 1, false, 4);
  run(c, 100);
  assert_int_equal(c->log[2].tag, 3);
  assert_int_equal(c->log[3].tag, 4);
  expect(c, 2, 100, DRAM_READ, 5, 1);
  expect(c, 3, 103, DRAM_READ, 5, 1);
  expect(c, 4, 105, DRAM_PRECHARGE, 5, 2); /* RTPL */
  assert_int_equal(c->log[6].tag, 2);
  assert_int_equal(c->dram.row_hits, 2);
  dram_free(&c->dram);
}

TEST(hits_pass_an_older_request_only_so_often) {
  struct mem_config config;
  mem_config_default(&config);
  config.dram_hit_limit = 10;
  struct channel *c = channel_open(&config);
  push(c, 5, 1, 1, false, 0);
  run(c, 100);
  push(c, 5, 2, 1, false, 999);
  unsigned before = 0;
  push(c, 5, 1, 1, false, 1); /* a hit is always waiting */
  for (uint16_t tag = 2; tag < 40; tag++) {
    push(c, 5, 1, 1, false, tag);
    run(c, 3);
  }
  for (unsigned i = 2; i < c->n && c->log[i].tag != 999; i++)
    before += c->log[i].kind == DRAM_READ;
  assert_int_equal(before, 10);
  dram_free(&c->dram);
}

/* Least distance in ticks from an earlier command to a later one; 0: any. */
static uint64_t distance(const struct mem_config *c, const struct command *a,
                         const struct command *b) {
  bool bank = a->bank == b->bank;
  bool group = a->bank % c->dram_groups == b->bank % c->dram_groups;
  bool column_a = a->kind >= DRAM_READ;
  bool column_b = b->kind >= DRAM_READ;
  uint64_t least = 1; /* one command a tick */
#define NEED(condition, ticks)                                                                     \
  if ((condition) && least < (ticks))                                                              \
  least = (ticks)
  NEED(column_a && column_b, c->t_ccd);
  NEED(column_a && column_b && group, c->t_ccdl);
  NEED(a->kind == DRAM_WRITE && b->kind == DRAM_READ, c->t_wl + 2U + c->t_cdlr);
  NEED(a->kind == DRAM_READ && b->kind == DRAM_WRITE, c->t_cl + 2U + 2U - c->t_wl);
  NEED(a->kind == DRAM_ACTIVATE && b->kind == DRAM_ACTIVATE, c->t_rrd);
  NEED(bank && a->kind == DRAM_ACTIVATE && b->kind == DRAM_ACTIVATE, c->t_rc);
  NEED(bank && a->kind == DRAM_ACTIVATE && column_b, c->t_rcd);
  NEED(bank && a->kind == DRAM_ACTIVATE && b->kind == DRAM_PRECHARGE, c->t_ras);
  NEED(bank && a->kind == DRAM_PRECHARGE && b->kind == DRAM_ACTIVATE, c->t_rp);
  NEED(bank && a->kind == DRAM_READ && b->kind == DRAM_PRECHARGE, c->t_rtpl);
  NEED(bank && a->kind == DRAM_WRITE && b->kind == DRAM_PRECHARGE, c->t_wl + 2U + c->t_wr);
#undef NEED
  return least;
}

static void check_commands(const struct channel *c) {
  int64_t open[32];
  for (unsigned i = 0; i < 32; i++)
    open[i] = -1;
  for (unsigned j = 0; j < c->n; j++) {
    const struct command *b = &c->log[j];
    for (unsigned i = j; i-- > 0 && b->tick - c->log[i].tick < 100;)
      assert_true(b->tick >= c->log[i].tick + distance(&c->config, &c->log[i], b));
    switch (b->kind) {
    case DRAM_ACTIVATE:
      assert_int_equal(open[b->bank], -1);
      open[b->bank] = b->row;
      break;
    case DRAM_PRECHARGE:
      assert_true(open[b->bank] >= 0);
      open[b->bank] = -1;
      break;
    case DRAM_READ:
    case DRAM_WRITE:
      assert_int_equal(open[b->bank], b->row);
      break;
    }
  }
}

static void random_config(struct mem_config *c) {
  mem_config_default(c);
  c->t_ccd = 2 + rng_below(&rng, 2);
  c->t_ccdl = c->t_ccd + rng_below(&rng, 3);
  c->t_rrd = 1 + rng_below(&rng, 9);
  c->t_rcd = 1 + rng_below(&rng, 20);
  c->t_ras = 1 + rng_below(&rng, 40);
  c->t_rp = 1 + rng_below(&rng, 20);
  c->t_rc = 1 + rng_below(&rng, 60);
  c->t_cl = 8 + rng_below(&rng, 10);
  c->t_wl = 1 + rng_below(&rng, 8);
  c->t_cdlr = 1 + rng_below(&rng, 9);
  c->t_wr = 1 + rng_below(&rng, 20);
  c->t_rtpl = 1 + rng_below(&rng, 9);
  c->dram_banks = 1U << rng_below(&rng, 6);
  c->dram_groups = 1U << rng_below(&rng, 6);
  if (c->dram_groups > c->dram_banks)
    c->dram_groups = c->dram_banks;
  c->dram_queue = 1 + rng_below(&rng, 64);
}

TEST(every_command_respects_every_parameter) {
  for (unsigned round = 0; round < 20; round++) {
    struct mem_config config;
    random_config(&config);
    if (round == 0)
      mem_config_default(&config);
    struct channel *c = channel_open(&config);
    static bool waiting[4096];
    unsigned pushed = 0;
    unsigned answers = 0;
    unsigned bursts = 0;
    unsigned rows = 1 + rng_below(&rng, 6);
    unsigned pressure = 1 + rng_below(&rng, 30);
    while (pushed < 3000 || !dram_idle(&c->dram)) {
      assert_true(c->tick < 1000000);
      if (pushed < 3000 && !dram_full(&c->dram) && rng_below(&rng, pressure) == 0) {
        const unsigned kind = rng_below(&rng, 6);
        const enum dram_access access = kind < 4    ? DRAM_LOAD
                                        : kind == 4 ? DRAM_STORE
                                                    : DRAM_STORE_ANSWERED;
        unsigned n = 1 + rng_below(&rng, 2);
        waiting[pushed] = access != DRAM_STORE;
        answers += access != DRAM_STORE;
        bursts += n;
        push_as(c, rng_below(&rng, config.dram_banks), (int32_t)rng_below(&rng, rows), n, access,
                (uint16_t)pushed++);
      }
      run(c, 1);
      uint16_t tag;
      while (dram_take(&c->dram, c->tick, &tag)) {
        assert_true(waiting[tag]); /* each once */
        waiting[tag] = false;
        answers--;
      }
    }
    assert_int_equal(answers, 0);
    assert_int_equal(c->dram.reads + c->dram.writes, pushed);
    assert_int_equal(c->dram.busy_ticks, 2 * bursts);
    check_commands(c);
    dram_free(&c->dram);
  }
}

TEST(streams_use_the_bus_well) {
  struct channel *c = channel_open(NULL);
  uint32_t at = 0;
  while (c->tick < 20000) {
    while (!dram_full(&c->dram)) {
      dram_push(&c->dram, at, 2, DRAM_LOAD, 0);
      at += 128;
    }
    run(c, 1);
    uint16_t tag;
    while (dram_take(&c->dram, c->tick, &tag))
      continue;
  }
  assert_true(c->dram.busy_ticks > 20000 * 9 / 10);
  dram_free(&c->dram);
}

int main(int argc, char **argv) {
  rng = rng_from_arguments(argc, argv);
  return test_run(NULL, NULL);
}
