/* A verilated buddy cluster. */
#ifndef TANDEM_BUDDY_CLUSTER_MODEL_H
#define TANDEM_BUDDY_CLUSTER_MODEL_H

#include <string>
#include <vector>

#include "harness/shim/kind.h"

struct kind : cluster_kind<cluster_in, cluster_out, sm_frontend_state> {
  /* The parts of its front end, and the monitor of one that leads. */
  static std::vector<std::string> switched(unsigned member) {
    std::vector<std::string> all;
#define PART(name, unit, switched)                                                                 \
  if (switched)                                                                                    \
    all.push_back("u_frontend.u_" #name);
#include "csim/ports/sm/frontend_parts.def"
#undef PART
    if (member % 2 == 0)
      all.push_back("g_leads.u_leader.u_monitor");
    return all;
  }
};

#endif
