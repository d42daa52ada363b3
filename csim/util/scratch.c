/* Files and folders that are there for a while.  The handler of signals reads nothing that is ever
 * freed, and calls nothing that must not be called there. */
#include "csim/util/scratch.h"

#include <dirent.h>
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
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "csim/util/guard.h"

/* ---- what there is ---- */

/* Blocks of entries; a full list gets another block, and none is ever freed. */
enum { ENTRIES = 64 };
enum { FREE, TAKEN, PATH, GROUP };
struct entry {
  atomic_int kind;
  pid_t group;
  int lock; /* of a path: a descriptor that holds a shared lock of it; -1: none */
  char path[PATH_MAX];
};
static struct block {
  struct entry entries[ENTRIES];
  struct block *_Atomic next;
} first;

/* The entry after e, NULL: the first; NULL after the last one. */
static struct entry *next_entry(struct block **in, struct entry *e) {
  if (e == NULL)
    *in = &first;
  else if (++e < (*in)->entries + ENTRIES)
    return e;
  else
    *in = atomic_load(&(*in)->next);
  return *in != NULL ? (*in)->entries : NULL;
}

/* Adds a block to the list, whose end may grow meanwhile; false: out of memory. */
static bool add_block(void) {
  struct block *more = calloc(1, sizeof *more), *last = &first, *none = NULL;
  while (more != NULL && !atomic_compare_exchange_strong(&last->next, &none, more)) {
    last = none;
    none = NULL;
  }
  return more != NULL;
}

static int note(const char *path, pid_t group) {
  struct block *in;
  if (strlen(path) >= PATH_MAX)
    return -ENAMETOOLONG;
  do
    for (struct entry *e = NULL; (e = next_entry(&in, e)) != NULL;) {
      int was = FREE;
      if (!atomic_compare_exchange_strong(&e->kind, &was, TAKEN))
        continue;
      e->group = group;
      e->lock = -1;
      memcpy(e->path, path, strlen(path) + 1);
      atomic_store(&e->kind, group != 0 ? GROUP : PATH);
      return 0;
    }
  while (add_block());
  return -ENOMEM;
}

static struct entry *find(const char *path, pid_t group) {
  struct block *in;
  for (struct entry *e = NULL; (e = next_entry(&in, e)) != NULL;)
    if (atomic_load(&e->kind) == (group != 0 ? GROUP : PATH) && e->group == group &&
        strcmp(e->path, path) == 0)
      return e;
  return NULL;
}

static void forget(const char *path, pid_t group) {
  struct entry *e = find(path, group);
  if (e == NULL)
    return;
  if (e->lock >= 0)
    close(e->lock);
  atomic_store(&e->kind, FREE);
}

void scratch_add(const char *path) { (void)note(path, 0); }
void scratch_gone(const char *path) { forget(path, 0); }

void scratch_child(pid_t group) {
  (void)note("", group);
  guard_add(group);
}

void scratch_child_gone(pid_t group) {
  forget("", group);
  guard_drop(group);
}

/* ---- what dead processes have left ---- */

/* A path has a lock as long as its process lives.  A process that finds one without a lock, and of
 * the same user, removes it: it takes the lock alone first, so that of two processes one does. */
#define PREFIX ".tandem-lock-"
enum { DIGITS = 16 };

static bool is_ours(const char *name) {
  return strncmp(name, PREFIX, strlen(PREFIX)) == 0 && strlen(name) == strlen(PREFIX) + DIGITS &&
         strspn(name + strlen(PREFIX), "0123456789abcdef") == DIGITS;
}

