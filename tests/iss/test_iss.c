/* The check lets right streams pass and catches each kind of wrong one. */
#include "csim/iss/iss.h"
#include "csim/iss/stack.h"
#include "harness/gpu/core/check.h"
#include "tests/sm/bench.h"
#include "tests/test.h"

enum { ALL = -1, LOW = 0xffff, HIGH = -0x10000, WAIT = 60 };

/* The program's PCs. */
enum {
  COUNT,  /* r20 = r20 + 1, r20 being 0 at the start */
  TOGGLE, /* p9 = !p9, p9 being 0 at the start */
  LANE,   /* r1 = lane */
  LESS,   /* p1 = r1 < 16 */
  SPLIT,  /* if p1 go to SQUARE, meet at JOIN */
  ADD,    /* r2 = r1 + 100 */
  LEAVE,  /* go to JOIN */
  SQUARE, /* r2 = r1 * r1 */
  NEXT,   /* r2 = r2 + 1 */
  JOIN,   /* r4, r5 = load */
  STORE,  /* two words */
  SWAP,   /* r9 = cas [r1], r2, r4 */
  BYTE,   /* r10 = load of a signed byte */
  WIDE,   /* r12 = r2 + r4, pairs */
  VOTE,   /* p3 = any p1 */
  COPY,   /* r16 = r1 */
  FAR,    /* r18 = load by a 64-bit address */
  CLOCK,  /* r11 = clock */
  QUIT,   /* if p1 exit */
  BARRIER,
  LAST, /* r14 = r1 */
  END   /* exit */
};

static void program(struct bench *b) {
  bench_defaults(b, 32);
  b->mem.latency = 10;
  b->mem.value = 0x20; /* what a signed byte may be */
  const uint64_t words[] = {
      [COUNT] = with_imm(word(ISA_IADD, 20, 20, 0, 0), 1),
      [TOGGLE] = with_mods(word(ISA_PLOP, 9, 0, 16 + 9, 0), 3),
      [LANE] = word(ISA_MOVS, 1, 0, 0, 0) | (uint64_t)ISA_SR_LANEID << 32,
      [LESS] = with_mods(with_imm(word(ISA_ISETP, 1, 1, 0, 0), 16), 2),
      [SPLIT] = with_guard(with_target(word(ISA_BRA, 0, 0, 0, 0), SQUARE, JOIN), 1),
      [ADD] = with_imm(word(ISA_IADD, 2, 1, 0, 0), 100),
      [LEAVE] = with_target(word(ISA_BRA, 0, 0, 0, 0), JOIN, JOIN),
      [SQUARE] = word(ISA_MUL, 2, 1, 1, 0),
      [NEXT] = with_imm(word(ISA_IADD, 2, 2, 0, 0), 1),
      [JOIN] = with_mods(word(ISA_LDG, 4, 1, 0, 0) | UINT64_C(8) << 32, 2 | 1 << 3),
      [STORE] = with_mods(word(ISA_STG, 0, 1, 2, 0) | UINT64_C(0xfffc) << 32, 2 | 1 << 3),
      [SWAP] = word(ISA_ACAS, 9, 1, 2, 4),
      [BYTE] = with_mods(word(ISA_LDS, 10, 1, 0, 0), 0 | 1 << 2),
      [WIDE] = word(ISA_LADD, 12, 2, 4, 0),
      [VOTE] = with_mods(word(ISA_VOTE, 3, 0, 1, 0), 1),
      [COPY] = word(ISA_MOV, 16, 1, 0, 0),
      [FAR] = with_mods(word(ISA_LDG, 18, 16, 0, 0), 2 | ISA_MOD_A64),
      [CLOCK] = word(ISA_MOVS, 11, 0, 0, 0) | (uint64_t)ISA_SR_CLOCK << 32,
      [QUIT] = with_guard(word(ISA_EXIT, 0, 0, 0, 0), 1),
      [BARRIER] = word(ISA_BAR, 0, 0, 0, 0),
      [LAST] = word(ISA_MOV, 14, 1, 0, 0),
      [END] = word(ISA_EXIT, 0, 0, 0, 0),
  };
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    assert_null(isa_check(words[i]));
    bench_add(b, words[i]);
  }
}

