/* Reference of rtl/sm/warp_scheduler.sv (docs/hardware/frontend.md, warp_scheduler). */
#ifndef TANDEM_REF_WARP_SCHEDULER_H
#define TANDEM_REF_WARP_SCHEDULER_H

#include "csim/ports/units.h"
#include "csim/ref/sm/warpset.h"

enum { SCHEDULER_WARPS = WARPS / 2 };

struct warp_scheduler_ref {
  uint8_t parity; /* parity of its warps; survives a reset */
  uint8_t fewer;  /* warps of the SM that are missing from WARPS */
  uint8_t last;   /* warp that issued last */
  bool greedy;    /* and may go on */
  bool ordered;   /* no launch has changed `older` since it was found */
  uint16_t count; /* launches */
  /* By warp, its own being numbered from 0: */
  uint16_t sequence[SCHEDULER_WARPS]; /* count at the launch */
  uint32_t older[SCHEDULER_WARPS];    /* for views: the set of older ones */
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
