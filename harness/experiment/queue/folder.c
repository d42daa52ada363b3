/* The folder: its parts, times of files, waits. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/scratch.h"
#include "harness/experiment/queue/queue.h"

int queue_path(const char *folder, const char *part, const char *name, char path[QUEUE_PATH],
               struct tandem_error *err) {
  return snprintf(path, QUEUE_PATH, "%s/%s%s%s", folder, part, *name != '\0' ? "/" : "", name) <
                 QUEUE_PATH
             ? 0
             : tandem_fail(err, -ENAMETOOLONG, "the path %s is too long", folder);
}

int queue_make(const char *folder, struct tandem_error *err) {
  static const char *const parts[] = {"queue", "taken", "done", "refused", "log"};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    char path[QUEUE_PATH];
    TRY(queue_path(folder, parts[i], "", path, err));
    struct stat st;
    TRY(files_folder(path, err));
    if (lstat(path, &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid())
      return tandem_fail(err, -ENOTDIR, "%s is no folder of this user; name another one than %s",
                         path, folder);
  }
  return 0;
}

static bool is_ours(const struct stat *st) {
  return S_ISREG(st->st_mode) && st->st_uid == geteuid() && st->st_nlink == 1;
}

bool queue_has(const char *folder, const char *part, const char *name, struct stat *st) {
  char path[QUEUE_PATH];
  return queue_path(folder, part, name, path, NULL) == 0 && lstat(path, st) == 0 && is_ours(st);
}

/* Opens an entry for reading, without a wait and through no link below the folder; a negative
 * errno. */
static int open_entry(const char *folder, const char *part, const char *name) {
  enum { SAFE = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK };
  const int outer = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
  const int inner =
      outer >= 0 && *part != '\0' ? openat(outer, part, SAFE | O_DIRECTORY) : dup(outer);
  const int fd = inner >= 0 ? openat(inner, name, SAFE) : -1;
  const int error = errno;
  if (outer >= 0)
    close(outer);
  if (inner >= 0)
    close(inner);
  return fd >= 0 ? fd : -error;
}

static int refuse(const char *part, const char *name, int error, struct tandem_error *err) {
  return tandem_fail(err, -error, "%s%s%s: %s", part, *part != '\0' ? "/" : "", name,
                     error == ELOOP || error == EPERM || error == ENXIO
                         ? "it is no regular file of this user"
                         : strerror(error));
}

int queue_read(const char *folder, const char *part, const char *name, char **text,
               struct tandem_error *err) {
  enum { MOST = 16 << 20 };
  struct stat st;
  const int fd = open_entry(folder, part, name);
  *text = NULL;
  if (fd < 0)
    return refuse(part, name, -fd, err);
  int error = fstat(fd, &st) != 0 ? errno : !is_ours(&st) ? EPERM : st.st_size > MOST ? EFBIG : 0;
  const size_t size = error == 0 ? (size_t)st.st_size : 0;
  size_t n = 0;
  ssize_t got = 1;
  if (error == 0 && (*text = malloc(size + 1)) == NULL)
    error = ENOMEM;
  while (error == 0 && n < size && got > 0)
    if ((got = read(fd, *text + n, size - n)) > 0)
      n += (size_t)got;
    else
      error = got < 0 ? errno : 0;
  close(fd);
  if (error == 0) {
    (*text)[n] = '\0';
    return 0;
  }
  free(*text);
  *text = NULL;
  return refuse(part, name, error, err);
}

void queue_drop(const char *folder, const char *part, const char *name) {
  char path[QUEUE_PATH];
  if (queue_path(folder, part, name, path, NULL) == 0 && unlink(path) != 0 && errno != ENOENT)
    scratch_remove(path);
}

int queue_beat(const char *path) {
  return utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : -errno;
}

void queue_gone(const char *path) {
  const struct timespec times[] = {{.tv_sec = QUEUE_GONE}, {.tv_sec = QUEUE_GONE}};
  (void)utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
}

void queue_each(const char *folder, const char *part, void (*each)(void *user, const char *name),
                void *user) {
  char path[QUEUE_PATH];
  DIR *d = queue_path(folder, part, "", path, NULL) == 0 ? opendir(path) : NULL;
  for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
    if (e->d_name[0] != '.' && strlen(e->d_name) < QUEUE_NAME)
      each(user, e->d_name);
  if (d != NULL)
    closedir(d);
}

double queue_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int queue_watch(const char *folder, const char *part) {
  char path[QUEUE_PATH];
  const int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (watch >= 0 && (queue_path(folder, part, "", path, NULL) != 0 ||
                     inotify_add_watch(watch, path, IN_MOVED_TO) < 0)) {
    close(watch);
    return -1;
  }
  return watch;
}

void queue_await(int watch, int ms) {
  struct pollfd p = {.fd = watch, .events = POLLIN};
  char events[4096];
  if (poll(&p, 1, ms) > 0)
    while (read(watch, events, sizeof events) > 0)
      continue;
}
