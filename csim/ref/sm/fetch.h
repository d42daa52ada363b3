/* Reference of rtl/sm/fetch.sv (docs/hardware/frontend.md, fetch). */
#ifndef TANDEM_REF_FETCH_H
#define TANDEM_REF_FETCH_H

#include "csim/ports/units.h"
#include "csim/ref/sm/warpset.h"

struct fetch_ref {
  warpset outstanding; /* warps with an open request, neither delivered nor woken */
  uint8_t last;        /* warp selected last */
  bool req_valid;      /* request to the icache */
  uint8_t req_warp;
  uint16_t req_pc;
};

void fetch_ref_reset(struct fetch_ref *f);

/* The warp that is fetched in this cycle, NO_WARP if none is eligible. */
static inline unsigned fetch_ref_select(const struct fetch_ref *f, warpset fetchable,
                                        warpset ib_valid) {
  return warpset_first_after(fetchable & ~ib_valid & ~f->outstanding, f->last);
}

/* One clock: `warp` (or NO_WARP) is selected at `pc`; the fetches of `freed` are over. */
static inline void fetch_ref_clock(struct fetch_ref *f, unsigned warp, uint16_t pc, warpset freed) {
  f->outstanding &= ~freed;
  f->req_valid = warp != NO_WARP;
  if (f->req_valid) {
    f->outstanding |= warpset_of(warp);
    f->last = (uint8_t)warp;
    f->req_warp = (uint8_t)warp;
    f->req_pc = pc;
  }
}

void fetch_ref_eval(const struct fetch_ref *f, const struct fetch_in *in, struct fetch_out *out);
void fetch_ref_step(struct fetch_ref *f, const struct fetch_in *in);
void fetch_ref_view(const struct fetch_ref *f, struct fetch_view *view);

#endif
