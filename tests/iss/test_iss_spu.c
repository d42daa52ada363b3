/* The check of programs for a stencil processing unit: block synchronisation, accesses to
 * communication buffers, special registers. */
#include "csim/iss/iss.h"
#include "harness/gpu/core/check.h"
#include "tests/sm/bench.h"
#include "tests/test.h"

enum { WAIT = 60, CTA = 11, COLUMNS = 4, ROWS = 2, SPILLS = 9 };

/* The program's PCs. */
enum {
  WEST,    /* r1 = 0x01200000: the west buffer */
  SYNC,    /* r2 = synchronisation with west */
  WAITER,  /* r2 = r2 */
  LOAD,    /* r3 = load of it */
  GENERIC, /* r5 = the same by a generic address */
  ADDRESS, /* r4 = 0x01300000: the east buffer */
  STORE,   /* r2 to it, which is 0 */
  REGISTERS,
  END = REGISTERS + ISA_SPU_SREGS
};

static void program(struct bench *b) {
  static const struct grid_spu spu = {.columns = COLUMNS, .rows = ROWS, .spills = SPILLS};
  bench_defaults(b, 32);
  b->mem.latency = 10;
  b->grid.dim[1] = 5;
  b->grid.spu = &spu;
  b->config.cb_bytes = 4096;
  b->config.cb_latency = 28;
  bench_add(b, movi(1, 0x01200000));
  bench_add(b, word(ISA_BSYNC, 2, 0, 0, 0) | (uint64_t)ISA_DIR_WEST << 32);
  bench_add(b, word(ISA_MOV, 2, 2, 0, 0));
  bench_add(b, with_mods(word(ISA_LDS, 3, 1, 0, 0) | UINT64_C(8) << 32, 2));
  bench_add(b, with_mods(word(ISA_LDGEN, 5, 1, 0, 0), 2));
  bench_add(b, movi(4, 0x01300000));
  bench_add(b, with_mods(word(ISA_STS, 0, 4, 2, 0), 2));
  for (unsigned i = 0; i < ISA_SPU_SREGS; i++)
    bench_add(b, word(ISA_MOVS, 10 + i, 0, 0, 0) | (uint64_t)(ISA_SR_REGVIU + i) << 32);
  bench_add(b, word(ISA_EXIT, 0, 0, 0, 0));
}

/* Values of the registers: the first five are those that follow, the others any. */
static const uint32_t values[ISA_SPU_SREGS] = {
    [ISA_SR_REGPASSX - ISA_SR_REGVIU] = 100 / COLUMNS,
    [ISA_SR_REGPASSY - ISA_SR_REGVIU] = 3, /* of 5 rows, the last is not full */
    [ISA_SR_REGCPASSX - ISA_SR_REGVIU] = CTA / COLUMNS,
    [ISA_SR_REGCPASSY - ISA_SR_REGVIU] = 0,
    [ISA_SR_REGSPILLNB - ISA_SR_REGVIU] = SPILLS,
    [ISA_SR_REGROLE - ISA_SR_REGVIU] = 1,
    [ISA_SR_REGSPILL - ISA_SR_REGVIU] = 0x1000,
};

typedef void corrupt_fn(struct sm_inst *inst);

static struct iss *begin(struct bench *b) {
  program(b);
  bench_begin(b);
  sm_set_checked(b->sm, true);
  struct iss *iss = iss_create(3, b->pages, NULL);
  assert_non_null(iss);
  iss_begin(iss, &b->grid);
  bench_cta(b, CTA);
  iss_cta(iss, CTA, true);
  memcpy(sm_spu_registers(b->sm, 0), values, sizeof values);
  return iss;
}

/* Runs the program on one warp; the instruction at `pc` is corrupted after it has retired. */
static bool run(struct bench *b, struct iss *iss, unsigned pc, corrupt_fn *corrupt) {
  for (unsigned i = 0; i <= END; i++) {
    bench_issue(b, 0, i, ~0U);
    bench_run(b, WAIT);
    if (sm_fault(b->sm)->kind != SM_FAULT_NONE)
      fail_msg("%s", sm_fault(b->sm)->text);
    if (i == pc && corrupt != NULL)
      corrupt(sm_oldest(b->sm, 0));
    if (!check_retired(iss, b->sm))
      return false;
  }
  return true;
}

TEST(a_right_stream_passes) {
  struct bench b;
  struct iss *iss = begin(&b);
  assert_true(run(&b, iss, 0, NULL));
  assert_true(iss_finish(iss));
  assert_int_equal(iss_checked(iss), END + 1);
  for (unsigned i = 0; i < ISA_SPU_SREGS; i++)
    assert_int_equal(b.sm->regs[0][10 + i][31], values[i]);
  bench_close(&b);
}

static void bad_value(struct sm_inst *i) { i->d[0][19] += 1; }
static void bad_address(struct sm_inst *i) { i->addr[7] += 4; }
static void bad_data(struct sm_inst *i) { i->b[0][31] += 1; }
static void bad_exec(struct sm_inst *i) { i->exec ^= 0x10; }
/* The check goes on with a value that it takes. */
static void other_value(struct sm_inst *i) { i->d[0][19] = 77; }

TEST(each_corruption_is_caught) {
  static const struct {
    unsigned pc;
    corrupt_fn *corrupt;
    const char *what;
    unsigned lane;
  } cases[] = {
      {SYNC, bad_value, "r2", 19},
      {SYNC, bad_exec, "mask of executing lanes", 0},
      {WAITER, bad_value, "r2", 19},
      {LOAD, bad_address, "address", 7},
      {GENERIC, bad_address, "address", 7},
      {STORE, bad_address, "address", 7},
      {STORE, bad_data, "store data", 31},
      {REGISTERS + ISA_SR_REGPASSX - ISA_SR_REGVIU, bad_value, "r14", 19},
      {REGISTERS + ISA_SR_REGPASSY - ISA_SR_REGVIU, bad_value, "r15", 19},
      {REGISTERS + ISA_SR_REGCPASSX - ISA_SR_REGVIU, bad_value, "r16", 19},
      {REGISTERS + ISA_SR_REGCPASSY - ISA_SR_REGVIU, bad_value, "r17", 19},
      {REGISTERS + ISA_SR_REGSPILLNB - ISA_SR_REGVIU, bad_value, "r18", 19},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct bench b;
    struct iss *iss = begin(&b);
    assert_false(run(&b, iss, cases[i].pc, cases[i].corrupt));
    assert_string_equal(iss_mismatch(iss)->what, cases[i].what);
    assert_int_equal(iss_mismatch(iss)->pc, cases[i].pc);
    assert_int_equal(iss_mismatch(iss)->lane, cases[i].lane);
    bench_close(&b);
  }
}

/* Roles and progress are the machine's to say, as what a load returns. */
TEST(values_of_the_machine_are_taken) {
  static const unsigned taken[] = {ISA_SR_REGVIU,   ISA_SR_REGIUDIR,    ISA_SR_REGLAST,
                                   ISA_SR_IUID,     ISA_SR_REGCSPILLNB, ISA_SR_REGROLE,
                                   ISA_SR_REGSPILL, ISA_SR_REGFACE};
  struct bench b;
  struct iss *iss = begin(&b);
  assert_true(run(&b, iss, LOAD, other_value));
  bench_close(&b);
  for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
    iss = begin(&b);
    assert_true(run(&b, iss, REGISTERS + taken[i] - ISA_SR_REGVIU, other_value));
    assert_true(iss_finish(iss));
    bench_close(&b);
  }
}

int main(void) { return test_run(NULL, NULL); }
