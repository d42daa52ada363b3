/* Marks each unit's added logic; draws the charts with a bar a unit. */
#include "synth/report/html/html.h"

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

static struct html_bar area_of(const struct synth_unit *u) {
  const struct synth_size *w = &u->whole;
  return (struct html_bar){u->name, {w->sequential, w->combinational, w->memory_area}};
}

static struct html_bar bits_of(const struct synth_unit *u) {
  return (struct html_bar){u->name, {(double)u->whole.memory_bits}};
}

static struct html_bar power_of(const struct synth_unit *u) {
  const struct synth_power *p = &u->power;
  return (struct html_bar){u->name,
                           {1e3 * p->internal_w, 1e3 * p->switching_w, 1e3 * p->leakage_w}};
}

/* Each unit with all that it contains. */
static void chart(struct html_page *p, const size_t *order, struct html_bars b,
                  struct html_bar (*of)(const struct synth_unit *)) {
  struct html_bar *bars = calloc(p->r->nunits + 1, sizeof *bars);
  for (b.n = 0; bars != NULL && b.n < p->r->nunits; b.n++)
    bars[b.n] = of(&p->r->units[order[b.n]]);
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
