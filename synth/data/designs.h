/* What designs.yaml says: tops, clocks, and what clusters consist of. */
#ifndef TANDEM_SYNTH_DATA_DESIGNS_H
#define TANDEM_SYNTH_DATA_DESIGNS_H

#include "csim/util/error.h"
#include "synth/data/spec.h"

struct synth_part {
  struct synth_spec spec;
  unsigned count;
  bool own;
};
struct synth_cluster {
  char feature[32], variant[32];
  unsigned members;
  struct synth_part parts[SYNTH_PARTS];
  size_t nparts;
};
struct synth_clock {
  char port[32];
  unsigned multiple;
};
struct synth_designs {
  char package[256], sources[256], reset[32]; /* sources: a pattern */
  unsigned memory_bits, sms;
  double mhz;
  struct synth_clock clocks[8];
  unsigned nclocks;
  struct synth_spec baseline;
  struct synth_cluster *clusters;
  size_t nclusters;
};
int synth_designs_load(const char *root, struct synth_designs *d, struct tandem_error *err);
void synth_designs_free(struct synth_designs *d);
/* The file of a module, relative to the root; false: there is none. */
bool synth_source(const struct synth_designs *d, const char *root, const char *module, char *path,
                  size_t size);
/* Module names of the tree, sorted, separated by blanks; to be freed. */
char *synth_modules(const struct synth_designs *d, const char *root);

#endif
