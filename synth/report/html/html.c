/* The HTML page of a report: text and tables. */
#include "synth/report/html/html.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/report/clock_gating.h"

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

void html_values(const struct html_page *p, const char *decimals, const double *values) {
  for (; *decimals != '\0'; decimals++, values++) {
    const bool of_memories = *decimals == '~';
    decimals += of_memories;
    if (!of_memories || p->memories)
      html_cell(p, *values, *decimals - '0');
  }
}

void html_row(const struct html_page *p, const char *name) {
  html_write(p->out, "<tr><td>%s</td>", name);
}

void html_words(const struct html_page *p, const char *text) {
  html_write(p->out, "<td class=\"text\">%s</td>", text);
}

/* Columns; those whose name starts with a blank hold text. */
void html_table(const struct html_page *p, const char *const *columns) {
  fputs("<div class=\"scroll\"><table><thead><tr>", p->out);
  for (; *columns != NULL; columns++) {
    const bool words = **columns == ' ', of_memories = **columns == '~';
    if (!of_memories || p->memories)
      fprintf(p->out, "<th%s>%s</th>", words ? " class=\"text\"" : "",
              *columns + (words || of_memories));
  }
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
  html_write(p->out, "<tr id=\"unit-%s\"><td>%s%r%r</td>", u->name, u->name,
             u->flat ? " <span class=\"mark\">flat</span>" : "", mark_of(p->origin[i]));
  html_cells(p, "00000~002133", (double)u->whole.cells, u->whole.sequential, u->whole.combinational,
             synth_area(&u->own), synth_gates(p->r, synth_area(&u->whole)),
             (double)u->whole.memory_bits,
             isnan(u->timing.fmax_mhz) ? (double)NAN : (double)u->timing.depth, u->timing.slack_ns,
             u->timing.fmax_mhz, 1e6 * u->power.leakage_w,
             1e3 * (u->power.internal_w + u->power.switching_w));
  fprintf(p->out, "<td class=\"text\">%s</td></tr>\n", activity_mark(u));
}

static void modules(const struct html_page *p, const size_t *order) {
  static const char *const columns[] = {
      "module",          "cells",    "sequential µm²", "combinational µm²",
      "of that own µm²", "gates",    "~memory bits",   "depth",
      "slack ns",        "fmax MHz", "leakage µW",     "dynamic mW",
      " activity",       NULL};
  fprintf(
      p->out,
      "<h2>Modules</h2>\n<p class=\"note\">Each with all that it contains; own: without. Gates: "
      "NAND2 of the library. %sDepth: cells on the critical path.</p>\n",
      p->memories ? "Memories are macros, not among cells and areas. " : "");
  html_table(p, columns);
  for (size_t i = 0; i < p->r->nunits; i++)
    unit_row(p, order[i]);
  html_table_end(p);
}

static void memories(const struct html_page *p, const size_t *order) {
  static const char *const columns[] = {"module", "bits",       "µm²",    "own µm²",  "accesses mW",
                                        "own mW", "leakage mW", "own mW", " figures", NULL};
  const struct synth_report *r = p->r;
  if (!p->memories)
    return;
  fputs("<h2 id=\"memories\">Memories</h2>\n<p class=\"note\">Macros, not among cells and "
        "areas. Accesses: each port in a tenth of the cycles <span class=\"mark "
        "assumed\">assumed</span>; leakage: that of 45 nm.</p>\n",
        p->out);
  html_table(p, columns);
  for (size_t i = 0; i < r->nunits; i++) {
    const struct synth_size *w = &r->units[order[i]].whole, *o = &r->units[order[i]].own;
    if (w->memories == 0)
      continue;
    html_row(p, r->units[order[i]].name);
    html_cells(p, "0003333", (double)w->memory_bits, w->memory_area, o->memory_area,
               1e3 * w->memory_access_w, 1e3 * o->memory_access_w, 1e3 * w->memory_leakage_w,
               1e3 * o->memory_leakage_w);
    html_words(p, w->ideal_memories != 0 ? "without memories that are ideal: of this library's "
                                           "process nothing is known"
                  : r->macros[0] != '\0' ? "estimated, or of the macros that were given"
                                         : "estimated");
    fputs("</tr>\n", p->out);
  }
  html_table_end(p);
}

static void added_row(const struct html_page *p, const struct synth_added *a, const char *of,
                      double times) {
  html_write(p->out,
             a->members != a->sms ? "<tr><td>%s, clusters of %u</td>" : "<tr><td>%s, %u SMs</td>",
             a->feature, a->members);
  html_words(p, a->variant);
  html_words(p, of);
  html_cells(p, "00202032", times * a->area, synth_gates(p->r, times * a->area), a->percent,
             times * (double)a->memory_bits, a->memory_percent, times * a->memory_area,
             1e3 * times * (a->cluster_w - a->baseline_w), a->power_percent);
  fputs("</tr>\n", p->out);
}

