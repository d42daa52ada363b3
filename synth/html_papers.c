/* The papers' figures beside those of the report, on the HTML page. */
#include <math.h>
#include <string.h>

#include "synth/html.h"
#include "synth/papers.h"

enum { DEFAULT_FLIT = 64 }; /* of rtl/buddy/link.sv: a unit's name has what differs from it */

/* Bits that a unit alone holds: flip-flops and memories. */
static double bits(const struct synth_unit *u) {
  return (double)(u->own.sequential_cells + u->own.memory_bits);
}

static double watts(const struct synth_unit *u) {
  return u->power.internal_w + u->power.switching_w + u->power.leakage_w;
}

/* The first unit of this module in one or below it; NULL: none. */
static const struct synth_unit *find(const struct synth_report *r, size_t unit,
                                     const char *module) {
  const struct synth_unit *u = &r->units[unit], *found = NULL;
  if (strcmp(u->spec.module, module) == 0)
    return u;
  for (size_t i = 0; i < u->nchildren && found == NULL; i++)
    found = find(r, u->children[i].unit, module);
  return found;
}

/* A member of a cluster that has a monitor. */
static size_t find_leader(const struct synth_report *r) {
  for (size_t i = 0; i < r->nunits; i++)
    if (strcmp(r->units[i].spec.module, "buddy_member") == 0 && !r->units[i].flat &&
        find(r, i, "monitor") != NULL)
      return i;
  return SIZE_MAX;
}

/* Energy to read an instruction from the largest memory of the cache with words as wide, at 40 nm.
 */
static double icache_pj(const struct html_page *p, const struct synth_unit *icache) {
  double pj = NAN;
  unsigned words = 0;
  for (size_t i = 0; icache != NULL && i < icache->nmemories; i++) {
    const struct synth_memory *m = &icache->memories[i];
    const struct technology_memory shape = {m->words, m->width, m->reads + m->writes};
    struct technology_macro macro;
    if (m->width == 64 && m->words > words &&
        technology_macro(p->technology, &shape, (struct technology_corner){40, 0}, &macro, NULL) ==
            0) {
      words = m->words;
      pj = macro.access_pj;
    }
  }
  return pj;
}

/* Wires of the link in a unit of this module: the flit's, and one that tells that there is one. */
static unsigned wires(const struct synth_report *r, const char *module) {
  for (size_t i = 0; i < r->nunits; i++) {
    const struct synth_unit *link =
        strcmp(r->units[i].spec.module, module) == 0 ? find(r, i, "link") : NULL;
    for (unsigned k = 0; link != NULL && k < link->spec.n; k++)
      if (strcmp(link->spec.parameters[k].name, "Width") == 0)
        return (unsigned)link->spec.parameters[k].value + 1;
    if (link != NULL)
      return DEFAULT_FLIT + 1;
  }
  return 0;
}

static struct papers_measured measured(const struct html_page *p) {
  const struct synth_report *r = p->r;
  struct papers_measured m = {.monitor_bits = {NAN, NAN},
                              .scoreboard_bits = NAN,
                              .added_bits = NAN,
                              .scoreboard_power = NAN,
                              .leader_scoreboard_power = NAN,
                              .flit_toggles = NAN,
                              .icache_pj = NAN,
                              .down = wires(r, "downlink"),
                              .up = wires(r, "uplink")};
  if (m.up == 0)
    m.down = 0;
  if (r->baseline >= r->nunits)
    return m;
  m.icache_pj = icache_pj(p, find(r, r->baseline, "icache"));
  const size_t leader = find_leader(r);
  const struct synth_unit *own = find(r, r->baseline, "scoreboard");
  if (leader == SIZE_MAX || own == NULL)
    return m;
  const struct synth_unit *monitor = find(r, leader, "monitor");
  const struct synth_unit *scoreboard = find(r, leader, "scoreboard");
  m.monitor_bits[0] = 8 * bits(monitor);
  m.monitor_bits[1] = 4 * bits(monitor);
  m.scoreboard_bits = bits(own);
  m.scoreboard_power = watts(own);
  if (scoreboard != NULL) {
    m.added_bits = bits(monitor) + bits(scoreboard) - bits(own);
    m.leader_scoreboard_power = watts(monitor) + watts(scoreboard);
  }
  return m;
}

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
  if (p->technology == NULL)
    return;
  const struct papers_measured m = measured(p);
  papers_compare(p->technology, &m, rows);
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
