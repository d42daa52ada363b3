/* The roll call compares enough (docs/hardware/buddy_halfway.md, "Condition for forming again").
 * A warp is at one PC in all members, with the same depth and `met`, and without an entry above
 * those that it had when the members came apart.  Then its stacks are the same but for the masks:
 * each entry has the same PCs, and has lanes in all members or in none.
 *
 * One warp in some members runs a random program, in which it comes apart now and then at a branch
 * or an exit, goes on alone, and stops at the park PC.  Only the stack is the reference's: where
 * lanes are is looked at in the masks. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "csim/ref/sm/decode.h"
#include "csim/ref/sm/simt_stack.h"
#include "tests/unit/environment.h"
#include "tests/unit/testing.h"

#define COVERAGE(F)                                                                                \
  F(agree)                                                                                         \
  F(agree_deep)                                                                                    \
  F(agree_met)                                                                                     \
  F(agree_after_exits)                                                                             \
  F(agree_of_diverged)                                                                             \
  F(only_depth_differs)                                                                            \
  F(only_met_differs)                                                                              \
  F(met_differs_and_matters)                                                                       \
  F(comes_apart_again)                                                                             \
  F(ends_together)
COVER_DEFINE(COVERAGE)

enum { MEMBERS = 3, PROGRAMS = 1500, ALONE = 400, TOGETHER = 60, MET = 1 << 5 };

static struct { uint64_t seed, programs; } run;

struct walk {
  struct environment program;
  struct rng rng;
  unsigned members;
  struct simt_stack_ref member[MEMBERS];
  unsigned above[MEMBERS];
  bool exits, diverged; /* since it came apart */
};

/* Entries of a member's stack, the bottom is 0. */
static unsigned depth_of(const struct walk *w, unsigned m) { return w->member[m].warp[0].depth; }
static const struct simt_entry *entry_of(const struct walk *w, unsigned m, unsigned i) {
  return i == depth_of(w, m) ? &w->member[m].warp[0].top : &w->member[m].below[0][i];
}
static const struct simt_entry *top_of(const struct walk *w, unsigned m) {
  return simt_stack_ref_top(&w->member[m], 0);
}

static uint32_t some_lanes(struct rng *r, unsigned way, uint32_t active) {
  uint32_t taken = (uint32_t)rng_next(r) & active;
  if (way == 0)
    return 0;
  if (way == 1 || (active & (active - 1)) == 0)
    return active;
  const uint32_t one = 1U << rng_member(r, active);
  taken |= one;
  return taken == active ? taken & ~one : taken;
}

static void settle(struct walk *w, unsigned m) {
  while (w->member[m].settle != 0) {
    simt_stack_ref_pop(&w->member[m], 0);
    w->above[m] -= w->above[m] > 0;
  }
}

/* A member executes what is at its PC; `way` of its lanes: none, all, some. */
static void execute(struct walk *w, unsigned m, unsigned way) {
  struct simt_stack_ref *s = &w->member[m];
  const uint64_t word = w->program.code[top_of(w, m)->pc];
  const unsigned ctl = decode_ctl(decode_ref_word(word));
  simt_stack_ref_issue(s, 0, ctl);
  simt_stack_ref_branch(s, 0, (uint16_t)(word >> 32), (uint16_t)word);
  if (ctl == DECODE_CTL_BRA || ctl == DECODE_CTL_EXIT) {
    const bool last = ctl == DECODE_CTL_EXIT && (word >> 32 & 0xffff) == ENV_LAST_EXIT;
    const uint32_t taken = some_lanes(&w->rng, last ? 1 : way, (uint32_t)top_of(w, m)->mask);
    const unsigned before = depth_of(w, m);
    if (simt_stack_ref_resolve(s, 0, taken) == SIMT_TRAP)
      fail_msg("stack overflows, seed %" PRIu64, run.seed);
    w->above[m] += depth_of(w, m) > before ? depth_of(w, m) - before : 0;
    w->exits |= ctl == DECODE_CTL_EXIT && taken != 0;
  }
  settle(w, m);
}

