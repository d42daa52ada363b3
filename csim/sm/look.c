/* The state of a back end for observers. */
#include "csim/sm/look.h"

#include "csim/sm/sm_local.h"

struct sm_progress sm_progress(const struct sm *sm) {
  return (struct sm_progress){.resident = sm->resident,
                              .live = (uint32_t)__builtin_popcountll(sm->live),
                              .ctas = sm->stats.ctas,
                              .barriers = sm->stats.barriers};
}

uint64_t sm_issued(const struct sm *sm) { return sm->stats.warp_instructions; }

bool sm_cta_look(const struct sm *sm, unsigned slot, struct sm_cta_look *look) {
  const struct sm_cta *cta = &sm->cta[slot];
  if ((sm->resident >> slot & 1) == 0 || cta->warps == 0 || sm->half != 0)
    return false;
  *look = (struct sm_cta_look){.warps = cta->warps};
  memcpy(look->ctaid, sm->warp[__builtin_ctzll(cta->warps)].place.ctaid, sizeof look->ctaid);
  for (uint64_t left = cta->warps; left != 0; left &= left - 1) {
    const struct sm_warp *w = &sm->warp[__builtin_ctzll(left)];
    look->barrier = w->barriers > look->barrier ? w->barriers : look->barrier;
  }
  for (uint64_t left = cta->warps & ~cta->ended; left != 0; left &= left - 1)
    if (sm->warp[__builtin_ctzll(left)].barriers < look->barrier)
      look->missing |= left & -left;
  return true;
}

void sm_warp_look(const struct sm *sm, unsigned warp, struct sm_warp_look *look) {
  *look = (struct sm_warp_look){.state = SM_WARP_NONE};
  if (warp >= SM_WARPS)
    return;
  const struct sm_warp *w = &sm->warp[warp];
  const struct sm_cta *cta = &sm->cta[w->place.cta_slot];
  if ((sm->resident >> w->place.cta_slot & 1) == 0 || (cta->warps >> warp & 1) == 0)
    return;
  look->state = (sm->live >> warp & 1) != 0     ? SM_WARP_LIVE
                : (cta->ended >> warp & 1) != 0 ? SM_WARP_ENDED
                                                : SM_WARP_LAUNCHED;
  look->cta_slot = w->place.cta_slot;
  memcpy(look->ctaid, w->place.ctaid, sizeof look->ctaid);
  look->unresolved = (sm->unresolved >> warp & 1) != 0;
}
