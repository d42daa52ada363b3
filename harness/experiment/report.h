/* Results of a suite: as text, JSON, and an HTML page. */
#ifndef TANDEM_EXPERIMENT_REPORT_H
#define TANDEM_EXPERIMENT_REPORT_H

#include <stdio.h>

#include "harness/experiment/table.h"

struct experiment_report {
  struct experiment_suite *s;
  const struct experiment_result *results; /* of each run */
  const struct experiment_cells *cells;    /* of each table */
  size_t others; /* results of other versions, engines, descriptions or configurations: left out */
};

/* Reads all results and computes all tables.  The caller frees both arrays by
 * experiment_report_free, also after an error. */
struct experiment_store;
int experiment_report_make(struct experiment_suite *s, struct experiment_store *store,
                           struct experiment_report *r, struct tandem_error *err);
void experiment_report_free(struct experiment_report *r);

/* How many runs are ok; have failed; have not been run. */
struct experiment_counts {
  size_t ok, failed, missing;
};
struct experiment_counts experiment_count(const struct experiment_report *r);

void experiment_text(FILE *out, const struct experiment_report *r);
void experiment_markdown(FILE *out, const struct experiment_report *r); /* the tables alone */
bool experiment_json(FILE *out, const struct experiment_report *r);     /* false: I/O error */
/* -ENOENT: there are plots and no gnuplot. */
int experiment_html(FILE *out, const struct experiment_report *r, struct tandem_error *err);

/* plot.c: a table as an SVG element, drawn by gnuplot; number: of the plot in its page.  The caller
 * frees *svg. */
int experiment_plot(const struct experiment_table *t, const struct experiment_cells *cells,
                    size_t number, char **svg, struct tandem_error *err);

#endif
