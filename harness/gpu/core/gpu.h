/* The simulated GPU, inside: shared by the files of harness/ that make up the cycle loop, each of
 * which has a header of its name.
 *
 *   open.c          open, close, device memory
 *   api/, report/   above all these: opening and launching with waveforms and reports (tandem.h)
 *   program.c       programs in the GPU's memory
 *   grid.c          the grid of a launch
 *   launch.c        one kernel: the loop over cycles, its end
 *   threads.c       how many host threads, and which cells each has
 *   pace.c          whether these share the work or one does it all
 *   follow.c        RTL that follows its references, and by which thread
 *   lookahead.c     cells that do several cycles before they meet
 *   cell.c          one cycle of one cell: read, compare, back end, check, engines
 *   check.c         the architectural check of a whole launch
 *   machine.c       the machine of a configuration; the units of every GPU; cells and their units
 *   sms.c           the machine of SMs alone; those of features are in their folders
 *   feature.c       the features of this build
 *   cta_dispatch.c  which SM takes the next CTA
 *   statistics.c    sums over SMs and units
 *   profile.c       sums over SMs by instruction
 *   journal.c       what the host did, to do it again
 */
#ifndef TANDEM_GPU_H
#define TANDEM_GPU_H

#include <stdatomic.h>

#include "csim/iss/launch.h"
#include "csim/mem/mem.h"
#include "csim/sm/sm.h"
#include "csim/util/pages.h"
#include "harness/gpu/config.h"
#include "harness/gpu/core/journal.h"
#include "harness/gpu/core/launch.h"
#include "harness/gpu/core/machine.h"
#include "harness/gpu/host/lookahead.h"
#include "harness/gpu/host/threads.h"
#include "harness/gpu/results/statistics.h"

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

/* Time stamps of one thread, in ticks of the processor's counter, of the sampled cycles. */
struct gpu_clock {
  _Alignas(64) uint64_t ticks[TANDEM_WALLS];
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

/* Time of the host; launch.c, cell.c and statistics.c own it. */
struct gpu_time {
  bool sampled;             /* this stretch is */
  uint64_t stretches;       /* so far */
  struct gpu_clock *clocks; /* one a thread */
  uint64_t sampled_ticks;   /* of the caller, over the sampled stretches */
  double wall_s;
};

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
  struct gpu_time time;
  struct gpu_watch watch;
  struct gpu_observer observers[GPU_OBSERVERS];
  unsigned nobservers;
  struct gpu_end end;
};

/* Checks that a GPU can be made of a configuration.  0 or a negative errno. */
int gpu_check(const struct tandem_config *c, struct tandem_error *err);
/* Makes the GPU of a configuration that gpu_check accepts.  0 or a negative errno, and *t is NULL.
 */
int gpu_open(const struct tandem_config *c, struct tandem **t, struct tandem_error *err);
void gpu_close(struct tandem *t); /* NULL allowed */
/* Does again what the host did, up to the failure, with RTL that does not follow: a machine that
 * was ahead of the failure is where it was then.  0 or a negative errno: the machine is still
 * ahead. */
int gpu_repeat(struct tandem *t, struct tandem_error *err);
/* Adds an observer.  False: there are too many. */
bool gpu_observe(struct tandem *t,
                 int (*look)(struct tandem *t, void *own, struct tandem_error *err), void *own);
/* The configuration of an open GPU, with what follows from its keys. */
const struct tandem_config *gpu_config(const struct tandem *t);
double gpu_seconds(void); /* monotonic */

/* Notes, from any thread, that an SM or a unit has failed: the loop looks for it after the cycle.
 */
static inline void set_failed(struct tandem *t) {
  atomic_store_explicit(&t->end.trouble, true, memory_order_relaxed);
}

#endif
