/* Carrying out the runs of a suite that have no result yet. */
#ifndef TANDEM_EXPERIMENT_RUNNER_H
#define TANDEM_EXPERIMENT_RUNNER_H

#include <signal.h>

#include "harness/experiment/launcher.h"
#include "harness/experiment/store.h"

struct experiment_progress {
  size_t all, done, running, failed;
  double left_s;                   /* estimated from the runs that have ended; -1: none has */
  const struct experiment_run *of; /* that ended just now; NULL: none did */
  const char *status;              /* its status */
  const char *error;               /* what it wrote to standard error, "" if nothing */
};

struct experiment_request {
  struct experiment_places places;
  const char *command; /* of the call, for the database */
  struct experiment_revision revision;
  const char *beside; /* a path: what runs write is in its folder for a while */
  const bool *chosen; /* of each run of the suite: whether it is to have a result */
  /* True if a failure is the one that the suite expects of its run; NULL: any is, if it expects
   * one. */
  bool (*is_expected)(const struct experiment_run *run, const struct experiment_result *result);
  bool retry_failed;    /* also those that failed */
  bool again;           /* all, whatever there is */
  bool likely_first;    /* first those that failed last time, then new ones, then long ones */
  const char *failures; /* a folder: failures run once more, and leave reports and waveforms there;
                         * NULL: they do not */
  uint64_t disk_most;   /* bytes of such files that are kept, the newest ones; 0: all */
  const volatile sig_atomic_t *stop; /* not 0: end early */
  double until; /* by CLOCK_MONOTONIC: from then on nothing is started; 0: all is */
  void (*on_progress)(void *user, const struct experiment_progress *p);
  void *user;
};

/* The chosen runs that would be run, in order, each key once.  The caller frees the list. */
int experiment_missing(struct experiment_suite *s, struct experiment_store *store,
                       const struct experiment_request *q, size_t **list, size_t *n,
                       struct tandem_error *err);

/* Runs what is missing, by the launcher, and puts each result into the store as it comes.  That
 * runs fail is no error.  -EINTR: ended early; what has not ended has no result. */
int experiment_run_missing(struct experiment_suite *s, struct experiment_store *store,
                           const struct launcher *launcher, const struct experiment_request *q,
                           struct tandem_error *err);

/* Puts a list of runs in the order of experiment_request.likely_first (order.c). */
int experiment_order(struct experiment_suite *s, struct experiment_store *store, size_t *list,
                     size_t n, struct tandem_error *err);

/* True if the results of a process that ended with status 0 are those that its run is to have; if
 * not, the error may say why (kind.c).  json NULL: it has left none. */
bool experiment_kind_good(const struct experiment_run *run, const char *json,
                          struct tandem_error *why);
/* Returns true if there is no unit of this name: the text says so, with the nearest and all names.
 */
bool experiment_no_unit(const char *name, char *text, size_t size);

/* The words of a run's command, NULL-terminated; json: the file of its results, NULL: it writes
 * none; report: the folder for its report, NULL: as the command has it by default.  The caller
 * frees the list by experiment_words_free; NULL: out of memory. */
char **experiment_words(const struct experiment_run *run, const struct experiment_places *at,
                        const char *json, const char *report);
void experiment_words_free(char **words);
/* The test that a run needs, as the build names its program.  False: it needs none. */
enum { EXPERIMENT_TEST = 128 };
bool experiment_test(const struct experiment_run *run, char name[EXPERIMENT_TEST]);
/* Returns true if a failure of the run may leave a report with waveforms. */
bool experiment_has_report(const struct experiment_run *run);
/* Returns true if the run writes results; the last word of its command ends with their path. */
bool experiment_has_results(const struct experiment_run *run);

#endif
