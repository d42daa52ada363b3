/* Processes of this machine. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>

#include "csim/util/process.h"
#include "harness/experiment/launcher.h"

/* GRACE_S: for a run to end its own processes, and to remove its files, once it is to end. */
enum { WAIT_MS = 20, GRACE_S = 3 };

struct run {
  pid_t pid; /* 0: none */
  double start, timeout_s;
  double late; /* the time at which it was to end, as its limit is over; 0: it may go on */
};

struct local {
  size_t n;
  struct run run[];
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int start(void *self, size_t slot, const struct launcher_job *job,
                 struct tandem_error *err) {
  struct local *l = self;
  pid_t pid;
  const struct process p = {.argv = (const char *const *)job->argv, .errors = job->error};
  const int error = process_start(&p, &pid);
  if (error != 0)
    return tandem_fail(err, -error, "cannot start a process: %s", strerror(error));
  l->run[slot] = (struct run){.pid = pid, .start = now(), .timeout_s = job->timeout_s};
  return 0;
}

static int wait_one(void *self, struct launcher_end *end) {
  struct local *l = self;
  for (size_t i = 0; i < l->n; i++) {
    struct run *p = &l->run[i];
    int status;
    if (p->pid == 0)
      continue;
    if (process_end(p->pid, false, &status) == 1) {
      *end = (struct launcher_end){.slot = i,
                                   .exit = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                                   .timeout = p->late != 0,
                                   .wall_s = now() - p->start};
      (void)process_cause(status, NULL, end->cause, sizeof end->cause);
      p->pid = 0;
      return 1;
    }
    if (p->timeout_s > 0 && p->late == 0 && now() - p->start > p->timeout_s) {
      p->late = now();
      kill(-p->pid, SIGTERM);
    }
    if (p->late != 0 && now() - p->late > GRACE_S)
      kill(-p->pid, SIGKILL);
  }
  nanosleep(&(struct timespec){.tv_nsec = WAIT_MS * 1000000L}, NULL);
  return 0;
}

static void stop(void *self) {
  struct local *l = self;
  struct launcher_end end;
  size_t running = 0;
  for (size_t i = 0; i < l->n; i++)
    if (l->run[i].pid != 0) {
      l->run[i].late = now();
      kill(-l->run[i].pid, SIGTERM);
      running++;
    }
  while (running != 0)
    running -= (size_t)wait_one(self, &end);
}

int launcher_local(size_t slots, struct launcher *l, struct tandem_error *err) {
  struct local *self = calloc(1, sizeof *self + slots * sizeof self->run[0]);
  if (self == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  self->n = slots;
  *l = (struct launcher){self, slots, start, wait_one, stop, free};
  return 0;
}
