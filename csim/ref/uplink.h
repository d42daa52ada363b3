/* Reference of rtl/buddy/uplink.sv (docs/buddy.md, uplink). */
#ifndef TANDEM_REF_UPLINK_H
#define TANDEM_REF_UPLINK_H

#include "csim/ref/flight.h"
#include "harness/ports/units.h"

enum { UPLINK_MOST_ACKS = 64 };

struct uplink_ref {
  unsigned slave, depth;
  /* What waits at the slave: packets of ACKs, the oldest first; a credit; a control packet. */
  uint16_t acks[UPLINK_MOST_ACKS];
  unsigned backlog;
  bool credit, ctrl;
  uint16_t ctrl_packet;
  struct flight flight;
};

void uplink_ref_reset(struct uplink_ref *u, unsigned hops, unsigned slave, unsigned depth);
void uplink_ref_eval(const struct uplink_ref *u, const struct uplink_in *in,
                     struct uplink_out *out);
void uplink_ref_step(struct uplink_ref *u, const struct uplink_in *in);
void uplink_ref_view(const struct uplink_ref *u, struct uplink_view *view);

#endif
