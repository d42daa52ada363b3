/* Reference of rtl/buddy/uplink.sv (docs/hardware/buddy_links.md, uplink). */
#ifndef TANDEM_REF_UPLINK_H
#define TANDEM_REF_UPLINK_H

#include "csim/ports/units.h"
#include "csim/ref/buddy/flight.h"

enum { UPLINK_MOST_ACKS = 64 };

struct uplink_ref {
  unsigned slave, depth;
  /* Packets that wait at the slave: ACKs, the oldest first; a credit; a control packet. */
  uint16_t acks[UPLINK_MOST_ACKS];
  unsigned backlog;
  bool credit, ctrl;
  uint16_t ctrl_packet;
  struct flight flight;
};

void uplink_ref_reset(struct uplink_ref *u, unsigned hops, unsigned slave, unsigned depth);

/* Returns whether nothing waits and nothing is under way. */
static inline bool uplink_ref_rests(const struct uplink_ref *u) {
  return u->backlog == 0 && !u->ctrl && !u->credit && flight_empty(&u->flight);
}

/* Returns the packets that arrive at the master. */
void uplink_ref_answers(const struct uplink_ref *u, struct uplink_out *out);

/* The parts of a cycle, in this order.  First: a waiting packet leaves. */
void uplink_ref_leave(struct uplink_ref *u);

/* Second: new packets wait; the caller sets `credit` for a credit. */
void uplink_ref_ctrl(struct uplink_ref *u, unsigned type);
void uplink_ref_ack(struct uplink_ref *u, unsigned warp, unsigned reg, unsigned size);

/* Or: a new kernel drops all waiting packets. */
void uplink_ref_drop(struct uplink_ref *u);

void uplink_ref_eval(const struct uplink_ref *u, const struct uplink_in *in,
                     struct uplink_out *out);
void uplink_ref_step(struct uplink_ref *u, const struct uplink_in *in);
void uplink_ref_view(const struct uplink_ref *u, struct uplink_view *view);

#endif
