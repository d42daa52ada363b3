/* Listing and pruning the cache. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csim/util/scratch.h"
#include "harness/shim/models/local.h"

/* "NAME.<32 hexadecimal digits><end>": the length of NAME, or 0. */
static size_t name_of(const char *file, const char *end) {
  const size_t n = strlen(file), tail = 1 + (HASH_KEY - 1) + strlen(end);
  if (n <= tail || strcmp(file + n - strlen(end), end) != 0 || file[n - tail] != '.' ||
      strspn(file + n - tail + 1, "0123456789abcdef") != HASH_KEY - 1)
    return 0;
  return n - tail;
}

static int is_model(const struct dirent *e) { return name_of(e->d_name, ".so") != 0; }

/* A model, or the list of files by which it is found (reads.c). */
static int is_kept(const struct dirent *e) {
  return is_model(e) || name_of(e->d_name, ".reads") != 0;
}

/* The cache's entries by name, of which `which` wants some; -1 and err if it cannot be read, and of
 * a cache that is not there 0. */
static int entries(const char *cache, int which(const struct dirent *), struct dirent ***names,
                   struct tandem_error *err) {
  const int n = scandir(cache, names, which, alphasort);
  if (n >= 0 || errno == ENOENT) {
    if (n < 0)
      *names = NULL;
    return n < 0 ? 0 : n;
  }
  return tandem_fail(err, -errno, "cannot read the cache of models %s: %s", cache, strerror(errno));
}

static void free_entries(struct dirent **names, int n) {
  for (int i = 0; i < n; i++)
    free(names[i]);
  free(names);
}

int models_list(void (*each)(const struct model_file *f, void *user), void *user, char **folder,
                struct tandem_error *err) {
  struct dirent **names;
  char *cache = models_cache(err), path[MODELS_PATH];
  if (cache == NULL)
    return -ENOENT;
  const int n = entries(cache, is_model, &names, err);
  for (int i = 0; i < n; i++) {
    struct stat st;
    const size_t length = name_of(names[i]->d_name, ".so");
    snprintf(path, sizeof path, "%s/%s", cache, names[i]->d_name);
    char *name = strndup(names[i]->d_name, length);
    if (name != NULL && stat(path, &st) == 0) {
      struct model_file f = {name, path, (uint64_t)st.st_size, st.st_mtime, {0}};
      file_seconds(path, f.seconds);
      each(&f, user);
    }
    free(name);
  }
  if (n >= 0)
    free_entries(names, n);
  if (folder != NULL && n >= 0)
    *folder = cache;
  else
    free(cache);
  return n < 0 ? n : 0;
}

/* Scratch folders of processes that were killed, and locks that nobody holds, after an hour. */
static int is_left(const struct dirent *e) {
  const size_t n = strlen(e->d_name);
  return strncmp(e->d_name, ".tandem-", 8) == 0 ||
         (n > 5 && strcmp(e->d_name + n - 5, ".lock") == 0);
}

/* A live process holds a lock of its scratch files and folders, and of models that it makes. */
static bool is_locked(const char *path) {
  const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  const bool locked = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0;
  if (fd >= 0)
    close(fd);
  return locked;
}

/* Removes an entry that was not used for `age` seconds, 0: any, and is not in use: 1 if it did, 0,
 * or a negative errno.  A time ahead of the clock is no age. */
static int prune_one(const char *path, uint64_t age, bool kept, uint64_t *bytes,
                     struct tandem_error *err) {
  const time_t now = time(NULL);
  struct stat st, after;
  if (lstat(path, &st) != 0 ||
      (age != 0 && (st.st_mtime > now || (uint64_t)(now - st.st_mtime) < age)) ||
      (!kept && is_locked(path)))
    return 0;
  scratch_remove(path);
  if (lstat(path, &after) == 0)
    return tandem_fail(err, -EACCES, "cannot remove %s", path);
  *bytes += (uint64_t)st.st_size;
  return 1;
}

int models_prune(uint64_t seconds, unsigned *files, uint64_t *bytes, struct tandem_error *err) {
  enum { HOUR = 3600 };
  struct dirent **names;
  char *cache = models_cache(err), path[MODELS_PATH];
  uint64_t others = 0;
  *files = 0;
  *bytes = 0;
  if (cache == NULL)
    return -ENOENT;
  int status = 0;
  for (unsigned pass = 0; pass < 2 && status >= 0; pass++) {
    const bool kept = pass == 0;
    const int n = entries(cache, kept ? is_kept : is_left, &names, err);
    for (int i = 0; i < n && status >= 0; i++) {
      snprintf(path, sizeof path, "%s/%s", cache, names[i]->d_name);
      status = prune_one(path, kept ? seconds : HOUR, kept, kept ? bytes : &others, err);
      *files += kept && status == 1;
    }
    if (n >= 0)
      free_entries(names, n);
    else
      status = n;
  }
  free(cache);
  return status < 0 ? status : 0;
}
