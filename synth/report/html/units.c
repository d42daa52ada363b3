/* Marks each unit's added logic; draws the charts with a bar a unit. */
#include "synth/report/html/html.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/input/spec.h"

static void mark_baseline(const struct synth_report *r, size_t unit, bool *of) {
  if (of[unit])
    return;
  of[unit] = true;
  for (size_t i = 0; i < r->units[unit].nchildren; i++)
    mark_baseline(r, r->units[unit].children[i].unit, of);
}

static void find_origin(struct html_page *p, size_t unit, const bool *of) {
  const struct synth_unit *u = &p->r->units[unit];
  p->origin[unit] = HTML_ADDED;
  for (size_t i = 0; i < p->r->nunits; i++) {
    const struct synth_unit *b = &p->r->units[i];
    if (!of[i] || strcmp(b->spec.module, u->spec.module) != 0)
      continue;
    p->origin[unit] = HTML_GROWN;
    p->like[unit] = i;
    if (synth_spec_same(&b->spec, &u->spec)) {
      p->origin[unit] = HTML_BASELINE;
      return;
    }
  }
}

bool html_origins(struct html_page *p) {
  const struct synth_report *r = p->r;
  bool *of = calloc(r->nunits + 1, sizeof *of);
  p->origin = calloc(r->nunits + 1, sizeof *p->origin);
  p->like = calloc(r->nunits + 1, sizeof *p->like);
  const bool found = of != NULL && p->origin != NULL && p->like != NULL;
  if (found && r->baseline < r->nunits) {
    mark_baseline(r, r->baseline, of);
    for (size_t i = 0; i < r->nunits; i++)
      find_origin(p, i, of);
  }
  free(of);
  return found;
}

/* Where the activity comes from that power is reckoned with. */
static const char *activity_of(const struct synth_report *r) {
  size_t measured = 0;
  for (size_t i = 0; i < r->nunits; i++)
    measured += r->units[i].power.measured;
  return measured == 0 ? "<span class=\"mark assumed\">assumed</span>"
         : measured == r->nunits
             ? "<span class=\"mark measured\">measured</span>"
             : "measured or <span class=\"mark assumed\">assumed</span>, as the "
               "table of modules tells";
}

/* Parts of a unit, with all that it contains. */
typedef void parts_of(const struct synth_unit *u, double part[HTML_PARTS]);

static void area_of(const struct synth_unit *u, double part[HTML_PARTS]) {
  part[0] = u->whole.sequential;
  part[1] = u->whole.combinational;
  part[2] = u->whole.memory_area;
}

static void bits_of(const struct synth_unit *u, double part[HTML_PARTS]) {
  part[0] = (double)u->whole.memory_bits;
}

static void power_of(const struct synth_unit *u, double part[HTML_PARTS]) {
  part[0] = 1e3 * u->power.internal_w;
  part[1] = 1e3 * u->power.switching_w;
  part[2] = 1e3 * u->power.leakage_w;
}

/* Parts of the unit alone. */
static void own_parts(const struct synth_report *r, size_t unit, parts_of *parts,
                      double own[HTML_PARTS]) {
  const struct synth_unit *u = &r->units[unit];
  parts(u, own);
  for (size_t i = 0; i < u->nchildren; i++) {
    double child[HTML_PARTS] = {0};
    parts(&r->units[u->children[i].unit], child);
    for (int k = 0; k < HTML_PARTS; k++)
      own[k] -= u->children[i].count * child[k];
  }
}

/* Adds to sum, so many times, the parts that the unit and those in it have above the baseline's. */
static void add_added(const struct html_page *p, size_t unit, parts_of *parts, double times,
                      double sum[HTML_PARTS]) {
  const struct synth_unit *u = &p->r->units[unit];
  double own[HTML_PARTS] = {0}, like[HTML_PARTS] = {0};
  if (p->origin[unit] != HTML_BASELINE)
    own_parts(p->r, unit, parts, own);
  if (p->origin[unit] == HTML_GROWN)
    own_parts(p->r, p->like[unit], parts, like);
  for (int k = 0; k < HTML_PARTS; k++)
    sum[k] += times * fmax(0, own[k] - like[k]);
  for (size_t i = 0; i < u->nchildren; i++)
    add_added(p, u->children[i].unit, parts, times * u->children[i].count, sum);
}

/* Each unit with all that it contains. */
static void chart(struct html_page *p, const size_t *order, struct html_bars b, parts_of *parts) {
  struct html_bar *bars = calloc(p->r->nunits + 1, sizeof *bars);
  for (b.n = 0; bars != NULL && b.n < p->r->nunits; b.n++) {
    struct html_bar *bar = &bars[b.n];
    bar->label = p->r->units[order[b.n]].name;
    parts(&p->r->units[order[b.n]], bar->parts);
    add_added(p, order[b.n], parts, 1, bar->added);
    for (int k = 0; k < HTML_PARTS; k++)
      bar->added[k] = fmin(bar->added[k], bar->parts[k]);
  }
  b.bars = bars;
  if (bars != NULL)
    html_bars(p, &b);
  free(bars);
}

void html_bar_charts(struct html_page *p, const size_t *order) {
  chart(p, order,
        (struct html_bars){
            .title = "Area", .unit = "µm²", .names = {"sequential", "combinational", "memories"}},
        area_of);
  chart(p, order, (struct html_bars){.title = "Memories", .unit = "bits", .names = {"memory"}},
        bits_of);
  fprintf(p->out, "<h2>Power by module</h2>\n<p class=\"note\">Switching activity: %s.</p>\n",
          activity_of(p->r));
  chart(p, order,
        (struct html_bars){
            .title = "Power", .unit = "mW", .names = {"internal", "switching", "leakage"}},
        power_of);
}
