/* Programs that are run.  Each has a process group of its own, which ends with this process
 * (scratch.h). */
#ifndef TANDEM_UTIL_PROCESS_H
#define TANDEM_UTIL_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

struct process {
  const char *const *argv; /* NULL-ended; a name without a slash is looked for in PATH */
  const char *folder;      /* where it runs; NULL: here */
  const char *log; /* where its output goes, made anew in its folder; NULL: what it says is lost */
  unsigned cpu_seconds; /* that it may take; 0: any */
};

/* Starts a program: 0 or an errno. */
int process_start(const struct process *p, pid_t *pid);
/* Waits for its end, or with `wait` false looks whether there was one: 1 if it has ended, 0 if not,
 * or a negative errno.  *status is as waitpid has it. */
int process_end(pid_t pid, bool wait, int *status);
/* Both: whether it ran and ended well. */
bool process_run(const struct process *p);

#endif
