/* How many segments and passes the lanes of an instruction need. */
#include "tests/mem/bench.h"

static struct rng rng;

/* Lane l of a shared access at l * stride: passes, and those of them that are conflicts. */
static void check_shared(enum isa_id id, unsigned mods, uint32_t stride, uint32_t lanes,
                         unsigned passes, unsigned conflicts) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  bench_open(&b, NULL, 1);
  b.grid.shared_bytes = 8192;
  gpu_mem_begin(b.m, &b.grid);
  bench_uop(&u, id, mods, 0);
  bench_inst(&i, &u, 1);
  i.exec = lanes;
  bench_address(&i, 0, stride);
  assert_int_equal(bench_run(&b, 0, &i), 26 + passes - 1);
  assert_int_equal(bench_stats(&b).shared_conflict_cycles, conflicts);
  assert_int_equal(bench_stats(&b).shared_accesses, 1);
  bench_close(&b);
}

TEST(shared_memory_banks) {
  const uint32_t all = UINT32_MAX;
  check_shared(ISA_LDS, M32, 4, all, 1, 0);
  check_shared(ISA_LDS, M32, 0, all, 1, 0); /* broadcast */
  check_shared(ISA_LDS, M8, 1, all, 1, 0);
  check_shared(ISA_LDS, M16, 2, all, 1, 0);
  check_shared(ISA_LDS, M8, 32, all, 8, 7);
  for (uint32_t k = 2; k <= 32; k *= 2)
    check_shared(ISA_LDS, M32, 4 * k, all, k, k - 1);
  check_shared(ISA_LDS, M32, 12, all, 1, 0);
  check_shared(ISA_LDS, M32, 128, 0x00ff0000, 8, 7);
  check_shared(ISA_STS, M32, 256, 0xf, 4, 3);
  check_shared(ISA_STS, M32, 0, all, 1, 0);
  check_shared(ISA_LDS, M64, 8, all, 2, 0);        /* half warps */
  check_shared(ISA_LDS, M64, 8, 0xffff, 1, 0);     /* one of them */
  check_shared(ISA_LDS, M32 | MV4, 16, all, 4, 0); /* quarter warps */
  check_shared(ISA_LDS, M64, 16, all, 4, 2);
  check_shared(ISA_LDS, M64, 0, all, 2, 0); /* broadcasts */
  check_shared(ISA_LDS, M32 | MV4, 0, all, 4, 0);
  check_shared(ISA_LDS, M32 | MV4, 0, 0xff00, 1, 0);
  check_shared(ISA_AADD, ASHARED, 4, all, 1, 0);
  check_shared(ISA_AADD, ASHARED, 0, all, 32, 31); /* atomics do not share */
  check_shared(ISA_AADD, ASHARED, 0, 0x8000000f, 5, 4);
  check_shared(ISA_AADD, ASHARED, 128, 0xff, 8, 7);
  check_shared(ISA_AADD, ASHARED | A64, 8, all, 2, 0); /* half warps, as loads of 64 bits */
  check_shared(ISA_ACAS, ASHARED | A64, 0, all, 32, 30);
  check_shared(ISA_AADD, ASHARED | A64, 128, 0x30003, 4, 2);
}

TEST(shared_accesses_are_pipelined) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i[4];
  bench_open(&b, NULL, 1);
  bench_uop(&u, ISA_LDS, M32, 0);
  for (unsigned k = 0; k < 4; k++) {
    bench_inst(&i[k], &u, k);
    bench_address(&i[k], 0, k == 1 ? 16 : 4); /* the second has four passes */
  }
  static const unsigned accept[4] = {0, 1, 2, 5};
  static const unsigned done[4] = {26, 30, 31, 32};
  unsigned next = 0;
  unsigned out = 0;
  for (unsigned c = 0; c < 40; c++) {
    bool give = next < 4 && accept[next] == c;
    struct sm_inst *d = bench_step(&b, 0, give ? &i[next++] : NULL);
    if (d == NULL)
      continue;
    assert_ptr_equal(d, &i[out]);
    assert_int_equal(c, done[out++]);
  }
  assert_int_equal(out, 4);
  bench_close(&b);
}

static void check_segments(enum isa_id id, unsigned mods, uint32_t first, uint32_t stride,
                           uint32_t lanes, unsigned segments) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  bench_open(&b, NULL, 1);
  uint32_t a = bench_alloc(&b, 65536);
  bench_access(&i, &u, id, mods, 0, id == ISA_LDL || id == ISA_STL ? first : a + first, stride);
  i.exec = lanes;
  bench_run(&b, 0, &i);
  assert_int_equal(bench_stats(&b).transactions, segments);
  assert_int_equal(gpu_mem_fault(b.m)->kind, INST_FAULT_NONE);
  bench_drain(&b);
  bench_close(&b);
}

