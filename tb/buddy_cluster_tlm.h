/* A buddy cluster for a virtual platform: verilated front ends of SMs that work together. */
#ifndef TANDEM_TB_BUDDY_CLUSTER_TLM_H
#define TANDEM_TB_BUDDY_CLUSTER_TLM_H

#include "tb/cluster_rtl.h"
#include "tb/sms_tlm.h"

class buddy_cluster_tlm : public sms_tlm {
public:
  struct config {
    struct sm_config sm;
    bool adaptive = false; /* formation */
    unsigned power_up = 24;
    uint64_t max_cycles = 100000000; /* of a kernel */
  };
  enum { SMS = MEMBERS };
  sc_core::sc_in<bool> noc_clk{"noc_clk"};

  buddy_cluster_tlm(sc_core::sc_module_name name, const config &config);

private:
  void begin() override;
  unsigned forming() const override;
  groups now() const override { return {cta_lead.read(), hold.read()}; }
  void split_groups(uint64_t set) override { split.write(set); }
  void connect();

  const config settings;
  cluster_rtl rtl{"rtl"};
  sc_core::sc_vector<wire> unused_start{"unused_start", MEMBERS};
#define STATE(name, width, count, signal, qualifier)
#define PORT_IN(name, width, qualifier) wire name{#name};
#define PORT_OUT(name, width, qualifier) wire name{#name};
#include "csim/ports/buddy/buddy_cluster.def"
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name, width, qualifier) sc_core::sc_vector<wire> name{#name, MEMBERS};
#define PORT_OUT(name, width, qualifier) sc_core::sc_vector<wire> name{#name, MEMBERS};
#include "csim/ports/buddy/buddy_member.def"
#undef PORT_IN
#undef PORT_OUT
#undef STATE
};

#endif
