/* The suites of both sides, and their runs in turn. */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/compare/compare.h"
#include "harness/shim/models/models.h"

/* Copies the path of the side's suite. */
static int suite_path(const struct compare_places *at, const struct compare_side *s,
                      const char *suite, char path[COMPARE_PATH], struct tandem_error *err) {
  const char *dot = strrchr(suite, '.');
  const bool is_path = strchr(suite, '/') != NULL || (dot != NULL && dot[1] == 'y');
  if (!is_path) {
    snprintf(path, COMPARE_PATH, "%.3000s/experiments/%.200s.yaml", s->root, suite);
  } else {
    char *real = realpath(suite, NULL), *root = realpath(at->root, NULL);
    const size_t n = root != NULL ? strlen(root) : 0;
    if (real == NULL || root == NULL || strncmp(real, root, n) != 0 || real[n] != '/')
      snprintf(path, COMPARE_PATH, "%.4000s", suite);
    else
      snprintf(path, COMPARE_PATH, "%.2000s%.2000s", s->root, real + n);
    free(real);
    free(root);
  }
  return access(path, R_OK) == 0
             ? 0
             : tandem_fail(err, -ENOENT, "%s has no suite %s: there is no file %s", s->name, suite,
                           path);
}

int compare_suite_open(struct compare_runs *r, const struct compare_places *at, int side,
                       const char *suite, struct tandem_error *err) {
  struct tandem_error why;
  char path[COMPARE_PATH];
  TRY(suite_path(at, &r->sides[side], suite, path, err));
  const int status = experiment_open(&r->suites[side], path, NULL, &why);
  if (status != 0)
    return tandem_fail(err, status, "%s: %s", r->sides[side].name, why.text);
  r->read[side] = true;
  return 0;
}

bool compare_needs_tests(const struct compare_runs *r) {
  for (int side = 0; side < SIDES; side++)
    for (size_t i = 0; r->read[side] && i < r->suites[side].nruns; i++)
      if (r->suites[side].runs[i].settings.kind != EXPERIMENT_LAUNCH)
        return true;
  return false;
}

static bool matches(const char *name, const char *const *only, size_t nonly) {
  for (size_t k = 0; k < nonly; k++)
    if (fnmatch(only[k], name, 0) == 0)
      return true;
  return nonly == 0;
}

/* Chooses the runs of a side and computes their keys, with the RTL of its copy. */
static int prepare(struct compare_runs *r, int side, const char *const *only, size_t nonly,
                   const char *engine, struct tandem_error *err) {
  struct experiment_suite *s = &r->suites[side];
  struct compare_side *of = &r->sides[side];
  char hardware[HASH_KEY];
  r->chosen[side] = calloc(s->nruns + 1, sizeof *r->chosen[side]);
  if (r->chosen[side] == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < s->nruns; i++) {
    r->chosen[side][i] = matches(s->runs[i].name, only, nonly);
    s->runs[i].places = &of->places;
  }
  if (engine != NULL)
    TRY(experiment_engine(s, engine, err));
  models_places(of->root, NULL);
  TRY(models_hardware(hardware, err));
  return experiment_keys(s, &of->places, hardware, NULL, err);
}

/* The suites' runs, in turn. */
static int join(struct compare_runs *r, struct tandem_error *err) {
  const size_t most = r->suites[BEFORE].nruns + r->suites[AFTER].nruns;
  r->joint = r->suites[r->chosen[AFTER] != NULL ? AFTER : BEFORE];
  r->joint.nruns = 0;
  r->joint.runs = calloc(most + 1, sizeof *r->joint.runs);
  r->all = calloc(most + 1, sizeof *r->all);
  if (r->joint.runs == NULL || r->all == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < most; i++)
    for (int side = 0; side < SIDES; side++)
      if (r->chosen[side] != NULL && i < r->suites[side].nruns && r->chosen[side][i]) {
        r->all[r->joint.nruns] = true;
        r->joint.runs[r->joint.nruns++] = r->suites[side].runs[i];
      }
  return experiment_equal_runs(&r->joint, err);
}

int compare_join(struct compare_runs *r, const char *const *only, size_t nonly, const char *engine,
                 struct tandem_error *err) {
  struct tandem_error why;
  for (int side = 0; side < SIDES; side++) {
    if (r->sides[side].failure != NULL || !r->read[side])
      continue;
    const int status = prepare(r, side, only, nonly, engine, &why);
    if (status != 0)
      return tandem_fail(err, status, "%s: %s", r->sides[side].name, why.text);
  }
  TRY(join(r, err));
  if (r->joint.nruns != 0 || (r->chosen[BEFORE] == NULL && r->chosen[AFTER] == NULL))
    return 0;
  return tandem_fail(err, -ENOENT,
                     "no run's name matches --only %s; ./tandem experiment --list %s "
                     "shows all",
                     only[0], r->joint.name);
}

void compare_runs_close(struct compare_runs *r) {
  for (int side = 0; side < SIDES; side++) {
    if (r->read[side])
      experiment_close(&r->suites[side]);
    free(r->chosen[side]);
  }
  free(r->joint.runs);
  free(r->all);
}
