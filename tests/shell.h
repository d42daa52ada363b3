/* Commands of tests that try programs from outside. */
#ifndef TANDEM_TESTS_SHELL_H
#define TANDEM_TESTS_SHELL_H

#include <stddef.h>

/* Runs a command through the shell.  said: what it writes to standard output, cut at size - 1
 * bytes. Its exit status; a command that a signal ends, or that cannot be started, fails the test.
 */
int shell_run(const char *command, char *said, size_t size);

#endif
