/* Assertions hold the invariants of a buddy cluster (docs/hardware/buddy.md) in every cycle: seeded
 * faults break some of them, and the assertion of that name fails.  The fault that only a cluster
 * can show makes it differ from its reference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/buddy/cluster_lockstep.h"
#include "tests/unit/device.h"
#include "tests/unit/testing.h"

static uint64_t seed;

enum { MEMBERS = 4, SOUND = 60000, LIMIT = 200000, ROUNDS = 40 };

/*                                 memory places diverge exits split nest ctas */
static const struct ce_rates mixed = {40, 30, 20, 20, 300, 3, 3};

static void run(struct cluster_lockstep *c, unsigned fault, bool alone, unsigned round) {
  cluster_lockstep_open(c, MEMBERS, 1, 1, seed + round, mixed);
  c->e.script.form = -1; /* of each kernel by chance */
  c->quiet = true;
  c->alone = alone;
  assert_true(cluster_lockstep_fault(c, fault));
  while (c->cycle < (fault == 0 ? SOUND : LIMIT) && cluster_lockstep_step(c)) {
  }
  cluster_lockstep_close(c);
}

static void sound(void **state) {
  (void)state;
  static struct cluster_lockstep c;
  run(&c, 0, true, 0);
  assert_string_equal(c.wrong, "");
}

/* An invariant, the fault that breaks it, and where the assertion is.  A fault breaks more than
 * that, and the first assertion ends a run: another seed may have the one that is looked for. */
static void invariants(void **state) {
  (void)state;
  static const struct {
    const char *name;
    unsigned fault;
    const char *scope;
  } cases[] = {{"same", 11, ".same"}, {"ack", 10, ".u_monitor"}, {"off", 14, ".clock_when_on"}};
  unsigned missed = 0;
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct cluster_lockstep c;
    bool found = false;
    for (unsigned round = 0; round < ROUNDS && !found; round++) {
      run(&c, cases[i].fault, true, round);
      found = strstr(c.wrong, cases[i].scope) != NULL;
    }
    print_message("%s, fault %u: %s\n", cases[i].name, cases[i].fault, c.wrong);
    missed += !found;
  }
  assert_int_equal(missed, 0);
}

/* A cluster alone shows that a gate is open, by the registers that lose their state without power.
 */
static void gate_makes_a_difference(void **state) {
  (void)state;
  static struct cluster_lockstep c;
  run(&c, 14, false, 0);
  assert_string_not_equal(c.wrong, "");
}

int main(int argc, char **argv) {
  const int status = device_choose("buddy_cluster", "Members=4 Hop=1 Entries=1", argc, argv);
  if (status != 0)
    return status;
  seed = device.fresh != 0 ? device.fresh : device.seed;
  const struct CMUnitTest tests[] = {cmocka_unit_test(sound), cmocka_unit_test(invariants),
                                     cmocka_unit_test(gate_makes_a_difference)};
  return cmocka_run_group_tests_name("cluster_faults", tests, NULL, NULL);
}
