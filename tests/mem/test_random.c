/* Random traffic of all SMs: the same values as a memory of plain words in which instructions take
 * effect one after another, whatever the sizes of the queues; nothing is lost; and the order in
 * which the SMs' parallel parts run changes nothing. */
#include <pthread.h>

#include "tests/mem/bench.h"

enum { POOL = 48, SHARED_WORDS = 256, LOCAL_WORDS = 16, MAX_WORDS = 1 << 16 };

static struct rng rng;

struct job {
  struct sm_inst inst;
  struct isa_uop uop;
  uint32_t expect[4][ISA_WARP_SIZE];
  bool used, started, checked;
  unsigned id;
};

struct side { /* one SM's */
  struct rng rng;
  struct job pool[POOL];
  struct job *queue[POOL]; /* accepted, not started, in order */
  unsigned queued, live, issued, completed;
  uint32_t shared[2][SHARED_WORDS];
  uint32_t local[48][ISA_WARP_SIZE][LOCAL_WORDS];
  uint64_t trace;
  uint16_t lines[4];
  unsigned asked, beats;
  uint64_t waited, left_out; /* cycles left out: not counted yet, all */
};

struct traffic {
  struct bench b;
  struct side side[BENCH_SMS];
  uint32_t base, words; /* global buffer */
  uint32_t constants;   /* a buffer that is only read */
  uint32_t global[MAX_WORDS];
  bool lazy; /* waiting SMs are left out */
};

static struct traffic traffic;

static void mix(uint64_t *h, uint64_t v) { *h = (*h ^ v) * 0x9e3779b97f4a7c15U + (*h >> 29); }

/* An operation of the traffic: all on words. */
static const struct {
  enum isa_id id;
  unsigned mods;
  enum isa_space space;
} kinds[] = {
    {ISA_LDG, M32, ISA_SPACE_GLOBAL},       {ISA_LDG, M32, ISA_SPACE_GLOBAL},
    {ISA_LDG, M32, ISA_SPACE_GLOBAL},       {ISA_LDG, M32 | MV2, ISA_SPACE_GLOBAL},
    {ISA_LDG, M32 | MV4, ISA_SPACE_GLOBAL}, {ISA_STG, M32, ISA_SPACE_GLOBAL},
    {ISA_STG, M32, ISA_SPACE_GLOBAL},       {ISA_STG, M32 | MV4, ISA_SPACE_GLOBAL},
    {ISA_AADD, 0, ISA_SPACE_GLOBAL},        {ISA_AADD, ANORET, ISA_SPACE_GLOBAL},
    {ISA_AEXCH, 0, ISA_SPACE_GLOBAL},       {ISA_LDS, M32, ISA_SPACE_SHARED},
    {ISA_STS, M32 | MV2, ISA_SPACE_SHARED}, {ISA_AADD, ASHARED, ISA_SPACE_SHARED},
    {ISA_LDL, M32, ISA_SPACE_LOCAL},        {ISA_STL, M32, ISA_SPACE_LOCAL},
    {ISA_LDP, M32, ISA_SPACE_PARAM},        {ISA_LDC, M32, ISA_SPACE_CONST},
    {ISA_LDGEN, M32, ISA_SPACE_GENERIC},    {ISA_STGEN, M32, ISA_SPACE_GENERIC},
    {ISA_AADD, A64, ISA_SPACE_GLOBAL},      {ISA_AADD, A64 | ANORET, ISA_SPACE_GLOBAL},
    {ISA_AEXCH, A64, ISA_SPACE_GLOBAL},     {ISA_AADD, A64 | ASHARED, ISA_SPACE_SHARED},
};

/* Words that a lane moves. */
static unsigned words_of(const struct isa_uop *u) { return u->mem_size / 4U * u->mem_elems; }

static uint32_t random_word(struct traffic *t, struct rng *r, enum isa_space space, unsigned elems,
                            uint32_t *window) {
  *window = 0;
  uint32_t words = BENCH_PARAMS / 4;
  if (space == ISA_SPACE_GENERIC) {
    static const enum isa_space of[] = {ISA_SPACE_GLOBAL, ISA_SPACE_SHARED, ISA_SPACE_LOCAL};
    space = of[rng_below(r, 3)];
    *window = space == ISA_SPACE_SHARED ? ISA_SHARED_WINDOW : ISA_LOCAL_WINDOW;
  }
  if (space == ISA_SPACE_GLOBAL || space == ISA_SPACE_CONST) {
    *window = space == ISA_SPACE_CONST ? t->constants : t->base;
    words = space == ISA_SPACE_CONST ? 1024 : t->words;
  } else if (space == ISA_SPACE_SHARED) {
    words = SHARED_WORDS;
  } else if (space == ISA_SPACE_LOCAL) {
    words = LOCAL_WORDS;
  }
  return rng_below(r, words / elems) * elems;
}

