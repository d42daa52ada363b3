/* tandem compare: two revisions, side by side. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/cli/suite.h"
#include "harness/compare/kept.h"
#include "harness/compare/report.h"
#include "synth/flow/synth.h"

enum { KEY_FAIL = 0x200, KEY_AREA, KEY_DISK };
enum { MODULES = 16 };

struct compare {
  struct cli_suite c; /* its suite is the joint one */
  const char *revisions[SIDES], *engine;
  const char *json, *html;
  struct output json_file, html_file;
  struct compare_report report;
  const char *modules[MODULES]; /* of --area */
  size_t nmodules;
  bool again, no_area, no_proofs;
  uint64_t disk; /* bytes of --disk */
  char *command;
  struct compare_places at;
  struct compare_kept kept;
  struct compare_side sides[SIDES], files; /* files: as they are */
  struct compare_runs runs;
};

static const struct argp_option options[] = {
    {"suite", CLI_STORE(CLI_TEXT, compare, c.suite), "SUITE", 0,
     "a name of the folder experiments, or a YAML file (compare)", 0},
    {"engine", CLI_STORE(CLI_TEXT, compare, engine), "ENGINE", 0,
     "of all runs, instead of the suite's", 0},
    {"fail-on", KEY_FAIL, "LIMITS", 0,
     "exit status 1 if a figure is worse by more, as cycles:2%,energy:1%", 0},
    {"area", KEY_AREA, "MODULE", CLI_REPEATED,
     "also compare the area of this module; may be there several times", 0},
    {"no-area", CLI_STORE(CLI_FLAG, compare, no_area), NULL, 0,
     "compare no area: nothing is synthesised", 0},
    {"no-proofs", CLI_STORE(CLI_FLAG, compare, no_proofs), NULL, 0,
     "prove nothing about units whose RTL changed", 0},
    {"disk", KEY_DISK, "SIZE", 0,
     "keep at most so many bytes of trees, programs and netlists of revisions, those that were "
     "used "
     "last: 500M, 20G (2G)",
     0},
    {"json", CLI_STORE(CLI_OPTIONAL, compare, json), "FILE", OPTION_ARG_OPTIONAL,
     "the comparison as JSON (standard output)", 0},
    {"html", CLI_STORE(CLI_TEXT, compare, html), "FILE", 0, "the comparison as a page", 0},
    {"again", CLI_STORE(CLI_FLAG, compare, again), NULL, 0, "run everything again", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct compare *e = state->input;
  struct tandem_error err;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &e->c;
    return 0;
  case KEY_FAIL:
    if (compare_limits_read(&e->report, arg, &err) != 0)
      argp_error(state, "%s", err.text);
    return 0;
  case KEY_DISK:
    e->disk = cli_size(arg, state);
    return 0;
  case KEY_AREA:
    if (e->nmodules == MODULES)
      argp_error(state, "--area at most %d times", MODULES);
    e->modules[e->nmodules++] = arg;
    return 0;
  case ARGP_KEY_ARG:
    if (e->revisions[AFTER] != NULL)
      argp_error(state, "two revisions, not also \"%s\"", arg);
    e->revisions[e->revisions[BEFORE] != NULL] = arg;
    return 0;
  case ARGP_KEY_END:
    if (e->revisions[BEFORE] == NULL)
      argp_error(state, "which revision? one that git knows, as HEAD; a second one is compared "
                        "with it, or the files as they are");
    return 0;
  default:
    return cli_store(key, arg, e);
  }
}

static void say(const char *format, const char *name) {
  fprintf(stderr, "tandem: ");
  fprintf(stderr, format, name);
  fputc('\n', stderr);
}

/* Finds both revisions and reads their suites. */
static bool find(struct compare *e, struct tandem_error *err) {
  if (compare_find(&e->at, NULL, &e->files, err) != 0)
    return false;
  for (int side = 0; side < SIDES; side++)
    if (compare_find(&e->at, e->revisions[side], &e->sides[side], err) != 0)
      return false;
  for (int side = 0; side < SIDES; side++)
    if (compare_suite_open(&e->runs, &e->at, side, e->c.suite, err) != 0)
      return false;
  return true;
}

/* Builds the programs and finds the runs; two names of the same contents need none. */
static bool build(struct compare *e, struct tandem_error *err) {
  if (strcmp(e->sides[BEFORE].tree, e->sides[AFTER].tree) == 0)
    return true;
  const bool tests = compare_needs_tests(&e->runs);
  for (int side = 0; side < SIDES; side++) {
    struct compare_side *s = &e->sides[side];
    if (compare_build(&e->at, &e->files, tests, e->c.parallel, s, err) != 0)
      return false;
    if (s->failure != NULL)
      say("%s does not build", s->name);
  }
  return compare_join(&e->runs, e->c.only, e->c.nonly, e->engine, err) == 0;
}

/* Runs what has no result yet. */
static bool run(struct compare *e, struct experiment_store *store, struct tandem_error *err) {
  struct experiment_request q = {.places = e->c.places,
                                 .command = e->command,
                                 .beside = e->c.database,
                                 .chosen = e->runs.all,
                                 .again = e->again,
                                 .stop = &cli_stopped,
                                 .on_progress = cli_suite_progress};
  if (e->runs.joint.runs == NULL)
    return true;
  experiment_revision_of(cli_root(), &q.revision);
  e->c.s = e->runs.joint;
  return cli_suite_run(&e->c, store, &q, err);
}

