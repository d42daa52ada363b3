/* Processes of this machine: their ends wake a poll of descriptors of the processes. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "csim/util/process.h"
#include "harness/experiment/launcher.h"

/* WAIT_MS: of a wait in which nothing ends.  LOOK_MS: between two looks at limits.  GRACE_S: for a
 * run to end its own processes, and to remove its files, once it is to end. */
enum { WAIT_MS = 200, LOOK_MS = 20, GRACE_S = 3 };

struct run {
  pid_t pid; /* 0: none */
  double start, timeout_s;
  uint64_t memory_most;
  enum launcher_reason reason;
  double late; /* the time at which it was to end, as it has reached a limit; 0: it may go on */
};

struct local {
  size_t n;
  struct pollfd *ends; /* of each slot */
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
  const struct process p = {
      .argv = (const char *const *)job->argv, .errors = job->error, .folder = job->folder};
  const double at = now();
  const int error = process_start(&p, &pid);
  if (error != 0)
    return tandem_fail(err, -error, "cannot start a process: %s", strerror(error));
  l->run[slot] = (struct run){
      .pid = pid, .start = at, .timeout_s = job->timeout_s, .memory_most = job->memory_most};
  l->ends[slot].fd = pidfd_open(pid, 0);
  if (l->ends[slot].fd >= 0)
    return 0;
  const int cause = errno;
  int status;
  l->run[slot].pid = 0;
  kill(-pid, SIGKILL);
  (void)process_end(pid, true, &status);
  return tandem_fail(err, -cause, "cannot watch a process: %s", strerror(cause));
}

/* Bytes of memory that a process has now; 0: it has none any more. */
static uint64_t resident(pid_t pid) {
  char path[64], text[128] = "";
  unsigned long long pages = 0;
  snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
  if (fd >= 0)
    close(fd);
  if (n <= 0 || sscanf(text, "%*u %llu", &pages) != 1)
    return 0;
  return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void end_late(struct run *p, enum launcher_reason reason) {
  p->reason = reason;
  p->late = now();
  kill(-p->pid, SIGTERM);
}

/* Ends a run that has reached a limit. */
static void hold_limits(struct run *p) {
  if (p->late == 0 && p->timeout_s > 0 && now() - p->start > p->timeout_s)
    end_late(p, LAUNCHER_TIMEOUT);
  if (p->late == 0 && p->memory_most != 0 && resident(p->pid) > p->memory_most)
    end_late(p, LAUNCHER_MEMORY);
  if (p->late != 0 && now() - p->late > GRACE_S)
    kill(-p->pid, SIGKILL);
}

static bool has_limit(const struct run *p) {
  return p->pid != 0 && (p->timeout_s > 0 || p->memory_most != 0 || p->late != 0);
}

/* Takes the end of a slot's process: whether it has ended. */
static bool take_end(struct local *l, size_t slot, struct launcher_end *end) {
  struct run *p = &l->run[slot];
  int status;
  struct rusage used;
  if (process_end_used(p->pid, false, &status, &used) != 1)
    return false;
  *end = (struct launcher_end){.slot = slot,
                               .exit = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                               .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                               .reason = p->reason,
                               .wall_s = now() - p->start,
                               .cpu_s = process_seconds(&used),
                               .memory = (uint64_t)used.ru_maxrss * 1024};
  /* More memory than that for less time than between two looks.  A new process counts as having had
   * the memory of this one. */
  struct rusage own;
  (void)getrusage(RUSAGE_SELF, &own);
  if (p->reason == LAUNCHER_EXIT && p->memory_most != 0 && end->memory > p->memory_most &&
      used.ru_maxrss > own.ru_maxrss)
    end->reason = LAUNCHER_MEMORY;
  (void)process_cause(status, NULL, end->cause, sizeof end->cause);
  close(l->ends[slot].fd);
  l->ends[slot].fd = -1;
  p->pid = 0;
  return true;
}

static int wait_one(void *self, struct launcher_end *end, struct tandem_error *err) {
  struct local *l = self;
  (void)err;
  bool limits = false;
  for (size_t i = 0; i < l->n; i++) {
    if (l->run[i].pid != 0)
      hold_limits(&l->run[i]);
    limits = limits || has_limit(&l->run[i]);
  }
  if (poll(l->ends, l->n, limits ? LOOK_MS : WAIT_MS) > 0)
    for (size_t i = 0; i < l->n; i++)
      if (l->run[i].pid != 0 && l->ends[i].revents != 0 && take_end(l, i, end))
        return 1;
  return 0;
}

static void stop(void *self) {
  struct local *l = self;
  struct launcher_end end;
  size_t running = 0;
  for (size_t i = 0; i < l->n; i++)
    if (l->run[i].pid != 0) {
      end_late(&l->run[i], LAUNCHER_EXIT);
      running++;
    }
  while (running != 0)
    running -= (size_t)wait_one(self, &end, NULL);
}

static void destroy(void *self) {
  struct local *l = self;
  free(l->ends);
  free(l);
}

/* Lets this process have a descriptor for each slot, as far as its limit goes. */
static void raise_limit(size_t slots) {
  enum { OTHERS = 64 };
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= slots + OTHERS)
    return;
  limit.rlim_cur = limit.rlim_max < slots + OTHERS ? limit.rlim_max : slots + OTHERS;
  (void)setrlimit(RLIMIT_NOFILE, &limit);
}

int launcher_local(size_t slots, struct launcher *l, struct tandem_error *err) {
  struct local *self = calloc(1, sizeof *self + slots * sizeof self->run[0]);
  struct pollfd *ends = calloc(slots, sizeof *ends);
  if (self == NULL || ends == NULL) {
    free(self);
    free(ends);
    return tandem_fail(err, -ENOMEM, "out of memory");
  }
  raise_limit(slots);
  self->n = slots;
  self->ends = ends;
  for (size_t i = 0; i < slots; i++)
    ends[i] = (struct pollfd){.fd = -1, .events = POLLIN};
  *l = (struct launcher){self, slots, start, wait_one, stop, destroy};
  return 0;
}
