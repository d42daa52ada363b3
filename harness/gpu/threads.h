/* How many host threads there are, and which cells each has. */
#ifndef TANDEM_GPU_THREADS_H
#define TANDEM_GPU_THREADS_H

#include "harness/gpu/machine.h"
#include "harness/gpu/pool.h"

/* Host threads and the cells and memory partitions of each. */
struct gpu_threads {
  struct pool *pool;
  unsigned n;
  bool alone; /* one thread does it all */
  /* Cells of thread t: order[first[t]] to order[first[t + 1] - 1]; memory partitions. */
  uint64_t parts[256];
  uint8_t order[GPU_ALL];
  uint8_t first[257];
  struct {
    enum {
      TRIES_NONE,
      TRIES_STARTS, /* the other way; its first window, in which threads wake, does not count */
      TRIES_OTHER,
      TRIES_BACK_STARTS,
      TRIES_BACK
    } stage;
    unsigned windows;    /* since the last try */
    unsigned pause;      /* windows between tries: longer while nothing changes */
    unsigned wins;       /* tries in a row that were better */
    double start;        /* of the window, seconds */
    double usual, tried; /* seconds for a unit of work */
  } tries;
};

enum { THREADS_WINDOW = 256 };

/* Before the first cycle of a launch. */
void threads_begin(struct tandem *t);
/* At the end of every cycle whose age divides by THREADS_WINDOW. */
void threads_step(struct tandem *t);

#endif
