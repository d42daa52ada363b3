/* Seeded faults of the RTL (rtl/faults.def) in whole runs of random programs: each check of a run
 * reports a fault of its kind, of an SM and of a cluster that forms again halfway, and none reports
 * the same run without it.
 *
 * The units' own tests find every fault (tests/unit, faults_<unit> and test_cluster_faults) but
 * that of `frontend`, which is here; `tandem bugs` tries all of them in whole runs.  A fault is
 * tried on some programs more than the one that shows it today, as programs change. */
#include "tests/random/run.h"
#include "tests/test.h"

enum { TRIES = 12, OVERFLOW = 1000 }; /* OVERFLOW: the program that overflows the stack */

/* The check of a run beside those of the back end: the comparison with the reference, the RTL's
 * assertions, or the architectural check alone. */
enum watch { LOCKSTEP, ASSERTIONS, ALONE };

static const struct seeded {
  const char *name; /* as in rtl/faults.def */
  unsigned fault, members;
  uint64_t program; /* the first to try */
  enum watch watch;
  const char *kind; /* of the failure */
} faults[] = {
    {"frontend: wrong mask", 8, 1, 1, LOCKSTEP, "port"},
    {"scoreboard: lost release", 5, 1, 3, LOCKSTEP, "state"},
    {"simt_stack: overflow not trapped", 7, 1, OVERFLOW, LOCKSTEP, "state"},
    {"scoreboard: missed WAR", 4, 1, 11, ALONE, "iss"},
    {"cta_dispatch: number given twice", 9, 1, 1, ALONE, "iss"},
    {"issue: double grant", 6, 1, 2, ALONE, "backend"},
    {"icache: lost waiter", 3, 1, 3, ALONE, "hang"},
    {"issue: double grant", 6, 1, 2, ASSERTIONS, "assert"},
    {"downlink: lost flit", 11, 2, 2, LOCKSTEP, "port"},
    {"monitor: member forgotten", 10, 2, 3, LOCKSTEP, "state"},
    {"monitor: member forgotten", 10, 4, 6, LOCKSTEP, "state"},
    {"clock_gate: gate open", 14, 2, 1, ASSERTIONS, "assert"},
};

/* Runs a program with a fault (0: none); states are compared every `interval` cycles. */
static enum tandem_status run(const struct seeded *s, unsigned fault, uint64_t program,
                              uint32_t interval, struct run_outcome *o) {
  struct tandem_config c;
  struct tandem_error err;
  if (s->members == 1)
    run_configure(program, &c);
  else {
    run_configure_buddy(program, s->members, BUDDY_REGROUP_HALFWAY, &c);
    c.sms = s->members;
  }
  c.max_cycles = 400000;
  c.hang_cycles = 20000;
  c.pin = false;
  c.compare = s->watch == LOCKSTEP;
  c.assertions = s->watch == ASSERTIONS;
  c.state_interval = interval;
  c.bug = fault;
  const enum tandem_status status =
      program == OVERFLOW ? run_overflow(&c, o, &err) : run_random(program, &c, o, &err);
  if (status == TANDEM_USAGE)
    fail_msg("program %llu: %s", (unsigned long long)program, err.text);
  return status;
}

static bool reported(const struct seeded *s, uint64_t program, struct run_outcome *o) {
  return run(s, s->fault, program, 1, o) == TANDEM_FAULT && strcmp(o->failure.kind, s->kind) == 0;
}

TEST(each_kind_of_fault_is_reported) {
  struct run_outcome *o = calloc(1, sizeof *o);
  struct tandem_config normal;
  assert_non_null(o);
  gpu_config_default(&normal);
  print_message("%-34s %7s  %-8s %-28s %8s\n", "fault", "program", "kind", "where", "cycle");
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    const struct seeded *s = &faults[i];
    uint64_t program = s->program;
    while (!reported(s, program, o))
      if (++program == s->program + TRIES)
        fail_msg("%s: not reported as %s", s->name, s->kind);
    const uint64_t first = o->failure.cycle;
    print_message("%-34s %7llu  %-8s %-28s %8llu\n", s->name, (unsigned long long)program, s->kind,
                  o->failure.where, (unsigned long long)first);
    /* With states compared at intervals, as usual, it is reported too, and no earlier. */
    assert_int_equal(run(s, s->fault, program, normal.state_interval, o), TANDEM_FAULT);
    assert_true(o->failure.cycle >= first);
  }
  free(o);
}

/* The runs themselves are sound. */
TEST(no_fault_no_report) {
  struct run_outcome *o = calloc(1, sizeof *o);
  assert_non_null(o);
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    const enum tandem_status status = run(&faults[i], 0, faults[i].program, 1, o);
    if (faults[i].program != OVERFLOW)
      assert_int_equal(status, TANDEM_OK);
    else
      assert_string_equal(o->failure.where, "SIMT stack overflow");
  }
  free(o);
}

int main(void) { return test_run(NULL, NULL); }
