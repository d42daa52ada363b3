/* A platform around one buddy cluster: its two clocks, reset, and the golden model as memory.
 * What stands for a host runs kernels through `control` and reaches memory through `host`. */
#ifndef TANDEM_TB_BUDDY_PLATFORM_H
#define TANDEM_TB_BUDDY_PLATFORM_H

#include "tb/buddy_cluster_tlm.h"
#include "tb/gpu_memory.h"

class buddy_platform : public sc_core::sc_module {
public:
  SC_HAS_PROCESS(buddy_platform);
  buddy_platform(sc_core::sc_module_name name, const buddy_cluster_tlm::config &config,
                 struct gpu_mem *memory);

private:
  void reset();

  /* 1.4 GHz and half of it.  The one period must be twice the other in the simulator's resolution
   * too, or the clocks drift apart. */
  const sc_core::sc_time noc_period{714286, sc_core::SC_FS};
  sc_core::sc_clock noc_clk{"noc_clk", noc_period, 0.5, noc_period};
  sc_core::sc_clock clk{"clk", 2 * noc_period, 0.5, noc_period};
  sc_core::sc_signal<bool> rst_n{"rst_n", true};

public:
  gpu_memory memory;
  buddy_cluster_tlm cluster;
};

#endif
