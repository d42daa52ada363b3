/* Shared front ends as a feature: keys, statistics, energy, lines of reports. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "harness/gpu/buddy/buddy.h"
#include "harness/gpu/buddy/tracks.h"
#include "harness/gpu/buddy/why.h"
#include "harness/gpu/core/sms.h"
#include "harness/gpu/results/figures.h"
#include "harness/gpu/results/statistics.h"

#define FEATURE buddy

static const struct config_key keys[] = {
#include "harness/gpu/buddy/keys.def"
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static bool present(const struct tandem_config *c) { return c->feature.buddy.size > 1; }

/* SMs in no cluster may have the queues of members of one, to compare with: in the reference alone,
 * as there is no RTL of them. */
static int check(const struct tandem_config *c, struct tandem_error *err) {
  if (!c->feature.buddy.member_queues)
    return present(c) ? buddy_check(c, err) : 0;
  if (machine_of(c) != &machine_sms)
    return tandem_fail(err, -EINVAL,
                       "buddy.member_queues is for SMs alone, with warps of 32 threads: members of "
                       "a cluster have such queues, an SPU and large warps have others");
  if (c->engine != TANDEM_ENGINE_REF)
    return tandem_fail(
        err, -EINVAL,
        "buddy.member_queues needs engine ref: there is RTL of such an SM in clusters "
        "alone (buddy.formation apart)");
  return 0;
}

static void sm_config(const struct tandem_config *c, unsigned sm, struct sm_config *of) {
  (void)sm;
  of->deep_queues = present(c) || c->feature.buddy.member_queues;
}

/* ---- statistics ---- */

static struct figure *figures(const struct gpu_stats *stats, struct figure *f) {
  const struct buddy_statistics *s = &stats->feature.buddy;
#define GROUP FIGURES_FEATURE
#define STAT_COUNT FIGURE_COUNT_ROW
#define STAT_VALUE FIGURE_VALUE_ROW
#define STAT_SHARE FIGURE_SHARE_ROW
#include "harness/gpu/buddy/statistics.def"
#undef GROUP
  return f;
}

/* The share of these cycles in all of a launch; of none it is `without`. */
static double part(uint64_t cycles, uint64_t all, double without) {
  return all != 0 ? (double)cycles / (double)all : without;
}

/* The share of the launch's cycles with work in which an SM is in a group. */
static double launch_time(const struct gpu_stats *now, const struct gpu_stats *before) {
  const struct buddy_statistics *n = &now->feature.buddy, *b = &before->feature.buddy;
  return part(n->grouped_cycles - b->grouped_cycles, n->resident_cycles - b->resident_cycles, 1);
}

/* The share, in the cycles of SMs that were put in a group, of those in which they are in it. */
static double launch_time_of_groups(const struct gpu_stats *now, const struct gpu_stats *before) {
  const struct buddy_statistics *n = &now->feature.buddy, *b = &before->feature.buddy;
  return part(n->together_cycles - b->together_cycles, n->formed_cycles - b->formed_cycles, 0);
}

static const struct launch_figure launch_figures[] = {
    {"buddy.launch_time", "buddy time", launch_time},
    {"buddy.launch_time_of_groups", NULL, launch_time_of_groups}};

/* ---- reports ---- */

enum { LISTED = 32 };

static void line(FILE *out, const struct gpu_ungroup *u) {
  static const char *const directions[] = {"none", "taken", "not taken", "both"};
  fprintf(out, "    cycle %" PRIu64 ", master SM %u: ", u->cycle, u->lead);
  if (u->split)
    fprintf(out, "too few CTAs were left\n");
  else if (u->directions != u->master_directions)
    fprintf(out, "SM %u warp %u at PC %u goes %s, the master %s\n", u->sm, u->warp, u->pc,
            directions[u->directions & 3], directions[u->master_directions & 3]);
  else
    fprintf(out, "SM %u warp %u at PC %u goes elsewhere than the master\n", u->sm, u->warp, u->pc);
}

