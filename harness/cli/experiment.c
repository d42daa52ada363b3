/* tandem experiment: the runs of a suite, and tables of their results. */
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/hash.h"
#include "csim/util/shell.h"
#include "harness/cli/cli.h"
#include "harness/experiment/report.h"
#include "harness/experiment/runner.h"

enum { KEY_ONLY = 0x200 };
enum { PATH = 4096, PATTERNS = 32 };

struct experiment {
  const char *suite, *engine, *results, *json, *html, *markdown, *only[PATTERNS];
  size_t nonly, parallel;
  bool retry_failed, again, list, show, dry, wait;
  char *command; /* the call as a shell takes it */
  char program[PATH], path[PATH], database[PATH];
  struct output json_file, html_file, markdown_file;
  struct experiment_suite s;
  bool *chosen; /* of each run */
};

static const struct argp_option options[] = {
    {"jobs", 'j', "N", 0, "runs at once (as many as processors)", 0},
    {"results", CLI_STORE(CLI_TEXT, experiment, results), "FILE", 0,
     "database (build/experiments/NAME.sqlite)", 0},
    {"retry-failed", CLI_STORE(CLI_FLAG, experiment, retry_failed), NULL, 0,
     "also run again what failed", 0},
    {"again", CLI_STORE(CLI_FLAG, experiment, again), NULL, 0, "run everything again", 0},
    {"wait", CLI_STORE(CLI_FLAG, experiment, wait), NULL, 0,
     "wait until no other command writes to the database", 0},
    {"only", KEY_ONLY, "PATTERN", 0,
     "only runs whose names match, as 'vecadd/*'; may be there several times", 0},
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
  case 'j':
    e->parallel = cli_number(arg, "--jobs", 1, 1024, state);
    return 0;
  case KEY_ONLY:
    if (e->nonly == PATTERNS)
      argp_error(state, "--only at most %d times", PATTERNS);
    e->only[e->nonly++] = arg;
    return 0;
  case ARGP_KEY_ARG:
    if (e->suite != NULL)
      argp_error(state, "one suite, not also \"%s\"", arg);
    e->suite = arg;
    return 0;
  case ARGP_KEY_END:
    if (e->suite == NULL)
      argp_error(state, "which suite? a name of experiments, or a path of a YAML file");
    return 0;
  default:
    return cli_store(key, arg, e);
  }
}

static bool told(const struct tandem_error *err) {
  fprintf(stderr, "tandem: %s\n", err->text);
  return false;
}

/* The suite's file cannot be read; those of the folder experiments, if it is none of them. */
static bool no_suite(const struct experiment *e) {
  char pattern[PATH];
  glob_t found;
  fprintf(stderr, "tandem: there is no suite %s; there are", e->suite);
  if (snprintf(pattern, sizeof pattern, "%s/experiments/*.yaml", cli_root()) < PATH &&
      glob(pattern, 0, NULL, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; i++) {
      const char *name = strrchr(found.gl_pathv[i], '/') + 1;
      fprintf(stderr, "%s %.*s", i != 0 ? "," : "", (int)strcspn(name, "."), name);
    }
    globfree(&found);
  }
  fprintf(stderr, " in %s/experiments\n", cli_root());
  return false;
}

/* The paths of all that is read and written. */
static bool find_paths(struct experiment *e) {
  const ssize_t n = readlink("/proc/self/exe", e->program, sizeof e->program - 1);
  e->program[n > 0 ? n : 0] = '\0';
  const bool path =
      strchr(e->suite, '/') != NULL || cli_ends(e->suite, ".yaml") || cli_ends(e->suite, ".yml");
  const char *slash = strrchr(e->suite, '/'), *name = slash != NULL ? slash + 1 : e->suite;
  const char *dot = path ? strrchr(name, '.') : NULL;
  const int length = dot != NULL ? (int)(dot - name) : (int)strlen(name);
  bool fits = snprintf(e->path, PATH, path ? "%s%s" : "%s/experiments/%s.yaml",
                       path ? "" : cli_root(), e->suite) < PATH;
  fits = fits && (e->results != NULL ? snprintf(e->database, PATH, "%s", e->results)
                                     : snprintf(e->database, PATH, "%s/experiments/%.*s.sqlite",
                                                cli_build(), length, name)) < PATH;
  if (!fits)
    fprintf(stderr, "tandem: the path of %s is too long\n", e->suite);
  return fits && (path || access(e->path, R_OK) == 0 || no_suite(e));
}

