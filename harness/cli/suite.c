/* The commands that run suites: paths, the choice of runs, progress. */
#include "harness/cli/suite.h"

#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "harness/cli/cli.h"

enum { PATH = CLI_SUITE_PATH, KEY_ONLY = 0x200 };

bool cli_told(const struct tandem_error *err) {
  fprintf(stderr, "tandem: %s\n", err->text);
  return false;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct cli_suite *e = state->input;
  switch (key) {
  case 'j':
    e->parallel = cli_number(arg, "--jobs", 1, 1024, state);
    return 0;
  case KEY_ONLY:
    if (e->nonly == CLI_PATTERNS)
      argp_error(state, "--only at most %d times", CLI_PATTERNS);
    e->only[e->nonly++] = arg;
    return 0;
  default:
    return cli_store(key, arg, e);
  }
}

static const struct argp_option runs[] = {
    {"jobs", 'j', "N", 0, "runs at once (as many as processors)", 0},
    {"results", CLI_STORE(CLI_TEXT, cli_suite, results), "FILE", 0,
     "database (build/experiments/NAME.sqlite)", 0},
    {"wait", CLI_STORE(CLI_FLAG, cli_suite, wait), NULL, 0,
     "wait until no other command writes to the database", 0},
    {"only", KEY_ONLY, "PATTERN", CLI_REPEATED,
     "only runs whose names match, as 'vecadd/*'; may be there several times", 0},
    {0}};

static const struct argp_option workers[] = {
    {"on", CLI_STORE(CLI_TEXT, cli_suite, on), "DIR", 0,
     "give the runs to workers (tandem worker DIR); slurm: to N jobs of Slurm", 0},
    {"submit", CLI_STORE(CLI_TEXT, cli_suite, submit), "COMMAND", 0,
     "give them to workers that a command starts: %n is their number N, %c what each is to run", 0},
    {0}};

const struct argp cli_suite_argp = {runs, parse, NULL, NULL, NULL, NULL, NULL};
const struct argp cli_suite_workers_argp = {workers, parse, NULL, NULL, NULL, NULL, NULL};

/* The suite's file cannot be read; those of the folder experiments, if it is none of them. */
static bool no_suite(const struct cli_suite *e) {
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

/* A suite that is named by its file, and not by its name in the folder experiments. */
static bool is_path(const char *suite) {
  return strchr(suite, '/') != NULL || cli_ends(suite, ".yaml") || cli_ends(suite, ".yml");
}

bool cli_suite_places(struct cli_suite *e) {
  const ssize_t n = readlink("/proc/self/exe", e->program, sizeof e->program - 1);
  e->program[n > 0 ? n : 0] = '\0';
  e->places =
      (struct experiment_places){.program = e->program, .root = cli_root(), .build = cli_build()};
  const bool path = is_path(e->suite);
  const char *slash = strrchr(e->suite, '/'), *name = slash != NULL ? slash + 1 : e->suite;
  const char *dot = path ? strrchr(name, '.') : NULL;
  const int length = dot != NULL ? (int)(dot - name) : (int)strlen(name);
  const bool fits = (e->results != NULL ? snprintf(e->database, PATH, "%s", e->results)
                                        : snprintf(e->database, PATH, "%s/experiments/%.*s.sqlite",
                                                   cli_build(), length, name)) < PATH;
  if (!fits)
    fprintf(stderr, "tandem: the path of %s is too long\n", e->suite);
  return fits;
}

bool cli_suite_paths(struct cli_suite *e) {
  const bool path = is_path(e->suite);
  if (snprintf(e->path, PATH, path ? "%s%s" : "%s/experiments/%s.yaml", path ? "" : cli_root(),
               e->suite) >= PATH) {
    fprintf(stderr, "tandem: the path of %s is too long\n", e->suite);
    return false;
  }
  return cli_suite_places(e) && (path || access(e->path, R_OK) == 0 || no_suite(e));
}

/* Names of runs are made of the values of the axes. */
static void no_match(const struct cli_suite *e) {
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

bool cli_suite_choose(struct cli_suite *e) {
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

volatile sig_atomic_t cli_stopped;
static void on_signal(int number) { cli_stopped = number; }

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

void cli_suite_progress(void *user, const struct experiment_progress *p) {
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

void cli_suite_signals(void) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    if (signal(numbers[i], on_signal) == SIG_IGN) /* nohup */
      signal(numbers[i], SIG_IGN);
}

bool cli_suite_beside(const struct cli_suite *e, const char *ending, char path[PATH]) {
  const size_t n = strlen(e->database);
  const size_t base = cli_ends(e->database, ".sqlite") ? n - strlen(".sqlite") : n;
  if (snprintf(path, PATH, "%.*s%s", (int)base, e->database, ending) < PATH)
    return true;
  fprintf(stderr, "tandem: the path of %s is too long\n", e->database);
  return false;
}

/* The folder of the runs for workers: of --on, or beside the database.  Workers start elsewhere, so
 * its path begins at the root. */
static bool name_queue(struct cli_suite *e, bool slurm, struct tandem_error *err) {
  char named[PATH], *whole = NULL;
  if (slurm || e->on == NULL) {
    if (!cli_suite_beside(e, ".queue", named))
      return tandem_fail(err, -ENAMETOOLONG, "no folder for workers") == 0;
  } else if (snprintf(named, PATH, "%s", e->on) >= PATH) {
    return tandem_fail(err, -ENAMETOOLONG, "the path of --on is too long") == 0;
  }
  if (files_folder(named, err) != 0)
    return false;
  whole = realpath(named, NULL);
  const bool fits = whole != NULL && snprintf(e->queue, PATH, "%s", whole) < PATH &&
                    snprintf(e->work, PATH, "%.4000s/work", e->queue) < PATH;
  free(whole);
  return fits || tandem_fail(err, -EINVAL, "cannot use the folder %s", named) == 0;
}

/* Processes here, or workers. */
static bool make_launcher(struct cli_suite *e, struct tandem_error *err) {
  const bool slurm = e->on != NULL && strcmp(e->on, "slurm") == 0;
  if (e->launcher.self != NULL)
    return true;
  if (e->on == NULL && e->submit == NULL)
    return launcher_local(e->parallel, &e->launcher, err) == 0;
  if (slurm && e->submit != NULL)
    return tandem_fail(err, -EINVAL,
                       "--on slurm has a command of its own; --submit is for other ones") == 0;
  const struct launcher_workers w = {.folder = e->queue,
                                     .program = e->program,
                                     .submit = e->submit,
                                     .slurm = slurm,
                                     .workers = e->parallel};
  if (!name_queue(e, slurm, err) || launcher_queue(&w, &e->launcher, err) != 0)
    return false;
  if (!slurm && e->submit == NULL)
    fprintf(stderr, "tandem: runs wait for workers: %s worker %s\n", e->program, e->queue);
  return true;
}

bool cli_suite_run(struct cli_suite *e, struct experiment_store *store,
                   const struct experiment_request *q, struct tandem_error *err) {
  struct experiment_request here = *q;
  if (!make_launcher(e, err))
    return false;
  if (e->on != NULL || e->submit != NULL)
    here.beside = e->work;
  cli_suite_signals();
  const int status = experiment_run_missing(&e->s, store, &e->launcher, &here, err);
  cli_progress_end();
  return status == 0;
}

void cli_suite_end(struct cli_suite *e) {
  if (e->launcher.self != NULL)
    e->launcher.destroy(e->launcher.self);
  experiment_close(&e->s);
  free(e->chosen);
}
