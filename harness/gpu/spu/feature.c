/* A stencil processing unit as a feature: keys, statistics, energy. */
#include "harness/gpu/feature.h"

#include <math.h>
#include <stdlib.h>

#include "harness/gpu/results/figures.h"
#include "harness/gpu/results/statistics.h"
#include "harness/gpu/spu/check.h"
#include "harness/gpu/spu/launch.h"
#include "harness/gpu/spu/spu.h"
#include "harness/gpu/spu/tracks.h"

#define FEATURE spu

static const struct config_key keys[] = {
#include "harness/gpu/spu/keys.def"
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static bool present(const struct tandem_config *c) { return c->feature.spu.columns != 0; }

static struct figure *figures(const struct gpu_stats *stats, struct figure *f) {
  const struct spu_statistics *s = &stats->feature.spu;
#define GROUP FIGURES_FEATURE
#define STAT_COUNT FIGURE_COUNT_ROW
#define STAT_VALUE FIGURE_VALUE_ROW
#include "harness/gpu/spu/statistics.def"
#undef GROUP
  return f;
}

/* ---- energy ---- */

#define ENERGY_DEF "harness/gpu/spu/energy.def"
#include "harness/gpu/energy/tables.h"

static bool truncated_sms(const struct tandem_config *c) {
  return c->feature.spu.interface == SPU_INTERFACE_SM;
}

static double columns(const struct tandem_config *c) {
  return c->feature.spu.columns * c->feature.spu.blocks_x;
}
static double rows(const struct tandem_config *c) {
  return c->feature.spu.rows * c->feature.spu.blocks_y;
}
/* Interface units around the grid, of each kind. */
static double engines(const struct tandem_config *c) {
  return present(c) && !truncated_sms(c) ? 2 * (columns(c) + rows(c)) : 0;
}
static double truncated(const struct tandem_config *c) {
  return present(c) && truncated_sms(c) ? 2.0 * (c->feature.spu.columns + c->feature.spu.rows) : 0;
}
static double buffer_bits(const struct tandem_config *c) {
  const double links = (columns(c) + 1) * rows(c) + columns(c) * (rows(c) + 1);
  return present(c) ? 2 * links * 8 * c->feature.spu.cb_bytes : 0;
}
/* pJ of a pass over a communication buffer, which is modelled like shared memory. */
static double buffer_pass(const struct tandem_config *c) {
  return ENERGY_OF(shared_pass) * sqrt(c->feature.spu.cb_bytes / ENERGY_OF(shared_bytes));
}
/* Words that DMA engines move; those of SMs are counted as passes over buffers. */
static double dma_words(const struct tandem_config *c, const struct gpu_stats *stats) {
  const struct spu_statistics *s = &stats->feature.spu;
  return truncated_sms(c)
             ? 0
             : (double)(s->words_in + s->words_out + s->words_spilled + s->words_restored);
}

static void activity(const struct tandem_config *c, const struct gpu_stats *stats,
                     struct energy_activity *a) {
  const struct spu_statistics *s = &stats->feature.spu;
  a->link_bit_hops += 32.0 * (double)(s->cb_writes + s->cb_reads) / 2;
  if (present(c))
    a->published_w =
        (truncated_sms(c) ? FIGURE(published_truncated) : FIGURE(published_spu)) +
        (c->feature.spu.cb_bytes - 4096.0) / (16384 - 4096) * FIGURE(published_buffers);
}

static void values(const struct tandem_config *c, const struct gpu_stats *s,
                   const struct energy_activity *a, double *value) {
  (void)a;
#define ENERGY_SOURCE ENERGY_NOTHING
#define ENERGY_FIGURE ENERGY_NOTHING
#define ENERGY_DYNAMIC(name, title, energy, text) *value++ = (energy);
#define ENERGY_STATIC(name, title, power, text) *value++ = (power);
#define ENERGY_CYCLES(name, cycles, text) *value++ = (cycles);
#include "harness/gpu/spu/energy.def"
}

const struct feature feature_spu = {
    .name = "spu",
    .title = "stencil processing unit",
    .page = "docs/hardware/spu.md",
    .machine = &machine_spu,
    .keys = keys,
    .nkeys = COUNT(keys),
    .present = present,
    .check = spu_check,
    .launch = {"spu", offsetof(struct tandem_launch, spu), sizeof(struct tandem_spu),
               spu_launch_read},
    .check_launch = spu_check_launch,
    .figures = figures,
    .tracks = {spu_tracks_open, spu_tracks_look, free},
    .energy = {ENERGY_LISTS, .activity = activity, .values = values},
    .faults = {.own_gpu = true,
               .programs = (const char *const[]){"spu/faults/relay", "spu/faults/relay_serial",
                                                 "spu/faults/relay_leave", NULL}},
    /* The benchmark's kernels do not use it: it stands idle. */
    .bench = {"idle_spu", "idle SPU", (const char *const[]){"spu.columns=4", "spu.rows=4", NULL}}};
