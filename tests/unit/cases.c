/* The cases of a unit's test. */
#include "tests/unit/cases.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum {
  NETLIST_CYCLES = 60000,
  FRESH_PART = 4,  /* of the cycles of a round */
  INPUT_ROUNDS = 8 /* more rounds at most, for bits of inputs */
};

bool cases_seek;
static jmp_buf found;

struct run {
  const struct unit_test *test;
  const struct unit_case *one, *cases;
  unsigned n; /* of cases */
};

static bool is_netlist(void) { return device.type != NULL && device.spec.kind == RTL_NETLIST; }

uint64_t cases_cycles(uint64_t of_rtl) { return is_netlist() ? NETLIST_CYCLES : of_rtl; }

void cases_found(void) {
  if (cases_seek)
    longjmp(found, 1);
}

static uint64_t cycles_of(const struct unit_test *t) {
  return device.cycles != 0 ? device.cycles : t->cycles;
}

static void run_directed(const struct unit_test *t, const struct unit_case *c) {
  t->open(t->l, device.seed, 0);
  c->directed(t->l);
  t->close(t->l);
}

static void run_round(const struct unit_test *t, const struct unit_case *c, uint64_t seed,
                      struct rng *r, uint64_t cycles) {
  t->open(t->l, seed, 0);
  c->random(t->l, r, cycles);
  t->close(t->l);
}

static void run_random(const struct unit_test *t, const struct unit_case *c) {
  const uint64_t cycles = cycles_of(t);
  struct rng r = {device.seed};
  for (unsigned round = 0; testing_goes_on(t->points, t->reached, t->npoints, round); round++)
    run_round(t, c, device.seed + round, &r, cycles);
  if (device.fresh != 0) {
    r = (struct rng){device.fresh};
    run_round(t, c, device.fresh, &r, cycles / FRESH_PART);
  }
  testing_check_coverage(t->points, t->reached, t->npoints);
}

/* Returns true if a round finds a fault.  It prints nothing. */
static bool finds(const struct unit_test *t, const struct unit_case *c, unsigned fault,
                  uint64_t seed, struct rng *r) {
  t->open(t->l, seed, fault);
  cases_seek = testing_quiet = true;
  const bool differs = setjmp(found) != 0;
  if (!differs)
    c->random(t->l, r, cycles_of(t));
  cases_seek = testing_quiet = false;
  t->close(t->l);
  return differs;
}

static void look_for_faults(const struct unit_test *t, const struct unit_case *c) {
#define FAULT_OF(feature, n, unit, kind, what) {n, #unit, kind},
  static const struct {
    unsigned n;
    const char *unit, *kind;
  } faults[] = {
#include "rtl/faults.def"
  };
#undef FAULT_OF
  unsigned looked = 0, missed = 0;
  for (unsigned f = 0; f < sizeof faults / sizeof *faults; f++) {
    if (strcmp(faults[f].unit, t->name) != 0)
      continue;
    struct rng r = {device.seed};
    bool differs = false;
    for (unsigned round = 0; round < TESTING_ROUNDS && !differs; round++) {
      const uint64_t before = testing_cycles;
      differs = finds(t, c, faults[f].n, device.seed + round, &r);
      print_message("fault %u (%s) %s: round %u, cycle %" PRIu64 "\n", faults[f].n, faults[f].kind,
                    differs ? "found" : "missed", round + 1, testing_cycles - before);
    }
    looked++;
    missed += !differs;
  }
  assert_int_not_equal(looked, 0);
  assert_int_equal(missed, 0);
}

static void run_case(void **state) {
  const struct run *run = *state;
  if (run->one->directed != NULL)
    run_directed(run->test, run->one);
  else if (device.faults)
    look_for_faults(run->test, run->one);
  else
    run_random(run->test, run->one);
}

/* Another round of each random case. */
static void run_again(const struct run *run, unsigned round, struct rng *r) {
  for (unsigned i = 0; i < run->n; i++)
    if (run->cases[i].random != NULL)
      run_round(run->test, &run->cases[i], device.seed + round, r, cycles_of(run->test));
}

/* In fewer cycles than a test has of itself not everything can be reached, as with a netlist. */
static void inputs_reach_their_range(void **state) {
  const struct run *run = *state;
  const struct unit_test *t = run->test;
  if (is_netlist() || cycles_of(t) < t->cycles)
    return;
  struct rng r = {device.seed + TESTING_ROUNDS};
  testing_quiet = true;
  for (unsigned k = 0; k < INPUT_ROUNDS && t->inputs(t->excuses) > 0; k++)
    run_again(run, TESTING_ROUNDS + k, &r);
  testing_quiet = false;
  const unsigned failures = t->inputs(t->excuses);
  if (failures > 0)
    fail_msg("%u inputs are not driven over their legal range", failures);
}

/* All cases, and behind random ones that of the inputs; with --faults the random ones alone. */
int cases_run(const struct unit_test *test, const struct unit_case *cases, unsigned n) {
  struct run runs[n];
  struct CMUnitTest tests[n + 1];
  size_t count = 0;
  bool random = false;
  for (unsigned i = 0; i < n; i++) {
    if (device.faults && cases[i].random == NULL)
      continue;
    runs[i] = (struct run){test, &cases[i], cases, n};
    tests[count++] = (struct CMUnitTest){cases[i].name, run_case, NULL, NULL, &runs[i]};
    random = random || cases[i].random != NULL;
  }
  if (random && !device.faults)
    tests[count++] = (struct CMUnitTest){"inputs_reach_their_range", inputs_reach_their_range, NULL,
                                         NULL, &runs[0]};
  return _cmocka_run_group_tests(test->name, tests, count, NULL, NULL);
}
