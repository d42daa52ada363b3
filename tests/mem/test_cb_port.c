/* Communication buffers at the load-store unit: passes and their timing, values against plain
 * buffers, who may do what; and the wait of bsync. */
#include "csim/mem/cb_port.h"
#include "tests/mem/bench.h"

enum { BYTES = 4096, LATENCY = 28, MOST = 2000 };

static struct rng rng;

/* The outside: a buffer for each side, whose data come two cycles after the pass. */
struct outside {
  uint8_t bytes[CB_SIDES][BYTES];
  uint32_t data[4][CB_BANKS]; /* by cycle mod 4 */
  bool answers[4];
  unsigned passes;
  uint32_t role;
};
static struct outside outside;

static uint32_t side_at(unsigned side) { return CB_WINDOW + side * CB_WINDOW_BYTES; }

static void open_with(struct bench *b, enum block_role role) {
  memset(&outside, 0, sizeof outside);
  bench_open(b, NULL, 1);
  struct sm_mem *s = gpu_mem_sm(b->m, 0);
  assert_null(sm_mem_record(s));
  assert_int_equal(sm_mem_cb(s, BYTES, LATENCY, NULL), 0);
  for (unsigned slot = 0; slot < 2; slot++)
    sm_mem_role(s, slot, &outside.role);
  outside.role = role;
}

static void serve(const struct cb_pass *p, uint64_t cycle) {
  const unsigned at = (cycle + 2) % 4;
  outside.answers[at] = !p->write && p->banks != 0;
  for (uint32_t todo = p->banks; todo != 0; todo &= todo - 1) {
    const unsigned bank = (unsigned)__builtin_ctz(todo);
    const uint32_t byte = 4 * (CB_BANKS * p->row[bank] + bank);
    assert_true(byte < BYTES);
    if (p->write)
      memcpy(&outside.bytes[p->side][byte], &p->data[bank], 4);
    else
      memcpy(&outside.data[at][bank], &outside.bytes[p->side][byte], 4);
  }
  outside.passes += p->banks != 0;
}

/* A cycle of the SM and of the outside; what it completes. */
static struct sm_inst *step(struct bench *b, struct sm_inst *accept) {
  struct sm_mem *s = gpu_mem_sm(b->m, 0);
  struct sm_inst *done = bench_step(b, 0, accept);
  const uint64_t cycle = b->cycle - 1;
  serve(&sm_mem_record(s)->pass, cycle);
  if (outside.answers[cycle % 4])
    sm_mem_cb_answer(s, cycle, outside.data[cycle % 4]);
  return done;
}

static unsigned run(struct bench *b, struct sm_inst *inst) {
  assert_null(step(b, inst));
  for (unsigned n = 1; n < MOST; n++)
    if (step(b, NULL) == inst)
      return n;
  fail_msg("the instruction never completes");
  return 0;
}

TEST(passes_take_time_as_those_of_shared_memory) {
  static const struct {
    unsigned mods;
    uint32_t stride, passes, conflicts;
  } cases[] = {
      {M32, 4, 1, 0},   {M32, 0, 1, 0},        /* a word of every bank; one word for all */
      {M32, 8, 2, 1},   {M32, 128, 32, 31},    /* half of the banks, rows of one bank */
      {M32, 132, 1, 0},                        /* rows that differ by bank */
      {M64, 8, 2, 0},   {M32 | MV4, 16, 4, 0}, /* requests of half and of a quarter warp */
      {M64, 16, 4, 2},  {M8, 1, 1, 0},         /* conflicts within each; four lanes to a word */
      {M16, 2, 1, 0},   {M16 | MV4, 8, 2, 0},
  };
  for (unsigned store = 0; store < 2; store++)
    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
      struct bench b;
      struct isa_uop u;
      struct sm_inst i;
      if (store != 0 && (cases[k].mods & 3) < M32)
        continue;
      open_with(&b, ROLE_BLOCK);
      bench_uop(&u, store != 0 ? ISA_STS : ISA_LDS, cases[k].mods, 0);
      bench_inst(&i, &u, 0);
      bench_address(&i, side_at(store != 0 ? CB_SOUTH : CB_WEST), cases[k].stride);
      if (cases[k].stride == 132)
        for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
          i.a[0][l] = side_at(store != 0 ? CB_EAST : CB_NORTH) + 128 * (31 - l) + 4 * l;
      assert_int_equal(run(&b, &i), LATENCY + cases[k].passes - 1);
      assert_int_equal(outside.passes, cases[k].passes);
      const struct mem_stats s = bench_stats(&b);
      assert_int_equal(s.cb_passes, cases[k].passes);
      assert_int_equal(s.cb_conflict_cycles, cases[k].conflicts);
      assert_int_equal(store != 0 ? s.cb_stores : s.cb_loads, 1);
      assert_int_equal(s.shared_accesses, 0);
      bench_close(&b);
    }
}

