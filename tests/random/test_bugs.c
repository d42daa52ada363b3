/* Deliberate faults in the RTL (rtl/bugs.def): lockstep must report each one.
 *
 * Every fault is tried on random programs until one shows it. Of that program the table tells: the
 * first difference of any port or state field; how many cycles later lockstep as it is normally run
 * (state views at intervals) reports it; and what happens without the comparison, when only the
 * architectural check and the back end watch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random/run.h"

struct fault {
  unsigned number;
  const char *unit, *text;
};
static const struct fault faults[] = {
#define RTL_BUG(number, unit, text) {number, unit, text},
#include "rtl/bugs.def"
};
enum {
  FAULTS = sizeof faults / sizeof faults[0],
  SEEDS = 60,
  OVERFLOW = SEEDS + 1,
  CHECK_SEEDS = 12
};

/* Programs are numbered: OVERFLOW overflows the stack, the others are seeds. */
static enum tandem_status run(uint64_t program, const struct tandem_config *config,
                              struct run_outcome *outcome) {
  struct tandem_error err;
  return program == OVERFLOW ? run_overflow(config, outcome, &err)
                             : run_random(program, config, outcome, &err);
}

static struct tandem_config configure(uint64_t program, unsigned fault) {
  struct tandem_config c;
  run_configure(program, &c);
  c.max_cycles = 400000;
  c.hang_cycles = 20000;
  c.pin = false;
  c.bug = fault;
  return c;
}

static bool mismatch(const struct run_outcome *o) {
  return o->failure.kind != NULL &&
         (strcmp(o->failure.kind, "port") == 0 || strcmp(o->failure.kind, "state") == 0);
}

/* The first program in which lockstep sees the fault; false if none. */
static bool find(unsigned fault, uint64_t *program, struct run_outcome *o) {
  for (*program = 1; *program <= OVERFLOW; ++*program) {
    struct tandem_config c = configure(*program, fault);
    (void)run(*program, &c, o);
    if (mismatch(o))
      return true;
  }
  return false;
}

/* Without comparison: what notices the fault first, in the program or in one of a dozen others. */
static const char *alone(unsigned fault, uint64_t program, struct run_outcome *o) {
  static const char *const kinds[] = {"iss", "backend", "memory", "hang", "endless"};
  const char *found = "nothing";
  for (uint64_t i = 0; i <= CHECK_SEEDS; i++) {
    struct tandem_config c = configure(i == 0 ? program : i, fault);
    c.compare = false;
    if (run(i == 0 ? program : i, &c, o) == TANDEM_OK || program == OVERFLOW)
      continue;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
      if (strcmp(o->failure.kind, kinds[k]) == 0)
        found = kinds[k];
    if (strcmp(found, "iss") == 0)
      return found;
  }
  return found;
}

static void every_fault_is_reported(void **state) {
  (void)state;
  struct run_outcome *o = calloc(3, sizeof *o);
  assert_non_null(o);
  unsigned missed = 0, by_check = 0;
  print_message("%3s  %-15s %-56s %7s  %-28s %8s %8s  %s\n", "", "unit", "fault", "program",
                "first difference", "cycle", "latency", "without comparison");
  for (size_t i = 0; i < FAULTS; i++) {
    const struct fault *f = &faults[i];
    uint64_t program;
    if (!find(f->number, &program, &o[0])) {
      print_message("%3u  %-15s %-56s not reported\n", f->number, f->unit, f->text);
      missed++;
      continue;
    }
    struct tandem_config normal, c = configure(program, f->number);
    tandem_config_default(&normal);
    c.state_interval = normal.state_interval;
    (void)run(program, &c, &o[1]);
    assert_true(mismatch(&o[1]));
    const char *check = alone(f->number, program, &o[2]);
    by_check += strcmp(check, "iss") == 0;
    print_message("%3u  %-15s %-56s %7llu  %-28s %8llu %8lld  %s\n", f->number, f->unit, f->text,
                  (unsigned long long)program, o[0].failure.where,
                  (unsigned long long)o[0].failure.cycle,
                  (long long)(o[1].failure.cycle - o[0].failure.cycle), check);
  }
  print_message("%u of %u reported in lockstep; the architectural check alone finds %u\n",
                (unsigned)FAULTS - missed, (unsigned)FAULTS, by_check);
  free(o);
  assert_true(FAULTS >= 20);
  assert_int_equal(missed, 0);
}

/* The programs themselves are sound: without a fault none is reported. */
static void no_fault_no_report(void **state) {
  (void)state;
  struct run_outcome *o = calloc(1, sizeof *o);
  assert_non_null(o);
  for (uint64_t program = 1; program <= 5; program++) {
    struct tandem_config c = configure(program, 0);
    assert_int_equal(run(program, &c, o), TANDEM_OK);
  }
  struct tandem_config c = configure(OVERFLOW, 0);
  assert_int_equal(run(OVERFLOW, &c, o), TANDEM_FAULT);
  assert_string_equal(o->failure.kind, "backend");
  assert_string_equal(o->failure.where, "SIMT stack overflow");
  free(o);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_fault_no_report),
                                     cmocka_unit_test(every_fault_is_reported)};
  return cmocka_run_group_tests_name("bugs", tests, NULL, NULL);
}
