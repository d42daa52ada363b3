/* Data caches that the configuration switches off: every transaction passes L1D, every request L2.
 * The latencies are those of test_timing.c, whose misses take the same way. */
#include "tests/mem/bench.h"

enum { L1_HIT = 35, L2_HIT = 162, DRAM = 284, ROW_HIT = DRAM - 9 /* 12 command ticks less */ };

static void uncached_open(struct bench *b, bool l1d, bool l2, unsigned sms) {
  struct mem_config c;
  bench_figures(&c);
  c.l1d = l1d;
  c.l2 = l2;
  bench_open(b, &c, sms);
}

/* The phase of the DRAM clock moves a latency by one cycle. */
static void expect_about(unsigned latency, unsigned expected) {
  assert_in_range(latency, expected - 1, expected + 1);
}

TEST(loads_go_where_a_cache_is_left) {
  static const struct {
    bool l1d, l2;
    unsigned first, second;
  } cases[] = {{true, true, DRAM, L1_HIT},
               {false, true, DRAM, L2_HIT},
               {true, false, DRAM, L1_HIT},
               {false, false, DRAM, ROW_HIT}};
  for (unsigned k = 0; k < 4; k++) {
    struct bench b;
    struct isa_uop u;
    struct sm_inst i;
    uncached_open(&b, cases[k].l1d, cases[k].l2, 1);
    bench_access(&i, &u, ISA_LDG, M32, 0, bench_alloc(&b, 4096), 4);
    expect_about(bench_run(&b, 0, &i), cases[k].first);
    expect_about(bench_run(&b, 0, &i), cases[k].second);
    struct mem_stats s = bench_stats(&b);
    assert_int_equal(s.l1d_hits + s.l1d_misses, cases[k].l1d ? 2 : 0);
    assert_int_equal(s.l2_hits + s.l2_misses, cases[k].l2 ? 1 + !cases[k].l1d : 0);
    assert_int_equal(s.dram_reads, 1 + (!cases[k].l1d && !cases[k].l2));
    assert_int_equal(s.transactions, 2);
    bench_close(&b);
  }
}

/* Two loads of a line under way at once are two transactions and two reads of DRAM. */
TEST(nothing_merges) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i[2];
  uncached_open(&b, false, false, 1);
  const uint32_t a = bench_alloc(&b, 4096);
  bench_uop(&u, ISA_LDG, M32, 0);
  for (unsigned k = 0; k < 2; k++) {
    bench_inst(&i[k], &u, k);
    bench_address(&i[k], a, 4);
    bench_step(&b, 0, &i[k]);
  }
  bench_drain(&b);
  assert_int_equal(bench_stats(&b).dram_reads, 2);
  bench_close(&b);
}

TEST(stores_write_their_sectors) {
  struct bench b;
  struct isa_uop store;
  struct sm_inst i;
  uncached_open(&b, false, false, 1);
  const uint32_t a = bench_alloc(&b, 4096);
  bench_access(&i, &store, ISA_STG, M32, 0, a, 4);
  i.b[0][5] = 77;
  assert_int_equal(bench_run(&b, 0, &i), 2);
  bench_drain(&b);
  assert_int_equal(bench_read32(&b, a + 20), 77);
  assert_int_equal(bench_stats(&b).dram_writes, 1);
  assert_int_equal(bench_stats(&b).dram_busy, 4); /* two bursts of two ticks */
  i.exec = 1;
  bench_run(&b, 0, &i);
  bench_drain(&b);
  assert_int_equal(bench_stats(&b).dram_writes, 2);
  assert_int_equal(bench_stats(&b).dram_busy, 6); /* one sector: one burst more */
  assert_int_equal(bench_stats(&b).dram_reads, 0);
  bench_close(&b);
}

TEST(atomics_read_and_write_dram) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  uncached_open(&b, false, false, 1);
  const uint32_t a = bench_alloc(&b, 4096);
  bench_access(&i, &u, ISA_AADD, 0, 0, a, 0);
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
    i.b[0][l] = 1;
  const unsigned alone = bench_run(&b, 0, &i);
  assert_true(alone > L2_HIT + 31); /* 32 updates of a word occupy the slice */
  bench_drain(&b);
  assert_int_equal(bench_read32(&b, a), 32);
  assert_int_equal(bench_stats(&b).dram_reads, 1);
  assert_int_equal(bench_stats(&b).dram_writes, 1);
  assert_int_equal(bench_stats(&b).dram_busy, 4);
  bench_uop(&u, ISA_AADD, ANORET, 0);
  bench_run(&b, 0, &i);
  bench_drain(&b);
  assert_int_equal(bench_read32(&b, a), 64);
  assert_int_equal(bench_stats(&b).dram_writes, 2);
  bench_close(&b);
}

/* Local memory is data too; the constant cache stays, its lines come from DRAM. */
TEST(other_spaces) {
  struct bench b;
  struct isa_uop store, load, param;
  struct sm_inst i;
  uncached_open(&b, false, false, 1);
  bench_uop(&store, ISA_STL, M32, 0);
  bench_uop(&load, ISA_LDL, M32, 0);
  bench_uop(&param, ISA_LDP, M32 | MABS, 8);
  bench_inst(&i, &store, 0);
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
    i.b[0][l] = 100 + l;
  bench_run(&b, 0, &i);
  bench_drain(&b);
  assert_int_equal(bench_stats(&b).dram_writes, 1);
  i.uop = &load;
  assert_true(bench_run(&b, 0, &i) > L2_HIT);
  assert_int_equal(i.d[0][31], 131);
  assert_int_equal(bench_stats(&b).dram_reads, 1);
  i.uop = &param;
  assert_true(bench_run(&b, 0, &i) > L2_HIT);
  assert_int_equal(bench_run(&b, 0, &i), 26);
  assert_int_equal(bench_stats(&b).dram_reads, 2);
  assert_int_equal(bench_stats(&b).const_hits, 1);
  assert_int_equal(bench_stats(&b).const_misses, 1);
  bench_close(&b);
}

int main(void) { return test_run(NULL, NULL); }