/* Late data delay the instruction that waits for them. */
TEST(late_data_are_waited_for) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  static const uint32_t data[CB_BANKS] = {[7] = 99};
  open_with(&b, ROLE_BLOCK);
  bench_access(&i, &u, ISA_LDS, M32, 0, side_at(CB_WEST), 4);
  bench_step(&b, 0, &i);
  for (unsigned n = 1; n < 100; n++)
    assert_null(bench_step(&b, 0, NULL));
  sm_mem_cb_answer(gpu_mem_sm(b.m, 0), b.cycle, data);
  assert_null(bench_step(&b, 0, NULL));
  assert_ptr_equal(bench_step(&b, 0, NULL), &i);
  assert_int_equal(i.d[0][7], 99);
  bench_close(&b);
}

/* Returns the value that the lane's load leaves in its register number r, from plain bytes. */
static uint32_t plain_load(const uint8_t *at, const struct isa_uop *u, unsigned r) {
  uint32_t word = 0;
  const unsigned size = u->mem_size < 4 ? u->mem_size : 4, bits = 8 * size;
  memcpy(&word, at + size * r, size);
  if (size < 4 && (u->f.mods & MSIGNED) != 0 && (word >> (bits - 1) & 1) != 0)
    word |= UINT32_MAX << bits;
  return word;
}

TEST(values_are_those_of_plain_buffers) {
  static uint8_t plain[CB_SIDES][BYTES];
  static const unsigned mods[] = {M8,  M8 | MSIGNED, M16 | MSIGNED,       M16,     M32, M32 | MV2,
                                  M64, M32 | MV4,    M16 | MV4 | MSIGNED, M8 | MV4};
  struct bench b;
  open_with(&b, ROLE_BLOCK);
  for (unsigned s = 0; s < CB_SIDES; s++)
    for (unsigned n = 0; n < BYTES; n++)
      plain[s][n] = outside.bytes[s][n] = (uint8_t)rng_next(&rng);
  for (unsigned round = 0; round < 3000; round++) {
    const bool store = rng_below(&rng, 2) != 0, generic = rng_below(&rng, 2) != 0;
    struct isa_uop u;
    struct sm_inst i;
    const unsigned m = mods[store ? 4 + rng_below(&rng, 4) : rng_below(&rng, 10)];
    bench_uop(&u, store ? (generic ? ISA_STGEN : ISA_STS) : generic ? ISA_LDGEN : ISA_LDS, m, 0);
    const uint32_t size = (uint32_t)u.mem_size * u.mem_elems, spread = 1U << rng_below(&rng, 13);
    bench_inst(&i, &u, rng_below(&rng, 48));
    i.exec = (uint32_t)rng_next(&rng) | (rng_below(&rng, 2) != 0 ? UINT32_MAX : 0);
    unsigned side[ISA_WARP_SIZE];
    uint32_t byte[ISA_WARP_SIZE];
    for (unsigned l = 0; l < ISA_WARP_SIZE; l++) {
      const unsigned second = rng_below(&rng, 2);
      side[l] = store ? (second ? CB_SOUTH : CB_EAST) : second ? CB_NORTH : CB_WEST;
      byte[l] = rng_below(&rng, spread) % BYTES / size * size;
      i.a[0][l] = side_at(side[l]) + byte[l] + (generic ? ISA_SHARED_WINDOW : 0);
      for (unsigned w = 0; w < 4; w++)
        i.b[w][l] = (uint32_t)rng_next(&rng);
    }
    run(&b, &i);
    for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
      for (unsigned r = 0; (i.exec >> l & 1) != 0 && r < isa_n_regs(store ? u.o.s2 : u.o.d); r++)
        if (store)
          memcpy(&plain[side[l]][byte[l] + 4 * r], &i.b[r][l], 4);
        else
          assert_int_equal(i.d[r][l], plain_load(&plain[side[l]][byte[l]], &u, r));
    assert_memory_equal(plain, outside.bytes, sizeof plain);
  }
  assert_int_equal(gpu_mem_fault(b.m)->kind, INST_FAULT_NONE);
  bench_close(&b);
}

