/* Energy of a run by activity (docs/energy.md): each counter times the energy of its event, by
 * component, and leakage by time.  Figures and sources are those of energy.def. */
#ifndef TANDEM_ENERGY_H
#define TANDEM_ENERGY_H

struct tandem_config;
struct gpu_stats;

#define ENERGY_SOURCE(...)
#define ENERGY_FIGURE(...)
#define ENERGY_DYNAMIC(name, ...) double dynamic_##name; /* mJ */
#define ENERGY_STATIC(name, ...) double static_##name;   /* mJ */
#define ENERGY_CYCLES(name, ...) double cycles_##name;
struct energy {
#include "harness/gpu/energy/energy.def"
  double time;                      /* of all launches, ms */
  double dynamic_all;               /* mJ */
  double static_ours;               /* mJ; the sum of the components' */
  double static_published;          /* mJ, with the leakage that the thesis has for such a GPU */
  double front_end;                 /* mJ: instruction caches, decoders, schedulers */
  double sharing;                   /* mJ: wires between SMs, monitors, front ends waking */
  double saved;                     /* mJ: leakage of front ends while they are off */
  double front_end_synth;           /* mJ: by the power of its netlist */
  double front_end_share;           /* mJ: if it were the published share of dynamic power */
  double leak_ours, leak_published; /* W */
};

/* The energy of what was counted on a GPU with this configuration. */
void energy_compute(const struct tandem_config *c, const struct gpu_stats *s, struct energy *e);

/* A figure with its source, for the page of the documentation and for tests. */
struct energy_figure {
  const char *name, *unit, *kind, *source, *text;
  double value;
};
struct energy_source {
  const char *name, *text;
};
struct energy_component {
  const char *group, *name, *text; /* group: dynamic, static, sm_cycles */
};
extern const struct energy_figure energy_figures[];
extern const struct energy_source energy_sources[];
extern const struct energy_component energy_components[];
extern const unsigned energy_nfigures, energy_nsources, energy_ncomponents;

#endif
