/* The state of a back end for observers: between two cycles they read it and change nothing. */
#ifndef TANDEM_SM_LOOK_H
#define TANDEM_SM_LOOK_H

#include "csim/sm/sm.h"

/* Whatever of an SM's CTAs and barriers may have changed since the last look, this has, too. */
struct sm_progress {
  uint8_t resident; /* CTA slots, bit c for slot c */
  uint32_t live;    /* warps */
  uint64_t ctas, barriers;
};
struct sm_progress sm_progress(const struct sm *sm);

/* Warp instructions that have issued so far. */
uint64_t sm_issued(const struct sm *sm);

/* The CTA of a slot. */
struct sm_cta_look {
  uint32_t ctaid[3];
  uint64_t warps;   /* its warps in this SM */
  uint32_t barrier; /* barriers that its first warp has reached */
  uint64_t missing; /* warps that have not ended and not reached that one */
};
/* False if the slot has none, or only the upper halves of one whose lower halves another SM has. */
bool sm_cta_look(const struct sm *sm, unsigned slot, struct sm_cta_look *look);

/* A warp of the back end. */
struct sm_warp_look {
  enum { SM_WARP_NONE, SM_WARP_LAUNCHED, SM_WARP_LIVE, SM_WARP_ENDED } state;
  unsigned cta_slot;
  uint32_t ctaid[3];
  bool unresolved; /* its last instruction is a branch or exit that is not resolved */
};
void sm_warp_look(const struct sm *sm, unsigned warp, struct sm_warp_look *look);

#endif