/* One generic load of four spaces: shared memory first, then buffers, then the others. */
TEST(lanes_are_split_by_window) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  open_with(&b, ROLE_BLOCK);
  const uint32_t global = bench_alloc(&b, 128);
  bench_write32(&b, global, 0x66);
  outside.bytes[CB_WEST][128 + 4] = 0x77;
  outside.bytes[CB_NORTH][8] = 0x88;
  bench_uop(&u, ISA_LDGEN, M32, 0);
  bench_inst(&i, &u, 0);
  i.exec = 31;
  i.a[0][0] = ISA_SHARED_WINDOW + 4;
  i.a[0][1] = ISA_SHARED_WINDOW + side_at(CB_WEST) + 128 + 4;
  i.a[0][2] = global;
  i.a[0][3] = ISA_LOCAL_WINDOW;
  i.a[0][4] = ISA_SHARED_WINDOW + side_at(CB_NORTH) + 8;
  run(&b, &i);
  static const uint32_t expected[5] = {0xa5a5a5a5, 0x77, 0x66, 0, 0x88};
  for (unsigned l = 0; l < 5; l++)
    assert_int_equal(i.d[0][l], expected[l]);
  const struct mem_stats s = bench_stats(&b);
  assert_true(s.shared_accesses == 1 && s.cb_loads == 1 && s.global_loads == 1);
  assert_int_equal(s.cb_passes, 2); /* a pass serves one buffer */
  assert_int_equal(s.cb_conflict_cycles, 0);
  bench_close(&b);
}

TEST(what_is_not_allowed_is_a_fault) {
  enum { STORE_BYTE = M8, END = BYTES };
  static const struct {
    enum block_role role;
    enum isa_id id;
    unsigned mods;
    uint32_t side, byte;
    uint8_t fault;
  } cases[] = {
      {ROLE_BLOCK, ISA_LDS, M32, CB_NORTH, END - 4, INST_FAULT_NONE},
      {ROLE_BLOCK, ISA_LDS, M32, CB_WEST, END, INST_FAULT_BOUNDS},
      {ROLE_BLOCK, ISA_LDS, M32 | MV4, CB_WEST, END - 16, INST_FAULT_NONE},
      {ROLE_BLOCK, ISA_LDS, M32 | MV4, CB_WEST, END - 8, INST_FAULT_ALIGN},
      {ROLE_BLOCK, ISA_LDS, M32, CB_WEST, 2, INST_FAULT_ALIGN},
      {ROLE_BLOCK, ISA_LDS, M32, CB_SIDES, 0, INST_FAULT_BOUNDS},
      {ROLE_BLOCK, ISA_LDS, M32, CB_SOUTH, 0, INST_FAULT_SIDE},
      {ROLE_BLOCK, ISA_LDS, M32, CB_EAST, 0, INST_FAULT_SIDE},
      {ROLE_BLOCK, ISA_LDS, M32, CB_OWN, 0, INST_FAULT_SIDE},
      {ROLE_BLOCK, ISA_STS, M32, CB_NORTH, 0, INST_FAULT_SIDE},
      {ROLE_BLOCK, ISA_STS, M32, CB_WEST, 0, INST_FAULT_SIDE},
      {ROLE_BLOCK, ISA_STS, M32, CB_OWN, 0, INST_FAULT_SIDE},
      {ROLE_BLOCK, ISA_STS, M32, CB_EAST, 0, INST_FAULT_NONE},
      {ROLE_BLOCK, ISA_STS, STORE_BYTE, CB_EAST, 0, INST_FAULT_BUFFER},
      {ROLE_BLOCK, ISA_AADD, ASHARED, CB_WEST, 0, INST_FAULT_BUFFER},
      {ROLE_LOAD, ISA_STS, M32, CB_OWN, 0, INST_FAULT_NONE},
      {ROLE_LOAD, ISA_LDS, M32, CB_OWN, 0, INST_FAULT_SIDE},
      {ROLE_LOAD, ISA_STS, M32, CB_SOUTH, 0, INST_FAULT_SIDE},
      {ROLE_STORE, ISA_LDS, M32, CB_OWN, 0, INST_FAULT_NONE},
      {ROLE_STORE, ISA_STS, M32, CB_OWN, 0, INST_FAULT_SIDE},
      {ROLE_STORE, ISA_LDS, M32, CB_WEST, 0, INST_FAULT_SIDE},
      {ROLE_NONE, ISA_LDS, M32, CB_WEST, 0, INST_FAULT_SIDE},
  };
  for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    struct bench b;
    struct isa_uop u;
    struct sm_inst i;
    open_with(&b, cases[k].role);
    bench_uop(&u, cases[k].id, cases[k].mods, 0);
    bench_inst(&i, &u, 0);
    bench_address(&i, side_at(cases[k].side) + cases[k].byte, 0);
    i.exec = 1U << 9;
    run(&b, &i);
    const struct mem_fault *f = gpu_mem_fault(b.m);
    assert_int_equal(f->kind, cases[k].fault);
    assert_int_equal(outside.passes, cases[k].fault == INST_FAULT_NONE);
    if (f->kind != INST_FAULT_NONE) {
      assert_true(f->lane == 9 && f->space == ISA_SPACE_SHARED);
      assert_int_equal(f->address, side_at(cases[k].side) + cases[k].byte);
    }
    if (f->kind != INST_FAULT_NONE && cases[k].id == ISA_LDS)
      assert_int_equal(i.d[0][9], 0);
    bench_close(&b);
  }
}

