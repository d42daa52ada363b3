/* Attempts in the database: how processes of runs ended. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/store_local.h"

/* No value for an empty text. */
static struct store_value text_or_none(const char *text) {
  return STORE_TEXT_OF(text != NULL && *text != '\0' ? text : NULL);
}

int experiment_store_begin(struct experiment_store *s, const struct experiment_suite *suite,
                           const struct experiment_revision *r, const char *command,
                           struct tandem_error *err) {
  const struct store_value values[] = {STORE_TEXT_OF(suite->name), text_or_none(r->text),
                                       STORE_WHOLE_OF(r->clean), STORE_TEXT_OF(r->host),
                                       STORE_TEXT_OF(command)};
  TRY(store_execute(s, "UPDATE attempts SET status = 'interrupted' WHERE status = 'running'", err));
  TRY(store_run(s,
                "INSERT INTO suites(suite, started, revision, clean, host, command)"
                " VALUES(?1, datetime('now'), ?2, iif(?2 IS NULL, NULL, ?3), ?4, ?5)",
                values, 5, err));
  s->call = sqlite3_last_insert_rowid(s->db);
  return 0;
}

int experiment_store_start(struct experiment_store *s, const struct experiment_attempt *a,
                           int64_t *number, struct tandem_error *err) {
  const struct experiment_revision *r = a->revision;
  const struct store_value values[] = {STORE_WHOLE_OF(s->call),
                                       STORE_TEXT_OF(a->key),
                                       STORE_TEXT_OF(a->name),
                                       STORE_TEXT_OF(a->kind),
                                       STORE_TEXT_OF(a->seed),
                                       STORE_TEXT_OF(a->host),
                                       STORE_TEXT_OF(a->command),
                                       STORE_WHOLE_OF(a->rerun),
                                       STORE_TEXT_OF(r != NULL ? r->text : NULL),
                                       STORE_WHOLE_OF(r != NULL && r->clean)};
  TRY(store_run(s,
                "INSERT INTO attempts(suite, key, name, kind, seed, revision, clean, host, status,"
                " started, command, rerun) SELECT ?1, ?2, ?3, ?4, ?5, ifnull(?9, revision),"
                " iif(?9 IS NULL, clean, ?10), ?6, 'running', datetime('now'), ?7, nullif(?8, 0)"
                " FROM suites WHERE id = ?1",
                values, 10, err));
  *number = sqlite3_last_insert_rowid(s->db);
  return 0;
}

int experiment_store_end(struct experiment_store *s, int64_t number,
                         const struct experiment_ending *e, struct tandem_error *err) {
  const struct store_value values[] = {
      STORE_TEXT_OF(e->status), STORE_WHOLE_OF(e->exit), STORE_WHOLE_OF(e->signal),
      STORE_REAL_OF(e->wall_s), STORE_REAL_OF(e->cpu_s), STORE_WHOLE_OF((int64_t)e->memory),
      STORE_TEXT_OF(e->json),   STORE_TEXT_OF(e->error), STORE_WHOLE_OF(number),
      text_or_none(e->host)};
  return store_run(s,
                   "UPDATE attempts SET status = ?1, exit = ?2, signal = nullif(?3, 0),"
                   " wall_s = ?4, cpu_s = ?5, memory = ?6, json = ?7, error = ?8,"
                   " ended = datetime('now'), host = ifnull(?10, host) WHERE id = ?9",
                   values, 10, err);
}

int experiment_store_get(struct experiment_store *s, const char *key, bool whole,
                         struct experiment_result *result, struct tandem_error *err) {
  const struct store_value values[] = {STORE_TEXT_OF(key)};
  *result = (struct experiment_result){0};
  sqlite3_stmt *st = store_prepare(
      s,
      "SELECT status, wall_s, error, json, id, signal, command FROM attempts WHERE key = ?"
      " AND rerun IS NULL AND status NOT IN ('running', 'interrupted') ORDER BY id DESC LIMIT 1",
      values, 1, err);
  if (st == NULL)
    return -EIO;
  const int got = sqlite3_step(st);
  if (got == SQLITE_ROW) {
    const unsigned char *json = whole ? sqlite3_column_text(st, 3) : NULL;
    result->status = store_text(st, 0);
    result->wall_s = sqlite3_column_double(st, 1);
    result->error = store_text(st, 2);
    result->number = sqlite3_column_int64(st, 4);
    result->signal = sqlite3_column_int(st, 5);
    result->command = store_text(st, 6);
    result->json = json != NULL ? json_loads((const char *)json, 0, NULL) : NULL;
  }
  const int status = got == SQLITE_ROW || got == SQLITE_DONE ? 0 : store_refuse(s, err);
  sqlite3_finalize(st);
  return status;
}

