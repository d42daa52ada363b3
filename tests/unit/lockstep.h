/* Lockstep of one unit: the device (device.h) against the unit's reference, everything made from
 * the ports table.  Before the include: UNIT is the unit's name (UNIT_PORTS its table, by the
 * build), its csim/ref header is included, and, where the unit has them:
 *
 *   UNIT_REF_RESET(ref)    resets the reference with the device's parameters
 *   UNIT_LENGTH            a random case has this many times the usual cycles: rows need more
 *   UNIT_UNDEFINED(l)      makes outputs equal that the ports table compares always, but that mean
 *                          nothing in some cycles
 *   UNIT_UNREACHED(F)      bits of inputs that never change (reach.h)
 *
 * Directed tests are cycle scripts: TICK(.port = value, ...) runs one cycle with those inputs (the
 * others 0), EXPECT(port, value) then looks at that cycle's outputs of both sides, and
 * EXPECT_STATE(state, index, value) at the state after its edge.  At the end of the file:
 *
 *   UNIT_MAIN(DIRECTED(script), RANDOM(function))   or UNIT_MAIN_WITH(parameters, cases...), where
 *                          parameters() reads those of the device before the first case
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

#include "csim/ports/units.h"
#include "tests/unit/cases.h"
#include "tests/unit/differ.h"

#define UNIT_GLUE_(a, b) a##b
#define UNIT_GLUE(a, b) UNIT_GLUE_(a, b)
#define UNIT_NAME(suffix) UNIT_GLUE(UNIT, suffix)
#define UNIT_QUOTE_(x) #x
#define UNIT_QUOTE(x) UNIT_QUOTE_(x)
#define UNIT_STRING UNIT_QUOTE(UNIT)
#include "tests/unit/reach.h"

typedef struct UNIT_NAME(_in) unit_in;
typedef struct UNIT_NAME(_out) unit_out;
typedef struct UNIT_NAME(_view) unit_view;
typedef struct UNIT_NAME(_ref) unit_ref;

#ifndef UNIT_REF_RESET
#define UNIT_REF_RESET(ref) UNIT_NAME(_ref_reset)(ref)
#endif
#ifndef UNIT_LENGTH
#define UNIT_LENGTH 1
#endif
#ifndef UNIT_UNDEFINED
#define UNIT_UNDEFINED(l) (void)(l)
#endif

enum { LOCKSTEP_HISTORY = 8, LOCKSTEP_CYCLES = UNIT_LENGTH * 120000 };

struct lockstep {
  unit_ref ref;
  struct rtl_model *dut; /* NULL: no device */
  bool states;           /* the device's are compared */
  bool random;           /* the next inputs are of lockstep_start */
  struct rng noise;      /* for inputs that mean nothing in a cycle */
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
    differ_print_in(&UNIT_NAME(_ports), &l->past[i].in);
    print_error("\n  out:");
    differ_print_out(&UNIT_NAME(_ports), &l->past[i].ref_out, &l->past[i].dut_out);
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

static void lockstep_fail_if(struct lockstep *l, unsigned differences) {
  if (differences == 0)
    return;
  cases_found();
  lockstep_print_past(l);
  fail_msg("%s differs from its reference in cycle %" PRIu64, UNIT_STRING, l->cycle);
}

/* Failed assertions of the device; a fault may have some. */
static void lockstep_assertions(const struct lockstep *l) {
  const char *first = NULL;
  if (cases_seek || rtl_assertions(l->dut, &first) == 0)
    return;
  lockstep_print_past(l);
  fail_msg("%s: an assertion failed in cycle %" PRIu64 ": %s", UNIT_STRING, l->cycle, first);
}

static void lockstep_views(struct lockstep *l) {
  UNIT_NAME(_ref_view)(&l->ref, &l->ref_view);
  if (!l->states) {
    l->dut_view = l->ref_view;
    return;
  }
  rtl_view(l->dut, 0, &l->dut_view);
  lockstep_fail_if(l, differ_view(&UNIT_NAME(_ports), l->cycle, &l->ref_view, &l->dut_view));
}

static void lockstep_close(struct lockstep *l) {
  rtl_destroy(l->dut);
  l->dut = NULL;
}