/* A way that all members can take. */
static unsigned common_way(struct walk *w) {
  for (unsigned m = 0; m < w->members; m++)
    if ((top_of(w, m)->mask & (top_of(w, m)->mask - 1)) == 0)
      return rng_below(&w->rng, 2);
  return rng_chance(&w->rng, 60) ? 2 : rng_below(&w->rng, 2);
}

static bool alive(const struct walk *w) {
  for (unsigned m = 0; m < w->members; m++)
    if (w->member[m].live != 0)
      return true;
  return false;
}

/* The stacks are the same but for the lanes. */
static bool alike(const struct walk *w) {
  for (unsigned m = 1; m < w->members; m++) {
    if (w->member[m].live != w->member[0].live || depth_of(w, m) != depth_of(w, 0))
      return false;
    for (unsigned i = 0; i <= depth_of(w, 0); i++) {
      const struct simt_entry *x = entry_of(w, 0, i), *y = entry_of(w, m, i);
      if (x->pc != y->pc || x->rpc != y->rpc)
        return false;
    }
  }
  return true;
}

/* Returns true if an entry has live lanes that no entry above it has. */
static bool lanes_wait(const struct walk *w, unsigned m, unsigned entry) {
  lanes_mask mask = entry_of(w, m, entry)->mask & w->member[m].warp[0].lanes;
  for (unsigned i = entry + 1; i <= depth_of(w, m); i++)
    mask &= ~entry_of(w, m, i)->mask;
  return mask != 0;
}

/* Lanes wait in the same entries of all members. */
static bool wait_alike(const struct walk *w) {
  for (unsigned m = 1; m < w->members; m++)
    for (unsigned i = 0; i <= depth_of(w, 0); i++)
      if (lanes_wait(w, m, i) != lanes_wait(w, 0, i))
        return false;
  return true;
}

/* All members execute the same, some steps long.  False when the warp has ended. */
static bool go_together(struct walk *w) {
  for (unsigned n = rng_below(&w->rng, TOGETHER); n > 0; n--) {
    const unsigned way = common_way(w);
    for (unsigned m = 0; m < w->members; m++)
      execute(w, m, way);
    if (!alive(w))
      cover(COVER_ends_together, true);
    if (!alive(w))
      return false;
    if (!alike(w) || !wait_alike(w))
      fail_msg("members that go together differ, seed %" PRIu64, run.seed);
  }
  return true;
}

/* At a branch or an exit some members go another way. */
static uint16_t come_apart(struct walk *w) {
  const uint64_t word = w->program.code[top_of(w, 0)->pc];
  const unsigned ctl = decode_ctl(decode_ref_word(word));
  if (ctl != DECODE_CTL_BRA && ctl != DECODE_CTL_EXIT)
    return ISA_NO_RPC;
  for (unsigned m = 0; m < w->members; m++)
    execute(w, m, rng_below(&w->rng, 3));
  w->diverged = true;
  return ctl == DECODE_CTL_BRA ? (uint16_t)word : ISA_NO_RPC;
}

static bool stops(const struct walk *w, unsigned m, uint16_t park) {
  return w->member[m].live != 0 && w->above[m] == 0 && top_of(w, m)->pc == park;
}

/* The way that a member's lanes take at its PC when it is alone. */
static unsigned own_way(struct walk *w, unsigned m) {
  const unsigned ctl = decode_ctl(decode_ref_word(w->program.code[top_of(w, m)->pc]));
  if (ctl == DECODE_CTL_EXIT && rng_chance(&w->rng, 60))
    return 1;
  return rng_chance(&w->rng, 60) ? 2 : rng_below(&w->rng, 2);
}

