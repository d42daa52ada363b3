/* tandem experiment: the runs of a suite, and tables of their results. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/hash.h"
#include "csim/util/shell.h"
#include "harness/cli/cli.h"
#include "harness/cli/suite.h"
#include "harness/experiment/report.h"
#include "harness/experiment/runner.h"

struct experiment {
  struct cli_suite c;
  const char *engine, *json, *html, *markdown;
  bool retry_failed, again, list, show, dry;
  char *command; /* the call as a shell takes it */
  struct output json_file, html_file, markdown_file;
};

static const struct argp_option options[] = {
    {"retry-failed", CLI_STORE(CLI_FLAG, experiment, retry_failed), NULL, 0,
     "also run again what failed", 0},
    {"again", CLI_STORE(CLI_FLAG, experiment, again), NULL, 0, "run everything again", 0},
    {"engine", CLI_STORE(CLI_TEXT, experiment, engine), "ENGINE", 0,
     "of all runs, instead of the suite's", 0},
    {"json", CLI_STORE(CLI_OPTIONAL, experiment, json), "FILE", OPTION_ARG_OPTIONAL,
     "results as JSON (standard output)", 0},
    {"html", CLI_STORE(CLI_TEXT, experiment, html), "FILE", 0,
     "results as a page with tables and plots", 0},
    {"markdown", CLI_STORE(CLI_TEXT, experiment, markdown), "FILE", 0, "the tables as Markdown", 0},
    {"show", CLI_STORE(CLI_FLAG, experiment, show), NULL, 0,
     "run nothing: show the results that there are", 0},
    {"list", CLI_STORE(CLI_FLAG, experiment, list), NULL, 0,
     "run nothing: list the runs and how they ended", 0},
    {"dry-run", CLI_STORE(CLI_FLAG, experiment, dry), NULL, 0, "run nothing: print the commands",
     0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct experiment *e = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &e->c;
    state->child_inputs[1] = &e->c;
    return 0;
  case ARGP_KEY_ARG:
    if (e->c.suite != NULL)
      argp_error(state, "one suite, not also \"%s\"", arg);
    e->c.suite = arg;
    return 0;
  case ARGP_KEY_END:
    if (e->c.suite == NULL)
      argp_error(state, "which suite? a name of experiments, or a path of a YAML file");
    return 0;
  default:
    return cli_store(key, arg, e);
  }
}

static bool print_commands(struct experiment *e, struct experiment_store *store,
                           const struct experiment_request *q, struct tandem_error *err) {
  size_t *list, n;
  bool good = experiment_missing(&e->c.s, store, q, &list, &n, err) == 0;
  for (size_t i = 0; good && i < n; i++) {
    char **words = experiment_words(&e->c.s.runs[list[i]], &e->c.places, NULL, "");
    for (char **w = words; w != NULL && *w != NULL; w++) {
      fputs(w != words ? " " : "", stdout);
      shell_word(stdout, *w);
    }
    putchar('\n');
    experiment_words_free(words);
  }
  free(list);
  return good;
}

static bool list_runs(struct experiment *e, struct experiment_store *store,
                      struct tandem_error *err) {
  for (size_t i = 0; i < e->c.s.nruns; i++) {
    struct experiment_result result;
    if (!e->c.chosen[i])
      continue;
    if (experiment_store_get(store, e->c.s.runs[i].key, false, &result, err) != 0)
      return false;
    printf("%-8s %8.1f s  %s\n", result.status != NULL ? result.status : "missing", result.wall_s,
           e->c.s.runs[i].name);
    experiment_result_free(&result);
  }
  return true;
}

/* Writes all reports; whether all chosen runs are ok goes to *fine. */
static bool report(struct experiment *e, struct experiment_store *store, bool *fine,
                   struct tandem_error *err) {
  struct experiment_report r = {0};
  bool good = experiment_report_make(&e->c.s, store, &r, err) == 0;
  for (size_t i = 0; good && i < e->c.s.nruns; i++)
    if (e->c.chosen[i] && (r.results[i].status == NULL || strcmp(r.results[i].status, "ok") != 0))
      *fine = false;
  if (good && (e->json == NULL || strcmp(e->json, "-") != 0))
    experiment_text(stdout, &r);
  if (good && e->html != NULL)
    good = experiment_html(e->html_file.file, &r, err) == 0;
  if (good && e->markdown != NULL)
    experiment_markdown(e->markdown_file.file, &r);
  if (good && e->json != NULL && !experiment_json(e->json_file.file, &r))
    good = tandem_fail(err, -EIO, "cannot write the JSON") == 0;
  experiment_report_free(&r);
  return good;
}

