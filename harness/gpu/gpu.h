/* The simulated GPU, inside: shared by the files of harness/ that make up the cycle loop.
 *
 *   gpu.c           open, close, device memory, programs (the C API)
 *   launch.c        one kernel: grid, the loop over cycles, its end
 *   pace.c          how many host threads, and which SMs each has
 *   sm_cycle.c      one cycle of one SM: read, compare, back end, check, engines
 *   wide.c          large warps: what the configuration asks for, open, close
 *   cluster.c       buddy clusters: open, close, a launch begins, which CTAs fit
 *   cluster_cycle.c one cycle of one cluster, in the place of those of its SMs
 *   cluster_stats.c what clusters count
 *   cta_dispatch.c  which SM takes the next CTA
 *   lockstep.c      comparison of outputs and state views
 *   journal.c       what the host did, to do it again
 *   pin.c           running again around a failure
 *   report.c        the report
 */
#ifndef TANDEM_GPU_H
#define TANDEM_GPU_H

#include <stdatomic.h>
#include <time.h>

#include "csim/ports/tables.h"
#include "csim/ref/buddy/buddy_cluster.h"
#include "csim/ref/sm/ref.h"
#include "csim/ref/sm/ref_wide.h"
#include "csim/sm/wide/wide.h"
#include "harness/gpu/journal.h"
#include "harness/gpu/pool.h"
#include "harness/shim/cluster.h"
#include "harness/shim/rtl_units.h"
#include "harness/tandem.h"

enum failure_kind {
  FAIL_NONE,
  FAIL_PORT,   /* an output differs */
  FAIL_STATE,  /* a state field differs */
  FAIL_ASSERT, /* an RTL assertion */
  FAIL_BACKEND,
  FAIL_ISS,
  FAIL_MEMORY,
  FAIL_HANG,
  FAIL_ENDLESS,
  FAIL_EMPTY /* a run in lockstep that compared nothing */
};

struct failure {
  enum failure_kind kind;
  bool of_gpu; /* in a unit of the GPU, not in an SM's front end */
  unsigned sm;
  uint64_t cycle;        /* whole run */
  uint64_t launch_cycle; /* first cycle of the launch, whole run */
  /* A difference. */
  const char *unit; /* instance */
  struct port_desc port;
  unsigned index; /* element of a state field */
  uint64_t rtl, ref;
  uint64_t agreed; /* last cycle whose states were compared equal */
};

/* The ports of one cycle, for reports. */
struct port_record {
  uint64_t cycle;
  bool stepped; /* the front end's clock ran */
  struct sm_frontend_in in;
  struct sm_frontend_out rtl, ref;
  /* Of a cluster: what is its own, and what the SM's outputs are as a member's. */
  struct buddy_cluster_in cluster_in;
  struct buddy_cluster_out cluster_rtl, cluster_ref;
  struct buddy_member_out member_rtl, member_ref;
  /* With large warps, all of which in and rtl, ref have but the beginning. */
  struct sm_frontend_wide_in wide_in;
  struct sm_frontend_wide_out wide_rtl, wide_ref;
};
enum { HISTORY = 32 };

enum {
  OUT_LINES = 17,
  MEMBER_LINES = 22, /* as many of a cluster's member */
  CLUSTER_LINES = 8,
  CLUSTER_MOST = 8 /* members */
};

/* CTA dispatch: engines, and the ports of the last cycles in which it was clocked. */
enum { DISPATCH_OUTS = 4, DISPATCH_STATES = 3 };
struct gpu_dispatch {
  struct cta_dispatch_gpu *engine_rtl;
  struct cta_dispatch_ref *engine_ref;
  struct cta_dispatch_in in;
  struct cta_dispatch_out after; /* of the state, after the last edge */
  struct dispatch_record {
    uint64_t cycle;
    struct cta_dispatch_in in;
    struct cta_dispatch_out rtl, ref; /* rtl: that of the only engine, too */
  } ring[HISTORY];
  unsigned clocked;
  struct failure failure;
  uint64_t compared_out[DISPATCH_OUTS];
  uint64_t compared_state[DISPATCH_STATES];
};

/* What an SM with large warps has in the place of others' engines and ports.  The beginning of its
 * ports is in gpu_sm too, for those who do not look at masks. */
