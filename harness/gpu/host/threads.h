/* How many host threads there are, and which cells each has. */
#ifndef TANDEM_GPU_THREADS_H
#define TANDEM_GPU_THREADS_H

#include "harness/gpu/config.h"
#include "harness/gpu/host/pace.h"
#include "harness/gpu/host/pool.h"

/* Host threads and the cells and memory partitions of each. */
struct gpu_threads {
  struct pool *pool;
  unsigned n, meet; /* meet: of these now; RTL may follow on the others */
  unsigned few;     /* those that meet while cells do one cycle each */
  struct pace pace;
  double start; /* of the piece of a launch that runs, seconds */
  /* Cells of thread t: order[first[t]] to order[first[t + 1] - 1]; memory partitions. */
  uint64_t parts[256];
  uint8_t order[GPU_ALL];
  uint8_t first[257];
};

/* n threads, which share the work from the first cycle on if `at_once`.  While cells do several
 * cycles each, all meet; else half of them if RTL follows. */
void threads_open(struct gpu_threads *h, unsigned n, bool follows, bool at_once);
/* Returns true if threads work beside the cycles now. */
bool threads_beside(const struct gpu_threads *h);
/* Before the first cycle of a launch.  apart: cells do several cycles each (lookahead_apart); work:
 * of each cell since the last call. */
void threads_begin(struct gpu_threads *h, bool apart, const uint64_t *work, unsigned cells);
/* At the end of each piece of a launch. */
void threads_step(struct gpu_threads *h, bool apart, const uint64_t *work, unsigned cells);

#endif
