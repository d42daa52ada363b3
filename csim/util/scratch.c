/* Files and folders that are there for a while.  The handler of signals reads nothing that is ever
 * freed, and calls nothing that must not be called there. */
#include "csim/util/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what there is ---- */

enum { ENTRIES = 256 };
enum { FREE, TAKEN, PATH, GROUP };
static struct entry {
  atomic_int kind;
  pid_t group;
  char path[PATH_MAX];
} entries[ENTRIES];

static int note(const char *path, pid_t group) {
  for (struct entry *e = entries; e < entries + ENTRIES; e++) {
    int was = FREE;
    if (!atomic_compare_exchange_strong(&e->kind, &was, TAKEN))
      continue;
    e->group = group;
    const bool fits = snprintf(e->path, sizeof e->path, "%s", path) < (int)sizeof e->path;
    atomic_store(&e->kind, !fits ? FREE : group != 0 ? GROUP : PATH);
    return fits ? 0 : -ENAMETOOLONG;
  }
  return -ENOMEM;
}

static void forget(const char *path, pid_t group) {
  for (struct entry *e = entries; e < entries + ENTRIES; e++)
    if (atomic_load(&e->kind) == (group != 0 ? GROUP : PATH) && e->group == group &&
        strcmp(e->path, path) == 0)
      atomic_store(&e->kind, FREE);
}

void scratch_child(pid_t group) { (void)note("", group); }
void scratch_child_gone(pid_t group) { forget("", group); }

/* ---- making and removing ---- */

/* A noted path in the same folder: 0 or a negative errno. */
static int name_beside(const char *beside, char **path) {
  const char *slash = strrchr(beside, '/');
  const int folder = slash != NULL ? (int)(slash - beside) + 1 : 0;
  uint64_t random = 0;
  if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random ||
      asprintf(path, "%.*s.tandem-%016" PRIx64, folder, beside, random) < 0) {
    *path = NULL;
    return -ENOMEM;
  }
  const int status = note(*path, 0);
  if (status == 0)
    return 0;
  free(*path);
  *path = NULL;
  return status;
}

static int made(int result, char **path) {
  if (result >= 0)
    return result;
  const int error = errno;
  forget(*path, 0);
  free(*path);
  *path = NULL;
  return -error;
}

int scratch_file(const char *beside, char **path) {
  const int status = name_beside(beside, path);
  return status != 0
             ? status
             : made(open(*path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666), path);
}

int scratch_folder(const char *beside, char **path) {
  const int status = name_beside(beside, path);
  return status != 0 ? status : made(mkdir(*path, 0700), path);
}

int scratch_become(char *path, const char *to) {
  struct stat st;
  if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
    (void)chmod(path, 0755);
  const int error = rename(path, to) == 0 ? 0 : errno;
  if (error != 0)
    scratch_remove(path);
  forget(path, 0);
  free(path);
  return -error;
}

void scratch_drop(char *path) {
  if (path == NULL)
    return;
  scratch_remove(path);
  forget(path, 0);
  free(path);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at) {
  (void)st, (void)kind, (void)at;
  (void)remove(path);
  return 0;
}

void scratch_remove(const char *path) { (void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

/* ---- signals ---- */

/* Files go by `rm`: removing a folder with all in it needs memory, which a handler must not ask
 * for. */
static void end(int number) {
  static const char *argv[ENTRIES + 4] = {"rm", "-rf", "--"};
  size_t n = 3;
  for (struct entry *e = entries; e < entries + ENTRIES; e++) {
    const int kind = atomic_load(&e->kind);
    if (kind == GROUP && kill(-e->group, SIGKILL) == 0)
      (void)waitpid(e->group, NULL, 0);
    else if (kind == PATH)
      argv[n++] = e->path;
  }
  const pid_t pid = n > 3 ? _Fork() : -1;
  if (pid == 0) {
    execv("/bin/rm", (char *const *)(uintptr_t)argv);
    _exit(127);
  }
  if (pid > 0)
    (void)waitpid(pid, NULL, 0);
  (void)raise(number); /* by default now, once the handler has returned */
}

void scratch_on_signals(void) {
  static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXCPU};
  struct sigaction action = {.sa_handler = end, .sa_flags = (int)SA_RESETHAND};
  sigfillset(&action.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    struct sigaction before;
    if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* nohup */
      (void)sigaction(numbers[i], &action, NULL);
  }
  (void)signal(SIGXFSZ, SIG_IGN);
}
