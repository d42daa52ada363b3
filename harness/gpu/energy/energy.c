/* Energy of a run: activity from its counters, then the expressions of energy.def. */
#include "harness/gpu/energy/energy.h"

#include <math.h>

#include "csim/isa/core/isa.h"
#include "harness/internal.h"

/* ---- figures ---- */

enum {
#define ENERGY_SOURCE(...)
#define ENERGY_FIGURE(name, ...) FIGURE_##name,
#define ENERGY_DYNAMIC(...)
#define ENERGY_STATIC(...)
#define ENERGY_CYCLES(...)
#include "harness/gpu/energy/energy.def"
  FIGURES
};

const struct energy_figure energy_figures[] = {
#define ENERGY_SOURCE(...)
#define ENERGY_FIGURE(name, value, unit, kind, source, text)                                       \
  [FIGURE_##name] = {#name, unit, #kind, #source, text, value},
#define ENERGY_DYNAMIC(...)
#define ENERGY_STATIC(...)
#define ENERGY_CYCLES(...)
#include "harness/gpu/energy/energy.def"
};

const struct energy_source energy_sources[] = {
#define ENERGY_SOURCE(name, text) {#name, text},
#define ENERGY_FIGURE(...)
#define ENERGY_DYNAMIC(...)
#define ENERGY_STATIC(...)
#define ENERGY_CYCLES(...)
#include "harness/gpu/energy/energy.def"
};

const struct energy_component energy_components[] = {
#define ENERGY_SOURCE(...)
#define ENERGY_FIGURE(...)
#define ENERGY_DYNAMIC(name, title, energy, text) {"dynamic", #name, text},
#define ENERGY_STATIC(name, title, power, text) {"static", #name, text},
#define ENERGY_CYCLES(name, cycles, text) {"sm_cycles", #name, text},
#include "harness/gpu/energy/energy.def"
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])
const unsigned energy_nfigures = COUNT(energy_figures), energy_nsources = COUNT(energy_sources),
               energy_ncomponents = COUNT(energy_components);

#define FIGURE(name) (energy_figures[FIGURE_##name].value)
#define OF(unit) ((double)s->sm.by_unit[ISA_U_##unit])

/* ---- activity ---- */

struct activity {
  double seconds, cycle_s;
  double issued, own; /* warp instructions; those of them that a front end of their SM issued */
  double width;       /* of a warp, in units of 32 lanes */
  double lanes;       /* active ones of an instruction, mean */
  double monitor;     /* bits of monitors, of those of a scoreboard without */
  double shared_pass, buffer_pass;              /* pJ */
  double dma_words;                             /* moved by interface units */
  double l1d;                                   /* transactions */
  double read_bursts, write_bursts, precharges; /* bursts of 64 bytes */
  double link_bit_hops;
  double active, idle, gated, powering_up, grouped; /* SM cycles */
  double powered; /* of a front end's leakage, what gating leaves */
  double l1_bytes, l2_bits, buffer_bits;
  double engines, truncated; /* interface units around the grid */
};

static double quotient(double part, double whole) { return whole != 0 ? part / whole : 0; }

static void of_instructions(const struct tandem_config *c, const struct gpu_stats *s,
                            struct activity *a) {
  a->issued = (double)s->sm.warp_instructions;
  a->own = a->issued - (double)s->buddy.inst_packets;
  a->width = c->warp_size / 32.0;
  a->lanes = quotient((double)s->sm.thread_instructions, a->issued);
}

static void of_memory(const struct tandem_config *c, const struct gpu_stats *s,
                      struct activity *a) {
  const struct mem_config *m = &c->mem;
  const double ticks = m->dram_burst > 4 ? m->dram_burst / 4 : 1,
               bytes = m->dram_chips * m->dram_bus_bytes * m->dram_burst,
               bursts = (double)s->mem.dram_busy / ticks * bytes / 64,
               requests = (double)(s->mem.dram_reads + s->mem.dram_writes);
  a->shared_pass = FIGURE(shared_pass) * sqrt(m->shared_bytes / FIGURE(shared_bytes));
  a->buffer_pass = FIGURE(shared_pass) * sqrt(c->cb_bytes / FIGURE(shared_bytes));
  /* A store counts neither as a hit nor as a miss, but looks into the tags. */
  a->l1d = m->l1d ? (double)s->mem.transactions : 0;
  a->read_bursts = bursts * quotient((double)s->mem.dram_reads, requests);
  a->write_bursts = bursts - a->read_bursts;
  a->precharges = requests - (double)s->mem.dram_row_hits;
  a->l1_bytes = m->shared_bytes + (m->l1d ? m->l1d_bytes : 0.0);
  a->l2_bits = m->l2 ? 8.0 * m->l2_bytes * m->partitions : 0;
}

