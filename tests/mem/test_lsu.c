/* Loads, stores and atomics in memory: sizes, vectors, spaces, order of lanes, faults. */
#include "tests/mem/bench.h"

static struct rng rng;

enum { GLOBAL_BYTES = 1000, SHARED_BYTES = 1024, LOCAL_BYTES = 64, WARPS = 4 };

/* The same memory as plain bytes. */
struct model {
  uint8_t global[GLOBAL_BYTES], shared[2][SHARED_BYTES], local[WARPS][ISA_WARP_SIZE][LOCAL_BYTES];
};

static uint8_t *model_byte(struct model *m, enum isa_space space, unsigned warp, unsigned lane,
                           uint32_t at) {
  if (space == ISA_SPACE_GLOBAL)
    return &m->global[at];
  return space == ISA_SPACE_SHARED ? &m->shared[warp & 1][at] : &m->local[warp][lane][at];
}

static uint32_t space_bytes(enum isa_space space) {
  return space == ISA_SPACE_GLOBAL   ? GLOBAL_BYTES
         : space == ISA_SPACE_SHARED ? SHARED_BYTES
                                     : LOCAL_BYTES;
}

/* A random access of the instruction, in one space or (generic) in all. */
struct access {
  enum isa_space space[ISA_WARP_SIZE];
  uint32_t at[ISA_WARP_SIZE]; /* within the space */
  unsigned size, elems;
  bool store, sign;
};

static void random_access(struct access *a, struct sm_inst *inst, struct isa_uop *uop,
                          uint32_t global) {
  static const enum isa_id loads[] = {ISA_LDG, ISA_LDS, ISA_LDL, ISA_LDC, ISA_LDGEN};
  static const enum isa_id stores[] = {ISA_STG, ISA_STS, ISA_STL, ISA_STG, ISA_STGEN};
  unsigned kind = rng_below(&rng, 5);
  unsigned size = rng_below(&rng, 4);
  unsigned vector = rng_below(&rng, size == 3 ? 2 : 3);
  a->store = rng_below(&rng, 2) != 0;
  a->sign = rng_below(&rng, 2) != 0;
  a->size = 1U << size;
  a->elems = 1U << vector;
  unsigned imm = rng_below(&rng, 2) != 0 ? rng_below(&rng, 65536) : 0;
  bool wide = rng_below(&rng, 2) != 0;
  bench_uop(uop, a->store ? stores[kind] : loads[kind],
            size | (a->sign ? MSIGNED : 0U) | vector << 3 | (wide ? MA64 : 0U), imm);
  bench_inst(inst, uop, rng_below(&rng, WARPS));
  inst->exec = rng_below(&rng, 4) == 0 ? UINT32_MAX : (uint32_t)rng_next(&rng);
  unsigned bytes = a->size * a->elems;
  uint32_t range = 1 + rng_below(&rng, 300);
  bool stride = rng_below(&rng, 3) == 0;
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++) {
    static const enum isa_space of[] = {ISA_SPACE_GLOBAL, ISA_SPACE_SHARED, ISA_SPACE_LOCAL};
    a->space[l] = kind == 4 ? of[rng_below(&rng, 3)] : of[kind % 3];
    uint32_t places = space_bytes(a->space[l]) / bytes;
    uint32_t place = rng_below(&rng, places < range ? places : range);
    a->at[l] = (stride ? l % places : place) * bytes;
    uint32_t window = 0;
    if (a->space[l] == ISA_SPACE_GLOBAL)
      window = global;
    else if (kind == 4)
      window = a->space[l] == ISA_SPACE_SHARED ? ISA_SHARED_WINDOW : ISA_LOCAL_WINDOW;
    inst->a[0][l] = window + a->at[l] - uop->imm32;
    for (unsigned k = 0; k < 4; k++)
      inst->b[k][l] = (uint32_t)rng_next(&rng);
  }
}

