/* Clusters of SMs that share resources, as the files of this folder share them. */
#ifndef TANDEM_GPU_FLEX_FLEX_H
#define TANDEM_GPU_FLEX_FLEX_H

#include "harness/gpu/core/gpu.h"
#include "harness/gpu/feature.h"
#include "harness/gpu/flex/choice.h"

struct sm_lanes;

/* The state of a cluster besides that of its cell. */
struct flex_cluster {
  struct flex_ports_in *in;
  const struct flex_ports_out *out;
  unsigned first, members;
  struct sm_lanes *pair[FLEX_MEMBERS]; /* of each borrower in pairs, with its lender */
  unsigned wide;                       /* members that work in a pair: borrowers and lenders */
  struct flex_cluster_out before;      /* the outputs before the last ones */
  uint8_t off[FLEX_DOMAINS];           /* members without power in a domain */
  uint8_t active, waking;              /* members: how many */
  struct flex_statistics counts;
};

/* A scheme that launches of a kernel had, and why: for reports. */
struct flex_chosen {
  char kernel[64];
  struct flex_choice choice;
  uint64_t launches;
};

/* A kernel and shape whose first launch the rule `first` measures. */
struct flex_known {
  const struct isa_kernel *kernel;
  uint32_t dim[3], block[3], shared_bytes;
  bool measured;
  struct flex_measured is;
};

/* Counts of all launches, of which differences make struct flex_measured. */
struct flex_counts {
  uint64_t cycles, thread_instructions;
  double time, dynamic; /* ms; mJ */
};

/* Cycles in which SMs have a live warp. */
struct flex_usage {
  uint64_t lent;      /* of lenders */
  uint64_t warp_room; /* of the others, times the warps that each has in the launch's scheme */
};

/* The machine's own state. */
struct flex {
  struct flex_cluster *cluster;
  struct flex_choice now;        /* of the running launch, or of the last one */
  struct sm_shape shape;         /* of an SM that borrows, in it */
  bool running;                  /* a launch has begun and not ended */
  struct flex_usage used;        /* in launches that have ended */
  uint64_t active_from[GPU_SMS]; /* active cycles of each SM as the launch began */
  bool changes;                  /* it is another one than that of the launch before */
  uint64_t formed;               /* cycle from which CTAs may be given: the outputs show the mode */
  struct flex_known *known;      /* in the order of their first launches */
  size_t nknown;
  struct flex_known *open; /* the one that is measured now */
  struct flex_counts from; /* at its beginning */
  struct flex_chosen *chosen;
  size_t nchosen;
};

/* The machine's numbers, as functions of section `occupancy` see them. */
struct flex_gpu flex_gpu_of(const struct tandem_config *c);

/* The power of SMs in each scheme, and of the rest of the GPU; the limit is the configuration's. */
struct flex_watts flex_watts_of(const struct tandem_config *c);

/* The schemes of launches (machine.h has each function's contract). */
unsigned flex_launch_occupancy(const struct tandem *t, const struct tandem_launch *l,
                               const struct grid *g, struct tandem_error *err);
int flex_launch_place(struct tandem *t, const struct tandem_launch *l, struct tandem_error *err);
void flex_launch_drop(struct tandem *t);
/* Begins to measure the launch, if it is to be. */
void flex_launch_measure(struct tandem *t);

/* Gives every SM and its memory side the shape that it has in the launch's scheme.  0 or a negative
 * errno. */
int flex_set_shapes(struct tandem *t, struct tandem_error *err);

/* Counts `cycles` cycles with the outputs as they are; counts what is new in the last ones. */
void flex_count(struct flex_cluster *c, uint64_t cycles);
void flex_events(struct flex_cluster *c);
/* Note that a launch begins, or ends, for struct flex_usage. */
void flex_usage_begin(struct tandem *t);
void flex_usage_end(struct tandem *t);
void flex_statistics(const struct tandem *t, struct gpu_stats *stats);
/* Print the schemes of launches so far and why they were chosen: the first few of them, all of
 * them. flex_lists writes them. */
void flex_summary(const struct tandem *t, FILE *out);
void flex_lines(const struct tandem *t, FILE *out);
void flex_lists(const struct tandem *t, const struct result_writer *w);

extern const struct machine machine_flex;

#endif
