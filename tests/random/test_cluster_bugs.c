/* Deliberate faults of the units of a buddy cluster (rtl/bugs.def): lockstep of a GPU, one
 * cluster that forms again halfway, reports those that show in a run of some thousand cycles.
 *
 * A fault stands in one of two tables: with the size of the cluster and the first random program to
 * try (some more are, as programs change), or with what it would take and such runs do not have:
 * that is left to the unit's own test (tests/unit, faults_<unit> and test_cluster_faults).  Of the
 * program that shows it the first difference is told, its cycle, and how many cycles later a run
 * reports it that compares state at intervals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random/run.h"

static const struct fault {
  unsigned number, members;
  const char *unit, *kind;
} faults[] = {
#define BUG(number, unit, members, kind, text) {number, members, #unit, kind},
#include "rtl/bugs.def"
#undef BUG
};

enum { FAULTS = sizeof faults / sizeof faults[0], TRIES = 12, LEAST = 15 };

static const struct shown {
  unsigned fault, members;
  uint64_t program;
} shown[] = {
    {44, 2, 3},  {45, 2, 3},  {46, 2, 6},  {47, 2, 6},  {48, 4, 6}, {50, 2, 2},  {51, 2, 2},
    {52, 2, 2},  {53, 2, 2},  {56, 2, 3},  {57, 2, 3},  {59, 2, 6}, {60, 2, 1},  {63, 2, 4},
    {66, 2, 1},  {68, 2, 1},  {69, 4, 1},  {70, 2, 1},  {71, 2, 1}, {75, 2, 13}, {77, 2, 1},
    {80, 2, 2},  {81, 2, 2},  {82, 2, 2},  {83, 2, 2},  {84, 4, 3}, {86, 2, 2},  {88, 2, 3},
    {89, 2, 5},  {92, 2, 1},  {97, 2, 1},  {98, 2, 1},  {99, 2, 5}, {100, 2, 5}, {102, 2, 5},
    {103, 2, 3}, {104, 2, 1}, {105, 2, 3}, {112, 2, 4},
};

static const struct hidden {
  unsigned fault;
  const char *why;
} hidden[] = {
    {49, "one busy entry is all that these monitors have"},
    {54, "an ACK has to wait when a slave asks"},
    {55, "a control packet has to leave beside a credit"},
    {58, "an ACK has to wait when a slave asks"},
    {61, "groups drain later than front ends come up"},
    {62, "a grid has to leave less than a set"},
    {64, "a warp has to be cancelled in the cycle in which the last one parks"},
    {65, "a cluster has to form two groups"},
    {67, "a member has to launch a warp between its last one's parking and its hold"},
    {76, "a grid has to leave less than a set"},
    {87, "issue puts even warps into slot 0"},
    {90, "a path above has to come to the park PC"},
    {91, "members have to agree in all but the last warp"},
    {93, "members have to agree in all but how many warps parked"},
    {94, "the lowest warp has to be the one that others wait for"},
    {95, "members have to agree in all but met, of an even warp"},
    {96, "what runs on is not heard: the assertion tells (test_cluster_faults)"},
    {101, "a barrier or nop has to follow a branch that is open"},
    {106, "another warp has to settle beside one that differs"},
    {109, "a back end tells of active lanes only"},
    {110, "a store has to be ready while its warp's load is open"},
    {111, "a load has to be flushed while its warp's load is open"},
    {113, "two loads have to come home in one cycle"},
};

static const struct shown *is_shown(unsigned fault) {
  for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
    if (shown[i].fault == fault)
      return &shown[i];
  return NULL;
}

static const struct hidden *is_hidden(unsigned fault) {
  for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
    if (hidden[i].fault == fault)
      return &hidden[i];
  return NULL;
}

/* Runs a program on one cluster with a fault (0: none); state is compared every `interval` cycles.
 * True if the engines differ. */
static bool differs(const struct shown *s, unsigned fault, uint64_t program, uint32_t interval,
                    struct run_outcome *o) {
  struct tandem_config c;
  struct tandem_error err;
  run_configure_buddy(program, s->members, TANDEM_REGROUP_HALFWAY, &c);
  c.sms = s->members;
  c.max_cycles = 8000;
  c.assertions = c.pin = false;
  c.state_interval = interval;
  c.bug = fault;
  if (run_random(program, &c, o, &err) == TANDEM_USAGE)
    fail_msg("program %llu: %s", (unsigned long long)program, err.text);
  return o->failure.kind != NULL &&
         (strcmp(o->failure.kind, "port") == 0 || strcmp(o->failure.kind, "state") == 0);
}

/* One line of the table. */
static bool report(const struct fault *f, const struct shown *s, struct run_outcome *o) {
  struct tandem_config normal;
  gpu_config_default(&normal);
  for (uint64_t program = s->program; program < s->program + TRIES; program++) {
    if (!differs(s, f->number, program, normal.state_interval, o))
      continue;
    const uint64_t reported = o->failure.cycle;
    assert_true(differs(s, f->number, program, 1, o));
    assert_true(o->failure.cycle <= reported);
    print_message("%3u  %-15s %-22s %2u %7llu  %-28s %8llu %8llu\n", f->number, f->unit, f->kind,
                  s->members, (unsigned long long)program, o->failure.where,
                  (unsigned long long)o->failure.cycle,
                  (unsigned long long)(reported - o->failure.cycle));
    return true;
  }
  print_message("%3u  %-15s %-22s not reported\n", f->number, f->unit, f->kind);
  return false;
}

static void every_fault_is_reported(void **state) {
  (void)state;
  struct run_outcome *o = calloc(1, sizeof *o);
  assert_non_null(o);
  unsigned found = 0, tried = 0;
  print_message("%3s  %-15s %-22s %2s %7s  %-28s %8s %8s\n", "", "unit", "fault", "", "program",
                "first difference", "cycle", "latency");
  for (size_t i = 0; i < FAULTS; i++) {
    const struct fault *f = &faults[i];
    const struct shown *s = is_shown(f->number);
    const struct hidden *h = is_hidden(f->number);
    if (s == NULL && (f->members == 1 || !gpu_has_fault(f->number, 8)))
      continue;
    assert_true((s != NULL) != (h != NULL));
    if (h != NULL) {
      print_message("%3u  %-15s %-22s %s\n", f->number, f->unit, f->kind, h->why);
      continue;
    }
    tried++;
    found += report(f, s, o);
  }
  print_message("%u of %u reported in lockstep\n", found, tried);
  free(o);
  assert_int_equal(found, tried);
  assert_true(found >= LEAST);
}

/* The runs themselves are sound. */
static void no_fault_no_report(void **state) {
  (void)state;
  struct run_outcome *o = calloc(1, sizeof *o);
  assert_non_null(o);
  for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i += 8)
    assert_false(differs(&shown[i], 0, shown[i].program, 1, o));
  free(o);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_fault_no_report),
                                     cmocka_unit_test(every_fault_is_reported)};
  return cmocka_run_group_tests_name("cluster_bugs", tests, NULL, NULL);
}
