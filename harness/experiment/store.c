/* The database: opening, its lock, statements. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "harness/experiment/store_local.h"

enum { BUSY_MS = 10000 };

int store_refuse(struct experiment_store *s, struct tandem_error *err) {
  const int cause = sqlite3_system_errno(s->db), code = sqlite3_errcode(s->db);
  return tandem_fail(
      err, -EIO, "%s: %s%s%s%s", s->path, sqlite3_errmsg(s->db), cause != 0 ? ": " : "",
      cause != 0 ? strerror(cause) : "",
      code == SQLITE_CORRUPT || code == SQLITE_NOTADB
          ? "; move it away, or name another file (--results)"
      : code == SQLITE_FULL || code == SQLITE_IOERR
          ? "; if the disk is full, make room: what has ended is in the database, and "
            "the same command continues"
          : "");
}

int store_execute(struct experiment_store *s, const char *sql, struct tandem_error *err) {
  return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : store_refuse(s, err);
}

sqlite3_stmt *store_prepare(struct experiment_store *s, const char *sql,
                            const struct store_value *values, int n, struct tandem_error *err) {
  sqlite3_stmt *st;
  if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK) {
    (void)store_refuse(s, err);
    return NULL;
  }
  for (int i = 0; i < n; i++) {
    const struct store_value *v = &values[i];
    if (v->kind == STORE_TEXT)
      sqlite3_bind_text(st, i + 1, v->text, -1, SQLITE_STATIC);
    else if (v->kind == STORE_WHOLE)
      sqlite3_bind_int64(st, i + 1, v->whole);
    else
      sqlite3_bind_double(st, i + 1, v->real);
  }
  return st;
}

int store_run(struct experiment_store *s, const char *sql, const struct store_value *values, int n,
              struct tandem_error *err) {
  sqlite3_stmt *st = store_prepare(s, sql, values, n, err);
  if (st == NULL)
    return -EIO;
  const int got = sqlite3_step(st);
  const int status = got == SQLITE_DONE || got == SQLITE_ROW ? 0 : store_refuse(s, err);
  sqlite3_finalize(st);
  return status;
}

char *store_text(sqlite3_stmt *st, int column) {
  const unsigned char *bytes = sqlite3_column_text(st, column);
  char *text = bytes != NULL ? strdup((const char *)bytes) : NULL;
  if (text != NULL)
    tandem_printable(text);
  return text;
}

/* A lock of the file, whatever name leads to it, that ends with the process, however that ends. */
static int lock(struct experiment_store *s, bool wait, struct tandem_error *err) {
  int got;
  s->lock = open(s->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (s->lock < 0)
    return tandem_fail(err, -errno, "cannot write %s: %s", s->path, strerror(errno));
  while ((got = flock(s->lock, LOCK_EX | (wait ? 0 : LOCK_NB))) != 0 && errno == EINTR)
    continue;
  if (got == 0)
    return 0;
  return tandem_fail(err, -EBUSY,
                     "another command writes to %s; wait for its end (--wait), "
                     "show results with --show, or name another file (--results)",
                     s->path);
}

static int make_folder(const char *path, struct tandem_error *err) {
  const char *slash = strrchr(path, '/');
  if (slash == NULL || slash == path)
    return 0;
  char *folder = strndup(path, (size_t)(slash - path));
  int status = folder != NULL ? files_folder(folder, err) : -ENOMEM;
  free(folder);
  return status;
}

/* Claims the database and SQLite's files beside it. */
static int claim(struct experiment_store *s, struct tandem_error *err) {
  static const char *const endings[STORE_FILES] = {"", "-journal", "-wal", "-shm"};
  for (size_t i = 0; i < STORE_FILES; i++) {
    char path[4096];
    if (snprintf(path, sizeof path, "%s%s", s->path, endings[i]) >= (int)sizeof path)
      return tandem_fail(err, -ENAMETOOLONG, "the path %s is too long", s->path);
    TRY(output_claim(&s->claims[i], path, err));
  }
  return 0;
}

/* SQLite's own look at the tables; it is quick. */
static int check(struct experiment_store *s, struct tandem_error *err) {
  sqlite3_stmt *st = store_prepare(s, "PRAGMA quick_check(1)", NULL, 0, err);
  if (st == NULL)
    return -EIO;
  int status = 0;
  if (sqlite3_step(st) != SQLITE_ROW)
    status = store_refuse(s, err);
  else if (strcmp((const char *)sqlite3_column_text(st, 0), "ok") != 0)
    status = tandem_fail(err, -EIO,
                         "%s: the database is damaged; move it away, or name another file "
                         "(--results)",
                         s->path);
  sqlite3_finalize(st);
  return status;
}

/* Opens a database to write: nobody else does.  In the mode WAL a row that is written is in a file,
 * whatever happens to the process, without a wait for the disk. */
static int open_alone(struct experiment_store *s, bool wait, struct tandem_error *err) {
  TRY(make_folder(s->path, err));
  TRY(claim(s, err));
  TRY(lock(s, wait, err));
  if (sqlite3_open(s->path, &s->db) != SQLITE_OK)
    return store_refuse(s, err);
  s->writes = true;
  sqlite3_busy_timeout(s->db, BUSY_MS);
  TRY(check(s, err));
  TRY(store_execute(s, "PRAGMA synchronous = NORMAL", err));
  TRY(store_schema(s, err));
  return store_execute(s, "PRAGMA journal_mode = WAL", err);
}

/* Opens a database to read; one that is not there is empty, and stays so. */
static int open_shared(struct experiment_store *s, struct tandem_error *err) {
  struct stat st;
  const bool there = stat(s->path, &st) == 0, empty = !there || st.st_size == 0;
  if (there && output_is(&st))
    return tandem_fail(err, -EBUSY, "cannot read %s: it is also the name of an output", s->path);
  if (sqlite3_open_v2(empty ? ":memory:" : s->path, &s->db, SQLITE_OPEN_READWRITE, NULL) !=
      SQLITE_OK)
    return store_refuse(s, err);
  sqlite3_busy_timeout(s->db, BUSY_MS);
  return store_schema(s, err);
}

int experiment_store_open(const char *path, enum experiment_access access,
                          struct experiment_store **store, struct tandem_error *err) {
  struct experiment_store *s = calloc(1, sizeof *s);
  *store = NULL;
  if (s == NULL || (s->path = strdup(path)) == NULL) {
    free(s);
    return tandem_fail(err, -ENOMEM, "out of memory");
  }
  s->lock = -1;
  const int status = access == EXPERIMENT_READ ? open_shared(s, err)
                                               : open_alone(s, access == EXPERIMENT_WAIT, err);
  if (status != 0)
    experiment_store_close(s);
  else
    *store = s;
  return status;
}

/* Ends the call, if there is one. */
static void end_call(struct experiment_store *s) {
  const struct store_value call[] = {STORE_WHOLE_OF(s->call)};
  if (s->call == 0)
    return;
  (void)store_execute(s, "UPDATE attempts SET status = 'interrupted' WHERE status = 'running'",
                      NULL);
  (void)store_run(s, "UPDATE suites SET ended = datetime('now') WHERE id = ?", call, 1, NULL);
}

void experiment_store_close(struct experiment_store *s) {
  if (s == NULL)
    return;
  end_call(s);
  sqlite3_close(s->db);
  if (s->lock >= 0)
    close(s->lock);
  for (size_t i = 0; i < STORE_FILES; i++)
    output_release(&s->claims[i]);
  free(s->path);
  free(s);
}