struct step {
  int pc, mask;
};
static const struct step right[] = {
    {COUNT, ALL}, {TOGGLE, ALL},   {LANE, ALL},   {LESS, ALL}, {SPLIT, ALL}, {SQUARE, LOW},
    {NEXT, LOW},  {ADD, HIGH},     {LEAVE, HIGH}, {JOIN, ALL}, {STORE, ALL}, {SWAP, ALL},
    {BYTE, ALL},  {WIDE, ALL},     {VOTE, ALL},   {COPY, ALL}, {FAR, ALL},   {CLOCK, ALL},
    {QUIT, ALL},  {BARRIER, HIGH}, {LAST, HIGH},  {END, HIGH}};
enum { STEPS = sizeof right / sizeof right[0] };

typedef void corrupt_fn(struct sm *sm, struct sm_inst *inst);

/* Runs the steps on one warp; the instruction at `pc` is corrupted after it has retired.  False:
 * the check stopped. */
static bool run(struct bench *b, struct iss *iss, const struct step *steps, unsigned n, int pc,
                corrupt_fn *corrupt) {
  for (unsigned i = 0; i < n; i++) {
    bench_issue(b, 0, (unsigned)steps[i].pc, (uint32_t)steps[i].mask);
    bench_run(b, WAIT);
    if (sm_fault(b->sm)->kind != SM_FAULT_NONE)
      fail_msg("%s", sm_fault(b->sm)->text);
    if (steps[i].pc == pc && corrupt != NULL) {
      assert_true(sm_oldest(b->sm, 0)->retired);
      corrupt(b->sm, sm_oldest(b->sm, 0));
    }
    if (!check_retired(iss, b->sm))
      return false;
  }
  return true;
}

static struct iss *begin(struct bench *b) {
  program(b);
  bench_begin(b);
  sm_set_checked(b->sm, true);
  struct iss *iss = iss_create(3, b->pages, NULL);
  assert_non_null(iss);
  iss_begin(iss, &b->grid);
  bench_cta(b, 0);
  iss_cta(iss, 0, true);
  return iss;
}

TEST(a_right_stream_passes) {
  struct bench b;
  struct iss *iss = begin(&b);
  assert_true(run(&b, iss, right, STEPS, -1, NULL));
  assert_true(iss_finish(iss));
  assert_false(iss_mismatch(iss)->any);
  assert_int_equal(iss_checked(iss), STEPS);
  bench_close(&b);
}

static void bad_pc(struct sm *sm, struct sm_inst *i) { (void)sm, i->pc++; }
static void bad_active(struct sm *sm, struct sm_inst *i) { (void)sm, i->active ^= 0x10; }
static void bad_exec(struct sm *sm, struct sm_inst *i) { (void)sm, i->exec ^= 0x10; }
static void bad_value(struct sm *sm, struct sm_inst *i) { (void)sm, i->d[0][19] ^= 1U << 31; }
static void bad_upper(struct sm *sm, struct sm_inst *i) { (void)sm, i->d[1][19] ^= 1; }
static void bad_pred(struct sm *sm, struct sm_inst *i) { (void)sm, i->pred ^= 0x100; }
static void bad_address(struct sm *sm, struct sm_inst *i) { (void)sm, i->addr[7] += 4; }
static void bad_data(struct sm *sm, struct sm_inst *i) { (void)sm, i->b[0][31] += 1; }
static void bad_data_2(struct sm *sm, struct sm_inst *i) { (void)sm, i->b[1][31] += 1; }
static void bad_far(struct sm *sm, struct sm_inst *i) { (void)sm, i->a[1][6] = 1; }
static void bad_swap(struct sm *sm, struct sm_inst *i) { (void)sm, i->c[0][2] += 1; }
static void bad_byte(struct sm *sm, struct sm_inst *i) { (void)sm, i->d[0][2] = 0x80; }
static void bad_word(struct sm *sm, struct sm_inst *i) {
  (void)sm;
  i->uop = &sm->grid->uops[ADD];
}
/* Not in the record, but in the machine: the next reader is wrong. */
static void bad_register(struct sm *sm, struct sm_inst *i) { sm->regs[i->warp][1][3] += 1; }
static void bad_predicate(struct sm *sm, struct sm_inst *i) { sm->preds[i->warp][1] ^= 2; }

