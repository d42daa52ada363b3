/* Clients of memory without an SM: latencies as test_timing.c computes them, the order of effects,
 * the port shared with an SM, and random traffic against plain words. */
#include "tests/mem/bench.h"

/* A request of cycle 0 is at its port a cycle before that of a load accepted then, whose answer
 * would reach the SM 34 cycles before the load completes. */
enum { L2_HIT = 162 - 34 - 1, DRAM = 284 - 34 - 1, TAGS = MEM_CLIENT_TAGS, MOST = 1000 };

static struct rng rng;

static struct mem_client *client(struct bench *b, int sm) {
  struct mem_client *c = gpu_mem_client(b->m, sm, NULL);
  assert_non_null(c);
  return c;
}

static void ask(struct bench *b, struct mem_client *c, uint32_t address, uint8_t sectors,
                uint8_t tag) {
  assert_true(mem_client_request(
      c, b->cycle, &(struct mem_request){.address = address, .sectors = sectors, .tag = tag}));
}

/* Word w becomes value + w. */
static void put(struct bench *b, struct mem_client *c, uint32_t address, uint8_t sectors,
                uint8_t tag, uint32_t value) {
  struct mem_request r = {.address = address, .sectors = sectors, .tag = tag, .write = true};
  for (uint32_t w = 0; w < MEM_SEGMENT_WORDS; w++)
    r.data[w] = value + w;
  assert_true(mem_client_request(c, b->cycle, &r));
}

/* Steps until the client has an answer; the cycles until then. */
static unsigned await(struct bench *b, struct mem_client *c, struct mem_answer *a) {
  for (unsigned n = 0; n < MOST; n++) {
    for (unsigned s = 0; s < b->sms; s++)
      sm_mem_step(gpu_mem_sm(b->m, s), b->cycle);
    if (mem_client_answer(c, b->cycle, a))
      return n;
    gpu_mem_step(b->m, b->cycle++);
  }
  fail_msg("no answer");
  return 0;
}

TEST(reads_take_the_time_of_loads) {
  for (int sm = MEM_CLIENT_OWN; sm <= 0; sm++) {
    struct bench b;
    struct mem_answer a;
    bench_open(&b, NULL, 1);
    struct mem_client *c = client(&b, sm);
    const uint32_t at = bench_alloc(&b, 4096);
    for (uint32_t w = 0; w < 32; w++)
      bench_write32(&b, at + 4 * w, 100 + w);
    assert_true(gpu_mem_idle(b.m) && mem_client_idle(c));
    ask(&b, c, at, 15, 7);
    assert_false(gpu_mem_idle(b.m));
    assert_int_equal(await(&b, c, &a), DRAM);
    assert_true(a.tag == 7 && !a.write && a.sectors == 15);
    for (uint32_t w = 0; w < 32; w++)
      assert_int_equal(a.data[w], 100 + w);
    assert_true(gpu_mem_idle(b.m));
    ask(&b, c, at, 6, 3);
    assert_int_equal(await(&b, c, &a), L2_HIT - 1); /* two flits in the place of four */
    for (uint32_t w = 0; w < 32; w++)
      assert_int_equal(a.data[w], w / 8 == 1 || w / 8 == 2 ? 100 + w : 0);
    struct mem_stats s = bench_stats(&b);
    assert_int_equal(s.client_requests, 2);
    assert_int_equal(s.client_words_read, 32 + 16);
    assert_int_equal(s.client_words_written, 0);
    assert_int_equal(s.xbar_flits, 1 + 4 + 1 + 2);
    bench_close(&b);
  }
}

TEST(writes_are_answered_where_they_end) {
  for (uint32_t l2 = 0; l2 < 2; l2++) {
    struct mem_config config;
    struct bench b;
    struct mem_answer a;
    bench_figures(&config);
    config.l2 = l2;
    bench_open(&b, &config, 1);
    struct mem_client *c = client(&b, MEM_CLIENT_OWN);
    const uint32_t at = bench_alloc(&b, 4096);
    put(&b, c, at, 5, 15, 1000);
    const unsigned latency = await(&b, c, &a);
    assert_true(a.write && a.tag == 15 && a.sectors == 5);
    if (l2 != 0)
      assert_in_range(latency, L2_HIT - 2, L2_HIT + 2);
    else
      assert_in_range(latency, DRAM - 10, DRAM + 2); /* WL is less than CL */
    assert_int_equal(bench_stats(&b).dram_writes, l2 == 0);
    for (uint32_t w = 0; w < 32; w++)
      assert_int_equal(bench_read32(&b, at + 4 * w), w / 8 % 2 == 0 ? 1000 + w : 0);
    assert_int_equal(bench_stats(&b).client_words_written, 16);
    bench_close(&b);
  }
}