/* Names of runs are made of the values of the axes. */
static void no_match(const struct experiment *e) {
  if (e->nonly == 0) {
    fprintf(stderr, "tandem: %s: exclude: leaves no run\n", e->path);
    return;
  }
  fputs("tandem: no run's name matches", stderr);
  for (size_t i = 0; i < e->nonly; i++)
    fprintf(stderr, "%s --only %s", i != 0 ? " or" : "", e->only[i]);
  fputs("; names are", stderr);
  for (size_t i = 0; i < e->s.naxes; i++) {
    const struct experiment_axis *a = &e->s.axes[i];
    fprintf(stderr, "%s %s (", i == 0 ? "" : " /", a->name);
    for (size_t k = 0; k < a->n; k++)
      fprintf(stderr, "%s%s", k == 0 ? "" : ", ", a->values[k].name);
    fputc(')', stderr);
  }
  fputs("; --list shows all\n", stderr);
}

static bool choose(struct experiment *e) {
  size_t n = 0;
  e->chosen = calloc(e->s.nruns + 1, sizeof *e->chosen);
  for (size_t i = 0; e->chosen != NULL && i < e->s.nruns; i++) {
    e->chosen[i] = e->nonly == 0;
    for (size_t k = 0; k < e->nonly; k++)
      e->chosen[i] = e->chosen[i] || fnmatch(e->only[k], e->s.runs[i].name, 0) == 0;
    n += e->chosen[i];
  }
  if (n == 0)
    no_match(e);
  return n != 0;
}

/* ---- progress ---- */

static volatile sig_atomic_t stopped;
static void on_signal(int number) { stopped = number; }

static void left(double s, char *text, size_t size) {
  if (s < 0)
    snprintf(text, size, "-");
  else if (s < 100)
    snprintf(text, size, "%.0f s", s);
  else if (s < 6000)
    snprintf(text, size, "%.0f min", s / 60);
  else
    snprintf(text, size, "%.1f h", s / 3600);
}

static void progress(void *user, const struct experiment_progress *p) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  char time[32];
  (void)user;
  if (terminal)
    fputs("\r\033[K", stderr);
  if (p->of != NULL && (!terminal || strcmp(p->status, "ok") != 0))
    fprintf(stderr, "%s: %s%s%.*s\n", p->of->name, p->status, *p->error != '\0' ? ": " : "",
            (int)strcspn(p->error, "\n"), p->error);
  left(p->left_s, time, sizeof time);
  if (terminal)
    fprintf(stderr, "%zu of %zu done, %zu running, %zu failed, time left: %s", p->done, p->all,
            p->running, p->failed, time);
  fflush(stderr);
}

/* ---- what is to be done ---- */

static bool run_all(struct experiment *e, struct experiment_store *store,
                    const struct experiment_request *q, struct tandem_error *err) {
  struct launcher launcher;
  if (launcher_local(e->parallel, &launcher, err) != 0)
    return false;
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    if (signal(numbers[i], on_signal) == SIG_IGN) /* nohup */
      signal(numbers[i], SIG_IGN);
  const int status = experiment_run_missing(&e->s, store, &launcher, q, err);
  launcher.destroy(launcher.self);
  cli_progress_end();
  return status == 0;
}

