/* A member of a buddy cluster: its front end with ports, monitor, park and links of its own; for
 * buddy_cluster.c.  A cycle has two parts: buddy_member_see derives the outputs from state and
 * registered inputs, then buddy_member_clock changes the state. */
#ifndef TANDEM_REF_BUDDY_MEMBER_H
#define TANDEM_REF_BUDDY_MEMBER_H

#include "csim/ports/pipeline_rows.h"
#include "csim/ref/buddy/downlink.h"
#include "csim/ref/buddy/group_control.h"
#include "csim/ref/buddy/master_port.h"
#include "csim/ref/buddy/monitor.h"
#include "csim/ref/buddy/park.h"
#include "csim/ref/buddy/side_band.h"
#include "csim/ref/buddy/slave_port.h"
#include "csim/ref/buddy/uplink.h"
#include "csim/ref/sm/frontend.h"

struct buddy_member {
  unsigned number, reach; /* members of the largest group that it can lead, itself counted */
  struct frontend_ref *fe;
  struct master_port_ref master;
  struct slave_port_ref slave;
  struct monitor_ref monitor;
  struct park_ref park;
  struct downlink_ref down; /* from its leader, and to it */
  struct uplink_ref up;
  struct master_branch late; /* the branch of the cycle before */
  bool cold;                 /* the front end is off, or not reset since it was */
  bool rests;                /* the front end, planned alone, changes nothing by itself */
  bool quiet;                /* the whole member changes nothing without inputs */

  /* The role from group_control, as it has arrived. */
  bool leads, follows, power, reset, hold;
  bool listens;      /* packets come from another member */
  bool parks, calls; /* warps park; the member calls its roll */
  unsigned lead;
  unsigned slaves; /* followers: bit k - 1 for the k-th after the member */

  /* Signals of the present cycle. */
  bool off;
  struct master_branch branch; /* resolved now */
  struct flits sends;          /* packets to the followers */
  bool answered;               /* the leader's end of the uplink has answers: */
  struct uplink_out answers;
  bool hears;      /* a follower has answered */
  bool asked, set; /* a follower's verdict differs; the PC to park at becomes known: */
  uint16_t set_pc;
  struct park_in park_in; /* while warps park */
  struct park_out park_out;
  bool take_mem;      /* a memory instruction issues */
  unsigned load_warp; /* warp of a load that issues to a group, NO_WARP: none */
  struct buddy_member_out out;
};

struct buddy_cluster_ref {
  unsigned members;
  struct buddy_cluster_in in; /* registered */
  struct group_control_ref control;
  struct side_band_ref band; /* between it and the members */
  struct buddy_cluster_out out;
  struct buddy_member member[GROUP_MEMBERS];
};

static inline bool member_bit(uint64_t vector, unsigned m) { return (vector >> m & 1) != 0; }

/* Registered inputs are kept while one of them is valid. */
static inline bool member_starts(const struct buddy_member *b) {
  return !b->fe->in_idle && b->fe->in.kernel_start != 0;
}
static inline bool member_resolves(const struct buddy_member *b) {
  return !b->fe->in_idle && b->fe->in.resolve_valid != 0;
}
static inline bool member_completes(const struct buddy_member *b) {
  return !b->fe->in_idle && row_bit(b->fe->in.wb_valid, ROW_MEM);
}

/* Returns the branch or exit that the own back end has resolved. */
static inline struct slave_resolve member_coming(const struct buddy_member *b) {
  return (struct slave_resolve){(uint8_t)b->fe->in.resolve_warp, (uint32_t)b->fe->in.resolve_taken};
}

/* Returns the contents of the issue registers. */
static inline struct master_pair member_issued(const struct buddy_member *b) {
  const struct sm_frontend_out *o = &b->fe->out;
  return (struct master_pair){
      {{o->iss0_valid != 0, o->iss0_inst, (uint16_t)o->iss0_pc, (uint32_t)o->iss0_mask},
       {o->iss1_valid != 0, o->iss1_inst, (uint16_t)o->iss1_pc, (uint32_t)o->iss1_mask}}};
}

/* Returns the answers of the leader's k-th follower, or NULL. */
static inline const struct uplink_out *
buddy_member_answer(const struct buddy_cluster_ref *c, const struct buddy_member *b, unsigned k) {
  const struct buddy_member *other = &c->member[b->number + k];
  return member_bit(b->slaves, k - 1) && other->answered ? &other->answers : NULL;
}

/* Derives the signals of the present cycle of a member; that of its leader is derived before. */
void buddy_member_see(struct buddy_cluster_ref *c, struct buddy_member *b);

/* Steps the clock edge of a member without its links. */
void buddy_member_clock(struct buddy_cluster_ref *c, struct buddy_member *b);

/* Steps the clock edge of the links, after that of all members. */
void buddy_member_clock_links(struct buddy_cluster_ref *c, struct buddy_member *b);

#endif
