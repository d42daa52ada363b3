/* The HTML page of a report: text and tables. */
#include "synth/report/html/html.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void html_number(FILE *out, double value, int decimals) {
  char text[64];
  if (!isfinite(value) ||
      snprintf(text, sizeof text, "%.*f", decimals, value) >= (int)sizeof text) {
    fputs("\xe2\x80\x93", out);
    return;
  }
  const size_t sign = text[0] == '-';
  const size_t digits = strcspn(text, ".");
  for (size_t i = 0; text[i] != '\0'; i++) {
    if (i > sign && i < digits && (digits - i) % 3 == 0)
      fputc(',', out);
    fputc(text[i], out);
  }
}

const char *html_origin_class(enum html_origin o) {
  static const char *const names[] = {"baseline", "grown", "added"};
  return names[o];
}

/* Tables. */

void html_cell(const struct html_page *p, double value, int decimals) {
  fputs("<td>", p->out);
  html_number(p->out, value, decimals);
  fputs("</td>", p->out);
}

static void text_cell(const struct html_page *p, const char *text) {
  fputs("<td class=\"text\">", p->out);
  html_text(p->out, text);
  fputs("</td>", p->out);
}

/* Columns; those whose name starts with a blank hold text. */
void html_table(const struct html_page *p, const char *const *columns) {
  fputs("<div class=\"scroll\"><table><thead><tr>", p->out);
  for (; *columns != NULL; columns++)
    fprintf(p->out, "<th%s>%s</th>", **columns == ' ' ? " class=\"text\"" : "",
            *columns + (**columns == ' '));
  fputs("</tr></thead><tbody>\n", p->out);
}

void html_table_end(const struct html_page *p) { fputs("</tbody></table></div>\n", p->out); }

static const char *mark_of(enum html_origin o) {
  return o == HTML_ADDED   ? " <span class=\"mark added\">added</span>"
         : o == HTML_GROWN ? " <span class=\"mark grown\">changed</span>"
                           : "";
}

static const char *activity_mark(const struct synth_unit *u) {
  return u->power.measured ? "<span class=\"mark measured\">measured</span>"
                           : "<span class=\"mark assumed\">assumed</span>";
}

static void unit_row(const struct html_page *p, size_t i) {
  const struct synth_unit *u = &p->r->units[i];
  fputs("<tr id=\"unit-", p->out);
  html_text(p->out, u->name);
  fputs("\"><td>", p->out);
  html_text(p->out, u->name);
  fprintf(p->out, "%s%s</td>", u->flat ? " <span class=\"mark\">flat</span>" : "",
          mark_of(p->origin[i]));
  html_cell(p, (double)u->whole.cells, 0);
  html_cell(p, u->whole.sequential, 0);
  html_cell(p, u->whole.combinational, 0);
  html_cell(p, synth_area(&u->own), 0);
  html_cell(p, synth_gates(p->r, synth_area(&u->whole)), 0);
  html_cell(p, (double)u->whole.memory_bits, 0);
  html_cell(p, isnan(u->timing.fmax_mhz) ? (double)NAN : (double)u->timing.depth, 0);
  html_cell(p, u->timing.slack_ns, 2);
  html_cell(p, u->timing.fmax_mhz, 1);
  html_cell(p, 1e6 * u->power.leakage_w, 3);
  html_cell(p, 1e3 * (u->power.internal_w + u->power.switching_w), 3);
  fprintf(p->out, "<td class=\"text\">%s</td></tr>\n", activity_mark(u));
}

static void modules(const struct html_page *p, const size_t *order) {
  static const char *const columns[] = {
      "module",          "cells",    "sequential µm²", "combinational µm²",
      "of that own µm²", "gates",    "memory bits",    "depth",
      "slack ns",        "fmax MHz", "leakage µW",     "dynamic mW",
      " activity",       NULL};
  fputs("<h2>Modules</h2>\n<p class=\"note\">Each with all that it contains; own: without. Gates: "
        "NAND2 "
        "of the library. Memories are macros, not among cells and areas. Depth: cells on the "
        "critical path.</p>\n",
        p->out);
  html_table(p, columns);
  for (size_t i = 0; i < p->r->nunits; i++)
    unit_row(p, order[i]);
  html_table_end(p);
}

