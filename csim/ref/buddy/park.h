/* Reference of rtl/buddy/park.sv (docs/hardware/buddy_halfway.md, park). */
#ifndef TANDEM_REF_PARK_H
#define TANDEM_REF_PARK_H

#include "csim/ports/units.h"
#include "csim/ref/sm/warpset.h"

struct park_ref {
  uint16_t pc;          /* PC at which warps park */
  uint8_t above[WARPS]; /* entries of a stack that were not there when the member became alone */
  warpset deeper;       /* warps with such entries */
  warpset parked;
  warpset done; /* warps that the roll has called */
  unsigned called;
  bool ended; /* the roll's end was called too */
};

void park_ref_reset(struct park_ref *k);
static inline bool park_ref_rests(const struct park_ref *k) {
  return (k->parked | k->done) == 0 && !k->ended;
}
/* Ends parking: no warp is parked, and no roll is called. */
static inline void park_ref_clear(struct park_ref *k) {
  k->parked = k->done = 0;
  k->called = 0;
  k->ended = false;
}

/* Forgets the entries that stacks have gained, as the members work together. */
void park_ref_together(struct park_ref *k);

/* Counts entries that a warp's stack gains or loses; a launched warp has none. */
void park_ref_grow(struct park_ref *k, unsigned warp, unsigned entries);
void park_ref_shrink(struct park_ref *k, unsigned warp);
void park_ref_launch(struct park_ref *k, unsigned warp);

/* Returns whether a warp that is about to issue at this PC parks instead. */
bool park_ref_stops(const struct park_ref *k, unsigned warp, uint16_t pc);

void park_ref_eval(const struct park_ref *k, const struct park_in *in, struct park_out *out);
void park_ref_step(struct park_ref *k, const struct park_in *in);
void park_ref_view(const struct park_ref *k, struct park_view *view);

#endif
