/* Values: read at collection, written at write-back, under guard and active mask. */
#include "tests/sm/bench.h"
#include "tests/test.h"

static const uint32_t *reg(const struct bench *b, unsigned warp, unsigned r) {
  return b->sm->regs[warp][r];
}

static void set(struct bench *b, unsigned warp, unsigned r, uint32_t first, uint32_t step) {
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
    b->sm->regs[warp][r][l] = first + step * l;
}

/* r3 = r1 + r2, then r5 = r3 + r4 after `gap` cycles: the old r3 until its write-back. */
static uint32_t dependent_sum(unsigned gap) {
  struct bench b;
  bench_defaults(&b, 32);
  unsigned first = bench_add(&b, word(ISA_IADD, 3, 1, 2, 0));
  unsigned second = bench_add(&b, word(ISA_IADD, 5, 3, 4, 0));
  bench_start(&b);
  set(&b, 0, 1, 10, 0);
  set(&b, 0, 2, 20, 0);
  set(&b, 0, 3, 1000, 0);
  set(&b, 0, 4, 5, 0);
  bench_one(&b, 0, first);
  bench_run(&b, gap - 1);
  bench_one(&b, 0, second);
  bench_run(&b, 20);
  assert_int_equal(reg(&b, 0, 3)[31], 30);
  uint32_t sum = reg(&b, 0, 5)[31];
  bench_close(&b);
  return sum;
}

/* Written at t + 7; a read of bank 3 in that cycle waits, so issues from t + 5 on see it. */
TEST(a_hazard_reads_a_stale_value) {
  for (unsigned gap = 1; gap < 10; gap++)
    assert_int_equal(dependent_sum(gap), gap >= 5 ? 35 : 1005);
}

/* A register overwritten after it was collected does not change what was collected. */
TEST(operands_are_read_at_collection) {
  struct bench b;
  bench_defaults(&b, 32);
  unsigned add = bench_add(&b, word(ISA_IADD, 3, 1, 2, 0));
  bench_start(&b);
  set(&b, 0, 1, 10, 0);
  set(&b, 0, 2, 20, 0);
  bench_one(&b, 0, add);
  bench_run(&b, 1);
  set(&b, 0, 1, 11, 0); /* before the collection of t + 2 */
  bench_run(&b, 1);
  set(&b, 0, 2, 99, 0); /* after it */
  bench_run(&b, 4);
  assert_int_equal(reg(&b, 0, 3)[0], 0); /* t + 6 */
  bench_run(&b, 1);
  assert_int_equal(reg(&b, 0, 3)[0], 31); /* t + 7 */
  bench_close(&b);
}

TEST(guard_and_mask_select_lanes) {
  struct bench b;
  bench_defaults(&b, 32);
  unsigned with = bench_add(&b, with_guard(with_imm(word(ISA_IADD, 3, 1, 0, 0), 7), 2));
  unsigned without = bench_add(&b, with_guard(with_imm(word(ISA_IADD, 4, 1, 0, 0), 7), 16 + 2));
  unsigned none = bench_add(&b, with_guard(with_imm(word(ISA_IADD, 6, 1, 0, 0), 7), 16 + ISA_PT));
  bench_start(&b);
  set(&b, 0, 1, 100, 1);
  b.sm->preds[0][2] = 0x0000ff0f;
  unsigned t = b.cycle;
  for (unsigned pc = 0; pc < 3; pc++) {
    bench_issue(&b, 0, pc, 0x00fffffc);
    bench_step(&b);
  }
  bench_run(&b, 20);
  for (unsigned l = 0; l < 32; l++) {
    bool active = 0x00fffffcU >> l & 1, p = 0x0000ff0fU >> l & 1;
    assert_int_equal(reg(&b, 0, 3)[l], active && p ? 107 + l : 0);
    assert_int_equal(reg(&b, 0, 4)[l], active && !p ? 107 + l : 0);
    assert_int_equal(reg(&b, 0, 6)[l], 0);
  }
  assert_true(bench_wb(&b, 0, 6, t) > 0); /* the scoreboard is released even so */
  (void)with;
  (void)without;
  (void)none;
  bench_close(&b);
}

