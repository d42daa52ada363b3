/* Shapes of an SM: the CTAs that fit, the warps that they take, and the way back. */
#include "tests/sm/bench.h"
#include "tests/test.h"

enum { REGISTERS = 16384 }; /* of a side */

static struct grid grid_of(const struct isa_kernel *kernel, uint32_t threads, uint32_t shared) {
  return (struct grid){
      .kernel = kernel, .threads = threads, .warps = (threads + 31) / 32, .shared_bytes = shared};
}

/* The shapes of SMs with 24 warps of their own that borrow nothing, all or half of a neighbour's
 * contexts, and of pairs of such SMs without and with the neighbour's contexts. */
enum { BASE, WHOLE, HALF, PAIR, PAIR_WHOLE, SHAPES };

static struct sm_shape shape_of(unsigned kind, const struct grid *g) {
  static const uint32_t threads[] = {768, 1536, 1152, 1536, 3072};
  static const uint32_t shared[] = {16384, 32768, 24576, 32768, 32768};
  struct sm_shape s = {.threads = threads[kind],
                       .shared_bytes = shared[kind],
                       .pair = kind >= PAIR,
                       .warps = sm_side_warps(g, kind == PAIR_WHOLE ? 48 : 24, REGISTERS)};
  if (kind == WHOLE)
    s.warps |= sm_side_warps(g, 24, REGISTERS) << SM_SIDE1;
  if (kind == HALF)
    s.warps |= sm_side_warps(g, 12, REGISTERS / 2) << SM_SIDE1;
  return s;
}

static unsigned fit(unsigned kind, uint32_t threads, uint32_t regs, uint32_t bytes, bool apart,
                    struct tandem_error *err) {
  struct sm_config config;
  sm_config_default(&config);
  const struct isa_kernel kernel = {.regs = regs};
  const struct grid g = grid_of(&kernel, threads, bytes);
  struct sm_shape s = shape_of(kind, &g);
  s.whole_sides = apart;
  return sm_shape_occupancy(&config, &s, &g, err);
}

TEST(a_side_has_the_lowest_warps_that_registers_allow) {
  static const struct {
    uint32_t regs, registers;
    unsigned warps, allowed;
  } cases[] = {{10, REGISTERS, 24, 24}, {21, REGISTERS, 24, 23},    {32, REGISTERS, 24, 16},
               {33, REGISTERS, 24, 15}, {33, REGISTERS / 2, 12, 7}, {10, REGISTERS, 48, 48},
               {11, REGISTERS, 48, 42}, {63, REGISTERS / 2, 12, 4}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const struct isa_kernel kernel = {.regs = cases[i].regs};
    const struct grid g = grid_of(&kernel, 32, 0);
    assert_int_equal(sm_side_warps(&g, cases[i].warps, cases[i].registers),
                     SM_BIT(cases[i].allowed) - 1);
  }
}