static void of_features(const struct tandem_config *c, const struct gpu_stats *s,
                        struct activity *a) {
  const struct gpu_buddy_stats *b = &s->buddy;
  const struct gpu_spu_stats *u = &s->spu;
  const unsigned columns = c->spu_columns * c->spu_blocks_x, rows = c->spu_rows * c->spu_blocks_y;
  const bool spu = c->spu_columns != 0, sms = c->spu_interface == TANDEM_SPU_SM;
  /* Of SMs the passes over buffers are counted. */
  a->dma_words =
      sms ? 0 : (double)(u->words_in + u->words_out + u->words_spilled + u->words_restored);
  a->monitor = c->buddy > 1 ? c->mon_entries * FIGURE(monitor_bits) / FIGURE(scoreboard_bits) : 0;
  /* Each change of a role is answered by as many changes of the wires back, at most. */
  a->link_bit_hops = 64.0 * (double)b->downlink_hops + 16.0 * (double)b->uplink_hops +
                     2.0 * (double)b->side_band_hops +
                     32.0 * (double)(u->cb_writes + u->cb_reads) / 2;
  a->engines = spu && !sms ? 2.0 * (columns + rows) : 0;
  a->truncated = spu && sms ? 2.0 * (c->spu_columns + c->spu_rows) : 0;
  a->buffer_bits = spu ? 2.0 * ((columns + 1) * rows + columns * (rows + 1)) * 8 * c->cb_bytes : 0;
}

static void of_cycles(const struct tandem_config *c, const struct gpu_stats *s,
                      struct activity *a) {
  const double all = (double)s->sm.cycles;
  a->cycle_s = 1e-6 / c->mem.core_mhz;
  a->seconds = (double)s->cycles * a->cycle_s;
  a->active = (double)s->sm.active_cycles;
  a->idle = all - a->active;
  a->powering_up = (double)s->buddy.power_up_cycles;
  a->gated = (double)s->buddy.gated_cycles - a->powering_up;
  a->grouped = (double)s->buddy.grouped_cycles;
  a->powered = 1 - (1 - FIGURE(leak_gated)) * quotient(a->gated, all);
}

/* ---- energy ---- */

static double published(const struct tandem_config *c) {
  if (c->spu_columns == 0)
    return FIGURE(published_gpu);
  return (c->spu_interface == TANDEM_SPU_SM ? FIGURE(published_truncated) : FIGURE(published_spu)) +
         (c->cb_bytes - 4096.0) / (16384 - 4096) * FIGURE(published_buffers);
}

void energy_compute(const struct tandem_config *c, const struct gpu_stats *s, struct energy *e) {
  struct activity a = {0};
  of_instructions(c, s, &a);
  of_memory(c, s, &a);
  of_features(c, s, &a);
  of_cycles(c, s, &a);
  *e = (struct energy){.time = 1e3 * a.seconds, .leak_published = published(c)};
#define ENERGY_SOURCE(...)
#define ENERGY_FIGURE(...)
#define ENERGY_DYNAMIC(name, title, energy, text)                                                  \
  e->dynamic_##name = 1e-9 * (energy);                                                             \
  e->dynamic_all += e->dynamic_##name;
#define ENERGY_STATIC(name, title, power, text)                                                    \
  e->static_##name = (power)*e->time;                                                              \
  e->leak_ours += (power);
#define ENERGY_CYCLES(name, cycles, text) e->cycles_##name = cycles;
#include "harness/gpu/energy/energy.def"
  e->static_ours = e->leak_ours * e->time;
  e->saved = c->sms * FIGURE(leak_front_end) * (1 - a.powered) * e->time;
  e->static_published = e->leak_published * e->time - e->saved;
  e->front_end = e->dynamic_icache + e->dynamic_decode + e->dynamic_scheduler;
  e->sharing = e->dynamic_links + e->dynamic_monitor + e->dynamic_wake;
  const double share = FIGURE(front_end_share), rest = e->dynamic_all - e->front_end - e->sharing;
  e->front_end_synth =
      1e-9 * (FIGURE(synth_on) * ((double)s->sm.cycles - a.gated) + FIGURE(synth_off) * a.gated);
  e->front_end_share = share / (1 - share) * rest * quotient(a.own, a.issued);
}