/* Each member goes on alone until it parks.  False if one does not. */
static bool go_alone(struct walk *w, uint16_t park) {
  for (unsigned m = 0; m < w->members; m++) {
    for (unsigned n = rng_chance(&w->rng, 50) ? rng_below(&w->rng, 20) : 0; n > 0; n--)
      if (w->member[m].live != 0)
        execute(w, m, own_way(w, m));
    for (unsigned n = 0; w->member[m].live != 0 && !stops(w, m, park); n++) {
      if (n == ALONE)
        return false;
      execute(w, m, own_way(w, m));
    }
    if (w->member[m].live == 0)
      return false;
  }
  return true;
}

/* Makes the roll call and checks its verdict against the stacks. */
static bool call(struct walk *w) {
  bool depths = true, met = true;
  const unsigned first = simt_stack_ref_depth(&w->member[0], 0);
  for (unsigned m = 1; m < w->members; m++) {
    const unsigned other = simt_stack_ref_depth(&w->member[m], 0);
    depths = depths && (other & ~(unsigned)MET) == (first & ~(unsigned)MET);
    met = met && (other & MET) == (first & MET);
  }
  if (depths && !alike(w))
    fail_msg("members of one depth have other PCs, seed %" PRIu64, run.seed);
  cover(COVER_only_depth_differs, !depths && met);
  cover(COVER_only_met_differs, depths && !met);
  cover(COVER_met_differs_and_matters, depths && !met && !wait_alike(w));
  if (!depths || !met)
    return false;
  if (!wait_alike(w))
    fail_msg("members that agree have lanes in other entries, seed %" PRIu64, run.seed);
  cover(COVER_agree, true);
  cover(COVER_agree_deep, first > 1);
  cover(COVER_agree_met, (first & MET) != 0);
  cover(COVER_agree_after_exits, w->exits);
  cover(COVER_agree_of_diverged, w->diverged);
  return true;
}

/* Puts more exits into the program: where a warp loses all lanes of a path much is decided by where
 * others wait. */
static void add_exits(struct walk *w) {
  const uint64_t exits = (uint64_t)isa_ops[ISA_EXIT].unit << 54 | (uint64_t)isa_ops[ISA_EXIT].op
                                                                      << 48;
  for (unsigned pc = 0; pc < ENV_CODE; pc++) {
    const uint64_t word = w->program.code[pc];
    if (word != 0 && decode_ctl(decode_ref_word(word)) == 0 && rng_chance(&w->rng, 6))
      w->program.code[pc] = exits;
  }
}

static void walk_program(struct walk *w, uint64_t seed) {
  memset(w, 0, sizeof *w);
  w->rng.state = seed;
  w->members = 2 + rng_below(&w->rng, MEMBERS - 1);
  const struct env_rates rates = {.nest = 2 + rng_below(&w->rng, 3)};
  environment_init(&w->program, rng_next(&w->rng), rates, false);
  add_exits(w);
  for (unsigned m = 0; m < w->members; m++)
    simt_stack_ref_launch(&w->member[m], 0, w->program.entry[0], (uint32_t)rng_next(&w->rng) | 3);
  for (unsigned times = 0; go_together(w); times++) {
    cover(COVER_comes_apart_again, times > 1);
    memset(w->above, 0, sizeof w->above);
    w->exits = w->diverged = false;
    const unsigned before = top_of(w, 0)->pc;
    uint16_t park = rng_chance(&w->rng, 70) ? come_apart(w) : ISA_NO_RPC;
    memset(w->above, 0, sizeof w->above);
    /* Another warp's branch may have come first. */
    if (park == ISA_NO_RPC || rng_chance(&w->rng, 40))
      park = (uint16_t)(before + rng_below(&w->rng, 40));
    if (!go_alone(w, park) || !call(w))
      return;
  }
}

static void the_roll_tells_all(void **state) {
  (void)state;
  static struct walk w;
  for (unsigned round = 0; COVER_GOES_ON(round); round++)
    for (uint64_t i = 0; i < run.programs; i++)
      walk_program(&w, run.seed + round * run.programs + i);
  COVER_CHECK();
}

/* Where `met` comes from, and stays (docs/hardware/buddy_halfway.md, simt_stack), each way alone.
 */
static unsigned met_of(const struct simt_stack_ref *s) {
  return (simt_stack_ref_depth(s, 0) & MET) != 0;
}

