/* The limit of what is kept: trees, programs and netlists of revisions (docs/use/compare.md). */
#include "harness/compare/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/scratch.h"

/* ---- use ---- */

int compare_kept_open(const struct compare_places *at, struct compare_kept *k,
                      struct tandem_error *err) {
  struct stat st;
  *k = (struct compare_kept){.lock = -1};
  snprintf(k->folder, sizeof k->folder, "%.2000s/compare", at->build);
  TRY(files_folder(k->folder, err));
  char path[COMPARE_PATH];
  snprintf(path, sizeof path, "%.4000s/lock", k->folder);
  k->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (k->lock < 0 || flock(k->lock, LOCK_SH) != 0 || futimens(k->lock, NULL) != 0 ||
      fstat(k->lock, &st) != 0) {
    const int error = errno;
    return tandem_fail(err, -error, "cannot lock %s: %s", path, strerror(error));
  }
  k->begun = st.st_mtim;
  return 0;
}

void compare_kept_use(const char *path) { (void)utimensat(AT_FDCWD, path, NULL, 0); }

/* ---- the limit ---- */

struct entry {
  char *path;
  uint64_t bytes;
  struct timespec used;
};

static uint64_t bytes_of(const char *path) {
  char *const roots[] = {(char *)(uintptr_t)path, NULL};
  uint64_t bytes = 0;
  FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
  for (const FTSENT *f; walk != NULL && (f = fts_read(walk)) != NULL;)
    if (f->fts_info == FTS_F || f->fts_info == FTS_D)
      bytes += 512 * (uint64_t)f->fts_statp->st_blocks;
  if (walk != NULL)
    fts_close(walk);
  return bytes;
}

static bool earlier(const struct timespec *a, const struct timespec *b) {
  return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

static int by_use(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  return earlier(&x->used, &y->used) ? -1 : earlier(&y->used, &x->used);
}

/* Removes an entry with its log files and locks, which are named after it. */
static void drop(const struct entry *e) {
  char pattern[COMPARE_PATH];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%.4000s.*", e->path);
  scratch_remove(e->path);
  if (glob(pattern, 0, NULL, &found) != 0)
    return;
  for (size_t i = 0; i < found.gl_pathc; i++)
    (void)unlink(found.gl_pathv[i]);
  globfree(&found);
}

/* Removes the entries that were used longest ago, but none of this comparison. */
static void limit(const struct compare_kept *k, struct entry *entries, size_t n, uint64_t most,
                  void (*removed)(const char *path, uint64_t bytes)) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < n; i++)
    bytes += entries[i].bytes;
  qsort(entries, n, sizeof *entries, by_use);
  for (size_t i = 0; i < n && bytes > most && earlier(&entries[i].used, &k->begun); i++) {
    drop(&entries[i]);
    bytes -= entries[i].bytes;
    removed(entries[i].path, entries[i].bytes);
  }
}

void compare_kept_close(struct compare_kept *k, uint64_t most,
                        void (*removed)(const char *path, uint64_t bytes)) {
  char pattern[COMPARE_PATH];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%.4000s/{trees,programs,synth}/*", k->folder);
  if (k->lock >= 0 && flock(k->lock, LOCK_EX | LOCK_NB) == 0 &&
      glob(pattern, GLOB_BRACE | GLOB_NOSORT, NULL, &found) == 0) {
    struct entry *entries = calloc(found.gl_pathc + 1, sizeof *entries);
    size_t n = 0;
    for (size_t i = 0; entries != NULL && i < found.gl_pathc; i++) {
      struct stat st;
      char *path = found.gl_pathv[i];
      if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
        entries[n++] = (struct entry){path, bytes_of(path), st.st_mtim};
    }
    if (entries != NULL)
      limit(k, entries, n, most, removed);
    free(entries);
    globfree(&found);
  }
  if (k->lock >= 0)
    close(k->lock);
  k->lock = -1;
}