/* Lane after lane, byte after byte. */
static void model_store(struct model *m, const struct access *a, const struct sm_inst *inst) {
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
    for (unsigned i = 0; i < a->size * a->elems; i++) {
      unsigned element = i / a->size;
      unsigned byte = i % a->size;
      unsigned plane = a->size == 8 ? 2 * element + byte / 4 : element;
      if ((inst->exec >> l & 1) != 0)
        *model_byte(m, a->space[l], inst->warp, l, a->at[l] + i) =
            (uint8_t)(inst->b[plane][l] >> byte % 4 * 8);
    }
}

static void check_load(struct model *m, const struct access *a, const struct sm_inst *inst) {
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
    for (unsigned e = 0; e < a->elems; e++) {
      uint64_t value = 0;
      for (unsigned i = 0; i < a->size; i++)
        value |= (uint64_t)*model_byte(m, a->space[l], inst->warp, l, a->at[l] + e * a->size + i)
                 << 8 * i;
      if (a->sign && a->size < 4 && (value >> (8 * a->size - 1) & 1) != 0)
        value |= UINT64_MAX << 8 * a->size;
      if ((inst->exec >> l & 1) == 0)
        continue;
      assert_int_equal(inst->d[a->size == 8 ? 2 * e : e][l], (uint32_t)value);
      if (a->size == 8)
        assert_int_equal(inst->d[2 * e + 1][l], (uint32_t)(value >> 32));
    }
}

TEST(every_access_does_what_bytes_do) {
  struct bench b;
  static struct model m;
  bench_open(&b, NULL, 1);
  uint32_t global = bench_alloc(&b, GLOBAL_BYTES);
  memset(&m, 0, sizeof m);
  memset(m.shared, 0xa5, sizeof m.shared);
  for (unsigned n = 0; n < 4000; n++) {
    struct isa_uop u;
    struct sm_inst i;
    struct access a;
    random_access(&a, &i, &u, global);
    bench_run(&b, 0, &i);
    assert_int_equal(gpu_mem_fault(b.m)->kind, INST_FAULT_NONE);
    for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
      if ((i.exec >> l & 1) != 0)
        assert_int_equal(i.addr[l], i.a[0][l] + u.imm32);
    if (a.store)
      model_store(&m, &a, &i);
    else
      check_load(&m, &a, &i);
  }
  uint8_t global_now[GLOBAL_BYTES];
  assert_int_equal(gpu_mem_read(b.m, global, global_now, GLOBAL_BYTES, NULL), 0);
  assert_memory_equal(global_now, m.global, GLOBAL_BYTES);
  bench_close(&b);
}

TEST(lanes_update_one_address_in_ascending_order) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  bench_open(&b, NULL, 1);
  uint32_t a = bench_alloc(&b, 64);
  for (unsigned shared = 0; shared < 2; shared++) {
    bench_access(&i, &u, ISA_AEXCH, shared, 0, shared != 0 ? 16 : a + 16, 0);
    for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
      i.b[0][l] = 100 + l;
    i.exec = 0xfffffff0U;
    bench_run(&b, 0, &i);
    assert_int_equal(i.d[0][4], shared != 0 ? 0xa5a5a5a5U : 0);
    for (unsigned l = 5; l < ISA_WARP_SIZE; l++)
      assert_int_equal(i.d[0][l], 100 + l - 1);
  }
  assert_int_equal(bench_read32(&b, a + 16), 131);
  bench_access(&i, &u, ISA_STG, M32, 0, a, 0);
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
    i.b[0][l] = l;
  i.exec = 0x00ffffffU;
  bench_run(&b, 0, &i);
  assert_int_equal(bench_read32(&b, a), 23); /* the highest lane wins */
  bench_close(&b);
}

/* Moves the pair of registers of lane 9 in planes 0 and 1, or a register in plane 0. */
static void put(uint32_t (*planes)[ISA_WARP_SIZE], uint64_t value) {
  planes[0][9] = (uint32_t)value;
  planes[1][9] = (uint32_t)(value >> 32);
}
static uint64_t got(const struct sm_inst *i, bool wide) {
  return i->d[0][9] | (wide ? (uint64_t)i->d[1][9] << 32 : 0);
}

