/* What must hold in every cycle of a buddy cluster (docs/hardware/buddy.md, Invariants) is broken
 * by a deliberate fault each, and the assertion of that name tells; and the faults that only a
 * cluster can show make it differ from its reference. */
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

/* form: of all kernels, -1 by chance. */
static void run(struct cluster_lockstep *c, unsigned fault, bool alone, int form, unsigned round) {
  cluster_lockstep_open(c, MEMBERS, 1, 1, seed + round, mixed);
  c->e.script.form = form;
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
  run(&c, 0, true, -1, 0);
  assert_string_equal(c.wrong, "");
}

/* Each invariant, the fault that breaks it, and where the assertion is.  A fault breaks more than
 * that, and the first assertion ends a run: another seed may have the one that is looked for. */
static void invariants(void **state) {
  (void)state;
  static const struct {
    const char *name;
    unsigned fault;
    const char *scope;
  } cases[] = {
      {"same", 50, ".same"},       {"ack", 48, ".u_monitor"}, {"credit", 56, ".credit"},
      {"verdict", 80, ".verdict"}, {"off", 96, ".off"},       {"whole", 99, ".whole"},
      {"set", 66, ".set"},         {"one", 65, ".one"},
  };
  unsigned missed = 0;
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct cluster_lockstep c;
    bool told = false;
    for (unsigned round = 0; round < ROUNDS && !told; round++) {
      run(&c, cases[i].fault, true, cases[i].fault == 65 ? 2 : -1, round); /* two pairs */
      told = strstr(c.wrong, cases[i].scope) != NULL;
    }
    print_message("%s, fault %u: %s\n", cases[i].name, cases[i].fault, c.wrong);
    missed += !told;
  }
  assert_int_equal(missed, 0);
}

/* The faults that a cluster alone can show.  Without scrambled registers, and without isolation and
 * reset of front ends that were off, these make no difference: what was there before is as empty.
 */
static void faults_make_a_difference(void **state) {
  (void)state;
  static const unsigned faults[] = {68, 69, 96, 97, 98, 99};
  unsigned missed = 0;
  for (unsigned f = 0; f < sizeof faults / sizeof *faults; f++) {
    static struct cluster_lockstep c;
    run(&c, faults[f], false, -1, 0);
    print_message("fault %u: %s\n", faults[f], c.wrong[0] != '\0' ? c.wrong : "missed");
    missed += c.wrong[0] == '\0';
  }
  assert_int_equal(missed, 0);
}

int main(int argc, char **argv) {
  const int status = device_choose("buddy_cluster", "Members=4 Hop=1 Entries=1", argc, argv);
  if (status != 0)
    return status;
  seed = device.fresh != 0 ? device.fresh : device.seed;
  const struct CMUnitTest tests[] = {cmocka_unit_test(sound), cmocka_unit_test(invariants),
                                     cmocka_unit_test(faults_make_a_difference)};
  return cmocka_run_group_tests_name("cluster_faults", tests, NULL, NULL);
}
