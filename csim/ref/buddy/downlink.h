/* Reference of rtl/buddy/downlink.sv (docs/hardware/buddy_links.md, downlink). */
#ifndef TANDEM_REF_DOWNLINK_H
#define TANDEM_REF_DOWNLINK_H

#include "csim/ports/units.h"
#include "csim/ref/buddy/flight.h"

struct downlink_ref {
  struct flight flight;
};

/* Resets a link of `hops` NoC cycles, 1 to 30. */
void downlink_ref_reset(struct downlink_ref *d, unsigned hops);

/* Returns the packets that arrive in this cycle. */
static inline const struct flits *downlink_ref_arriving(const struct downlink_ref *d) {
  return flight_arriving(&d->flight);
}

/* Ends a cycle in which the packets of `leaving` leave. */
static inline void downlink_ref_send(struct downlink_ref *d, const struct flits *leaving) {
  flight_step(&d->flight, leaving);
}

void downlink_ref_eval(const struct downlink_ref *d, const struct downlink_in *in,
                       struct downlink_out *out);
void downlink_ref_step(struct downlink_ref *d, const struct downlink_in *in);
void downlink_ref_view(const struct downlink_ref *d, struct downlink_view *view);

#endif