TEST(predicates_are_written_under_the_mask) {
  struct bench b;
  bench_defaults(&b, 32);
  unsigned setp = bench_add(&b, with_imm(with_mods(word(ISA_ISETP, 3, 1, 0, 0), 2), 16)); /* lt */
  unsigned truth = bench_add(&b, with_imm(with_mods(word(ISA_ISETP, ISA_PT, 1, 0, 0), 2), 16));
  unsigned plop = bench_add(&b, word(ISA_PLOP, 4, 0, 3, 16 + 5)); /* p3 and not p5 */
  bench_start(&b);
  set(&b, 0, 1, 0, 1);
  b.sm->preds[0][3] = 0xf0000000;
  b.sm->preds[0][5] = 0x00000f00;
  bench_issue(&b, 0, setp, 0x0fffffff);
  unsigned t = bench_step(&b);
  bench_run(&b, 20);
  int at = bench_wb(&b, 0, 3, t);
  assert_int_equal(at, t + 3 + b.config.lat[ISA_L_SETP].latency);
  assert_true(ROWS_WRITE(&b.log[at], ROW_SP0).pred);
  assert_int_equal(ROWS_WRITE(&b.log[at], ROW_SP0).size, ISA_N_NONE);
  assert_int_equal(b.sm->preds[0][3], 0xf000ffff);
  t = bench_one(&b, 0, truth); /* discarded, but reported to the scoreboard */
  bench_run(&b, 20);
  at = bench_wb(&b, 0, ISA_PT, t);
  assert_int_equal(at, t + 3 + b.config.lat[ISA_L_SETP].latency);
  assert_true(ROWS_WRITE(&b.log[at], ROW_SP0).pred);
  assert_int_equal(b.sm->preds[0][ISA_PT], ~0U);
  bench_one(&b, 0, plop);
  bench_run(&b, 20);
  assert_int_equal(b.sm->preds[0][4], 0xf000f0ff);
  bench_close(&b);
}

TEST(pairs_and_quads_are_several_planes) {
  struct bench b;
  bench_defaults(&b, 32);
  unsigned ladd = bench_add(&b, word(ISA_LADD, 8, 2, 4, 0));
  unsigned load = bench_add(&b, with_mods(word(ISA_LDG, 12, 1, 0, 0), 2 | 2 << 3));
  bench_start(&b);
  set(&b, 0, 2, 0xffffffff, 0);
  set(&b, 0, 3, 1, 1);
  set(&b, 0, 4, 1, 0);
  set(&b, 0, 5, 10, 0);
  unsigned t = bench_one(&b, 0, ladd);
  bench_one(&b, 0, load);
  bench_run(&b, 60);
  assert_int_equal(ROWS_WRITE(&b.log[bench_wb(&b, 0, 8, t)], ROW_SP0).size, ISA_N_PAIR);
  assert_int_equal(reg(&b, 0, 8)[5], 0);
  assert_int_equal(reg(&b, 0, 9)[5], 1 + 5 + 10 + 1);
  assert_int_equal(ROWS_WRITE(&b.log[bench_wb(&b, 0, 12, t)], ROW_MEM).size, ISA_N_QUAD);
  for (unsigned k = 12; k < 16; k++)
    assert_int_equal(reg(&b, 0, k)[9], 1009);
  bench_close(&b);
}

static uint32_t special(struct bench *b, unsigned warp, unsigned number, unsigned lane) {
  static const unsigned dst = 20;
  unsigned pc = bench_add(b, word(ISA_MOVS, dst, 0, 0, 0) | (uint64_t)number << 32);
  b->kernel.end = (uint16_t)b->ncode;
  assert_true(sm_decode(b->sm));
  bench_one(b, warp, pc);
  bench_run(b, 12);
  return reg(b, warp, dst)[lane];
}

