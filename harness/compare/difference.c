/* Results of both sides, run by run, and their sums and means. */
#include "harness/compare/difference.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct compare_figure compare_figures[COMPARE_FIGURES] = {
    [COMPARE_CYCLES] = {"cycles", "cycles", "cycles", 0, false},
    [COMPARE_IPC] = {"ipc", "IPC", "ipc", 3, true},
    [COMPARE_ENERGY] = {"energy", "energy, mJ", "energy.total.ours", 4, false},
};

double compare_change(double before, double after) {
  return before == after ? 0 : before != 0 ? 100 * (after / before - 1) : NAN;
}

/* A number at a path, its parts separated by points; NAN: there is none. */
static double number(const json_t *o, const char *path) {
  for (; o != NULL && *path != '\0'; path += path[strcspn(path, ".")] != '\0') {
    o = json_object_getn(o, path, strcspn(path, "."));
    path += strcspn(path, ".");
  }
  return json_is_number(o) ? json_number_value(o) : NAN;
}

static bool passed(const struct compare_case *c, int side) {
  return c->result[side].status != NULL && strcmp(c->result[side].status, "ok") == 0;
}

bool compare_verdict_changed(const struct compare_case *c) {
  return c->has[BEFORE] != c->has[AFTER] || passed(c, BEFORE) != passed(c, AFTER);
}

void compare_verdict(const struct compare_case *c, int side, char *text, size_t size) {
  const struct experiment_result *r = &c->result[side];
  const char *said = r->error != NULL ? r->error : "";
  if (strncmp(said, "tandem: ", 8) == 0)
    said += 8;
  if (!c->has[side])
    snprintf(text, size, "-");
  else if (r->status == NULL)
    snprintf(text, size, "not run");
  else
    snprintf(text, size, "%s%s%.*s", r->status, passed(c, side) || *said == '\0' ? "" : ": ",
             passed(c, side) ? 0 : (int)strcspn(said, "\n"), said);
}

/* ---- cases ---- */

static int read_side(struct compare_case *c, int side, const struct experiment_run *run,
                     struct experiment_store *store, struct tandem_error *err) {
  c->has[side] = true;
  TRY(experiment_store_get(store, run->key, true, &c->result[side], err));
  for (int f = 0; f < COMPARE_FIGURES; f++)
    c->value[side][f] =
        passed(c, side) ? number(c->result[side].json, compare_figures[f].path) : NAN;
  return 0;
}

static const struct experiment_run *run_of(const struct compare_runs *r, int side,
                                           const char *name) {
  const struct experiment_suite *s = &r->suites[side];
  for (size_t i = 0; r->chosen[side] != NULL && i < s->nruns; i++)
    if (r->chosen[side][i] && strcmp(s->runs[i].name, name) == 0)
      return &s->runs[i];
  return NULL;
}

/* Adds the runs of a side; those that the later side has were added with it. */
static int add_side(struct compare_difference *d, const struct compare_runs *r, int side,
                    struct experiment_store *store, struct tandem_error *err) {
  const struct experiment_suite *s = &r->suites[side];
  for (size_t i = 0; r->chosen[side] != NULL && i < s->nruns; i++) {
    const struct experiment_run *run = &s->runs[i], *other = run_of(r, !side, run->name);
    if (!r->chosen[side][i] || (side == BEFORE && other != NULL))
      continue;
    struct compare_case *c = &d->cases[d->n++];
    c->name = run->name;
    for (int f = 0; f < COMPARE_FIGURES; f++)
      c->value[BEFORE][f] = c->value[AFTER][f] = NAN;
    TRY(read_side(c, side, run, store, err));
    if (other != NULL)
      TRY(read_side(c, !side, other, store, err));
    c->same = other != NULL && strcmp(run->key, other->key) == 0;
  }
  return 0;
}

static bool both(const struct compare_case *c) {
  return !isnan(c->value[BEFORE][COMPARE_CYCLES]) && !isnan(c->value[AFTER][COMPARE_CYCLES]);
}

/* ---- sums ---- */

static struct compare_sum *sum_of(struct compare_sum **sums, size_t *n, const char *name) {
  for (size_t i = 0; i < *n; i++)
    if (strcmp((*sums)[i].name, name) == 0)
      return &(*sums)[i];
  struct compare_sum *more = realloc(*sums, (*n + 1) * sizeof *more);
  if (more == NULL)
    return NULL;
  *sums = more;
  more[*n] = (struct compare_sum){.name = name};
  return &more[(*n)++];
}

