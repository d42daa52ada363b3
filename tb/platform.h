/* A platform around SMs: their clocks, reset, and the golden model as memory.  SMS is a class of
 * theirs (buddy_cluster_tlm, spu_tlm).  The host's stand-in runs kernels through `sms.control`
 * and reaches memory through `memory.host`. */
#ifndef TANDEM_TB_PLATFORM_H
#define TANDEM_TB_PLATFORM_H

#include <verilated_sc.h>

#include <verilated.h>

#include "tb/gpu_memory.h"
#include "tb/sms_tlm.h"

template <class SMS> class platform : public sc_core::sc_module {
public:
  SC_HAS_PROCESS(platform);
  platform(sc_core::sc_module_name name, const typename SMS::config &config, struct gpu_mem *golden,
           const std::vector<struct mem_client *> &clients = {})
      : sc_module(name), memory("memory", golden, SMS::SMS, clients), sms("sms", config) {
    sms.clk(clk);
    sms.rst_n(rst_n);
    memory.clk(clk);
    for (unsigned i = 0; i < SMS::SMS; i++) {
      sms.fetch[i].bind(memory.fetch[i]);
      sms.data[i].bind(memory.data[i]);
    }
    SC_THREAD(reset);
  }

private:
  /* Low from before the first edge to the middle of the second cycle.  Assertions mean nothing
   * before that: what reset leaves alone is random. */
  void reset() {
    Verilated::threadContextp()->assertOn(false);
    wait(noc_period / 2);
    rst_n.write(false);
    wait(clk.negedge_event());
    wait(clk.negedge_event());
    rst_n.write(true);
    wait(noc_period / 4);
    Verilated::threadContextp()->assertOn(true);
  }

  /* 1.4 GHz and half of it.  The one period must be twice the other in the simulator's resolution
   * too, or the clocks drift apart. */
  const sc_core::sc_time noc_period{714286, sc_core::SC_FS};
  sc_core::sc_clock clk{"clk", 2 * noc_period, 0.5, noc_period};
  sc_core::sc_signal<bool> rst_n{"rst_n", true};

public:
  sc_core::sc_clock noc_clk{"noc_clk", noc_period, 0.5, noc_period};
  gpu_memory memory;
  SMS sms;
};

#endif