static int with_store(struct experiment *e, struct experiment_store *store) {
  struct tandem_error err = {{0}};
  struct experiment_request q = {.places = e->c.places,
                                 .command = e->command,
                                 .beside = e->c.database,
                                 .chosen = e->c.chosen,
                                 .retry_failed = e->retry_failed,
                                 .again = e->again,
                                 .stop = &cli_stopped,
                                 .on_progress = cli_suite_progress};
  bool fine = true, good;
  experiment_revision_of(cli_root(), &q.revision);
  if (e->dry || e->list) {
    good = e->dry ? print_commands(e, store, &q, &err) : list_runs(e, store, &err);
    return good || cli_told(&err) ? TANDEM_OK : TANDEM_USAGE;
  }
  good = e->show || (cli_suite_run(&e->c, store, &q, &err) &&
                     experiment_store_suite(store, &e->c.s, &err) == 0);
  if (!good && cli_stopped != 0) {
    cli_told(&err);
    return TANDEM_FAULT;
  }
  if (!good || !report(e, store, &fine, &err)) {
    cli_told(&err);
    return TANDEM_USAGE;
  }
  if ((e->html != NULL && !outfile_commit(&e->html_file)) ||
      (e->markdown != NULL && !outfile_commit(&e->markdown_file)) ||
      (e->json != NULL && !outfile_commit(&e->json_file)))
    return TANDEM_USAGE;
  return fine ? TANDEM_OK : TANDEM_FAULT;
}

static int with_suite(struct experiment *e) {
  struct tandem_error err = {{0}};
  struct experiment_store *store;
  const enum experiment_access access = e->show || e->list || e->dry ? EXPERIMENT_READ
                                        : e->c.wait                  ? EXPERIMENT_WAIT
                                                                     : EXPERIMENT_WRITE;
  if (!cli_suite_choose(&e->c))
    return TANDEM_USAGE;
  if (e->engine != NULL && experiment_engine(&e->c.s, e->engine, &err) != 0) {
    cli_told(&err);
    return TANDEM_USAGE;
  }
  char hardware[HASH_KEY];
  if (models_hardware(hardware, &err) != 0 ||
      experiment_keys(&e->c.s, &e->c.places, hardware, e->c.chosen, &err) != 0 ||
      experiment_store_open(e->c.database, access, &store, &err) != 0) {
    cli_told(&err);
    return TANDEM_USAGE;
  }
  const int status = with_store(e, store);
  experiment_store_close(store);
  return status;
}

int cli_experiment(int argc, char **argv) {
  static const struct argp_child children[] = {
      {&cli_suite_argp, 0, NULL, 0}, {&cli_suite_workers_argp, 0, NULL, 0}, {0}};
  static const struct argp argp = {
      options,
      parse,
      "SUITE",
      "Runs the simulations of a suite, a name of the folder experiments or a YAML file "
      "(docs/use/experiments.md), which have no result yet, and prints tables of all results.",
      children,
      NULL,
      NULL};
  struct experiment e = {.c.parallel = (size_t)sysconf(_SC_NPROCESSORS_ONLN)};
  struct tandem_error err;
  argc = cli_join_json(argc, argv);
  e.command = cli_command("experiment", argc, argv);
  cli_argp(&argp, argc, argv, &e);
  int status = TANDEM_USAGE;
  if (cli_suite_paths(&e.c) && (e.json == NULL || outfile_open(&e.json_file, e.json)) &&
      (e.html == NULL || outfile_open(&e.html_file, e.html)) &&
      (e.markdown == NULL || outfile_open(&e.markdown_file, e.markdown))) {
    if (experiment_open(&e.c.s, e.c.path, NULL, &err) == 0)
      status = with_suite(&e);
    else
      cli_told(&err);
  }
  cli_suite_end(&e.c);
  output_abandon(&e.json_file);
  output_abandon(&e.html_file);
  output_abandon(&e.markdown_file);
  free(e.command);
  return status;
}
