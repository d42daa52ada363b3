/* Reads of DRAM by sectors: each sector takes a burst, half of which it wastes. */
#include "tests/mem/bench.h"

/* Returns the ticks of the DRAM bus that the accesses so far took. */
static uint64_t busy(struct bench *b) {
  bench_drain(b);
  return bench_stats(b).dram_busy;
}

TEST(reads_take_a_burst_a_sector) {
  static const struct {
    uint32_t burst;        /* transfers of 8 bytes */
    unsigned whole, apart; /* bursts of a line */
  } cases[] = {{4, 4, 4}, {8, 2, 4}, {16, 1, 4}};
  for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++)
    for (unsigned on = 0; on < 2; on++)
      for (unsigned l2 = 0; l2 < 2; l2++) {
        struct mem_config c;
        struct bench b;
        struct isa_uop u;
        struct sm_inst i;
        bench_figures(&c);
        c.dram_burst = cases[k].burst;
        c.dram_sector_reads = on;
        c.l2 = l2;
        bench_open(&b, &c, 1);
        const unsigned ticks = cases[k].burst / 4; /* four transfers a tick */
        bench_access(&i, &u, ISA_LDG, M32, 0, bench_alloc(&b, 4096), 4);
        bench_run(&b, 0, &i);
        assert_int_equal(busy(&b), ticks * (on ? cases[k].apart : cases[k].whole));
        assert_int_equal(bench_stats(&b).dram_reads, 1);
        bench_close(&b);
      }
}

/* A line of constants, half a line of L2, while L2 is off. */
TEST(only_the_sectors_that_are_wanted) {
  for (unsigned on = 0; on < 2; on++) {
    struct mem_config c;
    struct bench b;
    struct isa_uop u;
    struct sm_inst i;
    bench_figures(&c);
    c.dram_sector_reads = on;
    c.l2 = false;
    bench_open(&b, &c, 1);
    bench_uop(&u, ISA_LDP, M32 | MABS, 8);
    bench_inst(&i, &u, 0);
    bench_run(&b, 0, &i);
    assert_int_equal(busy(&b), on ? 4 : 2); /* bursts of two ticks */
    bench_close(&b);
  }
}

/* A write takes the bursts that its sectors touch, whatever reads take. */
TEST(writes_stay_as_they_are) {
  struct mem_config c;
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  bench_figures(&c);
  c.dram_sector_reads = true;
  c.l2 = false;
  bench_open(&b, &c, 1);
  bench_access(&i, &u, ISA_STG, M32, 0, bench_alloc(&b, 4096), 4);
  bench_run(&b, 0, &i);
  assert_int_equal(busy(&b), 4);
  bench_close(&b);
}

int main(void) { return test_run(NULL, NULL); }
