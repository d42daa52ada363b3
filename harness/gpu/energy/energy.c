/* Energy of a run: activity from its counters, then the expressions of energy.def. */
#include <math.h>
#include <string.h>

#include "csim/isa/core/isa.h"
#include "harness/gpu/config.h"
#include "harness/gpu/results/statistics.h"

#define ENERGY_DEF "harness/gpu/energy/energy.def"
#include "harness/gpu/energy/tables.h"

const struct energy_tables energy_common = {ENERGY_LISTS};

#define OF(unit) ((double)s->sm.by_unit[ISA_U_##unit])

/* ---- activity ---- */

static double quotient(double part, double whole) { return whole != 0 ? part / whole : 0; }

static void of_instructions(const struct tandem_config *c, const struct gpu_stats *s,
                            struct energy_activity *a) {
  a->issued = (double)s->sm.warp_instructions;
  a->own = a->issued;
  a->width = c->sm.slices;
  a->lanes = quotient((double)s->sm.thread_instructions, a->issued);
}

static void of_memory(const struct tandem_config *c, const struct gpu_stats *s,
                      struct energy_activity *a) {
  const struct mem_config *m = &c->mem;
  const double ticks = m->dram_burst > 4 ? m->dram_burst / 4 : 1,
               bytes = m->dram_chips * m->dram_bus_bytes * m->dram_burst,
               bursts = (double)s->mem.dram_busy / ticks * bytes / 64,
               requests = (double)(s->mem.dram_reads + s->mem.dram_writes);
  a->shared_pass = FIGURE(shared_pass) * sqrt(m->shared_bytes / FIGURE(shared_bytes));
  /* A store counts neither as a hit nor as a miss, but looks into the tags. */
  a->l1d = m->l1d ? (double)s->mem.transactions : 0;
  a->read_bursts = bursts * quotient((double)s->mem.dram_reads, requests);
  a->write_bursts = bursts - a->read_bursts;
  a->precharges = requests - (double)s->mem.dram_row_hits;
  a->l1_bytes = m->shared_bytes + (m->l1d ? m->l1d_bytes : 0.0);
  a->l2_bits = m->l2 ? 8.0 * m->l2_bytes * m->partitions : 0;
}

static void of_cycles(const struct tandem_config *c, const struct gpu_stats *s,
                      struct energy_activity *a) {
  a->cycle_s = 1e-6 / c->mem.core_mhz;
  a->seconds = (double)s->cycles * a->cycle_s;
  a->active = (double)s->sm.active_cycles;
  a->idle = (double)s->sm.cycles - a->active;
  a->published_w = FIGURE(published_gpu);
}

/* ---- energy ---- */

/* Adds the components of a feature; `to` gets their values.  Returns the sum of dynamic ones, mJ.
 */
static double add_feature(const struct tandem_config *c, const struct gpu_stats *s,
                          const struct energy_activity *a, const struct energy_tables *f,
                          struct energy *e, double *to) {
  double dynamic = 0;
  if (f->values != NULL)
    f->values(c, s, a, to);
  for (size_t i = 0; i < f->ncomponents; i++)
    if (strcmp(f->components[i].group, "dynamic") == 0) {
      dynamic += to[i] *= 1e-9;
    } else if (strcmp(f->components[i].group, "static") == 0) {
      e->leak_ours += to[i];
      to[i] *= e->time;
    }
  return dynamic;
}

void energy_compute(const struct tandem_config *c, const struct gpu_stats *s,
                    const struct energy_tables *const *of_features, size_t n, struct energy *e) {
  struct energy_activity a = {0};
  of_instructions(c, s, &a);
  of_memory(c, s, &a);
  of_cycles(c, s, &a);
  for (size_t i = 0; i < n; i++)
    if (of_features[i]->activity != NULL)
      of_features[i]->activity(c, s, &a);
  a.powered = 1 - (1 - FIGURE(leak_gated)) * quotient(a.gated, (double)s->sm.cycles);
  for (unsigned i = 0; i < ENERGY_OFF; i++)
    a.on[i] = 1 - (1 - FIGURE(leak_gated)) * quotient(a.off[i], (double)s->sm.cycles);
  *e = (struct energy){.time = 1e3 * a.seconds, .leak_published = a.published_w};
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
  e->sharing = e->dynamic_links;
  double *to = e->feature;
  for (size_t i = 0; i < n; to += of_features[i]->ncomponents, i++) {
    const double dynamic = add_feature(c, s, &a, of_features[i], e, to);
    e->dynamic_all += dynamic;
    e->sharing += of_features[i]->sharing ? dynamic : 0;
  }
  e->static_ours = e->leak_ours * e->time;
  e->saved = c->sms * FIGURE(leak_front_end) * (1 - a.powered) * e->time;
  e->static_published = e->leak_published * e->time - e->saved;
  e->front_end = e->dynamic_icache + e->dynamic_decode + e->dynamic_scheduler;
  const double share = FIGURE(front_end_share), rest = e->dynamic_all - e->front_end - e->sharing;
  e->front_end_synth =
      1e-9 * (FIGURE(synth_on) * ((double)s->sm.cycles - a.gated) + FIGURE(synth_off) * a.gated);
  e->front_end_share = share / (1 - share) * rest * quotient(a.own, a.issued);
}
