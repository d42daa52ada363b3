/* Reference of rtl/sm/issue.sv (docs/frontend.md, issue). */
#ifndef TANDEM_REF_ISSUE_H
#define TANDEM_REF_ISSUE_H

#include "csim/ref/warpset.h"
#include "harness/ports/units.h"

enum issue_stall {
  ISSUE_ISSUES,
  ISSUE_IDLE,
  ISSUE_STRUCTURAL,
  ISSUE_SCOREBOARD,
  ISSUE_CONTROL,
  ISSUE_BARRIER,
  ISSUE_FETCH
};

struct issue_ref {
  unsigned sp, sfu, mem; /* free slots of the queues */
  unsigned prio;         /* scheduler that wins the next conflict */
};

/* What issue looks at, per warp. */
struct issue_warps {
  warpset live, ctrl, settle, waiting, head, hazard;
  warpset sfu, mem, none; /* pipe of the head */
};

static inline warpset issue_ref_ready(const struct issue_warps *w) {
  return w->live & w->head & ~w->hazard & ~w->ctrl & ~w->settle & ~w->waiting;
}
warpset issue_ref_elig(const struct issue_ref *u, const struct issue_warps *w);
/* Which of the two picks (NO_WARP: none) are granted. */
void issue_ref_grants(const struct issue_ref *u, const struct issue_warps *w,
                      const unsigned pick[2], bool grant[2]);
/* Why the scheduler of this parity issues nothing, when it does not. */
enum issue_stall issue_ref_stall(const struct issue_warps *w, unsigned parity);
/* Takes the granted picks' slots. */
void issue_ref_clock(struct issue_ref *u, const struct issue_warps *w, const unsigned pick[2],
                     const bool grant[2]);
/* Takes returned slots back. */
void issue_ref_return(struct issue_ref *u, unsigned sp, unsigned sfu, unsigned mem);

void issue_ref_reset(struct issue_ref *u);
void issue_ref_eval(const struct issue_ref *u, const struct issue_in *in, struct issue_out *out);
void issue_ref_step(struct issue_ref *u, const struct issue_in *in);
void issue_ref_view(const struct issue_ref *u, struct issue_view *view);

#endif
