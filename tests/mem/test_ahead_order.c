/* Memory that runs ahead, by hand: which store a load of an SM at another cycle sees, what an SM
 * learns of stores that came back early, where it has to stop, and when memory is idle.
 *
 * An instruction that is accepted in a cycle enters the load-store unit, and accesses memory, in
 * the next one. */
#include "tests/mem/bench.h"

enum { SMS = 2, ACCEPT = 10, STRETCH = 24, OLD = 7, NEW = 8 };

struct machine {
  struct bench b; /* b.cycle: gpu_mem_join has had the cycles before */
  uint64_t cycle[SMS];
  uint32_t base;
};

static void open_machine(struct machine *m, const struct mem_config *config) {
  memset(m, 0, sizeof *m);
  bench_open(&m->b, config, SMS);
  m->base = bench_alloc(&m->b, 8192);
  bench_write32(&m->b, m->base, OLD);
}

/* An SM's next cycle, in which it accepts the instruction, or none.  Returns what it completes. */
static struct sm_inst *step(struct machine *m, unsigned sm, struct sm_inst *accept) {
  struct sm_mem *mem = gpu_mem_sm(m->b.m, sm);
  assert_true(sm_mem_may_step(mem, m->cycle[sm]));
  sm_mem_step(mem, m->cycle[sm]++);
  struct sm_inst *done = sm_mem_completed(mem);
  if (accept != NULL)
    sm_mem_accept(mem, accept);
  return done;
}

/* Steps an SM to a cycle.  It accepts the instruction in cycle `at`. */
static void go(struct machine *m, unsigned sm, uint64_t end, uint64_t at, struct sm_inst *accept) {
  while (m->cycle[sm] < end)
    step(m, sm, m->cycle[sm] == at ? accept : NULL);
}

static void join(struct machine *m, uint64_t end) {
  while (m->b.cycle < end)
    gpu_mem_join(m->b.m, m->b.cycle++);
}

/* Steps both SMs until this one completes the instruction. */
static void finish(struct machine *m, unsigned sm, const struct sm_inst *inst) {
  assert_int_equal(m->cycle[0], m->cycle[1]);
  for (unsigned n = 0; n < 2000; n++) {
    const struct sm_inst *other = step(m, 1 - sm, NULL);
    const struct sm_inst *done = step(m, sm, NULL);
    gpu_mem_step(m->b.m, m->b.cycle++);
    assert_true(other == NULL || other != inst);
    if (done == inst)
      return;
  }
  fail_msg("the instruction never completes");
}

/* One lane's access to the first word. */
static void access_word(const struct machine *m, struct sm_inst *inst, struct isa_uop *uop,
                        enum isa_id id, unsigned mods) {
  bench_access(inst, uop, id, id == ISA_LDG || id == ISA_STG ? M32 : mods, 0, m->base, 0);
  inst->exec = 1;
  inst->b[0][0] = NEW;
}

/* Two accesses to the word.  SM 1's is accepted `later` cycles after that of SM 0, and SM 1 does
 * the whole stretch first, or last.  Returns the value of SM 1's. */
static uint32_t value_of_sm_1(enum isa_id id_0, enum isa_id id_1, int later, bool first) {
  struct machine m;
  struct isa_uop u[SMS];
  struct sm_inst i[SMS];
  open_machine(&m, NULL);
  access_word(&m, &i[0], &u[0], id_0, 0);
  access_word(&m, &i[1], &u[1], id_1, 0);
  gpu_mem_ahead(m.b.m, STRETCH);
  for (unsigned k = 0; k < SMS; k++) {
    const unsigned sm = first ? 1 - k : k;
    const int at = sm == 1 ? ACCEPT + later : ACCEPT;
    go(&m, sm, STRETCH, (uint64_t)at, &i[sm]);
  }
  join(&m, STRETCH);
  finish(&m, 1, &i[1]);
  const uint32_t value = i[1].d[0][0];
  bench_close(&m.b);
  return value;
}

