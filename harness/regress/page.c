/* Verdicts as one page: failures first, the matrix, goldens, history, the longest runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/html.h"
#include "harness/regress/regress.h"

enum { LONGEST = 10 };

static const char style[] =
    "<style>.map span{display:inline-block;width:1em;height:1em;margin:1px;background:#2a7}"
    ".map .failed,.map .passed-unexpectedly{background:#d33}.map .missing{background:#aaa}"
    ".map .failed-as-expected{background:#b80}.map td{line-height:1}</style>\n";

static void head(FILE *out, const struct regress_report *r) {
  html_head(out, r->s->title);
  fputs(style, out);
  if (*r->s->text != '\0')
    html_write(out, "<p>%s</p>\n", r->s->text);
  fputs("<p>", out);
  for (size_t i = 0; i < REGRESS_VERDICTS; i++)
    html_write(out, "%s%u %s", i != 0 ? ", " : "", (unsigned)r->counts[i], regress_verdicts[i]);
  html_write(out, "; %1 s of runs</p>\n", r->wall_s);
  html_write(out, "<p class=\"note\">revision %s%s, %s</p>\n",
             *r->revision->text != '\0' ? r->revision->text : "unknown",
             *r->revision->text != '\0' && !r->revision->clean ? " (changed)" : "",
             r->revision->host);
}

static void failures(FILE *out, const struct regress_report *r) {
  if (r->ngroups == 0)
    return;
  fputs("<h2>Failures</h2>\n<div class=\"scroll\"><table>\n<tr><th>place</th><th>runs</th>"
        "<th class=\"text\">first</th><th class=\"text\">command</th></tr>\n",
        out);
  for (size_t i = 0; i < r->ngroups; i++) {
    const struct regress_group *g = &r->groups[i];
    char place[200];
    regress_place_text(&g->first->failure, place, sizeof place);
    html_write(
        out,
        "<tr><td>%s</td><td>%u</td><td class=\"text\">%s</td><td class=\"text\">%s</td></tr>\n",
        place, (unsigned)g->n, g->first->run->name,
        g->first->result->command != NULL ? g->first->result->command : "");
  }
  fputs("</table></div>\n", out);
  for (size_t i = 0; i < r->s->nruns; i++) {
    const struct regress_case *c = &r->cases[i];
    if (!regress_bad(c))
      continue;
    html_write(out, "<details><summary>%s: %s%s</summary>", c->run->name,
               c->text != NULL ? c->text : "", c->once ? " (it passed when it was run again)" : "");
    for (char **f = c->files; f != NULL && *f != NULL; f++)
      html_write(out, "<p class=\"note\">kept: %s</p>", *f);
    if (c->small != NULL)
      html_write(out, "<p class=\"note\">small: %s</p>", c->small);
    html_write(out, "<pre>%s</pre></details>\n", c->result->error != NULL ? c->result->error : "");
  }
}

/* A square for a run: its verdict by colour, its time by strength. */
static void square(FILE *out, const struct regress_case *c, double longest) {
  char verdict[32], title[512];
  snprintf(verdict, sizeof verdict, "%s", regress_verdicts[c->verdict]);
  for (char *p = verdict; *p != '\0'; p++)
    if (*p == ' ')
      *p = '-';
  const double share = longest > 0 ? sqrt(c->result->wall_s / longest) : 0;
  snprintf(title, sizeof title, "%.400s: %s, %.1f s", c->run->name, regress_verdicts[c->verdict],
           c->result->wall_s);
  html_write(out, "<span class=\"%s\" style=\"opacity:%2\" title=\"%s\"></span>", verdict,
             c->verdict == REGRESS_PASSED ? 0.35 + 0.65 * fmin(share, 1) : 1.0, title);
}