static void random_job(struct traffic *t, struct side *s, struct job *j) {
  struct rng *r = &s->rng;
  unsigned k = rng_below(r, sizeof kinds / sizeof kinds[0]);
  memset(j, 0, sizeof *j);
  j->id = s->issued;
  bench_uop(&j->uop, kinds[k].id, kinds[k].mods, 0);
  bench_inst(&j->inst, &j->uop, rng_below(r, 48));
  if (rng_below(r, 3) == 0)
    j->inst.exec = (uint32_t)rng_next(r);
  unsigned elems = words_of(&j->uop);
  bool stride = rng_below(r, 2) != 0;
  uint32_t window;
  uint32_t first = random_word(t, r, kinds[k].space, elems, &window);
  for (uint32_t l = 0; l < ISA_WARP_SIZE; l++) {
    uint32_t word = first;
    if (!stride || kinds[k].space != ISA_SPACE_GLOBAL)
      word = random_word(t, r, kinds[k].space, elems, &window);
    else if (first + (l + 1) * elems <= t->words)
      word = first + l * elems;
    j->inst.a[0][l] = window + 4 * word;
    for (unsigned e = 0; e < 4; e++)
      j->inst.b[e][l] = (uint32_t)rng_next(r);
  }
}

/* The word of the plain memory that an address means, NULL if it is only read. */
static uint32_t *word_of(struct traffic *t, struct side *s, const struct sm_inst *inst,
                         unsigned lane, bool *global) {
  enum isa_id id = inst->uop->id;
  uint32_t a = inst->addr[lane];
  bool generic = id == ISA_LDGEN || id == ISA_STGEN;
  bool atomic = inst->uop->f.unit == ISA_U_ATOM;
  *global = false;
  if (id == ISA_LDP || id == ISA_LDC)
    return NULL;
  if (id == ISA_LDS || id == ISA_STS || (atomic && (inst->uop->f.mods & ASHARED) != 0) ||
      (generic && a >= ISA_SHARED_WINDOW && a < ISA_LOCAL_WINDOW))
    return &s->shared[inst->warp & 1][(a & 0xffff) / 4];
  if (id == ISA_LDL || id == ISA_STL || (generic && a >= ISA_LOCAL_WINDOW))
    return &s->local[inst->warp][lane][(a & 0xffff) / 4];
  *global = true;
  return &t->global[(a - t->base) / 4];
}

/* Effect on shared and local memory (own) or on global memory; loads and stores apart, as loads of
 * a cycle come before all stores to global memory. */
static void apply(struct traffic *t, struct side *s, struct job *j, bool on_global, bool loads) {
  struct sm_inst *inst = &j->inst;
  const struct isa_uop *u = inst->uop;
  if (lsu_is_store(u) == loads)
    return;
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++) {
    bool global;
    if ((inst->exec >> l & 1) == 0)
      continue;
    uint32_t *w = word_of(t, s, inst, l, &global);
    if (global != on_global)
      continue;
    if (u->f.unit == ISA_U_ATOM) {
      uint64_t old = 0, now;
      const size_t bytes = u->mem_size;
      memcpy(&old, w, bytes);
      now = inst->b[0][l] | (uint64_t)inst->b[1][l] << 32;
      now += u->id == ISA_AADD ? old : 0;
      memcpy(w, &now, bytes);
      j->expect[0][l] = (uint32_t)old;
      j->expect[1][l] = (uint32_t)(old >> 32);
      continue;
    }
    for (unsigned e = 0; e < u->mem_elems; e++) {
      if (w == NULL)
        j->expect[e][l] = u->id == ISA_LDP ? t->b.params[inst->addr[l] / 4]
                                           : (inst->addr[l] - t->constants) / 4 * 3;
      else if (loads)
        j->expect[e][l] = w[e];
      else
        w[e] = inst->b[e][l];
    }
  }
}

