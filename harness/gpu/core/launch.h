/* One kernel, from its first cycle to its last. */
#ifndef TANDEM_GPU_LAUNCH_H
#define TANDEM_GPU_LAUNCH_H

#include "csim/sm/sm.h"
#include "harness/gpu/core/machine.h"
#include "harness/tandem.h"

/* The outputs of CTA dispatch. */
struct gpu_dispatch {
  uint64_t first; /* number of the next CTA */
  bool done;      /* none is left */
  bool own;       /* the machine itself places the CTAs of this launch */
  unsigned form;  /* residue by which the last cluster is formed */
};

/* The running launch; launch.c, grid.c and cta_dispatch.c write it. */
struct gpu_launch {
  struct grid grid;
  unsigned occupancy; /* CTAs of an SM */
  struct gpu_dispatch dispatch;
  uint64_t start;    /* cycle of the whole run */
  uint64_t count;    /* launches so far */
  bool stopped;      /* by config.stop */
  unsigned not_idle; /* an SM that was seen at work */
  double progress_at;
  /* Set if the SM takes a CTA, while there are some.  It is written when it changes, so that
   * reading does not move what SMs on other threads own. */
  _Alignas(64) bool room[GPU_ALL];
};

/* Cycles of a piece of a launch, after which threads and stretches adapt. */
enum { GPU_PIECE = 256 };

/* Runs one kernel to its end.  TANDEM_FAULT: t->end.failure has the cause, or it was cut off;
 * the grid is kept for the report, and the caller drops it. */
enum tandem_status gpu_launch(struct tandem *t, const struct tandem_launch *launch,
                              struct tandem_error *err);

#endif
