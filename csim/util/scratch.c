/* Files and folders that are there for a while.  The handler of signals reads nothing that is ever
 * freed, and calls nothing that must not be called there. */
#include "csim/util/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what there is ---- */

struct entry {
  struct entry *next;
  char *path; /* path of a file or folder; "": a process group */
  size_t room;
  atomic_int group;
  atomic_bool used;
};
static struct entry *_Atomic entries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Notes a path or a process group; false: out of memory.  Entries are used again. */
static bool note(const char *path, pid_t group) {
  const size_t room = strlen(path) + 1;
  pthread_mutex_lock(&lock);
  struct entry *e = atomic_load(&entries);
  while (e != NULL && (atomic_load(&e->used) || e->room < room))
    e = e->next;
  if (e == NULL && (e = calloc(1, sizeof *e)) != NULL) {
    e->room = room < 128 ? 128 : room;
    e->path = malloc(e->room);
    if (e->path == NULL) {
      free(e);
      e = NULL;
    } else {
      e->next = atomic_load(&entries);
      atomic_store(&entries, e);
    }
  }
  if (e != NULL) {
    memcpy(e->path, path, room);
    atomic_store(&e->group, (int)group);
    atomic_store(&e->used, true);
  }
  pthread_mutex_unlock(&lock);
  return e != NULL;
}

static void forget(const char *path, pid_t group) {
  pthread_mutex_lock(&lock);
  for (struct entry *e = atomic_load(&entries); e != NULL; e = e->next)
    if (atomic_load(&e->used) && atomic_load(&e->group) == (int)group && strcmp(e->path, path) == 0)
      atomic_store(&e->used, false);
  pthread_mutex_unlock(&lock);
}

void scratch_child(pid_t group) { (void)note("", group); }
void scratch_child_gone(pid_t group) { forget("", group); }

/* ---- removal ---- */

/* An entry of a folder as getdents64 returns it; the functions of <dirent.h> allocate. */
struct name {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char text[];
};
enum { DEEPEST = 32 };

static void remove_at(int folder, const char *name, unsigned depth);

/* Removes what is in a folder; some systems leave names out that were there when another was
 * removed, so until a pass finds nothing to remove. */
static void empty(int fd, unsigned depth) {
  _Alignas(struct name) char names[2048];
  for (bool found = true; found;) {
    found = false;
    (void)lseek(fd, 0, SEEK_SET);
    for (long n; (n = syscall(SYS_getdents64, fd, names, sizeof names)) > 0;)
      for (long at = 0; at < n;) {
        const struct name *e = (const struct name *)(names + at);
        at += e->length;
        if (strcmp(e->text, ".") == 0 || strcmp(e->text, "..") == 0)
          continue;
        remove_at(fd, e->text, depth + 1);
        found |= faccessat(fd, e->text, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
      }
  }
}

static void remove_at(int folder, const char *name, unsigned depth) {
  if (unlinkat(folder, name, 0) == 0 || (errno != EISDIR && errno != EPERM) || depth > DEEPEST)
    return;
  const int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    return;
  empty(fd, depth);
  close(fd);
  (void)unlinkat(folder, name, AT_REMOVEDIR);
}

void scratch_remove(const char *path) { remove_at(AT_FDCWD, path, 0); }

/* ---- making ---- */

/* A noted path in the same folder; NULL: out of memory. */
static char *name_beside(const char *beside) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
  const char *slash = strrchr(beside, '/');
  unsigned char random[16];
  char text[sizeof random + 1] = "", *path;
  if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
    return NULL;
  for (size_t i = 0; i < sizeof random; i++)
    text[i] = letters[random[i] % 32];
  const int folder = slash != NULL ? (int)(slash - beside) + 1 : 0;
  if (asprintf(&path, "%.*s.tandem-%s", folder, beside, text) < 0)
    return NULL;
  if (note(path, 0))
    return path;
  free(path);
  return NULL;
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
  *path = name_beside(beside);
  if (*path == NULL)
    return -ENOMEM;
  return made(open(*path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666), path);
}

int scratch_folder(const char *beside, char **path) {
  *path = name_beside(beside);
  return *path == NULL ? -ENOMEM : made(mkdir(*path, 0700), path);
}

int scratch_become(char *path, const char *to) {
  struct stat st;
  if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
    (void)chmod(path, 0755);
  const int error = rename(path, to) == 0 ? 0 : errno;
  if (error == 0) {
    forget(path, 0);
    free(path);
  } else {
    scratch_drop(path);
  }
  return -error;
}

void scratch_drop(char *path) {
  if (path == NULL)
    return;
  scratch_remove(path);
  forget(path, 0);
  free(path);
}

/* ---- signals ---- */

static void end(int number) {
  for (const struct entry *e = atomic_load(&entries); e != NULL; e = e->next)
    if (atomic_load(&e->used) && atomic_load(&e->group) != 0) {
      (void)kill(-atomic_load(&e->group), SIGKILL);
      (void)waitpid(atomic_load(&e->group), NULL, 0);
    }
  for (const struct entry *e = atomic_load(&entries); e != NULL; e = e->next)
    if (atomic_load(&e->used) && atomic_load(&e->group) == 0)
      scratch_remove(e->path);
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
