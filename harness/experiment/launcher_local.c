/* Processes of this machine. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/experiment/launcher.h"

enum { WAIT_MS = 20 };

struct process {
  pid_t pid; /* 0: none */
  double start, timeout_s;
  bool late;
};

struct local {
  size_t n;
  struct process process[];
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* In the child: does not return. */
static void become(const struct launcher_job *job, pid_t parent) {
  const int null = open("/dev/null", O_RDWR),
            error = open(job->error, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent || null < 0 || error < 0)
    _exit(127);
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  dup2(error, STDERR_FILENO);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  execv(job->argv[0], job->argv);
  _exit(127);
}

static int start(void *self, size_t slot, const struct launcher_job *job,
                 struct tandem_error *err) {
  struct local *l = self;
  const pid_t parent = getpid(), pid = fork();
  if (pid == 0)
    become(job, parent);
  if (pid < 0)
    return tandem_fail(err, -errno, "cannot start a process: %s", strerror(errno));
  setpgid(pid, pid); /* whoever is first */
  l->process[slot] = (struct process){.pid = pid, .start = now(), .timeout_s = job->timeout_s};
  return 0;
}

static int wait_one(void *self, struct launcher_end *end) {
  struct local *l = self;
  for (size_t i = 0; i < l->n; i++) {
    struct process *p = &l->process[i];
    int status;
    if (p->pid == 0)
      continue;
    if (waitpid(p->pid, &status, WNOHANG) == p->pid) {
      *end = (struct launcher_end){.slot = i,
                                   .exit = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                                   .timeout = p->late,
                                   .wall_s = now() - p->start};
      p->pid = 0;
      return 1;
    }
    if (p->timeout_s > 0 && !p->late && now() - p->start > p->timeout_s) {
      p->late = true;
      kill(-p->pid, SIGKILL);
    }
  }
  nanosleep(&(struct timespec){.tv_nsec = WAIT_MS * 1000000L}, NULL);
  return 0;
}

static void stop(void *self) {
  struct local *l = self;
  for (size_t i = 0; i < l->n; i++)
    if (l->process[i].pid != 0) {
      kill(-l->process[i].pid, SIGKILL);
      waitpid(l->process[i].pid, NULL, 0);
      l->process[i].pid = 0;
    }
}

int launcher_local(size_t slots, struct launcher *l, struct tandem_error *err) {
  struct local *self = calloc(1, sizeof *self + slots * sizeof self->process[0]);
  if (self == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  self->n = slots;
  *l = (struct launcher){self, slots, start, wait_one, stop, free};
  return 0;
}
