/* Assertions hold the invariants of a Flex cluster (docs/hardware/flex_frontend.md) in every cycle:
 * each seeded fault breaks one, and the assertion of that name fails.  Each but an open
 * clock gate makes the cluster differ from its reference, too: what that changes is lost at the
 * reset after power returns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/device.h"
#include "tests/unit/flex/flex_lockstep.h"
#include "tests/unit/testing.h"

static uint64_t seed;

enum { MEMBERS = 6, SOUND = 10000, LIMIT = 40000, ROUNDS = 20 };

static const struct env_rates brisk = {80, 60, 60, 80, 40, 80, 60, 3, 0, false, false};

/* alone: assertions are looked for, else differences. */
static void run(struct flex_lockstep *c, unsigned fault, bool alone, unsigned round) {
  const struct fl_script script = {-1, 5, 2, false};
  flex_lockstep_open(c, MEMBERS, 1, seed + round, brisk, script);
  c->quiet = true;
  c->alone = alone;
  c->unasserted = !alone;
  assert_true(flex_lockstep_fault(c, fault));
  while (c->cycle < (fault == 0 ? SOUND : LIMIT) && flex_lockstep_step(c)) {
  }
  flex_lockstep_close(c);
}

static void sound(void **state) {
  (void)state;
  static struct flex_lockstep c;
  run(&c, 0, true, 0);
  assert_string_equal(c.wrong, "");
}

static const struct {
  unsigned fault;
  const char *scope; /* of the assertion */
} cases[] = {{160, ".equal"},   {166, ".u_context"}, {171, ".u_near_stack"},
             {175, ".credits"}, {182, ".equal"},     {185, ".power"},
             {14, ".off"}};
enum { CASES = sizeof cases / sizeof cases[0], THAT_DIFFER = CASES - 1 };

/* The first assertion ends a run, which may be another one: another seed may have the one that is
 * looked for. */
static void invariants(void **state) {
  (void)state;
  unsigned missed = 0;
  for (unsigned i = 0; i < CASES; i++) {
    static struct flex_lockstep c;
    bool found = false;
    for (unsigned round = 0; round < ROUNDS && !found; round++) {
      run(&c, cases[i].fault, true, round);
      found = strstr(c.wrong, cases[i].scope) != NULL;
    }
    print_message("fault %u: %s\n", cases[i].fault, c.wrong);
    missed += !found;
  }
  assert_int_equal(missed, 0);
}

/* Without assertions, outputs and states tell. */
static void differences(void **state) {
  (void)state;
  for (unsigned i = 0; i < THAT_DIFFER; i++) {
    static struct flex_lockstep c;
    run(&c, cases[i].fault, false, 0);
    assert_string_not_equal(c.wrong, "");
  }
}

int main(int argc, char **argv) {
  const int status = device_choose("flex_cluster", "Members=6 Dummy=1", argc, argv);
  if (status != 0)
    return status;
  seed = device.fresh != 0 ? device.fresh : device.seed;
  const struct CMUnitTest tests[] = {cmocka_unit_test(sound), cmocka_unit_test(invariants),
                                     cmocka_unit_test(differences)};
  return cmocka_run_group_tests_name("flex_faults", tests, NULL, NULL);
}
