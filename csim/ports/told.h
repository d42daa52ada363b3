/* The inputs of a front end in a cycle, and the set of its controls (inputs that always mean
 * something) that are not 0: most are 0 in most cycles. */
#ifndef TANDEM_TOLD_H
#define TANDEM_TOLD_H

#include "csim/ports/units.h"

/* Bits of a set: TOLD_x for input x. */
enum {
#define PORT_IN(name, width, qualifier) TOLD_##name,
#define PORT_OUT(name, width, qualifier)
#include "csim/ports/sm_frontend.def"
#undef PORT_IN
#undef PORT_OUT
};
#define TOLD(name) (UINT64_C(1) << TOLD_##name)

/* Of a member of a cluster: cfg_lrr and kernel_start, which the cluster has for all, stand in the
 * cluster's inputs alone. */
struct member_told {
  const struct sm_frontend_in *in;
  uint64_t set;
};

/* The set of given inputs, without cfg_lrr, which does not change. */
static inline uint64_t told_set(const struct sm_frontend_in *in) {
  const struct sm_frontend_in *p = in;
  uint64_t set = 0;
#define PORT_IN(name, width, qualifier)                                                            \
  if (PORT_ALWAYS(qualifier))                                                                      \
    set |= (uint64_t)(p->name != 0) << TOLD_##name;
#define PORT_OUT(name, width, qualifier)
#include "csim/ports/sm_frontend.def"
#undef PORT_IN
#undef PORT_OUT
  return set & ~TOLD(cfg_lrr);
}

#endif