static void lockstep_open(struct lockstep *l, uint64_t seed, unsigned fault) {
  lockstep_close(l); /* of a case that has failed */
  memset(l, 0, sizeof *l);
  l->noise.state = seed;
  UNIT_REF_RESET(&l->ref);
  l->dut = device_create(seed);
  l->states = device_has_states();
  lockstep_views(l);
  if (fault != 0)
    assert_int_equal(rtl_bug(l->dut, fault), 0);
}

static inline void lockstep_reset(struct lockstep *l) {
  UNIT_REF_RESET(&l->ref);
  if (l->dut != NULL)
    rtl_reset(l->dut);
  lockstep_views(l);
}

/* A kernel_start that wins over everything: beside it all other inputs are random. */
static inline unit_in lockstep_start(struct lockstep *l) {
  unit_in in;
  l->random = true;
#define PORT_IN(name, width, qualifier)                                                            \
  for (unsigned w = 0; w < PORT_WORDS(unit_in, name); w++)                                         \
    ((uint64_t *)&in.name)[w] = reach_is_start(#name) ? 1 : rng_next(&l->noise) & port_mask(width);
#define PORT_OUT(name, width, qualifier)
#define STATE(name, width, count, signal, qualifier)
#include UNIT_PORTS
#undef PORT_IN
#undef PORT_OUT
#undef STATE
  return in;
}

/* The reference's outputs for these inputs, for drivers of inputs that depend on outputs. */
static inline unit_out lockstep_peek(const struct lockstep *l, const unit_in *in) {
  unit_out out;
  UNIT_NAME(_ref_eval)(&l->ref, in, &out);
  return out;
}

/* One cycle: both sides' outputs, compared; a clock edge; both sides' states, compared. */
static void lockstep_tick(struct lockstep *l, unit_in in) {
  reach_note(&in, l->random);
  l->random = false;
  lockstep_scramble(l, &in);
  l->in = in;
  UNIT_NAME(_ref_eval)(&l->ref, &in, &l->ref_out);
  if (l->dut != NULL)
    rtl_eval(l->dut, &in, &l->dut_out);
  else
    l->dut_out = l->ref_out;
  UNIT_UNDEFINED(l);
  unsigned now = (unsigned)(l->cycle % LOCKSTEP_HISTORY);
  l->past[now].in = in;
  l->past[now].ref_out = l->ref_out;
  l->past[now].dut_out = l->dut_out;
  lockstep_fail_if(l, differ_out(&UNIT_NAME(_ports), l->cycle, &l->ref_out, &l->dut_out));
  UNIT_NAME(_ref_step)(&l->ref, &in);
  if (l->dut != NULL) {
    rtl_step(l->dut, &in);
    lockstep_assertions(l);
  }
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
static inline void lockstep_no_parameters(void) {}

/* At the beginning of a case that holds for some parameters alone. */
#define ONLY_IF(condition)                                                                         \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      print_message("only if %s\n", #condition);                                                   \
      skip();                                                                                      \
    }                                                                                              \
  } while (0)

#define DIRECTED(script)                                                                           \
  { #script, script, NULL }
#define RANDOM(function)                                                                           \
  { #function, NULL, function }
#define UNIT_MAIN(...) UNIT_MAIN_WITH(lockstep_no_parameters, __VA_ARGS__)
#define UNIT_MAIN_WITH(parameters, ...)                                                            \
  int main(int argc, char **argv) {                                                                \
    const int status = device_choose(UNIT_STRING, NULL, argc, argv);                               \
    if (status != 0)                                                                               \
      return status;                                                                               \
    parameters();                                                                                  \
    static struct lockstep l;                                                                      \
    const struct port_excuse excuses[] = {UNIT_UNREACHED(REACH_EXCUSE){NULL, 0, NULL}};            \
    const struct unit_test test = {                                                                \
        .name = UNIT_STRING,                                                                       \
        .l = &l,                                                                                   \
        .open = lockstep_open,                                                                     \
        .close = lockstep_close,                                                                   \
        .cycles = cases_cycles(LOCKSTEP_CYCLES),                                                   \
        .points = cover_names,                                                                     \
        .reached = covered,                                                                        \
        .npoints = COVER_COUNT,                                                                    \
        .inputs = inputs_reach_their_range,                                                        \
        .excuses = excuses,                                                                        \
    };                                                                                             \
    static const struct unit_case cases[] = {__VA_ARGS__};                                         \
    return cases_run(&test, cases, sizeof cases / sizeof *cases);                                  \
  }

#endif
