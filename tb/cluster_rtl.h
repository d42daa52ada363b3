/* The verilated buddy cluster (docs/hardware/buddy_member.md, buddy_cluster) with the ports of each
 * member apart. MODEL is the class that Verilator made of it for MEMBERS members. */
#ifndef TANDEM_TB_CLUSTER_RTL_H
#define TANDEM_TB_CLUSTER_RTL_H

#include MODEL_H

#include "csim/ports/ports.h"
#include "tb/pins.h"

#define RTL_CLASS cluster_ports
#define RTL_MODEL MODEL
#define RTL_PORTS "tb/cluster_ports.def"
#include "tb/packed_rtl.inc"

class cluster_rtl : public cluster_ports {
public:
  sc_core::sc_in<bool> noc_clk{"noc_clk"};
  explicit cluster_rtl(sc_core::sc_module_name name) : cluster_ports(name) {
    model.noc_clk_i(noc_clk);
  }
};

#endif
