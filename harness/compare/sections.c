/* The differences as tables of values before and after. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "harness/compare/report.h"

const char *compare_change_text(double before, double after, char text[32]) {
  const double change = compare_change(before, after);
  if (isnan(change))
    snprintf(text, 32, "-");
  else if (change == 0)
    snprintf(text, 32, "=");
  else
    snprintf(text, 32, "%+.2f %%", change);
  return text;
}

/* A new section with room for rows; NULL: out of memory. */
static struct compare_section *begin(struct compare_sections *s, const char *title, int decimals,
                                     size_t room) {
  struct compare_section *to = &s->at[s->n];
  *to = (struct compare_section){.title = title, .decimals = decimals};
  to->rows = calloc(room + 1, sizeof *to->rows);
  s->n += to->rows != NULL;
  return to->rows != NULL ? to : NULL;
}

static void add(struct compare_section *to, const char *name, const double value[SIDES]) {
  to->rows[to->n++] = (struct compare_row){name, {value[BEFORE], value[AFTER]}};
}

/* The runs whose figure differs; the geometric mean is over all. */
static int figure(struct compare_sections *s, const struct compare_difference *d, int f,
                  struct tandem_error *err) {
  struct compare_section *to =
      begin(s, compare_figures[f].title, compare_figures[f].decimals, d->n);
  size_t equal = 0;
  char change[32];
  if (to == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < d->n; i++) {
    const struct compare_case *c = &d->cases[i];
    const double value[SIDES] = {c->value[BEFORE][f], c->value[AFTER][f]};
    if (isnan(value[BEFORE]) || isnan(value[AFTER]))
      continue;
    if (value[BEFORE] != value[AFTER])
      add(to, c->name, value);
    else
      equal++;
  }
  snprintf(to->note, sizeof to->note, "geometric mean over %zu runs: %s; %zu %s equal", d->compared,
           compare_change_text(1, d->mean[f], change), equal, equal == 1 ? "is" : "are");
  return 0;
}

/* Sums over all runs that have passed on both sides. */
static int sums(struct compare_sections *s, const char *title, int decimals,
                const struct compare_sum *sum, size_t n, struct tandem_error *err) {
  struct compare_section *to = begin(s, title, decimals, n);
  if (to == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < n; i++)
    if (sum[i].value[BEFORE] != sum[i].value[AFTER])
      add(to, sum[i].name, sum[i].value);
  return 0;
}

/* Names the stall cause that has grown most. */
static void name_cause(struct compare_section *to, const struct compare_difference *d) {
  if (d->cause != NULL)
    snprintf(to->note, sizeof to->note, "most added stall slots: %s, %+.0f", d->cause->name,
             d->cause->value[AFTER] - d->cause->value[BEFORE]);
}

/* A figure of the modules that a change concerns. */
static int modules(struct compare_sections *s, const struct compare_area *a, int f,
                   struct tandem_error *err) {
  static const char *const titles[] = {"Area of cells, um2", "Memory bits", "Fmax, MHz"};
  static const int decimals[] = {0, 0, 1};
  struct compare_section *to = begin(s, titles[f], decimals[f], a->n);
  char change[32];
  if (to == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < a->n; i++)
    add(to, a->at[i].name, a->at[i].value[f]);
  snprintf(to->note, sizeof to->note, "%s of what no other one contains: %s",
           f == AREA_CLOCK ? "least" : "sum",
           compare_change_text(a->sum[f][BEFORE], a->sum[f][AFTER], change));
  return 0;
}

int compare_sections_make(const struct compare_report *r, struct compare_sections *s,
                          struct tandem_error *err) {
  const struct compare_difference *d = r->d;
  *s = (struct compare_sections){.n = 0};
  const bool results = d->compared != 0 && !compare_no_difference(d);
  for (int f = 0; results && f < COMPARE_FIGURES; f++)
    TRY(figure(s, d, f, err));
  if (results) {
    TRY(sums(s, "Slots of schedulers, by stall cause", 0, d->stalls, d->nstalls, err));
    name_cause(&s->at[s->n - 1], d);
    TRY(sums(s, "Energy by kernel, mJ", 4, d->kernels, d->nkernels, err));
  }
  for (int f = 0; r->area != NULL && r->area->n != 0 && f < AREA_FIGURES; f++)
    TRY(modules(s, r->area, f, err));
  return 0;
}

void compare_sections_free(struct compare_sections *s) {
  for (size_t i = 0; i < s->n; i++)
    free(s->at[i].rows);
  s->n = 0;
}