static void remove_if_left(int folder, const char *name, const char *path) {
  struct stat st;
  if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || st.st_uid != geteuid() ||
      (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
    return;
  const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
    scratch_remove(path);
  if (fd >= 0)
    close(fd);
}

/* Looks through a folder, once a process unless it makes things elsewhere meanwhile. */
static void remove_left(const char *beside) {
  static _Atomic uint64_t last;
  const char *slash = strrchr(beside, '/');
  char *folder = slash != NULL ? strndup(beside, (size_t)(slash - beside) + 1) : strdup("./");
  DIR *d = folder != NULL ? opendir(folder) : NULL;
  struct stat st;
  if (d != NULL && fstat(dirfd(d), &st) == 0 &&
      atomic_exchange(&last, st.st_ino ^ (st.st_dev << 40)) != (st.st_ino ^ (st.st_dev << 40)))
    for (const struct dirent *e; (e = readdir(d)) != NULL;) {
      char *path = NULL;
      if (is_ours(e->d_name) && asprintf(&path, "%s%s", folder, e->d_name) >= 0) {
        remove_if_left(dirfd(d), e->d_name, path);
        free(path);
      }
    }
  if (d != NULL)
    closedir(d);
  free(folder);
}

/* Holds what was made: 0, or -EAGAIN if another process has removed it before. */
static int hold(const char *path) {
  struct stat st;
  struct entry *e = find(path, 0);
  e->lock = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (e->lock >= 0 && flock(e->lock, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return -EAGAIN;
  return stat(path, &st) == 0 ? 0 : -EAGAIN;
}

/* ---- making and removing ---- */

/* A noted path in the same folder: 0 or a negative errno. */
static int name_beside(const char *beside, char **path) {
  const char *slash = strrchr(beside, '/');
  const int folder = slash != NULL ? (int)(slash - beside) + 1 : 0;
  uint64_t random = 0;
  if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random ||
      asprintf(path, "%.*s" PREFIX "%016" PRIx64, folder, beside, random) < 0) {
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

static int make_file(const char *path) {
  return open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

static int make_folder(const char *path) { return mkdir(path, 0700); }

/* Makes and holds something new: what `make` returns, or a negative errno. */
static int make_once(const char *beside, int (*make)(const char *path), char **path) {
  int status = name_beside(beside, path);
  if (status != 0)
    return status;
  const int made = make(*path);
  status = made >= 0 ? hold(*path) : -errno;
  if (status == 0)
    return made;
  if (made > 0)
    close(made);
  forget(*path, 0);
  free(*path);
  *path = NULL;
  return status;
}

static int make_beside(const char *beside, int (*make)(const char *path), char **path) {
  enum { TRIES = 100 };
  const char *folder = getenv("TMPDIR");
  char *temporary = NULL;
  int status = -EAGAIN;
  *path = NULL;
  if (beside == NULL &&
      asprintf(&temporary, "%s/", folder != NULL && *folder != '\0' ? folder : "/tmp") < 0)
    return -ENOMEM;
  if (beside == NULL)
    beside = temporary;
  remove_left(beside);
  for (unsigned i = 0; i < TRIES && status == -EAGAIN; i++)
    status = make_once(beside, make, path);
  free(temporary);
  return status;
}

int scratch_file(const char *beside, char **path) { return make_beside(beside, make_file, path); }

int scratch_folder(const char *beside, char **path) {
  return make_beside(beside, make_folder, path);
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

/* Ends the process groups: by SIGTERM, so that they end theirs, and by SIGKILL after two seconds.
 */
static void end_groups(void) {
  enum { STEPS = 400, STEP_NS = 5000000 };
  struct block *in;
  for (struct entry *e = NULL; (e = next_entry(&in, e)) != NULL;)
    if (atomic_load(&e->kind) == GROUP)
      (void)kill(-e->group, SIGTERM);
  unsigned step = 0;
  for (struct entry *e = NULL; (e = next_entry(&in, e)) != NULL;) {
    if (atomic_load(&e->kind) != GROUP)
      continue;
    while (waitpid(e->group, NULL, WNOHANG) == 0 && step++ < STEPS)
      (void)nanosleep(&(struct timespec){.tv_nsec = STEP_NS}, NULL);
    (void)kill(-e->group, SIGKILL);
  }
}

/* Files go by `rm`: removing a folder with all in it needs memory, which a handler must not ask
 * for. */
static void remove_files(struct block *b) {
  static const char *argv[ENTRIES + 4] = {"rm", "-rf", "--"};
  size_t n = 3;
  for (struct entry *e = b->entries; e < b->entries + ENTRIES; e++)
    if (atomic_load(&e->kind) == PATH)
      argv[n++] = e->path;
  argv[n] = NULL;
  const pid_t pid = n > 3 ? _Fork() : -1;
  if (pid == 0) {
    execv("/bin/rm", (char *const *)(uintptr_t)argv);
    _exit(127);
  }
  if (pid > 0)
    (void)waitpid(pid, NULL, 0);
}

static void end(int number) {
  end_groups();
  for (struct block *b = &first; b != NULL; b = atomic_load(&b->next))
    remove_files(b);
  (void)raise(number); /* by default now, once the handler has returned */
}

void scratch_on_signals(void) {
  guard_start();
  static const int numbers[] = {SIGHUP,  SIGINT,  SIGQUIT,   SIGTERM, SIGPIPE, SIGXCPU,   SIGUSR1,
                                SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO,   SIGSTKFLT, SIGPWR};
  struct sigaction action = {.sa_handler = end, .sa_flags = (int)SA_RESETHAND};
  sigfillset(&action.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    struct sigaction before;
    if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* nohup */
      (void)sigaction(numbers[i], &action, NULL);
  }
  (void)signal(SIGXFSZ, SIG_IGN);
}