/* A write shows in the next cycle to everybody, in its own to nobody; two in a cycle go in order.
 */
TEST(effects_are_in_the_order_of_cycles_and_clients) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst store;
  struct mem_answer a;
  bench_open(&b, NULL, 1);
  struct mem_client *c[3];
  for (unsigned i = 0; i < 3; i++)
    c[i] = client(&b, i == 1 ? 0 : MEM_CLIENT_OWN);
  const uint32_t at = bench_alloc(&b, 4096);
  put(&b, c[2], at, 1, 0, 200); /* asked first, takes effect last */
  put(&b, c[0], at, 1, 0, 100);
  ask(&b, c[1], at, 1, 0);
  bench_step(&b, 0, NULL);
  assert_int_equal(bench_read32(&b, at), 200);
  ask(&b, c[0], at, 1, 1);
  await(&b, c[1], &a);
  assert_int_equal(a.data[0], 0);
  do
    await(&b, c[0], &a);
  while (a.write);
  assert_int_equal(a.data[0], 200);
  /* A store of an SM takes effect in the cycle after its acceptance, before a client's write. */
  bench_access(&store, &u, ISA_STG, M32, 0, at, 4);
  memset(store.b[0], 7, sizeof store.b[0]);
  bench_step(&b, 0, &store);
  put(&b, c[0], at, 2, 2, 300);
  bench_step(&b, 0, NULL);
  assert_int_equal(bench_read32(&b, at), 0x07070707);
  assert_int_equal(bench_read32(&b, at + 32), 308);
  bench_close(&b);
}

TEST(what_cannot_be_is_refused) {
  struct bench b;
  struct tandem_error err;
  struct mem_answer a;
  bench_open(&b, NULL, 2);
  struct mem_client *c = client(&b, 1);
  const uint32_t at = bench_alloc(&b, 96);
  struct mem_request r = {.address = at, .sectors = 1, .tag = 0};
  assert_true(mem_client_request(c, 0, &r));
  r.tag = 1;
  assert_false(mem_client_request(c, 0, &r)); /* a second one in the cycle */
  r.tag = 0;
  assert_false(mem_client_request(c, 1, &r)); /* the tag is open */
  r = (struct mem_request){.address = at, .sectors = 0, .tag = 1};
  assert_false(mem_client_request(c, 1, &r));
  r = (struct mem_request){.address = at + 32, .sectors = 1, .tag = 1};
  assert_false(mem_client_request(c, 1, &r));
  r = (struct mem_request){.address = at, .sectors = 1, .tag = TAGS};
  assert_false(mem_client_request(c, 1, &r));
  assert_int_equal(gpu_mem_fault(b.m)->kind, INST_FAULT_NONE);
  for (unsigned i = 1; i < MEM_SM_CLIENTS; i++)
    assert_non_null(gpu_mem_client(b.m, 1, NULL));
  assert_null(gpu_mem_client(b.m, 1, &err));
  assert_non_null(strstr(err.text, "8 at an SM's port"));
  assert_null(gpu_mem_client(b.m, 2, &err));
  /* The last sector is beyond the allocation. */
  await(&b, c, &a);
  put(&b, c, at, 15, 0, 5);
  await(&b, c, &a);
  const struct mem_fault *f = gpu_mem_fault(b.m);
  assert_true(f->kind == INST_FAULT_BOUNDS && f->client == 1 && f->sm == 1 && f->store);
  assert_int_equal(f->address, at + 96);
  assert_int_equal(bench_read32(&b, at + 92), 5 + 23);
  gpu_mem_begin(b.m, &b.grid);
  assert_int_equal(gpu_mem_fault(b.m)->kind, INST_FAULT_NONE);
  bench_close(&b);
}

TEST(ports_run_out) {
  struct mem_config config;
  struct tandem_error err;
  bench_figures(&config);
  struct gpu_mem *m = gpu_mem_create(&config, 96, NULL);
  assert_non_null(m);
  for (int i = 0; i < 32; i++)
    assert_non_null(gpu_mem_client(m, MEM_CLIENT_OWN, NULL));
  assert_null(gpu_mem_client(m, MEM_CLIENT_OWN, &err));
  assert_non_null(strstr(err.text, "96 SMs and 32 clients"));
  assert_non_null(gpu_mem_client(m, 95, NULL));
  gpu_mem_destroy(m);
}

