/* Memory that runs ahead: random traffic of SMs that are at different cycles.  Completions, beats
 * of instruction lines, statistics, memory and its idleness are those of a memory with
 * gpu_mem_step in each cycle, whatever the length of the stretches and the order of the SMs. */
#include "tests/mem/bench.h"

enum { SMS = 4, POOL = 24, WARPS = 48, CODE_LINES = 4 };
enum { ISSUE = 1000, LONGEST = 60000, EVENTS = 8192, WORDS = 128, WIDE_WORDS = 1 << 14 };

static struct rng rng;

struct event { /* an instruction or a beat that an SM has got */
  uint64_t cycle, value;
  unsigned number;
  uint8_t warp;
  bool beat, changed; /* changed: it is known to have changed memory */
};

struct slot { /* of an instruction under way */
  struct sm_inst inst;
  unsigned number;
  bool used;
};

struct side { /* one SM's */
  struct rng rng;
  struct slot pool[POOL];
  unsigned live, issued, lines, beats;
  uint64_t cycle, waited;
  struct event event[EVENTS];
  unsigned events, met; /* met: events before the last meeting */
  uint64_t ahead;       /* cycles before gpu_mem_join had all cycles before */
  uint64_t early;       /* stores that came back before gpu_mem_join had them */
};

struct machine {
  struct bench b; /* b.cycle: gpu_mem_join has had the cycles before */
  struct side side[SMS];
  uint32_t base, words;
  uint64_t idle_from; /* the cycle that finds memory idle */
  bool works[LONGEST], idle[LONGEST];
};

static struct machine plain, apart;

static void mix(uint64_t *h, uint64_t v) { *h = (*h ^ v) * 0x9e3779b97f4a7c15U + (*h >> 29); }

