/* CTAs: occupancy, launch and release, barriers, the front end's contract, reports. */
#include "csim/sm/spin.h"
#include "tests/sm/bench.h"
#include "tests/test.h"

/* Occupancy by each resource: threads, registers a thread, shared bytes, and what is expected. */
TEST(occupancy_by_resource) {
  static const struct {
    uint32_t threads, regs, shared;
    unsigned fit;
    const char *error;
  } cases[] = {
      {32, 8, 0, 8, NULL},     /* CTA slots */
      {512, 8, 0, 3, NULL},    /* threads and warps: 1536 / 512 */
      {500, 8, 0, 3, NULL},    /* warps: 48 / 16 */
      {256, 32, 0, 4, NULL},   /* registers: 32768 / (8 * 1024) */
      {256, 21, 0, 5, NULL},   /* 21 * 32 = 672, in units of 64: 704 a warp, 5632 a CTA */
      {64, 8, 10000, 4, NULL}, /* shared: 49152 / 10112 */
      {64, 8, 12288, 4, NULL}, /* exactly four */
      {64, 8, 12289, 3, NULL}, /* one byte more */
      {1536, 8, 0, 1, NULL},   /* all of it */
      {1537, 8, 0, 0, "a CTA needs 1537 threads, an SM has 1536"},
      {1056, 32, 0, 0, "a CTA needs 33792 registers, an SM has 32768"},
      {64, 8, 49153, 0, "a CTA needs 49280 bytes of shared memory, an SM has 49152"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct sm_config config;
    sm_config_default(&config);
    struct isa_kernel kernel = {.regs = cases[i].regs};
    struct grid grid = {.kernel = &kernel,
                        .threads = cases[i].threads,
                        .warps = (cases[i].threads + 31) / 32,
                        .shared_bytes = cases[i].shared};
    struct tandem_error err = {{0}};
    assert_int_equal(sm_occupancy(&config, &grid, &err), cases[i].fit);
    assert_string_equal(err.text, cases[i].error != NULL ? cases[i].error : "");
  }
  struct sm_config config;
  sm_config_default(&config);
  config.warps = 3;
  struct isa_kernel kernel = {.regs = 8};
  struct grid grid = {.kernel = &kernel, .threads = 128, .warps = 4};
  struct tandem_error err = {{0}};
  assert_int_equal(sm_occupancy(&config, &grid, &err), 0);
  assert_string_equal(err.text, "a CTA needs 4 warps, an SM has 3");
}

/* The registers that a launch allocates take the place of those that the kernel uses. */
TEST(occupancy_by_allocated_registers) {
  static const struct {
    uint32_t threads, uses, allocated;
    unsigned fit;
  } cases[] = {
      {256, 8, 0, 6},   /* threads */
      {256, 8, 63, 2},  /* 32768 / (8 * 2048) */
      {256, 32, 34, 3}, /* 32768 / (8 * 1088) */
      {256, 32, 32, 4}, {1024, 8, 63, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct sm_config config;
    sm_config_default(&config);
    struct isa_kernel kernel = {.regs = cases[i].uses};
    struct grid grid = {.kernel = &kernel,
                        .threads = cases[i].threads,
                        .warps = cases[i].threads / 32,
                        .registers = cases[i].allocated};
    struct tandem_error err = {{0}};
    assert_int_equal(sm_occupancy(&config, &grid, &err), cases[i].fit);
    assert_string_equal(err.text, cases[i].fit != 0 ? ""
                                                    : "a CTA needs 65536 registers, an SM has "
                                                      "32768");
  }
}

TEST(a_bad_configuration_is_refused) {
  struct sm_mem mem = {0};
  for (unsigned k = 0; k < 6; k++) {
    struct sm_config c;
    sm_config_default(&c);
    uint32_t *const field[] = {&c.warps,          &c.banks, &c.sp_pipes,
                               &c.collectors_mem, &c.banks, &c.lat[ISA_L_INT_DIV].latency};
    static const uint32_t value[] = {49, 24, 3, 0, 64, 1024};
    static const char *const name[] = {"warps",          "banks", "sp_pipes",
                                       "collectors_mem", "banks", "int_div"};
    *field[k] = value[k];
    struct tandem_error err = {{0}};
    assert_null(sm_create(&c, 0, &mem, NULL, &err));
    assert_non_null(strstr(err.text, name[k]));
  }
}

/* With the most registers for a need, as many warps fit as with the need itself; with one more,
 * not.
 */
TEST(registers_that_cost_no_warps) {
  static const struct {
    uint32_t registers, warps;
    uint8_t need, most;
  } cases[] = {{32768, 48, 1, 20},  {32768, 48, 20, 20}, {32768, 48, 21, 22}, {32768, 48, 23, 24},
               {32768, 48, 31, 32}, {32768, 48, 32, 32}, {65536, 48, 1, 32},  {32768, 24, 5, 32},
               {16384, 48, 5, 10},  {1024, 48, 20, 32},  {1024, 48, 9, 10}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct sm_config c;
    uint8_t spread[ISA_REGS + 1];
    sm_config_default(&c);
    c.registers = cases[i].registers;
    c.warps = cases[i].warps;
    sm_spread_registers(&c, spread);
    assert_int_equal(spread[cases[i].need], cases[i].most);
    c.warps = 24; /* of some launches; others have more */
    c.most_warps = cases[i].warps;
    sm_spread_registers(&c, spread);
    assert_int_equal(spread[cases[i].need], cases[i].most);
    for (unsigned n = 1; n <= ISA_REGS; n++)
      assert_true(spread[n] >= n && spread[n] <= ISA_REGS && spread[n] >= spread[n - 1]);
  }
}

static void end_warp(struct bench *b, unsigned warp, unsigned exit_pc) {
  unsigned t = bench_one(b, warp, exit_pc);
  bench_run(b, 20);
  assert_true(bench_resolved(b, warp, t) > 0);
  bench_done(b, warp);
  bench_step(b);
}

/* Three CTAs of 512 threads fill the SM; a slot is free again after its last warp has ended and
 * its last store is complete. */
TEST(a_cta_leaves_with_its_last_instruction) {
  struct bench b;
  bench_defaults(&b, 512);
  unsigned exit_pc = bench_add(&b, word(ISA_EXIT, 0, 0, 0, 0));
  unsigned store = bench_add(&b, with_mods(word(ISA_STG, 0, 1, 2, 0), 2));
  b.mem.latency = 1000;
  bench_begin(&b);
  for (unsigned i = 0; i < 3; i++)
    bench_cta(&b, i);
  assert_false(sm_cta_ready(b.sm));
  assert_int_equal(b.mem.ctas, 7);
  assert_int_equal(b.mem.warps, 48);
  assert_int_equal(sm_place(b.sm, 17)->ctaid[0], 1);
  assert_int_equal(sm_place(b.sm, 17)->first, 32);
  unsigned t = bench_one(&b, 20, store);
  for (unsigned w = 16; w < 32; w++)
    end_warp(&b, w, exit_pc);
  assert_false(sm_cta_ready(b.sm));
  assert_false(sm_idle(b.sm));
  while (!sm_cta_ready(b.sm))
    bench_step(&b);
  assert_int_equal(b.cycle - 1, t + 3 + 1000 + 1);
  unsigned from = b.cycle;
  bench_cta(&b, 9);
  assert_int_equal(b.log[from].launch_warp, 16);
  assert_int_equal(b.log[from].launch_cta, 1);
  for (unsigned w = 0; w < 48; w++)
    end_warp(&b, w, exit_pc);
  bench_step(&b);
  assert_true(sm_idle(b.sm));
  struct sm_stats stats;
  sm_stats(b.sm, &stats);
  assert_int_equal(stats.ctas, 4);
  assert_int_equal(stats.warp_instructions, 16 + 48 + 1);
  assert_int_equal(stats.thread_instructions, (16 + 48 + 1) * 32);
  assert_int_equal(stats.by_unit[ISA_U_MEM], 1);
  assert_int_equal(stats.cycles, b.cycle - 1);
  bench_close(&b);
}

/* The slot of an ended CTA is free when memory has acknowledged the last store; until then the SM
 * waits, is not idle, and says why. */
TEST(a_cta_waits_for_its_acknowledgements) {
  struct bench b;
  bench_defaults(&b, 1536);
  unsigned exit_pc = bench_add(&b, word(ISA_EXIT, 0, 0, 0, 0));
  bench_start(&b);
  b.mem.stores[30] = 2;
  for (unsigned w = 0; w < 48; w++)
    end_warp(&b, w, exit_pc);
  struct sm_stats before, after;
  uint64_t since = UINT64_MAX;
  char text[8192];
  sm_stats(b.sm, &before);
  bench_run(&b, 100);
  sm_stats(b.sm, &after);
  assert_int_equal(after.ended_cta_cycles - before.ended_cta_cycles, 100);
  assert_false(sm_cta_ready(b.sm) || sm_idle(b.sm));
  assert_true(sm_waiting(b.sm));
  assert_false(sm_spins(b.sm, &since)); /* another CTA may begin */
  sm_describe(b.sm, text, sizeof text);
  const char *line =
      strstr(text, "ended, its CTA has not; memory has not acknowledged 2 of its stores\n");
  assert_non_null(line);
  assert_null(strstr(strchr(line, '\n'), "acknowledged"));
  b.mem.stores[30] = 1;
  bench_step(&b);
  assert_false(sm_cta_ready(b.sm));
  b.mem.stores[30] = 0;
  assert_false(sm_waiting(b.sm)); /* the CTA leaves in the next step */
  bench_step(&b);
  assert_true(sm_cta_ready(b.sm) && sm_idle(b.sm));
  assert_int_equal(sm_describe(b.sm, text, sizeof text), 0);
  bench_close(&b);
}

static void expect(struct bench *b, enum sm_fault_kind kind, const char *text) {
  assert_int_equal(sm_fault(b->sm)->kind, kind);
  if (strstr(sm_fault(b->sm)->text, text) == NULL)
    fail_msg("%s", sm_fault(b->sm)->text);
  bench_close(b);
}

static void two_warps(struct bench *b, unsigned *nop, unsigned *bar, unsigned *exit_pc,
                      unsigned *bra) {
  bench_defaults(b, 64);
  *nop = bench_add(b, word(ISA_NOP, 0, 0, 0, 0));
  *bar = bench_add(b, word(ISA_BAR, 0, 0, 0, 0));
  *exit_pc = bench_add(b, with_guard(word(ISA_EXIT, 0, 0, 0, 0), 1));
  *bra = bench_add(b, with_target(word(ISA_BRA, 0, 0, 0, 0), 0, 3));
  bench_start(b);
}

TEST(barrier_faults) {
  struct bench b;
  unsigned nop, bar, exit_pc, bra;
  two_warps(&b, &nop, &bar, &exit_pc, &bra);
  bench_issue(&b, 1, bar, 0xffff);
  bench_step(&b);
  assert_int_equal(sm_fault(b.sm)->pc, bar);
  expect(&b, SM_FAULT_BARRIER, "warp 1 reaches the barrier at pc 1 with lanes 0000ffff");

  /* Lanes that have ended do not count. */
  two_warps(&b, &nop, &bar, &exit_pc, &bra);
  b.sm->preds[1][1] = 0xffff0000;
  unsigned t = bench_one(&b, 1, exit_pc);
  bench_run(&b, 20);
  assert_true(bench_resolved(&b, 1, t) > 0);
  bench_issue(&b, 1, bar, 0xffff);
  bench_step(&b);
  assert_int_equal(sm_fault(b.sm)->kind, SM_FAULT_NONE);

  /* Warp 0 ends without the barrier that warp 1 has passed. */
  b.sm->preds[0][1] = ~0U;
  end_warp(&b, 0, exit_pc);
  b.sm->preds[1][1] = ~0U;
  bench_issue(&b, 1, exit_pc, 0xffff);
  bench_step(&b);
  bench_run(&b, 20);
  bench_done(&b, 1);
  bench_step(&b);
  expect(&b, SM_FAULT_BARRIER, "warp 1 ended after 1 barriers (last at pc 1), warp 0");

  /* Not checked, no fault: neither for lanes nor for counts. */
  bench_defaults(&b, 64);
  bar = bench_add(&b, word(ISA_BAR, 0, 0, 0, 0));
  exit_pc = bench_add(&b, word(ISA_EXIT, 0, 0, 0, 0));
  b.config.barrier_check = 0;
  bench_start(&b);
  bench_issue(&b, 1, bar, 0xffff);
  bench_step(&b);
  end_warp(&b, 0, exit_pc);
  end_warp(&b, 1, exit_pc);
  expect(&b, SM_FAULT_NONE, "");
}

TEST(contract_faults) {
  struct bench b;
  unsigned nop, bar, exit_pc, bra;
#define CASE(...)                                                                                  \
  two_warps(&b, &nop, &bar, &exit_pc, &bra);                                                       \
  __VA_ARGS__;                                                                                     \
  bench_step(&b)
  CASE(bench_issue(&b, 2, nop, ~0U));
  expect(&b, SM_FAULT_PROTOCOL, "warp 2 issues, but it is not live");
  CASE(bench_issue(&b, 1, nop, ~0U); b.fe.iss0_valid = 1; b.fe.iss0_inst = b.fe.iss1_inst;
       b.fe.iss0_mask = ~0U; b.fe.iss1_valid = 0);
  expect(&b, SM_FAULT_PROTOCOL, "issue port 0 issues warp 1");
  CASE(bench_issue(&b, 1, bra, ~0U); bench_step(&b); bench_issue(&b, 1, nop, ~0U));
  expect(&b, SM_FAULT_PROTOCOL, "unresolved branch or exit at pc 3");
  CASE(bench_issue(&b, 1, nop, 0));
  expect(&b, SM_FAULT_PROTOCOL, "active mask 00000000");
  CASE(b.sm->preds[1][1] = 0xf; bench_one(&b, 1, exit_pc); bench_run(&b, 20);
       bench_issue(&b, 1, nop, 0x18));
  expect(&b, SM_FAULT_PROTOCOL, "active mask 00000018, but its live lanes are fffffff0");
  CASE(bench_done(&b, 1));
  expect(&b, SM_FAULT_PROTOCOL, "warp 1 is reported as ended, but has live lanes");
  CASE(bench_done(&b, 9));
  expect(&b, SM_FAULT_PROTOCOL, "warp 9 is reported as ended, but is not live");
  CASE(bench_issue(&b, 1, nop, ~0U); b.fe.iss1_pc = 77);
  expect(&b, SM_FAULT_PC, "pc 77 is outside kernel bench (0 to 3)");
  CASE(bench_issue(&b, 1, nop, ~0U); b.fe.iss1_pc = bar);
  expect(&b, SM_FAULT_PC, "issued word");
  CASE(b.fe.trap_valid = 1; b.fe.trap_warp = 1);
  expect(&b, SM_FAULT_STACK, "SIMT stack overflow of warp 1");
#undef CASE
}

TEST(illegal_instructions) {
  const struct {
    uint64_t word;
    const char *text;
  } cases[] = {
      {UINT64_C(15) << 54, "undefined operation"},
      {(uint64_t)ISA_U_LONG << 54 | ISA_PT << 20 | 1 << 5, "a register pair must start"},
      {(uint64_t)ISA_U_IALU << 54 | UINT64_C(2) << 48 | (UINT64_C(0x108) << 32) | ISA_PT << 20,
       "parameter word 8, but the kernel has 32 bytes"},
      {word(ISA_BSYNC, 2, 0, 0, 0) | UINT64_C(4) << 32, "bsync needs a stencil processing unit"},
      {word(ISA_BSYNC, 2, 0, 0, 0), "the directions of bsync are 1 to 63"},
      {with_guard(word(ISA_BSYNC, 2, 0, 0, 0) | UINT64_C(4) << 32, 1), "its guard must be pT"},
      {word(ISA_MOVS, 2, 0, 0, 0) | UINT64_C(32) << 32, "regviu needs a stencil processing unit"},
      {word(ISA_MOVS, 2, 0, 0, 0) | UINT64_C(44) << 32, "regface needs a stencil processing unit"},
      {word(ISA_MOVS, 2, 0, 0, 0) | UINT64_C(30) << 32, "undefined special register"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct bench b;
    bench_defaults(&b, 32);
    unsigned pc = bench_add(&b, cases[i].word);
    bench_start(&b);
    bench_one(&b, 0, pc);
    expect(&b, SM_FAULT_ILLEGAL, cases[i].text);
  }
}

TEST(the_first_fault_stands_and_stops) {
  struct bench b;
  unsigned nop, bar, exit_pc, bra;
  two_warps(&b, &nop, &bar, &exit_pc, &bra);
  bench_issue(&b, 0, nop, 0);
  bench_issue(&b, 1, nop, ~0U);
  b.fe.iss1_pc = 99;
  unsigned t = bench_step(&b);
  bench_done(&b, 9);
  bench_step(&b);
  assert_int_equal(sm_fault(b.sm)->cycle, t);
  assert_false(sm_cta_ready(b.sm));
  expect(&b, SM_FAULT_PROTOCOL, "active mask");
}

TEST(descriptions_say_what_warps_wait_for) {
  struct bench b;
  bench_defaults(&b, 192);
  unsigned bar = bench_add(&b, word(ISA_BAR, 0, 0, 0, 0));
  unsigned bra = bench_add(&b, with_target(word(ISA_BRA, 0, 0, 0, 0), 0, 3));
  unsigned load = bench_add(&b, with_mods(word(ISA_LDG, 3, 1, 0, 0), 2));
  unsigned div = bench_add(&b, word(ISA_IDIV, 3, 1, 2, 0));
  bench_begin(&b);
  bench_cta(&b, 5);
  bench_one(&b, 1, bar);
  bench_one(&b, 3, load);
  bench_one(&b, 4, div);
  bench_run(&b, 8);
  bench_one(&b, 2, bra);
  char text[2048];
  int n = sm_describe(b.sm, text, sizeof text);
  assert_int_equal(n, strlen(text));
  static const char *const lines[] = {
      "warp 0 (CTA 5,0,0 slot 0, warp 0 of it): pc 0, lanes ffffffff, barriers 0, ",
      "barriers 0, waits for its issue\n",
      "warp 1 (CTA 5,0,0 slot 0, warp 1 of it): pc 0, lanes ffffffff, barriers 1, at a barrier\n",
      "waits for its branch or exit; oldest in flight: pc 1 ",
      "', issued 10 cycles ago, is in the memory system\n",
      "', issued 9 cycles ago, is in its pipeline\n",
      "warp 5 (CTA 5,0,0 slot 0, warp 5 of it)",
  };
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
    if (strstr(text, lines[i]) == NULL)
      fail_msg("no '%s' in:\n%s", lines[i], text);
  char small[40];
  assert_int_equal(sm_describe(b.sm, small, sizeof small), n);
  assert_int_equal(strlen(small), sizeof small - 1);
  bench_close(&b);
}

/* Retired instructions wait for the check in program order. */
TEST(instructions_are_taken_in_order) {
  struct bench b;
  bench_defaults(&b, 64);
  unsigned div = bench_add(&b, word(ISA_IDIV, 3, 1, 2, 0));
  unsigned add = bench_add(&b, word(ISA_IADD, 4, 1, 2, 0));
  bench_begin(&b);
  sm_set_checked(b.sm, true);
  bench_cta(&b, 0);
  assert_int_equal(sm_launched_warps(b.sm), 3);
  assert_int_equal(sm_launched_warps(b.sm), 0);
  bench_one(&b, 1, div);
  bench_one(&b, 1, add);
  bench_run(&b, 50);
  assert_int_equal(sm_retired_warps(b.sm), 0); /* the add has, behind the divide */
  assert_int_equal(sm_oldest(b.sm, 1)->pc, div);
  assert_int_equal(sm_oldest(b.sm, 1)->retired, 0);
  bench_run(&b, 120);
  assert_int_equal(sm_retired_warps(b.sm), 2);
  assert_int_equal(sm_oldest(b.sm, 1)->retired, 1);
  sm_take(b.sm, 1);
  assert_int_equal(sm_oldest(b.sm, 1)->pc, add);
  assert_int_equal(sm_oldest(b.sm, 1)->retired, 1);
  sm_take(b.sm, 1);
  assert_null(sm_oldest(b.sm, 1));
  bench_close(&b);
}

int main(void) { return test_run(NULL, NULL); }
