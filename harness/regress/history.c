/* A metric over revisions. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/plot.h"
#include "harness/regress/regress.h"

enum { REVISIONS = 40 };

struct history {
  const struct regress_report *r;
  const char *metric;
  char name[REVISIONS][16]; /* the revision's first letters; "+" behind it: the tree was changed */
  double sum[REVISIONS];    /* of logarithms */
  size_t runs[REVISIONS], n;
};

/* Adds a result of a revision; those of one revision come one after the other. */
static void add(void *user, const char *revision, bool clean, const char *json) {
  struct history *h = user;
  char name[16];
  snprintf(name, sizeof name, "%.10s%s", *revision != '\0' ? revision : "unknown",
           clean || *revision == '\0' ? "" : "+");
  json_t *o = json_loads(json, 0, NULL);
  const double v = regress_metric(o, h->metric);
  json_decref(o);
  if (!(v > 0))
    return;
  if (h->n == 0 || strcmp(h->name[h->n - 1], name) != 0) {
    if (h->n == REVISIONS)
      return;
    snprintf(h->name[h->n++], sizeof h->name[0], "%s", name);
  }
  h->sum[h->n - 1] += log(v);
  h->runs[h->n - 1]++;
}

int regress_history(const struct regress_report *r, struct experiment_store *store,
                    const char *metric, char **svg, struct tandem_error *err) {
  struct history h = {.r = r, .metric = metric};
  const struct plot_series series = {metric, 1, false};
  const char *rows[REVISIONS];
  double values[REVISIONS];
  *svg = NULL;
  TRY(experiment_store_history(store, REVISIONS, add, &h, err));
  for (size_t i = 0; i < h.n; i++) {
    rows[i] = h.name[i];
    values[i] = exp(h.sum[i] / (double)h.runs[i]);
  }
  const struct plot p = {.kind = PLOT_LINES,
                         .title = "history",
                         .x = "revision",
                         .y = metric,
                         .rows = rows,
                         .nrows = h.n,
                         .series = &series,
                         .nseries = 1,
                         .values = values};
  if (h.n != 0)
    return plot_svg(&p, 1000, svg, err);
  *svg = strdup("");
  return *svg != NULL ? 0 : tandem_fail(err, -ENOMEM, "out of memory");
}
