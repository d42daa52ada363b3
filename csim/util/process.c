/* Programs that are run. */
#include "csim/util/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "csim/util/input.h"
#include "csim/util/scratch.h"

extern char **environ;
enum { WRITE = O_WRONLY | O_CREAT | O_TRUNC };

/* Signals as they are for a program that a shell starts. */
static void attributes(posix_spawnattr_t *a) {
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGINT);
  sigaddset(&usual, SIGPIPE);
  sigaddset(&usual, SIGXFSZ);
  posix_spawnattr_init(a);
  posix_spawnattr_setpgroup(a, 0);
  posix_spawnattr_setsigmask(a, &none);
  posix_spawnattr_setsigdefault(a, &usual);
  posix_spawnattr_setflags(a,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

int process_start(const struct process *p, pid_t *pid) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attribute;
  int error = posix_spawn_file_actions_init(&files);
  if (error != 0)
    return error;
  if (p->folder != NULL)
    error = posix_spawn_file_actions_addchdir_np(&files, p->folder);
  if (error == 0)
    error = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  if (error == 0)
    error = posix_spawn_file_actions_addopen(&files, 1, p->log != NULL ? p->log : "/dev/null",
                                             WRITE, 0666);
  if (error == 0)
    error = p->errors != NULL ? posix_spawn_file_actions_addopen(&files, 2, p->errors, WRITE, 0666)
                              : posix_spawn_file_actions_adddup2(&files, 1, 2);
  attributes(&attribute);
  if (error == 0)
    error = posix_spawnp(pid, p->argv[0], &files, &attribute, (char *const *)(uintptr_t)p->argv,
                         environ);
  posix_spawnattr_destroy(&attribute);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0)
    return error;
  scratch_child(*pid);
  const struct rlimit limit = {p->cpu_seconds, p->cpu_seconds};
  if (p->cpu_seconds != 0)
    (void)prlimit(*pid, RLIMIT_CPU, &limit, NULL);
  return 0;
}

int process_end(pid_t pid, bool wait, int *status) {
  pid_t got;
  while ((got = waitpid(pid, status, wait ? 0 : WNOHANG)) < 0 && errno == EINTR)
    continue;
  if (got == 0)
    return 0;
  scratch_child_gone(pid);
  return got == pid ? 1 : -errno;
}

int process_end_within(pid_t pid, unsigned seconds, int *status) {
  enum { STEP_MS = 2 };
  for (unsigned ms = 0; ms < 1000 * seconds; ms += STEP_MS) {
    const int ended = process_end(pid, false, status);
    if (ended != 0)
      return ended;
    nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
  }
  kill(-pid, SIGKILL);
  return process_end(pid, true, status);
}

const char *process_cause(int status, char *text, size_t size) {
  if (WIFSIGNALED(status))
    snprintf(text, size, "was ended by a signal (%d: %s)", WTERMSIG(status),
             strsignal(WTERMSIG(status)));
  else
    snprintf(text, size, "ended with exit status %d without a message", WEXITSTATUS(status));
  return text;
}

bool process_run(const struct process *p) {
  pid_t pid;
  int status;
  return process_start(p, &pid) == 0 && process_end(pid, true, &status) == 1 && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

int process_output(const struct process *p, char **text) {
  struct process with = *p;
  char *path;
  pid_t pid;
  size_t n;
  int status = -1;
  *text = NULL;
  const int fd = scratch_file(NULL, &path);
  if (fd < 0)
    return -1;
  close(fd);
  with.log = path;
  if (process_start(&with, &pid) != 0)
    status = 127;
  else if (process_end(pid, true, &status) != 1 || !WIFEXITED(status) ||
           input_read(path, INPUT_TEXT_MOST, text, &n, NULL) != 0)
    status = -1;
  else
    status = WEXITSTATUS(status);
  scratch_drop(path);
  return status;
}