TEST(a_bad_lane_does_not_stop_the_others) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  open_with(&b, ROLE_BLOCK);
  memset(outside.bytes, 0x11, sizeof outside.bytes);
  bench_access(&i, &u, ISA_LDS, M32, 0, side_at(CB_WEST), 4);
  i.a[0][3] = side_at(CB_EAST);
  i.a[0][20] = side_at(CB_WEST) + BYTES;
  run(&b, &i);
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
    assert_int_equal(i.d[0][l], l == 3 || l == 20 ? 0 : 0x11111111);
  assert_int_equal(gpu_mem_fault(b.m)->kind, INST_FAULT_SIDE);
  assert_int_equal(gpu_mem_fault(b.m)->lane, 3);
  bench_close(&b);
}

TEST(windows_need_buffers_and_may_be_all_there_is) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  bench_open(&b, NULL, 1);
  bench_access(&i, &u, ISA_LDS, M32, 0, side_at(CB_WEST), 0);
  bench_run(&b, 0, &i);
  assert_int_equal(gpu_mem_fault(b.m)->kind, INST_FAULT_BOUNDS); /* no SPU */
  bench_close(&b);
  open_with(&b, ROLE_STORE);
  sm_mem_no_shared(gpu_mem_sm(b.m, 0));
  gpu_mem_begin(b.m, &b.grid);
  bench_address(&i, side_at(CB_OWN), 0);
  run(&b, &i);
  assert_int_equal(gpu_mem_fault(b.m)->kind, INST_FAULT_NONE);
  bench_address(&i, 0, 0);
  run(&b, &i);
  assert_int_equal(gpu_mem_fault(b.m)->kind, INST_FAULT_BOUNDS);
  bench_close(&b);
}

/* Arrivals are performed in order, behind the passes before them; the load-store unit goes on. */
TEST(a_bsync_waits_outside_of_the_load_store_unit) {
  struct bench b;
  struct isa_uop store, load, sync;
  struct sm_inst i[6];
  open_with(&b, ROLE_BLOCK);
  struct sm_mem *s = gpu_mem_sm(b.m, 0);
  const struct cb_record *r = sm_mem_record(s);
  bench_uop(&store, ISA_STS, M32, 0);
  bench_uop(&load, ISA_LDS, M32, 0);
  bench_uop(&sync, ISA_BSYNC, 0, ISA_DIR_SOUTH | ISA_DIR_EAST);
  bench_inst(&i[0], &store, 0); /* eight passes */
  bench_address(&i[0], side_at(CB_EAST), 32);
  for (unsigned k = 1; k < 4; k++)
    bench_inst(&i[k], &sync, k + 1); /* warps 2, 3 and 4: slots 0, 1, 0 */
  step(&b, &i[0]);
  step(&b, &i[1]); /* its first pass */
  for (unsigned pass = 0; pass < 8; pass++) {
    assert_int_equal(r->pass.banks, 0x01010101);
    assert_int_equal(r->arrival.dirs, 0);
    step(&b, NULL);
  }
  assert_int_equal(r->arrival.dirs, ISA_DIR_SOUTH | ISA_DIR_EAST);
  assert_int_equal(r->arrival.cta_slot, 0);
  assert_int_equal(r->pass.banks, 0);
  step(&b, &i[2]);
  assert_int_equal(r->arrival.dirs, 0);
  step(&b, &i[3]);
  assert_int_equal(r->arrival.cta_slot, 1);
  assert_true(r->arrival.dirs != 0);
  step(&b, NULL);
  assert_int_equal(r->arrival.cta_slot, 0);
  assert_false(sm_mem_waits(s, b.cycle)); /* the record is to be taken back */
  for (unsigned n = 0; n < 60; n++) {
    const struct sm_inst *done = step(&b, NULL);
    assert_true(done == NULL || done == &i[0]);
  }
  assert_true(sm_mem_waits(s, b.cycle) && !sm_mem_idle(s));
  bench_inst(&i[4], &load, 1); /* an access of another warp */
  bench_address(&i[4], side_at(CB_WEST), 4);
  assert_int_equal(run(&b, &i[4]), LATENCY);
  assert_true(sm_mem_waits(s, b.cycle));
  sm_mem_block_ack(s, b.cycle, 0);
  assert_null(step(&b, NULL));
  assert_false(sm_mem_waits(s, b.cycle));
  assert_ptr_equal(step(&b, NULL), &i[1]);
  assert_ptr_equal(step(&b, NULL), &i[3]); /* one a cycle, by arrival */
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
    assert_int_equal(i[1].d[0][l] | i[3].d[0][l], 0);
  assert_true(sm_mem_waits(s, b.cycle) && !sm_mem_idle(s)); /* slot 1 */
  sm_mem_block_ack(s, b.cycle, 1);
  assert_null(step(&b, NULL));
  assert_ptr_equal(step(&b, NULL), &i[2]);
  assert_true(sm_mem_idle(s));
  assert_int_equal(bench_stats(&b).block_syncs, 3);
  bench_close(&b);
}