TEST(each_corruption_is_caught) {
  static const struct {
    int pc;
    corrupt_fn *corrupt;
    const char *what;
    uint8_t lane;
    int found_at; /* PC */
  } cases[] = {
      {LANE, bad_pc, "pc", 0, LANE},
      {NEXT, bad_pc, "pc", 0, NEXT},
      {LANE, bad_active, "active mask", 0, LANE},
      {JOIN, bad_active, "active mask", 0, JOIN},
      {ADD, bad_exec, "mask of executing lanes", 0, ADD},
      {ADD, bad_value, "r2", 19, ADD},
      {LANE, bad_value, "r1", 19, LANE},
      {WIDE, bad_value, "r12", 19, WIDE},
      {WIDE, bad_upper, "r13", 19, WIDE},
      {LESS, bad_pred, "p1", 0, LESS},
      {VOTE, bad_pred, "p3", 0, VOTE},
      {SPLIT, bad_pred, "mask of taken lanes", 0, SPLIT},
      {QUIT, bad_pred, "mask of exiting lanes", 0, QUIT},
      {JOIN, bad_address, "address", 7, JOIN},
      {STORE, bad_address, "address", 7, STORE},
      {STORE, bad_data, "store data", 31, STORE},
      {STORE, bad_data_2, "store data", 31, STORE},
      {SWAP, bad_data, "store data", 31, SWAP},
      {SWAP, bad_swap, "swap data", 2, SWAP},
      {FAR, bad_far, "upper half of the address", 6, FAR},
      {FAR, bad_address, "address", 7, FAR},
      {BYTE, bad_byte, "extension of the loaded value", 2, BYTE},
      {LAST, bad_word, "instruction word", 0, LAST},
      {LANE, bad_register, "r2", 3, SQUARE},
      {LESS, bad_register, "r2", 3, SQUARE},
      {LESS, bad_predicate, "mask of executing lanes", 0, SPLIT},
      {SWAP, bad_register, "address", 3, BYTE},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct bench b;
    struct iss *iss = begin(&b);
    bool passed = run(&b, iss, right, STEPS, cases[i].pc, cases[i].corrupt);
    const struct iss_mismatch *m = iss_mismatch(iss);
    if (passed)
      fail_msg("case %zu passed", i);
    assert_string_equal(m->what, cases[i].what);
    assert_int_equal(m->pc, cases[i].found_at);
    assert_int_equal(m->lane, cases[i].lane);
    assert_true(m->expected != m->got);
    assert_false(check_retired(iss, b.sm)); /* and it stays found */
    assert_false(iss_finish(iss));
    bench_close(&b);
  }
}

TEST(differences_of_inactive_lanes_are_none) {
  struct bench b;
  struct iss *iss = begin(&b);
  assert_true(run(&b, iss, right, STEPS, SQUARE, bad_value)); /* lane 19 does not run it */
  assert_true(iss_finish(iss));
  bench_close(&b);
}

#define BEGIN                                                                                      \
  {COUNT, ALL}, {TOGGLE, ALL}, {LANE, ALL}, {LESS, ALL}, { SPLIT, ALL }

/* Streams whose values are right but whose order is not. */
TEST(wrong_orders_are_caught) {
  static const struct {
    struct step steps[10];
    const char *what;
    uint64_t expected, got;
  } cases[] = {
      {{{COUNT, ALL}, {LANE, ALL}}, "pc", TOGGLE, LANE},
      {{{LESS, ALL}}, "pc", COUNT, LESS},
      {{{COUNT, ALL}, {COUNT, ALL}}, "pc", TOGGLE, COUNT},
      {{BEGIN, {ADD, HIGH}}, "pc", SQUARE, ADD},
      {{BEGIN, {SQUARE, ALL}}, "active mask", LOW, 0xffffffff},
      {{BEGIN, {SQUARE, LOW}, {NEXT, LOW}, {JOIN, LOW}}, "pc", ADD, JOIN},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct bench b;
    struct iss *iss = begin(&b);
    unsigned n = 0;
    while (n < 10 && cases[i].steps[n].mask != 0)
      n++;
    assert_false(run(&b, iss, cases[i].steps, n, -1, NULL));
    assert_string_equal(iss_mismatch(iss)->what, cases[i].what);
    assert_int_equal(iss_mismatch(iss)->expected, cases[i].expected);
    assert_int_equal(iss_mismatch(iss)->got, cases[i].got);
    assert_int_equal(iss_checked(iss), n - 1);
    bench_close(&b);
  }
}

