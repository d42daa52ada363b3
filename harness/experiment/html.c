/* Results of a suite as one page that needs nothing else. */
#include <stdlib.h>
#include <string.h>

#include "csim/util/html.h"
#include "harness/experiment/report.h"
#include "harness/tandem.h"

static void row(FILE *out, const struct experiment_table *t, const char *name,
                const struct experiment_cell *cells) {
  html_write(out, "<tr><td>%s</td>", name);
  for (size_t k = 0; k < t->ncolumns; k++) {
    const struct experiment_column *c = &t->columns[k];
    char text[EXPERIMENT_CELL];
    experiment_print_cell(c, &cells[k], text);
    html_write(out, "<td>%s</td>", text);
    if (c->published == NULL)
      continue;
    experiment_print_published(c, &cells[k], text);
    html_write(out, "<td class=\"dim\">%s</td>", text);
    experiment_print_difference(c, &cells[k], text);
    html_write(out, "<td>%s</td>", text);
  }
  fputs("</tr>\n", out);
}

static void table(FILE *out, const struct experiment_suite *s, const struct experiment_table *t,
                  const struct experiment_cells *cells) {
  html_write(out, "<div class=\"scroll\"><table>\n<tr><th>%s</th>", s->axes[t->rows].name);
  for (size_t k = 0; k < t->ncolumns; k++) {
    html_write(out, "<th>%s</th>", t->columns[k].title);
    if (t->columns[k].published != NULL)
      fprintf(out, "<th>published</th><th>%s</th>", experiment_compared(&t->columns[k]));
  }
  fputs("</tr>\n", out);
  for (size_t i = 0; i < experiment_rows(t, cells); i++)
    row(out, t, experiment_row(t, cells, i), cells->cells + i * t->ncolumns);
  fputs("</table></div>\n", out);
  for (size_t k = 0; k < t->ncolumns; k++)
    if (experiment_new_source(t, k))
      html_write(out, "<p class=\"note\">Published figures: %s</p>\n", t->columns[k].source);
}

static void failures(FILE *out, const struct experiment_report *r) {
  if (experiment_count(r).failed == 0)
    return;
  fputs("<h2>Failed runs</h2>\n", out);
  for (size_t i = 0; i < r->s->nruns; i++) {
    const struct experiment_result *result = &r->results[i];
    if (result->status == NULL || strcmp(result->status, "ok") == 0)
      continue;
    html_write(out, "<details><summary>%s: %s</summary><pre>%s</pre></details>\n",
               r->s->runs[i].name, result->status, result->error != NULL ? result->error : "");
  }
}

static void head(FILE *out, const struct experiment_report *r) {
  const struct experiment_counts n = experiment_count(r);
  double wall = 0;
  for (size_t i = 0; i < r->s->nruns; i++)
    wall += r->results[i].wall_s;
  html_head(out, r->s->title);
  if (*r->s->text != '\0')
    html_write(out, "<p>%s</p>\n", r->s->text);
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
    html_write(out, "<h2>%s</h2>\n", t->title);
    if (*t->text != '\0')
      html_write(out, "<p>%s</p>\n", t->text);
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
