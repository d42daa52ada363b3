/* Between the C interface of the clusters and their verilated variants. */
#ifndef TANDEM_SHIM_CLUSTER_MODEL_H
#define TANDEM_SHIM_CLUSTER_MODEL_H

#include "harness/shim/cluster.h"
#include "harness/shim/runtime.h"

struct buddy_cluster_rtl {
  assertion_log log;

  virtual ~buddy_cluster_rtl() = default;
  virtual int bug(unsigned n) = 0;
  virtual void out(struct buddy_cluster_out *out, struct buddy_member_out *members) = 0;
  virtual void step(const struct buddy_cluster_in *in, const struct member_told *told) = 0;
  virtual void state(unsigned member, struct sm_frontend_state *state) = 0;
  virtual int trace_open(const char *path) = 0;
  virtual void trace_sample(uint64_t time_ps) = 0;
  virtual void trace_close() = 0;
};

#endif
