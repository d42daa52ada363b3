/* Instructions of wide warps: 64 lanes in two halves, one load-store unit. */
#include "tests/mem/bench.h"

enum { WIDE = 2 * ISA_WARP_SIZE };

/* A wide instruction of warp 3; the upper half's registers are those of SM 1. */
struct wide {
  struct isa_uop uop;
  struct sm_inst half[2];
};

/* Two SMs; SM 0 has the load-store unit. */
static void open(struct bench *b, bool joint) {
  bench_open(b, NULL, 2);
  const struct sm_mem_shape shape = {
      .shared_bytes = b->config.shared_bytes, .shared_own = b->config.shared_bytes, .joint = joint};
  assert_int_equal(sm_mem_set_shape(gpu_mem_sm(b->m, 0), &shape, NULL), 0);
  gpu_mem_begin(b->m, &b->grid);
  sm_mem_cta(gpu_mem_sm(b->m, 0), 0);
  sm_mem_cta(gpu_mem_sm(b->m, 0), 1);
}

static void wide_of(struct wide *w, enum isa_id id, unsigned mods) {
  bench_uop(&w->uop, id, mods, 0);
  for (unsigned h = 0; h < 2; h++) {
    bench_inst(&w->half[h], &w->uop, 3);
    w->half[h].sm = (uint8_t)h;
  }
  w->half[0].mem.other = &w->half[1];
  w->half[1].mem.upper = true;
}

/* Address of lane l: first + l * stride. */
static void addresses(struct wide *w, uint32_t first, uint32_t stride) {
  bench_address(&w->half[0], first, stride);
  bench_address(&w->half[1], first + ISA_WARP_SIZE * stride, stride);
}

static uint32_t *result(struct wide *w, unsigned lane) {
  return &w->half[lane / ISA_WARP_SIZE].d[0][lane % ISA_WARP_SIZE];
}

/* Segments of an access, in their order. */
static unsigned segments(enum isa_id id, unsigned mods, bool joint, uint32_t first, uint32_t stride,
                         uint64_t lanes, uint32_t *segment) {
  struct bench b;
  struct wide w;
  open(&b, joint);
  const uint32_t data = bench_alloc(&b, 65536);
  wide_of(&w, id, mods);
  addresses(&w, data + first, stride);
  w.half[0].exec = (uint32_t)lanes;
  w.half[1].exec = (uint32_t)(lanes >> 32);
  (void)bench_run(&b, 0, &w.half[0]);
  const struct sm_mem *s = gpu_mem_sm(b.m, 0);
  const unsigned n = s->count;
  assert_int_equal(bench_stats(&b).transactions, n);
  for (unsigned i = 0; i < n; i++)
    segment[i] = s->list[i].segment - data;
  bench_drain(&b);
  bench_close(&b);
  return n;
}