TEST(coalescing) {
  const uint32_t all = UINT32_MAX;
  static const enum isa_id ids[] = {ISA_LDG, ISA_STG, ISA_LDGEN, ISA_AADD};
  for (unsigned k = 0; k < 4; k++) {
    unsigned m = k == 3 ? 0 : M32;
    check_segments(ids[k], m, 0, 4, all, 1);
    check_segments(ids[k], m, 4, 4, all, 2);
    check_segments(ids[k], m, 124, 4, all, 2);
    check_segments(ids[k], m, 0, 0, all, 1);
    check_segments(ids[k], m, 0, 8, all, 2);
    check_segments(ids[k], m, 64, 8, all, 3);
    check_segments(ids[k], m, 0, 64, all, 16);
    check_segments(ids[k], m, 0, 128, all, 32);
    check_segments(ids[k], m, 0, 128, 0x80000001, 2);
    check_segments(ids[k], m, 0, 128, 0, 0);
  }
  check_segments(ISA_LDG, M32, 128, 0xfffffffcU, all, 2); /* downwards */
  check_segments(ISA_LDG, M8, 0, 1, all, 1);
  check_segments(ISA_STG, M8, 120, 1, all, 2);
  check_segments(ISA_LDG, M16, 0, 2, all, 1);
  check_segments(ISA_LDG, M64, 0, 8, all, 2);        /* half warps */
  check_segments(ISA_LDG, M64, 0, 0, all, 2);        /* a request each */
  check_segments(ISA_LDG, M64, 0, 0, 0xffff0000, 1); /* only one of them */
  check_segments(ISA_AXOR, A64, 0, 8, all, 2);
  check_segments(ISA_ACAS, A64, 0, 0, all, 2);
  check_segments(ISA_AXOR, A64, 64, 8, all, 4);
  check_segments(ISA_LDG, M64, 64, 8, all, 4);
  check_segments(ISA_LDG, M32 | MV4, 0, 16, all, 4); /* quarter warps */
  check_segments(ISA_STG, M32 | MV4, 64, 16, all, 8);
  check_segments(ISA_LDG, M16 | MV4, 0, 8, all, 2);
  check_segments(ISA_LDL, M32, 8, 0, all, 1); /* the same word of all threads */
  check_segments(ISA_STL, M32, 0, 4, 0xffff, 16);
  check_segments(ISA_LDL, M64, 8, 0, all, 2);
  check_segments(ISA_LDL, M32 | MV4, 16, 0, all, 4);
  check_segments(ISA_LDL, M8, 9, 0, all, 1);
  for (unsigned n = 0; n < 50; n++) { /* scattered: counted the slow way */
    struct bench b;
    struct isa_uop u;
    struct sm_inst i;
    bench_open(&b, NULL, 1);
    uint32_t a = bench_alloc(&b, 4096);
    bench_uop(&u, n % 2 != 0 ? ISA_LDG : ISA_STG, M32, 0);
    bench_inst(&i, &u, 0);
    i.exec = (uint32_t)rng_next(&rng);
    uint32_t touched = 0;
    for (unsigned l = 0; l < ISA_WARP_SIZE; l++) {
      i.a[0][l] = a + 4 * rng_below(&rng, 512);
      touched |= (i.exec >> l & 1U) << (i.a[0][l] - a / 128U * 128U) / 128U;
    }
    bench_run(&b, 0, &i);
    assert_int_equal(bench_stats(&b).transactions, __builtin_popcount(touched));
    bench_close(&b);
  }
}

/* Flits of a store without L1D, which sends the sectors that its lanes touch. */
static uint64_t flits_of(enum isa_id id, unsigned mods, uint32_t stride, uint32_t lanes) {
  struct mem_config c;
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  bench_figures(&c);
  c.l1d = false;
  bench_open(&b, &c, 1);
  const uint32_t a = bench_alloc(&b, 4096);
  bench_access(&i, &u, id, mods, 0, id == ISA_STL ? 0 : a, stride);
  i.exec = lanes;
  bench_run(&b, 0, &i);
  bench_drain(&b);
  const uint64_t flits = bench_stats(&b).xbar_flits;
  bench_close(&b);
  return flits;
}

/* Word w of a thread's local memory lies beside those of the other lanes (docs/models/memory.md): a
 * store of some lanes touches as many sectors as a store to consecutive words of global memory. */
TEST(local_sectors) {
  for (unsigned first = 0; first < ISA_WARP_SIZE; first++)
    for (unsigned n = 1; first + n <= ISA_WARP_SIZE; n++) {
      const uint32_t lanes = (UINT32_MAX >> (ISA_WARP_SIZE - n)) << first;
      assert_int_equal(flits_of(ISA_STL, M32, 0, lanes), flits_of(ISA_STG, M32, 4, lanes));
    }
  assert_int_equal(flits_of(ISA_STL, M8, 0, 1U << 7), flits_of(ISA_STG, M32, 4, 1U << 7));
  assert_true(flits_of(ISA_STL, M32, 0, 0x1ff) > flits_of(ISA_STL, M32, 0, 0xff));
}

int main(int argc, char **argv) {
  rng = rng_from_arguments(argc, argv);
  return test_run(NULL, NULL);
}