TEST(special_registers) {
  struct bench b;
  bench_defaults(&b, 105); /* 7 x 5 x 3 */
  b.grid.block[0] = 7;
  b.grid.block[1] = 5;
  b.grid.block[2] = 3;
  b.grid.dim[1] = 9;
  b.grid.id = 77;
  b.grid.sms = 16;
  b.grid.core_mhz = 7; /* a cycle takes 1000 / 7 ns */
  bench_add(&b, word(ISA_EXIT, 0, 0, 0, 0));
  bench_begin(&b);
  bench_cta(&b, 6);
  for (unsigned warp = 0; warp < 4; warp++) {
    unsigned lane = warp == 3 ? 8 : 30, thread = warp * 32 + lane;
    assert_int_equal(special(&b, warp, ISA_SR_TID_X, lane), thread % 7);
    assert_int_equal(special(&b, warp, ISA_SR_TID_Y, lane), thread / 7 % 5);
    assert_int_equal(special(&b, warp, ISA_SR_TID_Z, lane), thread / 35);
    assert_int_equal(special(&b, warp, ISA_SR_WARPID, lane), warp);
  }
  static const struct {
    unsigned number;
    uint32_t value; /* lane 5 of warp 1 */
  } uniform[] = {
      {ISA_SR_NTID_X, 7},
      {ISA_SR_NTID_Y, 5},
      {ISA_SR_NTID_Z, 3},
      {ISA_SR_CTAID_X, 6},
      {ISA_SR_CTAID_Y, 0},
      {ISA_SR_NCTAID_X, 100},
      {ISA_SR_NCTAID_Y, 9},
      {ISA_SR_LANEID, 5},
      {ISA_SR_NWARPID, 4},
      {ISA_SR_SMID, 3},
      {ISA_SR_NSMID, 16},
      {ISA_SR_GRIDID, 77},
      {ISA_SR_LANEMASK_EQ, 0x20},
      {ISA_SR_LANEMASK_LT, 0x1f},
      {ISA_SR_LANEMASK_LE, 0x3f},
      {ISA_SR_LANEMASK_GT, 0xffffffc0},
      {ISA_SR_LANEMASK_GE, 0xffffffe0},
      {ISA_SR_SHARED_BASE, ISA_SHARED_WINDOW},
      {ISA_SR_LOCAL_BASE, ISA_LOCAL_WINDOW},
      {ISA_SREG_PARAM + 2, 0x102},
  };
  for (size_t i = 0; i < sizeof uniform / sizeof uniform[0]; i++)
    assert_int_equal(special(&b, 1, uniform[i].number, 5), uniform[i].value);
  unsigned before = b.cycle;
  uint32_t clock = special(&b, 0, ISA_SR_CLOCK, 0);
  assert_int_equal(clock, before + 3); /* when it starts */
  before = b.cycle;
  assert_int_equal(special(&b, 0, ISA_SR_GLOBALTIMER, 0), (before + 3) * 1000 / 7);
  assert_int_equal(special(&b, 0, ISA_SR_GLOBALTIMERHI, 0), 0);
  bench_close(&b);
}

/* A stencil processing unit gives each CTA registers of its own, which are 0 at its launch. */
TEST(registers_of_a_stencil_processing_unit) {
  static const struct grid_spu spu = {.columns = 4, .rows = 4};
  struct bench b;
  bench_defaults(&b, 32);
  b.grid.spu = &spu;
  bench_add(&b, word(ISA_EXIT, 0, 0, 0, 0));
  bench_start(&b);
  bench_cta(&b, 1);
  for (unsigned i = 0; i < ISA_SPU_SREGS; i++) {
    sm_spu_registers(b.sm, 0)[i] = 100 + i;
    assert_int_equal(special(&b, 1, ISA_SR_REGVIU + i, 3), 0);
    sm_spu_registers(b.sm, 1)[i] = 200 + i;
    assert_int_equal(special(&b, 0, ISA_SR_REGVIU + i, 0), 100 + i);
    assert_int_equal(special(&b, 1, ISA_SR_REGVIU + i, 31), 200 + i);
  }
  sm_spu_registers(b.sm, 1)[0] = 7; /* as it is now */
  assert_int_equal(special(&b, 1, ISA_SR_REGVIU, 0), 7);
  b.sm->warp[0].lanes = 0;
  bench_done(&b, 0);
  bench_run(&b, 2);
  bench_cta(&b, 2);
  assert_int_equal(special(&b, 0, ISA_SR_REGFACE, 0), 0);
  bench_close(&b);
}

/* Registers of a warp are 0 at its launch, whoever had them before. */
TEST(registers_start_at_zero) {
  struct bench b;
  bench_defaults(&b, 32);
  bench_add(&b, word(ISA_EXIT, 0, 0, 0, 0));
  bench_begin(&b);
  set(&b, 0, 7, 5, 5);
  b.sm->preds[0][3] = 9;
  bench_cta(&b, 0);
  assert_int_equal(reg(&b, 0, 7)[3], 0);
  assert_int_equal(b.sm->preds[0][3], 0);
  assert_int_equal(b.sm->preds[0][ISA_PT], ~0U);
  bench_close(&b);
}

int main(void) { return test_run(NULL, NULL); }
