/* Reference of rtl/buddy/master_port.sv (docs/hardware/buddy_links.md, master_port). */
#ifndef TANDEM_REF_MASTER_PORT_H
#define TANDEM_REF_MASTER_PORT_H

#include "csim/ports/units.h"
#include "csim/ref/buddy/flight.h"
#include "csim/ref/sm/simt_stack.h"
#include "csim/ref/sm/warpset.h"

enum {
  MASTER_NEIGHBOURS = 7, /* most followers */
  MASTER_WINDOWS = 64,   /* more than the 2 D + 2 verdicts that can be open, one a cycle */
  MASTER_CREDITS = 8     /* places for memory instructions in a member */
};

/* An instruction on its way to the back end. */
struct master_issue {
  bool valid;
  uint64_t inst;
  uint16_t pc;
  uint32_t mask;
};

/* The instructions that issued in one cycle. */
struct master_pair {
  struct master_issue iss[2];
};

/* A branch or exit that the stack took in the cycle before. */
struct master_branch {
  bool valid;
  uint8_t warp;
  uint32_t taken;
  struct simt_outcome outcome;
};

/* A warp that may not issue yet, as slaves may disagree about its branch. */
struct master_window {
  uint8_t warp;
  uint16_t rpc;    /* the branch's reconvergence PC */
  uint64_t opened; /* cycle in which the window opened */
};

struct master_port_ref {
  unsigned members, delay;
  uint64_t cycle;                        /* counts the cycles in which the port was stepped */
  struct master_pair line[FLIGHT_DELAY]; /* issued 1 to `delay` cycles ago: by cycle, modulo D */
  unsigned now;                          /* the cycle's place in it */
  unsigned left;                         /* cycles after which the line is empty */
  struct master_window window[MASTER_WINDOWS]; /* a queue, by number modulo MASTER_WINDOWS */
  unsigned opened, closed;                     /* numbers of the next to open, to close */
  warpset verdict;                             /* warps with an open window */
  uint32_t differed; /* bit i: a follower's verdict differed i + 1 cycles ago, of D + 2 */
  uint16_t park_pc;  /* PC at which warps park then */
  unsigned credits[MASTER_NEIGHBOURS]; /* credits of neighbour k at k - 1 */
  unsigned away;                       /* credits of all neighbours that are not here */
};

/* Resets the port of a master of 2, 4 or 8 members, `delay` core cycles away. */
void master_port_ref_reset(struct master_port_ref *m, unsigned members, unsigned delay);

/* Packs the issued instructions and the branch of the cycle before into the slots. */
void master_port_ref_pack(const struct master_pair *issued, const struct master_branch *branch,
                          struct flits *slots);

/* Puts packets of the roll call, or of the PC to park at, into the slots. */
void master_port_ref_call(const struct master_port_ref *m, const struct master_port_in *in,
                          struct flits *slots);

/* Returns the instructions for the back end, which issued D cycles ago. */
static inline const struct master_pair *master_port_ref_late(const struct master_port_ref *m) {
  return &m->line[m->now];
}

/* Returns whether each follower (bit k - 1 for neighbour k) has a place for a memory instruction.
 */
bool master_port_ref_members_ok(const struct master_port_ref *m, unsigned slaves);

/* Returns whether nothing is under way. */
bool master_port_ref_at_rest(const struct master_port_ref *m);

/* Returns the reconvergence PC of the branch whose window ends now. */
uint16_t master_port_ref_ending_rpc(const struct master_port_ref *m);

/* Returns whether nothing changes without inputs. */
static inline bool master_port_ref_still(const struct master_port_ref *m) {
  return m->left == 0 && m->opened == m->closed && m->differed == 0;
}

/* Ends a cycle with the instructions that issued and the branch, NULL if the member is no master.
 * `differs`: a follower's verdict differs. */
void master_port_ref_advance(struct master_port_ref *m, const struct master_pair *issued,
                             const struct master_branch *branch, bool differs);

/* Takes a credit of each follower if `take`, and returns those of the set `back`. */
void master_port_ref_settle(struct master_port_ref *m, unsigned slaves, bool take, unsigned back);

void master_port_ref_eval(const struct master_port_ref *m, const struct master_port_in *in,
                          struct master_port_out *out);
void master_port_ref_step(struct master_port_ref *m, const struct master_port_in *in);
void master_port_ref_view(const struct master_port_ref *m, struct master_port_view *view);

#endif
