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
  const char *program; /* the executable of `tandem run` */
  const char *command; /* of the call, for the database */
  struct experiment_revision revision;
  const char *beside;                /* a path: what runs write is in its folder for a while */
  const bool *chosen;                /* of each run of the suite: whether it is to have a result */
  bool retry_failed;                 /* also those that failed */
  bool again;                        /* all, whatever there is */
  const volatile sig_atomic_t *stop; /* not 0: end early */
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

/* The words of a run's command, NULL-terminated; json: the file of its results.  The caller frees
 * the list by experiment_words_free; NULL: out of memory. */
char **experiment_words(const struct experiment_run *run, const char *program, const char *json);
void experiment_words_free(char **words);

#endif
