/* Results of runs in an SQLite database.
 *
 *   runs     a row for each run that has ended: key, name, status ("ok", "failed", "timeout"), exit
 *            (the exit status; -1: a signal ended it, or the time limit), wall_s, ended, command,
 *            json, error (its standard error)
 *   suite    the runs of the suite as it was last opened: position, name, key, axes (JSON)
 *   results  a view: the suite's runs with a column for each axis, with status and wall_s, and the
 *            columns that the suite names
 *
 * A writer of the database has it open alone. */
#ifndef TANDEM_EXPERIMENT_STORE_H
#define TANDEM_EXPERIMENT_STORE_H

#include "harness/experiment/suite.h"
#include "harness/experiment/table.h"

struct experiment_store;

/* Opens a database.  alone: for writing; it is made if it is not there, with the folders above it;
 * -EBUSY if another process has it open so, by whatever name.  Else for reading, and nothing is
 * made.  After an error *store is NULL. */
int experiment_store_open(const char *path, bool alone, struct experiment_store **store,
                          struct tandem_error *err);
void experiment_store_close(struct experiment_store *store); /* NULL allowed */

/* Makes the table `suite` and the view `results` anew. */
int experiment_store_suite(struct experiment_store *store, struct experiment_suite *s,
                           struct tandem_error *err);

/* How a run ended. */
struct experiment_row {
  const char *key, *name, *status;
  int exit;
  double wall_s;
  const char *command, *json, *error; /* json NULL: none */
};
/* The row is in the file, whatever happens to the process, once this returns 0. */
int experiment_store_put(struct experiment_store *store, const struct experiment_row *row,
                         struct tandem_error *err);
/* The result of a key, with its JSON if it is to be whole; status NULL: there is none.  The caller
 * frees it. */
int experiment_store_get(struct experiment_store *store, const char *key, bool whole,
                         struct experiment_result *result, struct tandem_error *err);
/* How many results there are, of whatever key. */
int experiment_store_count(struct experiment_store *store, size_t *n, struct tandem_error *err);
void experiment_result_free(struct experiment_result *result);

#endif