/* Both halves together, or one after the other: the segments of the lanes in their order. */
TEST(segments_of_64_lanes) {
  static const struct {
    enum isa_id id;
    unsigned mods;
    uint32_t first, stride;
    uint64_t lanes;
    unsigned joint, apart;
  } cases[] = {
      {ISA_LDG, M32, 0, 4, UINT64_MAX, 2, 2},
      {ISA_LDG, M32, 64, 4, UINT64_MAX, 3, 4},
      {ISA_LDG, M16, 0, 2, UINT64_MAX, 1, 2},
      {ISA_LDG, M8, 0, 1, UINT64_MAX, 1, 2},
      {ISA_LDG, M32, 0, 0, UINT64_MAX, 1, 2},
      {ISA_LDG, M32, 0, 128, UINT64_MAX, 64, 64},
      {ISA_LDG, M32, 0, 0, UINT32_MAX, 1, 1},
      {ISA_LDG, M32, 0, 0, UINT64_C(1) << 63, 1, 1},
      {ISA_STG, M16, 0, 2, UINT64_MAX, 1, 2},
      {ISA_AADD, 0, 0, 0, UINT64_MAX, 1, 2},
      {ISA_LDG, M64, 0, 0, UINT64_MAX, 4, 4},
      {ISA_LDG, M32 | MV4, 0, 0, UINT64_MAX, 8, 8},
      {ISA_STG, M64, 0, 8, UINT64_MAX, 4, 4},
      {ISA_LDG, M32, 0, 4, UINT64_C(0x8000000080000000), 2, 2},
      {ISA_LDG, M32, 64, 4, 0xffff0000, 1, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (unsigned joint = 0; joint < 2; joint++) {
      uint32_t segment[MEM_TRANSACTIONS], last = 0;
      const unsigned n = segments(cases[i].id, cases[i].mods, joint, cases[i].first,
                                  cases[i].stride, cases[i].lanes, segment);
      assert_int_equal(n, joint ? cases[i].joint : cases[i].apart);
      for (unsigned k = 0; k < n; k++, last = segment[k - 1])
        assert_true(segment[k] >= last); /* rising addresses of rising lanes */
    }
}

/* A segment stands where its lowest lane does, also when both halves come back to it. */
TEST(segments_go_by_their_lowest_lane) {
  struct bench b;
  struct wide w;
  open(&b, true);
  const uint32_t data = bench_alloc(&b, 4096);
  wide_of(&w, ISA_LDG, M32);
  for (unsigned l = 0; l < WIDE; l++) /* the upper half visits the segments backwards */
    w.half[l / 32].a[0][l % 32] = data + 128 * (l < 32 ? l / 8 : 7 - l / 8 % 8) + 4 * (l % 8);
  (void)bench_run(&b, 0, &w.half[0]);
  const struct sm_mem *s = gpu_mem_sm(b.m, 0);
  assert_int_equal(s->count, 4);
  for (unsigned i = 0; i < 4; i++)
    assert_int_equal(s->list[i].segment, data + 128 * i);
  bench_close(&b);
}

/* The addresses of the upper half take a cycle, if both halves have some. */
TEST(upper_addresses_take_a_cycle) {
  for (unsigned joint = 0; joint < 2; joint++) {
    struct bench b;
    struct wide w;
    open(&b, joint);
    const uint32_t data = bench_alloc(&b, 4096);
    static const uint64_t lanes[] = {UINT64_MAX, 0xffffffff, UINT64_C(0xffffffff) << 32};
    for (unsigned turn = 0; turn < 2; turn++)
      for (unsigned i = 0; i < 3; i++) {
        wide_of(&w, ISA_LDG, M32);
        addresses(&w, data, 0);
        w.half[0].exec = (uint32_t)lanes[i];
        w.half[1].exec = (uint32_t)(lanes[i] >> 32);
        const unsigned cycles = bench_run(&b, 0, &w.half[0]);
        if (turn == 1) /* one more transaction, or one more cycle of addresses */
          assert_int_equal(cycles, 35 + (i == 0));
      }
    assert_int_equal(bench_stats(&b).global_loads, 6);
    assert_int_equal(bench_stats(&b).load_latency_count, 6);
    assert_int_equal(bench_stats(&b).global_words_loaded, 2 * (64 + 32 + 32));
    bench_close(&b);
  }
}

/* Values: loads and stores of all lanes; of two stores to a word the highest lane's stays. */
TEST(values_of_all_lanes) {
  for (unsigned joint = 0; joint < 2; joint++) {
    struct bench b;
    struct wide w;
    open(&b, joint);
    const uint32_t data = bench_alloc(&b, 4096);
    wide_of(&w, ISA_STG, M32);
    addresses(&w, data, 4);
    for (unsigned l = 0; l < WIDE; l++)
      w.half[l / 32].b[0][l % 32] = 500 + l;
    assert_int_equal(bench_run(&b, 0, &w.half[0]), 3 + (joint ? 1 : 0));
    for (unsigned l = 0; l < WIDE; l++)
      assert_int_equal(bench_read32(&b, data + 4 * l), 500 + l);
    wide_of(&w, ISA_LDG, M32);
    addresses(&w, data, 4);
    (void)bench_run(&b, 0, &w.half[0]);
    for (unsigned l = 0; l < WIDE; l++)
      assert_int_equal(*result(&w, l), 500 + l);
    wide_of(&w, ISA_STG, M32);
    addresses(&w, data, 0);
    for (unsigned l = 0; l < WIDE; l++)
      w.half[l / 32].b[0][l % 32] = 700 + l;
    (void)bench_run(&b, 0, &w.half[0]);
    assert_int_equal(bench_read32(&b, data), 763);
    w.half[1].exec = 0;
    (void)bench_run(&b, 0, &w.half[0]);
    assert_int_equal(bench_read32(&b, data), 731);
    assert_int_equal(bench_stats(&b).global_stores, 3);
    bench_close(&b);
  }
}

/* Atomics of one address go up the lanes 0 to 63, in global and in shared memory. */
TEST(atomics_go_up_the_lanes) {
  for (unsigned shared = 0; shared < 2; shared++) {
    struct bench b;
    struct wide w;
    open(&b, true);
    const uint32_t data = shared ? 64 : bench_alloc(&b, 256);
    if (shared) {
      wide_of(&w, ISA_STS, M32);
      addresses(&w, data, 0);
      for (unsigned l = 0; l < WIDE; l++)
        w.half[l / 32].b[0][l % 32] = 0;
      (void)bench_run(&b, 0, &w.half[0]);
    }
    for (unsigned turn = 0; turn < 2; turn++) {
      wide_of(&w, ISA_AADD, shared ? ASHARED : 0);
      addresses(&w, data, 0);
      for (unsigned l = 0; l < WIDE; l++)
        w.half[l / 32].b[0][l % 32] = 1;
      const unsigned cycles = bench_run(&b, 0, &w.half[0]);
      for (unsigned l = 0; l < WIDE; l++)
        assert_int_equal(*result(&w, l), 64 * turn + l);
      if (shared)
        assert_int_equal(cycles, b.config.shared_latency + 63);
      else
        assert_int_equal(gpu_mem_sm(b.m, 0)->list[0].cost, 64);
    }
    assert_int_equal(shared ? bench_stats(&b).shared_accesses : bench_stats(&b).atomics,
                     2 + shared);
    bench_close(&b);
  }
}

/* Shared memory takes a request of each half: two passes; both halves are in one CTA's memory. */
TEST(shared_memory_takes_two_requests) {
  struct bench b;
  struct wide w;
  open(&b, true);
  wide_of(&w, ISA_STS, M32);
  addresses(&w, 0, 4);
  for (unsigned l = 0; l < WIDE; l++)
    w.half[l / 32].b[0][l % 32] = 40 + l;
  assert_int_equal(bench_run(&b, 0, &w.half[0]), b.config.shared_latency + 1);
  wide_of(&w, ISA_LDS, M32);
  for (unsigned l = 0; l < WIDE; l++) /* each half reads what the other one wrote */
    w.half[l / 32].a[0][l % 32] = 4 * (WIDE - 1 - l);
  assert_int_equal(bench_run(&b, 0, &w.half[0]), b.config.shared_latency + 1);
  for (unsigned l = 0; l < WIDE; l++)
    assert_int_equal(*result(&w, l), 40 + WIDE - 1 - l);
  w.half[0].exec = 0;
  assert_int_equal(bench_run(&b, 0, &w.half[0]), b.config.shared_latency);
  assert_int_equal(bench_stats(&b).shared_conflict_cycles, 0);
  bench_close(&b);
}

/* Local memory of a half is that of its own SM and warp; its segments go through SM 0. */
TEST(local_memory_is_that_of_the_half) {
  struct bench b;
  struct wide w;
  struct isa_uop load;
  struct sm_inst alone;
  open(&b, true);
  wide_of(&w, ISA_STL, M32);
  addresses(&w, 8, 0);
  for (unsigned l = 0; l < WIDE; l++)
    w.half[l / 32].b[0][l % 32] = 900 + l;
  (void)bench_run(&b, 0, &w.half[0]);
  assert_int_equal(gpu_mem_sm(b.m, 0)->count, 2);
  assert_int_not_equal(gpu_mem_sm(b.m, 0)->list[0].segment, gpu_mem_sm(b.m, 0)->list[1].segment);
  assert_int_equal(bench_stats(&b).local_accesses, 1);
  bench_uop(&load, ISA_LDL, M32, 0);
  for (unsigned sm = 0; sm < 2; sm++) {
    bench_inst(&alone, &load, 3);
    bench_address(&alone, 8, 0);
    (void)bench_run(&b, sm, &alone);
    for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
      assert_int_equal(alone.d[0][l], 900 + 32 * sm + l);
  }
  bench_drain(&b);
  bench_close(&b);
}

/* Four local words of all lanes are the most transactions of an instruction. */
TEST(the_most_transactions) {
  struct bench b;
  struct wide w;
  open(&b, true);
  b.kernel.local_bytes = 32 * 16;
  gpu_mem_begin(b.m, &b.grid);
  wide_of(&w, ISA_LDL, M32 | MV4);
  for (unsigned l = 0; l < WIDE; l++)
    w.half[l / 32].a[0][l % 32] = l % 32 * 16;
  (void)bench_run(&b, 0, &w.half[0]);
  assert_int_equal(gpu_mem_sm(b.m, 0)->count, 256);
  bench_drain(&b);
  bench_close(&b);
}

/* Constants and parameters: one lookup for each address that any lane has. */
TEST(constants_of_both_halves) {
  struct bench b;
  struct wide w;
  open(&b, true);
  wide_of(&w, ISA_LDP, M32);
  addresses(&w, 0, 0);
  for (unsigned h = 0; h < 2; h++)
    w.half[h].a[0][7] = 8;
  w.half[1].a[0][9] = 16;
  (void)bench_run(&b, 0, &w.half[0]);
  assert_int_equal(gpu_mem_sm(b.m, 0)->count, 3);
  assert_int_equal(bench_stats(&b).const_accesses, 1);
  assert_int_equal(*result(&w, 0), b.params[0]);
  assert_int_equal(*result(&w, 39), b.params[2]);
  assert_int_equal(*result(&w, 41), b.params[4]);
  bench_close(&b);
}

/* Faults name the lane of the wide warp, the lowest first; other lanes proceed. */
TEST(faults_of_both_halves) {
  for (unsigned lower = 0; lower < 2; lower++) {
    struct bench b;
    struct wide w;
    open(&b, true);
    const uint32_t data = bench_alloc(&b, 4096);
    wide_of(&w, ISA_LDG, M32);
    addresses(&w, data, 4);
    w.half[1].a[0][5] = 2;
    w.half[1].a[0][9] = 2;
    if (lower)
      w.half[0].a[0][30] = 2;
    (void)bench_run(&b, 0, &w.half[0]);
    const struct mem_fault *f = gpu_mem_fault(b.m);
    assert_int_equal(f->kind, INST_FAULT_ALIGN);
    assert_int_equal(f->lane, lower ? 30 : 37);
    assert_int_equal(f->sm, 0);
    assert_int_equal(f->address, 2);
    assert_int_equal(*result(&w, 37), 0);
    assert_int_not_equal(*result(&w, 38), 0xeeeeeeee);
    bench_close(&b);
  }
}

int main(void) { return test_run(NULL, NULL); }
