/* tandem worker: takes runs of suites from a folder. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "harness/cli/cli.h"
#include "harness/cli/suite.h"
#include "harness/experiment/queue/queue.h"

struct worker {
  const char *folder, *session;
  size_t parallel;
};

static const struct argp_option options[] = {
    {"jobs", 'j', "N", 0, "runs at once (as many as processors)", 0},
    {"session", CLI_STORE(CLI_TEXT, worker, session), "ID", 0,
     "only runs of this front end, and end with it; by default it waits for the next one", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct worker *w = state->input;
  switch (key) {
  case 'j':
    w->parallel = cli_number(arg, "--jobs", 1, 1024, state);
    return 0;
  case ARGP_KEY_ARG:
    if (w->folder != NULL)
      argp_error(state, "one folder, not also \"%s\"", arg);
    w->folder = arg;
    return 0;
  case ARGP_KEY_END:
    if (w->folder == NULL)
      argp_error(state, "which folder? the one that `tandem regress --on` names");
    return 0;
  default:
    return cli_store(key, arg, w);
  }
}

int cli_worker(int argc, char **argv) {
  static const struct argp argp = {options,
                                   parse,
                                   "DIR",
                                   "Runs what `tandem regress --on DIR` or `tandem experiment --on "
                                   "DIR` of another machine gives "
                                   "out (docs/use/workers.md).",
                                   NULL,
                                   NULL,
                                   NULL};
  struct worker w = {.parallel = (size_t)sysconf(_SC_NPROCESSORS_ONLN)};
  struct tandem_error err = {{0}};
  cli_argp(&argp, argc, argv, &w);
  int status = files_folder(w.folder, &err);
  char *folder = status == 0 ? realpath(w.folder, NULL) : NULL; /* runs have folders of their own */
  if (status == 0 && folder == NULL)
    status = tandem_fail(&err, -errno, "cannot use the folder %s", w.folder);
  const struct worker_request q = {
      .folder = folder, .session = w.session, .slots = w.parallel, .stop = &cli_stopped};
  cli_suite_signals();
  if (status == 0)
    status = worker_run(&q, &err);
  free(folder);
  if (status != 0)
    cli_told(&err);
  return status == 0 ? TANDEM_OK : TANDEM_USAGE;
}
