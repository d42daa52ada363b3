/* Commands of tests that try programs from outside. */
#include <sys/wait.h>

#include "tests/shell.h"
#include "tests/test.h"

int shell_run(const char *command, char *said, size_t size) {
  FILE *p = popen(command, "r");
  assert_non_null(p);
  said[fread(said, 1, size - 1, p)] = '\0';
  const int status = pclose(p);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}
