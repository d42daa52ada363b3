/* Latencies and transaction counts, computed by hand for an idle machine. */
#include "tests/mem/bench.h"

static struct rng rng;

static void an_l1d_hit_takes_35_cycles(void **state) {
  (void)state;
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  bench_open(&b, NULL, 1);
  uint32_t a = bench_alloc(&b, 4096);
  bench_uop(&u, ISA_LDG, M32, 0);
  bench_inst(&i, &u, 0);
  bench_address(&i, a, 4);
  unsigned first = bench_run(&b, 0, &i);
  print_message("dram %u\n", first);
  assert_int_equal(bench_run(&b, 0, &i), 35);
  bench_close(&b);
}

int main(int argc, char **argv) {
  rng = rng_from_arguments(argc, argv);
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_l1d_hit_takes_35_cycles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