static void matrix(FILE *out, const struct regress_report *r) {
  const struct experiment_axis *axis = &r->s->axes[0];
  double longest = 0;
  for (size_t i = 0; i < r->s->nruns; i++)
    longest = fmax(longest, r->results[i].wall_s);
  fputs("<h2>All runs</h2>\n<div class=\"scroll\"><table class=\"map\">\n", out);
  for (size_t k = 0; k < axis->n; k++) {
    html_write(out, "<tr><td>%s</td><td class=\"text\">", axis->values[k].name);
    for (size_t i = 0; i < r->s->nruns; i++)
      if (r->s->runs[i].at[0] == &axis->values[k])
        square(out, &r->cases[i], longest);
    fputs("</td></tr>\n", out);
  }
  fputs(
      "</table></div>\n<p class=\"note\">A square is a run, a strong one a long one. Its name and "
      "time show under the pointer.</p>\n",
      out);
}

static void goldens(FILE *out, const struct regress_report *r) {
  const struct regress_goldens *g = &r->goldens;
  if (g->path == NULL)
    return;
  fputs("<h2>Goldens</h2>\n<div class=\"scroll\"><table>\n<tr><th>run</th>", out);
  for (size_t m = 0; m < g->nmetrics; m++)
    html_write(out, "<th>%s</th><th>golden</th><th>change</th>", g->metrics[m]);
  fputs("</tr>\n", out);
  for (size_t i = 0; i < r->s->nruns; i++) {
    const double *v = g->value + i * g->nmetrics, *old = g->golden + i * g->nmetrics;
    if (r->s->runs[i].settings.kind != EXPERIMENT_LAUNCH)
      continue;
    html_write(out, "<tr><td>%s</td>", r->s->runs[i].name);
    for (size_t m = 0; m < g->nmetrics; m++) {
      char change[32] = "-";
      if (!isnan(v[m]) && !isnan(old[m]))
        snprintf(change, sizeof change, "%+.2f %%", 100 * (v[m] / old[m] - 1));
      html_write(out, "<td>%0</td><td class=\"dim\">%0</td><td>%s</td>", v[m], old[m],
                 v[m] == old[m] ? "" : change);
    }
    fputs("</tr>\n", out);
  }
  fputs("</table></div>\n", out);
}

static int history(FILE *out, const struct regress_report *r, struct experiment_store *store,
                   struct tandem_error *err) {
  const char *metric = r->goldens.nmetrics != 0 ? r->goldens.metrics[0] : "cycles";
  char *svg;
  TRY(regress_history(r, store, metric, &svg, err));
  if (svg != NULL && *svg != '\0')
    html_write(out,
               "<h2>History</h2>\n<p>Geometric mean of %s over the suite's simulations, by "
               "revision (+: the tree was changed).</p>\n<figure class=\"plot\">\n%r</figure>\n",
               metric, svg);
  free(svg);
  return 0;
}

static int by_time(const void *a, const void *b) {
  const struct regress_case *const *x = a, *const *y = b;
  const double p = (*x)->result->wall_s, q = (*y)->result->wall_s;
  return p != q ? (p < q ? 1 : -1) : (*x > *y) - (*x < *y);
}

static void longest_runs(FILE *out, const struct regress_report *r) {
  const struct regress_case **all = calloc(r->s->nruns + 1, sizeof(struct regress_case *));
  if (all == NULL)
    return;
  for (size_t i = 0; i < r->s->nruns; i++)
    all[i] = &r->cases[i];
  qsort(all, r->s->nruns, sizeof *all, by_time);
  fputs("<h2>Longest runs</h2>\n<div "
        "class=\"scroll\"><table>\n<tr><th>run</th><th>seconds</th></tr>\n",
        out);
  for (size_t i = 0; i < r->s->nruns && i < LONGEST; i++)
    html_write(out, "<tr><td>%s</td><td>%1</td></tr>\n", all[i]->run->name, all[i]->result->wall_s);
  fputs("</table></div>\n", out);
  free(all);
}

int regress_page(FILE *out, const struct regress_report *r, struct experiment_store *store,
                 struct tandem_error *err) {
  head(out, r);
  failures(out, r);
  matrix(out, r);
  goldens(out, r);
  const int status = history(out, r, store, err);
  longest_runs(out, r);
  fputs("</body>\n</html>\n", out);
  return status;
}