struct gpu_wide {
  struct frontend_wide *ref; /* the RTL is gpu_sm's, with other functions for its ports */
  struct sm_wide *slices;
  struct sm_frontend_wide_out out, ref_out;
  struct sm_frontend_wide_in in;
};

/* One SM.  During the parallel part of a cycle only one thread touches it. */
struct gpu_sm {
  /* Engines and the models around them. */
  _Alignas(64) struct frontend_rtl *rtl;
  struct frontend_ref *ref;
  struct sm *sm;
  struct sm_mem *mem;
  struct iss *iss;
  struct gpu_wide *wide; /* NULL: warps of 32 threads */
  const struct sm_fault *sm_fault;

  /* Beside the pointers: all that a cycle looks at of an SM that is left out. */
  bool fresh;    /* the front end was clocked since its outputs were read */
  bool idle;     /* nothing to do until a CTA comes */
  bool waits;    /* for memory alone: left out, and counted when it wakes */
  bool view_due; /* clocked since the last comparison of views */
  bool opaque;   /* config.netlist in the place of the RTL: it has no views */

  struct sm_frontend_out out;     /* drives the back end: the RTL's, without RTL the reference's */
  struct sm_frontend_out ref_out; /* lockstep: the reference's */
  struct sm_frontend_in in;

  uint32_t view_steps; /* clock edges until the next one */
  uint64_t agreed;     /* cycle of the last one */
  uint64_t waits_from; /* first cycle left out */
  uint64_t steps;      /* clock edges of the front end */
  uint64_t last_issue; /* cycle */
  uint64_t work;       /* weight of its cycles since the last balancing */

  struct failure failure;
  uint64_t compared_out[MEMBER_LINES]; /* lockstep_compared_outputs knows how to read it */
  uint64_t compared_state[STATE_LINES];
  struct sm_frontend_state view_rtl, view_ref;

  bool trace_open;               /* this SM's waveform */
  char *trace_path, *trace_part; /* final name; name while being written */
};

/* What a cluster counts (docs/buddy.md, statistics). */
struct cluster_counts {
  struct tandem_buddy sum;
  uint64_t gated[CLUSTER_MOST]; /* cycles that a member's front end was off */
  struct tandem_ungroup first[8];
};

/* A cluster of SMs, `first` and those after it.  During the parallel part of a cycle only one
 * thread touches it and them.  Of their gpu_sm it uses all but the engines. */
struct gpu_cluster {
  _Alignas(64) struct buddy_cluster_rtl *rtl;
  struct buddy_cluster_ref *ref;
  unsigned first, members, delay;
  bool fresh; /* clocked since its outputs were read */
  bool rests; /* left out, and counted when it wakes: nothing changes before memory has something */
  uint64_t rests_from;
  unsigned still;     /* clock edges in a row without any input or output */
  unsigned cold, off; /* members whose front ends are off (docs/buddy.md) */
  bool started;       /* kernel_start was among the inputs of the last edge */
  unsigned resident;  /* members with CTAs */
  unsigned grouped;   /* members that work in a group */
  unsigned listeners; /* members whose leader is another one */
  struct buddy_cluster_in in;
  struct member_told told[CLUSTER_MOST]; /* the SMs' inputs, at the last edge */
  struct buddy_cluster_out out;
  struct buddy_member_out member[CLUSTER_MOST];
  struct buddy_cluster_out
      ref_out; /* these and the SMs' ref_out: while it is watched, or differs */
  struct buddy_member_out ref_member[CLUSTER_MOST];
  uint64_t steps;
  uint64_t compared_out[CLUSTER_LINES];

  /* Why a slave asked: the branches of the last cycles, and each warp's last instruction. */
  struct cluster_branch {
    uint64_t cycle;
    uint32_t taken;
    uint8_t warp;
  } resolved[CLUSTER_MOST][64];
  struct {
    uint16_t pc;
    uint32_t mask;
  } issued[CLUSTER_MOST][48];
  struct tandem_ungroup asks[CLUSTER_MOST];
  unsigned asked; /* members whose wish is in asks */
  struct cluster_counts counts;
};

