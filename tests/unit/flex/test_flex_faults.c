/* Assertions hold the invariants of a Flex cluster (docs/hardware/flex_frontend.md) in every cycle:
 * a fault breaks each of them, and the assertion of that name fails.  Invariants that no seeded
 * fault breaks are broken by planted ones (planted.h), and by inputs that are illegal.  Each fault
 * makes the cluster differ from its reference, too, but an open clock gate, whose changes are lost
 * at the reset after power returns, and a wrong owner in cycles in which nobody asks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/device.h"
#include "tests/unit/flex/flex_lockstep.h"
#include "tests/unit/flex/planted.h"
#include "tests/unit/testing.h"

static uint64_t seed;

enum { MEMBERS = 6, SOUND = 10000, LIMIT = 40000, ROUNDS = 20 };

static const struct env_rates brisk = {80, 60, 60, 80, 40, 80, 60, 3, 0, false, false};

/* With 14 and 208 a near half that is off is in reset, so that no assertion of its own comes first.
 */
static const struct planted planted[] = {
    {"flex_roles", "active_o = ~lenders", "active_o = `FAULT(201, ~lenders, '1)"},
    {"flex_cluster", "assign owner[1:0] = by_left ?",
     "assign owner[1:0] = `FAULT(202, by_left, by_left && hold_o == '0) ?"},
    {"flex_member", "grant0.pc, grant0.mask}",
     "grant0.pc, `FAULT(203, grant0.mask, near_grant0.mask)}"},
    {"flex_member", ".en_i(ctx_i)", ".en_i(`FAULT(204, ctx_i, 1'b1))"},
    {"flex_member", ".en_i(on)", ".en_i(`FAULT(208, on, 1'b1))"},
    {"flex_member", "u_frontend (",
     "u_frontend (.rst_ni(`FAULT(208, `FAULT(14, rst_ni, rst_ni & on), rst_ni & on)), "},
    {"flex_path", ".valid_i(access_i.rd0)",
     ".bypass_i(`FAULT(205, bypass_i, 1'b1)), .valid_i(access_i.rd0)"},
    {"flex_frontend", "slots1 = '0", "slots1 = `FAULT(206, '0, SlotsFull)"},
    {"flex_frontend", ".launch_mask_i(launch_mask_q)",
     ".launch_mask_i(`FAULT(207, launch_mask_q, {2{launch_mask_q[31:0]}}))"}};

/* No faults of the RTL: a back end that resolves too early, a kernel that starts too early. */
enum { HASTY = 256, EARLY };
struct broken {
  const char *invariant;
  unsigned fault;
  const char *scope; /* of its assertion */
  bool differs;      /* so does the cluster from its reference */
  int mode;          /* of all kernels; below 0: by chance */
};
static const struct broken cases[] = {{"owner", 202, ".owner", false, -1},
                                      {"start", EARLY, ".start", false, FLEX_OCC},
                                      {"owner", 166, ".u_context", true, FLEX_BAL},
                                      {"role", 201, ".role", true, FLEX_OCC},
                                      {"power", 185, ".power", true, -1},
                                      {"off", 14, ".off", false, -1},
                                      {"off", 208, ".off", false, -1},
                                      {"context_off", 204, ".context_off", false, -1},
                                      {"delay", 203, ".delay", true, FLEX_OCC},
                                      {"equal", 160, ".equal", true, FLEX_OCC},
                                      {"equal", 182, ".equal", true, FLEX_OCC},
                                      {"fresh", 205, ".fresh", true, FLEX_OCC},
                                      {"credits", 175, ".credits", true, FLEX_OCC},
                                      {"sm_alone", 206, ".sm_alone", true, FLEX_BASE},
                                      {"lanes", 207, ".lanes", true, FLEX_OCC},
                                      {"resolve", HASTY, ".resolve", false, FLEX_OCC},
                                      {"popped once", 171, ".u_simt_stack", true, FLEX_OCC}};
enum { CASES = sizeof cases / sizeof cases[0] };

/* alone: assertions are looked for, else differences. */
static void run(struct flex_lockstep *c, unsigned fault, int mode, bool alone, unsigned round) {
  const struct fl_script script = {.mode = mode, .power_up = 5, .ctas = 2};
  flex_lockstep_open(c, MEMBERS, 1, seed + round, brisk, script);
  c->quiet = true;
  c->alone = alone;
  c->unasserted = !alone;
  for (unsigned m = 0; m < MEMBERS && fault == HASTY; m++)
    c->e[m].resolve_after = 0;
  c->early = fault == EARLY;
  assert_true(flex_lockstep_fault(c, fault >= HASTY ? 0 : fault));
  while (c->cycle < (fault == 0 ? SOUND : LIMIT) && flex_lockstep_step(c)) {
  }
  flex_lockstep_close(c);
}

static void sound(void **state) {
  (void)state;
  static struct flex_lockstep c;
  run(&c, 0, -1, true, 0);
  assert_string_equal(c.wrong, "");
}

/* The first cycle with a failed assertion ends a run, which may be another one: another seed may
 * have the one that is looked for. */
static void invariants(void **state) {
  (void)state;
  unsigned missed = 0;
  for (unsigned i = 0; i < CASES; i++) {
    static struct flex_lockstep c;
    bool found = false;
    unsigned round = 0;
    for (; round < ROUNDS && !found; round++) {
      run(&c, cases[i].fault, cases[i].mode, true, round);
      found = strstr(c.wrong, cases[i].scope) != NULL;
    }
    print_message("%s, fault %u, %u runs: %s\n", cases[i].invariant, cases[i].fault, round,
                  c.wrong);
    missed += !found;
  }
  assert_int_equal(missed, 0);
}

/* Without assertions, outputs and states tell. */
static void differences(void **state) {
  (void)state;
  unsigned missed = 0;
  for (unsigned i = 0; i < CASES; i++) {
    static struct flex_lockstep c;
    if (!cases[i].differs)
      continue;
    run(&c, cases[i].fault, cases[i].mode, false, 0);
    if (c.wrong[0] == '\0')
      print_message("fault %u makes no difference\n", cases[i].fault);
    missed += c.wrong[0] == '\0';
  }
  assert_int_equal(missed, 0);
}

/* Chooses the model of the modules with planted faults. */
static int choose(int argc, char **argv) {
  enum { MORE = 2, ARGUMENTS = 64 };
  static char option[] = "--rtl", folder[] = PLANTED;
  char *with[ARGUMENTS + 1] = {NULL};
  if (argc > ARGUMENTS - MORE)
    return 2;
  memcpy(with, argv, (size_t)argc * sizeof *argv);
  planted_write(folder, planted, sizeof planted / sizeof planted[0]);
  with[argc] = option;
  with[argc + 1] = folder;
  return device_choose("flex_cluster", "Members=6 Dummy=1", argc + MORE, with);
}

int main(int argc, char **argv) {
  const int status = choose(argc, argv);
  if (status != 0)
    return status;
  seed = device.fresh != 0 ? device.fresh : device.seed;
  const struct CMUnitTest tests[] = {cmocka_unit_test(sound), cmocka_unit_test(invariants),
                                     cmocka_unit_test(differences)};
  return cmocka_run_group_tests_name("flex_faults", tests, NULL, NULL);
}
