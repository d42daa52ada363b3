/* Reference of rtl/sm/warp_scheduler.sv (docs/hardware/frontend.md, warp_scheduler). */
#ifndef TANDEM_REF_WARP_SCHEDULER_H
#define TANDEM_REF_WARP_SCHEDULER_H

#include "csim/ports/units.h"
#include "csim/ref/sm/warpset.h"

struct warp_scheduler_ref {
  uint8_t parity;           /* parity of its warps; survives a reset */
  uint8_t fewer;            /* warps of the SM that are missing from WARPS */
  uint8_t last;             /* warp that issued last */
  bool greedy;              /* and may go on */
  uint16_t count;           /* launches */
  uint16_t sequence[WARPS]; /* count at the warp's launch */
  /* Kept for views: of each of its warps, numbered from 0, the set of those that are older. */
  uint32_t older[WARPS / 2];
  bool ordered; /* no launch has changed the order since it was kept */
};

void warp_scheduler_ref_reset(struct warp_scheduler_ref *s, unsigned parity);
/* The warp that issues next of the eligible ones, NO_WARP if there is none. */
unsigned warp_scheduler_ref_pick(const struct warp_scheduler_ref *s, bool lrr, warpset elig);
void warp_scheduler_ref_launch(struct warp_scheduler_ref *s, unsigned warp);

/* Notes that the warp has issued; called after the launch of the same cycle. */
void warp_scheduler_ref_grant(struct warp_scheduler_ref *s, unsigned warp);

void warp_scheduler_ref_eval(const struct warp_scheduler_ref *s, const struct warp_scheduler_in *in,
                             struct warp_scheduler_out *out);
void warp_scheduler_ref_step(struct warp_scheduler_ref *s, const struct warp_scheduler_in *in);
void warp_scheduler_ref_view(struct warp_scheduler_ref *s, struct warp_scheduler_view *view);

#endif
