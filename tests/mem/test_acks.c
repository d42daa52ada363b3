/* Acknowledgements of stores: which writes have one, when it comes, and what waits for it. */
#include "tests/mem/bench.h"

enum { WARP = 5, MOST = 100000 };

struct test_mode {
  bool acks, l1d, l2;
};

static void acks_open(struct bench *b, struct test_mode mode) {
  struct mem_config c;
  bench_figures(&c);
  c.store_acks = mode.acks;
  c.l1d = mode.l1d;
  c.l2 = mode.l2;
  bench_open(b, &c, 2);
}

/* Executes the access on warp WARP of SM 0 and checks that memory acknowledges `writes` writes. */
static void expect_acks(struct bench *b, struct sm_inst *i, unsigned writes) {
  struct sm_mem *s = gpu_mem_sm(b->m, 0);
  const struct mem_stats before = bench_stats(b);
  i->warp = WARP;
  bench_run(b, 0, i);
  assert_int_equal(sm_mem_stores(s, WARP), writes);
  unsigned waited = 0;
  for (unsigned n = 0; sm_mem_stores(s, WARP) != 0; n++) {
    assert_true(n < MOST);
    assert_false(sm_mem_idle(s));
    for (unsigned w = 0; w < 48; w++)
      assert_true(w == WARP || sm_mem_stores(s, w) == 0);
    assert_int_equal(sm_mem_stores(gpu_mem_sm(b->m, 1), WARP), 0);
    waited += sm_mem_waits(s, b->cycle);
    bench_step(b, 0, NULL);
  }
  assert_int_equal(waited > 40, writes != 0);
  bench_drain(b);
  assert_true(sm_mem_idle(s));
  assert_int_equal(bench_stats(b).store_acks - before.store_acks, writes);
}

/* One acknowledgement a transaction of a store, or of an atomic without result; none of an atomic
 * whose value is the answer, or of a local line that L1D keeps. */
TEST(each_write_of_a_warp_has_one) {
  for (unsigned m = 0; m < 8; m++) {
    const struct test_mode mode = {(m & 1) != 0, (m & 2) != 0, (m & 4) != 0};
    const unsigned acks = mode.acks;
    struct bench b;
    struct isa_uop u;
    struct sm_inst i;
    acks_open(&b, mode);
    const uint32_t a = bench_alloc(&b, 1 << 16);
    bench_access(&i, &u, ISA_STG, M32, 0, a, 4);
    expect_acks(&b, &i, acks);
    bench_address(&i, a, 128);
    expect_acks(&b, &i, 32 * acks);
    bench_access(&i, &u, ISA_AADD, ANORET, 0, a, 64);
    expect_acks(&b, &i, 16 * acks);
    bench_access(&i, &u, ISA_AADD, 0, 0, a, 64);
    expect_acks(&b, &i, 0);
    bench_access(&i, &u, ISA_LDG, M32, 0, a, 4);
    expect_acks(&b, &i, 0);
    bench_access(&i, &u, ISA_STL, M32, 0, 0, 0);
    expect_acks(&b, &i, mode.l1d ? 0 : acks);
    bench_close(&b);
  }
}

/* A line that L1D writes back is no store of a warp. */
TEST(a_line_that_is_written_back_has_none) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  acks_open(&b, (struct test_mode){true, true, true});
  const uint32_t a = bench_alloc(&b, 1 << 17);
  bench_access(&i, &u, ISA_STL, M32, 0, 0, 0);
  bench_run(&b, 0, &i);
  bench_access(&i, &u, ISA_LDG, M32, 0, a, 128);
  const uint64_t flits = bench_stats(&b).xbar_flits;
  for (unsigned k = 0; k < 32; k++) {
    bench_address(&i, a + 4096 * k, 128);
    bench_run(&b, 0, &i);
  }
  bench_drain(&b);
  assert_int_equal(bench_stats(&b).xbar_flits - flits, 32 * 32 * 5 + 5);
  assert_int_equal(bench_stats(&b).store_acks, 0);
  bench_close(&b);
}

/* Five flits there, as of an atomic (test_timing.c): lookup in cycle 126.  The answer leaves in
 * crossbar tick 252 and arrives at tick 256, in cycle 128: the SM has it in 129. */
TEST(l2_answers_in_its_time) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  acks_open(&b, (struct test_mode){true, true, true});
  bench_access(&i, &u, ISA_STG, M32, 0, bench_alloc(&b, 128), 4);
  assert_int_equal(bench_run(&b, 0, &i), 2);
  while (!sm_mem_idle(gpu_mem_sm(b.m, 0)))
    bench_step(&b, 0, NULL);
  assert_int_equal(b.cycle - 1, 129);
  assert_int_equal(bench_stats(&b).xbar_flits, 5 + 1);
  bench_close(&b);
}

int main(void) { return test_run(NULL, NULL); }