/* Cycles from a store of 32 words to the arrival of a bsync behind it. */
static unsigned arrival_behind_store(unsigned dirs, bool acknowledged) {
  struct bench b;
  struct isa_uop store, sync;
  struct sm_inst i[2];
  uint64_t loaded, stored;
  open_with(&b, ROLE_STORE);
  struct sm_mem *s = gpu_mem_sm(b.m, 0);
  if (acknowledged)
    sm_mem_acknowledged(s);
  bench_uop(&store, ISA_STG, M32, 0);
  bench_uop(&sync, ISA_BSYNC, 0, dirs);
  bench_inst(&i[0], &store, 3);
  bench_address(&i[0], bench_alloc(&b, 128), 4);
  bench_inst(&i[1], &sync, 3);
  step(&b, &i[0]);
  step(&b, &i[1]);
  unsigned n = 2;
  while (sm_mem_record(s)->arrival.dirs == 0 && n < MOST) {
    assert_false(sm_mem_idle(s));
    assert_false(n > 3 && sm_mem_waits(s, b.cycle)); /* the load-store unit is not stalled */
    step(&b, NULL);
    n++;
  }
  assert_int_equal(sm_mem_record(s)->arrival.dirs, dirs);
  sm_mem_words(s, 1, &loaded, &stored);
  assert_int_equal(loaded, 0);
  assert_int_equal(stored, 32);
  sm_mem_block_ack(s, b.cycle - 1, 1);
  bench_drain(&b);
  bench_close(&b);
  return n;
}

/* A tile is spilled when memory has it; other synchronisations do not wait, nor do SMs whose writes
 * are not acknowledged. */
TEST(a_spill_waits_for_its_writes) {
  const unsigned behind = arrival_behind_store(ISA_DIR_SPILL, false);
  assert_true(behind < 6);
  assert_int_equal(arrival_behind_store(ISA_DIR_OWN, true), behind);
  assert_true(arrival_behind_store(ISA_DIR_SPILL, true) > 50);
  assert_int_equal(arrival_behind_store(ISA_DIR_OWN, false), behind);
}

TEST(bad_buffers_are_refused) {
  static const struct {
    uint32_t bytes, latency;
    const char *text;
  } cases[] = {{512, 28, "512"},
               {65536, 28, "65536"},
               {3072, 28, "3072"},
               {4096, 3, "not 3"},
               {4096, 1001, "not 1001"}};
  struct bench b;
  bench_open(&b, NULL, 1);
  for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    struct tandem_error err = {""};
    assert_true(sm_mem_cb(gpu_mem_sm(b.m, 0), cases[k].bytes, cases[k].latency, &err) < 0);
    assert_non_null(strstr(err.text, cases[k].text));
  }
  assert_int_equal(sm_mem_cb(gpu_mem_sm(b.m, 0), 32768, 1000, NULL), 0);
  bench_close(&b);
}

int main(int argc, char **argv) {
  rng = rng_from_arguments(argc, argv);
  return test_run(NULL, NULL);
}