TEST(a_load_sees_the_stores_of_earlier_cycles_alone) {
  for (int later = -3; later <= 3; later++)
    for (unsigned first = 0; first < 2; first++)
      assert_int_equal(value_of_sm_1(ISA_STG, ISA_LDG, later, first != 0), later > 0 ? NEW : OLD);
}

/* In one cycle the lower SM's comes first. */
TEST(atomics_see_those_of_lower_sms_in_the_same_cycle) {
  for (int later = -3; later <= 3; later++)
    for (unsigned first = 0; first < 2; first++)
      assert_int_equal(value_of_sm_1(ISA_AADD, ISA_AADD, later, first != 0),
                       later >= 0 ? OLD + NEW : OLD);
}

/* SM 0 has a store or an atomic of a warp back before gpu_mem_join has had it. */
static void check_early(enum isa_id id, unsigned mods, uint32_t value, bool changes) {
  const unsigned warp = 5;
  const uint64_t bit = UINT64_C(1) << warp;
  struct machine m;
  struct isa_uop u;
  struct sm_inst i;
  uint64_t cycle = 0;
  open_machine(&m, NULL);
  struct sm_mem *mem = gpu_mem_sm(m.b.m, 0);
  access_word(&m, &i, &u, id, mods);
  i.warp = (uint8_t)warp;
  i.b[0][0] = value;
  gpu_mem_ahead(m.b.m, STRETCH);
  go(&m, 0, ACCEPT + 1, ACCEPT, &i);
  assert_int_equal(sm_mem_writing(mem), 0);
  assert_null(step(&m, 0, NULL));
  assert_int_equal(sm_mem_writing(mem), bit);
  assert_ptr_equal(step(&m, 0, NULL), &i);
  memset(i.b, 0x5a, sizeof i.b); /* the instruction is not memory's any more */
  memset(i.addr, 0, sizeof i.addr);
  assert_int_equal(sm_mem_changed(mem, &cycle), 0);
  go(&m, 0, STRETCH, 0, NULL);
  go(&m, 1, STRETCH, 0, NULL);
  join(&m, ACCEPT + 1);
  assert_int_equal(sm_mem_writing(mem), bit);
  assert_int_equal(bench_read32(&m.b, m.base), OLD);
  assert_int_equal(sm_mem_changed(mem, &cycle), 0);
  join(&m, ACCEPT + 2);
  assert_int_equal(sm_mem_writing(mem), 0);
  assert_int_equal(bench_read32(&m.b, m.base), id == ISA_AADD ? OLD + value : value);
  assert_int_equal(sm_mem_changed(mem, &cycle), changes ? bit : 0);
  if (changes)
    assert_int_equal(cycle, ACCEPT + 2);
  assert_int_equal(sm_mem_changed(mem, &cycle), 0);
  join(&m, STRETCH);
  assert_int_equal(sm_mem_changed(mem, &cycle), 0);
  bench_close(&m.b);
}

TEST(a_store_that_came_back_early_tells_if_memory_changed) {
  check_early(ISA_STG, 0, NEW, true);
  check_early(ISA_STG, 0, OLD, false);
  check_early(ISA_AADD, ANORET, 1, true);
  check_early(ISA_AADD, ANORET, 0, false);
}

/* After gpu_mem_join, the instruction itself tells. */
TEST(a_store_that_comes_back_later_tells_itself) {
  struct machine m;
  struct isa_uop u;
  struct sm_inst i;
  uint64_t cycle;
  open_machine(&m, NULL);
  access_word(&m, &i, &u, ISA_STG, 0);
  gpu_mem_ahead(m.b.m, STRETCH);
  go(&m, 0, ACCEPT + 2, ACCEPT, &i);
  go(&m, 1, ACCEPT + 2, 0, NULL);
  join(&m, ACCEPT + 2);
  assert_int_equal(sm_mem_writing(gpu_mem_sm(m.b.m, 0)), 0);
  assert_ptr_equal(step(&m, 0, NULL), &i);
  assert_true(i.mem.changed);
  assert_int_equal(sm_mem_changed(gpu_mem_sm(m.b.m, 0), &cycle), 0);
  bench_close(&m.b);
}

