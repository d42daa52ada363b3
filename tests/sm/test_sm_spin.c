/* Warps that spin, and what the SM needs to know of stores before it can tell. */
#include "csim/sm/spin.h"
#include "tests/sm/bench.h"
#include "tests/test.h"

enum { TURNS = 16, RESOLVED = 30 };

struct loop {
  unsigned nop, back, forward;
};

/* Two warps and the branches that they may take. */
static struct loop begin(struct bench *b) {
  bench_defaults(b, 64);
  const struct loop l = {
      .nop = bench_add(b, word(ISA_NOP, 0, 0, 0, 0)),
      .back = bench_add(b, with_target(word(ISA_BRA, 0, 0, 0, 0), 0, ISA_NO_RPC)),
      .forward = bench_add(b, with_target(word(ISA_BRA, 0, 0, 0, 0), 3, ISA_NO_RPC))};
  bench_start(b);
  return l;
}

static void branch(struct bench *b, unsigned warp, unsigned pc) {
  const unsigned from = bench_one(b, warp, pc);
  bench_run(b, RESOLVED);
  assert_true(bench_resolved(b, warp, from) > 0);
}

static void turns(struct bench *b, const struct loop *l, unsigned warp, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    bench_one(b, warp, l->nop);
    branch(b, warp, l->back);
  }
}

static bool may_step(const struct bench *b, uint64_t writing) {
  struct sm_mem *mem = b->sm->mem;
  mem->writing = writing;
  return sm_may_step(b->sm, b->cycle);
}

/* The instruction after the branch asks if the loop changed memory. */
TEST(a_warp_at_a_backward_branch_waits_for_what_it_stored) {
  struct bench b;
  const struct loop l = begin(&b);
  assert_true(may_step(&b, 3));
  branch(&b, 0, l.forward);
  assert_true(may_step(&b, 3));
  branch(&b, 0, l.back);
  assert_false(may_step(&b, 3));
  assert_false(may_step(&b, 1));
  assert_true(may_step(&b, 2)); /* the other warp's stores are not of this loop */
  assert_true(may_step(&b, 0));
  bench_one(&b, 1, l.nop);
  assert_false(may_step(&b, 1));
  bench_one(&b, 0, l.nop);
  assert_true(may_step(&b, 3));
  b.mem.behind = true;
  assert_false(may_step(&b, 0));
  bench_close(&b);
}

TEST(a_warp_that_changed_memory_does_not_spin) {
  struct bench b;
  const struct loop l = begin(&b);
  turns(&b, &l, 0, TURNS);
  turns(&b, &l, 1, TURNS);
  assert_int_equal(sm_spin_of(b.sm, 0).kind, SM_SPIN_LOOP);
  assert_int_equal(sm_spin_of(b.sm, 1).kind, SM_SPIN_LOOP);
  sm_take_changes(b.sm);
  assert_int_equal(sm_spin_of(b.sm, 0).kind, SM_SPIN_LOOP);
  assert_int_equal(sm_changed(b.sm), 0);

  b.mem.changed = 1;
  b.mem.changed_in = b.cycle - 5;
  sm_take_changes(b.sm);
  assert_int_equal(sm_spin_of(b.sm, 0).kind, SM_SPIN_NONE);
  assert_int_equal(sm_spin_of(b.sm, 1).kind, SM_SPIN_LOOP);
  assert_int_equal(sm_changed(b.sm), b.cycle - 5);
  turns(&b, &l, 0, 1);
  assert_int_equal(sm_spin_of(b.sm, 0).kind, SM_SPIN_NONE);

  b.mem.changed = 2; /* of an earlier cycle, found out later */
  b.mem.changed_in = 7;
  const uint64_t changed = sm_changed(b.sm);
  sm_take_changes(b.sm);
  assert_int_equal(sm_changed(b.sm), changed);
  assert_int_equal(sm_spin_of(b.sm, 1).kind, SM_SPIN_NONE);
  turns(&b, &l, 0, 2 * TURNS);
  turns(&b, &l, 1, 2 * TURNS);
  assert_int_equal(sm_spin_of(b.sm, 0).kind, SM_SPIN_LOOP);
  assert_int_equal(sm_spin_of(b.sm, 1).kind, SM_SPIN_LOOP);
  bench_close(&b);
}

int main(void) { return test_run(NULL, NULL); }
