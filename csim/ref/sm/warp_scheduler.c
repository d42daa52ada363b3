/* Reference of rtl/sm/warp_scheduler.sv. */
#include "csim/ref/sm/warp_scheduler.h"

void warp_scheduler_ref_reset(struct warp_scheduler_ref *s, unsigned parity) {
  *s =
      (struct warp_scheduler_ref){.parity = (uint8_t)parity, .last = (uint8_t)(WARPS - 2 + parity)};
}

static unsigned oldest(const struct warp_scheduler_ref *s, warpset elig) {
  unsigned best = NO_WARP, best_age = 0;
  for (; elig != 0; elig &= elig - 1) {
    unsigned w = warpset_first(elig);
    unsigned age = (uint16_t)(s->count - s->sequence[w / 2]);
    if (best == NO_WARP || age > best_age) {
      best = w;
      best_age = age;
    }
  }
  return best;
}

unsigned warp_scheduler_ref_pick(const struct warp_scheduler_ref *s, bool lrr, warpset elig) {
  if (lrr)
    return warpset_first_after(elig, s->last);
  if (s->greedy && warpset_has(elig, s->last))
    return s->last;
  return oldest(s, elig);
}

void warp_scheduler_ref_launch(struct warp_scheduler_ref *s, unsigned warp) {
  s->sequence[warp / 2] = s->count++;
  s->ordered = false;
  if (warp == s->last)
    s->greedy = false;
}

void warp_scheduler_ref_grant(struct warp_scheduler_ref *s, unsigned warp) {
  s->last = (uint8_t)warp;
  s->greedy = true;
}

void warp_scheduler_ref_eval(const struct warp_scheduler_ref *s, const struct warp_scheduler_in *in,
                             struct warp_scheduler_out *out) {
  unsigned pick = warp_scheduler_ref_pick(s, in->lrr != 0, in->elig);
  *out = (struct warp_scheduler_out){.pick_valid = pick != NO_WARP,
                                     .pick_warp = pick != NO_WARP ? pick : 0};
}

void warp_scheduler_ref_step(struct warp_scheduler_ref *s, const struct warp_scheduler_in *in) {
  if (in->kernel_start) {
    warp_scheduler_ref_reset(s, s->parity);
    return;
  }
  unsigned pick = warp_scheduler_ref_pick(s, in->lrr != 0, in->elig);
  if (in->launch_valid)
    warp_scheduler_ref_launch(s, (unsigned)in->launch_warp);
  if (in->grant)
    warp_scheduler_ref_grant(s, pick);
}

/* Compares the ages of all pairs of its warps; the lower of two equally old ones counts as older.
 */
static void order(struct warp_scheduler_ref *s, unsigned own) {
  uint16_t age[SCHEDULER_WARPS];
  for (unsigned i = 0; i < own; i++) {
    uint32_t older = 0;
    age[i] = (uint16_t)(s->count - s->sequence[i]);
    for (unsigned j = 0; j < i; j++) {
      const uint32_t first = age[j] >= age[i];
      older |= first << j;
      s->older[j] |= (first ^ 1) << i;
    }
    s->older[i] = older;
  }
  s->ordered = true;
}

void warp_scheduler_ref_view(struct warp_scheduler_ref *s, struct warp_scheduler_view *view) {
  view->last[0] = s->last;
  view->greedy[0] = s->greedy;
  view->count[0] = s->count;
  if (!s->ordered)
    order(s, (WARPS - (unsigned)s->fewer) / 2);
  for (unsigned i = 0; i < SCHEDULER_WARPS; i += 4) {
    const uint16_t *q = &s->sequence[i];
    view->seq[i / 4] = q[0] | (uint64_t)q[1] << 16 | (uint64_t)q[2] << 32 | (uint64_t)q[3] << 48;
  }
  for (unsigned i = 0; i < SCHEDULER_WARPS; i += 2)
    view->before[i / 2] = s->older[i] | (uint64_t)s->older[i + 1] << 32;
}
