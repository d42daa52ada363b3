/* Programs that are run. */
#include "csim/util/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

static int end_of(pid_t pid, int options, int *status, struct rusage *used) {
  pid_t got;
  while ((got = wait4(pid, status, options, used)) < 0 && errno == EINTR)
    continue;
  if (got == 0)
    return 0;
  const int error = errno;
  scratch_child_gone(pid);
  return got == pid ? 1 : -error;
}

int process_end(pid_t pid, bool wait, int *status) {
  return end_of(pid, wait ? 0 : WNOHANG, status, NULL);
}

int process_end_used(pid_t pid, bool wait, int *status, struct rusage *used) {
  return end_of(pid, wait ? 0 : WNOHANG, status, used);
}

double process_seconds(const struct rusage *used) {
  return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
         (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec) / 1e6;
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

static const char DESCRIPTORS[] = "the limit of open files is too low (ulimit -n)",
                  SIZE[] = "a file has reached the limit of its size (ulimit -f)",
                  MEMORY[] = "memory is short", KILLED[] = "memory is short, or somebody killed it";

/* Words of tools when the machine lacks something.  The system's own stand behind a colon, in
 * quotes if clang has them, so that a line of a source in a message is not one. */
static const struct shortage {
  bool system;
  const char *words, *lacks;
} shortages[] = {
    {true, "Too many open files", DESCRIPTORS},
    {true, "Error 24", DESCRIPTORS}, /* by the dynamic linker */
    {true, "No space left on device", "the disk is full"},
    {true, "Disk quota exceeded", "the disk quota is used up"},
    {true, "File too large", SIZE},
    {false, "File size limit exceeded", SIZE},
    {false, "Verilator threw signal 25", SIZE},
    {true, "Resource temporarily unavailable", "the limit of processes is too low (ulimit -u)"},
    {true, "Cannot allocate memory", MEMORY},
    {true, "out of memory", MEMORY},
    {true, "failed to map segment from shared object", MEMORY},
    {false, "'std::bad_alloc'", MEMORY},
    {false, "Killed signal terminated program", KILLED},
    {false, "terminated with signal 9", KILLED},
    {false, "Verilator threw signal 9", KILLED},
    {false, "failed: return code 137", KILLED},
};

static const char *find_words(const struct shortage *s, const char *said) {
  for (const char *p = said; (p = strstr(p, s->words)) != NULL; p++) {
    const char *before = p - (p > said && p[-1] == '\'');
    if (!s->system || (before >= said + 2 && before[-2] == ':' && before[-1] == ' '))
      return p;
  }
  return NULL;
}

/* The shortage whose words come first. */
static const char *lacked_by_words(const char *said) {
  const char *first = NULL, *lacks = NULL;
  for (size_t i = 0; i < sizeof shortages / sizeof shortages[0]; i++) {
    const char *p = find_words(&shortages[i], said);
    if (p != NULL && (first == NULL || p < first)) {
      first = p;
      lacks = shortages[i].lacks;
    }
  }
  return lacks;
}

const char *process_lacked(int status, const char *said) {
  enum { OF_SHELL = 128 }; /* added by a shell whose command a signal ended */
  const char *lacks = said != NULL ? lacked_by_words(said) : NULL;
  const int exit = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  const int number = WIFSIGNALED(status) ? WTERMSIG(status) : exit > OF_SHELL ? exit - OF_SHELL : 0;
  return lacks != NULL       ? lacks
         : number == SIGKILL ? KILLED
         : number == SIGXFSZ ? SIZE
         : number == SIGXCPU ? "its limit of processor time is reached (ulimit -t)"
                             : NULL;
}

const char *process_cause(int status, const char *said, char *text, size_t size) {
  const char *lacks = process_lacked(status, said);
  if (WIFSIGNALED(status))
    snprintf(text, size, "was ended by a signal (%d: %s)%s%s", WTERMSIG(status),
             strsignal(WTERMSIG(status)), lacks != NULL ? ": " : "", lacks != NULL ? lacks : "");
  else if (lacks != NULL)
    snprintf(text, size, "could not do its work (exit status %d): %s", WEXITSTATUS(status), lacks);
  else
    snprintf(text, size, "ended with exit status %d%s", WEXITSTATUS(status),
             said == NULL || *said == '\0' ? " without a message" : "");
  return text;
}

bool process_run(const struct process *p) {
  pid_t pid;
  int status;
  return process_start(p, &pid) == 0 && process_end(pid, true, &status) == 1 && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

int process_output(const struct process *p, int *status, char **text) {
  struct process with = *p;
  char *path;
  pid_t pid;
  size_t n;
  *text = NULL;
  const int fd = scratch_file(NULL, &path);
  if (fd < 0)
    return fd;
  close(fd);
  with.log = realpath(path, NULL); /* TMPDIR is relative to this folder, not to the process's */
  int result = with.log != NULL ? -process_start(&with, &pid) : -errno;
  free((char *)(uintptr_t)with.log);
  if (result == 0)
    result = process_end(pid, true, status) == 1 ? input_read(path, INPUT_TEXT_MOST, text, &n, NULL)
                                                 : -ECHILD;
  scratch_drop(path);
  return result;
}
