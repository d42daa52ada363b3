/* The comparison as one page. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/html.h"
#include "csim/util/plot.h"
#include "harness/compare/report.h"

enum { VERDICT = 400 };

static void head(FILE *out, const struct compare_report *r) {
  static const char *const titles[SIDES] = {"before", "after"};
  char title[300];
  snprintf(title, sizeof title, "Comparison: %.200s", r->suite);
  html_head(out, title);
  for (int side = 0; side < SIDES; side++) {
    const struct compare_side *s = &r->d->sides[side];
    html_write(out, "<p>%s: %s</p>\n", titles[side], s->name);
    if (s->failure != NULL)
      html_write(out, "<p>It does not build:</p>\n<pre>%s</pre>\n", s->failure);
  }
  if (compare_no_difference(r->d))
    html_write(out, "<p>no difference: %u runs</p>\n", (unsigned)r->d->n);
}

static void limits(FILE *out, const struct compare_report *r) {
  if (r->nlimits == 0)
    return;
  fputs("<h2>Limits</h2>\n<table>\n<tr><th>figure</th><th>worse by, %</th><th>limit, %</th>"
        "<th></th></tr>\n",
        out);
  for (size_t i = 0; i < r->nlimits; i++)
    html_write(out, "<tr><td>%s</td><td>%2</td><td>%g</td><td>%s</td></tr>\n", r->limits[i].name,
               r->limits[i].worse, r->limits[i].most, r->limits[i].exceeded ? "exceeded" : "kept");
  fputs("</table>\n", out);
}

static void verdicts(FILE *out, const struct compare_difference *d) {
  bool any = false;
  for (size_t i = 0; i < d->n; i++) {
    char before[VERDICT], after[VERDICT];
    const struct compare_case *c = &d->cases[i];
    if (!compare_verdict_changed(c))
      continue;
    if (!any)
      fputs("<h2>Verdicts that changed</h2>\n<div class=\"scroll\"><table>\n<tr><th>run</th>"
            "<th class=\"text\">before</th><th class=\"text\">after</th>"
            "<th class=\"text\">command</th></tr>\n",
            out);
    any = true;
    compare_verdict(c, BEFORE, before, sizeof before);
    compare_verdict(c, AFTER, after, sizeof after);
    html_write(out,
               "<tr><td>%s</td><td class=\"text\">%s</td><td class=\"text\">%s</td>"
               "<td class=\"text\">%s</td></tr>\n",
               c->name, before, after,
               c->result[AFTER].command != NULL ? c->result[AFTER].command : "");
  }
  if (any)
    fputs("</table></div>\n", out);
}

static void proofs(FILE *out, const struct compare_report *r) {
  if (r->proofs == NULL || r->proofs->n == 0)
    return;
  fputs("<h2>Units whose RTL changed, and whose reference did not</h2>\n<table>\n<tr><th>unit</th>"
        "<th class=\"text\">verdict</th><th>cycles</th><th class=\"text\">inputs</th></tr>\n",
        out);
  for (size_t i = 0; i < r->proofs->n; i++) {
    const struct compare_proof *p = &r->proofs->at[i];
    html_write(out, "<tr><td>%s</td><td class=\"text\">%s</td>", p->unit,
               compare_outcomes[p->outcome]);
    if (p->outcome == PROOF_EQUAL)
      fputs("<td>all</td>", out);
    else
      html_write(out, "<td>%u</td>", p->cycle);
    html_write(out, "<td class=\"text\"><pre>%s</pre></td></tr>\n", p->text);
  }
  fputs("</table>\n", out);
}

/* Reasons why nothing is known of the modules of a side. */
static void no_area(FILE *out, const struct compare_report *r) {
  for (int side = 0; r->area != NULL && side < SIDES; side++)
    if (r->area->failure[side] != NULL)
      html_write(out, "<p>%s has no area: %s</p>\n", r->d->sides[side].name,
                 r->area->failure[side]);
}

static void worst(FILE *out, const struct compare_difference *d) {
  char change[32];
  if (d->worst[0] == NULL)
    return;
  fputs("<p>Worst by cycles:", out);
  for (size_t i = 0; i < COMPARE_WORST && d->worst[i] != NULL; i++)
    html_write(out, "%s %s %s", i != 0 ? "," : "", d->worst[i]->name,
               compare_change_text(d->worst[i]->value[BEFORE][COMPARE_CYCLES],
                                   d->worst[i]->value[AFTER][COMPARE_CYCLES], change));
  fputs("</p>\n", out);
}

static void section(FILE *out, const struct compare_section *s) {
  char change[32];
  if (s->n == 0 && *s->note == '\0')
    return;
  html_write(out, "<h2>%s</h2>\n", s->title);
  if (s->n != 0)
    fputs("<div class=\"scroll\"><table>\n<tr><th></th><th>before</th><th>after</th>"
          "<th>change</th></tr>\n",
          out);
  for (size_t i = 0; i < s->n; i++) {
    const double *v = s->rows[i].value;
    html_write(out, "<tr><td>%s</td><td>", s->rows[i].name);
    html_number(out, v[BEFORE], s->decimals);
    fputs("</td><td>", out);
    html_number(out, v[AFTER], s->decimals);
    html_write(out, "</td><td>%s</td></tr>\n", compare_change_text(v[BEFORE], v[AFTER], change));
  }
  if (s->n != 0)
    fputs("</table></div>\n", out);
  if (*s->note != '\0')
    html_write(out, "<p class=\"note\">%s</p>\n", s->note);
}

/* Bars: the changes of cycles, run by run. */
static int changes(FILE *out, const struct compare_section *s, struct tandem_error *err) {
  const char **rows = calloc(s->n + 1, sizeof *rows);
  double *values = calloc(s->n + 1, sizeof *values);
  char *svg = NULL;
  int status = 0;
  for (size_t i = 0; rows != NULL && values != NULL && i < s->n; i++) {
    rows[i] = s->rows[i].name;
    values[i] = compare_change(s->rows[i].value[BEFORE], s->rows[i].value[AFTER]);
  }
  if (rows != NULL && values != NULL && s->n != 0) {
    const struct plot_series series = {"change of cycles, %", 1, false};
    const struct plot p = {.kind = PLOT_BARS,
                           .title = "changes",
                           .x = "run",
                           .y = "%",
                           .rows = rows,
                           .nrows = s->n,
                           .series = &series,
                           .nseries = 1,
                           .values = values};
    status = plot_svg(&p, 1, &svg, err);
  }
  if (status == 0 && svg != NULL && *svg != '\0')
    html_write(out, "<figure class=\"plot\">\n%r</figure>\n", svg);
  free(svg);
  free(rows);
  free(values);
  return status;
}

int compare_page(FILE *out, const struct compare_report *r, struct tandem_error *err) {
  struct compare_sections s;
  head(out, r);
  limits(out, r);
  verdicts(out, r->d);
  worst(out, r->d);
  int status = compare_sections_make(r, &s, err);
  if (status == 0 && r->d->compared != 0 && !compare_no_difference(r->d))
    status = changes(out, &s.at[0], err);
  for (size_t i = 0; status == 0 && i < s.n; i++)
    section(out, &s.at[i]);
  compare_sections_free(&s);
  no_area(out, r);
  proofs(out, r);
  fputs("</body>\n</html>\n", out);
  return status;
}
