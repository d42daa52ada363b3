/* The papers' figures beside those of the report, on the HTML page. */
#include <math.h>
#include <stdio.h>

#include "synth/report/estimates.h"
#include "synth/report/html/html.h"

static void how_cell(const struct html_page *p, double value, const char *how) {
  html_cell(p, value, 1);
  fputs("<td class=\"text\">", p->out);
  html_text(p->out, isfinite(value) && how != NULL ? how : "");
  fputs("</td>", p->out);
}

void html_papers(const struct html_page *p) {
  static const char *const columns[] = {"figure",        " unit",      " source",
                                        "published",     "recomputed", " how",
                                        "this hardware", " how",       NULL};
  struct papers_row rows[PAPERS_ROWS];
  synth_papers(p->r, rows);
  fputs("<h2 id=\"papers\">Against the papers</h2>\n<p class=\"note\">Recomputed: by the papers' "
        "method, with "
        "figures of this hardware. A dash: no such figure in this report. Power is that of the "
        "table of modules, with the "
        "activity told there.</p>\n",
        p->out);
  html_table(p, columns);
  for (int i = 0; i < PAPERS_ROWS; i++) {
    const struct papers_row *row = &rows[i];
    fprintf(p->out, "<tr><td>%s: ", row->feature);
    html_text(p->out, row->figure);
    fputs("</td><td class=\"text\">", p->out);
    html_text(p->out, row->unit);
    fputs("</td><td class=\"text\">", p->out);
    html_text(p->out, row->source);
    fputs("</td>", p->out);
    html_cell(p, row->paper, 1);
    how_cell(p, row->recomputed, row->recomputed_how);
    how_cell(p, row->ours, row->ours_how);
    fputs("</tr>\n", p->out);
  }
  html_table_end(p);
}
