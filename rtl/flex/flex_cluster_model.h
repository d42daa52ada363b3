/* A verilated Flex cluster. */
#ifndef TANDEM_FLEX_CLUSTER_MODEL_H
#define TANDEM_FLEX_CLUSTER_MODEL_H

#include <string>
#include <vector>

#include "harness/shim/kind.h"
#include "rtl/flex/far_rows_model.h"

struct kind : cluster_kind<flex_ports_in, flex_ports_out, flex_member_state> {
  template <class Root>
  static void view(const Root &root, unsigned member, bool powered, state &s) {
    s = {}; /* members that only lend have fewer warps */
    cluster_kind::view(root, member, powered, s);
    if (powered)
      far_rows_read<MEMBERS>(root, member, s);
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier)
#define STATE(name, width, count, signal, qualifier)                                               \
  read_state(s.control.name, root.flex_cluster__DOT__u_control__DOT__##signal);
#include "csim/ports/flex/flex_control.def"
#undef STATE
#undef PORT_OUT
#undef PORT_IN
  }
  /* The parts of its near half. */
  static std::vector<std::string> switched(unsigned) {
    std::vector<std::string> all;
#define PART(name, unit, switched)                                                                 \
  if (switched)                                                                                    \
    all.push_back("u_frontend.u_" #name);
#include "csim/ports/flex/flex_parts.def"
#undef PART
    return all;
  }
};

#endif
