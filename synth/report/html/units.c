/* What of each unit is added logic, and the charts with a bar a unit. */
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

/* A unit's parts, with all that it contains. */
typedef void parts_of(const struct html_page *p, size_t unit, double part[HTML_PARTS]);

static void area_parts(const struct html_page *p, size_t unit, double part[HTML_PARTS]) {
  const struct synth_unit *u = &p->r->units[unit];
  part[0] = u->whole.sequential;
  part[1] = u->whole.combinational;
  part[2] = u->whole.memory_area;
}

static void memory_parts(const struct html_page *p, size_t unit, double part[HTML_PARTS]) {
  const struct synth_unit *u = &p->r->units[unit];
  part[0] = (double)u->whole.memory_bits;
}

static void power_parts(const struct html_page *p, size_t unit, double part[HTML_PARTS]) {
  const struct synth_unit *u = &p->r->units[unit];
  part[0] = 1e3 * u->power.internal_w;
  part[1] = 1e3 * u->power.switching_w;
  part[2] = 1e3 * u->power.leakage_w;
}

/* Of the unit alone. */
static void own_parts(const struct html_page *p, size_t unit, parts_of *parts,
                      double own[HTML_PARTS]) {
  const struct synth_unit *u = &p->r->units[unit];
  parts(p, unit, own);
  for (size_t i = 0; i < u->nchildren; i++) {
    double child[HTML_PARTS] = {0};
    parts(p, u->children[i].unit, child);
    for (int k = 0; k < HTML_PARTS; k++)
      own[k] -= u->children[i].count * child[k];
  }
}

/* Adds to sum, so many times, what the unit and those in it have more than the baseline. */
static void add_added(const struct html_page *p, size_t unit, parts_of *parts, double times,
                      double sum[HTML_PARTS]) {
  const struct synth_unit *u = &p->r->units[unit];
  double own[HTML_PARTS] = {0}, like[HTML_PARTS] = {0};
  if (p->origin[unit] != HTML_BASELINE)
    own_parts(p, unit, parts, own);
  if (p->origin[unit] == HTML_GROWN)
    own_parts(p, p->like[unit], parts, like);
  for (int k = 0; k < HTML_PARTS; k++)
    sum[k] += times * fmax(0, own[k] - like[k]);
  for (size_t i = 0; i < u->nchildren; i++)
    add_added(p, u->children[i].unit, parts, times * u->children[i].count, sum);
}

/* A bar for each unit that has any. */
static void chart(const struct html_page *p, const size_t *order, struct html_bars b,
                  parts_of *parts) {
  const struct synth_report *r = p->r;
  struct html_bar *bars = calloc(r->nunits + 1, sizeof *bars);
  char(*targets)[SYNTH_NAME + 8] = calloc(r->nunits + 1, sizeof *targets);
  for (size_t i = 0; bars != NULL && targets != NULL && i < r->nunits; i++) {
    const struct synth_unit *u = &r->units[order[i]];
    struct html_bar bar = {.label = u->name, .target = targets[b.n]};
    parts(p, order[i], bar.baseline);
    if (!(bar.baseline[0] + bar.baseline[1] + bar.baseline[2] > 0))
      continue;
    add_added(p, order[i], parts, 1, bar.added);
    for (int k = 0; k < HTML_PARTS; k++) {
      bar.added[k] = fmin(bar.added[k], bar.baseline[k]);
      bar.baseline[k] -= bar.added[k];
    }
    snprintf(targets[b.n], sizeof targets[b.n], "unit-%s", u->name);
    bars[b.n++] = bar;
  }
  b.bars = bars;
  if (b.n > 0)
    html_bars(p, &b);
  free(bars);
  free(targets);
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

void html_bar_charts(const struct html_page *p, const size_t *order) {
  const struct html_bars area = {
      .title = "Area", .unit = "µm²", .names = {"sequential", "combinational", "memories"}};
  const struct html_bars memory = {.title = "Memories", .unit = "bits", .names = {"memory"}};
  const struct html_bars power = {
      .title = "Power", .unit = "mW", .names = {"internal", "switching", "leakage"}, .decimals = 3};
  chart(p, order, area, area_parts);
  chart(p, order, memory, memory_parts);
  fprintf(p->out, "<h2>Power by module</h2>\n<p class=\"note\">Switching activity: %s.</p>\n",
          activity_of(p->r));
  chart(p, order, power, power_parts);
}