TEST(a_missing_end_is_caught) {
  struct bench b;
  struct iss *iss = begin(&b);
  assert_true(run(&b, iss, right, STEPS - 1, -1, NULL));
  assert_false(iss_finish(iss));
  assert_string_equal(
      iss_mismatch(iss)->text,
      "the machine has ended the warp, but lanes 0xffff0000 have not executed exit");
  assert_int_equal(iss_mismatch(iss)->pc, END);
  bench_close(&b);

  /* The machine ends the warp and starts another one on it. */
  iss = begin(&b);
  assert_true(run(&b, iss, right, STEPS - 1, -1, NULL));
  b.sm->warp[0].lanes = 0;
  bench_done(&b, 0);
  bench_run(&b, 2);
  assert_true(sm_idle(b.sm));
  bench_cta(&b, 1);
  iss_cta(iss, 1, true);
  assert_false(check_retired(iss, b.sm));
  assert_string_equal(
      iss_mismatch(iss)->text,
      "the machine has ended the warp, but lanes 0xffff0000 have not executed exit");
  bench_close(&b);
}

/* A warp slot is used again: nothing of the first one stays. */
TEST(a_second_warp_starts_afresh) {
  struct bench b;
  struct iss *iss = begin(&b);
  for (unsigned round = 0; round < 2; round++) {
    assert_true(run(&b, iss, right, STEPS, -1, NULL));
    bench_done(&b, 0);
    bench_run(&b, 2);
    if (round == 0) {
      bench_cta(&b, 1);
      iss_cta(iss, 1, true);
    }
  }
  assert_true(iss_finish(iss));
  assert_int_equal(iss_checked(iss), 2 * STEPS);
  bench_close(&b);
}

static void at(const struct iss_stack *s, uint16_t pc, uint32_t mask) {
  assert_true(s->n != 0);
  assert_int_equal(iss_stack_pc(s), pc);
  assert_int_equal(iss_stack_mask(s), mask);
}

TEST(the_stack_reconverges) {
  struct iss_stack s;
  /* A loop whose lanes leave one after the other does not nest deeper. */
  iss_stack_start(&s, 0, 0xff);
  for (unsigned i = 0; i < 7; i++) {
    at(&s, 0, (0xffU << i) & 0xff);
    assert_true(iss_stack_branch(&s, (0xfeU << i) & 0xff, 0, 1)); /* others go on behind it */
    assert_true(s.n <= 2);
  }
  at(&s, 0, 0x80);
  assert_true(iss_stack_branch(&s, 0, 0, 1));
  at(&s, 1, 0xff);

  /* An if within an if that meets at the same place. */
  iss_stack_start(&s, 0, 0xf);
  assert_true(iss_stack_branch(&s, 0x3, 10, 20));
  at(&s, 10, 0x3);
  assert_true(iss_stack_branch(&s, 0x1, 15, 20));
  at(&s, 15, 0x1);
  assert_true(iss_stack_branch(&s, 0x1, 20, 20));
  at(&s, 11, 0x2);
  assert_true(iss_stack_branch(&s, 0x2, 20, 20));
  at(&s, 1, 0xc);
  assert_true(iss_stack_branch(&s, 0xc, 20, 20));
  at(&s, 20, 0xf);

  /* Lanes end on one path: the others run, and only they meet. */
  iss_stack_start(&s, 0, 0xf);
  assert_true(iss_stack_branch(&s, 0x3, 10, 20));
  iss_stack_exit(&s, 0x1);
  at(&s, 11, 0x2);
  iss_stack_exit(&s, 0x2);
  at(&s, 1, 0xc);
  assert_true(iss_stack_branch(&s, 0xc, 20, 20));
  at(&s, 20, 0xc);
  iss_stack_exit(&s, 0xc);
  assert_int_equal(s.n, 0);

  /* Paths that never meet run to their ends. */
  iss_stack_start(&s, 0, 0xf);
  assert_true(iss_stack_branch(&s, 0x3, 10, ISA_NO_RPC));
  at(&s, 10, 0x3);
  iss_stack_exit(&s, 0x3);
  at(&s, 1, 0xc);
  iss_stack_exit(&s, 0xc);
  assert_int_equal(s.n, 0);

  /* A branch to the next instruction does not divide. */
  iss_stack_start(&s, 4, 0xf);
  assert_true(iss_stack_branch(&s, 0x3, 5, 9));
  at(&s, 5, 0xf);
}

int main(void) { return test_run(NULL, NULL); }