int experiment_store_past(struct experiment_store *s, const char *name,
                          struct experiment_past *past, struct tandem_error *err) {
  const struct store_value values[] = {STORE_TEXT_OF(name)};
  *past = (struct experiment_past){0};
  sqlite3_stmt *st =
      store_prepare(s,
                    "SELECT status, wall_s FROM attempts WHERE name = ? AND rerun IS NULL"
                    " AND status NOT IN ('running', 'interrupted') ORDER BY id DESC LIMIT 1",
                    values, 1, err);
  if (st == NULL)
    return -EIO;
  if (sqlite3_step(st) == SQLITE_ROW)
    *past = (struct experiment_past){
        .known = true,
        .failed = strcmp((const char *)sqlite3_column_text(st, 0), "ok") != 0,
        .wall_s = sqlite3_column_double(st, 1)};
  sqlite3_finalize(st);
  return 0;
}

int experiment_store_history(struct experiment_store *s, int most,
                             void (*each)(void *user, const char *revision, bool clean,
                                          const char *json),
                             void *user, struct tandem_error *err) {
  static const char query[] =
      "WITH good AS (SELECT MAX(a.id) AS id, IFNULL(a.revision, '') AS revision,"
      " IFNULL(a.clean, 0) AS clean FROM attempts a JOIN suite USING (name)"
      " WHERE a.status = 'ok' AND a.kind = 'launch' AND a.rerun IS NULL"
      " GROUP BY a.name, 2, 3),"
      " newest AS (SELECT revision, clean, MIN(id) AS first FROM good GROUP BY 1, 2"
      " ORDER BY first DESC LIMIT ?)"
      " SELECT g.revision, g.clean, a.json FROM good g JOIN newest n USING (revision, clean)"
      " JOIN attempts a ON a.id = g.id ORDER BY n.first, g.id";
  const struct store_value values[] = {STORE_WHOLE_OF(most)};
  sqlite3_stmt *st = store_prepare(s, query, values, 1, err);
  if (st == NULL)
    return -EIO;
  while (sqlite3_step(st) == SQLITE_ROW) {
    const char *json = (const char *)sqlite3_column_text(st, 2);
    char *revision = store_text(st, 0);
    if (json != NULL && revision != NULL)
      each(user, revision, sqlite3_column_int(st, 1) != 0, json);
    free(revision);
  }
  sqlite3_finalize(st);
  return 0;
}

int experiment_store_seed(struct experiment_store *s, uint64_t *seed, struct tandem_error *err) {
  sqlite3_stmt *st =
      store_prepare(s, "SELECT MAX(CAST(seed AS INTEGER)) FROM attempts", NULL, 0, err);
  *seed = 0;
  if (st == NULL)
    return -EIO;
  if (sqlite3_step(st) == SQLITE_ROW)
    *seed = (uint64_t)sqlite3_column_int64(st, 0);
  sqlite3_finalize(st);
  return 0;
}

int experiment_store_count(struct experiment_store *s, size_t *n, struct tandem_error *err) {
  sqlite3_stmt *st = store_prepare(s, "SELECT COUNT(*) FROM runs", NULL, 0, err);
  *n = 0;
  if (st == NULL)
    return -EIO;
  const int status = sqlite3_step(st) == SQLITE_ROW ? 0 : store_refuse(s, err);
  if (status == 0)
    *n = (size_t)sqlite3_column_int64(st, 0);
  sqlite3_finalize(st);
  return status;
}

void experiment_result_free(struct experiment_result *r) {
  free(r->status);
  free(r->error);
  free(r->command);
  json_decref(r->json);
  *r = (struct experiment_result){0};
}