/* A store of warp 1 to shared memory, too, takes longer than that of warp 2 after it. */
TEST(the_last_early_store_gives_the_cycle) {
  struct machine m;
  struct isa_uop generic;
  struct isa_uop global;
  struct sm_inst i[2];
  uint64_t cycle[2] = {0, 0};
  uint64_t last;
  open_machine(&m, NULL);
  struct sm_mem *mem = gpu_mem_sm(m.b.m, 0);
  bench_access(&i[0], &generic, ISA_STGEN, M32, 0, m.base, 0);
  bench_access(&i[1], &global, ISA_STG, M32, 0, m.base + 4, 0);
  i[0].exec = 3;
  i[0].a[0][1] = ISA_SHARED_WINDOW;
  for (unsigned k = 0; k < 2; k++) {
    i[k].warp = (uint8_t)(k + 1);
    i[k].b[0][0] = i[k].b[0][1] = NEW;
  }
  gpu_mem_ahead(m.b.m, MEM_LOOKAHEAD);
  for (unsigned k = 0; m.cycle[0] < MEM_LOOKAHEAD; k++) {
    const struct sm_inst *done = step(&m, 0, k < 2 ? &i[k] : NULL);
    if (done != NULL)
      cycle[done - i] = m.cycle[0] - 1;
  }
  assert_true(cycle[0] > cycle[1] && cycle[1] != 0);
  go(&m, 1, MEM_LOOKAHEAD, 0, NULL);
  join(&m, MEM_LOOKAHEAD);
  assert_int_equal(sm_mem_changed(mem, &last), 6);
  assert_int_equal(last, cycle[0]);
  bench_close(&m.b);
}

/* The value of a load that hits may be taken l1d_latency after it. */
TEST(an_sm_stops_where_a_value_is_due) {
  struct machine m;
  struct isa_uop u[3];
  struct sm_inst i[3];
  open_machine(&m, NULL);
  static const enum isa_id ids[] = {ISA_LDG, ISA_LDC, ISA_LDP};
  for (unsigned k = 0; k < 3; k++)
    bench_access(&i[k], &u[k], ids[k], M32, 0, k < 2 ? m.base : 0, 0);
  for (unsigned k = 0; k < 3; k++) {
    const struct sm_mem *mem = gpu_mem_sm(m.b.m, 0);
    const uint64_t start = m.b.cycle + 1;
    const uint32_t latency = k == 0 ? m.b.config.l1d_latency : m.b.config.const_latency;
    const uint64_t due = k < 2 ? start + latency - 1 : m.b.cycle + MEM_LOOKAHEAD;
    gpu_mem_ahead(m.b.m, m.b.cycle + MEM_LOOKAHEAD);
    go(&m, 0, start + 1, start - 1, &i[k]);
    assert_true(sm_mem_may_step(mem, due - 1));
    assert_int_equal(sm_mem_may_step(mem, due), k == 2);
    go(&m, 0, due, 0, NULL);
    go(&m, 1, due, 0, NULL);
    join(&m, start);
    assert_int_equal(sm_mem_may_step(mem, due), k == 2);
    join(&m, start + 1);
    assert_true(sm_mem_may_step(mem, due));
    join(&m, due);
    finish(&m, 0, &i[k]);
  }
  bench_close(&m.b);
}

/* A store's transactions leave one a cycle.  While any is left or an instruction waits, and while
 * an instruction line is to be asked for, there must be room for a packet each, and for another one
 * if the kernel has local memory, whose dirty lines may be written back. */
