/* A Flex cluster for a virtual platform: verilated front ends of two SMs, of which one can lend its
 * contexts, registers, memory and lanes to the other (docs/hardware/flex.md). */
#ifndef TANDEM_TB_FLEX_TLM_H
#define TANDEM_TB_FLEX_TLM_H

#include "tb/flex_host.h"
#include "tb/flex_rtl.h"
#include "tb/sms_tlm.h"

class flex_tlm : public sms_tlm {
public:
  struct config {
    struct sm_config sm;
    struct tandem *gpu; /* whose launches these are */
    bool lrr = false;   /* warp schedulers */
    uint64_t max_cycles = 100000000;
  };
  enum { SMS = FLEX_PAIR };

  flex_tlm(sc_core::sc_module_name name, const config &config);

private:
  void begin() override;
  unsigned forming() const override;
  uint64_t enabled() const override;
  const struct sm_shape *shape(unsigned sm) const override;
  groups now() const override { return {UINT64_MAX, hold_o.read() | ~active_o.read()}; }
  void connect();

  const config settings;
  struct tandem *gpu;
  flex_rtl rtl{"rtl"};
  sc_core::sc_vector<wire> unused_start{"unused_start", FLEX_PAIR};
  wire drained{"drained", 1}; /* nothing is under way that the back ends do not know of */
#define STATE(name, width, count, signal, qualifier)
#define PORT_IN(name, width, qualifier) wire name##_i{#name "_i"};
#define PORT_OUT(name, width, qualifier) wire name##_o{#name "_o"};
#include "csim/ports/flex/flex_cluster.def"
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name, width, qualifier) sc_core::sc_vector<wire> name{#name, FLEX_PAIR};
#define PORT_OUT(name, width, qualifier) sc_core::sc_vector<wire> name{#name, FLEX_PAIR};
#include "csim/ports/flex/flex_member.def"
#undef PORT_IN
#undef PORT_OUT
#undef STATE
};

#endif