static bool print_commands(struct experiment *e, struct experiment_store *store,
                           const struct experiment_request *q, struct tandem_error *err) {
  size_t *list, n;
  bool good = experiment_missing(&e->s, store, q, &list, &n, err) == 0;
  for (size_t i = 0; good && i < n; i++) {
    char **words = experiment_words(&e->s.runs[list[i]], e->program, NULL);
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
  for (size_t i = 0; i < e->s.nruns; i++) {
    struct experiment_result result;
    if (!e->chosen[i])
      continue;
    if (experiment_store_get(store, e->s.runs[i].key, false, &result, err) != 0)
      return false;
    printf("%-8s %8.1f s  %s\n", result.status != NULL ? result.status : "missing", result.wall_s,
           e->s.runs[i].name);
    experiment_result_free(&result);
  }
  return true;
}

/* Writes all reports; whether all chosen runs are ok goes to *fine. */
static bool report(struct experiment *e, struct experiment_store *store, bool *fine,
                   struct tandem_error *err) {
  struct experiment_report r = {0};
  bool good = experiment_report_make(&e->s, store, &r, err) == 0;
  for (size_t i = 0; good && i < e->s.nruns; i++)
    if (e->chosen[i] && (r.results[i].status == NULL || strcmp(r.results[i].status, "ok") != 0))
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
  struct experiment_request q = {.program = e->program,
                                 .command = e->command,
                                 .beside = e->database,
                                 .chosen = e->chosen,
                                 .retry_failed = e->retry_failed,
                                 .again = e->again,
                                 .stop = &stopped,
                                 .on_progress = progress};
  bool fine = true, good;
  experiment_revision_of(cli_root(), &q.revision);
  if (e->dry || e->list) {
    good = e->dry ? print_commands(e, store, &q, &err) : list_runs(e, store, &err);
    return good || told(&err) ? TANDEM_OK : TANDEM_USAGE;
  }
  good =
      e->show || (run_all(e, store, &q, &err) && experiment_store_suite(store, &e->s, &err) == 0);
  if (!good && stopped != 0) {
    told(&err);
    return TANDEM_FAULT;
  }
  if (!good || !report(e, store, &fine, &err)) {
    told(&err);
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
                                        : e->wait                    ? EXPERIMENT_WAIT
                                                                     : EXPERIMENT_WRITE;
  if (!choose(e))
    return TANDEM_USAGE;
  if (e->engine != NULL && experiment_engine(&e->s, e->engine, &err) != 0) {
    told(&err);
    return TANDEM_USAGE;
  }
  char hardware[HASH_KEY];
  if (models_hardware(hardware, &err) != 0 ||
      experiment_keys(&e->s, e->program, hardware, &err) != 0 ||
      experiment_store_open(e->database, access, &store, &err) != 0) {
    told(&err);
    return TANDEM_USAGE;
  }
  const int status = with_store(e, store);
  experiment_store_close(store);
  return status;
}

int cli_experiment(int argc, char **argv) {
  static const struct argp argp = {
      options,
      parse,
      "SUITE",
      "Runs the simulations of a suite, a name of the folder experiments or a YAML file "
      "(docs/use/experiments.md), which have no result yet, and prints tables of all results.",
      NULL,
      NULL,
      NULL};
  struct experiment e = {.parallel = (size_t)sysconf(_SC_NPROCESSORS_ONLN)};
  struct tandem_error err;
  argc = cli_join_json(argc, argv);
  e.command = cli_command("experiment", argc, argv);
  argp_parse(&argp, argc, argv, 0, NULL, &e);
  int status = TANDEM_USAGE;
  if (find_paths(&e) && (e.json == NULL || outfile_open(&e.json_file, e.json)) &&
      (e.html == NULL || outfile_open(&e.html_file, e.html)) &&
      (e.markdown == NULL || outfile_open(&e.markdown_file, e.markdown))) {
    if (experiment_open(&e.s, e.path, &err) == 0)
      status = with_suite(&e);
    else
      told(&err);
  }
  experiment_close(&e.s);
  output_abandon(&e.json_file);
  output_abandon(&e.html_file);
  output_abandon(&e.markdown_file);
  free(e.chosen);
  free(e.command);
  return status;
}