TEST(an_sm_stops_where_its_port_may_be_full) {
  static const struct {
    bool more, waits, line;
    uint32_t local, room;
    bool may;
  } cases[] = {
      {true, false, false, 0, 0, false}, {false, true, false, 0, 0, false},
      {false, false, true, 0, 0, false}, {false, false, false, 0, 0, true},
      {true, false, false, 0, 1, true},  {false, true, true, 0, 1, false},
      {false, false, true, 0, 1, true},  {false, true, true, 0, 2, true},
      {true, false, false, 1, 1, false}, {true, false, false, 1, 2, true},
      {false, true, true, 1, 2, false},  {false, false, true, 1, 1, true},
  };
  for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    struct machine m;
    struct isa_uop u;
    struct sm_inst i[2];
    open_machine(&m, NULL);
    struct sm_mem *mem = gpu_mem_sm(m.b.m, 0);
    const unsigned sent = m.b.config.xbar_queue - cases[k].room;
    bench_access(&i[0], &u, ISA_STG, M32, 0, m.base, 128);
    bench_access(&i[1], &u, ISA_STG, M32, 0, m.base, 0);
    i[0].exec = (1U << (cases[k].more ? sent + 1 : sent)) - 1;
    gpu_mem_ahead(m.b.m, STRETCH);
    step(&m, 0, &i[0]);
    mem->local_words = 0;
    go(&m, 0, 1 + sent, 0, NULL);
    assert_int_equal(ring_count(&mem->out), sent);
    if (cases[k].waits)
      sm_mem_accept(mem, &i[1]);
    if (cases[k].line)
      sm_mem_ifetch(mem, 0);
    mem->local_words = cases[k].local;
    assert_int_equal(sm_mem_may_step(mem, m.cycle[0]), cases[k].may);
    if (cases[k].may)
      go(&m, 0, m.cycle[0] + 1, 0, NULL);
    go(&m, 1, m.cycle[0], 0, NULL);
    join(&m, 2); /* the first packet leaves */
    assert_true(ring_count(&mem->out) <= m.b.config.xbar_queue - 1);
    bench_close(&m.b);
  }
}

/* SM 0 stores, without an answer.  From cycle `meet` on, unless it is 0, partitions and SMs are
 * ahead.  Returns the cycle that finds memory idle. */
static uint64_t idle_from(uint64_t meet) {
  struct machine m;
  struct isa_uop u;
  struct sm_inst i;
  open_machine(&m, NULL);
  access_word(&m, &i, &u, ISA_STG, 0);
  step(&m, 0, &i);
  step(&m, 1, NULL);
  gpu_mem_step(m.b.m, m.b.cycle++);
  while (m.b.cycle < meet || (meet == 0 && !gpu_mem_idle(m.b.m))) {
    step(&m, 0, NULL);
    step(&m, 1, NULL);
    gpu_mem_step(m.b.m, m.b.cycle++);
  }
  if (meet != 0) {
    gpu_mem_ahead(m.b.m, meet + MEM_LOOKAHEAD);
    go(&m, 0, meet + MEM_LOOKAHEAD, 0, NULL);
    go(&m, 1, meet + MEM_LOOKAHEAD, 0, NULL);
    while (!gpu_mem_idle(m.b.m)) {
      assert_true(gpu_mem_works(m.b.m));
      join(&m, m.b.cycle + 1);
    }
  }
  assert_false(gpu_mem_works(m.b.m));
  const uint64_t cycle = m.b.cycle;
  bench_close(&m.b);
  return cycle;
}

TEST(memory_is_idle_when_gpu_mem_join_has_had_it) {
  const uint64_t cycle = idle_from(0);
  assert_true(cycle > MEM_LOOKAHEAD);
  for (uint64_t before = 1; before < MEM_LOOKAHEAD; before += 7)
    assert_int_equal(idle_from(cycle - before), cycle);
}

TEST(lookahead_is_the_delay_of_a_request) {
  static const struct {
    uint32_t rop, cycles;
  } of[] = {{0, 1}, {1, 2}, {62, 63}, {63, 64}, {64, 64}, {1000, 64}};
  for (unsigned k = 0; k < sizeof of / sizeof of[0]; k++) {
    struct machine m;
    struct mem_config c;
    bench_figures(&c);
    c.rop_latency = of[k].rop;
    open_machine(&m, &c);
    assert_int_equal(gpu_mem_lookahead(m.b.m), of[k].cycles);
    assert_non_null(gpu_mem_client(m.b.m, MEM_CLIENT_OWN, NULL));
    assert_int_equal(gpu_mem_lookahead(m.b.m), 1);
    bench_close(&m.b);
  }
}

int main(void) { return test_run(NULL, NULL); }