static void memories(const struct html_page *p, const size_t *order) {
  static const char *const columns[] = {"module", "bits",       "µm²",    "own µm²",  "accesses mW",
                                        "own mW", "leakage mW", "own mW", " figures", NULL};
  const struct synth_report *r = p->r;
  fputs("<h2 id=\"memories\">Memories</h2>\n<p class=\"note\">Macros, not among cells and "
        "areas. Accesses: each port in a tenth of the cycles <span class=\"mark "
        "assumed\">assumed</span>; leakage: that of 45 nm.</p>\n",
        p->out);
  html_table(p, columns);
  for (size_t i = 0; i < r->nunits; i++) {
    const struct synth_size *w = &r->units[order[i]].whole, *o = &r->units[order[i]].own;
    if (w->memories == 0)
      continue;
    fputs("<tr><td>", p->out);
    html_text(p->out, r->units[order[i]].name);
    fputs("</td>", p->out);
    html_cell(p, (double)w->memory_bits, 0);
    html_cell(p, w->memory_area, 0);
    html_cell(p, o->memory_area, 0);
    html_cell(p, 1e3 * w->memory_access_w, 3);
    html_cell(p, 1e3 * o->memory_access_w, 3);
    html_cell(p, 1e3 * w->memory_leakage_w, 3);
    html_cell(p, 1e3 * o->memory_leakage_w, 3);
    text_cell(p, w->ideal_memories != 0 ? "without memories that are ideal: of this library's "
                                          "process nothing is known"
                 : r->macros[0] != '\0' ? "estimated, or of the macros that were given"
                                        : "estimated");
    fputs("</tr>\n", p->out);
  }
  html_table_end(p);
}

static void added_row(const struct html_page *p, const struct synth_added *a, const char *of,
                      double times) {
  fputs("<tr><td>", p->out);
  html_text(p->out, a->feature);
  fprintf(p->out, a->members != a->sms ? ", clusters of %u</td>" : ", %u SMs</td>", a->members);
  text_cell(p, a->variant);
  text_cell(p, of);
  html_cell(p, times * a->area, 0);
  html_cell(p, synth_gates(p->r, times * a->area), 0);
  html_cell(p, a->percent, 2);
  html_cell(p, times * (double)a->memory_bits, 0);
  html_cell(p, a->memory_percent, 2);
  html_cell(p, times * a->memory_area, 0);
  html_cell(p, 1e3 * times * (a->cluster_w - a->baseline_w), 3);
  html_cell(p, a->power_percent, 2);
  fputs("</tr>\n", p->out);
}

static void added_chart(const struct html_page *p) {
  const struct synth_report *r = p->r;
  struct html_bar *bars = calloc(r->nadded, sizeof *bars);
  char(*labels)[128] = calloc(r->nadded, sizeof *labels);
  for (size_t i = 0; bars != NULL && labels != NULL && i < r->nadded; i++) {
    const struct synth_added *a = &r->added[i];
    snprintf(labels[i], sizeof labels[i], "%s, %u SMs, %s", a->feature, a->members, a->variant);
    bars[i] = (struct html_bar){.label = labels[i], .added = {a->percent}};
  }
  if (bars != NULL && labels != NULL)
    html_bars(p, &(struct html_bars){.title = "Area added to the baseline front end",
                                     .unit = "%",
                                     .names = {"added"},
                                     .decimals = 2,
                                     .bars = bars,
                                     .n = r->nadded});
  free(bars);
  free(labels);
}

static void added(const struct html_page *p) {
  static const char *const columns[] = {"feature",      " variant",  " per",        "added µm²",
                                        "gates",        "% of area", "memory bits", "% of bits",
                                        "memories µm²", "power mW",  "% of power",  NULL};
  fputs("<h2 id=\"added\">Added logic</h2>\n", p->out);
  if (p->r->nadded == 0) {
    fputs("<p>This report has no cluster to compare with the baseline.</p>\n", p->out);
    return;
  }
  fputs("<p class=\"note\">A cluster against as many baseline front ends as it has members.</p>\n",
        p->out);
  added_chart(p);
  html_table(p, columns);
  for (size_t i = 0; i < p->r->nadded; i++) {
    const struct synth_added *a = &p->r->added[i];
    char gpu[32];
    added_row(p, a, "SM", 1.0 / a->members);
    if (a->members != a->sms)
      added_row(p, a, "cluster", 1);
    snprintf(gpu, sizeof gpu, "GPU of %u SMs", a->sms);
    added_row(p, a, gpu, (double)a->sms / a->members);
  }
  html_table_end(p);
}

