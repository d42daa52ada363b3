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
};

/* With so many decimals, and commas between thousands; a dash for what is not a number. */
void html_number(FILE *out, double value, int decimals);
const char *html_origin_class(enum html_origin o);

/* Tables: a head of columns (a blank first: of text), rows of cells, an end. */
void html_table(const struct html_page *p, const char *const *columns);
void html_cell(const struct html_page *p, double value, int decimals);
void html_table_end(const struct html_page *p);
/* measured.c: runs of netlists, if there are any. */
void html_measured(const struct html_page *p);

/* scaled.c: figures in other processes; the links' wires, if there are any. */
void html_scaled(const struct html_page *p, const size_t *order);
void html_wires(const struct html_page *p);
/* papers.c: what the papers say beside it. */
void html_parts(const struct html_page *p);
void html_papers(const struct html_page *p);

/* units.c: finds the origins of all units; false: out of memory. */
bool html_origins(struct html_page *p);
/* Area, memories and power of the units, in this order, added logic in colours of its own. */
void html_bar_charts(const struct html_page *p, const size_t *order);

/* Areas of what a unit consists of as a treemap: a rectangle each unit below it, and what is
 * the unit's own. */
void html_treemap(const struct html_page *p, size_t unit);
/* Bars side by side, of one or more parts each. */
enum { HTML_PARTS = 3 };
struct html_bar {
  const char *label, *target; /* target: id of what it links to; NULL: nothing */
  double baseline[HTML_PARTS], added[HTML_PARTS]; /* drawn in this order */
};
struct html_bars {
  const char *title, *unit;
  const char *names[HTML_PARTS]; /* of the parts; NULL: no more */
  const struct html_bar *bars;
  size_t n;
  int decimals;
};
void html_bars(const struct html_page *p, const struct html_bars *b);

#endif
