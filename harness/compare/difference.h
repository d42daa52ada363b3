/* The difference between the results of two revisions. */
#ifndef TANDEM_COMPARE_DIFFERENCE_H
#define TANDEM_COMPARE_DIFFERENCE_H

#include "harness/compare/compare.h"

/* Figures of a run, and of a kernel. */
enum { COMPARE_CYCLES, COMPARE_IPC, COMPARE_ENERGY, COMPARE_FIGURES };
struct compare_figure {
  const char *name, *title; /* name: in --fail-on and JSON */
  const char *path;         /* in the JSON of a run */
  int decimals;
  bool more_is_better;
};
extern const struct compare_figure compare_figures[COMPARE_FIGURES];

/* A run that a side has. */
struct compare_case {
  const char *name;
  bool has[SIDES];                        /* the side has such a run, and was built */
  bool same;                              /* both are the same run: equal keys */
  struct experiment_result result[SIDES]; /* status NULL: it has not been run */
  double value[SIDES][COMPARE_FIGURES];   /* NAN: unknown */
};

/* A count that both sides have by a name: stall slots of a cause, energy of a kernel. */
struct compare_sum {
  const char *name; /* of a result's JSON */
  double value[SIDES];
};

enum { COMPARE_WORST = 3 };
struct compare_difference {
  struct compare_side *sides;
  struct compare_case
      *cases; /* by the order of the later side, then what the earlier one has alone */
  size_t n;
  size_t compared;              /* cases with figures on both sides */
  double mean[COMPARE_FIGURES]; /* geometric, of after / before; NAN: no such cases */
  const struct compare_case *worst[COMPARE_WORST]; /* by cycles; NULL: no further one is worse */
  struct compare_sum *stalls, *kernels;            /* over the cases with figures on both sides */
  size_t nstalls, nkernels;
  const struct compare_sum *cause; /* of the stalls, that of most added slots; NULL: none are */
};

/* Reads the results of both sides.  The caller frees the difference, also after an error. */
int compare_difference_make(const struct compare_runs *r, struct experiment_store *store,
                            struct compare_difference *d, struct tandem_error *err);
void compare_difference_free(struct compare_difference *d);

/* "ok", or how it failed, with the first line of what it said; "-" for a side without the run. */
void compare_verdict(const struct compare_case *c, int side, char *text, size_t size);
/* True if only one side has passed, or a side has not the run. */
bool compare_verdict_changed(const struct compare_case *c);
/* True if no verdict and no figure differs. */
bool compare_no_difference(const struct compare_difference *d);
/* The change in % from before to after; 0 if both are equal, NAN if one is unknown or before 0. */
double compare_change(double before, double after);

#endif