/* The jobs that left the load-store unit's queue in this cycle take effect. */
static void follow(struct traffic *t) {
  struct job *now[BENCH_SMS] = {NULL};
  for (unsigned i = 0; i < BENCH_SMS; i++) {
    struct side *s = &t->side[i];
    if (s->queued == 0 || s->queue[0]->inst.mem.phase == PHASE_QUEUED)
      continue;
    now[i] = s->queue[0];
    memmove(&s->queue[0], &s->queue[1], --s->queued * sizeof s->queue[0]);
    now[i]->started = true;
    apply(t, s, now[i], false, true);
    apply(t, s, now[i], false, false);
    apply(t, s, now[i], true, true);
  }
  for (unsigned i = 0; i < BENCH_SMS; i++)
    if (now[i] != NULL)
      apply(t, &t->side[i], now[i], true, false);
}

static void finish(struct traffic *t, struct side *s, struct sm_inst *inst) {
  struct job *j = (struct job *)((char *)inst - offsetof(struct job, inst));
  assert_true(j->used && j->started);
  bool result = !lsu_is_store(inst->uop) ||
                (inst->uop->f.unit == ISA_U_ATOM && (inst->uop->f.mods & ANORET) == 0);
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
    for (unsigned e = 0; result && e < words_of(inst->uop); e++)
      if ((inst->exec >> l & 1) != 0) {
        assert_int_equal(inst->d[e][l], j->expect[e][l]);
        mix(&s->trace, inst->d[e][l]);
      }
  mix(&s->trace, t->b.cycle << 16 | j->id);
  j->used = false;
  s->live--;
  s->completed++;
}

/* The parallel part of one SM. */
static void step_sm(struct traffic *t, unsigned i, bool issue) {
  struct side *s = &t->side[i];
  struct sm_mem *mem = gpu_mem_sm(t->b.m, i);
  if (t->lazy && !issue && sm_mem_waits(mem, t->b.cycle)) {
    s->waited++;
    s->left_out++;
    return;
  }
  sm_mem_skip(mem, s->waited);
  s->waited = 0;
  sm_mem_step(mem, t->b.cycle);
  struct sm_inst *done = sm_mem_completed(mem);
  if (done != NULL)
    finish(t, s, done);
  struct mem_fill f;
  if (sm_mem_fill(mem, &f)) {
    assert_int_equal(f.line, s->lines[0]);
    assert_int_equal(f.beat, s->beats % 8);
    assert_int_equal(f.data[1], t->b.code[f.line * 16U + f.beat * 2U + 1]);
    if (++s->beats % 8 == 0)
      memmove(&s->lines[0], &s->lines[1], --s->asked * sizeof s->lines[0]);
  }
  if (!issue)
    return;
  if (s->asked < 1 && rng_below(&s->rng, 100) == 0) {
    s->lines[s->asked] = (uint16_t)rng_below(&s->rng, BENCH_CODE / 16);
    sm_mem_ifetch(mem, s->lines[s->asked++]);
  }
  if (!sm_mem_ready(mem) || s->live == POOL || rng_below(&s->rng, 3) == 0)
    return;
  struct job *j = s->pool;
  while (j->used)
    j++;
  random_job(t, s, j);
  j->used = true;
  sm_mem_accept(mem, &j->inst);
  s->queue[s->queued++] = j;
  s->live++;
  s->issued++;
}

static void open_traffic(struct traffic *t, const struct mem_config *config, uint64_t seed,
                         uint32_t words) {
  memset(t, 0, sizeof *t);
  bench_open(&t->b, config, BENCH_SMS);
  t->words = words;
  t->base = bench_alloc(&t->b, 4 * words);
  t->constants = bench_alloc(&t->b, 4096);
  for (uint32_t i = 0; i < 1024; i++)
    bench_write32(&t->b, t->constants + 4 * i, 3 * i);
  for (unsigned i = 0; i < BENCH_SMS; i++) {
    t->side[i].rng.state = seed + 1000 * i;
    memset(t->side[i].shared, 0xa5, sizeof t->side[i].shared);
  }
}

/* The results of a run. */
struct outcome {
  uint64_t cycles, digest, trace, left_out;
  struct mem_stats stats;
};

/* How the SMs are stepped: one after another, in an order shuffled each cycle, or by two threads,
 * which share the partitions too; and whether waiting SMs are left out at the end. */
struct manner {
  uint64_t order; /* seed of the shuffling; 0: ascending */
  bool threads, lazy;
};

struct crew {
  struct traffic *traffic;
  pthread_barrier_t barrier;
  bool issue, end;
};

#define EVEN_PARTS UINT64_C(0x5555555555555555)

