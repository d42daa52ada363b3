/* Reference of rtl/buddy/slave_port.sv (docs/hardware/buddy_links.md, slave_port). */
#ifndef TANDEM_REF_SLAVE_PORT_H
#define TANDEM_REF_SLAVE_PORT_H

#include "csim/ports/units.h"
#include "csim/ref/buddy/flight.h"
#include "csim/ref/sm/warpset.h"

enum { SLAVE_RESOLVES = FLIGHT_DELAY + 4, CTRL_UNGROUP = 1 };

/* A branch or exit that the own back end has resolved. */
struct slave_resolve {
  uint8_t warp;
  uint32_t taken;
};

struct slave_port_ref {
  struct slave_resolve resolve[SLAVE_RESOLVES]; /* outcomes that wait for the master's, in order */
  unsigned resolves;
  warpset diverged; /* warps that went another way than the master's; the last one's branch: */
  struct slave_cause {
    uint8_t warp, own, master; /* directions here and of the master */
    uint16_t pc;
  } cause;
  bool ungroup; /* request at the uplink */
};

void slave_port_ref_reset(struct slave_port_ref *s);

/* Queues an own outcome.  One too many, which a faulty leader may cause, is lost. */
void slave_port_ref_join(struct slave_port_ref *s, struct slave_resolve own);

/* Returns the own outcome to compare with the master's: the oldest, or else `coming`, the one of
 * this cycle, NULL if there is none. */
static inline const struct slave_resolve *
slave_port_ref_oldest(const struct slave_port_ref *s, const struct slave_resolve *coming) {
  return s->resolves > 0 ? &s->resolve[0] : coming;
}

/* Removes the oldest outcome, with its verdict from the master's Mask packet and the own
 * directions of the branch or exit at `pc`. */
void slave_port_ref_judge(struct slave_port_ref *s, uint64_t packet, unsigned dirs, uint16_t pc);

/* Empties the port, as the member follows nobody. */
void slave_port_ref_leave(struct slave_port_ref *s);
static inline bool slave_port_ref_empty(const struct slave_port_ref *s) {
  return s->resolves == 0 && !s->ungroup;
}

void slave_port_ref_eval(const struct slave_port_ref *s, const struct slave_port_in *in,
                         struct slave_port_out *out);
void slave_port_ref_step(struct slave_port_ref *s, const struct slave_port_in *in);
void slave_port_ref_view(const struct slave_port_ref *s, struct slave_port_view *view);

#endif
