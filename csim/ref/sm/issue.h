/* Reference of rtl/sm/issue.sv (docs/hardware/frontend.md, issue). */
#ifndef TANDEM_REF_ISSUE_H
#define TANDEM_REF_ISSUE_H

#include "csim/ports/stalls.h"
#include "csim/ports/units.h"
#include "csim/ref/sm/warpset.h"

enum { ISSUE_SIDES = 2 };

/* Slots of a side's queues. */
struct issue_slots {
  unsigned sp, sfu, mem;
};

struct issue_ref {
  struct issue_slots first;             /* of side 0 after a reset; side 1 has none then */
  struct issue_slots side[ISSUE_SIDES]; /* free */
  unsigned prio;                        /* scheduler that wins the next conflict */
};

/* The stall cause of each veto. */
struct issue_causes {
  enum stall all, pick, two, slot[2], ready[2];
};

/* The vetoes of a cycle, by what is around the front end. */
struct issue_vetoes {
  const struct issue_causes *cause;
  bool all;         /* nothing issues */
  bool two;         /* one instruction at most */
  bool pick[2];     /* the scheduler's pick does not issue; it counts as none */
  warpset slot[2];  /* warps that have a slot and do not issue */
  warpset ready[2]; /* warps that are not ready */
};

/* The inputs of issue, a set of warps each. */
struct issue_warps {
  warpset live, ctrl, settle, waiting, head, hazard;
  warpset sfu, mem, none;          /* pipe of the head */
  warpset far;                     /* of side 1 */
  const struct issue_vetoes *veto; /* NULL: there is none */
};

static inline warpset issue_ref_running(const struct issue_warps *w) {
  return w->live & ~(w->ctrl | w->settle | w->waiting);
}

static inline warpset issue_ref_ready(const struct issue_warps *w) {
  const warpset ready = issue_ref_running(w) & w->head & ~w->hazard;
  return w->veto == NULL ? ready : ready & ~(w->veto->ready[0] | w->veto->ready[1]);
}

/* Returns the warps whose pipe has no slot on a side. */
static inline warpset issue_ref_full(const struct issue_warps *w, const struct issue_slots *s) {
  const warpset sp = ~(w->sfu | w->mem | w->none);
  return (s->sp == 0 ? sp : 0) | (s->sfu == 0 ? w->sfu : 0) | (s->mem == 0 ? w->mem : 0);
}

/* Returns the warps of the set whose pipe has a slot. */
static inline warpset issue_ref_with_slot(const struct issue_ref *u, const struct issue_warps *w,
                                          warpset set) {
  warpset full = issue_ref_full(w, &u->side[0]);
  if (w->far != 0)
    full = (full & ~w->far) | (issue_ref_full(w, &u->side[1]) & w->far);
  return set & ~full;
}

static inline warpset issue_ref_elig(const struct issue_ref *u, const struct issue_warps *w) {
  const warpset elig = issue_ref_with_slot(u, w, issue_ref_ready(w));
  const struct issue_vetoes *v = w->veto;
  if (v == NULL)
    return elig;
  return v->all ? 0 : elig & ~(v->slot[0] | v->slot[1]);
}

/* Decides which of the two picks (NO_WARP: none) are granted. */
void issue_ref_grants(const struct issue_ref *u, const struct issue_warps *w,
                      const unsigned pick[2], bool grant[2]);

/* Returns the cause for which the scheduler of this parity issues nothing, without vetoes. */
static inline enum stall issue_ref_stall(const struct issue_warps *w, unsigned parity) {
  const warpset own = w->live & warpset_of_parity(parity), runs = own & issue_ref_running(w);
  if (issue_ref_ready(w) & own)
    return STALL_STRUCTURAL;
  if (runs & w->head & w->hazard)
    return STALL_SCOREBOARD;
  if (own & (w->ctrl | w->settle))
    return STALL_CONTROL;
  if (runs & ~w->head)
    return STALL_FETCH;
  return own & w->waiting ? STALL_BARRIER : STALL_IDLE;
}

/* Returns that cause with vetoes; lost: the scheduler's pick is neither vetoed nor granted. */
enum stall issue_ref_vetoed_stall(const struct issue_ref *u, const struct issue_warps *w,
                                  unsigned parity, bool lost);
/* Takes the granted picks' slots. */
void issue_ref_clock(struct issue_ref *u, const struct issue_warps *w, const unsigned pick[2],
                     const bool grant[2]);
/* Takes returned slots of a side back. */
void issue_ref_return(struct issue_ref *u, unsigned side, struct issue_slots freed);

/* No MEM slot of side 0 is taken. */
static inline bool issue_ref_mem_home(const struct issue_ref *u) {
  return u->side[0].mem == u->first.mem;
}

void issue_ref_reset(struct issue_ref *u);
/* The same, with the slots of side 0 that `first` has. */
void issue_ref_restart(struct issue_ref *u);
/* Begins a kernel with these slots of side 0 and of side 1. */
void issue_ref_start(struct issue_ref *u, struct issue_slots own, struct issue_slots far);
void issue_ref_eval(const struct issue_ref *u, const struct issue_in *in, struct issue_out *out);
void issue_ref_step(struct issue_ref *u, const struct issue_in *in);
void issue_ref_view(const struct issue_ref *u, struct issue_view *view);

#endif
