/* A buddy cluster for a virtual platform: verilated front ends, back ends, CTA dispatch.
 *
 * Its memory is behind sockets, one pair a member; kernels are run through a socket too
 * (docs/systemc.md). */
#ifndef TANDEM_TB_BUDDY_CLUSTER_TLM_H
#define TANDEM_TB_BUDDY_CLUSTER_TLM_H

#include <tlm_utils/simple_target_socket.h>

#include <string>

#include "tb/back_end.h"
#include "tb/cluster_rtl.h"

class buddy_cluster_tlm : public sc_core::sc_module {
public:
  struct config {
    struct sm_config sm;
    bool adaptive = false; /* formation */
    unsigned power_up = 24;
    uint64_t max_cycles = 100000000; /* of a kernel */
  };
  sc_core::sc_in<bool> clk{"clk"}, noc_clk{"noc_clk"}, rst_n{"rst_n"};
  sc_core::sc_vector<tlm::tlm_initiator_socket<64>> fetch;
  sc_core::sc_vector<tlm::tlm_initiator_socket<64, warp_protocol>> data;
  tlm_utils::simple_target_socket<buddy_cluster_tlm, 64> control;

  SC_HAS_PROCESS(buddy_cluster_tlm);
  buddy_cluster_tlm(sc_core::sc_module_name name, const config &config);

  uint64_t cycles() const { return total; }            /* of all kernels */
  const std::string &fault() const { return trouble; } /* of the last one; "": none */

private:
  void run(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay);
  void begin();
  void half() { stepped = grid != nullptr; }
  void edge();
  void end_cycle();
  void dispatch();
  struct sm_room room_of(unsigned first) const;
  bool finished();
  void connect();

  config settings;
  cluster_rtl rtl{"rtl"};
  sc_core::sc_vector<back_end> back_ends;
  struct cta_dispatch_ref dispatcher = {};
  sc_core::sc_event edge_event, end_event;

  const struct grid *grid = nullptr; /* of the running kernel */
  bool stepped = false;              /* the back ends have, in this cycle */
  uint64_t age = 0, total = 0;
  uint64_t leads = 0, held = 0; /* in the cycle that ends: first members of groups; hold */
  std::string trouble;

  /* Kernels may be begun by any process. */
  using wire = sc_core::sc_signal<uint64_t, sc_core::SC_MANY_WRITERS>;
  sc_core::sc_vector<wire> unused_start{"unused_start", MEMBERS};
#define STATE(name, width, count, signal, qualifier)
#define PORT_IN(name, width, qualifier) wire name{#name};
#define PORT_OUT(name, width, qualifier) wire name{#name};
#include "csim/ports/buddy_cluster.def"
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name, width, qualifier) sc_core::sc_vector<wire> name{#name, MEMBERS};
#define PORT_OUT(name, width, qualifier) sc_core::sc_vector<wire> name{#name, MEMBERS};
#include "csim/ports/buddy_member.def"
#undef PORT_IN
#undef PORT_OUT
#undef STATE
};

#endif
