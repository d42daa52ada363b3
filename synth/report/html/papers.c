/* The papers' figures beside those of the report, on the HTML page. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/report/estimates.h"
#include "synth/report/html/html.h"

/* Returns the decimals to print: none of a whole number, else those of three digits. */
static int decimals_of(double value) {
  const double size = fabs(value);
  return size >= 100 || value == floor(value) ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
}

static void how_cell(const struct html_page *p, double value, const char *how) {
  html_cell(p, value, decimals_of(value));
  html_words(p, isfinite(value) && how != NULL ? how : "");
}

void html_papers(const struct html_page *p) {
  static const char *const columns[] = {"figure",        " unit",      " source",
                                        "published",     "recomputed", " how",
                                        "this hardware", " how",       NULL};
  struct papers_row *rows;
  if (p->r->nadded == 0)
    return;
  const size_t n = synth_papers(p->r, &rows);
  fputs("<h2 id=\"papers\">Against the papers</h2>\n<p class=\"note\">Recomputed: by the papers' "
        "method, with "
        "figures of this hardware. A dash: no such figure in this report. Power is that of the "
        "table of modules, with the "
        "activity told there.</p>\n",
        p->out);
  html_table(p, columns);
  for (size_t i = 0; i < n; i++) {
    const struct papers_row *row = &rows[i];
    html_write(p->out, "<tr><td>%s: %s</td>", row->feature, row->figure + strspn(row->figure, " "));
    html_words(p, row->unit);
    html_words(p, row->source);
    html_cell(p, row->paper, decimals_of(row->paper));
    how_cell(p, row->recomputed, row->recomputed_how);
    how_cell(p, row->ours, row->ours_how);
    fputs("</tr>\n", p->out);
  }
  html_table_end(p);
  free(rows);
}
