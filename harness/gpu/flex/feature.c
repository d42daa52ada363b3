/* Cross-SM resource sharing as a feature: keys, statistics, energy. */
#include "harness/gpu/feature.h"

#include <errno.h>
#include <stdlib.h>

#include "harness/gpu/flex/flex.h"
#include "harness/gpu/flex/launch.h"
#include "harness/gpu/flex/tracks.h"
#include "harness/gpu/results/figures.h"
#include "harness/gpu/results/statistics.h"

#define FEATURE flex

static const struct config_key keys[] = {
#include "harness/gpu/flex/keys.def"
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static bool present(const struct tandem_config *c) { return c->feature.flex.size != 0; }

/* ---- configuration ---- */

/* Refuses a number that does not divide into the banks and ways that are lent.
 */
static int check_whole(const char *key, uint64_t value, uint64_t unit, const char *why,
                       struct tandem_error *err) {
  if (value != 0 && value % unit == 0)
    return 0;
  return tandem_fail(err, -EINVAL, "%s must be a multiple of %llu with flex.size, %s, not %llu",
                     key, (unsigned long long)unit, why, (unsigned long long)value);
}

static int check_cluster(const struct tandem_config *c, struct tandem_error *err) {
  const struct flex_config *f = &c->feature.flex;
  if (f->size != 2 && f->size != FLEX_MEMBERS)
    return tandem_fail(err, -EINVAL,
                       "flex.size must be 0, 2 or 6, not %u: pairs, or three "
                       "pairs and two trios",
                       f->size);
  if (c->sms % f->size != 0)
    return tandem_fail(err, -EINVAL, "%u SMs do not make clusters of %u: sms must be a multiple",
                       c->sms, f->size);
  if (f->scheme == FLEX_BAL && f->size == 2)
    return tandem_fail(err, -EINVAL,
                       "flex.scheme bal needs trios, clusters of 6 SMs (flex.size), not of 2");
  if (f->choice == FLEX_RULE_POWER && f->power_limit == 0)
    return tandem_fail(err, -EINVAL,
                       "flex.choice power needs a limit: flex.power_limit must be above 0 W");
  if (f->dummy == 0 && c->engine != TANDEM_ENGINE_REF)
    return tandem_fail(err, -EINVAL,
                       "flex.dummy 0 needs engine ref: hardware has one stage or two");
  return 0;
}

/* Checks an SM as it is alone. */
static int check_sm(const struct tandem_config *c, struct tandem_error *err) {
  const struct sm_config *s = &c->sm;
  const struct mem_config *m = &c->mem;
  if (s->warps != FLEX_WARPS)
    return tandem_fail(err, -EINVAL,
                       "sm.warps must be %d with flex.size, not %u: lent "
                       "contexts are warps %d to "
                       "%d of the borrower",
                       FLEX_WARPS, s->warps, FLEX_WARPS, 2 * FLEX_WARPS - 1);
  if (s->ibuffer_entries != 2)
    return tandem_fail(err, -EINVAL, "sm.ibuffer_entries must be 2 with flex.size, not %u",
                       s->ibuffer_entries);
  TRY(check_whole("sm.banks", s->banks, 2, "halves of which are lent", err));
  TRY(check_whole("sm.collectors_sp", s->collectors_sp, 2, "halves of which are lent", err));
  TRY(check_whole("sm.collectors_sfu", s->collectors_sfu, 2, "halves of which are lent", err));
  TRY(check_whole("sm.collectors_mem", s->collectors_mem, 2, "halves of which are lent", err));
  TRY(check_whole("sm.registers", s->registers, 2 * 32 * s->banks, "two halves of all banks", err));
  TRY(check_whole("sm.shared_bytes", s->shared_bytes, 256, "two halves of 128 bytes", err));
  if (s->shared_bytes != m->shared_bytes)
    return tandem_fail(err, -EINVAL,
                       "memory.shared_bytes must be sm.shared_bytes, %u, with "
                       "flex.size, not %u: "
                       "higher addresses are the lender's",
                       s->shared_bytes, m->shared_bytes);
  TRY(check_whole("memory.shared_banks", m->shared_banks, 2, "halves of which are lent", err));
  if (!m->l1d)
    return tandem_fail(err, -EINVAL, "memory.l1d must be true with flex.size: its ways are lent");
  TRY(check_whole("memory.l1d_ways", m->l1d_ways, 2, "halves of which are lent", err));
  return check_whole("memory.l1d_bytes", m->l1d_bytes, 2 * m->l1d_ways * m->line_bytes,
                     "two sets, whose halves are lent", err);
}

static int check(const struct tandem_config *c, struct tandem_error *err) {
  if (!present(c))
    return 0;
  TRY(check_cluster(c, err));
  return check_sm(c, err);
}

/* In some scheme the registers serve twice as many warps: programs take none that would cost it. */
static void settle(struct tandem_config *c) {
  if (present(c))
    c->sm.most_warps = 2 * FLEX_WARPS;
}

/* A launch with a scheme needs clusters; the schemes themselves are checked
 * with the occupancy. */
static int check_launch(const struct tandem *t, const struct tandem_launch *l, const struct grid *g,
                        unsigned occupancy, struct tandem_error *err) {
  (void)occupancy;
  if (l->flex == NULL || present(&t->config))
    return 0;
  return tandem_fail(err, -EINVAL,
                     "kernel %s is launched with flex, and this GPU has no "
                     "clusters (flex.size)",
                     g->kernel->name);
}

/* ---- statistics ---- */

static struct figure *figures(const struct gpu_stats *stats, struct figure *f) {
  const struct flex_statistics *s = &stats->feature.flex;
#define GROUP FIGURES_FEATURE
#define STAT_COUNT FIGURE_COUNT_ROW
#define STAT_SHARE FIGURE_SHARE_ROW
#include "harness/gpu/flex/statistics.def"
#undef GROUP
  return f;
}

/* ---- energy ---- */

#define ENERGY_DEF "harness/gpu/flex/energy.def"
#include "harness/gpu/energy/tables.h"

enum {
  PLANE = 32 * 32,     /* bits of an operand of 32 lanes */
  LINE = 128 * 8 + 32, /* bits of a line of L1D or a pass over shared memory,
                          and its address */
  DECODED = 64 + 15,   /* an instruction and its control bundle */
  ENTRY = 96,          /* of a stack of 64 lanes */
  WRITE = 7 + 2 * DECODED,
  READ = 7 + DECODED, /* request and answer */
  PUSH = 7 + 5 + ENTRY,
  POP = 11 + ENTRY,
  WIDE = 1 + 64 + 32,  /* valid, word and mask for the upper half's collectors */
  NARROW = 1 + 32 + 8, /* valid and mask for a borrowed warp's, their report and credit */
  BRANCH = 7 + 32      /* warp and lanes of a branch or exit */
};

static double link_bits(const struct gpu_stats *stats) {
  const struct flex_statistics *s = &stats->feature.flex;
  const uint64_t planes = s->operand_planes + s->result_planes + s->address_planes + s->data_planes;
  return (double)(WRITE * s->far_writes + READ * s->far_reads + PUSH * s->far_pushes +
                  POP * s->far_pops + PLANE * planes + LINE * s->memory_lines +
                  WIDE * s->wide_instructions + NARROW * s->far_narrow + BRANCH * s->branches);
}

/* Bits that pass a stage of flip-flops, for one stage a path: those that cross pass a boundary
 * buffer; own warps pass dummy stages with what they decode and read, and with their operands if
 * they have 32 threads. */
static double staged_bits(const struct gpu_stats *stats) {
  const struct flex_statistics *s = &stats->feature.flex;
  const double staged = (double)s->staged, own = staged - (double)s->far_reads,
               narrow = staged - (double)s->wide_instructions,
               halves = (double)(stats->sm.warp_instructions + s->wide_instructions);
  const double operands = halves > 0 ? (double)stats->sm.operands_read / halves : 0;
  const double own_planes = narrow * operands - (double)s->operand_planes;
  return link_bits(stats) + 2 * READ * own + (own_planes > 0 ? PLANE * own_planes : 0);
}

/* Leakage of each domain of an SM, W. */
static void domain_watts(const struct tandem_config *c, double watt[FLEX_DOMAINS]) {
  const double size = c->mem.shared_bytes + c->mem.l1d_bytes;
  watt[FLEX_FE] = watt[FLEX_CTX] = ENERGY_OF(leak_front_end) / 2;
  watt[FLEX_RF] = ENERGY_OF(leak_registers);
  watt[FLEX_SIMD] = ENERGY_OF(leak_simd);
  watt[FLEX_MEM] = ENERGY_OF(leak_l1) * size / FIGURE(own_l1);
  watt[FLEX_LSU] = ENERGY_OF(leak_lsu);
  watt[FLEX_MISC] = ENERGY_OF(leak_other) + ENERGY_OF(leak_read_only);
}

/* Watts of the domains that were switched on, summed over the times. */
static double waking(const struct tandem_config *c, const struct gpu_stats *stats) {
  const struct flex_statistics *s = &stats->feature.flex;
  const uint64_t wakes[FLEX_DOMAINS] = {s->wakes_front_end, s->wakes_contexts, s->wakes_registers,
                                        s->wakes_lanes,     s->wakes_memory,   s->wakes_lsu,
                                        s->wakes_other};
  double watt[FLEX_DOMAINS], sum = 0;
  domain_watts(c, watt);
  for (unsigned d = 0; d < FLEX_DOMAINS; d++)
    sum += (double)wakes[d] * watt[d];
  return sum;
}

/* Contexts and the rest of the front end are half of its leakage each.  Table
 * III's leakage of L1D and shared memory is that of table II's SM. */
static void activity(const struct tandem_config *c, const struct gpu_stats *stats,
                     struct energy_activity *a) {
  const struct flex_statistics *s = &stats->feature.flex;
  if (!present(c))
    return;
  a->gated = (double)(s->off_front_end + s->off_contexts) / 2;
  a->off[ENERGY_OFF_REGISTERS] = (double)s->off_registers;
  a->off[ENERGY_OFF_LANES] = (double)s->off_lanes;
  a->off[ENERGY_OFF_LSU] = (double)s->off_lsu;
  a->off[ENERGY_OFF_L1] = (double)s->off_memory;
  a->off[ENERGY_OFF_OTHER] = a->off[ENERGY_OFF_READ_ONLY] = (double)s->off_other;
  a->l1_bytes *= 65536 / FIGURE(own_l1);
  a->idle -= (double)s->lending_idle;
  if (a->issued > 0)
    a->width = 1 + (double)s->wide_instructions / a->issued;
}

/* Leakage of an SM with power in a set of domains; gating leaves leak_gated of the others. */
static double leak_of(const struct tandem_config *c, unsigned powered) {
  double watt[FLEX_DOMAINS], sum = 0;
  domain_watts(c, watt);
  for (unsigned d = 0; d < FLEX_DOMAINS; d++)
    sum += watt[d] * ((powered >> d & 1) != 0 ? 1 : ENERGY_OF(leak_gated));
  return sum;
}

struct flex_watts flex_watts_of(const struct tandem_config *c) {
  const struct flex_config *f = &c->feature.flex;
  const bool own = f->memory == FLEX_MEMORY_OWN;
  const unsigned clusters = c->sms / f->size;
  struct flex_watts w = {.limit = f->power_limit};
  for (unsigned s = 0; s < FLEX_SCHEMES; s++) {
    double members = 0;
    for (unsigned m = 0; m < f->size; m++)
      members += leak_of(c, flex_power((enum flex_scheme)s, own, m));
    w.sms[s] = clusters * members + c->sms * FIGURE(wiring);
  }
  const double bits = c->mem.l2 ? 8.0 * c->mem.l2_bytes * c->mem.partitions : 0;
  w.others = bits * ENERGY_OF(leak_bit) + ENERGY_OF(constant_power);
  return w;
}

static void values(const struct tandem_config *c, const struct gpu_stats *s,
                   const struct energy_activity *a, double *value) {
#define ENERGY_SOURCE ENERGY_NOTHING
#define ENERGY_FIGURE ENERGY_NOTHING
#define ENERGY_DYNAMIC(name, title, energy, text) *value++ = (energy);
#define ENERGY_STATIC(name, title, power, text) *value++ = (power);
#define ENERGY_CYCLES(name, cycles, text) *value++ = (cycles);
#include "harness/gpu/flex/energy.def"
}

const struct feature feature_flex = {
    .name = "flex",
    .title = "cross-SM resource sharing",
    .page = "docs/hardware/flex.md",
    .machine = &machine_flex,
    .keys = keys,
    .nkeys = COUNT(keys),
    .present = present,
    .settle = settle,
    .check = check,
    .launch = {"flex", offsetof(struct tandem_launch, flex), sizeof(struct tandem_flex),
               flex_launch_read},
    .check_launch = check_launch,
    .figures = figures,
    .summary = flex_summary,
    .lines = flex_lines,
    .lists = flex_lists,
    .tracks = {flex_tracks_open, flex_tracks_look, free},
    .energy = {ENERGY_LISTS, .activity = activity, .values = values},
    .faults = {.own_gpu = true, .programs = (const char *const[]){"flex/faults/schemes", NULL}}};