TEST(every_atomic_works_in_both_spaces) {
#define TOP (UINT64_C(1) << 63)
#define LOW (UINT64_C(1) << 32)
  static const struct {
    enum isa_id id;
    unsigned mods;
    uint64_t old, b, c, now;
  } cases[] = {
      {ISA_AADD, 0, 0xffffffff, 3, 0, 2},
      {ISA_AEXCH, 0, 5, 6, 0, 6},
      {ISA_ACAS, 0, 5, 5, 9, 9},
      {ISA_ACAS, 0, 5, 6, 9, 5},
      {ISA_AMIN, 0, 5, 0xffffffff, 0, 5},
      {ISA_AMIN, ASIGNED, 5, 0xffffffff, 0, 0xffffffff},
      {ISA_AMAX, 0, 5, 0xffffffff, 0, 0xffffffff},
      {ISA_AMAX, ASIGNED, 5, 0xffffffff, 0, 5},
      {ISA_AAND, 0, 0xff, 0x1f0, 0, 0xf0},
      {ISA_AOR, 0, 0xff, 0x100, 0, 0x1ff},
      {ISA_AXOR, 0, 0xff, 0x1f0, 0, 0x10f},
      {ISA_AINC, 0, 7, 7, 0, 0},
      {ISA_AINC, 0, 6, 7, 0, 7},
      {ISA_ADEC, 0, 0, 7, 0, 7},
      {ISA_ADEC, 0, 6, 7, 0, 5},
      {ISA_AFADD, 0, 0x3f800000, 0x40000000, 0, 0x40400000},
      {ISA_AADD, A64, UINT32_MAX, 3, 0, LOW + 2},
      {ISA_AEXCH, A64, 5, TOP | 6, 0, TOP | 6},
      {ISA_ACAS, A64, TOP | 5, TOP | 5, LOW, LOW},
      {ISA_ACAS, A64, TOP | 5, 5, LOW, TOP | 5},
      {ISA_ACAS, A64, TOP | 5, TOP | 4, LOW, TOP | 5},
      {ISA_AMIN, A64, TOP, LOW, 0, LOW},
      {ISA_AMIN, A64 | ASIGNED, TOP, LOW, 0, TOP},
      {ISA_AMAX, A64, TOP, LOW, 0, TOP},
      {ISA_AMAX, A64 | ASIGNED, TOP, LOW, 0, LOW},
      {ISA_AAND, A64, TOP | 0xff, TOP | LOW | 0x1f0, 0, TOP | 0xf0},
      {ISA_AOR, A64, TOP | 1, LOW, 0, TOP | LOW | 1},
      {ISA_AXOR, A64, TOP | LOW, TOP | 1, 0, LOW | 1},
  };
#undef TOP
#undef LOW
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  bench_open(&b, NULL, 1);
  uint32_t a = bench_alloc(&b, 256);
  for (unsigned n = 0; n < 4 * sizeof cases / sizeof cases[0]; n++) {
    unsigned k = n / 4;
    bool shared = (n & 1) != 0;
    bool noret = (n & 2) != 0;
    bool wide = (cases[k].mods & A64) != 0;
    uint32_t at = shared ? 8 : a + 8;
    bench_uop(&u, shared ? ISA_STS : ISA_STG, wide ? M64 : M32, 0);
    bench_inst(&i, &u, 1);
    i.exec = 1U << 9;
    bench_address(&i, at, 0);
    put(i.b, cases[k].old);
    bench_run(&b, 0, &i);
    bench_uop(&u, cases[k].id, cases[k].mods | (shared ? ASHARED : 0U) | (noret ? ANORET : 0U), 4);
    bench_inst(&i, &u, 1);
    i.exec = 1U << 9;
    bench_address(&i, at - 4, 0);
    put(i.b, cases[k].b);
    put(i.c, cases[k].c);
    bench_run(&b, 0, &i);
    if (!noret)
      assert_int_equal(got(&i, wide), cases[k].old);
    bench_uop(&u, shared ? ISA_LDS : ISA_LDG, wide ? M64 : M32, 0);
    bench_inst(&i, &u, 1);
    i.exec = 1U << 9;
    bench_address(&i, at, 0);
    bench_run(&b, 0, &i);
    assert_int_equal(got(&i, wide), cases[k].now);
  }
  bench_close(&b);
}