static void lines(const struct tandem *t, FILE *out) {
  struct gpu_ungroup rows[LISTED];
  const size_t n = gpu_ungroups(t, rows, LISTED);
  if (n != 0)
    fprintf(out, "  the first groups that came apart\n");
  for (size_t i = 0; i < n && i < LISTED; i++)
    line(out, &rows[i]);
}

static void lists(const struct tandem *t, const struct result_writer *w) {
  struct gpu_ungroup rows[LISTED];
  const size_t n = gpu_ungroups(t, rows, LISTED);
  w->open(w->user, "gated_by_sm", true);
  for (unsigned i = 0; i < t->config.sms; i++)
    w->number(w->user, NULL, buddy_gated_cycles(t, i));
  w->close(w->user);
  w->open(w->user, "causes", true);
  for (size_t i = 0; i < n && i < LISTED; i++) {
    const struct gpu_ungroup *u = &rows[i];
    w->open(w->user, NULL, false);
    w->text(w->user, "cause", u->split ? "split" : "slave");
    w->number(w->user, "cycle", u->cycle);
    w->number(w->user, "master", u->lead);
    if (!u->split) {
      w->number(w->user, "sm", u->sm);
      w->number(w->user, "warp", u->warp);
      w->number(w->user, "pc", u->pc);
      w->number(w->user, "directions", u->directions);
      w->number(w->user, "master_directions", u->master_directions);
    }
    w->close(w->user);
  }
  w->close(w->user);
}

/* ---- energy ---- */

#define ENERGY_DEF "harness/gpu/buddy/energy.def"
#include "harness/gpu/energy/tables.h"

/* A slave's front end does not issue what its master's InstPackets bring.  Each change of a role is
 * answered by as many changes of the wires back, at most. */
static void activity(const struct tandem_config *c, const struct gpu_stats *stats,
                     struct energy_activity *a) {
  const struct buddy_statistics *s = &stats->feature.buddy;
  (void)c;
  a->own -= (double)s->inst_packets;
  a->powering_up = (double)s->power_up_cycles;
  a->gated = (double)s->gated_cycles - a->powering_up;
  a->link_bit_hops += 64.0 * (double)s->downlink_hops + 16.0 * (double)s->uplink_hops +
                      2.0 * (double)s->side_band_hops;
}

/* Bits of monitors, of those of a scoreboard without. */
static double monitor_share(const struct tandem_config *c) {
  return present(c) ? c->feature.buddy.mon_entries * FIGURE(monitor_bits) / FIGURE(scoreboard_bits)
                    : 0;
}

static void values(const struct tandem_config *c, const struct gpu_stats *s,
                   const struct energy_activity *a, double *value) {
#define ENERGY_SOURCE ENERGY_NOTHING
#define ENERGY_FIGURE ENERGY_NOTHING
#define ENERGY_DYNAMIC(name, title, energy, text) *value++ = (energy);
#define ENERGY_STATIC(name, title, power, text) *value++ = (power);
#define ENERGY_CYCLES(name, cycles, text) *value++ = (cycles);
#include "harness/gpu/buddy/energy.def"
}

const struct feature feature_buddy = {
    .name = "buddy",
    .title = "shared front ends",
    .page = "docs/hardware/buddy.md",
    .machine = &machine_buddy,
    .keys = keys,
    .nkeys = COUNT(keys),
    .present = present,
    .check = check,
    .sm_config = sm_config,
    .member_stalls = true,
    .figures = figures,
    .launch_figures = launch_figures,
    .nlaunch_figures = COUNT(launch_figures),
    .lines = lines,
    .lists = lists,
    .causes = &buddy_causes,
    .tracks = {buddy_tracks_open, buddy_tracks_look, free},
    .energy = {ENERGY_LISTS, .sharing = true, .activity = activity, .values = values},
    .faults = {.settings = (const char *const[]){"sms=4", "buddy.size=2",
                                                 "buddy.formation=adaptive", NULL}},
    .bench = {"buddy", "clusters of four", (const char *const[]){"buddy.size=4", NULL}}};
