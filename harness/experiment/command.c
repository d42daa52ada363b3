/* The command of a run. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/runner.h"
#include "harness/gpu/faults.h"

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

/* A simulation. */
static void add_simulation(struct words *w, const struct experiment_run *run,
                           const struct experiment_places *at) {
  add(w, at->program, "", "");
  add(w, "run", "", "");
  add(w, run->launch, "", "");
  if (run->program)
    add_launch(w, run);
  if (run->base != NULL)
    add(w, "--gpu=", run->base, "");
  if (run->config != NULL)
    add(w, "--config=", run->config, "");
  if (run->settings.engine != NULL)
    add(w, "--engine=", run->settings.engine, "");
  if (!has_threads(run))
    add(w, "--threads=1", "", "");
  add_pairs(w, "--set", &run->settings.set);
  add_pairs(w, "--param", &run->settings.params);
}

static void add_number(struct words *w, const char *option, uint64_t value) {
  char text[32];
  snprintf(text, sizeof text, "%" PRIu64, value);
  add(w, option, text, "");
}

static void add_random(struct words *w, const struct experiment_run *run,
                       const struct experiment_places *at) {
  add(w, at->build, "/tests/random/random_run", "");
  add(w, "--seed=", run->settings.seed, "");
  add_pairs(w, "--set", &run->settings.set);
}

static void add_random_cl(struct words *w, const struct experiment_run *run,
                          const struct experiment_places *at) {
  add(w, at->program, "", "");
  add(w, "random-cl", "", "");
  add(w, "--seed=", run->settings.seed, "");
  add_number(w, "--count=", run->settings.special.count);
  if (run->settings.engine != NULL)
    add(w, "--engine=", run->settings.engine, "");
}

/* The score of mutants: as a person would ask for it, or by the script behind that command. */
static void add_mutants(struct words *w, const struct experiment_run *run,
                        const struct experiment_places *at, bool by_script) {
  const struct experiment_special *s = &run->settings.special;
  add(w, by_script ? "/bin/bash" : at->program, "", "");
  add(w, by_script ? at->root : "mutate", by_script ? "/tests/mutation/mutate.sh" : "", "");
  if (by_script) {
    add(w, at->root, "", "");
    add(w, at->build, "", "");
  }
  add(w, s->unit, "", "");
  add(w, "--count", "", "");
  add_number(w, "", s->count);
  add(w, "--seed", "", "");
  add_number(w, "", s->seed);
}

static void add_fault(struct words *w, const struct experiment_run *run,
                      const struct experiment_places *at) {
  const struct experiment_special *s = &run->settings.special;
  add(w, at->program, "", "");
  add(w, "bugs", "", "");
  add(w, "--quick", "", "");
  if (strcmp(s->fault->feature, "gpu") != 0)
    add(w, "--feature=", s->fault->feature, "");
  add(w, "--only=", s->fault->name, "");
}

char **experiment_words(const struct experiment_run *run, const struct experiment_places *at,
                        const char *json, const char *report) {
  const int kind = run->settings.kind;
  struct words w = {calloc(32 + EXPERIMENT_ARGS + 4 * EXPERIMENT_PAIRS, sizeof *w.at), 0, false};
  if (w.at == NULL)
    return NULL;
  if (at->others) {
    add(&w, "/usr/bin/env", "", "");
    add(&w, "TANDEM_ROOT=", at->root, "");
  }
  if (kind == EXPERIMENT_LAUNCH)
    add_simulation(&w, run, at);
  else if (kind == EXPERIMENT_RANDOM)
    add_random(&w, run, at);
  else if (kind == EXPERIMENT_MUTANTS)
    add_mutants(&w, run, at, json != NULL);
  else if (kind == EXPERIMENT_FAULT)
    add_fault(&w, run, at);
  else if (kind == EXPERIMENT_RANDOM_CL)
    add_random_cl(&w, run, at);
  if (kind == EXPERIMENT_UNIT) {
    add(&w, at->build, "/tests/unit/test_", run->settings.special.unit);
    add(&w, "--seed=1", "", "");
  }
  if (report != NULL && experiment_has_report(run))
    add(&w, "--report-dir=", report, "");
  if (json != NULL && kind == EXPERIMENT_MUTANTS)
    add(&w, "--json", "", "");
  if (json != NULL && experiment_has_results(run))
    add(&w, kind == EXPERIMENT_MUTANTS ? "" : "--json=", json, "");
  if (!w.failed)
    return w.at;
  experiment_words_free(w.at);
  return NULL;
}

bool experiment_test(const struct experiment_run *run, char name[EXPERIMENT_TEST]) {
  const int kind = run->settings.kind;
  if (kind == EXPERIMENT_RANDOM)
    snprintf(name, EXPERIMENT_TEST, "random_run");
  else if (kind == EXPERIMENT_UNIT || kind == EXPERIMENT_MUTANTS)
    snprintf(name, EXPERIMENT_TEST, "test_%.100s", run->settings.special.unit);
  return kind == EXPERIMENT_RANDOM || kind == EXPERIMENT_UNIT || kind == EXPERIMENT_MUTANTS;
}

bool experiment_has_report(const struct experiment_run *run) {
  return run->settings.kind == EXPERIMENT_LAUNCH || experiment_has_seeds(run->settings.kind);
}

bool experiment_has_results(const struct experiment_run *run) {
  return run->settings.kind != EXPERIMENT_UNIT;
}

void experiment_words_free(char **words) {
  for (char **w = words; w != NULL && *w != NULL; w++)
    free(*w);
  free(words);
}
