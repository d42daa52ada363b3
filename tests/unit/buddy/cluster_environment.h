/* Fake back ends of the members of a buddy cluster, and a watch over what the cluster gives them.
 *
 * The timing of all but memory is a function of the instructions and the cycles in which they were
 * delivered, so that it is the same in members that receive the same (docs/models/sm_cluster.md);
 * memory answers each member at its own random times.  Programs are those of environment.h.  Lanes
 * that take a branch differ from member to member, the set of directions only now and then; where
 * groups form again, also of members that are on their own.
 *
 * Each member's warps are followed by a plain interpreter of the stack of splits: what is delivered
 * must be the instruction that comes next, with its lanes, and must not use a register that is
 * still on its way in that very member. */
#ifndef TANDEM_TEST_CLUSTER_ENVIRONMENT_H
#define TANDEM_TEST_CLUSTER_ENVIRONMENT_H

#include "csim/ports/units.h"
#include "tests/unit/environment.h"

enum {
  CE_MEMBERS = 8,
  CE_FLIGHTS = 192,
  CE_FRAMES = 40,
  CE_SP_PLACES = 12,
  CE_PLACES = 8,
  CE_VISITS = 64
};

struct ce_frame {
  uint16_t pc, rpc;
  uint32_t mask;
};

/* Where a warp's lanes are: frames, the running one last. */
struct ce_warp {
  bool live;
  unsigned cta, frames, flights;
  unsigned bars; /* barriers that it has come to */
  bool at_bar;   /* a barrier was its last instruction */
  struct ce_frame frame[CE_FRAMES];
  uint32_t lanes, launched;
  bool fresh;                /* nothing has come yet */
  uint8_t visits[CE_VISITS]; /* of branches and exits, by PC */
  uint64_t not_before;       /* cycle in which its next instruction may be in the issue registers */
};

struct ce_flight {
  bool to_collect, to_take, to_write, to_resolve;
  uint8_t warp, pipe, reg, size;
  bool pred;
  uint32_t taken;
  uint64_t reads, writes;
  uint64_t collect, write; /* cycles; of memory instructions only the first; branches: resolve */
};

struct ce_member {
  struct ce_warp warp[ENV_WARPS];
  struct ce_flight flight[CE_FLIGHTS];
  unsigned flights;
  uint16_t miss[ENV_MISSES];
  unsigned misses, fill_beat;
  bool filling;
  uint16_t fill_line;
  unsigned alive[ENV_CTAS], launching, left;
};

struct ce_rates {
  unsigned memory, places; /* per cent a cycle: loads answered, places given back */
  unsigned diverge, exits; /* per thousand branches, exits: members take other ways */
  unsigned split;          /* per million cycles */
  unsigned nest;
  unsigned ctas; /* most of a kernel, for each member */
};

/* Choices that a test may make instead of chance; a number of -1 leaves the choice to chance. */
struct ce_script {
  unsigned dissent;         /* members that may take other ways, a bit each */
  int form, solo, power_up; /* of each kernel */
  int ctas;
  bool restless; /* kernels follow quickly, some have no CTA */
  int halfway;   /* groups that came apart may form again */
  unsigned calm; /* per cent of kernels with programs of one function, without barriers */
};

struct cluster_environment {
  unsigned members, delay;
  uint64_t seed, cycle;
  struct ce_rates rates;
  struct ce_script script;
  struct rng rng;
  struct environment program;
  struct ce_member member[CE_MEMBERS];
  unsigned ctas, idle; /* to launch; cycles without anything */
  unsigned rest;       /* so many before a kernel */
  uint64_t formed;     /* cycle from which on the cluster has the kernel's formation */
  uint8_t power_up;
  bool halfway;
  unsigned grouped;  /* members of groups, a bit each */
  uint64_t state;    /* of the groups, as of the cycle before */
  unsigned cta_most; /* warps of a CTA */
  /* A test may set these: states of a group in which it is often split, in which the next kernel
   * starts; warps of a CTA at most; per cent of cycles in which a warp is launched while some are
   * left.  0: by chance. */
  unsigned split_in, start_in, cta_warps, launch_rate;
  bool sp_waits;     /* SP instructions stay in their queues; a test may set this too */
  const char *fault; /* what went wrong, NULL: nothing */
  unsigned fault_member, fault_warp;
  /* counted */
  unsigned kernels, delivered, barriers;
  unsigned ends_beside_waiting;   /* warps of leaders, while another of the CTA is at a barrier */
  unsigned ends_alone;            /* of these, which go on in a follower */
  unsigned regrouped;             /* groups that have formed again */
  unsigned carried;               /* warps that lived then */
  unsigned deep;                  /* of these, within branches */
  unsigned uneven;                /* of these, that have lost lanes in some member */
  unsigned fresh;                 /* of these, that have not begun */
  unsigned sp_queued[CE_MEMBERS]; /* most SP instructions that were in a member's queue */
};

/* The script leaves all to chance; it may be changed before the first step. */
void cluster_environment_init(struct cluster_environment *e, unsigned members, unsigned hop,
                              uint64_t seed, struct ce_rates rates);
/* Takes the outputs after an edge and gives the inputs of the next one. */
void cluster_environment_step(struct cluster_environment *e, const struct buddy_cluster_out *out,
                              const struct buddy_member_out *const member[],
                              struct buddy_cluster_in *in, struct sm_frontend_in member_in[]);

#endif
