/* Reference of rtl/flex/near_issue.sv (docs/hardware/flex_frontend.md, near_issue). */
#ifndef TANDEM_REF_NEAR_ISSUE_H
#define TANDEM_REF_NEAR_ISSUE_H

#include "csim/ports/stalls.h"
#include "csim/ports/units.h"
#include "csim/ref/sm/warpset.h"

enum near_mode {
  NEAR_MODE_BASE,
  NEAR_MODE_OCC,
  NEAR_MODE_BAL,
  NEAR_MODE_BIGSM,
  NEAR_MODE_BIGSM_OCC,
  NEAR_MODES
};

/* Free slots of a side. */
struct near_slots {
  unsigned sp, sfu, mem;
};

struct near_issue_ref {
  struct near_slots side[2];
  unsigned prio; /* scheduler that wins the next conflict */
};

/* The warps as issue sees them, a set each. */
struct near_warps {
  warpset live, ctrl, settle, waiting, head, hazard;
  warpset sfu, mem, none; /* pipe of the head */
  warpset far;            /* of side 1 */
  bool hold;
};

/* The slots of a side when a kernel of the mode begins. */
struct near_slots near_slots_of(enum near_mode mode, unsigned side);

void near_issue_ref_reset(struct near_issue_ref *u);
void near_issue_ref_start(struct near_issue_ref *u, enum near_mode mode);

warpset near_issue_ref_elig(const struct near_issue_ref *u, const struct near_warps *w);
/* Decides which of the two picks (NO_WARP: none) are granted; returns whether they conflict. */
bool near_issue_ref_grants(const struct near_issue_ref *u, const struct near_warps *w,
                           const unsigned pick[2], bool grant[2]);
/* Returns the cause for which the scheduler of this parity issues nothing. */
enum stall near_issue_ref_stall(const struct near_warps *w, unsigned parity);
/* Takes the slots of the granted picks; after a conflict the turn passes. */
void near_issue_ref_clock(struct near_issue_ref *u, const struct near_warps *w,
                          const unsigned pick[2]);
/* Takes returned slots of a side back. */
void near_issue_ref_return(struct near_issue_ref *u, unsigned side, struct near_slots freed);

void near_issue_ref_eval(const struct near_issue_ref *u, const struct near_issue_in *in,
                         struct near_issue_out *out);
void near_issue_ref_step(struct near_issue_ref *u, const struct near_issue_in *in);
void near_issue_ref_view(const struct near_issue_ref *u, struct near_issue_view *view);

#endif
