/* tandem regress: the runs of a suite with verdicts. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "csim/util/hash.h"
#include "harness/cli/cli.h"
#include "harness/cli/suite.h"
#include "harness/regress/regress.h"

enum { KEY_FOR = 0x200, KEY_DISK };
enum { FRESH = 100 }; /* seeds of a round of --for */

struct regress {
  struct cli_suite c;
  const char *json, *html, *junit;
  bool again, show, update, programs, shrink;
  double seconds; /* of --for; 0: the suite once */
  uint64_t disk;  /* bytes of --disk */
  char *command, failures[CLI_SUITE_PATH], hardware[HASH_KEY];
  struct experiment_revision revision;
  struct output json_file, html_file, junit_file;
};

static const struct argp_option options[] = {
    {"again", CLI_STORE(CLI_FLAG, regress, again), NULL, 0, "also what has passed before", 0},
    {"for", KEY_FOR, "TIME", 0,
     "go on for so long with fresh seeds of the suite's random programs: 90s, 30m, 8h", 0},
    {"disk", KEY_DISK, "SIZE", 0,
     "keep at most so many bytes of reports and waveforms, the newest: 500M, 20G (2G)", 0},
    {"shrink", CLI_STORE(CLI_FLAG, regress, shrink), NULL, 0,
     "make one failure of each place small, in at most two minutes each (`tandem shrink`)", 0},
    {"update", CLI_STORE(CLI_FLAG, regress, update), NULL, 0,
     "write the figures as the new goldens", 0},
    {"show", CLI_STORE(CLI_FLAG, regress, show), NULL, 0,
     "run nothing: show the results that there are", 0},
    {"programs", CLI_STORE(CLI_FLAG, regress, programs), NULL, 0,
     "run nothing: list the tests that are run, as the build names them", 0},
    {"json", CLI_STORE(CLI_OPTIONAL, regress, json), "FILE", OPTION_ARG_OPTIONAL,
     "verdicts as JSON (standard output)", 0},
    {"html", CLI_STORE(CLI_TEXT, regress, html), "FILE", 0, "verdicts as a page", 0},
    {"junit", CLI_STORE(CLI_TEXT, regress, junit), "FILE", 0, "verdicts as JUnit XML", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct regress *e = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &e->c;
    state->child_inputs[1] = &e->c;
    return 0;
  case KEY_FOR:
    e->seconds = cli_time(arg, "for", state);
    return 0;
  case KEY_DISK:
    e->disk = cli_size(arg, state);
    return 0;
  case ARGP_KEY_ARG:
    if (e->c.suite != NULL)
      argp_error(state, "one suite, not also \"%s\"", arg);
    e->c.suite = arg;
    return 0;
  default:
    return cli_store(key, arg, e);
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Reads the suite, with fresh seeds or without, and computes its keys. */
static bool read_suite(struct regress *e, const struct experiment_seeds *fresh) {
  struct tandem_error err;
  experiment_close(&e->c.s);
  free(e->c.chosen);
  e->c.chosen = NULL;
  if (experiment_open(&e->c.s, e->c.path, fresh, &err) != 0)
    return cli_told(&err);
  if (!cli_suite_choose(&e->c))
    return false;
  return experiment_keys(&e->c.s, &e->c.places, e->hardware, e->c.chosen, &err) == 0 ||
         cli_told(&err);
}

static bool has_random(const struct experiment_suite *s) { return s->seeds != NULL; }

/* The suite, and then its random programs with seeds that no attempt has had. */
static bool run_rounds(struct regress *e, struct experiment_store *store,
                       const struct experiment_request *request, struct tandem_error *err) {
  const double end = now() + e->seconds;
  struct experiment_request q = *request;
  struct experiment_seeds fresh = {0};
  q.chosen = e->c.chosen;
  if (!cli_suite_run(&e->c, store, &q, err))
    return false;
  q.again = q.retry_failed = false;
  while (now() < end && has_random(&e->c.s)) {
    if (fresh.count == 0 && experiment_store_seed(store, &fresh.first, err) != 0)
      return false;
    fresh.first += fresh.count == 0;
    fresh.count += FRESH;
    if (!read_suite(e, &fresh)) {
      *err = (struct tandem_error){"no further round"};
      return false;
    }
    q.chosen = e->c.chosen;
    q.until = end;
    if (!cli_suite_run(&e->c, store, &q, err))
      return false;
  }
  return true;
}

static void shrink_begins(const struct regress_case *c) {
  char place[200];
  regress_place_text(&c->failure, place, sizeof place);
  fprintf(stderr, "making %s small: %s\n", c->run->name, place);
}

/* Makes failures small; the report is made anew if there is a new small program. */
static bool shrink_failures(struct regress *e, struct experiment_store *store,
                            struct regress_report *r, struct tandem_error *err) {
  const struct regress_shrink q = {e->c.places, e->failures, &cli_stopped, shrink_begins};
  bool any = false;
  if (regress_shrink(r, store, &q, &any, err) != 0)
    return false;
  if (!any)
    return true;
  regress_report_free(r);
  return regress_report_make(&e->c.s, store, &e->revision, e->c.chosen, r, err) == 0;
}

/* Writes all reports; whether all is well goes to *fine. */
static bool report(struct regress *e, struct experiment_store *store, bool *fine,
                   struct tandem_error *err) {
  struct regress_report r = {0};
  bool good = regress_report_make(&e->c.s, store, &e->revision, e->c.chosen, &r, err) == 0;
  if (good && e->update) {
    good = regress_goldens_update(&r, err) == 0;
    regress_report_free(&r);
    good = good && regress_report_make(&e->c.s, store, &e->revision, e->c.chosen, &r, err) == 0;
  }
  if (good && e->shrink && !e->show)
    good = shrink_failures(e, store, &r, err);
  *fine = good && regress_fine(&r);
  if (good && (e->json == NULL || strcmp(e->json, "-") != 0))
    regress_text(stdout, &r);
  if (good && e->junit != NULL)
    regress_junit(e->junit_file.file, &r);
  if (good && e->html != NULL)
    good = regress_page(e->html_file.file, &r, store, err) == 0;
  if (good && e->json != NULL && !regress_json(e->json_file.file, &r))
    good = tandem_fail(err, -EIO, "cannot write the JSON") == 0;
  regress_report_free(&r);
  return good;
}

static int with_store(struct regress *e, struct experiment_store *store) {
  struct tandem_error err = {{0}};
  const struct experiment_request q = {.places = e->c.places,
                                       .command = e->command,
                                       .revision = e->revision,
                                       .beside = e->c.database,
                                       .is_expected = regress_is_expected,
                                       .retry_failed = true,
                                       .again = e->again,
                                       .likely_first = true,
                                       .failures = e->failures,
                                       .disk_most = e->disk,
                                       .stop = &cli_stopped,
                                       .on_progress = cli_suite_progress};
  bool fine = true;
  const bool good = e->show || (run_rounds(e, store, &q, &err) &&
                                experiment_store_suite(store, &e->c.s, &err) == 0);
  if (!good) {
    cli_told(&err);
    return cli_stopped != 0 ? TANDEM_FAULT : TANDEM_USAGE;
  }
  if (!report(e, store, &fine, &err)) {
    cli_told(&err);
    return TANDEM_USAGE;
  }
  if ((e->html != NULL && !outfile_commit(&e->html_file)) ||
      (e->junit != NULL && !outfile_commit(&e->junit_file)) ||
      (e->json != NULL && !outfile_commit(&e->json_file)))
    return TANDEM_USAGE;
  return fine ? TANDEM_OK : TANDEM_FAULT;
}

/* Lists the tests of the suite: the keys of all runs contain them, whatever --only chooses. */
static int list_programs(struct regress *e) {
  struct tandem_error err;
  char name[EXPERIMENT_TEST];
  if (experiment_open(&e->c.s, e->c.path, NULL, &err) != 0) {
    cli_told(&err);
    return TANDEM_USAGE;
  }
  for (size_t i = 0; i < e->c.s.nruns; i++)
    if (experiment_test(&e->c.s.runs[i], name))
      puts(name);
  return TANDEM_OK;
}

static int with_suite(struct regress *e) {
  struct tandem_error err = {{0}};
  struct experiment_store *store;
  const enum experiment_access access = e->show     ? EXPERIMENT_READ
                                        : e->c.wait ? EXPERIMENT_WAIT
                                                    : EXPERIMENT_WRITE;
  if (models_hardware(e->hardware, &err) != 0) {
    cli_told(&err);
    return TANDEM_USAGE;
  }
  if (!read_suite(e, NULL))
    return TANDEM_USAGE;
  if (experiment_store_open(e->c.database, access, &store, &err) != 0) {
    cli_told(&err);
    return TANDEM_USAGE;
  }
  const int status = with_store(e, store);
  experiment_store_close(store);
  return status;
}

int cli_regress(int argc, char **argv) {
  static const struct argp_child children[] = {
      {&cli_suite_argp, 0, NULL, 0}, {&cli_suite_workers_argp, 0, NULL, 0}, {0}};
  static const struct argp argp = {
      options,
      parse,
      "[SUITE]",
      "Runs a suite (docs/use/regressions.md), a name of the folder experiments or a YAML file, by "
      "default smoke, and says what has failed, where, and by which command it fails again.",
      children,
      NULL,
      NULL};
  struct regress e = {.c.parallel = (size_t)sysconf(_SC_NPROCESSORS_ONLN), .disk = CLI_DISK};
  argc = cli_join_json(argc, argv);
  e.command = cli_command("regress", argc, argv);
  cli_argp(&argp, argc, argv, &e);
  e.c.suite = e.c.suite != NULL ? e.c.suite : "smoke";
  int status = TANDEM_USAGE;
  if (e.programs)
    status = cli_suite_paths(&e.c) ? list_programs(&e) : TANDEM_USAGE;
  else if (cli_suite_paths(&e.c) && cli_suite_beside(&e.c, ".failures", e.failures) &&
           (e.json == NULL || outfile_open(&e.json_file, e.json)) &&
           (e.html == NULL || outfile_open(&e.html_file, e.html)) &&
           (e.junit == NULL || outfile_open(&e.junit_file, e.junit))) {
    experiment_revision_of(cli_root(), &e.revision);
    status = with_suite(&e);
  }
  cli_suite_end(&e.c);
  output_abandon(&e.json_file);
  output_abandon(&e.html_file);
  output_abandon(&e.junit_file);
  free(e.command);
  return status;
}
