/* Processes: how their ends are told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csim/util/process.h"

/* How a shell's command ends, with what it writes. */
static void expect(const char *command, const char *cause) {
  const char *const argv[] = {"sh", "-c", command, NULL};
  char *said, text[PROCESS_CAUSE];
  int status;
  assert_int_equal(process_output(&(struct process){.argv = argv}, &status, &said), 0);
  assert_string_equal(process_cause(status, said, text, sizeof text), cause);
  free(said);
}

static void ends_by_itself(void **state) {
  (void)state;
  expect("exit 3", "ended with exit status 3 without a message");
  expect("echo wrong; exit 3", "ended with exit status 3");
  expect("kill -11 $$", "was ended by a signal (11: Segmentation fault)");
  /* Lines of a source in a message are no words of the system. */
  expect("echo 'x.cl:1: error: \"No space left on device, out of memory\"'; exit 1",
         "ended with exit status 1");
}

/* Shortages that a shell can make. */
static void lacks_something(void **state) {
  (void)state;
  static const char killed[] = "memory is short, or somebody killed it";
  char text[200];
  expect("ulimit -n 3; exec clang-14 --version",
         "could not do its work (exit status 127): the limit of open files is too low (ulimit -n)");
  expect("echo 'int a;' | clang-14 -x c -S - -o /dev/full",
         "could not do its work (exit status 1): the disk is full");
  expect("ulimit -v 100000; exec clang-14 --version",
         "could not do its work (exit status 127): memory is short");
  expect("f=$(mktemp); ulimit -f 1; head -c 1000000 /dev/zero >$f; s=$?; rm $f; exit $s",
         "could not do its work (exit status 153): a file has reached the limit of its size "
         "(ulimit -f)");
  snprintf(text, sizeof text, "was ended by a signal (9: Killed): %s", killed);
  expect("kill -9 $$", text);
  snprintf(text, sizeof text, "could not do its work (exit status 137): %s", killed);
  expect("sh -c 'kill -9 $$'; exit $?", text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_by_itself),
                                     cmocka_unit_test(lacks_something)};
  return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
