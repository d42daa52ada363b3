/* Reference of rtl/sm/issue.sv (docs/hardware/frontend.md, issue). */
#ifndef TANDEM_REF_ISSUE_H
#define TANDEM_REF_ISSUE_H

#include "csim/ports/stalls.h"
#include "csim/ports/units.h"
#include "csim/ref/sm/warpset.h"

struct issue_ref {
  unsigned sp_slots, mem_slots; /* reset values of `sp` and `mem` */
  unsigned sp, sfu, mem;        /* free slots of the queues */
  unsigned prio;                /* scheduler that wins the next conflict */
};

/* The inputs that issue has only in a member of a buddy cluster. */
struct issue_group {
  bool hold, one_slot; /* nothing issues, one instruction at most */
  bool members_ok;     /* all slaves have a place for a memory instruction */
  warpset verdict;     /* warps that may not issue yet */
  warpset load;        /* heads that memory answers */
  warpset mon_full;    /* warps without a free entry for one */
  warpset parked;      /* warps that wait for the cluster to form again */
};

/* The inputs of issue, a set of warps each. */
struct issue_warps {
  warpset live, ctrl, settle, waiting, head, hazard;
  warpset sfu, mem, none;          /* pipe of the head */
  const struct issue_group *group; /* NULL: the SM is alone */
};

static inline warpset issue_ref_ready(const struct issue_warps *w) {
  return w->live & w->head & ~w->hazard & ~w->ctrl & ~w->settle & ~w->waiting;
}

/* Returns the warps of the set whose pipe has a slot. */
static inline warpset issue_ref_with_slot(const struct issue_ref *u, const struct issue_warps *w,
                                          warpset set) {
  const warpset others = w->sfu | w->mem | w->none;
  return set & (u->sp != 0 ? ~UINT64_C(0) : others) & (u->sfu != 0 ? ~UINT64_C(0) : ~w->sfu) &
         (u->mem != 0 ? ~UINT64_C(0) : ~w->mem);
}

/* Returns the eligible warps that a cluster lets issue. */
warpset issue_ref_member_elig(const struct issue_warps *w, warpset elig);
static inline warpset issue_ref_elig(const struct issue_ref *u, const struct issue_warps *w) {
  const warpset elig = issue_ref_with_slot(u, w, issue_ref_ready(w));
  return w->group == NULL ? elig : issue_ref_member_elig(w, elig);
}

/* Decides which of the two picks (NO_WARP: none) are granted. */
void issue_ref_grants(const struct issue_ref *u, const struct issue_warps *w,
                      const unsigned pick[2], bool grant[2]);
static inline warpset issue_ref_running(const struct issue_warps *w, warpset own) {
  return own & ~(w->ctrl | w->settle | w->waiting);
}

/* Returns the cause for which the scheduler of this parity issues nothing. */
static inline enum stall issue_ref_stall(const struct issue_warps *w, unsigned parity) {
  const warpset own = w->live & warpset_of_parity(parity), runs = issue_ref_running(w, own);
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
/* The outcome of a scheduler's pick. */
enum issue_pick {
  PICK_NONE,
  PICK_LOST,   /* it is not granted */
  PICK_STOPPED /* it parks, and counts as none */
};

/* Returns that cause in a member of a cluster. */
enum stall issue_ref_member_stall(const struct issue_ref *u, const struct issue_warps *w,
                                  unsigned parity, enum issue_pick pick);
/* Takes the granted picks' slots. */
void issue_ref_clock(struct issue_ref *u, const struct issue_warps *w, const unsigned pick[2],
                     const bool grant[2]);
/* Takes returned slots back. */
void issue_ref_return(struct issue_ref *u, unsigned sp, unsigned sfu, unsigned mem);

/* No MEM place is taken. */
static inline bool issue_ref_mem_home(const struct issue_ref *u) { return u->mem == u->mem_slots; }

void issue_ref_reset(struct issue_ref *u);
/* The same, `sp_slots` and `mem_slots` staying what they are. */
void issue_ref_restart(struct issue_ref *u);
void issue_ref_eval(const struct issue_ref *u, const struct issue_in *in, struct issue_out *out);
void issue_ref_step(struct issue_ref *u, const struct issue_in *in);
void issue_ref_view(const struct issue_ref *u, struct issue_view *view);

#endif
