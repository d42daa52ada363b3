/* The folder: its parts, times of files, waits. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "csim/util/files.h"
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
    TRY(files_folder(path, err));
  }
  return 0;
}

int queue_beat(const char *path) { return utimensat(AT_FDCWD, path, NULL, 0) == 0 ? 0 : -errno; }

void queue_gone(const char *path) {
  const struct timespec times[] = {{.tv_sec = QUEUE_GONE}, {.tv_sec = QUEUE_GONE}};
  (void)utimensat(AT_FDCWD, path, times, 0);
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
