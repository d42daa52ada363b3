/* Limits of --fail-on: by how many % figures may be worse. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/compare/report.h"

static const char *const area_names[AREA_FIGURES] = {"area", "memory", "fmax"};

/* The quotient after / before of a sum over modules; 1 if no module changed. */
static double area_quotient(const struct compare_report *r, int figure) {
  if (r->area == NULL)
    return NAN;
  const double *sum = r->area->sum[figure];
  for (size_t i = 0; i < r->modules->n; i++)
    if (r->modules->at[i].changed)
      return sum[AFTER] == sum[BEFORE] ? 1 : sum[AFTER] / sum[BEFORE];
  return 1;
}

/* The quotient after / before of a figure, and whether more of it is better; NAN: unknown. */
static double quotient(const struct compare_report *r, const char *name, bool *better) {
  for (int f = 0; f < COMPARE_FIGURES; f++)
    if (strcmp(compare_figures[f].name, name) == 0) {
      *better = compare_figures[f].more_is_better;
      return r->d == NULL ? NAN : compare_no_difference(r->d) ? 1 : r->d->mean[f];
    }
  *better = strcmp(name, "fmax") == 0;
  for (int f = 0; f < AREA_FIGURES; f++)
    if (strcmp(area_names[f], name) == 0)
      return area_quotient(r, f);
  return -1; /* there is no such figure */
}

static int read_one(struct compare_report *r, char *text, struct tandem_error *err) {
  struct compare_limit *l = &r->limits[r->nlimits];
  char *colon = strchr(text, ':'), *end = NULL;
  bool better;
  if (colon != NULL) {
    *colon = '\0';
    l->most = strtod(colon + 1, &end);
  }
  if (end == NULL || end == colon + 1 || strcmp(end, "%") != 0 || !(l->most >= 0))
    return tandem_fail(err, -EINVAL,
                       "--fail-on %s: a figure and a percentage are needed, as cycles:2%%", text);
  if (quotient(r, text, &better) < 0)
    return tandem_fail(err, -EINVAL, "--fail-on: there is no figure %s; there are " COMPARE_NAMES,
                       text);
  snprintf(l->name, sizeof l->name, "%s", text);
  r->nlimits++;
  return 0;
}

int compare_limits_read(struct compare_report *r, const char *text, struct tandem_error *err) {
  char *copy = strdup(text), *rest;
  int status = copy != NULL ? 0 : tandem_fail(err, -ENOMEM, "out of memory");
  for (char *word = copy != NULL ? strtok_r(copy, ",", &rest) : NULL; status == 0 && word != NULL;
       word = strtok_r(NULL, ",", &rest))
    status = r->nlimits < COMPARE_LIMITS
                 ? read_one(r, word, err)
                 : tandem_fail(err, -EINVAL, "--fail-on: at most %d figures", COMPARE_LIMITS);
  free(copy);
  return status == 0 && r->nlimits == 0
             ? tandem_fail(err, -EINVAL, "--fail-on: which figures? there are " COMPARE_NAMES)
             : status;
}

void compare_limits_check(struct compare_report *r) {
  for (size_t i = 0; i < r->nlimits; i++) {
    struct compare_limit *l = &r->limits[i];
    bool better;
    const double q = quotient(r, l->name, &better);
    l->worse = 100 * ((better ? 1 / q : q) - 1);
    l->exceeded = !(l->worse <= l->most);
  }
}

bool compare_fine(const struct compare_report *r) {
  for (size_t i = 0; i < r->nlimits; i++)
    if (r->limits[i].exceeded)
      return false;
  return r->d->sides[BEFORE].failure == NULL && r->d->sides[AFTER].failure == NULL;
}
