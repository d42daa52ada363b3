/* Tables of the database, and their version (docs/use/experiments.md, "Results").  A change of the
 * tables changes the version. */
#include <errno.h>

#include "harness/experiment/store_local.h"

/* APPLICATION: "TNDM", what tells a database of Tandem from others. */
enum { SCHEMA = 1, APPLICATION = 0x544e444d };

static const char tables[] =
    "CREATE TABLE suites(id INTEGER PRIMARY KEY, suite TEXT NOT NULL, started TEXT NOT NULL,"
    " ended TEXT, revision TEXT, clean INTEGER, host TEXT, command TEXT);"
    "CREATE TABLE attempts(id INTEGER PRIMARY KEY, suite INTEGER NOT NULL REFERENCES suites(id),"
    " key TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, seed TEXT, revision TEXT,"
    " clean INTEGER, host TEXT, status TEXT NOT NULL, exit INTEGER, signal INTEGER, wall_s REAL,"
    " cpu_s REAL, memory INTEGER, started TEXT NOT NULL, ended TEXT, command TEXT, json TEXT,"
    " error TEXT, rerun INTEGER REFERENCES attempts(id));"
    "CREATE INDEX attempts_of_key ON attempts(key, id);"
    "CREATE INDEX attempts_of_name ON attempts(name, id);"
    "CREATE TABLE artefacts(attempt INTEGER NOT NULL REFERENCES attempts(id), path TEXT NOT NULL,"
    " bytes INTEGER NOT NULL);"
    "CREATE INDEX artefacts_of_attempt ON artefacts(attempt);"
    "CREATE VIEW runs AS SELECT * FROM attempts WHERE id IN (SELECT MAX(id) FROM attempts"
    " WHERE rerun IS NULL AND status NOT IN ('running', 'interrupted') GROUP BY key);";

/* The only number of a statement; -1: there is none. */
static int64_t number(struct experiment_store *s, const char *sql, int *status,
                      struct tandem_error *err) {
  sqlite3_stmt *st = *status == 0 ? store_prepare(s, sql, NULL, 0, err) : NULL;
  int64_t value = -1;
  const int got = st != NULL ? sqlite3_step(st) : SQLITE_ERROR;
  if (got == SQLITE_ROW)
    value = sqlite3_column_int64(st, 0);
  else if (*status == 0)
    *status = store_refuse(s, err);
  sqlite3_finalize(st);
  return value;
}

static int make(struct experiment_store *s, struct tandem_error *err) {
  char version[128];
  snprintf(version, sizeof version, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
           APPLICATION, SCHEMA);
  int status = store_execute(s, "BEGIN IMMEDIATE", err);
  if (status == 0)
    status = store_execute(s, tables, err);
  if (status == 0)
    status = store_execute(s, version, err);
  if (status != 0)
    (void)store_execute(s, "ROLLBACK", NULL);
  return status;
}

int store_schema(struct experiment_store *s, struct tandem_error *err) {
  int status = 0;
  const int64_t version = number(s, "PRAGMA user_version", &status, err),
                application = number(s, "PRAGMA application_id", &status, err),
                objects = number(s, "SELECT COUNT(*) FROM sqlite_master", &status, err),
                runs = number(s, "SELECT COUNT(*) FROM sqlite_master WHERE name = 'runs'", &status,
                              err);
  if (status != 0)
    return status;
  if (objects == 0 && version == 0)
    return make(s, err);
  if (application == APPLICATION && version == SCHEMA)
    return 0;
  if (application != APPLICATION && (version != 0 || runs == 0))
    return tandem_fail(err, -EINVAL,
                       "%s: a database of another program; name another file (--results)", s->path);
  return tandem_fail(err, -EINVAL,
                     "%s: a database of another version of Tandem (schema %lld, not %d); move it "
                     "away, or name another file (--results)",
                     s->path, (long long)version, SCHEMA);
}
