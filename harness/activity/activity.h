/* Power with measured activity: the netlist itself, verilated, runs a kernel in lockstep in the
 * place of one SM's front end (or of one cluster); how often each of its nets changed in
 * a window of cycles goes to OpenSTA (docs/use/synth.md).
 */
#ifndef TANDEM_ACTIVITY_H
#define TANDEM_ACTIVITY_H

#include <stdint.h>
#include <stdio.h>

#include "harness/tandem.h"
#include "synth/flow/synth.h"

/* How a member is built, by the logarithm of how many it leads; and what the members are in. */
enum { ACTIVITY_CLUSTER = 4, ACTIVITY_WAYS };

/* A hierarchical netlist: files of Verilog, the top's among them. */
struct activity_netlist {
  const char *top;
  const char *const *files;
  size_t nfiles;
};

struct activity_clock {
  const char *port;
  unsigned multiple; /* of the core clock */
};

struct activity_request {
  const char *root;              /* the tree */
  const char *folder;            /* for what is made; what is the same the next time is kept */
  const char *liberty;           /* as yosys and OpenSTA read it */
  const struct clock_gate *gate; /* of the library; NULL: no clock is gated */
  double mhz;                    /* of the core clock, for power */
  double assumed;                /* changes of a net in a cycle, to compare with */
  const struct activity_clock *clocks; /* ends with one without port */
  const char *reset;                   /* port */
  /* One netlist of sm_frontend; or, with buddy.size members, netlists of buddy_member by how many
   * the member leads: ways[0] leads 1, ways[1] 2, ways[2] 4, ways[3] 8, those that there are; and
   * ways[ACTIVITY_CLUSTER], the netlist of buddy_cluster without those of its members. */
  struct activity_netlist ways[ACTIVITY_WAYS];
  const char *shim; /* of the model, in C++; NULL: that of harness/shim for the netlist */
  /* Run: all but engine, netlist, stop and what goes with them is taken as it is. */
  const struct tandem_config *config;
  const char *kernel; /* a launch description */
  uint64_t from, to;  /* cycles of the whole run: to is the first that does not count */
};

/* 0, or a negative errno: -EINVAL what was asked for cannot be, -ENOENT a file or tool is missing,
 * -EBADMSG the netlist differs from the reference: *report has lockstep's text, to be freed. */
int activity_measure(const struct activity_request *q, struct activity_result *r, char **report,
                     struct tandem_error *err);
/* Checks that the kernel exists and lasts as long as the window, before anything is synthesised for
 * it.  0, or a negative errno as above. */
int activity_check(const struct synth_config *c, const char *kernel, uint64_t from, uint64_t to,
                   struct tandem_error *err);
/* Measures the baseline front end, and a cluster of two if the report has it, with
 * the kernel (a launch description's path, or the name of one of tests/kernels) in cycles from to
 * to; the results join the report.  Errors as above. */
int activity_report(const struct synth_config *c, const char *kernel, uint64_t from, uint64_t to,
                    struct synth_report *r, char **report, struct tandem_error *err);

#endif