/* A kernel's code as the launches need it. */
struct gpu_program {
  struct isa_program *program;
  bool owned;
  uint64_t *code; /* relocated */
  struct isa_uop *uops;
  uint32_t code_address, data_address;
  struct gpu_program *next;
};

/* Time stamps of one thread, in ticks of the processor's counter, of the sampled cycles. */
struct gpu_clock {
  _Alignas(64) uint64_t ticks[TANDEM_WALLS];
};

struct gpu_watch {
  bool on;
  unsigned sm;
  uint64_t views_from; /* compare views every cycle from here on */
  uint64_t stop;       /* cycle in which to stop though nothing failed */
  unsigned tail;       /* cycles to go on after the failure */
  bool clocked;        /* record only cycles in which the front end's clock ran */
  struct port_record ring[HISTORY];
  unsigned filled; /* records ever written */
};

struct tandem {
  struct tandem_config config;
  struct gpu_mem *mem;
  struct gpu_sm *sms;
  struct gpu_cluster *clusters;                     /* NULL: none, each SM by itself */
  enum { KIND_SMS, KIND_CLUSTERS, KIND_WIDE } kind; /* whose cycles there are */
  unsigned units; /* SMs or clusters: what is spread over threads */
  struct pool *pool;
  unsigned threads;
  struct gpu_program *programs;
  struct journal *journal; /* NULL while running again */
  uint64_t cycle;          /* of the whole run */

  /* The running launch. */
  struct grid grid;
  unsigned occupancy;
  struct gpu_dispatch dispatch;
  uint64_t launch_cycle, launches;
  bool traced;         /* a waveform was begun */
  bool stopped;        /* by config.stop */
  bool timed;          /* this cycle is sampled */
  atomic_bool trouble; /* some SM has failed */
  unsigned not_idle;   /* an SM that was seen at work */

  /* Whether each SM takes a CTA, as it tells while there are some: written when it changes, so that
   * looking does not move what SMs on other threads own. */
  _Alignas(64) bool room[64];

  /* SMs, or clusters, of each thread: order[first[t]] to order[first[t + 1] - 1]; memory
   * partitions.
   */
  uint64_t parts[256];
  uint8_t order[64];
  uint8_t first[257];
  struct {
    bool alone; /* one thread does it all */
    enum {
      PACE_USUAL,
      PACE_TRY_STARTS, /* the other way; its first window, in which threads wake, does not count */
      PACE_TRY,
      PACE_AFTER_STARTS,
      PACE_AFTER
    } stage;
    unsigned windows;    /* since the last try */
    unsigned pause;      /* windows between tries: longer while nothing changes */
    unsigned wins;       /* tries in a row that were better */
    double start;        /* of the window, seconds */
    double usual, tried; /* seconds for a unit of work */
  } pace;

  struct gpu_clock *clocks; /* one a thread */
  uint64_t sampled_ticks;   /* of the caller, over the sampled cycles */
  double wall_s;
  double progress_at;

  struct gpu_watch watch;
  struct failure failure;
  struct tandem_failure failed;
  struct tandem_error reason; /* one line */
  char *report;
};

static inline uint64_t gpu_ticks(void) {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_ia32_rdtsc();
#else
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
#endif
}

double gpu_seconds(void); /* monotonic */

/* The pool's function: this cycle of the thread's SMs. */
void gpu_parallel(void *tandem, unsigned thread);

/* What tandem_launch would refuse, without running; launch.c.  0 or a negative errno. */
int gpu_check_launch(const struct tandem *t, const struct tandem_launch *l,
                     struct tandem_error *err);

/* Fills t->grid and places parameters and local memory, 0 or a negative errno; gives them back. */
int gpu_grid_make(struct tandem *t, const struct tandem_launch *l, struct tandem_error *err);
void gpu_grid_drop(struct tandem *t);

/* pace.c: before the first cycle; at the end of every cycle whose age divides by PACE_WINDOW. */
enum { PACE_WINDOW = 256 };
void pace_begin(struct tandem *t);
void pace_step(struct tandem *t);

/* Ends an SM's waiting, if it waits, before anything but memory changes its state and before its
 * statistics are read: counts the cycles before `cycle`. */
void sm_cycle_wake(struct gpu_sm *s, uint64_t cycle);