TEST(parameters_and_absolute_addresses) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  bench_open(&b, NULL, 1);
  bench_uop(&u, ISA_LDP, M32 | MV2 | MABS, 16);
  bench_inst(&i, &u, 0);
  bench_address(&i, 0x55555555, 77); /* not looked at */
  bench_run(&b, 0, &i);
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++) {
    assert_int_equal(i.addr[l], 16);
    assert_int_equal(i.d[0][l], b.params[4]);
    assert_int_equal(i.d[1][l], b.params[5]);
  }
  bench_access(&i, &u, ISA_LDP, M8, 3, 0, 4);
  bench_run(&b, 0, &i);
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
    assert_int_equal(i.d[0][l], 0xca);
  /* An absolute address has no sign. */
  uint32_t a = bench_alloc(&b, 65536);
  bench_write32(&b, 0xc000, 1234);
  assert_true(a < 0xc000);
  bench_uop(&u, ISA_LDG, M32 | MABS, 0xc000);
  bench_inst(&i, &u, 0);
  bench_run(&b, 0, &i);
  assert_int_equal(i.d[0][31], 1234);
  assert_int_equal(gpu_mem_fault(b.m)->kind, INST_FAULT_NONE);
  bench_close(&b);
}

/* One bad lane among good ones: reported exactly, reads 0, writes nothing. */
static void check_fault(enum isa_id id, unsigned mods, uint32_t good, uint32_t bad, uint32_t upper,
                        unsigned kind, enum isa_space space, unsigned bytes) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  bench_open(&b, NULL, 2);
  bench_alloc(&b, 1001);
  bench_uop(&u, id, mods, 0);
  bench_inst(&i, &u, 5);
  bench_address(&i, good, 0);
  i.a[0][17] = bad;
  i.a[1][17] = upper;
  i.a[0][19] = bad;
  i.a[1][19] = upper;
  i.pc = 77;
  i.b[0][17] = i.b[0][19] = 0xffffffff;
  bench_run(&b, 1, &i);
  const struct mem_fault *f = gpu_mem_fault(b.m);
  assert_int_equal(f->kind, kind);
  if (kind != INST_FAULT_NONE) {
    assert_int_equal(f->sm, 1);
    assert_int_equal(f->warp, 5);
    assert_int_equal(f->lane, 17);
    assert_int_equal(f->space, space);
    assert_int_equal(f->pc, 77);
    assert_int_equal(f->address, bad);
    assert_int_equal(f->bytes, bytes);
    assert_int_equal(f->cycle, 1);
    assert_int_equal(f->store, lsu_is_store(&u));
    if (!f->store)
      assert_int_equal(i.d[0][17], 0);
    if (f->store && upper == 0)
      for (unsigned k = 0; k < bytes; k++)
        assert_int_equal(b.m->store.base[(uint64_t)bad + k], 0);
  }
  bench_close(&b);
}

