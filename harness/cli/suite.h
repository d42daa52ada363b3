/* Shared by the commands that run suites. */
#ifndef TANDEM_CLI_SUITE_H
#define TANDEM_CLI_SUITE_H

#include <argp.h>
#include <signal.h>

#include "harness/experiment/runner.h"

enum { CLI_SUITE_PATH = 4096, CLI_PATTERNS = 32 };

struct cli_suite {
  const char *suite, *results, *only[CLI_PATTERNS]; /* as the command line has them */
  const char *on, *submit;                          /* of workers; NULL: runs are processes here */
  size_t nonly, parallel;
  bool wait; /* until no other command writes to the database */
  char program[CLI_SUITE_PATH], path[CLI_SUITE_PATH], database[CLI_SUITE_PATH];
  struct experiment_places places;
  struct experiment_suite s;
  bool *chosen;                                     /* of each run */
  struct launcher launcher;                         /* self NULL: not made yet */
  char queue[CLI_SUITE_PATH], work[CLI_SUITE_PATH]; /* for workers, and below it for results */
};

/* Prints an error; returns false. */
bool cli_told(const struct tandem_error *err);

/* The paths of all that is read and written.  False: there is no such suite, which is printed. */
bool cli_suite_paths(struct cli_suite *e);
/* The same but for the suite.  False: they are too long, which is printed. */
bool cli_suite_places(struct cli_suite *e);
/* Chooses the runs by --only.  False: there are none, which is printed. */
bool cli_suite_choose(struct cli_suite *e);

/* The number of the signal that was to end the command; 0: none was. */
extern volatile sig_atomic_t cli_stopped;
/* A line of progress, and failures as they come (struct experiment_request). */
void cli_suite_progress(void *user, const struct experiment_progress *p);
/* From now on signals end the command in order: it looks at cli_stopped. */
void cli_suite_signals(void);
/* Runs what is missing, here or by workers; so do further calls. */
bool cli_suite_run(struct cli_suite *e, struct experiment_store *store,
                   const struct experiment_request *q, struct tandem_error *err);
/* Ends the launcher, and frees the suite. */
void cli_suite_end(struct cli_suite *e);
/* A path beside the database, with another ending.  False: it is too long, which is printed. */
bool cli_suite_beside(const struct cli_suite *e, const char *ending, char path[CLI_SUITE_PATH]);

/* Options of these commands, for a child whose input is a struct cli_suite: how runs are made and
 * chosen, and workers. */
extern const struct argp cli_suite_argp, cli_suite_workers_argp;

#endif
