/* Reference of rtl/buddy/master_port.sv (docs/buddy.md, master_port). */
#ifndef TANDEM_REF_MASTER_PORT_H
#define TANDEM_REF_MASTER_PORT_H

#include "csim/ports/units.h"
#include "csim/ref/buddy/flight.h"
#include "csim/ref/sm/simt_stack.h"
#include "csim/ref/sm/warpset.h"

enum {
  MASTER_NEIGHBOURS = 7, /* at most */
  MASTER_WINDOWS = 64,   /* above the verdicts that can be open, one a cycle: 2 D + 2 */
  MASTER_CREDITS = 8     /* places for memory instructions in a member */
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

/* A branch or exit that the stack has taken in the cycle before. */
struct master_branch {
  bool valid;
  uint8_t warp;
  uint32_t taken;
  struct simt_outcome outcome;
};

/* A warp that may not issue for some cycles more, as slaves may disagree about its branch. */
struct master_window {
  uint8_t warp;
  uint16_t rpc;    /* where the branch's directions meet */
  uint64_t opened; /* cycle */
};

struct master_port_ref {
  unsigned members, delay;
  uint64_t cycle;                        /* of those in which something was to be done */
  struct master_pair line[FLIGHT_DELAY]; /* issued 1 to `delay` cycles ago: by cycle, modulo D */
  unsigned now;                          /* the cycle's place in it */
  unsigned left;                         /* cycles after which the line is empty */
  struct master_window window[MASTER_WINDOWS]; /* a queue, by number modulo MASTER_WINDOWS */
  unsigned opened, closed;                     /* numbers of the next to open, to close */
  warpset verdict;                             /* warps in them */
  uint32_t differed; /* bit i: a follower's verdict did i + 1 cycles ago, of D + 2 */
  uint16_t park_pc;  /* where they are told to park then */
  unsigned credits[MASTER_NEIGHBOURS]; /* of the k-th neighbour at k - 1 */
  unsigned away;                       /* of all, credits that are not here */
};

/* members: 2, 4, 8; delay: core cycles to them. */
void master_port_ref_reset(struct master_port_ref *m, unsigned members, unsigned delay);

/* What the port gives in a cycle, from what issued and the branch of the cycle before:
 * packets in the slots; what goes to the back end (what was issued D cycles ago); followers (bit k
 * - 1 for neighbour k) have places for a memory instruction; nothing is under way; where the branch
 * meets whose window ends now. */
void master_port_ref_pack(const struct master_pair *issued, const struct master_branch *branch,
                          struct flits *slots);
void master_port_ref_call(const struct master_port_ref *m, const struct master_port_in *in,
                          struct flits *slots);
static inline const struct master_pair *master_port_ref_late(const struct master_port_ref *m) {
  return &m->line[m->now];
}
bool master_port_ref_members_ok(const struct master_port_ref *m, unsigned slaves);
bool master_port_ref_at_rest(const struct master_port_ref *m);
uint16_t master_port_ref_ending_rpc(const struct master_port_ref *m);

/* Nothing changes unless something comes. */
static inline bool master_port_ref_still(const struct master_port_ref *m) {
  return m->left == 0 && m->opened == m->closed && m->differed == 0;
}
/* The cycle ends: what issued and the branch (NULL: the member is no master), whether a follower's
 * verdict differs. */
void master_port_ref_advance(struct master_port_ref *m, const struct master_pair *issued,
                             const struct master_branch *branch, bool differs);
/* Credits of followers: one of each is taken, those of a set return. */
void master_port_ref_settle(struct master_port_ref *m, unsigned slaves, bool take, unsigned back);

void master_port_ref_eval(const struct master_port_ref *m, const struct master_port_in *in,
                          struct master_port_out *out);
void master_port_ref_step(struct master_port_ref *m, const struct master_port_in *in);
void master_port_ref_view(const struct master_port_ref *m, struct master_port_view *view);

#endif