/* CTAs of an SM by each resource and shape. */
TEST(ctas_that_fit_a_shape) {
  static const struct {
    uint32_t threads, regs, shared;
    unsigned fit[SHAPES];
  } cases[] = {
      {64, 8, 0, {8, 8, 8, 8, 8}},     {128, 8, 0, {6, 8, 8, 8, 8}},
      {192, 8, 0, {4, 8, 6, 8, 8}},    {256, 8, 0, {3, 6, 4, 6, 8}},
      {512, 8, 0, {1, 3, 2, 3, 6}},    {768, 8, 0, {1, 2, 1, 2, 4}},
      {96, 8, 0, {8, 8, 8, 8, 8}},     {800, 8, 0, {0, 1, 1, 1, 3}},
      {192, 33, 0, {2, 5, 3, 5, 5}}, /* 15 warps of a side, 7 of half of one */
      {192, 34, 0, {2, 5, 3, 5, 5}},   {512, 32, 0, {1, 2, 1, 2, 2}},
      {96, 40, 0, {4, 8, 6, 6, 6}},    {64, 8, 4096, {4, 8, 6, 8, 8}},
      {64, 8, 4097, {3, 7, 5, 7, 7}},  {64, 8, 20480, {0, 1, 1, 1, 1}},
      {64, 8, 32769, {0, 0, 0, 0, 0}}, {1024, 8, 0, {0, 1, 1, 1, 3}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (unsigned kind = 0; kind < SHAPES; kind++) {
      struct tandem_error err = {{0}};
      assert_int_equal(fit(kind, cases[i].threads, cases[i].regs, cases[i].shared, false, &err),
                       cases[i].fit[kind]);
      assert_int_equal(err.text[0] != '\0', cases[i].fit[kind] == 0);
    }
}

TEST(an_error_names_the_resource) {
  static const struct {
    uint32_t threads, regs, shared;
    bool apart;
    const char *text;
  } cases[] = {
      {800, 8, 0, false, "a CTA needs 800 threads, an SM has 768"},
      {64, 8, 20000, false, "a CTA needs 20096 bytes of shared memory, an SM has 16384"},
      {544, 32, 0, false,
       "a CTA needs 17 warps of 32 registers a thread, an SM has registers for 16"},
      {544, 32, 0, true,
       "a CTA needs 17 warps of 32 registers a thread, an SM has registers for 16 on one side"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct tandem_error err = {{0}};
    assert_int_equal(
        fit(BASE, cases[i].threads, cases[i].regs, cases[i].shared, cases[i].apart, &err), 0);
    assert_string_equal(err.text, cases[i].text);
  }
}

/* A CTA that must stay on one side gains nothing where it does not divide the side. */
TEST(ctas_on_one_side) {
  static const struct {
    unsigned kind;
    uint32_t threads, regs;
    unsigned any, apart;
  } cases[] = {{WHOLE, 512, 8, 3, 2}, {WHOLE, 192, 33, 5, 4}, {HALF, 192, 33, 3, 3},
               {HALF, 512, 8, 2, 1},  {WHOLE, 64, 8, 8, 8},   {HALF, 320, 8, 3, 3}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (unsigned apart = 0; apart < 2; apart++)
      assert_int_equal(fit(cases[i].kind, cases[i].threads, cases[i].regs, 0, apart, NULL),
                       apart ? cases[i].apart : cases[i].any);
}

/* Launches CTAs until there is no room; returns the warps of the last one. */
static uint64_t last_of(const struct sm_shape *shape, unsigned threads, unsigned ctas) {
  struct bench b;
  bench_defaults(&b, threads);
  b.shape = shape;
  bench_add(&b, word(ISA_EXIT, 0, 0, 0, 0));
  bench_begin(&b);
  for (unsigned i = 0; i < ctas; i++)
    bench_cta(&b, i);
  assert_false(sm_cta_ready(b.sm));
  const uint64_t warps = b.sm->cta[ctas - 1].warps;
  bench_close(&b);
  return warps;
}

/* CTAs of five warps on 12 + 12, or 7 + 5, usable ones: the lowest free ones, over both sides. */
TEST(a_cta_takes_the_lowest_usable_warps) {
  struct sm_shape s = {.warps = 0xfff | UINT64_C(0xfff) << SM_SIDE1,
                       .threads = 1536,
                       .shared_bytes = 1024,
                       .far = SM_FAR_WHOLE,
                       .operand_planes = 3,
                       .memory_planes = 1};
  assert_int_equal(last_of(&s, 160, 4), UINT64_C(0xf8) << SM_SIDE1);
  s.threads = 480; /* three */
  assert_int_equal(last_of(&s, 160, 3), 0xc00 | UINT64_C(7) << SM_SIDE1);
  s.whole_sides = true;
  assert_int_equal(last_of(&s, 160, 3), UINT64_C(0x1f) << SM_SIDE1);
  s.threads = 1536;
  assert_int_equal(last_of(&s, 160, 4), UINT64_C(0x3e0) << SM_SIDE1);
  s.warps = 0x7f | UINT64_C(0x1f) << SM_SIDE1;
  assert_int_equal(last_of(&s, 160, 2), UINT64_C(0x1f) << SM_SIDE1);
  s.whole_sides = false;
  assert_int_equal(last_of(&s, 160, 2), 0x60 | UINT64_C(7) << SM_SIDE1);
}

/* After a launch with two sides the SM is as before. */
TEST(a_shape_is_taken_back) {
  static const struct sm_shape shape = {.warps = 1 | UINT64_C(1) << SM_SIDE1,
                                        .threads = 64,
                                        .shared_bytes = 0,
                                        .delay = 2,
                                        .far = SM_FAR_WHOLE,
                                        .operand_planes = 1,
                                        .memory_planes = 1};
  struct bench b;
  bench_defaults(&b, 64);
  unsigned add = bench_add(&b, word(ISA_IADD, 3, 1, 2, 0));
  unsigned exit = bench_add(&b, word(ISA_EXIT, 0, 0, 0, 0));
  bench_begin(&b);
  for (unsigned launch = 0; launch < 3; launch++) {
    const bool shaped = launch == 1;
    sm_set_shape(b.sm, shaped ? &shape : NULL);
    sm_begin(b.sm, &b.grid);
    bench_step(&b);
    bench_cta(&b, 0);
    const unsigned other = shaped ? SM_SIDE1 : 1;
    assert_int_equal(b.sm->live, SM_BIT(0) | SM_BIT(other));
    unsigned t = bench_one(&b, 0, add);
    bench_run(&b, 20);
    assert_int_equal(bench_wb(&b, 0, 3, t), t + 3 + (shaped ? 4 : 0) + 4);
    for (unsigned i = 0; i < 2; i++) {
      bench_one(&b, i * other, exit);
      bench_run(&b, 10);
      bench_done(&b, i * other);
      bench_step(&b);
    }
    bench_run(&b, 2);
    assert_true(sm_idle(b.sm));
  }
  bench_close(&b);
}

int main(void) { return test_run(NULL, NULL); }
