/* The order of runs: those whose results are most wanted first. */
#include <errno.h>
#include <stdlib.h>

#include "harness/experiment/runner.h"

struct place {
  size_t run;
  int rank; /* 0: it failed last time; 1: it is new; 2: it did not fail */
  double wall_s;
};

/* Longest first, so that the last ones end at about the same time. */
static int by_rank(const void *a, const void *b) {
  const struct place *x = a, *y = b;
  if (x->rank != y->rank)
    return x->rank - y->rank;
  if (x->wall_s != y->wall_s)
    return x->wall_s < y->wall_s ? 1 : -1;
  return (x->run > y->run) - (x->run < y->run);
}

int experiment_order(struct experiment_suite *s, struct experiment_store *store, size_t *list,
                     size_t n, struct tandem_error *err) {
  struct place *places = calloc(n + 1, sizeof *places);
  int status = places != NULL ? 0 : tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; status == 0 && i < n; i++) {
    struct experiment_past past;
    status = experiment_store_past(store, s->runs[list[i]].name, &past, err);
    places[i] = (struct place){list[i], past.failed ? 0 : past.known ? 2 : 1, past.wall_s};
  }
  if (status == 0)
    qsort(places, n, sizeof *places, by_rank);
  for (size_t i = 0; status == 0 && i < n; i++)
    list[i] = places[i].run;
  free(places);
  return status;
}
