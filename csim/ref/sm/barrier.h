/* Reference of rtl/sm/barrier.sv (docs/hardware/frontend.md, barrier). */
#ifndef TANDEM_REF_BARRIER_H
#define TANDEM_REF_BARRIER_H

#include "csim/ports/units.h"
#include "csim/ref/sm/warpset.h"

enum { BARRIER_CTAS = 8 };

struct barrier_cta {
  warpset members;
  bool complete; /* the last warp of the CTA has been launched */
};

struct barrier_ref {
  warpset waiting;
  struct barrier_cta cta[BARRIER_CTAS];
};

void barrier_ref_reset(struct barrier_ref *b);

/* Returns the live warps of the CTAs in which a warp waits. */
warpset barrier_ref_held(const struct barrier_ref *b, warpset live);

/* Returns the CTA slots that are released in this cycle, bit c for slot c. */
unsigned barrier_ref_complete(const struct barrier_ref *b, warpset live);
static inline unsigned barrier_ref_released(const struct barrier_ref *b, warpset live) {
  return b->waiting == 0 ? 0 : barrier_ref_complete(b, live);
}
/* The parts of a cycle, in this order; `released` is from before the cycle. */
void barrier_ref_release(struct barrier_ref *b, unsigned released);
void barrier_ref_arrive(struct barrier_ref *b, unsigned warp);
void barrier_ref_launch(struct barrier_ref *b, unsigned warp, unsigned cta, bool last);

void barrier_ref_eval(const struct barrier_ref *b, const struct barrier_in *in,
                      struct barrier_out *out);
void barrier_ref_step(struct barrier_ref *b, const struct barrier_in *in);
void barrier_ref_view(const struct barrier_ref *b, struct barrier_view *view);

#endif
