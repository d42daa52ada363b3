/* Deliberate faults in the RTL that every GPU has (rtl/bugs.def): lockstep must report each one.
 *
 * Every fault is tried on random programs until one shows it to lockstep as it is normally run,
 * with state views compared at intervals.  Of that program the table tells the first difference of
 * any port or state field, how many cycles later the normal run reports it, and what happens
 * without the comparison, when only the architectural check and the back end watch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random/run.h"

struct fault {
  unsigned number;
  const char *unit, *kind, *text;
};
static const struct fault faults[] = {
#define BUG(number, unit, members, kind, text) {number, #unit, kind, text},
#include "rtl/bugs.def"
#undef BUG
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

/* The first program in which lockstep with this interval sees the fault; false if none. */
static bool find(unsigned fault, uint32_t interval, uint64_t *program, struct run_outcome *o) {
  for (*program = 1; *program <= OVERFLOW; ++*program) {
    struct tandem_config c = configure(*program, fault);
    c.state_interval = interval;
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

/* One line of the table; *by_check gains one if the architectural check alone finds the fault. */
static bool report(const struct fault *f, struct run_outcome *o, unsigned *by_check) {
  struct tandem_config normal;
  uint64_t program;
  gpu_config_default(&normal);
  print_message("%3u  %-15s %-22s ", f->number, f->unit, f->kind);
  bool found = find(f->number, normal.state_interval, &program, o);
  const uint64_t reported = o->failure.cycle;
  if (found) {
    struct tandem_config c = configure(program, f->number);
    (void)run(program, &c, o);
    assert_true(mismatch(o) && o->failure.cycle <= reported);
  } else if (!find(f->number, 1, &program, o)) {
    print_message("not reported\n");
    return false;
  }
  print_message("%7llu  %-28s %8llu ", (unsigned long long)program, o->failure.where,
                (unsigned long long)o->failure.cycle);
  if (found)
    print_message("%8llu  ", (unsigned long long)(reported - o->failure.cycle));
  else
    print_message("%8s  ", "heals");
  const char *check = alone(f->number, program, o);
  *by_check += strcmp(check, "iss") == 0;
  print_message("%s\n", check);
  return true;
}

static void every_fault_is_reported(void **state) {
  (void)state;
  struct run_outcome *o = calloc(1, sizeof *o);
  assert_non_null(o);
  unsigned found = 0, by_check = 0, tried = 0;
  print_message("%3s  %-15s %-22s %7s  %-28s %8s %8s  %s\n", "", "unit", "fault", "program",
                "first difference", "cycle", "latency", "without comparison");
  for (size_t i = 0; i < FAULTS; i++)
    if (gpu_has_fault(faults[i].number, 1)) {
      tried++;
      found += report(&faults[i], o, &by_check);
    }
  print_message("%u of %u reported in lockstep; the architectural check alone finds %u\n", found,
                tried, by_check);
  free(o);
  assert_int_equal(found, tried);
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
