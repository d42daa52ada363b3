/* Illegal inputs: the assertions of the device under test must tell.  After lockstep.h.
 *
 * A unit test has no log for failed assertions, so that one ends the process: each case is tried in
 * a child. */
#ifndef TANDEM_TEST_ILLEGAL_H
#define TANDEM_TEST_ILLEGAL_H

#if defined DUT && !defined DUT_NETLIST && !defined DUT_FAULTS
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whether a cycle with these inputs ends the process by a failed assertion. */
static bool illegal_ends(struct lockstep *l, unit_in in) {
  int status = 0;
  fflush(NULL);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    if (freopen("/dev/null", "w", stderr) == NULL || freopen("/dev/null", "w", stdout) == NULL)
      _exit(1);
    signal(SIGABRT, SIG_DFL); /* cmocka's own handler would go on */
    unit_out out;
    DUT_CALL(_eval)(l->dut, &in, &out);
    DUT_CALL(_step)(l->dut, &in);
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

#define ILLEGAL(...) assert_true(illegal_ends(l, (unit_in){__VA_ARGS__}))
#define LEGAL(...) assert_false(illegal_ends(l, (unit_in){__VA_ARGS__}))
#else
#define ILLEGAL(...) (void)l
#define LEGAL(...) (void)l
#endif

#endif
