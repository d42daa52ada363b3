/* Reference of rtl/buddy/master_port.sv (docs/buddy.md, master_port). */
#ifndef TANDEM_REF_MASTER_PORT_H
#define TANDEM_REF_MASTER_PORT_H

#include "csim/ref/flight.h"
#include "csim/ref/warpset.h"
#include "harness/ports/units.h"

enum {
  MASTER_NEIGHBOURS = 7,                      /* at most */
  MASTER_WINDOWS = 2 * (int)FLIGHT_DELAY + 2, /* verdicts that can be open, one a cycle */
  MASTER_CREDITS = 8                          /* places for memory instructions in a member */
};

/* An instruction on its way to the back end. */
struct master_issue {
  bool valid;
  uint64_t inst;
  uint16_t pc;
  uint32_t mask;
};

/* What issued in one cycle. */
struct master_pair {
  struct master_issue iss[2];
};

/* A warp that may not issue for some cycles more, as slaves may disagree about its branch. */
struct master_window {
  uint8_t warp;
  uint16_t rpc; /* where the branch's directions meet */
  unsigned left;
};

struct master_port_ref {
  unsigned members, delay;
  struct master_pair line[FLIGHT_DELAY]; /* issued 1 to `delay` cycles ago, the newest first */
  struct master_window window[MASTER_WINDOWS];
  unsigned windows;
  uint32_t differed; /* bit i: a follower's verdict did i + 1 cycles ago, of D + 2 */
  uint16_t park_pc;  /* where they are told to park then */
  unsigned credits[MASTER_NEIGHBOURS]; /* of the k-th neighbour at k - 1 */
};

/* members: 2, 4, 8; delay: core cycles to them. */
void master_port_ref_reset(struct master_port_ref *m, unsigned members, unsigned delay);
void master_port_ref_eval(const struct master_port_ref *m, const struct master_port_in *in,
                          struct master_port_out *out);
void master_port_ref_step(struct master_port_ref *m, const struct master_port_in *in);
void master_port_ref_view(const struct master_port_ref *m, struct master_port_view *view);

#endif
