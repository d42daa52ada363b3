/* Results of runs in an SQLite database (docs/use/experiments.md, "Results").
 *
 *   suites     a row for each call that ran something: the suite, revision, host, command
 *   attempts   a row for each process that was started for a run, with how it ended
 *   artefacts  files that attempts have left, and that are kept
 *   suite      the runs of the suite as it was last opened: position, name, key, axes (JSON)
 *   runs       a view: of each key the last attempt that has ended
 *   results    a view: the suite's runs with a column for each axis, with status and wall_s, and
 * the columns that the suite names
 *
 * A writer of the database has it open alone. */
#ifndef TANDEM_EXPERIMENT_STORE_H
#define TANDEM_EXPERIMENT_STORE_H

#include "harness/experiment/revision.h"
#include "harness/experiment/suite.h"
#include "harness/experiment/table.h"

struct experiment_store;

enum experiment_access {
  EXPERIMENT_READ,  /* nothing is made; a database that is not there is empty */
  EXPERIMENT_WRITE, /* made if it is not there, with the folders above it; -EBUSY if another process
                     * has it open so, by whatever name */
  EXPERIMENT_WAIT   /* the same, but it waits for the other process's end */
};

/* Opens a database.  One of another schema or program, or a damaged one, is refused.  After an
 * error *store is NULL. */
int experiment_store_open(const char *path, enum experiment_access access,
                          struct experiment_store **store, struct tandem_error *err);
void experiment_store_close(struct experiment_store *store); /* NULL allowed */

/* Makes the table `suite` and the view `results` anew. */
int experiment_store_suite(struct experiment_store *store, struct experiment_suite *s,
                           struct tandem_error *err);

/* Begins a call that runs something.  Attempts that an earlier one left running were interrupted.
 * The call ends with the store. */
int experiment_store_begin(struct experiment_store *store, const struct experiment_suite *s,
                           const struct experiment_revision *revision, const char *command,
                           struct tandem_error *err);

/* A process that is started for a run. */
struct experiment_attempt {
  const char *key, *name, *kind, *command, *host;
  const char *seed; /* NULL: none that its name or command gives */
  int64_t rerun;    /* of the attempt with this number, with waveforms and report; 0: it is none */
  const struct experiment_revision *revision; /* of its sources; NULL: that of the call */
};
/* How it ended. */
struct experiment_ending {
  const char *status; /* "ok", "failed", "timeout", "memory" */
  int exit, signal;   /* exit -1: a signal ended it, or a limit; signal 0: none did */
  double wall_s, cpu_s;
  uint64_t memory;          /* bytes, the most */
  const char *json, *error; /* json NULL: none */
  const char *host;         /* that it ran on; "": the one it was started on */
};
/* The row is in the file, whatever happens to the process, once these return 0. */
int experiment_store_start(struct experiment_store *store, const struct experiment_attempt *a,
                           int64_t *number, struct tandem_error *err);
int experiment_store_end(struct experiment_store *store, int64_t number,
                         const struct experiment_ending *e, struct tandem_error *err);

/* The result of a key, with its JSON if it is to be whole; status NULL: there is none.  The caller
 * frees it. */
int experiment_store_get(struct experiment_store *store, const char *key, bool whole,
                         struct experiment_result *result, struct tandem_error *err);
/* The last end of a run of a name, whatever its key. */
struct experiment_past {
  bool known, failed;
  double wall_s;
};
int experiment_store_past(struct experiment_store *store, const char *name,
                          struct experiment_past *past, struct tandem_error *err);
/* The largest seed that an attempt had; 0: none had one. */
int experiment_store_seed(struct experiment_store *store, uint64_t *seed, struct tandem_error *err);

/* Files that an attempt has left (artefacts.c).  Adds those of a folder, with all in it. */
int experiment_store_add_files(struct experiment_store *store, int64_t attempt, const char *folder,
                               struct tandem_error *err);
/* Removes files of the oldest attempts from the folder of all of them, and their rows, until what
 * is kept is at most so many bytes.  Nothing outside of the folder is removed, whatever a row
 * names. */
int experiment_store_limit_files(struct experiment_store *store, const char *folder, uint64_t most,
                                 struct tandem_error *err);
/* Calls each(user, path) for the files that are kept of an attempt and of its rerun. */
int experiment_store_files(struct experiment_store *store, int64_t attempt,
                           void (*each)(void *user, const char *path), void *user,
                           struct tandem_error *err);
/* True if the rerun of an attempt has failed, too; *known false: there is none. */
int experiment_store_rerun(struct experiment_store *store, int64_t attempt, bool *known,
                           bool *failed, struct tandem_error *err);

/* Calls each(user, ...) for the newest result of each run of the suite's last call in each of the
 * last `most` revisions, in the order of the revisions; revision "": unknown. */
int experiment_store_history(struct experiment_store *store, int most,
                             void (*each)(void *user, const char *revision, bool clean,
                                          const char *json),
                             void *user, struct tandem_error *err);

/* How many results there are, of whatever key. */
int experiment_store_count(struct experiment_store *store, size_t *n, struct tandem_error *err);
void experiment_result_free(struct experiment_result *result);

#endif
