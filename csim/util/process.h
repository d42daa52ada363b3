/* Programs that are run.  Each has a process group of its own, which ends with this process
 * (scratch.h). */
#ifndef TANDEM_UTIL_PROCESS_H
#define TANDEM_UTIL_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/types.h>

/* Room for what process_cause says. */
enum { PROCESS_CAUSE = 160 };

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
/* The same; *used: the resources that it and the processes that it waited for have used. */
int process_end_used(pid_t pid, bool wait, int *status, struct rusage *used);
/* The processor time of them, in seconds. */
double process_seconds(const struct rusage *used);
/* The same with a limit of its time; a process that takes more is killed, with its group. */
int process_end_within(pid_t pid, unsigned seconds, int *status);
/* The cause of a process's end if the machine lacked something, as "the disk is full", by its
 * status and by what it wrote (NULL: unknown); else NULL. */
const char *process_lacked(int status, const char *said);
/* How a process ended, as "was ended by a signal (11: Segmentation fault)", or "could not do
 * its work: the disk is full"; status as waitpid has it.  Returns the text. */
const char *process_cause(int status, const char *said, char *text, size_t size);
/* Both: whether it ran and ended well. */
bool process_run(const struct process *p);
/* Runs it to its end, and gives its status and its standard output, allocated (log is not used): 0,
 * or a negative errno and no text. */
int process_output(const struct process *p, int *status, char **text);

#endif
