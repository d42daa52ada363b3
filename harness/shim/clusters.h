/* Clusters of front ends, by the struct of their own inputs: the structs of all their ports and of
 * a member's state, and the instances within a member that lose their registers with its power.
 * After the generated pins.h of all tables. */
#ifndef TANDEM_SHIM_CLUSTERS_H
#define TANDEM_SHIM_CLUSTERS_H

#include <cstdint>
#include <string>
#include <vector>

#include "harness/shim/far_rows.h"

template <class Own> struct cluster;

template <> struct cluster<buddy_cluster_in> {
  using in = cluster_in;
  using out = cluster_out;
  using state = sm_frontend_state;

  template <unsigned Members, class M> static void apply(M &m, const in &p, bool all) {
    buddy_member_apply_rows<Members>(m, p.sm, all);
  }
  template <unsigned Members, class M> static void read(const M &m, out &p) {
    buddy_member_read_rows<Members>(m, p.member);
  }
  template <unsigned Members, class Root> static uint64_t on(const Root &root) {
    return buddy_cluster_on<Members>(root);
  }
  template <unsigned Members, class Root>
  static void view(const Root &root, unsigned member, bool powered, state &s) {
    buddy_cluster_read_member<Members>(root, member, powered, s);
  }
  /* The parts of its front end, and the monitor of one that leads. */
  static std::vector<std::string> switched(unsigned member) {
    std::vector<std::string> all = {"u_frontend.u_scoreboard.u_writes",
                                    "u_frontend.u_scoreboard.u_reads"};
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

template <> struct cluster<flex_cluster_in> {
  using in = flex_ports_in;
  using out = flex_ports_out;
  using state = flex_member_state;

  template <unsigned Members, class M> static void apply(M &m, const in &p, bool all) {
    flex_member_apply_rows<Members>(m, p.sm, all);
  }
  template <unsigned Members, class M> static void read(const M &m, out &p) {
    flex_member_read_rows<Members>(m, p.member);
  }
  template <unsigned Members, class Root> static uint64_t on(const Root &root) {
    return flex_cluster_on<Members>(root);
  }
  template <unsigned Members, class Root>
  static void view(const Root &root, unsigned member, bool powered, state &s) {
    s = {}; /* members that only lend have fewer warps */
    flex_cluster_read_member<Members>(root, member, powered, s);
    if (powered)
      far_rows_read<Members>(root, member, s);
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
    std::vector<std::string> all = {"u_frontend.u_scoreboard.u_writes",
                                    "u_frontend.u_scoreboard.u_reads",
                                    "u_frontend.u_near_stack.u_flags"};
#define PART(name, unit, switched)                                                                 \
  if (switched)                                                                                    \
    all.push_back("u_frontend.u_" #name);
#include "csim/ports/flex/flex_parts.def"
#undef PART
    return all;
  }
};

#endif
