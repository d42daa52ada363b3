/* The path to or from the load-store unit: register stages, and a link that moves an instruction's
 * planes one after the other.  Instructions keep their order.  In an SM by itself it has no stage
 * and every instruction passes at once. */
#ifndef TANDEM_SM_PATH_H
#define TANDEM_SM_PATH_H

#include "csim/isa/core/inst.h"
#include "csim/sm/timing/collect.h"

enum { SM_PATH = 16 }; /* more than are on a path at once */
_Static_assert((int)SM_DELAY_MOST + SM_PLANES < (int)SM_PATH, "instructions of a path");

struct sm_path {
  uint64_t free_at; /* cycle in which it takes the next instruction */
  uint8_t at, n;
  struct {
    struct sm_inst *inst;
    uint64_t due; /* cycle in which it is through */
  } item[SM_PATH];
};

/* Puts an instruction on the path, which is free, for `cycles` cycles of the link. */
static inline void sm_path_put(struct sm_path *p, struct sm_inst *inst, uint64_t cycle,
                               unsigned cycles, unsigned delay) {
  const unsigned i = (p->at + p->n++) % SM_PATH;
  p->item[i].inst = inst;
  p->item[i].due = cycle + delay + cycles - 1;
  p->free_at = cycle + cycles;
}

/* Returns the oldest instruction if it is through, else NULL. */
static inline struct sm_inst *sm_path_due(const struct sm_path *p, uint64_t cycle) {
  return p->n != 0 && p->item[p->at].due <= cycle ? p->item[p->at].inst : NULL;
}

static inline void sm_path_take(struct sm_path *p) {
  p->at = (uint8_t)((p->at + 1) % SM_PATH);
  p->n--;
}

#endif
