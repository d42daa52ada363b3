/* Clusters of SMs that share resources, as the files of this folder share them. */
#ifndef TANDEM_GPU_FLEX_FLEX_H
#define TANDEM_GPU_FLEX_FLEX_H

#include "harness/gpu/feature.h"
#include "harness/gpu/flex/occupancy.h"
#include "harness/gpu/gpu.h"

/* The state of a cluster besides that of its cell. */
struct flex_cluster {
  struct flex_ports_in *in;
  const struct flex_ports_out *out;
  unsigned first, members;
  struct flex_cluster_out before; /* the outputs before the last ones */
  uint8_t off[FLEX_DOMAINS];      /* members without power in a domain */
  uint8_t active, waking;         /* members: how many */
  struct flex_statistics counts;
};

/* A scheme that launches of a kernel had, for reports. */
struct flex_chosen {
  char kernel[64];
  enum flex_scheme scheme;
  bool own; /* the launch says so */
  uint64_t launches;
};

/* The machine's own state. */
struct flex {
  struct flex_cluster *cluster;
  enum flex_scheme now; /* of the running launch, or of the last one */
  bool changes;         /* it is another one than that of the launch before */
  uint64_t formed;      /* cycle from which CTAs may be given: the outputs show the mode */
  struct flex_chosen *chosen;
  size_t nchosen;
};

/* The machine's numbers, as functions of section `occupancy` see them. */
struct flex_gpu flex_gpu_of(const struct tandem_config *c);

/* The schemes of launches (machine.h has each function's contract). */
unsigned flex_launch_occupancy(const struct tandem *t, const struct tandem_launch *l,
                               const struct grid *g, struct tandem_error *err);
int flex_launch_place(struct tandem *t, const struct tandem_launch *l, struct tandem_error *err);

/* Gives every SM and its memory side the shape that it has in the launch's scheme.  0 or a negative
 * errno. */
int flex_set_shapes(struct tandem *t, struct tandem_error *err);

/* Counts `cycles` cycles with the outputs as they are; counts what is new in the last ones. */
void flex_count(struct flex_cluster *c, uint64_t cycles);
void flex_events(struct flex_cluster *c);
void flex_statistics(const struct tandem *t, struct gpu_stats *stats);
/* Prints and writes the schemes of all kernels so far. */
void flex_lines(const struct tandem *t, FILE *out);
void flex_lists(const struct tandem *t, const struct result_writer *w);

extern const struct machine machine_flex;

#endif
