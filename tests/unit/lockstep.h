/* Lockstep of one unit: the verilated unit against its reference, everything made from the ports
 * table.  Before the include: UNIT is the unit's name, and its csim/ref header is included.
 *
 * How it is built decides what the device under test is:
 *   -DDUT=rtl      the verilated unit: outputs and states compared, assertions on
 *   -DDUT=netlist  its netlist: outputs compared (-DDUT_NETLIST tells so)
 *   -DDUT_FAULTS   besides DUT=rtl: random tests must find each fault of rtl/bugs.def whose unit is
 *                  in UNIT_FAULTS (strings; the unit itself if not defined), others are left out
 *   -DDUT=mutants  its netlist with mutants: outputs and states compared (-DDUT_MUTANTS tells so)
 *   neither        no device: directed expectations and coverage of the reference alone
 *
 * Directed tests are cycle scripts: TICK(.port = value, ...) runs one cycle with those inputs (the
 * others 0), EXPECT(port, value) then looks at that cycle's outputs of both sides, and
 * EXPECT_STATE(state, index, value) at the state after its edge.
 */
#ifndef TANDEM_TEST_LOCKSTEP_H
#define TANDEM_TEST_LOCKSTEP_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "csim/ports/tables.h"
#include "harness/shim/rtl.h"
#include "tests/unit/differ.h"
#include "tests/unit/reach.h"
#include "tests/unit/testing.h"

typedef struct UNIT_NAME(_in) unit_in;
typedef struct UNIT_NAME(_out) unit_out;
typedef struct UNIT_NAME(_view) unit_view;
typedef struct UNIT_NAME(_ref) unit_ref;

#ifndef UNIT_REF_RESET
#define UNIT_REF_RESET(ref) UNIT_NAME(_ref_reset)(ref)
#endif

/* The device under test (harness/shim/rtl.h); assertions that fail are its difference, too. */
#ifdef DUT
#define DUT_MAKE DIFFER_GLUE(rtl_make_, DIFFER_GLUE(UNIT_NAME(_), DUT))
struct rtl_model *DUT_MAKE(uint64_t seed);
#endif

/* Cycles of a random test, unless --cycles tells otherwise: times UNIT_LENGTH for a unit whose many
 * rows need more.  Netlists are slower to simulate. */
#ifndef UNIT_LENGTH
#define UNIT_LENGTH 1
#endif
#ifdef DUT_NETLIST
enum { LOCKSTEP_CYCLES = 60000 };
#else
enum { LOCKSTEP_CYCLES = UNIT_LENGTH * 120000 };
#endif

enum { LOCKSTEP_HISTORY = 8 };

struct lockstep {
  jmp_buf *found; /* where to go on at a difference, without a word; NULL: it fails the test */
  unit_ref ref;
  struct rtl_model *dut;
  struct rng noise; /* for inputs that mean nothing in a cycle */
  uint64_t cycle;
  unit_in in; /* of the last cycle, and its outputs and states */
  unit_out ref_out, dut_out;
  unit_view ref_view, dut_view;
  struct {
    unit_in in;
    unit_out ref_out, dut_out;
  } past[LOCKSTEP_HISTORY];
};

/* The last cycles, fields that are not 0; outputs reference/device where they differ. */
static void lockstep_print_past(const struct lockstep *l) {
  uint64_t first = l->cycle >= LOCKSTEP_HISTORY ? l->cycle - LOCKSTEP_HISTORY + 1 : 0;
  for (uint64_t c = first; c <= l->cycle; c++) {
    unsigned i = (unsigned)(c % LOCKSTEP_HISTORY);
    print_error("cycle %" PRIu64 " in:", c);
    UNIT_NAME(_print_in)(&l->past[i].in);
    print_error("\n  out:");
    UNIT_NAME(_print_out)(&l->past[i].ref_out, &l->past[i].dut_out);
    print_error("\n");
  }
}

/* Gives every input that means nothing in this cycle a random value: nothing may depend on it. */
static inline void lockstep_scramble(struct lockstep *l, unit_in *p) {
#define PORT_IN(name, width, qualifier)                                                            \
  if (!(qualifier))                                                                                \
    for (unsigned w = 0; w < PORT_WORDS(unit_in, name); w++)                                       \
      ((uint64_t *)&p->name)[w] = rng_next(&l->noise) & port_mask(width);
#define PORT_OUT(name, width, qualifier)
#define STATE(name, width, count, signal, qualifier)
#include UNIT_PORTS
#undef PORT_IN
#undef PORT_OUT
#undef STATE
  (void)l;
  (void)p;
}

static inline void lockstep_fail_if(struct lockstep *l, unsigned differences) {
  if (differences == 0)
    return;
  if (l->found != NULL)
    longjmp(*l->found, 1);
  lockstep_print_past(l);
  fail_msg("%s differs from its reference in cycle %" PRIu64, UNIT_STRING, l->cycle);
}

