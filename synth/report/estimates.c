/* Estimates from a report's figures: other processes, wires, the papers' table. */
#include "synth/report/estimates.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_FLIT = 64 }; /* of rtl/buddy/link.sv: a unit's name has what differs from it */
enum { GPU_SMS = 16 };

bool synth_scale(const struct synth_report *r, size_t unit, double nm, struct synth_scaled *s) {
  const struct synth_unit *u = &r->units[unit];
  struct technology_factors f;
  if (!(r->process.nm > 0) || technology_scale(&r->technology, r->process,
                                               (struct technology_corner){nm, 0}, &f, NULL) != 0)
    return false;
  *s = (struct synth_scaled){.nm = nm,
                             .area = f.area * synth_area(&u->whole),
                             .memory_area = f.area * u->whole.memory_area,
                             .fmax_mhz = u->timing.fmax_mhz / f.delay,
                             .dynamic_w = f.energy * (u->power.internal_w + u->power.switching_w),
                             .memory_access_w = f.energy * u->whole.memory_access_w};
  return true;
}

double synth_mm2_45nm(const struct synth_report *r, double area) {
  struct technology_factors f;
  return r->process.nm > 0 && technology_scale(&r->technology, r->process,
                                               (struct technology_corner){45, 0}, &f, NULL) == 0
             ? 1e-6 * area * f.area
             : NAN;
}

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

/* How many instances of the module there are in a unit, itself among them, and with `bits`, how
 * many bits they hold. */
static double count(const struct synth_report *r, size_t unit, const char *module, bool of_bits) {
  const struct synth_unit *u = &r->units[unit];
  double n = strcmp(u->spec.module, module) == 0 ? (of_bits ? bits(u) : 1) : 0;
  for (size_t i = 0; i < u->nchildren; i++)
    n += u->children[i].count * count(r, u->children[i].unit, module, of_bits);
  return n;
}

static double count_cluster(const struct synth_report *r, const struct synth_added *a,
                            const char *module, bool of_bits) {
  double n = 0;
  for (size_t i = 0; i < a->nshares; i++)
    if (!a->shares[i].own)
      n += a->shares[i].count * count(r, a->shares[i].unit, module, of_bits);
  return n;
}

