/* The simulated GPU, inside: its state, which the cycle loop, the features and the results share.
 * This header stands on host/ and below all other files of core/, each of which has a header of its
 * name.
 *
 *   open.c          open, close, device memory
 *   program.c       programs in the GPU's memory
 *   grid.c          the grid of a launch
 *   launch.c        one kernel: the loop over cycles, its end
 *   cell.c          one cycle of one cell: read, compare, back end, check, engines
 *   check.c         the architectural check of a whole launch
 *   machine.c       the machine of a configuration; the units of every GPU; cells and their units
 *   sms.c           the machine of SMs alone; those of features are in their folders
 *   cta_dispatch.c  which SM takes the next CTA
 *   journal.c       what the host did, to do it again
 *
 * Below, host/: what knows of the host's threads, and of no GPU.
 *
 *   threads.c       how many there are, and which cells each has
 *   pool.c, pace.c  how they meet; whether they share the work or one does it all
 *   follow.c        RTL that follows its references, and by which thread
 *   lookahead.c     how many cycles cells do before they meet
 *
 * Above, results/:
 *
 *   statistics.c    sums over SMs and units; kernels.c: of each kernel
 *   profile.c       sums over SMs by instruction
 *   figures.c       all of them as a list
 *
 * Above all these, api/ and report/: opening and launching with waveforms and reports (tandem.h).
 */
#ifndef TANDEM_GPU_H
#define TANDEM_GPU_H

#include <stdatomic.h>

#include "csim/iss/launch.h"
#include "csim/mem/mem.h"
#include "csim/sm/sm.h"
#include "csim/util/pages.h"
#include "harness/gpu/config.h"
#include "harness/gpu/host/follow.h"
#include "harness/gpu/host/lookahead.h"
#include "harness/gpu/host/threads.h"
#include "harness/gpu/host/time.h"
#include "harness/tandem.h"
#include "harness/unit/unit.h"

/* A unit and the SMs behind it: the work that a thread takes as a whole.  During the parallel part
 * of a cycle only one thread touches it and them. */
struct cell {
  _Alignas(64) struct unit *unit;
  struct gpu_sm *sm;            /* the first of its SMs */
  struct sm_mem *mem[UNIT_SMS]; /* their memory sides */
  unsigned first, sms;
  uint64_t cycle;        /* its next one; of an idle cell the one after its last */
  bool idle;             /* nothing to do until a CTA comes: the loop leaves it out */
  bool skipped;          /* its SMs are waiting: left out, and its cycles counted when it wakes */
  unsigned quiet_cycles; /* cycles in a row without any input or output */
  uint64_t skipped_from; /* first cycle left out */
  uint64_t work;         /* weight of its cycles since the last balancing */
  void *own;             /* the machine's */
};

/* One SM: its models, and the row of ports that it has in its cell's unit. */
struct gpu_sm {
  const struct sm_frontend_out *out;
  struct sm_frontend_in *in;
  struct sm *sm;
  struct sm_mem *mem;
  struct iss *iss;
  const struct sm_fault *sm_fault;
  struct cell *cell;
  bool idle;              /* nothing to do until a CTA comes */
  bool off;               /* its front end is */
  uint64_t steps;         /* clock edges of its front end */
  uint64_t last_issue;    /* cycle */
  struct failure failure; /* of its models */
};

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

/* The closer look of a second run around a failure; report/ owns it. */
struct gpu_watch {
  bool on;
  struct unit *unit;
  uint64_t stop; /* cycle in which to stop though nothing failed */
  unsigned tail; /* cycles to go on after the failure */
  bool clocked;  /* record only cycles in which the unit's clock ran */
  bool traced;   /* a waveform was begun */
};

/* An observer of a run: called before each cycle.  0 or a negative errno, which ends the launch. */
struct gpu_observer {
  int (*look)(struct tandem *t, void *own, struct tandem_error *err);
  void *own;
};
enum { GPU_OBSERVERS = 4 };

/* Results that are kept by launch (results/kernels.c): for the start of one; its end, kernel NULL:
 * it was broken off; the end of the GPU.  0 or a negative errno. */
struct gpu_results {
  int (*begin)(struct tandem *t, struct tandem_error *err);
  int (*end)(struct tandem *t, const char *kernel, struct tandem_error *err);
  void (*drop)(struct tandem *t);
};
extern const struct gpu_results gpu_results;

/* How a run failed; launch.c and report/ own it. */
struct gpu_end {
  atomic_bool trouble; /* set_failed */
  struct failure failure;
  bool reproduced; /* running again, if it did, failed too */
  struct tandem_failure failed;
  struct tandem_error reason; /* one line */
  char *report;
};

struct tandem {
  struct tandem_config config;
  const struct machine *machine;
  struct gpu_mem *mem;
  struct pages *pages;      /* of back ends and checks */
  struct iss_launch *check; /* what the checks share; NULL without them */
  struct gpu_sm *sms;
  unsigned nsms; /* config.sms, and behind them those that CTA dispatch does not serve */
  struct cell *cells;
  unsigned ncells;
  struct unit **units; /* those of the cells, the machine's own, and the GPU's */
  unsigned nunits;
  void *own;                       /* the machine's */
  struct tandem_program *programs; /* program.c */
  struct journal *journal;         /* journal.c; NULL while running again */
  struct gpu_kernels *kernels;     /* kernels.c; NULL: none has ended */
  struct gpu_profile *profile;     /* profile.c; NULL: no launch had one */
  uint64_t cycle;                  /* of the whole run */

  struct gpu_launch launch;
  struct gpu_lookahead lookahead;
  struct gpu_threads threads;
  struct gpu_follow follow;
  struct gpu_time time;
  struct gpu_watch watch;
  struct gpu_observer observers[GPU_OBSERVERS];
  unsigned nobservers;
  struct gpu_end end;
};

/* Notes, from any thread, that an SM or a unit has failed: the loop looks for it after the cycle.
 */
static inline void set_failed(struct tandem *t) {
  atomic_store_explicit(&t->end.trouble, true, memory_order_relaxed);
}

#endif
