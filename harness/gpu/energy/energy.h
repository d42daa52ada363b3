/* Energy of a run by activity (docs/models/energy.md): each counter times the energy of its event,
 * by component, and leakage by time.  energy.def has the figures and sources of every GPU; a
 * feature adds its own (struct energy_tables). */
#ifndef TANDEM_ENERGY_H
#define TANDEM_ENERGY_H

#include <stdbool.h>
#include <stddef.h>

struct tandem_config;
struct gpu_stats;

/* A figure with its source, for the page of the documentation and for tests. */
struct energy_figure {
  const char *name, *unit, *kind, *source, *text;
  double value;
};
struct energy_source {
  const char *name, *text;
};
struct energy_component {
  const char *group; /* dynamic (mJ), static (mJ), sm_cycles */
  const char *name, *path, *title, *text;
};

/* Parts of an SM, besides the front end, that can be without power. */
enum energy_part {
  ENERGY_OFF_REGISTERS,
  ENERGY_OFF_LANES,
  ENERGY_OFF_LSU,
  ENERGY_OFF_OTHER,
  ENERGY_OFF_L1,
  ENERGY_OFF_READ_ONLY,
  ENERGY_OFF /* how many */
};

/* Quantities that terms are computed from.  A feature changes only the second group. */
struct energy_activity {
  double seconds, cycle_s;
  double issued;                                /* warp instructions */
  double lanes;                                 /* active ones of an instruction, mean */
  double shared_pass;                           /* pJ */
  double l1d;                                   /* transactions */
  double read_bursts, write_bursts, precharges; /* bursts of 64 bytes */
  double active;                                /* SM cycles with a live warp */
  double powered;                               /* of a front end's leakage, what gating leaves */
  double on[ENERGY_OFF]; /* likewise of the parts below, what gating leaves */
  double l2_bits;

  double width;              /* of a warp, in units of 32 lanes */
  double idle;               /* SM cycles without one */
  double off[ENERGY_OFF];    /* SM cycles in which a part has no power */
  double l1_bytes;           /* in those of the SM whose leakage leak_l1 is, 64 KB */
  double own;                /* warp instructions that a front end of their own SM issued */
  double gated, powering_up; /* SM cycles with the front end off, and of its powering up */
  double link_bit_hops;      /* of wires between SMs */
  double published_w;        /* leakage that the sources give for such a GPU */
};

/* The tables that a feature adds: figures and sources for the documentation, changes to the
 * activity, and components.  `values` writes one value for each component: pJ, W, or SM cycles. */
struct energy_tables {
  const struct energy_source *sources;
  const struct energy_figure *figures;
  const struct energy_component *components;
  size_t nsources, nfigures, ncomponents;
  bool sharing; /* its dynamic components are the price of shared front ends */
  void (*activity)(const struct tandem_config *c, const struct gpu_stats *s,
                   struct energy_activity *a);
  void (*values)(const struct tandem_config *c, const struct gpu_stats *s,
                 const struct energy_activity *a, double *values);
};

enum {
#define ENERGY_SOURCE(...)
#define ENERGY_FIGURE(name, ...) ENERGY_##name,
#define ENERGY_DYNAMIC(...)
#define ENERGY_STATIC(...)
#define ENERGY_CYCLES(...)
#include "harness/gpu/energy/energy.def"
  ENERGY_FIGURES,
  ENERGY_TERMS = 24 /* components of all features, at most */
};
extern const struct energy_tables energy_common; /* without functions */
/* The value of a figure of energy.def. */
#define ENERGY_OF(name) (energy_common.figures[ENERGY_##name].value)

#define ENERGY_SOURCE(...)
#define ENERGY_FIGURE(...)
#define ENERGY_DYNAMIC(name, ...) double dynamic_##name; /* mJ */
#define ENERGY_STATIC(name, ...) double static_##name;   /* mJ */
#define ENERGY_CYCLES(name, ...) double cycles_##name;
struct energy {
#include "harness/gpu/energy/energy.def"
  double feature[ENERGY_TERMS]; /* mJ or SM cycles: components of the features, in their order */
  double time;                  /* of all launches, ms */
  double dynamic_all;           /* mJ */
  double static_ours;           /* mJ; the sum of the components' */
  double static_published;      /* mJ, with the leakage that the thesis has for such a GPU */
  double front_end;             /* mJ: instruction caches, decoders, schedulers */
  double sharing;               /* mJ: wires between SMs, monitors, front ends waking */
  double saved;                 /* mJ: leakage of front ends while they are off */
  double front_end_synth;       /* mJ: by the power of its netlist */
  double front_end_share;       /* mJ: if it were the published share of dynamic power */
  double leak_ours, leak_published; /* W */
};

/* The energy of what was counted on a GPU with this configuration, with the terms of n features. */
void energy_compute(const struct tandem_config *c, const struct gpu_stats *s,
                    const struct energy_tables *const *of_features, size_t n, struct energy *e);

/* Lines of an energy.def as elements of the tables. */
#define ENERGY_SOURCE_ROW(name, text) {#name, text},
#define ENERGY_FIGURE_ROW(name, value, unit, kind, source, text)                                   \
  {#name, unit, #kind, #source, text, value},
#define ENERGY_DYNAMIC_ROW(name, title, energy, text)                                              \
  {"dynamic", #name, "energy.dynamic." #name, title, text},
#define ENERGY_STATIC_ROW(name, title, power, text)                                                \
  {"static", #name, "energy.static." #name, "", text},
#define ENERGY_CYCLES_ROW(name, cycles, text)                                                      \
  {"sm_cycles", #name, "energy.sm_cycles." #name, "", text},
#define ENERGY_NOTHING(...)

#endif
