/* Parts of the database that its files share. */
#ifndef TANDEM_EXPERIMENT_STORE_LOCAL_H
#define TANDEM_EXPERIMENT_STORE_LOCAL_H

#include <sqlite3.h>

#include "csim/util/output.h"
#include "harness/experiment/store.h"

enum { STORE_FILES = 4 }; /* the database, and those that SQLite has beside it */

struct experiment_store {
  sqlite3 *db;
  char *path;
  struct output_claim claims[STORE_FILES];
  int lock;     /* file descriptor, -1: none */
  bool writes;  /* it is open to write */
  int64_t call; /* row of `suites`; 0: none */
};

/* The last error of SQLite, with the remedy if it is the database itself. */
int store_refuse(struct experiment_store *s, struct tandem_error *err);
int store_execute(struct experiment_store *s, const char *sql, struct tandem_error *err);

/* A value for a ? of a statement. */
struct store_value {
  enum { STORE_TEXT, STORE_WHOLE, STORE_REAL } kind;
  const char *text; /* NULL: no value */
  int64_t whole;
  double real;
};
#define STORE_TEXT_OF(t) ((struct store_value){.kind = STORE_TEXT, .text = (t)})
#define STORE_WHOLE_OF(w) ((struct store_value){.kind = STORE_WHOLE, .whole = (w)})
#define STORE_REAL_OF(r) ((struct store_value){.kind = STORE_REAL, .real = (r)})

/* A statement with values for its ?; NULL after an error.  The caller finalizes it. */
sqlite3_stmt *store_prepare(struct experiment_store *s, const char *sql,
                            const struct store_value *values, int n, struct tandem_error *err);
/* Runs such a statement, which has no rows. */
int store_run(struct experiment_store *s, const char *sql, const struct store_value *values, int n,
              struct tandem_error *err);
/* A column's text for people, allocated: the database may come from anywhere.  NULL: no value. */
char *store_text(sqlite3_stmt *st, int column);

/* store_schema.c: makes the tables of an empty database; refuses one of another schema or program.
 */
int store_schema(struct experiment_store *s, struct tandem_error *err);

#endif
