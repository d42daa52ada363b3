/* Reference of rtl/sm/barrier.sv. */
#include "csim/ref/sm/barrier.h"

void barrier_ref_reset(struct barrier_ref *b) {
  *b = (struct barrier_ref){0};
  for (unsigned c = 0; c < BARRIER_CTAS; c++)
    b->cta[c].complete = true;
}

unsigned barrier_ref_complete(const struct barrier_ref *b, warpset live) {
  unsigned released = 0;
  for (unsigned c = 0; c < BARRIER_CTAS; c++) {
    warpset members = b->cta[c].members & live;
    bool all_wait = members != 0 && (members & ~b->waiting) == 0;
    if (b->cta[c].complete && all_wait)
      released |= 1U << c;
  }
  return released;
}

warpset barrier_ref_held(const struct barrier_ref *b, warpset live) {
  warpset held = 0;
  for (unsigned c = 0; c < BARRIER_CTAS; c++)
    if ((b->cta[c].members & live & b->waiting) != 0)
      held |= b->cta[c].members & live;
  return held;
}

void barrier_ref_release(struct barrier_ref *b, unsigned released) {
  for (; released != 0; released &= released - 1)
    b->waiting &= ~b->cta[__builtin_ctz(released)].members;
}

void barrier_ref_arrive(struct barrier_ref *b, unsigned warp) { b->waiting |= warpset_of(warp); }

void barrier_ref_launch(struct barrier_ref *b, unsigned warp, unsigned cta, bool last) {
  struct barrier_cta *own = &b->cta[cta];
  for (unsigned c = 0; c < BARRIER_CTAS; c++)
    if (c != cta)
      b->cta[c].members &= ~warpset_of(warp);
  if (own->complete)
    own->members = 0; /* the first warp of a new CTA */
  own->members |= warpset_of(warp);
  own->complete = last;
}

void barrier_ref_eval(const struct barrier_ref *b, const struct barrier_in *in,
                      struct barrier_out *out) {
  *out = (struct barrier_out){.waiting = b->waiting,
                              .release = barrier_ref_released(b, in->live),
                              .held = barrier_ref_held(b, in->live)};
}

void barrier_ref_step(struct barrier_ref *b, const struct barrier_in *in) {
  if (in->kernel_start) {
    barrier_ref_reset(b);
    return;
  }
  barrier_ref_release(b, barrier_ref_released(b, in->live));
  if (in->arrive0_valid)
    barrier_ref_arrive(b, (unsigned)in->arrive0_warp);
  if (in->arrive1_valid)
    barrier_ref_arrive(b, (unsigned)in->arrive1_warp);
  if (in->launch_valid)
    barrier_ref_launch(b, (unsigned)in->launch_warp, (unsigned)in->launch_cta,
                       in->launch_last != 0);
}

void barrier_ref_view(const struct barrier_ref *b, struct barrier_view *view) {
  *view = (struct barrier_view){.waiting = {b->waiting}};
  for (unsigned c = 0; c < BARRIER_CTAS; c++) {
    view->members[c] = b->cta[c].members;
    view->complete[0] |= (uint64_t)b->cta[c].complete << c;
  }
}