/* While an SM's stores fill its port, its client waits for room, yet its requests get through. */
TEST(the_sm_of_a_port_goes_first) {
  struct bench b;
  struct isa_uop u;
  static struct sm_inst store[40];
  struct mem_answer a;
  unsigned alone = 0, beside = 0;
  for (unsigned with = 0; with < 2; with++) {
    unsigned sent = 0, answered = 0, completed = 0, last = 0;
    bench_open(&b, NULL, 1);
    struct mem_client *c = client(&b, 0);
    struct sm_mem *sm = gpu_mem_sm(b.m, 0);
    const uint32_t at = bench_alloc(&b, 65536);
    bench_uop(&u, ISA_STG, M32, 0);
    for (unsigned n = 0; n < 3000 && (completed < 40 || answered < 16 * with); n++) {
      sm_mem_step(sm, b.cycle);
      if (sm_mem_completed(sm) != NULL && ++completed == 40)
        last = n;
      if (sent < 40 && sm_mem_ready(sm)) {
        bench_inst(&store[sent], &u, 0);
        bench_address(&store[sent], at + 4096 + 128 * sent, 4);
        sm_mem_accept(sm, &store[sent++]);
      }
      answered += mem_client_answer(c, b.cycle, &a);
      if (with != 0 && n < TAGS)
        ask(&b, c, at + 128 * n, 15, (uint8_t)n);
      gpu_mem_step(b.m, b.cycle++);
    }
    assert_int_equal(completed, 40);
    assert_int_equal(answered, 16 * with);
    *(with != 0 ? &beside : &alone) = last;
    bench_drain(&b);
    bench_close(&b);
  }
  assert_true(beside <= alone + 16); /* 16 flits of the client at two a cycle, and what they hold */
}

/* A miss with a dirty victim needs room for two packets at once: a client that always has a request
 * must not take every one that becomes free. */
TEST(a_stream_leaves_room_for_the_sm) {
  struct mem_config config;
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  struct mem_answer a;
  bench_figures(&config);
  config.l1d_bytes = 1024; /* eight lines: words 0 and 8 of a thread share one */
  config.l1d_ways = 1;
  config.xbar_queue = 2;
  config.rop_latency = 0;
  bench_open(&b, &config, 1);
  struct mem_client *c = client(&b, 0);
  const uint32_t at = bench_alloc(&b, 4096);
  bool completed = false;
  bench_uop(&u, ISA_STL, M32, 0);
  bench_inst(&i, &u, 0);
  bench_run(&b, 0, &i);
  bench_address(&i, 32, 0);
  i.exec = 1;
  uint32_t busy = 0;
  for (unsigned n = 0; n < 600 && !completed; n++) {
    sm_mem_step(gpu_mem_sm(b.m, 0), b.cycle);
    completed = sm_mem_completed(gpu_mem_sm(b.m, 0)) == &i;
    if (mem_client_answer(c, b.cycle, &a))
      busy &= ~(1U << a.tag);
    if (busy != 0xffff) {
      const uint8_t tag = (uint8_t)__builtin_ctz(~busy);
      put(&b, c, at, 15, tag, 0);
      busy |= 1U << tag;
    }
    if (n == 200)
      sm_mem_accept(gpu_mem_sm(b.m, 0), &i);
    gpu_mem_step(b.m, b.cycle++);
  }
  assert_true(completed);
  assert_true(bench_stats(&b).l1d_reserved_fails > 0);
  bench_close(&b);
}

/* Random traffic: clients in one buffer, SMs in theirs. */
enum { CLIENTS = 6, SMS = 4, SEGMENTS = 40 };

struct model {
  uint32_t words[SEGMENTS][MEM_SEGMENT_WORDS];
  struct mem_request open[CLIENTS][TAGS];
  bool busy[CLIENTS][TAGS];
  struct sm_inst inst[SMS];
  struct isa_uop uop[SMS];
  bool flies[SMS];
};
static struct model model;

static void random_request(struct bench *b, struct mem_client *c, unsigned i, uint32_t base,
                           int *write) {
  const uint8_t tag = (uint8_t)rng_below(&rng, TAGS);
  if (model.busy[i][tag])
    return;
  const uint32_t s = rng_below(&rng, SEGMENTS);
  struct mem_request *r = &model.open[i][tag];
  *r = (struct mem_request){.address = base + 128 * s,
                            .sectors = (uint8_t)(1 + rng_below(&rng, 15)),
                            .tag = tag,
                            .write = rng_below(&rng, 2) != 0};
  for (uint32_t w = 0; w < MEM_SEGMENT_WORDS; w++)
    r->data[w] =
        r->write ? (uint32_t)rng_next(&rng) : (r->sectors >> w / 8 & 1) * model.words[s][w];
  assert_true(mem_client_request(c, b->cycle, r));
  model.busy[i][tag] = true;
  if (r->write)
    *write = tag;
}

