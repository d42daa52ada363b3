/* A platform around one buddy cluster: clocks, reset, memory, host. */
#include "tb/buddy_platform.h"

buddy_platform::buddy_platform(sc_core::sc_module_name name,
                               const buddy_cluster_tlm::config &config, struct gpu_mem *m)
    : sc_module(name), memory("memory", m, MEMBERS), cluster("cluster", config) {
  cluster.clk(clk);
  cluster.noc_clk(noc_clk);
  cluster.rst_n(rst_n);
  memory.clk(clk);
  for (unsigned i = 0; i < MEMBERS; i++) {
    cluster.fetch[i].bind(memory.fetch[i]);
    cluster.data[i].bind(memory.data[i]);
  }
  SC_THREAD(reset);
}

/* Low from before the first edge to the middle of the second cycle.  Assertions mean nothing before
 * that: what reset leaves alone is random. */
void buddy_platform::reset() {
  Verilated::threadContextp()->assertOn(false);
  wait(noc_period / 2);
  rst_n.write(false);
  wait(clk.negedge_event());
  wait(clk.negedge_event());
  rst_n.write(true);
  wait(noc_period / 4);
  Verilated::threadContextp()->assertOn(true);
}