/* Charts over the units, and critical paths. */

/* Whether nothing in the report instantiates the unit's module, with whatever parameters. */
static bool outermost(const struct synth_report *r, const struct synth_unit *u) {
  for (size_t i = 0; i < r->nunits; i++)
    for (size_t k = 0; k < r->units[i].nchildren; k++)
      if (strcmp(r->units[r->units[i].children[k].unit].spec.module, u->spec.module) == 0)
        return false;
  return true;
}

static void treemaps(const struct html_page *p) {
  const struct synth_report *r = p->r;
  fputs("<h2>Area by module</h2>\n<p><i class=\"key part0\"></i> as in the baseline front end ",
        p->out);
  fputs("<i class=\"key part0 added\"></i> added logic</p>\n<p class=\"note\">Areas of rectangles "
        "are "
        "areas of cells; memories are not among them. Names lead to the table.</p>\n",
        p->out);
  if (r->baseline < r->nunits)
    html_treemap(p, r->baseline);
  for (size_t i = 0; i < r->nunits; i++)
    if (i != r->baseline && !r->units[i].flat && r->units[i].nchildren > 0 &&
        outermost(r, &r->units[i]))
      html_treemap(p, i);
}

static void paths(const struct html_page *p, const size_t *order) {
  fputs("<h2>Critical paths</h2>\n", p->out);
  for (size_t i = 0; i < p->r->nunits; i++) {
    const struct synth_unit *u = &p->r->units[order[i]];
    const struct synth_timing *t = &u->timing;
    if (isnan(t->fmax_mhz))
      continue;
    fputs("<details><summary>", p->out);
    html_text(p->out, u->name);
    fputs(": ", p->out);
    html_number(p->out, t->fmax_mhz, 1);
    fprintf(p->out, " MHz, %u cells, from ", t->depth);
    html_text(p->out, t->start);
    fputs(" to ", p->out);
    html_text(p->out, t->end);
    fputs("</summary><pre>", p->out);
    html_text(p->out, t->path != NULL ? t->path : "");
    fputs("</pre></details>\n", p->out);
  }
}

static void head(const struct html_page *p) {
  const struct synth_report *r = p->r;
  fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" "
        "content=\"default-src 'none';style-src 'unsafe-inline'\">\n"
        "<title>Tandem: what the hardware costs</title>\n<style>\n",
        p->out);
  fputs(html_style, p->out);
  fputs("</style></head><body>\n<h1>What the hardware costs</h1>\n<dl>", p->out);
  fputs("<dt>library</dt><dd>", p->out);
  html_text(p->out, r->library.name);
  fputs(" <span class=\"dim\">", p->out);
  html_text(p->out, r->library.path);
  fputs(", version ", p->out);
  html_text(p->out, r->library.key);
  fprintf(p->out, "</span></dd><dt>gate</dt><dd>%g µm², ", r->library.nand2);
  html_text(p->out, r->library.nand2_name);
  fprintf(p->out, "</dd><dt>clock</dt><dd>%g MHz</dd><dt>tools</dt><dd>", r->mhz);
  html_text(p->out, r->yosys);
  fputs("; OpenSTA ", p->out);
  html_text(p->out, r->sta);
  fputs("</dd></dl>\n", p->out);
}

/* Units, the largest first. */
static size_t *order_of(const struct synth_report *r) {
  size_t *order = calloc(r->nunits + 1, sizeof *order);
  for (size_t i = 0; order != NULL && i < r->nunits; i++) {
    size_t at = i;
    for (; at > 0 && synth_area(&r->units[order[at - 1]].whole) < synth_area(&r->units[i].whole);
         at--)
      order[at] = order[at - 1];
    order[at] = i;
  }
  return order;
}

bool synth_html(FILE *out, const struct synth_report *r) {
  struct html_page page = {.out = out, .r = r}, *p = &page;
  size_t *order = order_of(r);
  const bool ready = html_origins(p) && order != NULL;
  if (ready) {
    head(p);
    added(p);
    html_parts(p);
    treemaps(p);
    html_bar_charts(p, order);
    html_measured(p);
    modules(p, order);
    memories(p, order);
    html_wires(p);
    html_papers(p);
    html_scaled(p, order);
    paths(p, order);
    fputs("</body></html>\n", out);
  }
  free(order);
  free(p->origin);
  free(p->like);
  return ready && ferror(out) == 0;
}
