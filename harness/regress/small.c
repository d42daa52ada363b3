/* Failures that are made small: one of each place, by processes of `tandem shrink`. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/process.h"
#include "csim/util/shell.h"
#include "harness/experiment/runner.h"
#include "harness/regress/regress.h"

enum { PATH = 4096, WORDS = 300 };

/* The file of results that `tandem shrink` leaves. */
static const char results[] = "/small.json";

static bool ends(const char *text, const char *ending) {
  const size_t n = strlen(text), e = strlen(ending);
  return n >= e && strcmp(text + n - e, ending) == 0;
}

/* "SIZE: ./tandem run SMALL" */
static char *text_of(const char *size, const char *small) {
  char *text = NULL;
  size_t n;
  FILE *out = open_memstream(&text, &n);
  if (out == NULL)
    return NULL;
  fprintf(out, "%s: ./tandem run ", size);
  shell_word(out, small);
  return fclose(out) == 0 ? text : NULL;
}

char *regress_small(const struct regress_case *c) {
  char *text = NULL;
  for (char **f = c->files; f != NULL && *f != NULL && text == NULL; f++) {
    struct stat st; /* a file that the database names need not be one */
    json_t *json = ends(*f, results) && lstat(*f, &st) == 0 && S_ISREG(st.st_mode)
                       ? json_load_file(*f, 0, NULL)
                       : NULL;
    const char *size = json_string_value(json_object_get(json, "size")),
               *small = json_string_value(json_object_get(json, "small"));
    if (size != NULL && small != NULL && access(small, R_OK) == 0)
      text = text_of(size, small);
    json_decref(json);
  }
  return text;
}

/* A simulation, or random programs. */
static bool can_shrink(const struct regress_case *c) {
  const int kind = c->run->settings.kind;
  return experiment_has_seeds(kind) || kind == EXPERIMENT_LAUNCH;
}

/* Runs a process to its end, or until the command is to end: whether it ended with this status. */
static bool run(const struct process *p, int wanted, const volatile sig_atomic_t *stop) {
  enum { LOOK_US = 20000, GRACE_S = 5 };
  pid_t pid;
  int status = 0, ended = 0;
  if (process_start(p, &pid) != 0)
    return false;
  while (ended == 0 && (stop == NULL || *stop == 0)) {
    ended = process_end(pid, false, &status);
    if (ended == 0)
      usleep(LOOK_US);
  }
  if (ended == 0) {
    kill(-pid, SIGTERM);
    (void)process_end_within(pid, GRACE_S, &status);
    return false;
  }
  return ended == 1 && WIFEXITED(status) && WEXITSTATUS(status) == wanted;
}

/* Writes a random program's launch description; *launch is its path. */
static bool write_random(const struct regress_case *c, char **words, const char *folder,
                         char launch[PATH]) {
  char option[PATH];
  const char *argv[WORDS];
  size_t n = 0;
  for (; words[n] != NULL && n < WORDS - 2; n++)
    argv[n] = words[n];
  snprintf(option, sizeof option, "--write=%.4000s/whole", folder);
  argv[n++] = option;
  argv[n] = NULL;
  const struct process p = {.argv = argv};
  snprintf(launch, PATH, "%.3900s/whole/random-%s.yaml", folder, c->run->settings.seed);
  return process_run(&p) && access(launch, R_OK) == 0;
}

/* Runs `tandem shrink` in the place of `tandem run`; random OpenCL programs shrink themselves. */
static bool shrink(const struct regress_case *c, const struct regress_shrink *q,
                   const char *folder) {
  char launch[PATH], out[PATH], json[PATH], log[PATH];
  char **words = experiment_words(c->run, &q->places, NULL, NULL);
  const bool random = c->run->settings.kind == EXPERIMENT_RANDOM;
  const bool itself = c->run->settings.kind == EXPERIMENT_RANDOM_CL;
  const char *argv[WORDS] = {q->places.program, itself ? "random-cl" : "shrink"};
  size_t n = 2;
  bool good = words != NULL && (!random || write_random(c, words, folder, launch));
  if (random)
    argv[n++] = launch;
  for (size_t i = 2; good && !random && words[i] != NULL && n < WORDS - 4; i++)
    argv[n++] = words[i];
  snprintf(out, sizeof out, "--out=%.4000s/small", folder);
  snprintf(json, sizeof json, "--json=%.4000s%s", folder, results);
  snprintf(log, sizeof log, "%.4000s/shrink.log", folder);
  argv[n++] = out;
  argv[n++] = json;
  argv[n++] = "--time=120s";
  argv[n] = itself ? "--shrink"
                   : "--assembly"; /* a mistake of the RTL needs few instructions, not few lines */
  const struct process p = {.argv = argv, .log = log};
  good = good && run(&p, itself ? 1 : 0, q->stop);
  experiment_words_free(words);
  return good;
}

/* The folder of a failure's small program: the run's name, and the number of its attempt. */
static void name_folder(const struct regress_case *c, const char *failures, char folder[PATH]) {
  const int n = snprintf(folder, PATH, "%.3000s/", failures);
  snprintf(folder + n, (size_t)(PATH - n), "%.200s-%lld.small", c->run->name,
           (long long)c->result->number);
  for (char *p = folder + n; *p != '\0'; p++)
    if (*p == '/' || *p == ' ')
      *p = '_';
}

int regress_shrink(const struct regress_report *r, struct experiment_store *store,
                   const struct regress_shrink *q, bool *any, struct tandem_error *err) {
  *any = false;
  for (size_t i = 0; i < r->ngroups && (q->stop == NULL || *q->stop == 0); i++) {
    const struct regress_case *c = r->groups[i].first;
    char folder[PATH];
    if (!can_shrink(c) || c->small != NULL || c->verdict != REGRESS_FAILED)
      continue;
    name_folder(c, q->failures, folder);
    TRY(files_folder(folder, err));
    if (q->on_begin != NULL)
      q->on_begin(c);
    *any = shrink(c, q, folder) || *any;
    TRY(experiment_store_add_files(store, c->result->number, folder, err));
  }
  return 0;
}
