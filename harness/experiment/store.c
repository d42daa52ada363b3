/* Results of runs in an SQLite database. */
#include "harness/experiment/store.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/output.h"

enum { BUSY_MS = 10000 };
#define TABLE_OF_RUNS                                                                              \
  "CREATE TABLE IF NOT EXISTS runs(key TEXT PRIMARY KEY, name TEXT, status TEXT, exit INTEGER,"    \
  " wall_s REAL, ended TEXT, command TEXT, json TEXT, error TEXT)"

struct experiment_store {
  sqlite3 *db;
  char *path;
  struct output_claim claim, journal;
  int lock; /* file descriptor, -1: none */
};

static int refuse(struct experiment_store *s, struct tandem_error *err) {
  const int cause = sqlite3_system_errno(s->db);
  return tandem_fail(err, -EIO, "%s: %s%s%s", s->path, sqlite3_errmsg(s->db),
                     cause != 0 ? ": " : "", cause != 0 ? strerror(cause) : "");
}

static int execute(struct experiment_store *s, const char *sql, struct tandem_error *err) {
  return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : refuse(s, err);
}

/* A lock of the file, whatever name leads to it, that ends with the process, however that ends. */
static int lock(struct experiment_store *s, struct tandem_error *err) {
  s->lock = open(s->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (s->lock < 0)
    return tandem_fail(err, -errno, "cannot write %s: %s", s->path, strerror(errno));
  if (flock(s->lock, LOCK_EX | LOCK_NB) == 0)
    return 0;
  return tandem_fail(
      err, -EBUSY,
      "another `tandem experiment` runs with %s; wait for its end, show results with "
      "--show, or name another file (--results)",
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

/* Claims the database and SQLite's file beside it. */
static int claim(struct experiment_store *s, struct tandem_error *err) {
  char journal[4096];
  if (snprintf(journal, sizeof journal, "%s-journal", s->path) >= (int)sizeof journal)
    return tandem_fail(err, -ENAMETOOLONG, "the path %s is too long", s->path);
  TRY(output_claim(&s->claim, s->path, err));
  return output_claim(&s->journal, journal, err);
}

/* Opens a database to write: nobody else does. */
static int open_alone(struct experiment_store *s, struct tandem_error *err) {
  TRY(make_folder(s->path, err));
  TRY(claim(s, err));
  TRY(lock(s, err));
  if (sqlite3_open(s->path, &s->db) != SQLITE_OK)
    return refuse(s, err);
  sqlite3_busy_timeout(s->db, BUSY_MS);
  return execute(s, TABLE_OF_RUNS, err);
}

/* Opens a database to read; one that is not there is empty, and stays so. */
static int open_shared(struct experiment_store *s, struct tandem_error *err) {
  struct stat st;
  const bool there = stat(s->path, &st) == 0, empty = !there || st.st_size == 0;
  if (there && output_is(&st))
    return tandem_fail(err, -EBUSY, "cannot read %s: it is also the name of an output", s->path);
  if (sqlite3_open_v2(empty ? ":memory:" : s->path, &s->db, SQLITE_OPEN_READWRITE, NULL) !=
      SQLITE_OK)
    return refuse(s, err);
  sqlite3_busy_timeout(s->db, BUSY_MS);
  return execute(s, empty ? TABLE_OF_RUNS : "SELECT key FROM runs LIMIT 1", err);
}

int experiment_store_open(const char *path, bool alone, struct experiment_store **store,
                          struct tandem_error *err) {
  struct experiment_store *s = calloc(1, sizeof *s);
  *store = NULL;
  if (s == NULL || (s->path = strdup(path)) == NULL) {
    free(s);
    return tandem_fail(err, -ENOMEM, "out of memory");
  }
  s->lock = -1;
  const int status = alone ? open_alone(s, err) : open_shared(s, err);
  if (status != 0)
    experiment_store_close(s);
  else
    *store = s;
  return status;
}

void experiment_store_close(struct experiment_store *s) {
  if (s == NULL)
    return;
  sqlite3_close(s->db);
  if (s->lock >= 0)
    close(s->lock);
  output_release(&s->claim);
  output_release(&s->journal);
  free(s->path);
  free(s);
}

/* Runs a statement with these texts for its ?; after them a number, if it has one more. */
static int run(struct experiment_store *s, const char *sql, const char *const *texts, int n,
               const double *number, struct tandem_error *err) {
  sqlite3_stmt *st;
  if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK)
    return refuse(s, err);
  for (int i = 0; i < n; i++)
    sqlite3_bind_text(st, i + 1, texts[i], -1, SQLITE_STATIC);
  if (number != NULL)
    sqlite3_bind_double(st, n + 1, *number);
  const int got = sqlite3_step(st);
  const int status = got == SQLITE_DONE || got == SQLITE_ROW ? 0 : refuse(s, err);
  sqlite3_finalize(st);
  return status;
}

int experiment_store_put(struct experiment_store *s, const struct experiment_row *row,
                         struct tandem_error *err) {
  char exit_text[16];
  snprintf(exit_text, sizeof exit_text, "%d", row->exit);
  const char *const texts[] = {row->key,     row->name, row->status, exit_text,
                               row->command, row->json, row->error};
  return run(s,
             "INSERT OR REPLACE INTO runs(key, name, status, exit, command, json, error, wall_s,"
             " ended) VALUES(?, ?, ?, CAST(? AS INTEGER), ?, ?, ?, ?, datetime('now'))",
             texts, 7, &row->wall_s, err);
}

/* A text for people: the database may come from anywhere. */
static char *column(sqlite3_stmt *st, int i) {
  const unsigned char *bytes = sqlite3_column_text(st, i);
  char *text = bytes != NULL ? strdup((const char *)bytes) : NULL;
  if (text != NULL)
    tandem_printable(text);
  return text;
}

int experiment_store_get(struct experiment_store *s, const char *key, bool whole,
                         struct experiment_result *result, struct tandem_error *err) {
  sqlite3_stmt *st;
  *result = (struct experiment_result){0};
  if (sqlite3_prepare_v2(s->db, "SELECT status, wall_s, error, json FROM runs WHERE key = ?", -1,
                         &st, NULL) != SQLITE_OK)
    return refuse(s, err);
  sqlite3_bind_text(st, 1, key, -1, SQLITE_STATIC);
  const int got = sqlite3_step(st);
  if (got == SQLITE_ROW) {
    const unsigned char *json = whole ? sqlite3_column_text(st, 3) : NULL;
    result->status = column(st, 0);
    result->wall_s = sqlite3_column_double(st, 1);
    result->error = column(st, 2);
    result->json = json != NULL ? json_loads((const char *)json, 0, NULL) : NULL;
  }
  const int status = got == SQLITE_ROW || got == SQLITE_DONE ? 0 : refuse(s, err);
  sqlite3_finalize(st);
  return status;
}

int experiment_store_count(struct experiment_store *s, size_t *n, struct tandem_error *err) {
  sqlite3_stmt *st;
  *n = 0;
  if (sqlite3_prepare_v2(s->db, "SELECT COUNT(*) FROM runs", -1, &st, NULL) != SQLITE_OK)
    return refuse(s, err);
  const int status = sqlite3_step(st) == SQLITE_ROW ? 0 : refuse(s, err);
  if (status == 0)
    *n = (size_t)sqlite3_column_int64(st, 0);
  sqlite3_finalize(st);
  return status;
}

void experiment_result_free(struct experiment_result *r) {
  free(r->status);
  free(r->error);
  json_decref(r->json);
  *r = (struct experiment_result){0};
}

/* ---- the suite ---- */

static int put_run(struct experiment_store *store, const struct experiment_suite *s,
                   const struct experiment_run *r, struct tandem_error *err) {
  json_t *axes = json_object();
  for (size_t i = 0; i < s->naxes; i++)
    if (r->at[i] != NULL)
      json_object_set_new(axes, s->axes[i].name, json_string(r->at[i]->name));
  char *text = json_dumps(axes, JSON_COMPACT);
  const char *const texts[] = {r->name, r->key, text};
  const int status =
      run(store, "INSERT INTO suite(name, key, axes) VALUES(?, ?, ?)", texts, 3, NULL, err);
  free(text);
  json_decref(axes);
  return status;
}

/* A column of the view: the number or text at a path of a JSON column. */
static void view_column(sqlite3_str *sql, const char *from, const char *path, const char *name) {
  sqlite3_str_appendf(sql, ", json_extract(%s, '%q') AS \"%w\"", from, path, name);
}

/* All paths that results have. */
static int all_columns(struct experiment_store *store, sqlite3_str *sql, struct tandem_error *err) {
  sqlite3_stmt *st;
  static const char paths[] =
      "SELECT DISTINCT fullkey FROM suite JOIN runs USING (key), json_tree(runs.json) WHERE type IN"
      " ('integer', 'real', 'text') AND fullkey NOT LIKE '%[%' ORDER BY fullkey";
  if (sqlite3_prepare_v2(store->db, paths, -1, &st, NULL) != SQLITE_OK)
    return refuse(store, err);
  while (sqlite3_step(st) == SQLITE_ROW) {
    const char *path = (const char *)sqlite3_column_text(st, 0);
    if (strcmp(path, "$.status") != 0 && strcmp(path, "$.wall_s") != 0) /* there already */
      view_column(sql, "r.json", path, path + 2);
  }
  sqlite3_finalize(st);
  return 0;
}

static int view_columns(struct experiment_store *store, struct experiment_suite *s,
                        sqlite3_str *sql, struct tandem_error *err) {
  for (size_t i = 0; i < s->naxes; i++) {
    char path[256];
    snprintf(path, sizeof path, "$.\"%s\"", s->axes[i].name);
    view_column(sql, "s.axes", path, s->axes[i].name);
  }
  if (s->columns != NULL && s->columns->type != YAML_SEQUENCE_NODE)
    return all_columns(store, sql, err);
  for (size_t i = 0; s->columns != NULL && i < yaml_count(s->columns); i++) {
    const char *name;
    char path[256];
    TRY(yaml_text(&s->file, yaml_item(&s->file, s->columns, i), "a column", &name, err));
    snprintf(path, sizeof path, "$.%.200s", name);
    view_column(sql, "r.json", path, name);
  }
  return 0;
}

static int make_view(struct experiment_store *store, struct experiment_suite *s,
                     struct tandem_error *err) {
  sqlite3_str *sql = sqlite3_str_new(store->db);
  sqlite3_str_appendall(sql, "CREATE VIEW results AS SELECT s.name, r.status, r.wall_s");
  int status = view_columns(store, s, sql, err);
  sqlite3_str_appendall(sql, " FROM suite s LEFT JOIN runs r USING (key) ORDER BY s.position");
  char *text = sqlite3_str_finish(sql);
  if (status == 0)
    status = text != NULL ? execute(store, text, err) : tandem_fail(err, -ENOMEM, "out of memory");
  sqlite3_free(text);
  return status;
}

static int put_suite(struct experiment_store *store, struct experiment_suite *s,
                     struct tandem_error *err) {
  for (size_t i = 0; i < s->nruns; i++)
    TRY(put_run(store, s, &s->runs[i], err));
  TRY(make_view(store, s, err));
  return execute(store, "COMMIT", err);
}

int experiment_store_suite(struct experiment_store *store, struct experiment_suite *s,
                           struct tandem_error *err) {
  TRY(execute(store,
              "BEGIN IMMEDIATE; DROP VIEW IF EXISTS results; DROP TABLE IF EXISTS suite;"
              "CREATE TABLE suite(position INTEGER PRIMARY KEY, name TEXT UNIQUE,"
              " key TEXT, axes TEXT)",
              err));
  const int status = put_suite(store, s, err);
  if (status != 0)
    (void)execute(store, "ROLLBACK", NULL);
  return status;
}
