/* Verdicts about the runs of a suite, and their reports (docs/use/regressions.md). */
#ifndef TANDEM_REGRESS_H
#define TANDEM_REGRESS_H

#include <signal.h>
#include <stdio.h>

#include "harness/experiment/store.h"

enum regress_verdict {
  REGRESS_PASSED,
  REGRESS_FAILED,
  REGRESS_EXPECTED,   /* failed, as the suite expects */
  REGRESS_UNEXPECTED, /* passed, though the suite expects a failure */
  REGRESS_MISSING,    /* has not been run */
  REGRESS_VERDICTS
};
extern const char *const regress_verdicts[]; /* "passed", "failed", ... */

/* The place of a failure: equal ones are one group. */
struct regress_failure {
  char kind[24];  /* "state", "port", "timeout", "golden", "signal 11", ... */
  char unit[48];  /* "" if none is known */
  char field[80]; /* likewise */
};

struct regress_case {
  const struct experiment_run *run;
  const struct experiment_result *result;
  enum regress_verdict verdict;
  bool left_out;                  /* it was not chosen, or the time was over for its fresh seed */
  struct regress_failure failure; /* of a run that failed, or passed unexpectedly */
  char *text;                     /* the failure in a line, allocated; NULL: none */
  bool once;                      /* it passed when it was run again */
  char **files;                   /* reports and waveforms that are kept; NULL-terminated */
  char
      *small; /* the size of the small program that fails likewise, and how it is run; NULL: none */
};

/* Failures with the same place, most first. */
struct regress_group {
  const struct regress_case *first; /* the fastest of them */
  size_t n;
};

enum { REGRESS_METRICS = 16 };
/* Figures that runs are to have (goldens.c). */
struct regress_goldens {
  char *path; /* of the file; NULL: the suite has none */
  const char *metrics[REGRESS_METRICS];
  double tolerance[REGRESS_METRICS]; /* in %; 0: exact */
  size_t nmetrics;
  double *golden, *value; /* of each run and metric; NAN: none */
};

struct regress_report {
  struct experiment_suite *s;
  const struct experiment_revision *revision;
  struct experiment_result *results; /* of each run */
  struct regress_case *cases;        /* likewise */
  struct regress_group *groups;
  size_t ngroups;
  struct regress_goldens goldens;
  size_t counts[REGRESS_VERDICTS];
  double wall_s; /* of all runs, added up */
};

/* Reads all results, and compares them with the goldens.  chosen: the runs that count, of each run.
 * The caller frees the report, also after an error. */
int regress_report_make(struct experiment_suite *s, struct experiment_store *store,
                        const struct experiment_revision *revision, const bool *chosen,
                        struct regress_report *r, struct tandem_error *err);
void regress_report_free(struct regress_report *r);
/* Returns true if all runs have passed, or failed as expected. */
bool regress_fine(const struct regress_report *r);
bool regress_bad(const struct regress_case *c); /* it has failed, or passed unexpectedly */

void regress_text(FILE *out, const struct regress_report *r);
void regress_junit(FILE *out, const struct regress_report *r);
bool regress_json(FILE *out, const struct regress_report *r); /* false: I/O error */
/* One page that needs nothing else.  -ENOENT: there is no gnuplot. */
int regress_page(FILE *out, const struct regress_report *r, struct experiment_store *store,
                 struct tandem_error *err);

/* history.c: the geometric mean of a metric over the suite's runs, by revision, as an SVG element;
 * "" if there are no figures.  The caller frees it. */
int regress_history(const struct regress_report *r, struct experiment_store *store,
                    const char *metric, char **svg, struct tandem_error *err);

/* failure.c: the place of a failure, from its results and messages. */
void regress_place(struct regress_case *c);
/* True if a run has failed at the place where the suite expects it, or may do so anywhere. */
bool regress_is_expected(const struct experiment_run *run, const struct experiment_result *result);
/* Where a failure is, as "state scoreboard.hazard". */
void regress_place_text(const struct regress_failure *f, char *text, size_t size);

/* small.c: the size of the small program among the files of a failure, and how it is run,
 * allocated; NULL: there is none. */
char *regress_small(const struct regress_case *c);
struct regress_shrink {
  struct experiment_places places;
  const char *failures; /* folder for small programs */
  const volatile sig_atomic_t *stop;
  void (*on_begin)(const struct regress_case *c); /* before each; NULL: nothing */
};
/* Makes the first failure of each group small, and keeps the small programs as its files; those
 * that there are stay.  *any: there is a new one, which the report does not have yet. */
int regress_shrink(const struct regress_report *r, struct experiment_store *store,
                   const struct regress_shrink *q, bool *any, struct tandem_error *err);

/* goldens.c: reads the suite's `goldens`, and the figures of its file and of all results. */
int regress_goldens_read(struct regress_report *r, struct tandem_error *err);
/* Makes a run that passed a failure if a figure is not its golden one. */
void regress_goldens_compare(struct regress_report *r, struct regress_case *c);
/* Writes the figures of all runs that have passed, in the place of the goldens; those of other runs
 * stay. */
int regress_goldens_update(const struct regress_report *r, struct tandem_error *err);
void regress_goldens_free(struct regress_goldens *g);
/* The number at a path like memory.dram.reads of a result; NAN: there is none. */
double regress_metric(const json_t *result, const char *path);

#endif