/* The second thread's part: the odd SMs, highest first, and the even partitions. */
static void *second(void *context) {
  struct crew *c = context;
  for (;;) {
    pthread_barrier_wait(&c->barrier);
    if (c->end)
      return NULL;
    for (unsigned i = BENCH_SMS; i-- > 0;)
      if (i % 2 != 0)
        step_sm(c->traffic, i, c->issue);
    gpu_mem_parts(c->traffic->b.m, c->traffic->b.cycle, EVEN_PARTS);
    pthread_barrier_wait(&c->barrier);
  }
}

static void step_shuffled(struct traffic *t, struct rng *shuffle, bool issue) {
  unsigned turn[BENCH_SMS];
  for (unsigned i = 0; i < BENCH_SMS; i++) {
    unsigned k = shuffle->state == 0 ? i : rng_below(shuffle, i + 1);
    turn[i] = turn[k];
    turn[k] = i;
  }
  for (unsigned i = 0; i < BENCH_SMS; i++)
    step_sm(t, turn[i], issue);
}

static void step_threads(struct crew *c, bool issue) {
  c->issue = issue;
  pthread_barrier_wait(&c->barrier);
  gpu_mem_parts(c->traffic->b.m, c->traffic->b.cycle, ~EVEN_PARTS);
  for (unsigned i = 0; i < BENCH_SMS; i += 2)
    step_sm(c->traffic, i, issue);
  pthread_barrier_wait(&c->barrier);
}

static struct outcome check_outcome(struct traffic *t) {
  struct outcome o = {.cycles = t->b.cycle, .digest = gpu_mem_digest(t->b.m)};
  gpu_mem_stats(t->b.m, &o.stats);
  for (unsigned i = 0; i < BENCH_SMS; i++) {
    assert_int_equal(t->side[i].issued, t->side[i].completed);
    assert_int_equal(t->side[i].beats % 8, 0);
    mix(&o.trace, t->side[i].trace);
    o.left_out += t->side[i].left_out;
  }
  for (uint32_t i = 0; i < t->words; i++)
    assert_int_equal(bench_read32(&t->b, t->base + 4 * i), t->global[i]);
  assert_int_equal(gpu_mem_fault(t->b.m)->kind, INST_FAULT_NONE);
  return o;
}

static struct outcome run_traffic(const struct mem_config *config, uint64_t seed, uint32_t words,
                                  unsigned cycles, struct manner manner) {
  struct traffic *t = &traffic;
  struct rng shuffle = {manner.order};
  struct crew crew = {.traffic = t};
  pthread_t thread;
  open_traffic(t, config, seed, words);
  t->lazy = manner.lazy;
  if (manner.threads) {
    assert_int_equal(pthread_barrier_init(&crew.barrier, NULL, 2), 0);
    assert_int_equal(pthread_create(&thread, NULL, second, &crew), 0);
  }
  while (t->b.cycle <= cycles || !gpu_mem_idle(t->b.m)) {
    bool issue = t->b.cycle < cycles;
    if (manner.threads) {
      step_threads(&crew, issue);
      gpu_mem_join(t->b.m, t->b.cycle++);
    } else {
      step_shuffled(t, &shuffle, issue);
      gpu_mem_step(t->b.m, t->b.cycle++);
    }
    follow(t);
    assert_true(t->b.cycle < 100 * cycles + 100000);
  }
  if (manner.threads) {
    crew.end = true;
    pthread_barrier_wait(&crew.barrier);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&crew.barrier);
  }
  struct outcome o = check_outcome(t);
  bench_close(&t->b);
  return o;
}

TEST(values_are_those_of_plain_memory) {
  for (unsigned round = 0; round < 3; round++) {
    static const uint32_t words[] = {64, 4096, MAX_WORDS};
    struct outcome o = run_traffic(NULL, rng_next(&rng), words[round], 3000, (struct manner){0});
    assert_true(o.stats.global_loads > 200);
    assert_true(o.stats.load_latency_count == o.stats.global_loads);
  }
}

TEST(the_order_of_the_sms_does_not_matter) {
  uint64_t seed = rng_next(&rng);
  struct outcome a = run_traffic(NULL, seed, 2048, 2000, (struct manner){0});
  for (unsigned i = 0; i < 3; i++) {
    struct manner manner = {.order = i < 2 ? 1 + rng_next(&rng) : 0, .threads = i == 2};
    struct outcome b = run_traffic(NULL, seed, 2048, 2000, manner);
    assert_int_equal(a.cycles, b.cycles);
    assert_true(a.digest == b.digest);
    assert_true(a.trace == b.trace);
    assert_memory_equal(&a.stats, &b.stats, sizeof a.stats);
  }
}

