/* The front end's inside, for units made of front ends (csim/ref/buddy/buddy_cluster.c). */
#ifndef TANDEM_REF_FRONTEND_H
#define TANDEM_REF_FRONTEND_H

#include "csim/ref/buddy/park.h"
#include "csim/ref/sm/barrier.h"
#include "csim/ref/sm/decode.h"
#include "csim/ref/sm/fetch.h"
#include "csim/ref/sm/ibuffer.h"
#include "csim/ref/sm/icache.h"
#include "csim/ref/sm/issue.h"
#include "csim/ref/sm/lanes.h"
#include "csim/ref/sm/ref.h"
#include "csim/ref/sm/scoreboard.h"
#include "csim/ref/sm/simt_stack.h"
#include "csim/ref/sm/warp_scheduler.h"

enum { SCHEDULERS = 2 };

/* The events of the next clock edge, as they follow from the state; found once a step. */
struct frontend_plan {
  struct issue_warps warps;
  struct issue_vetoes veto;  /* of a group */
  unsigned pick[SCHEDULERS]; /* NO_WARP: none, or it parks */
  unsigned stop[SCHEDULERS]; /* the pick that parks instead, NO_WARP: none */
  bool grant[SCHEDULERS];
  unsigned stall[SCHEDULERS]; /* enum stall */
  unsigned fetched;           /* warp selected by fetch, NO_WARP: none */
  unsigned popped;            /* warp whose stack is popped, NO_WARP: none */
  unsigned released;          /* CTA slots */
};

struct frontend_ref {
  struct sm_frontend_in in; /* the registered inputs */
  bool in_idle;             /* no valid, credit or kernel_start is set; then they are not kept */
  struct sm_frontend_out out;
  struct frontend_plan plan;
  unsigned fewer; /* WARPS minus its number of warps; not 0 with large warps */
  struct fetch_ref fetch;
  struct ibuffer_ref ibuffer;
  struct scoreboard_ref scoreboard;
  struct warp_scheduler_ref sched[SCHEDULERS];
  struct issue_ref issue;
  struct barrier_ref barrier;
  struct simt_stack_ref simt;
  struct icache_ref icache;
};

/* The inputs of a front end in a cycle that only a member of a buddy cluster has. */
struct frontend_group {
  struct issue_vetoes veto;    /* but for picks that park */
  warpset undecided;           /* warps that barriers count as live and not waiting */
  warpset defer;               /* warps whose stacks are not popped */
  const struct park_ref *park; /* where warps park, NULL: they are not to */
  bool no_fetch;
};

/* The parts of a step; the registered inputs are f->in.  First: plans the events of the next edge.
 */
void frontend_ref_plan(struct frontend_ref *f, const struct frontend_group *group);

/* Second: clocks the units and the output registers, as planned. */
void frontend_ref_clock(struct frontend_ref *f);

/* Resets a front end that is switched on, except stack and barrier. */
void frontend_ref_reset_off(struct frontend_ref *f);
/* Takes the registered inputs' launch. */
void frontend_ref_launch(struct frontend_ref *f);
/* An instruction that the stack and the barrier see. */
void frontend_ref_issue(struct frontend_ref *f, unsigned warp, uint64_t word, unsigned ctl);
/* An outcome that the stack sees: outputs done and trap. */
void frontend_ref_resolve(struct frontend_ref *f, bool valid, uint64_t warp, lanes_mask taken);

#endif
