/* A Flex cluster of the reference's units, each member in a random environment
 * (tests/unit/environment.h), in kernel after kernel of any scheme; and beside it the program's
 * device (device.h), whose outputs are compared in every cycle, and states of the members' near
 * halves in each FL_STATES-th. */
#ifndef TANDEM_TEST_FLEX_LOCKSTEP_H
#define TANDEM_TEST_FLEX_LOCKSTEP_H

#include "csim/ref/flex/flex_cluster.h"
#include "csim/ref/flex/flex_control.h"
#include "tests/unit/environment.h"

enum { FL_MEMBERS = FLEX_CLUSTER_MEMBERS, FL_STATES = 4, FL_PATIENCE = 30000, FL_REST = 12 };

enum fl_policy { FL_ANY, FL_GREEDY, FL_IN_TURN };

/* Properties of a run and its kernels; a field below 0: by chance. */
struct fl_script {
  int mode;
  int power_up;
  unsigned ctas;         /* of a member at most, 0: as the environment has them */
  bool restless;         /* a kernel may start while the members of the one before still come up */
  enum fl_policy policy; /* of the schedulers */
};

struct flex_lockstep {
  unsigned members, dummy;
  struct flex_cluster_ref *ref;
  struct rtl_model *rtl; /* NULL without device */
  struct environment e[FL_MEMBERS];
  struct env_rates rates;
  struct fl_script script;
  struct rng rng, noise;
  uint64_t cycle, progress;
  uint64_t formed; /* CTAs may be given from then on */
  uint64_t up;     /* members that come up are reset then */
  unsigned rest;   /* cycles in which everything was over */
  unsigned mode;   /* of the kernel */
  uint8_t power_up;
  /* Outputs of the cycle in which the last step began, and the inputs that the step applied. */
  struct flex_ports_out out;
  struct flex_ports_in in;
  unsigned kernels, issued;
  bool trapped;
  bool quiet;      /* differences are not printed */
  bool closely;    /* states are compared in each cycle */
  bool alone;      /* the environments follow the device, which is compared with nothing */
  bool early;      /* a kernel may start while warps of the one before live */
  bool unasserted; /* failed assertions do not count */
  void (*inputs)(
      struct flex_lockstep *c); /* gives c->in instead of the environments; NULL: they do */
  char wrong[512];              /* what went wrong first; "": nothing */
};

void flex_lockstep_open(struct flex_lockstep *c, unsigned members, unsigned dummy, uint64_t seed,
                        struct env_rates rates, struct fl_script script);
void flex_lockstep_close(struct flex_lockstep *c);
/* Compares, lets the environments see the outputs, and applies a clock edge.  Returns false after
 * an error, which c->wrong describes. */
bool flex_lockstep_step(struct flex_lockstep *c);
/* Switches a fault of the device on (0: none); false if it has none. */
bool flex_lockstep_fault(struct flex_lockstep *c, unsigned n);

#endif
