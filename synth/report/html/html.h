/* The report as one HTML page that needs nothing else: charts as inline SVG, no script
 * (docs/use/synth.md).  Made of parts: text and tables, and the charts of charts.c. */
#ifndef TANDEM_SYNTH_HTML_H
#define TANDEM_SYNTH_HTML_H

#include <stdio.h>

#include "csim/util/html.h"
#include "synth/model/report.h"

/* False: could not be written. */
bool synth_html(FILE *out, const struct synth_report *r);

/* The parts. */

/* How a unit relates to the baseline front end. */
enum html_origin {
  HTML_BASELINE, /* part of it, or there is none to compare with */
  HTML_GROWN,    /* its module is part of it, with other parameters */
  HTML_ADDED,
};

struct html_page {
  FILE *out;
  const struct synth_report *r;
  enum html_origin *origin; /* of each unit */
  size_t *like;             /* of a grown unit: that of the baseline */
  size_t plots;             /* drawn so far */
  bool memories;            /* whether the report has any */
};

const char *html_origin_class(enum html_origin o);

/* Tables: a head of columns (a blank first: of text; ~: left out if there are no memories), rows of
 * cells, an end. */
void html_table(const struct html_page *p, const char *const *columns);
void html_row(const struct html_page *p, const char *name); /* begins one, with its name */
void html_words(const struct html_page *p, const char *text);
void html_cell(const struct html_page *p, double value, int decimals);
/* A cell for each digit, which gives the decimals of its value; ~ before it as in html_table. */
void html_values(const struct html_page *p, const char *decimals, const double *values);
#define html_cells(p, decimals, ...) html_values(p, decimals, (const double[]){__VA_ARGS__})
void html_table_end(const struct html_page *p);
/* measured.c: runs of netlists, if there are any. */
void html_measured(struct html_page *p);

/* scaled.c: figures in other processes; the links' wires, if there are any. */
void html_scaled(const struct html_page *p, const size_t *order);
void html_wires(const struct html_page *p);
/* papers.c: what the papers say beside it. */
void html_parts(const struct html_page *p);
void html_papers(const struct html_page *p);

/* units.c: finds the origins of all units; false: out of memory. */
bool html_origins(struct html_page *p);
/* Area, memories and power of the units, in this order. */
void html_bar_charts(struct html_page *p, const size_t *order);

/* Areas of what a unit consists of as a treemap: a rectangle each unit below it, and what is
 * the unit's own. */
void html_treemap(const struct html_page *p, size_t unit);
/* A bar for each thing that has any, of up to three parts; added logic is orange. */
enum { HTML_PARTS = 3 };
struct html_bar {
  const char *label;
  double parts[HTML_PARTS], added[HTML_PARTS]; /* added: the part of the part that is it */
};
struct html_bars {
  const char *title, *unit;
  const char *names[HTML_PARTS]; /* of the parts; NULL: no more */
  const struct html_bar *bars;
  size_t n;
};
void html_bars(struct html_page *p, const struct html_bars *b);

#endif
