/* Results of a suite as one page that needs nothing else. */
#include <stdlib.h>
#include <string.h>

#include "csim/util/html.h"
#include "harness/experiment/report.h"
#include "harness/tandem.h"

static void element(FILE *out, const char *open, const char *text, const char *close) {
  fputs(open, out);
  html_text(out, text);
  fputs(close, out);
}

static void row(FILE *out, const struct experiment_table *t, const char *name,
                const struct experiment_cell *cells) {
  element(out, "<tr><td>", name, "</td>");
  for (size_t k = 0; k < t->ncolumns; k++) {
    const struct experiment_column *c = &t->columns[k];
    char text[EXPERIMENT_CELL];
    experiment_print(c, cells[k].value, text);
    element(out, "<td>", text, "</td>");
    if (c->published == NULL)
      continue;
    experiment_print_published(c, &cells[k], text);
    element(out, "<td class=\"dim\">", text, "</td>");
    experiment_print_difference(c, &cells[k], text);
    element(out, "<td>", text, "</td>");
  }
  fputs("</tr>\n", out);
}

static void table(FILE *out, const struct experiment_suite *s, const struct experiment_table *t,
                  const struct experiment_cells *cells) {
  element(out, "<div class=\"scroll\"><table>\n<tr><th>", s->axes[t->rows].name, "</th>");
  for (size_t k = 0; k < t->ncolumns; k++) {
    element(out, "<th>", t->columns[k].title, "</th>");
    if (t->columns[k].published != NULL)
      fputs("<th>published</th><th>difference</th>", out);
  }
  fputs("</tr>\n", out);
  for (size_t i = 0; i < cells->nrows; i++)
    row(out, t, cells->rows[i], cells->cells + i * t->ncolumns);
  if (t->mean != EXPERIMENT_NO_MEAN)
    row(out, t, "mean", cells->cells + cells->nrows * t->ncolumns);
  fputs("</table></div>\n", out);
  for (size_t k = 0; k < t->ncolumns; k++)
    if (experiment_new_source(t, k))
      element(out, "<p class=\"note\">Published figures: ", t->columns[k].source, "</p>\n");
}

static void failures(FILE *out, const struct experiment_report *r) {
  if (experiment_count(r).failed == 0)
    return;
  fputs("<h2>Failed runs</h2>\n", out);
  for (size_t i = 0; i < r->s->nruns; i++) {
    const struct experiment_result *result = &r->results[i];
    if (result->status == NULL || strcmp(result->status, "ok") == 0)
      continue;
    element(out, "<details><summary>", r->s->runs[i].name, ": ");
    html_text(out, result->status);
    element(out, "</summary><pre>", result->error != NULL ? result->error : "",
            "</pre></details>\n");
  }
}

static void head(FILE *out, const struct experiment_report *r) {
  const struct experiment_counts n = experiment_count(r);
  double wall = 0;
  for (size_t i = 0; i < r->s->nruns; i++)
    wall += r->results[i].wall_s;
  html_head(out, r->s->title);
  if (*r->s->text != '\0')
    element(out, "<p>", r->s->text, "</p>\n");
  fprintf(out,
          "<p class=\"note\">Tandem %s; %zu runs: %zu ok, %zu failed, %zu missing; %.0f s of "
          "simulation</p>\n",
          tandem_version(), r->s->nruns, n.ok, n.failed, n.missing, wall);
}

int experiment_html(FILE *out, const struct experiment_report *r, struct tandem_error *err) {
  int status = 0;
  head(out, r);
  for (size_t i = 0; status == 0 && i < r->s->ntables; i++) {
    const struct experiment_table *t = &r->s->tables[i];
    char *svg = NULL;
    element(out, "<h2>", t->title, "</h2>\n");
    if (*t->text != '\0')
      element(out, "<p>", t->text, "</p>\n");
    if (t->plot.wanted)
      status = experiment_plot(t, &r->cells[i], i, &svg, err);
    if (svg != NULL && *svg != '\0')
      fprintf(out, "<figure class=\"plot\">\n%s</figure>\n", svg);
    free(svg);
    table(out, r->s, t, &r->cells[i]);
  }
  failures(out, r);
  fputs("</body>\n</html>\n", out);
  return status;
}