/* Cycles in which an SM waits may be left out: nothing shows. */
TEST(waiting_need_not_be_stepped) {
  uint64_t seed = rng_next(&rng);
  struct mem_config c;
  mem_config_default(&c);
  c.xbar_queue = 2;
  struct outcome a = run_traffic(&c, seed, 4096, 1000, (struct manner){0});
  struct outcome b = run_traffic(&c, seed, 4096, 1000, (struct manner){.lazy = true});
  assert_true(b.left_out > 100);
  assert_int_equal(a.cycles, b.cycles);
  assert_true(a.digest == b.digest && a.trace == b.trace);
  assert_memory_equal(&a.stats, &b.stats, sizeof a.stats);
}

TEST(tiny_queues_only_make_it_slower) {
  struct mem_config c;
  mem_config_default(&c);
  c.l1d_bytes = 1024;
  c.l1d_ways = 1;
  c.l1d_mshrs = c.l1d_mshr_merge = 1;
  c.const_bytes = 256;
  c.const_ways = 1;
  c.const_mshrs = 1;
  c.l2_bytes = 2048;
  c.l2_ways = 1;
  c.l2_mshrs = c.l2_mshr_merge = 1;
  c.l2_queue = 1;
  c.xbar_queue = c.l2_dram_queue = 2;
  c.dram_queue = 1;
  c.lsu_queue = 1;
  for (c.l1d = 0; c.l1d < 2; c.l1d++)
    for (c.l2 = 0; c.l2 < 2; c.l2++)
      run_traffic(&c, rng_next(&rng), 4096, 1000, (struct manner){0});
}

TEST(odd_configurations_work) {
  for (unsigned round = 0; round < 6; round++) {
    struct mem_config c;
    mem_config_default(&c);
    c.core_mhz = 500 + rng_below(&rng, 1000);
    c.xbar_mhz = 500 + rng_below(&rng, 2000);
    c.dram_mhz = 500 + rng_below(&rng, 2000);
    c.partitions = 1 + rng_below(&rng, 8);
    c.l1d_bytes = 1024U << rng_below(&rng, 5);
    c.l1d_ways = 1U << rng_below(&rng, 3);
    c.l1d_latency = 1 + rng_below(&rng, 60);
    c.shared_latency = 1 + rng_below(&rng, 60);
    c.const_latency = 1 + rng_below(&rng, 60);
    c.const_line = 32U << rng_below(&rng, 3);
    c.store_acks = rng_below(&rng, 2);
    c.dram_sector_reads = rng_below(&rng, 2);
    c.shared_banks = 1U << rng_below(&rng, 6);
    c.l1d_mshrs = 1 + rng_below(&rng, 64);
    c.l1d_mshr_merge = 1 + rng_below(&rng, 8);
    c.const_mshrs = 1 + rng_below(&rng, 8);
    c.l2_bytes = 2048U << rng_below(&rng, 6);
    c.l2_ways = 1U << rng_below(&rng, 5);
    c.l2_mshrs = 1 + rng_below(&rng, 40);
    c.l2_mshr_merge = 1 + rng_below(&rng, 10);
    c.rop_latency = rng_below(&rng, 200);
    c.dram_latency = rng_below(&rng, 200);
    c.xbar_latency = rng_below(&rng, 20);
    c.xbar_flit_bytes = 8U << rng_below(&rng, 4);
    c.dram_burst = 4U << rng_below(&rng, 2);
    c.lsu_queue = 1 + rng_below(&rng, 4);
    c.xbar_queue = 2 + rng_below(&rng, 10);
    c.l2_queue = 1 + rng_below(&rng, 50);
    c.l2_dram_queue = 2 + rng_below(&rng, 50);
    c.dram_queue = 1 + rng_below(&rng, 64);
    c.l1d = rng_below(&rng, 2);
    c.l2 = rng_below(&rng, 2);
    if (c.l2_ways * 128 > c.l2_bytes)
      c.l2_ways = 1;
    run_traffic(&c, rng_next(&rng), 4096, 800, (struct manner){0});
  }
}

int main(int argc, char **argv) {
  rng = rng_from_arguments(argc, argv);
  return test_run(NULL, NULL);
}