static const struct {
  enum isa_id id;
  unsigned mods;
  enum isa_space space;
} kinds[] = {
    {ISA_LDG, M8 | MSIGNED, ISA_SPACE_GLOBAL}, {ISA_LDG, M16, ISA_SPACE_GLOBAL},
    {ISA_LDG, M32, ISA_SPACE_GLOBAL},          {ISA_LDG, M64, ISA_SPACE_GLOBAL},
    {ISA_LDG, M32 | MV4, ISA_SPACE_GLOBAL},    {ISA_STG, M8, ISA_SPACE_GLOBAL},
    {ISA_STG, M16 | MV2, ISA_SPACE_GLOBAL},    {ISA_STG, M32, ISA_SPACE_GLOBAL},
    {ISA_STG, M64, ISA_SPACE_GLOBAL},          {ISA_STG, M32 | MV4, ISA_SPACE_GLOBAL},
    {ISA_AADD, 0, ISA_SPACE_GLOBAL},           {ISA_AADD, ANORET, ISA_SPACE_GLOBAL},
    {ISA_AEXCH, 0, ISA_SPACE_GLOBAL},          {ISA_AMAX, ANORET, ISA_SPACE_GLOBAL},
    {ISA_LDS, M32, ISA_SPACE_SHARED},          {ISA_STS, M32 | MV2, ISA_SPACE_SHARED},
    {ISA_AADD, ASHARED, ISA_SPACE_SHARED},     {ISA_LDL, M32, ISA_SPACE_LOCAL},
    {ISA_STL, M32, ISA_SPACE_LOCAL},           {ISA_LDP, M32, ISA_SPACE_PARAM},
    {ISA_LDC, M32, ISA_SPACE_CONST},           {ISA_LDGEN, M32, ISA_SPACE_GENERIC},
    {ISA_STGEN, M32, ISA_SPACE_GENERIC},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static struct isa_uop uops[KINDS]; /* they stay, like those of a program */

static uint32_t random_address(const struct machine *m, struct rng *r, enum isa_space space,
                               uint32_t bytes) {
  if (space == ISA_SPACE_GENERIC && rng_below(r, 3) == 0)
    return (rng_below(r, 2) != 0 ? ISA_SHARED_WINDOW : ISA_LOCAL_WINDOW) + 4 * rng_below(r, 16);
  if (space == ISA_SPACE_SHARED || space == ISA_SPACE_PARAM)
    return rng_below(r, 256 / bytes) * bytes;
  if (space == ISA_SPACE_LOCAL)
    return 4 * rng_below(r, 16);
  return m->base + rng_below(r, 4 * m->words / bytes) * bytes;
}

static void random_inst(const struct machine *m, struct side *s, struct slot *j) {
  struct rng *r = &s->rng;
  const unsigned k = rng_below(r, KINDS);
  bench_inst(&j->inst, &uops[k], rng_below(r, WARPS));
  j->number = s->issued++;
  if (rng_below(r, 3) == 0)
    j->inst.exec = (uint32_t)rng_next(r);
  const uint32_t bytes = (uint32_t)uops[k].mem_size * uops[k].mem_elems;
  const unsigned shape = rng_below(r, 4); /* 0: any addresses, 1: neighbours, else: one */
  const uint32_t first = random_address(m, r, kinds[k].space, bytes);
  for (uint32_t l = 0; l < ISA_WARP_SIZE; l++) {
    j->inst.a[0][l] = first;
    if (shape == 0)
      j->inst.a[0][l] = random_address(m, r, kinds[k].space, bytes);
    else if (shape == 1 && kinds[k].space == ISA_SPACE_GLOBAL)
      j->inst.a[0][l] = m->base + (first - m->base + l * bytes) % (4 * m->words);
    for (unsigned e = 0; e < 4; e++)
      j->inst.b[e][l] = rng_below(r, 4); /* many stores change nothing */
  }
}

static struct event *add_event(struct side *s) {
  assert_true(s->events < EVENTS);
  struct event *e = &s->event[s->events++];
  *e = (struct event){.cycle = s->cycle};
  return e;
}

/* Notes a completion.  Memory may not use the instruction any more. */
static void finish(struct side *s, struct sm_mem *mem, struct sm_inst *inst) {
  struct slot *j = (struct slot *)((char *)inst - offsetof(struct slot, inst));
  struct event *e = add_event(s);
  const bool store = lsu_is_store(inst->uop);
  assert_true(j->used);
  e->number = j->number;
  e->warp = inst->warp;
  e->value = sm_mem_stores(mem, inst->warp);
  e->changed = store && inst->mem.changed;
  if (!store || (inst->uop->f.unit == ISA_U_ATOM && (inst->uop->f.mods & ANORET) == 0))
    for (unsigned k = 0; k < 4; k++)
      for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
        mix(&e->value, inst->d[k][l]);
  memset(inst->b, 0x5a, sizeof inst->b);
  j->used = false;
  s->live--;
}

static void issue(struct machine *m, struct side *s, struct sm_mem *mem) {
  static const unsigned pauses[] = {1, 2, 10, 40};
  if (s->lines < CODE_LINES && rng_below(&s->rng, 60) == 0) {
    s->lines++;
    sm_mem_ifetch(mem, (uint16_t)rng_below(&s->rng, BENCH_CODE / 16));
  }
  if (!sm_mem_ready(mem) || s->live == POOL || rng_below(&s->rng, pauses[s->cycle / 64 % 4]) != 0)
    return;
  struct slot *j = s->pool;
  while (j->used)
    j++;
  random_inst(m, s, j);
  j->used = true;
  s->live++;
  sm_mem_accept(mem, &j->inst);
}

/* An SM's next cycle.  It is left out, with `lazy`, if the SM's side waits. */
static void step_sm(struct machine *m, unsigned i, bool lazy) {
  struct side *s = &m->side[i];
  struct sm_mem *mem = gpu_mem_sm(m->b.m, i);
  struct mem_fill f;
  if (lazy && s->cycle >= ISSUE && sm_mem_waits(mem, s->cycle)) {
    s->waited++;
    s->cycle++;
    return;
  }
  sm_mem_skip(mem, s->waited);
  s->waited = 0;
  sm_mem_step(mem, s->cycle);
  const uint64_t writing = sm_mem_writing(mem);
  struct sm_inst *done = sm_mem_completed(mem);
  if (done != NULL) {
    s->early += s->cycle > m->b.cycle && (writing >> done->warp & 1) != 0;
    finish(s, mem, done);
  }
  if (sm_mem_fill(mem, &f)) {
    struct event *e = add_event(s);
    e->beat = true;
    e->number = f.line * 8U + f.beat;
    mix(&e->value, f.data[0]);
    mix(&e->value, f.data[1]);
    s->lines -= ++s->beats % 8 == 0;
  }
  if (s->cycle < ISSUE)
    issue(m, s, mem);
  s->cycle++;
}

static void open_machine(struct machine *m, const struct mem_config *config, uint64_t seed,
                         uint32_t words) {
  memset(m, 0, sizeof *m);
  bench_open(&m->b, config, SMS);
  m->words = words;
  m->base = bench_alloc(&m->b, 4 * words);
  for (unsigned i = 0; i < SMS; i++)
    m->side[i].rng.state = seed + 1000 * i;
}

static void note(struct machine *m) {
  m->works[m->b.cycle] = gpu_mem_works(m->b.m);
  m->idle[m->b.cycle] = gpu_mem_idle(m->b.m);
}

/* Steps all in each cycle, until memory has been idle for a while. */
static void run_plain(struct machine *m) {
  while (m->idle_from == 0 || m->b.cycle < m->idle_from + MEM_LOOKAHEAD) {
    assert_true(m->b.cycle + 1 < LONGEST);
    for (unsigned i = 0; i < SMS; i++)
      step_sm(m, i, false);
    gpu_mem_step(m->b.m, m->b.cycle++);
    note(m);
    if (m->b.cycle > ISSUE && m->idle_from == 0 && m->idle[m->b.cycle])
      m->idle_from = m->b.cycle;
  }
}

/* Changes of memory that an SM knows of: their warps, and the cycle of the last. */
struct changes {
  uint64_t warps, last;
};

static void add_change(struct changes *c, const struct event *e) {
  if (!e->changed)
    return;
  c->warps |= UINT64_C(1) << e->warp;
  c->last = c->last > e->cycle ? c->last : e->cycle;
}

/* Compares what an SM has got since the last meeting. */
static void compare_side(struct machine *a, struct machine *b, unsigned i) {
  struct side *x = &a->side[i], *y = &b->side[i];
  struct changes of_a = {0, 0}, of_b = {0, 0};
  uint64_t last;
  for (; y->met < y->events; y->met++) {
    assert_true(y->met < x->events);
    const struct event *e = &x->event[y->met], *f = &y->event[y->met];
    assert_int_equal(f->cycle, e->cycle);
    assert_int_equal(f->beat, e->beat);
    assert_int_equal(f->number, e->number);
    assert_int_equal(f->value, e->value);
    add_change(&of_a, e);
    add_change(&of_b, f);
  }
  assert_true(y->met == x->events || x->event[y->met].cycle >= y->cycle);
  const uint64_t warps = sm_mem_changed(gpu_mem_sm(b->b.m, i), &last);
  if (warps != 0 && of_b.last < last)
    of_b.last = last;
  assert_int_equal(of_b.warps | warps, of_a.warps);
  assert_int_equal(of_b.last, of_a.last);
}

/* Returns a cycle up to which the SMs go at most: before and after memory becomes idle they meet.
 */
static uint64_t next_meeting(const struct machine *a, uint64_t cycle) {
  if (cycle < a->idle_from - 1)
    return a->idle_from - 1;
  return cycle < a->idle_from ? a->idle_from : a->b.cycle;
}

/* Each SM alone, in any order.  Returns the cycle before which all have had theirs. */
static uint64_t step_apart(struct machine *m, uint64_t end, bool lazy) {
  unsigned turn[SMS];
  uint64_t joined = end;
  for (unsigned i = 0; i < SMS; i++) {
    const unsigned k = rng_below(&rng, i + 1);
    turn[i] = turn[k];
    turn[k] = i;
  }
  for (unsigned i = 0; i < SMS; i++) {
    struct side *s = &m->side[turn[i]];
    const struct sm_mem *mem = gpu_mem_sm(m->b.m, turn[i]);
    const unsigned length = (unsigned)(end - m->b.cycle);
    const uint64_t stop = rng_below(&rng, 4) == 0 ? m->b.cycle + rng_below(&rng, length + 1) : end;
    for (; s->cycle < stop && sm_mem_may_step(mem, s->cycle); step_sm(m, turn[i], lazy))
      s->ahead += s->cycle > m->b.cycle;
    joined = s->cycle < joined ? s->cycle : joined;
  }
  return joined;
}

/* Runs in stretches of so many cycles; by chance, SMs stop earlier, or, with `lazy`, leave cycles
 * out in which they wait. */
static void run_apart(struct machine *m, struct machine *a, unsigned cycles, bool lazy) {
  const unsigned lookahead = gpu_mem_lookahead(m->b.m);
  const unsigned most = cycles < lookahead ? cycles : lookahead;
  for (unsigned stuck = 0; m->b.cycle < a->b.cycle; stuck++) {
    uint64_t end = m->b.cycle + most;
    gpu_mem_ahead(m->b.m, end);
    const uint64_t meeting = next_meeting(a, m->b.cycle);
    end = end < meeting ? end : meeting;
    const uint64_t joined = step_apart(m, end, lazy && rng_below(&rng, 2) != 0);
    for (; m->b.cycle < joined; stuck = 0) {
      if (rng_below(&rng, 2) != 0) /* its partitions have nothing to do */
        gpu_mem_step(m->b.m, m->b.cycle++);
      else
        gpu_mem_join(m->b.m, m->b.cycle++);
      assert_int_equal(gpu_mem_works(m->b.m), a->works[m->b.cycle]);
    }
    assert_true(stuck < 1000);
    bool together = true;
    for (unsigned i = 0; i < SMS; i++)
      together &= m->side[i].cycle == m->b.cycle;
    if (!together)
      continue;
    assert_int_equal(gpu_mem_idle(m->b.m), a->idle[m->b.cycle]);
    for (unsigned i = 0; i < SMS; i++)
      compare_side(a, m, i);
  }
}

/* Cycles that SMs did before gpu_mem_join, and stores that came back to them before it. */
struct ahead {
  uint64_t cycles, stores;
};

/* Runs the same traffic at once and apart, and compares. */
static struct ahead run_both(const struct mem_config *config, uint32_t words) {
  static const unsigned most[] = {2, 7, 24, 64};
  const uint64_t seed = rng_next(&rng);
  struct ahead sum = {0, 0};
  open_machine(&plain, config, seed, words);
  run_plain(&plain);
  const struct mem_stats stats = bench_stats(&plain.b);
  for (unsigned k = 0; k < sizeof most / sizeof most[0]; k++) {
    open_machine(&apart, config, seed, words);
    run_apart(&apart, &plain, most[k], k % 2 != 0);
    const struct mem_stats other = bench_stats(&apart.b);
    assert_memory_equal(&stats, &other, sizeof stats);
    assert_int_equal(gpu_mem_digest(apart.b.m), gpu_mem_digest(plain.b.m));
    assert_int_equal(gpu_mem_fault(apart.b.m)->kind, INST_FAULT_NONE);
    for (unsigned i = 0; i < SMS; i++) {
      sum.cycles += apart.side[i].ahead;
      sum.stores += apart.side[i].early;
    }
    bench_close(&apart.b);
  }
  bench_close(&plain.b);
  return sum;
}

TEST(ahead_is_as_at_once) {
  struct mem_config c;
  mem_config_default(&c);
  struct ahead few = run_both(&c, WORDS);
  struct ahead many = run_both(&c, WIDE_WORDS);
  assert_true(few.cycles > 1000 && many.cycles > 1000);
  assert_true(few.stores > 20 && many.stores > 20);
}

TEST(caches_and_acknowledgements_may_be_off) {
  for (unsigned k = 0; k < 4; k++) {
    struct mem_config c;
    mem_config_default(&c);
    c.l1d = k != 0 && k != 3;
    c.l2 = k != 1 && k != 3;
    c.store_acks = k < 2;
    run_both(&c, k % 2 != 0 ? WORDS : WIDE_WORDS);
  }
}

TEST(short_queues_and_dirty_lines) {
  for (unsigned k = 0; k < 4; k++) {
    struct mem_config c;
    mem_config_default(&c);
    c.xbar_queue = 2 + k;
    c.l2_queue = 1 + k;
    c.lsu_queue = 1 + k;
    c.partitions = 1 + k;
    c.l1d_bytes = 1024;
    c.l1d_ways = 1;
    c.l1d_mshrs = c.l1d_mshr_merge = 2 + k;
    run_both(&c, WIDE_WORDS);
  }
}

TEST(lookahead_is_limited_by_the_partitions) {
  struct mem_config c;
  mem_config_default(&c);
  c.xbar_mhz = 3 * c.core_mhz;
  c.xbar_latency = 0;
  for (c.rop_latency = 0; c.rop_latency < 9; c.rop_latency = 2 * c.rop_latency + 1)
    run_both(&c, WORDS);
}

TEST(clocks_and_latencies_may_be_others) {
  for (unsigned k = 0; k < 6; k++) {
    struct mem_config c;
    mem_config_default(&c);
    c.core_mhz = 500 + rng_below(&rng, 1000);
    c.xbar_mhz = k == 0 ? 200 : 300 + rng_below(&rng, 2500);
    c.dram_mhz = 500 + rng_below(&rng, 2000);
    c.xbar_latency = rng_below(&rng, 20);
    c.xbar_queue = 2 + rng_below(&rng, 10);
    c.rop_latency = rng_below(&rng, 150);
    c.l1d_latency = 1 + rng_below(&rng, k % 2 != 0 ? 4 : 80);
    c.shared_latency = 1 + rng_below(&rng, 60);
    c.const_latency = 1 + rng_below(&rng, 4);
    c.l2_queue = 1 + rng_below(&rng, 20);
    run_both(&c, WORDS);
  }
}

int main(int argc, char **argv) {
  rng = rng_from_arguments(argc, argv);
  for (unsigned k = 0; k < KINDS; k++)
    bench_uop(&uops[k], kinds[k].id, kinds[k].mods, 0);
  return test_run(NULL, NULL);
}
