/* Cost of the hardware: synthesis by yosys, timing and power by OpenSTA (docs/use/synth.md).
 *
 * A unit is a module with its parameters.  Units are found from the tops of designs.yaml: the
 * instances in a unit's netlist are the next units.  Figures of a unit are its own (without what it
 * instantiates) and whole (with it). */
#ifndef TANDEM_SYNTH_FLOW_SYNTH_H
#define TANDEM_SYNTH_FLOW_SYNTH_H

#include "synth/model/report.h"

struct synth_progress {
  size_t done, known; /* steps; more become known as units are found */
  const char *step, *unit;
};

struct synth_config {
  const char *root;           /* the tree: rtl/, synth/ */
  const char *build;          /* where netlists are kept */
  const char *const *liberty; /* files of one library; none: OSU 180 nm of qflow-tech-osu018 */
  size_t nliberty;
  const char *macros;       /* Liberty of memories; NULL: none */
  const char *sram;         /* map of memories to macros of that Liberty; NULL: none */
  const char *const *units; /* modules or units to look at; NULL: the designs */
  size_t nunits;
  const char *feature;       /* NULL: all */
  const char *const *values; /* of the feature's variables, each NAME=VALUE */
  size_t nvalues;
  double mhz;         /* core clock; 0: that of designs.yaml */
  bool flat;          /* tops flat, too */
  bool ungated;       /* no clock gates */
  bool keys;          /* nothing runs: keys of the designs' tops, and of the units that exist */
  uint64_t timed;     /* designs of more cells are not timed; 0: 1,500,000 */
  unsigned processes; /* side by side; 0: 2 */
  void (*progress)(void *user, const struct synth_progress *p);
  void *user;
};

/* Synthesises what changed since the last time and reports.  0, or a negative errno: -EINVAL what
 * was asked for is wrong, -ENOENT a file or tool is missing, others as they come.  Nothing of a
 * step that failed stays in the build folder. */
int synth_run(const struct synth_config *c, struct synth_report **report, struct tandem_error *err);
void synth_free(struct synth_report *r);

#endif