static void added_chart(struct html_page *p) {
  const struct synth_report *r = p->r;
  struct html_bar *bars = calloc(r->nadded, sizeof *bars);
  char(*labels)[128] = calloc(r->nadded, sizeof *labels);
  for (size_t i = 0; bars != NULL && labels != NULL && i < r->nadded; i++) {
    const struct synth_added *a = &r->added[i];
    snprintf(labels[i], sizeof labels[i], "%s, %u SMs, %s", a->feature, a->members, a->variant);
    bars[i] = (struct html_bar){.label = labels[i], .parts = {a->percent}, .added = {a->percent}};
  }
  if (bars != NULL && labels != NULL)
    html_bars(p, &(struct html_bars){.title = "Area added to the baseline front end",
                                     .unit = "%",
                                     .names = {"area"},
                                     .bars = bars,
                                     .n = r->nadded});
  free(bars);
  free(labels);
}

static void added(struct html_page *p) {
  static const char *const columns[] = {"feature",      " variant",  " per",        "added µm²",
                                        "gates",        "% of area", "memory bits", "% of bits",
                                        "memories µm²", "power mW",  "% of power",  NULL};
  if (p->r->nadded == 0)
    return;
  fputs("<h2 id=\"added\">Added logic</h2>\n<p class=\"note\">A cluster against as many baseline "
        "front ends as it has members.</p>\n",
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

/* Returns true if no unit of the report instantiates the unit's module, with any parameters. */
static bool outermost(const struct synth_report *r, const struct synth_unit *u) {
  for (size_t i = 0; i < r->nunits; i++)
    for (size_t k = 0; k < r->units[i].nchildren; k++)
      if (strcmp(r->units[r->units[i].children[k].unit].spec.module, u->spec.module) == 0)
        return false;
  return true;
}

static bool has_map(const struct synth_report *r, size_t i) {
  const struct synth_unit *u = &r->units[i];
  return i == r->baseline || (!u->flat && u->nchildren > 0 && outermost(r, u));
}

static void treemaps(const struct html_page *p) {
  static const char *const keys = "<p><i class=\"key\"></i> as in the baseline front end "
                                  "<i class=\"key added\"></i> added logic</p>\n";
  const struct synth_report *r = p->r;
  size_t n = 0;
  if (r->baseline < r->nunits)
    n++;
  for (size_t i = 0; i < r->nunits; i++)
    n += i != r->baseline && has_map(r, i);
  if (n == 0)
    return;
  fprintf(p->out,
          "<h2>Area by module</h2>\n%s<p class=\"note\">Areas of rectangles are areas of cells; "
          "memories are not among them. Names lead to the table.</p>\n",
          r->baseline < r->nunits ? keys : "");
  if (r->baseline < r->nunits)
    html_treemap(p, r->baseline);
  for (size_t i = 0; i < r->nunits; i++)
    if (i != r->baseline && has_map(r, i))
      html_treemap(p, i);
}

static void paths(const struct html_page *p, const size_t *order) {
  bool any = false;
  for (size_t i = 0; i < p->r->nunits; i++) {
    const struct synth_unit *u = &p->r->units[order[i]];
    const struct synth_timing *t = &u->timing;
    if (isnan(t->fmax_mhz))
      continue;
    fputs(any ? "" : "<h2>Critical paths</h2>\n", p->out);
    any = true;
    html_write(p->out,
               "<details><summary>%s: %1 MHz, %u cells, from %s to %s</summary><pre>%s</pre>"
               "</details>\n",
               u->name, t->fmax_mhz, t->depth, t->start, t->end, t->path != NULL ? t->path : "");
  }
}

static void head(const struct html_page *p) {
  const struct synth_report *r = p->r;
  char clocks[400];
  synth_clock_gating_words(r, clocks, sizeof clocks);
  html_head(p->out, "Tandem: what the hardware costs");
  html_write(
      p->out,
      "<dl><dt>library</dt><dd>%s <span class=\"dim\">%s, version %s</span></dd><dt>gate</dt>"
      "<dd>%g µm², %s</dd><dt>clock</dt><dd>%g MHz; %s</dd><dt>tools</dt><dd>%s; OpenSTA %s</dd>"
      "</dl>\n",
      r->library.name, r->library.path, r->library.key, r->library.nand2, r->library.nand2_name,
      r->mhz, clocks, r->yosys, r->sta);
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
  for (size_t i = 0; i < r->nunits; i++)
    p->memories |= r->units[i].whole.memories != 0;
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