TEST(bad_accesses_are_reported) {
  const enum isa_space G = ISA_SPACE_GLOBAL, S = ISA_SPACE_SHARED, L = ISA_SPACE_LOCAL;
  /* The bench's third allocation: after 256 bytes of parameters and 512 of code. */
  struct bench b;
  bench_open(&b, NULL, 1);
  uint32_t a = bench_alloc(&b, 1001);
  bench_close(&b);
  check_fault(ISA_LDG, M32, a, a + 996, 0, INST_FAULT_NONE, G, 4);
  check_fault(ISA_LDG, M32, a, a + 1000, 0, INST_FAULT_BOUNDS, G, 4);
  check_fault(ISA_LDG, M8, a, a + 1000, 0, INST_FAULT_NONE, G, 1);
  check_fault(ISA_LDG, M8, a, a + 1001, 0, INST_FAULT_BOUNDS, G, 1);
  check_fault(ISA_LDG, M8, a, a - 1, 0, INST_FAULT_BOUNDS, G, 1);
  check_fault(ISA_LDG, M16, a, a + 999, 0, INST_FAULT_ALIGN, G, 2);
  check_fault(ISA_LDG, M32 | MV4, a, a + 984, 0, INST_FAULT_ALIGN, G, 16);
  check_fault(ISA_LDG, M64 | MV2, a, a + 992, 0, INST_FAULT_BOUNDS, G, 16);
  check_fault(ISA_LDG, M64, a, a + 992, 0, INST_FAULT_NONE, G, 8);
  check_fault(ISA_LDG, M8 | MV4, a, a + 998, 0, INST_FAULT_ALIGN, G, 4);
  check_fault(ISA_LDG, M32 | MA64, a, a, 1, INST_FAULT_UPPER, G, 4);
  check_fault(ISA_LDG, M32, a, a, 1, INST_FAULT_NONE, G, 4);
  check_fault(ISA_LDC, M32, a, a + 1000, 0, INST_FAULT_BOUNDS, ISA_SPACE_CONST, 4);
  check_fault(ISA_LDG, M32, a, ISA_SHARED_WINDOW, 0, INST_FAULT_BOUNDS, G, 4);
  check_fault(ISA_STG, M32, a, a + 1000, 0, INST_FAULT_BOUNDS, G, 4);
  check_fault(ISA_AADD, 0, a, a + 1000, 0, INST_FAULT_BOUNDS, G, 4);
  check_fault(ISA_AADD, 0, a, a + 2, 0, INST_FAULT_ALIGN, G, 4);
  check_fault(ISA_AADD, MA64, a, a, 9, INST_FAULT_UPPER, G, 4);
  check_fault(ISA_AADD, A64, a, a + 4, 0, INST_FAULT_ALIGN, G, 8);
  check_fault(ISA_ACAS, A64, a, a + 992, 0, INST_FAULT_NONE, G, 8);
  check_fault(ISA_ACAS, A64, a, a + 1000, 0, INST_FAULT_BOUNDS, G, 8);
  check_fault(ISA_LDS, M32, 0, 1020, 0, INST_FAULT_NONE, S, 4);
  check_fault(ISA_LDS, M32, 0, 1024, 0, INST_FAULT_BOUNDS, S, 4);
  check_fault(ISA_LDS, M32, 0, 0xfffffffcU, 0, INST_FAULT_BOUNDS, S, 4);
  check_fault(ISA_STS, M64, 0, 1020, 0, INST_FAULT_ALIGN, S, 8);
  check_fault(ISA_AADD, ASHARED, 0, 1024, 0, INST_FAULT_BOUNDS, S, 4);
  check_fault(ISA_AMIN, ASHARED | A64, 0, 1020, 0, INST_FAULT_ALIGN, S, 8);
  check_fault(ISA_LDL, M32, 0, 60, 0, INST_FAULT_NONE, L, 4);
  check_fault(ISA_LDL, M32, 0, 64, 0, INST_FAULT_BOUNDS, L, 4);
  check_fault(ISA_STL, M32 | MV2, 0, 64, 0, INST_FAULT_BOUNDS, L, 8);
  check_fault(ISA_LDP, M32, 0, 252, 0, INST_FAULT_NONE, ISA_SPACE_PARAM, 4);
  check_fault(ISA_LDP, M32, 0, 256, 0, INST_FAULT_BOUNDS, ISA_SPACE_PARAM, 4);
  check_fault(ISA_LDGEN, M32, a, ISA_SHARED_WINDOW + 1020, 0, INST_FAULT_NONE, S, 4);
  check_fault(ISA_LDGEN, M32, a, ISA_SHARED_WINDOW + 1024, 0, INST_FAULT_BOUNDS, S, 4);
  check_fault(ISA_LDGEN, M32, a, ISA_LOCAL_WINDOW + 60, 0, INST_FAULT_NONE, L, 4);
  check_fault(ISA_LDGEN, M32, a, ISA_LOCAL_WINDOW + 64, 0, INST_FAULT_BOUNDS, L, 4);
  check_fault(ISA_STGEN, M32, a, ISA_SHARED_WINDOW - 4, 0, INST_FAULT_BOUNDS, G, 4);
}

