/* The command of a run. */
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/runner.h"

struct words {
  char **at;
  size_t n;
  bool failed;
};

/* Adds a word made of up to three parts. */
static void add(struct words *w, const char *a, const char *b, const char *c) {
  if (asprintf(&w->at[w->n], "%s%s%s", a, b, c) < 0) {
    w->at[w->n] = NULL;
    w->failed = true;
  } else {
    w->n++;
  }
}

static void add_pairs(struct words *w, const char *option, const struct experiment_pairs *pairs) {
  for (size_t i = 0; i < pairs->n; i++) {
    add(w, option, "", "");
    add(w, pairs->at[i].name, "=", pairs->at[i].value);
  }
}

/* The launch of a program. */
static void add_launch(struct words *w, const struct experiment_run *run) {
  const struct experiment_settings *s = &run->settings;
  if (s->kernel != NULL)
    add(w, "--kernel=", s->kernel, "");
  if (s->grid != NULL)
    add(w, "--grid=", s->grid, "");
  if (s->block != NULL)
    add(w, "--block=", s->block, "");
  for (size_t i = 0; i < s->nargs; i++)
    add(w, "--arg=", s->args[i], "");
}

/* One thread, unless the suite says otherwise: several runs are under way at once. */
static bool has_threads(const struct experiment_run *run) {
  for (size_t i = 0; i < run->settings.set.n; i++)
    if (strcmp(run->settings.set.at[i].name, "run.threads") == 0)
      return true;
  return false;
}

char **experiment_words(const struct experiment_run *run, const char *program, const char *json) {
  struct words w = {calloc(24 + EXPERIMENT_ARGS + 4 * EXPERIMENT_PAIRS, sizeof *w.at), 0, false};
  if (w.at == NULL)
    return NULL;
  add(&w, program, "", "");
  add(&w, "run", "", "");
  add(&w, run->launch, "", "");
  if (run->program)
    add_launch(&w, run);
  if (run->base != NULL)
    add(&w, "--gpu=", run->base, "");
  if (run->config != NULL)
    add(&w, "--config=", run->config, "");
  if (run->settings.engine != NULL)
    add(&w, "--engine=", run->settings.engine, "");
  if (!has_threads(run))
    add(&w, "--threads=1", "", "");
  add_pairs(&w, "--set", &run->settings.set);
  add_pairs(&w, "--param", &run->settings.params);
  add(&w, "--report-dir=", "", "");
  if (json != NULL)
    add(&w, "--json=", json, "");
  if (!w.failed)
    return w.at;
  experiment_words_free(w.at);
  return NULL;
}

void experiment_words_free(char **words) {
  for (char **w = words; w != NULL && *w != NULL; w++)
    free(*w);
  free(words);
}
