/* The verilated buddy cluster (docs/buddy.md, buddy_cluster) with the ports of each member apart.
 * MODEL is the class that Verilator made of it for MEMBERS members. */
#ifndef TANDEM_TB_CLUSTER_RTL_H
#define TANDEM_TB_CLUSTER_RTL_H

#include MODEL_H

#include "csim/ports/ports.h"
#include "tb/pins.h"

class cluster_rtl : public sc_core::sc_module {
public:
  using in = sc_core::sc_in<uint64_t>;
  using out = sc_core::sc_out<uint64_t>;
  sc_core::sc_in<bool> clk{"clk"}, noc_clk{"noc_clk"}, rst_n{"rst_n"};
  /* Of the cluster; of its members, an element each. */
#define PORT_IN(name, width, qualifier) in name{#name};
#define PORT_OUT(name, width, qualifier) out name{#name};
#define STATE(name, width, count, signal, qualifier)
#include "csim/ports/buddy_cluster.def"
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name, width, qualifier) sc_core::sc_vector<in> name{#name, MEMBERS};
#define PORT_OUT(name, width, qualifier) sc_core::sc_vector<out> name{#name, MEMBERS};
#include "csim/ports/buddy_member.def"
#undef PORT_IN
#undef PORT_OUT

  SC_HAS_PROCESS(cluster_rtl);
  explicit cluster_rtl(sc_core::sc_module_name name);
  ~cluster_rtl() override { model.final(); }

private:
  void pack();   /* inputs to the model's pins */
  void unpack(); /* and the other way */

  MODEL model;
  template <class P> using wire = sc_core::sc_signal<typename pin_value<P>::type>;
#define PORT_IN(name, width, qualifier) wire<decltype(MODEL::name##_i)> name##_wire;
#define PORT_OUT(name, width, qualifier) wire<decltype(MODEL::name##_o)> name##_wire;
#include "csim/ports/buddy_cluster.def"
#include "csim/ports/buddy_member.def"
#undef PORT_IN
#undef PORT_OUT
#undef STATE
};

#endif