/* The same for an SM, with or without clusters. */
void gpu_wake(struct tandem *t, unsigned sm, uint64_t cycle);
/* The first SM of an SM's cluster, or itself: what its unit's work is told by. */
static inline struct gpu_sm *gpu_unit(const struct tandem *t, unsigned unit) {
  return &t->sms[unit * t->config.buddy];
}
/* Failed assertions of the RTL that an SM is part of, the first one's text
 * (frontend_rtl_assertions).
 */
unsigned gpu_assertions(const struct tandem *t, unsigned sm, const char **first);

/* wide.c: what the configuration asks for; engines of an SM, whose back end exists; their end.  0
 * or a negative errno. */
int wide_check(const struct tandem_config *c, struct tandem_error *err);
int wide_open(struct tandem *t, unsigned sm, struct tandem_error *err);
void wide_close(struct gpu_sm *s);

/* lockstep.c.  They return false and fill s->failure, of clusters that of the member or of the
 * first one, if something differs. */
bool lockstep_outputs(struct gpu_sm *s, unsigned index, uint64_t cycle);
bool lockstep_wide_outputs(struct gpu_sm *s, unsigned index, uint64_t cycle);
bool lockstep_views(struct gpu_sm *s, unsigned index, uint64_t cycle);
bool lockstep_cluster(struct tandem *t, struct gpu_cluster *c);
bool lockstep_member_views(struct tandem *t, struct gpu_cluster *c, unsigned m);
uint64_t lockstep_compared_outputs(const struct tandem *t); /* how often any was compared */

/* cluster.c: what the configuration asks for; engines; a launch begins; members that take their
 * CTAs together and have a place for them (t->room); the room of the group that an SM is the first
 * of. 0 or a negative errno. */
int cluster_check(const struct tandem_config *c, struct tandem_error *err);
int cluster_open(struct tandem *t, struct tandem_error *err);
void cluster_close(struct tandem *t);
void cluster_begin(struct tandem *t);
void cluster_ready(struct tandem *t, struct gpu_cluster *c);
struct sm_room cluster_room(const struct tandem *t, unsigned first, uint64_t leads);

/* cluster_cycle.c */
void cluster_cycles_rtl(struct tandem *t, unsigned thread, bool timed);
void cluster_cycles_ref(struct tandem *t, unsigned thread, bool timed);
void cluster_cycles_lockstep(struct tandem *t, unsigned thread, bool timed);
void cluster_wake(struct tandem *t, struct gpu_cluster *c, uint64_t cycle);

/* cluster_stats.c: the outputs of so many cycles, all but the first without any event; what changes
 * from a cycle's outputs to those before, and whether members that work as one again may. */
void cluster_count(struct gpu_cluster *c, uint64_t cycles);
void cluster_events(struct tandem *t, struct gpu_cluster *c,
                    const struct buddy_cluster_out *before);
void cluster_statistics(const struct tandem *t, struct tandem_buddy *sum);

/* cta_dispatch.c: engines, 0 or a negative errno; a launch begins; a cycle; whether none is left,
 * and the number of the next CTA; whether fault n is one of its, and can show with groups of so
 * many.
 */
int cta_dispatch_open(struct tandem *t, struct tandem_error *err);
void cta_dispatch_close(struct tandem *t);
void cta_dispatch_begin(struct tandem *t);
void cta_dispatch_step(struct tandem *t);
bool cta_dispatch_done(const struct tandem *t);
uint64_t cta_dispatch_next(const struct tandem *t);
bool cta_dispatch_has_fault(unsigned n, unsigned buddy);

/* trace.c: whether the waveforms asked for can be written; opens them in their first cycle, ends
 * them after their last; ends those that are open.  0 or a negative errno. */
int trace_check(const struct tandem_config *c, struct tandem_error *err);
int trace_step(struct tandem *t, struct tandem_error *err);
int trace_end(struct tandem *t, struct tandem_error *err);

/* After a failure: the one-line reason and t->failed; running again to pin it (pin.c); the whole
 * report, with the history of the second run (NULL: none), the waveform's name ("": none) and why
 * there is none ("": none was wanted). */
void report_reason(struct tandem *t);
void pin_failure(struct tandem *t);
void report_write(struct tandem *t, struct tandem *again, const char *waveform,
                  const char *no_waveform);

#endif
