/* Shared by the commands that run suites. */
#ifndef TANDEM_CLI_SUITE_H
#define TANDEM_CLI_SUITE_H

#include <signal.h>

#include "harness/experiment/runner.h"

enum { CLI_SUITE_PATH = 4096, CLI_PATTERNS = 32 };

struct cli_suite {
  const char *suite, *results, *only[CLI_PATTERNS]; /* as the command line has them */
  size_t nonly, parallel;
  char program[CLI_SUITE_PATH], path[CLI_SUITE_PATH], database[CLI_SUITE_PATH];
  struct experiment_places places;
  struct experiment_suite s;
  bool *chosen; /* of each run */
};

/* Prints an error; returns false. */
bool cli_told(const struct tandem_error *err);

/* The paths of all that is read and written.  False: there is no such suite, which is printed. */
bool cli_suite_paths(struct cli_suite *e);
/* Chooses the runs by --only.  False: there are none, which is printed. */
bool cli_suite_choose(struct cli_suite *e);

/* The number of the signal that was to end the command; 0: none was. */
extern volatile sig_atomic_t cli_stopped;
/* A line of progress, and failures as they come (struct experiment_request). */
void cli_suite_progress(void *user, const struct experiment_progress *p);
/* Runs what is missing, here.  From now on signals end the command in order. */
bool cli_suite_run(struct cli_suite *e, struct experiment_store *store,
                   const struct experiment_request *q, struct tandem_error *err);

#endif
