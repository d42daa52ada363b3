/* The raised inputs of a front end: its controls (inputs that always mean something) that are not 0
 * in a cycle.  Most are 0 in most cycles. */
#ifndef TANDEM_INPUTS_H
#define TANDEM_INPUTS_H

#include "csim/ports/units.h"

/* The bit of an input in a set. */
#define INPUT(name) (UINT64_C(1) << INPUT_##name)

/* The inputs of a member of a cluster, and the set of those that are raised.  The cluster has
 * cfg_lrr and kernel_start for all members: they stand in its own inputs alone. */
struct input_set {
  const struct sm_frontend_in *in;
  uint64_t set;
};

/* The set of raised inputs, without cfg_lrr, which does not change. */
static inline uint64_t inputs_raised(const struct sm_frontend_in *in) {
  return sm_frontend_raised(in) & ~INPUT(cfg_lrr);
}

#endif