TEST(the_first_fault_is_by_cycle_sm_lane) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i[2];
  bench_open(&b, NULL, 4);
  bench_uop(&u, ISA_LDGEN, M32, 0);
  for (unsigned k = 0; k < 2; k++) {
    bench_inst(&i[k], &u, k);
    bench_address(&i[k], b.grid.code_address, 4);
  }
  /* Lane 3's space is looked at after lane 9's, but it is the lower lane. */
  i[0].a[0][9] = 0;
  i[0].a[0][3] = ISA_LOCAL_WINDOW + 4096;
  i[1].a[0][1] = 0;
  for (unsigned s = 0; s < 4; s++)
    sm_mem_step(gpu_mem_sm(b.m, s), b.cycle);
  sm_mem_accept(gpu_mem_sm(b.m, 3), &i[1]);
  sm_mem_accept(gpu_mem_sm(b.m, 2), &i[0]);
  gpu_mem_step(b.m, b.cycle++);
  bench_drain(&b);
  const struct mem_fault *f = gpu_mem_fault(b.m);
  assert_int_equal(f->sm, 2);
  assert_int_equal(f->lane, 3);
  assert_int_equal(f->space, ISA_SPACE_LOCAL);
  /* A later fault of a lower SM does not replace it; a new launch forgets it. */
  bench_run(&b, 0, &i[1]);
  assert_int_equal(gpu_mem_fault(b.m)->sm, 2);
  bench_run(&b, 2, &i[1]); /* nor a later one of a lower lane */
  assert_int_equal(gpu_mem_fault(b.m)->lane, 3);
  gpu_mem_begin(b.m, &b.grid);
  assert_int_equal(gpu_mem_fault(b.m)->kind, INST_FAULT_NONE);
  bench_close(&b);
}

TEST(freed_memory_faults) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  bench_open(&b, NULL, 1);
  uint32_t a = bench_alloc(&b, 4096);
  bench_access(&i, &u, ISA_LDG, M32, 0, a, 4);
  bench_run(&b, 0, &i);
  assert_int_equal(gpu_mem_fault(b.m)->kind, INST_FAULT_NONE);
  assert_int_equal(gpu_mem_free(b.m, a, NULL), 0);
  bench_run(&b, 0, &i);
  assert_int_equal(gpu_mem_fault(b.m)->kind, INST_FAULT_BOUNDS);
  bench_close(&b);
}

TEST(no_lanes_no_access) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  bench_open(&b, NULL, 1);
  static const enum isa_id ids[] = {ISA_LDG, ISA_STG, ISA_LDS, ISA_LDL, ISA_LDP, ISA_LDGEN};
  for (unsigned k = 0; k < 6; k++) {
    bench_uop(&u, ids[k], M32, 0);
    bench_inst(&i, &u, 0);
    i.exec = 0;
    assert_int_equal(bench_run(&b, 0, &i), 2);
  }
  struct mem_stats s = bench_stats(&b);
  assert_int_equal(s.transactions + s.shared_accesses + s.global_loads + s.xbar_flits, 0);
  bench_close(&b);
}

int main(int argc, char **argv) {
  rng = rng_from_arguments(argc, argv);
  return test_run(NULL, NULL);
}
