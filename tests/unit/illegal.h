/* Illegal inputs: the assertions of the device must notice.  After lockstep.h.  Of a unit that
 * registers its inputs first, UNIT_AFTER(in) is the inputs of the cycle behind them. */
#ifndef TANDEM_TEST_ILLEGAL_H
#define TANDEM_TEST_ILLEGAL_H

#include <sys/wait.h>
#include <unistd.h>

/* Returns true if an assertion fails in a cycle with these inputs.  A child process tries it, since
 * the failure ends the process. */
static bool illegal_ends(struct lockstep *l, unit_in in) {
  int status = 0;
  fflush(NULL);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    unit_out out;
    rtl_eval(l->dut, &in, &out);
    rtl_step(l->dut, &in);
#ifdef UNIT_AFTER
    rtl_step(l->dut, &(unit_in)UNIT_AFTER(in));
#endif
    _exit(rtl_assertions(l->dut, NULL) != 0 ? 1 : 0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status) == 1;
}

/* A device without assertions is not tried. */
#define ILLEGAL(...) assert_true(!device_asserts() || illegal_ends(l, (unit_in){__VA_ARGS__}))
#define LEGAL(...) assert_false(device_asserts() && illegal_ends(l, (unit_in){__VA_ARGS__}))

#endif