/* How many outputs or states differ; each is printed, unless differences are looked for. */
static inline unsigned lockstep_differ_out(const struct lockstep *l) {
#ifdef DUT_FAULTS
  if (l->found != NULL)
    return UNIT_NAME(_same)(&l->ref_out, &l->dut_out);
#endif
  return UNIT_NAME(_differ_out)(l->cycle, &l->ref_out, &l->dut_out);
}

static inline unsigned lockstep_differ_view(const struct lockstep *l) {
#ifdef DUT_FAULTS
  uint64_t counts[PORTS_MAX] = {0};
  if (l->found != NULL)
    return UNIT_NAME(_view_same)(&l->ref_view, &l->dut_view, counts, NULL);
#endif
  return UNIT_NAME(_differ_view)(l->cycle, &l->ref_view, &l->dut_view);
}

/* Failed assertions of the device, where its faults are not looked for. */
static inline void lockstep_assertions(const struct lockstep *l) {
#ifdef DUT
  const char *first = NULL;
  if (l->found != NULL || rtl_assertions(l->dut, &first) == 0)
    return;
  lockstep_print_past(l);
  fail_msg("%s: an assertion failed in cycle %" PRIu64 ": %s", UNIT_STRING, l->cycle, first);
#else
  (void)l;
#endif
}

static void lockstep_views(struct lockstep *l) {
  UNIT_NAME(_ref_view)(&l->ref, &l->ref_view);
#if defined DUT && !defined DUT_NETLIST
  rtl_view(l->dut, 0, &l->dut_view);
#else
  l->dut_view = l->ref_view;
#endif
  lockstep_fail_if(l, lockstep_differ_view(l));
}

static void lockstep_open(struct lockstep *l, uint64_t seed) {
  memset(l, 0, sizeof *l);
  l->noise.state = seed;
  UNIT_REF_RESET(&l->ref);
#ifdef DUT
  l->dut = DUT_MAKE(seed);
  assert_non_null(l->dut);
#endif
  lockstep_views(l);
}

static inline void lockstep_reset(struct lockstep *l) {
  UNIT_REF_RESET(&l->ref);
#ifdef DUT
  rtl_reset(l->dut);
#endif
  lockstep_views(l);
}

static void lockstep_close(struct lockstep *l) {
#ifdef DUT
  rtl_destroy(l->dut);
#endif
  l->dut = NULL;
}

/* The reference's outputs for these inputs, for drivers of inputs that depend on outputs. */
static inline unit_out lockstep_peek(const struct lockstep *l, const unit_in *in) {
  unit_out out;
  UNIT_NAME(_ref_eval)(&l->ref, in, &out);
  return out;
}

/* Outputs that the ports table compares always, but that mean nothing in some cycles, are made
 * equal by the test's UNIT_UNDEFINED(l). */
#ifndef UNIT_UNDEFINED
#define UNIT_UNDEFINED(l) (void)(l)
#endif

/* One cycle: both sides' outputs, compared; a clock edge; both sides' states, compared. */
static void lockstep_tick(struct lockstep *l, unit_in in) {
  reach_note(&in);
  lockstep_scramble(l, &in);
  l->in = in;
  UNIT_NAME(_ref_eval)(&l->ref, &in, &l->ref_out);
#ifdef DUT
  rtl_eval(l->dut, &in, &l->dut_out);
#else
  l->dut_out = l->ref_out;
#endif
  UNIT_UNDEFINED(l);
  unsigned now = (unsigned)(l->cycle % LOCKSTEP_HISTORY);
  l->past[now].in = in;
  l->past[now].ref_out = l->ref_out;
  l->past[now].dut_out = l->dut_out;
  lockstep_fail_if(l, lockstep_differ_out(l));
  UNIT_NAME(_ref_step)(&l->ref, &in);
#ifdef DUT
  rtl_step(l->dut, &in);
  lockstep_assertions(l);
#endif
  lockstep_views(l);
  l->cycle++;
  testing_cycles++;
}

static inline void lockstep_expect(const char *name, uint64_t ref, uint64_t dut, uint64_t value,
                                   const char *file, int line) {
  if (ref == value && dut == value)
    return;
  print_error("%s:%d: %s.%s: expected %" PRIx64 ", reference %" PRIx64 ", device %" PRIx64 "\n",
              file, line, UNIT_STRING, name, value, ref, dut);
  fail();
}