/* Adds the numbers of an object, at a path below each member ("": the member itself). */
static int add_sums(struct compare_sum **sums, size_t *n, json_t *o, const char *path, int side,
                    struct tandem_error *err) {
  for (void *at = json_object_iter(o); at != NULL; at = json_object_iter_next(o, at)) {
    const double value = number(json_object_iter_value(at), path);
    struct compare_sum *sum = isnan(value) ? NULL : sum_of(sums, n, json_object_iter_key(at));
    if (sum != NULL)
      sum->value[side] += value;
    else if (!isnan(value))
      return tandem_fail(err, -ENOMEM, "out of memory");
  }
  return 0;
}

static int add_up(struct compare_difference *d, struct tandem_error *err) {
  for (size_t i = 0; i < d->n; i++) {
    const struct compare_case *c = &d->cases[i];
    for (int side = 0; both(c) && side < SIDES; side++) {
      const json_t *o = c->result[side].json;
      TRY(add_sums(&d->stalls, &d->nstalls, json_object_get(o, "stalls"), "", side, err));
      TRY(add_sums(&d->kernels, &d->nkernels, json_object_get(o, "kernels"), "energy.total.ours",
                   side, err));
    }
  }
  for (size_t i = 0; i < d->nstalls; i++) { /* issued slots are no stalls */
    const struct compare_sum *s = &d->stalls[i];
    if (strcmp(s->name, "issued") != 0 && s->value[AFTER] > s->value[BEFORE] &&
        (d->cause == NULL ||
         s->value[AFTER] - s->value[BEFORE] > d->cause->value[AFTER] - d->cause->value[BEFORE]))
      d->cause = s;
  }
  return 0;
}

/* ---- means, and the worst ---- */

static void mean(struct compare_difference *d, int figure) {
  double sum = 0;
  size_t n = 0;
  for (size_t i = 0; i < d->n; i++) {
    const double before = d->cases[i].value[BEFORE][figure],
                 after = d->cases[i].value[AFTER][figure];
    if (before > 0 && after > 0) {
      sum += log(after / before);
      n++;
    }
  }
  d->mean[figure] = n != 0 ? exp(sum / (double)n) : NAN;
}

/* Puts a case among the worst, if it is one. */
static void place(struct compare_difference *d, const struct compare_case *c) {
  for (size_t i = 0; i < COMPARE_WORST; i++) {
    const struct compare_case *w = d->worst[i];
    const double least = w == NULL ? 0
                                   : compare_change(w->value[BEFORE][COMPARE_CYCLES],
                                                    w->value[AFTER][COMPARE_CYCLES]);
    if (compare_change(c->value[BEFORE][COMPARE_CYCLES], c->value[AFTER][COMPARE_CYCLES]) > least) {
      memmove(&d->worst[i + 1], &d->worst[i], (COMPARE_WORST - 1 - i) * sizeof *d->worst);
      d->worst[i] = c;
      return;
    }
  }
}

int compare_difference_make(const struct compare_runs *r, struct experiment_store *store,
                            struct compare_difference *d, struct tandem_error *err) {
  *d = (struct compare_difference){.sides = r->sides};
  d->cases = calloc(r->joint.nruns + 1, sizeof *d->cases);
  if (d->cases == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  TRY(add_side(d, r, AFTER, store, err));
  TRY(add_side(d, r, BEFORE, store, err));
  for (size_t i = 0; i < d->n; i++)
    if (both(&d->cases[i])) {
      d->compared++;
      place(d, &d->cases[i]);
    }
  for (int f = 0; f < COMPARE_FIGURES; f++)
    mean(d, f);
  return add_up(d, err);
}

void compare_difference_free(struct compare_difference *d) {
  for (size_t i = 0; i < d->n; i++)
    for (int side = 0; side < SIDES; side++)
      experiment_result_free(&d->cases[i].result[side]);
  free(d->cases);
  free(d->stalls);
  free(d->kernels);
  *d = (struct compare_difference){0};
}

/* The text of a result's figures that every run has, whatever its kind. */
static bool differs(const struct compare_case *c) {
  if (compare_verdict_changed(c))
    return true;
  for (int f = 0; f < COMPARE_FIGURES; f++)
    if (both(c) && c->value[BEFORE][f] != c->value[AFTER][f])
      return true;
  return both(c) && json_equal(json_object_get(c->result[BEFORE].json, "stalls"),
                               json_object_get(c->result[AFTER].json, "stalls")) == 0;
}

bool compare_no_difference(const struct compare_difference *d) {
  for (size_t i = 0; i < d->n; i++)
    if (differs(&d->cases[i]))
      return false;
  return d->sides[BEFORE].failure == NULL && d->sides[AFTER].failure == NULL;
}