/* Returns the wires of a link: the flit's, and its valid wire. */
unsigned synth_link_wires(const struct synth_report *r, const char *module) {
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

bool synth_wires(const struct synth_report *r, const struct synth_added *a, struct synth_wires *w) {
  const double links = count_cluster(r, a, "downlink", false);
  *w = (struct synth_wires){.down = synth_link_wires(r, "downlink"),
                            .up = synth_link_wires(r, "uplink")};
  if (links == 0 || w->down == 0 || w->up == 0)
    return false;
  w->down += SYNTH_SIDE_DOWN;
  w->up += SYNTH_SIDE_UP;
  technology_wiring(&r->technology,
                    &(struct technology_links){.cluster = a->members,
                                               .sms = GPU_SMS,
                                               .down = w->down,
                                               .up = w->up,
                                               .all_leaders = links > a->members - 1},
                    &w->wiring);
  const double hops = w->wiring.wire_mm / r->technology.wire.hop_mm; /* of single wires */
  w->watts =
      technology_move_pj(&r->technology, SYNTH_ACTIVITY, hops, false) * 1e-12 * (2 * r->mhz * 1e6);
  return true;
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
static double icache_pj(const struct synth_report *r, const struct synth_unit *icache) {
  double pj = NAN;
  unsigned words = 0;
  for (size_t i = 0; icache != NULL && i < icache->nmemories; i++) {
    const struct synth_memory *m = &icache->memories[i];
    const struct technology_memory shape = {m->words, m->width, m->reads + m->writes};
    const struct technology_corner at40 = {40, 0};
    struct technology_macro macro;
    if (m->width == 64 && m->words > words &&
        technology_macro(&r->technology, &shape, at40, &macro, NULL) == 0) {
      words = m->words;
      pj = macro.access_pj;
    }
  }
  return pj;
}

/* Bits that the monitors of a GPU hold, in clusters of so many: as the article has it, where one
 * member leads, the fewest of the variants; or as built, the first of them. */
static double monitor_bits(const struct synth_report *r, unsigned members, bool as_built) {
  double found = NAN;
  for (size_t i = 0; i < r->nadded; i++) {
    const struct synth_added *a = &r->added[i];
    if (a->members != members || (as_built && strcmp(a->variant, "as built") != 0))
      continue;
    const unsigned clusters = GPU_SMS / members;
    const double n = clusters * count_cluster(r, a, "monitor", true);
    if (n > 0 && !(n >= found))
      found = n;
  }
  return found;
}

static void scoreboards(const struct synth_report *r, struct papers_measured *m) {
  const size_t leader = find_leader(r);
  const struct synth_unit *own = find(r, r->baseline, "scoreboard");
  if (leader == SIZE_MAX || own == NULL)
    return;
  const struct synth_unit *monitor = find(r, leader, "monitor");
  const struct synth_unit *scoreboard = find(r, leader, "scoreboard");
  m->scoreboard_bits = bits(own);
  m->scoreboard_power = watts(own);
  if (scoreboard != NULL) {
    m->added_bits = bits(monitor) + bits(scoreboard) - bits(own);
    m->leader_scoreboard_power = watts(monitor) + watts(scoreboard);
  }
  m->power_measured =
      synth_measured_scoreboards(r, &m->scoreboard_power, &m->leader_scoreboard_power);
}

static const char *text_or_null(const char *text) { return text[0] != '\0' ? text : NULL; }

/* A figure that designs.yaml reckons, as a row. */
static struct papers_row figure_row(const struct synth_figure *x) {
  return (struct papers_row){.feature = x->feature,
                             .figure = x->rule.figure,
                             .unit = x->rule.unit,
                             .source = x->rule.source,
                             .paper = x->published,
                             .recomputed = x->recomputed,
                             .ours = x->ours,
                             .recomputed_how = text_or_null(x->rule.recomputed_how),
                             .ours_how = x->rule.ours_how};
}

/* Returns true if the report has clusters, and none of this feature. */
static bool lacks(const struct synth_report *r, const char *feature) {
  for (size_t i = 0; i < r->nadded; i++)
    if (strcmp(r->added[i].feature, feature) == 0)
      return false;
  return r->nadded > 0;
}

size_t synth_papers(const struct synth_report *r, struct papers_row **rows) {
  *rows = calloc(PAPERS_ROWS + r->nfigures, sizeof **rows);
  if (*rows == NULL)
    return 0;
  struct papers_measured m = {
      .monitor_bits = {monitor_bits(r, 2, false), monitor_bits(r, 4, false)},
      .monitor_bits_built = monitor_bits(r, 4, true),
      .scoreboard_bits = NAN,
      .added_bits = NAN,
      .scoreboard_power = NAN,
      .leader_scoreboard_power = NAN,
      .flit_changes = synth_measured_flit(r),
      .icache_pj = NAN,
      .down = synth_link_wires(r, "downlink"),
      .up = synth_link_wires(r, "uplink")};
  if (m.up == 0)
    m.down = 0;
  if (r->baseline < r->nunits) {
    m.icache_pj = icache_pj(r, find(r, r->baseline, "icache"));
    scoreboards(r, &m);
  }
  papers_compare(&r->technology, &m, *rows);
  size_t n = 0;
  for (size_t i = 0; i < PAPERS_ROWS; i++)
    if (!lacks(r, (*rows)[i].feature))
      (*rows)[n++] = (*rows)[i];
  for (size_t i = 0; i < r->nfigures; i++)
    (*rows)[n++] = figure_row(&r->figures[i]);
  return n;
}
