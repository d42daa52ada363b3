/* The suite in the database: its runs, and a view of their results. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/store_local.h"

static int put_run(struct experiment_store *store, const struct experiment_suite *s,
                   const struct experiment_run *r, struct tandem_error *err) {
  json_t *axes = json_object();
  for (size_t i = 0; i < s->naxes; i++)
    if (r->at[i] != NULL)
      json_object_set_new(axes, s->axes[i].name, json_string(r->at[i]->name));
  char *text = json_dumps(axes, JSON_COMPACT);
  const struct store_value values[] = {STORE_TEXT_OF(r->name), STORE_TEXT_OF(r->key),
                                       STORE_TEXT_OF(text)};
  const int status =
      store_run(store, "INSERT INTO suite(name, key, axes) VALUES(?, ?, ?)", values, 3, err);
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
    return store_refuse(store, err);
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
    status =
        text != NULL ? store_execute(store, text, err) : tandem_fail(err, -ENOMEM, "out of memory");
  sqlite3_free(text);
  return status;
}

static int put_suite(struct experiment_store *store, struct experiment_suite *s,
                     struct tandem_error *err) {
  for (size_t i = 0; i < s->nruns; i++)
    TRY(put_run(store, s, &s->runs[i], err));
  TRY(make_view(store, s, err));
  return store_execute(store, "COMMIT", err);
}

int experiment_store_suite(struct experiment_store *store, struct experiment_suite *s,
                           struct tandem_error *err) {
  TRY(store_execute(store,
                    "BEGIN IMMEDIATE; DROP VIEW IF EXISTS results; DROP TABLE IF EXISTS suite;"
                    "CREATE TABLE suite(position INTEGER PRIMARY KEY, name TEXT UNIQUE,"
                    " key TEXT, axes TEXT)",
                    err));
  const int status = put_suite(store, s, err);
  if (status != 0)
    (void)store_execute(store, "ROLLBACK", NULL);
  return status;
}