#define TICK(...) lockstep_tick(l, (unit_in){__VA_ARGS__})
#define EXPECT(port, value)                                                                        \
  lockstep_expect(#port, l->ref_out.port, l->dut_out.port, value, __FILE__, __LINE__)
#define EXPECT_STATE(state, index, value)                                                          \
  lockstep_expect(#state, l->ref_view.state[index], l->dut_view.state[index], value, __FILE__,     \
                  __LINE__)

/* main() of a unit's test: cases are functions of a struct lockstep and random ones also of a
 * struct rng and a number of cycles, a round (testing.h). */
struct lockstep_run {
  uint64_t seed, cycles;
  const struct port_excuse *excuses;
  uint64_t fresh; /* the seed of a last, short round; 0: none */
};
enum { LOCKSTEP_FRESH_PART = 4 }; /* of the cycles of a round */

#ifdef DUT_FAULTS
typedef void lockstep_random(struct lockstep *, struct rng *, uint64_t);

/* Whether a round of a random test finds fault n. */
static bool lockstep_finds(struct lockstep *l, unsigned n, struct rng *r, uint64_t cycles,
                           lockstep_random *test) {
  jmp_buf found;
  assert_int_equal(rtl_bug(l->dut, n), 0);
  l->found = &found;
  if (setjmp(found) != 0)
    return true;
  test(l, r, cycles);
  return false;
}

#ifndef UNIT_FAULTS
#define UNIT_FAULTS UNIT_STRING
#endif
/* Looks for each fault of the unit with a random test. */
static void lockstep_faults(const struct lockstep_run *run, lockstep_random *test) {
#define BUG(n, unit, members, kind, text) {n, #unit, kind},
  static const struct {
    unsigned n;
    const char *unit, *kind;
  } faults[] = {
#include "rtl/bugs.def"
  };
#undef BUG
  static const char *const units[] = {UNIT_FAULTS};
  unsigned looked = 0, missed = 0;
  for (unsigned f = 0; f < sizeof faults / sizeof *faults; f++) {
    bool ours = false;
    for (unsigned u = 0; u < sizeof units / sizeof *units; u++)
      ours = ours || strcmp(units[u], faults[f].unit) == 0;
    if (!ours)
      continue;
    struct rng r = {run->seed};
    bool found = false;
    for (unsigned round = 0; round < TESTING_ROUNDS && !found; round++) {
      struct lockstep l;
      lockstep_open(&l, run->seed + round);
      found = lockstep_finds(&l, faults[f].n, &r, run->cycles, test);
      print_message("fault %u (%s) %s: round %u, cycle %" PRIu64 "\n", faults[f].n, faults[f].kind,
                    found ? "found" : "missed", round + 1, l.cycle);
      lockstep_close(&l);
    }
    looked++;
    missed += !found;
  }
  assert_int_not_equal(looked, 0);
  assert_int_equal(missed, 0);
}
#endif
#define DIRECTED(function)                                                                         \
  static void function##_case(void **state) {                                                      \
    const struct lockstep_run *run = *state;                                                       \
    struct lockstep l;                                                                             \
    lockstep_open(&l, run->seed);                                                                  \
    function(&l);                                                                                  \
    lockstep_close(&l);                                                                            \
  }
#ifndef DUT_FAULTS
#define RANDOM(function)                                                                           \
  static void function##_case(void **state) {                                                      \
    const struct lockstep_run *run = *state;                                                       \
    struct lockstep l;                                                                             \
    struct rng r = {run->seed};                                                                    \
    for (unsigned round = 0; COVER_GOES_ON(round); round++) {                                      \
      lockstep_open(&l, run->seed + round);                                                        \
      function(&l, &r, run->cycles);                                                               \
      lockstep_close(&l);                                                                          \
    }                                                                                              \
    if (run->fresh != 0) {                                                                         \
      r = (struct rng){run->fresh};                                                                \
      lockstep_open(&l, run->fresh);                                                               \
      function(&l, &r, run->cycles / LOCKSTEP_FRESH_PART);                                         \
      lockstep_close(&l);                                                                          \
    }                                                                                              \
    COVER_CHECK();                                                                                 \
  }
#else
#define RANDOM(function)                                                                           \
  static void function##_case(void **state) {                                                      \
    (void)cover_names;                                                                             \
    lockstep_faults(*state, function);                                                             \
  }
#endif
/* A test of nothing but cycle scripts defines UNIT_DIRECTED. */
#if !defined DUT_FAULTS && !defined UNIT_DIRECTED
/* In fewer cycles than a test has of itself not everything can be reached. */
static inline void inputs_reach_their_range_case(void **state) {
  const struct lockstep_run *run = *state;
  if (run->cycles >= LOCKSTEP_CYCLES)
    inputs_reach_their_range(run->excuses);
}
#define REACH_CASE , CASE(inputs_reach_their_range)
#else
#define REACH_CASE
#endif
#define CASE(function)                                                                             \
  { #function, function##_case, NULL, NULL, &run }
#define UNIT_MAIN(...)                                                                             \
  int main(int argc, char **argv) {                                                                \
    const struct port_excuse excuses[] = {UNIT_UNREACHED(REACH_EXCUSE){NULL, 0, NULL}};            \
    static struct lockstep_run run;                                                                \
    run.excuses = excuses;                                                                         \
    run.seed = testing_seeds(argc, argv, &run.fresh);                                              \
    TESTING_MUTATE(argc, argv);                                                                    \
    run.cycles = testing_option(argc, argv, "--cycles", LOCKSTEP_CYCLES);                          \
    const struct CMUnitTest tests[] = {__VA_ARGS__ REACH_CASE};                                    \
    return cmocka_run_group_tests_name(UNIT_STRING, tests, NULL, NULL);                            \
  }

#endif
