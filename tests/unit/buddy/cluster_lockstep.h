/* A buddy cluster of the reference's units, in an environment of fake back ends
 * (cluster_environment.h), and beside it the program's device (device.h), whose outputs are
 * compared in every cycle, and states of front ends in each CL_STATES-th. */
#ifndef TANDEM_TEST_CLUSTER_LOCKSTEP_H
#define TANDEM_TEST_CLUSTER_LOCKSTEP_H

#include "csim/ref/buddy/buddy_cluster.h"
#include "tests/unit/buddy/cluster_environment.h"

enum { CL_PATIENCE = 20000, CL_STATES = 4 };

struct cluster_lockstep {
  unsigned members, delay;
  struct buddy_cluster_ref *ref;
  struct rtl_model *rtl; /* NULL without device */
  struct cluster_environment e;
  struct rng noise;
  uint64_t cycle, progress;
  /* Outputs of the cycle in which the last step began, and the inputs that the step applied. */
  struct buddy_cluster_out out;
  struct buddy_member_out member[CE_MEMBERS];
  struct cluster_out device; /* the device's */
  struct buddy_cluster_in in;
  struct sm_frontend_in member_in[CE_MEMBERS];
  bool quiet;      /* differences are not printed */
  bool alone;      /* the environment follows the device, which is compared with nothing */
  char wrong[256]; /* what went wrong first; "": nothing */
};

void cluster_lockstep_open(struct cluster_lockstep *c, unsigned members, unsigned hop,
                           unsigned entries, uint64_t seed, struct ce_rates rates);
void cluster_lockstep_close(struct cluster_lockstep *c);
/* Compares, lets the environment see the outputs, and applies a clock edge.  Returns false after an
 * error, which c->wrong describes. */
bool cluster_lockstep_step(struct cluster_lockstep *c);
/* Switches a fault of the device on (0: none); false if it has none. */
bool cluster_lockstep_fault(struct cluster_lockstep *c, unsigned n);

#endif
