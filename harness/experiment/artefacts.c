/* Files that failed runs have left: their rows, and the limit of their size. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/experiment/store_local.h"

/* nftw's function has no argument of its own. */
static struct {
  struct experiment_store *store;
  int64_t attempt;
  struct tandem_error *err;
} adding;

static int add_file(const char *path, const struct stat *st, int kind, struct FTW *at) {
  (void)at;
  const struct store_value values[] = {STORE_WHOLE_OF(adding.attempt), STORE_TEXT_OF(path),
                                       STORE_WHOLE_OF((int64_t)st->st_size)};
  return kind != FTW_F ? 0
                       : store_run(adding.store,
                                   "INSERT INTO artefacts(attempt, path, bytes) VALUES(?, ?, ?)",
                                   values, 3, adding.err);
}

int experiment_store_add_files(struct experiment_store *s, int64_t attempt, const char *folder,
                               struct tandem_error *err) {
  adding.store = s;
  adding.attempt = attempt;
  adding.err = err;
  const int status = access(folder, R_OK) == 0 ? nftw(folder, add_file, 16, FTW_PHYS) : 0;
  return status <= 0 ? status : -EIO;
}

/* The bytes that are kept, and the oldest attempt with files; 0: there is none. */
static int look(struct experiment_store *s, uint64_t *bytes, int64_t *oldest,
                struct tandem_error *err) {
  sqlite3_stmt *st =
      store_prepare(s, "SELECT TOTAL(bytes), IFNULL(MIN(attempt), 0) FROM artefacts", NULL, 0, err);
  if (st == NULL)
    return -EIO;
  const int status = sqlite3_step(st) == SQLITE_ROW ? 0 : store_refuse(s, err);
  *bytes = status == 0 ? (uint64_t)sqlite3_column_double(st, 0) : 0;
  *oldest = status == 0 ? sqlite3_column_int64(st, 1) : 0;
  sqlite3_finalize(st);
  return status;
}

/* Removes what a path names below an open folder, and the folders that it leaves empty.  Nothing is
 * reached through a link, nor above the folder. */
static void remove_below(int folder, const char *path) {
  const char *slash = strchr(path, '/');
  const size_t n = slash != NULL ? (size_t)(slash - path) : strlen(path);
  char *name = strndup(path, n);
  if (name == NULL || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
    /* no name of a file that was added */
  } else if (slash == NULL) {
    (void)unlinkat(folder, name, 0);
  } else {
    const int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner >= 0) {
      remove_below(inner, slash + 1);
      close(inner);
      (void)unlinkat(folder, name, AT_REMOVEDIR);
    }
  }
  free(name);
}

/* The folder of a store's files. */
struct own {
  const char *path;
  int open;
};

/* A path of the database names the folder as another command did, or is none of it. */
static void remove_file(void *user, const char *path) {
  const struct own *own = user;
  const char *slash = strrchr(own->path, '/'), *base = slash != NULL ? slash + 1 : own->path;
  const size_t n = strlen(base);
  for (const char *p = path; p != NULL && own->open >= 0; p = strchr(p, '/')) {
    p += *p == '/';
    if (strncmp(p, base, n) == 0 && p[n] == '/') {
      remove_below(own->open, p + n + 1);
      return;
    }
  }
}

int experiment_store_files(struct experiment_store *s, int64_t attempt,
                           void (*each)(void *user, const char *path), void *user,
                           struct tandem_error *err) {
  const struct store_value values[] = {STORE_WHOLE_OF(attempt)};
  sqlite3_stmt *st = store_prepare(s,
                                   "SELECT path FROM artefacts WHERE attempt = ?1 OR attempt IN"
                                   " (SELECT id FROM attempts WHERE rerun = ?1) ORDER BY path",
                                   values, 1, err);
  if (st == NULL)
    return -EIO;
  while (sqlite3_step(st) == SQLITE_ROW) {
    char *path = store_text(st, 0);
    if (path != NULL)
      each(user, path);
    free(path);
  }
  sqlite3_finalize(st);
  return 0;
}

static int limit(struct experiment_store *s, struct own *own, uint64_t most,
                 struct tandem_error *err) {
  uint64_t bytes;
  int64_t oldest;
  TRY(look(s, &bytes, &oldest, err));
  while (bytes > most && oldest != 0) {
    const struct store_value values[] = {STORE_WHOLE_OF(oldest)};
    TRY(experiment_store_files(s, oldest, remove_file, own, err));
    TRY(store_run(s, "DELETE FROM artefacts WHERE attempt = ?", values, 1, err));
    TRY(look(s, &bytes, &oldest, err));
  }
  return 0;
}

int experiment_store_limit_files(struct experiment_store *s, const char *folder, uint64_t most,
                                 struct tandem_error *err) {
  struct own own = {folder, open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  const int status = limit(s, &own, most, err);
  if (own.open >= 0)
    close(own.open);
  return status;
}

int experiment_store_rerun(struct experiment_store *s, int64_t attempt, bool *known, bool *failed,
                           struct tandem_error *err) {
  const struct store_value values[] = {STORE_WHOLE_OF(attempt)};
  sqlite3_stmt *st = store_prepare(s,
                                   "SELECT status FROM attempts WHERE rerun = ? AND status NOT IN"
                                   " ('running', 'interrupted') ORDER BY id DESC LIMIT 1",
                                   values, 1, err);
  if (st == NULL)
    return -EIO;
  *known = sqlite3_step(st) == SQLITE_ROW;
  *failed = *known && strcmp((const char *)sqlite3_column_text(st, 0), "ok") != 0;
  sqlite3_finalize(st);
  return 0;
}
