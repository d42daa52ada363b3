/* Programs that are run.  Each has a process group of its own, which ends with this process
 * (scratch.h). */
#ifndef TANDEM_UTIL_PROCESS_H
#define TANDEM_UTIL_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct process {
  const char *const *argv; /* NULL-ended; a name without a slash is looked for in PATH */
  const char *folder;      /* where it runs; NULL: here */
  const char *log;         /* standard output, made anew in its folder; NULL: lost */
  const char *errors;      /* standard error, likewise; NULL: with the standard output */
  unsigned cpu_seconds;    /* that it may take; 0: any */
};

/* Starts a program: 0 or an errno. */
int process_start(const struct process *p, pid_t *pid);
/* Waits for its end, or with `wait` false looks whether there was one: 1 if it has ended, 0 if not,
 * or a negative errno.  *status is as waitpid has it. */
int process_end(pid_t pid, bool wait, int *status);
/* The same with a limit of its time; a process that takes more is killed, with its group. */
int process_end_within(pid_t pid, unsigned seconds, int *status);
/* How a process ended, as "was ended by a signal (9: Killed)"; status as waitpid has it.  Returns
 * the text. */
const char *process_cause(int status, char *text, size_t size);
/* Both: whether it ran and ended well. */
bool process_run(const struct process *p);
/* Runs it, and gives its standard output, allocated, NULL after an error (log is not used): its
 * exit status, 127 if it did not start, -1 if a signal ended it. */
int process_output(const struct process *p, char **text);

#endif