static void apply_write(const struct mem_request *r, uint32_t base) {
  for (uint32_t w = 0; w < MEM_SEGMENT_WORDS; w++)
    if ((r->sectors >> w / 8 & 1) != 0)
      model.words[(r->address - base) / 128][w] = r->data[w];
}

static void take_answer(struct bench *b, struct mem_client *c, unsigned i) {
  struct mem_answer a;
  if (!mem_client_answer(c, b->cycle, &a))
    return;
  assert_true(model.busy[i][a.tag]);
  const struct mem_request *r = &model.open[i][a.tag];
  assert_true(a.write == r->write && a.sectors == r->sectors);
  if (!a.write)
    assert_memory_equal(a.data, r->data, sizeof a.data);
  model.busy[i][a.tag] = false;
}

static void step_random_sm(struct bench *b, unsigned s, uint32_t buffer, bool ask_more) {
  struct sm_mem *sm = gpu_mem_sm(b->m, s);
  if (sm_mem_waits(sm, b->cycle)) { /* as a machine may */
    sm_mem_skip(sm, 1);
    return;
  }
  sm_mem_step(sm, b->cycle);
  if (sm_mem_completed(sm) != NULL)
    model.flies[s] = false;
  if (!ask_more || model.flies[s] || !sm_mem_ready(sm))
    return;
  bench_uop(&model.uop[s], rng_below(&rng, 2) != 0 ? ISA_LDG : ISA_STG, M32, 0);
  bench_inst(&model.inst[s], &model.uop[s], 0);
  bench_address(&model.inst[s], buffer + 4 * rng_below(&rng, 64), 4 * rng_below(&rng, 40));
  sm_mem_accept(sm, &model.inst[s]);
  model.flies[s] = true;
}

static void traffic(const struct mem_config *config) {
  struct bench b;
  struct mem_client *c[CLIENTS];
  memset(&model, 0, sizeof model);
  bench_open(&b, config, SMS);
  for (int i = 0; i < CLIENTS; i++)
    c[i] = client(&b, i < 2 ? i : MEM_CLIENT_OWN);
  const uint32_t base = bench_alloc(&b, sizeof model.words), buffer = bench_alloc(&b, 8192);
  for (unsigned n = 0; n < 3000 || !gpu_mem_idle(b.m); n++) {
    int write[CLIENTS];
    assert_true(n < 100000);
    for (unsigned s = 0; s < SMS; s++)
      step_random_sm(&b, s, buffer, n < 3000);
    for (unsigned i = 0; i < CLIENTS; i++) {
      write[i] = -1;
      if (rng_below(&rng, 4) != 0)
        take_answer(&b, c[i], i);
      if (n < 3000)
        random_request(&b, c[i], i, base, &write[i]);
    }
    for (unsigned i = 0; i < CLIENTS; i++)
      if (write[i] >= 0)
        apply_write(&model.open[i][write[i]], base);
    gpu_mem_step(b.m, b.cycle++);
  }
  for (unsigned i = 0; i < CLIENTS; i++)
    for (unsigned tag = 0; tag < TAGS; tag++)
      assert_false(model.busy[i][tag]);
  for (uint32_t s = 0; s < SEGMENTS; s++)
    for (uint32_t w = 0; w < MEM_SEGMENT_WORDS; w++)
      assert_int_equal(bench_read32(&b, base + 128 * s + 4 * w), model.words[s][w]);
  assert_true(bench_stats(&b).client_requests > 100);
  assert_int_equal(gpu_mem_fault(b.m)->kind, INST_FAULT_NONE);
  bench_close(&b);
}

TEST(random_traffic_is_that_of_plain_words) {
  for (unsigned round = 0; round < 8; round++) {
    struct mem_config c;
    bench_figures(&c);
    c.l1d = round & 1;
    c.l2 = round >> 1 & 1;
    if (round >= 4) {
      c.xbar_queue = 2;
      c.l2_mshrs = c.l2_mshr_merge = 1;
      c.l2_dram_queue = 2;
      c.l1d_mshrs = 1;
    }
    traffic(&c);
  }
}

int main(int argc, char **argv) {
  rng = rng_from_arguments(argc, argv);
  return test_run(NULL, NULL);
}