static void settle_one(struct simt_stack_ref *s) {
  while (s->settle != 0)
    simt_stack_ref_pop(s, 0);
}

/* The branch at the warp's PC, whose directions meet at rpc; what the lanes `taken` do. */
static void branch(struct simt_stack_ref *s, uint16_t target, uint16_t rpc, uint32_t taken) {
  simt_stack_ref_issue(s, 0, DECODE_CTL_BRA);
  simt_stack_ref_branch(s, 0, target, rpc);
  assert_int_equal(simt_stack_ref_resolve(s, 0, taken), SIMT_GOES_ON);
  settle_one(s);
}

static void end(struct simt_stack_ref *s, uint32_t lanes) {
  simt_stack_ref_issue(s, 0, DECODE_CTL_EXIT);
  assert_int_equal(simt_stack_ref_resolve(s, 0, lanes), SIMT_GOES_ON);
  settle_one(s);
}

/* Four lanes at PC 10. */
static void begin(struct simt_stack_ref *s) {
  simt_stack_ref_reset(s);
  simt_stack_ref_launch(s, 0, 10, 0xf);
}

static void stands(const struct simt_stack_ref *s, uint16_t pc, unsigned depth, unsigned met) {
  assert_int_equal(simt_stack_ref_top(s, 0)->pc, pc);
  assert_int_equal(simt_stack_ref_depth(s, 0) & ~(unsigned)MET, depth);
  assert_int_equal(met_of(s), met);
}

static void met_of_branches(void **state) {
  (void)state;
  struct simt_stack_ref s;
  begin(&s);
  branch(&s, 20, 11, 3); /* those that fall through have arrived */
  stands(&s, 20, 1, 1);
  branch(&s, 30, 11, 1); /* they have, whoever takes the place of the top */
  stands(&s, 30, 2, 1);
  begin(&s);
  branch(&s, 20, 20, 3); /* those that jump have */
  stands(&s, 11, 1, 1);
  begin(&s);
  branch(&s, 30, 40, 3); /* nobody has */
  stands(&s, 30, 2, 0);
  begin(&s);
  branch(&s, 20, 11, 3); /* a top that stays where paths meet: its own, not theirs */
  branch(&s, 23, 25, 1);
  stands(&s, 23, 3, 0);
  end(&s, 1); /* without arriving */
  stands(&s, 21, 2, 0);
  branch(&s, 25, 25, 2); /* 25 is no place to wait for those at 11 */
  stands(&s, 25, 1, 1);
}

static void met_of_pops(void **state) {
  (void)state;
  struct simt_stack_ref s;
  begin(&s);
  branch(&s, 30, 40, 3);
  branch(&s, 40, 40, 3); /* its lanes arrive, and wait for the other path's */
  stands(&s, 11, 1, 1);
  begin(&s);
  branch(&s, 30, 40, 3);
  end(&s, 3); /* none arrives */
  stands(&s, 11, 1, 0);
  begin(&s);
  branch(&s, 30, 40, 3);
  branch(&s, 40, 40, 1); /* one arrives, */
  stands(&s, 31, 2, 1);
  end(&s, 2); /* the other ends, and the path has no lane when it goes */
  stands(&s, 11, 1, 1);
  begin(&s);
  branch(&s, 30, 40, 3);
  branch(&s, 32, 33, 1); /* of a path that stays, with another place to meet */
  branch(&s, 33, 33, 1);
  branch(&s, 33, 33, 2);
  stands(&s, 33, 2, 0);
}

int main(int argc, char **argv) {
  run.seed = testing_seed(argc, argv);
  run.programs = testing_option(argc, argv, "--programs", PROGRAMS);
  const struct CMUnitTest tests[] = {cmocka_unit_test(met_of_branches),
                                     cmocka_unit_test(met_of_pops),
                                     cmocka_unit_test(the_roll_tells_all)};
  return cmocka_run_group_tests_name("roll_call", tests, NULL, NULL);
}