/* Writes all reports. */
static bool write_reports(struct compare *e, struct tandem_error *err) {
  const struct compare_report *r = &e->report;
  bool good = true;
  if (e->json == NULL || strcmp(e->json, "-") != 0)
    good = compare_text(stdout, r, err) == 0;
  if (good && e->html != NULL)
    good = compare_page(e->html_file.file, r, err) == 0;
  if (good && e->json != NULL && !compare_json(e->json_file.file, r))
    good = tandem_fail(err, -EIO, "cannot write the JSON") == 0;
  return good;
}

static bool commit(struct compare *e) {
  return (e->html == NULL || outfile_commit(&e->html_file)) &&
         (e->json == NULL || outfile_commit(&e->json_file));
}

static void show_synthesis(void *user, const struct synth_progress *p) {
  (void)user;
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\r\033[K%zu of %zu: %s of %s", p->done, p->known, p->step, p->unit);
}

static void show_removed(const char *path, uint64_t bytes) {
  fprintf(stderr, "tandem: --disk: %s is removed (%.1f MB)\n", path, (double)bytes / 1e6);
}

static void show_proof(const char *unit) { say("proving %s", unit); }

/* Results of a change of the RTL. */
struct changes {
  struct compare_modules modules;
  struct compare_area area;
  struct compare_proofs proofs;
};

/* Compares the area of the modules that the change concerns, and the behaviour of their units. */
static bool compare_rtl(struct compare *e, struct changes *c, struct tandem_error *err) {
  if (compare_modules_read(e->sides, e->modules, e->nmodules, &c->modules, err) != 0)
    return false;
  e->report.modules = &c->modules;
  if (!e->no_area) {
    e->report.area = &c->area;
    const bool good = compare_area_make(&e->at, &c->modules, show_synthesis, &c->area, err) == 0;
    cli_progress_end();
    if (!good)
      return false;
  }
  if (e->no_proofs)
    return true;
  e->report.proofs = &c->proofs;
  return compare_proofs_make(&e->at, &c->modules, show_proof, &c->proofs, err) == 0;
}

static int report(struct compare *e, struct experiment_store *store) {
  struct compare_difference d;
  struct changes changes = {.modules = {.n = 0}};
  struct tandem_error err;
  bool good = compare_difference_make(&e->runs, store, &d, &err) == 0;
  e->report.suite = e->runs.joint.name != NULL ? e->runs.joint.name : e->c.suite;
  e->report.d = &d;
  if (good)
    good = compare_rtl(e, &changes, &err);
  if (good) {
    compare_limits_check(&e->report);
    good = write_reports(e, &err);
  }
  const bool fine = good && compare_fine(&e->report);
  compare_difference_free(&d);
  compare_proofs_free(&changes.proofs);
  compare_area_free(&changes.area);
  compare_modules_free(&changes.modules);
  if (!good)
    cli_told(&err);
  return !good || !commit(e) ? TANDEM_USAGE : fine ? TANDEM_OK : TANDEM_FAULT;
}

static int with_store(struct compare *e) {
  struct tandem_error err = {{0}};
  struct experiment_store *store;
  if (experiment_store_open(e->c.database, e->c.wait ? EXPERIMENT_WAIT : EXPERIMENT_WRITE, &store,
                            &err) != 0) {
    cli_told(&err);
    return TANDEM_USAGE;
  }
  int status;
  if (run(e, store, &err)) {
    status = report(e, store);
  } else {
    cli_told(&err);
    status = cli_stopped != 0 ? TANDEM_FAULT : TANDEM_USAGE;
  }
  experiment_store_close(store);
  return status;
}

int cli_compare(int argc, char **argv) {
  static const struct argp_child children[] = {{&cli_suite_argp, 0, NULL, 0}, {0}};
  static const struct argp argp = {
      options,
      parse,
      "REVISION [REVISION]",
      "Shows what a change of the sources does: verdicts, cycles, stalls and energy of a suite's "
      "runs with each of two revisions (docs/use/compare.md).  The second one is the files as they "
      "are, unless it is named.",
      children,
      NULL,
      NULL};
  struct compare e = {
      .c.parallel = (size_t)sysconf(_SC_NPROCESSORS_ONLN), .disk = CLI_DISK, .kept.lock = -1};
  struct tandem_error err = {{0}};
  argc = cli_join_json(argc, argv);
  e.command = cli_command("compare", argc, argv);
  cli_argp(&argp, argc, argv, &e);
  e.c.suite = e.c.suite != NULL ? e.c.suite : "compare";
  e.runs.sides = e.sides;
  int status = TANDEM_USAGE;
  if (cli_suite_places(&e.c) && (e.json == NULL || outfile_open(&e.json_file, e.json)) &&
      (e.html == NULL || outfile_open(&e.html_file, e.html))) {
    e.at = (struct compare_places){cli_root(), e.c.program, cli_build()};
    if (compare_kept_open(&e.at, &e.kept, &err) != 0 || !find(&e, &err) || !build(&e, &err))
      cli_told(&err);
    else
      status = with_store(&e);
    compare_kept_close(&e.kept, e.disk, show_removed);
  }
  output_abandon(&e.json_file);
  output_abandon(&e.html_file);
  if (e.c.launcher.self != NULL)
    e.c.launcher.destroy(e.c.launcher.self);
  compare_runs_close(&e.runs);
  for (int side = 0; side < SIDES; side++)
    compare_side_free(&e.sides[side]);
  compare_side_free(&e.files);
  free(e.command);
  return status;
}
