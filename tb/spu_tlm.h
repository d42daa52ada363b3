/* A stencil processing unit for a virtual platform: verilated front ends of SMs that work by
 * themselves, and the verilated fabric between them (docs/hardware/spu.md).  Kernels that are
 * launched without faces run on the SMs alone. */
#ifndef TANDEM_TB_SPU_TLM_H
#define TANDEM_TB_SPU_TLM_H

#include "tb/dma_port.h"
#include "tb/frontend_rtl.h"
#include "tb/sms_tlm.h"
#include "tb/spu_grid_rtl.h"
#include "tb/spu_slot.h"

class spu_tlm : public sms_tlm {
public:
  struct config {
    struct sm_config sm;
    struct tandem *gpu; /* whose launches these are */
    bool lrr = false;   /* warp schedulers */
    uint64_t max_cycles = 100000000;
  };
  enum { SMS = SPU_GRID_SLOTS, ENGINES = SPU_GRID_ENGINES - 1 };
  /* Sockets of the DMA engines: of slots 1 and up, then of the lanes. */
  sc_core::sc_vector<tlm::tlm_initiator_socket<64>> dma{"dma", ENGINES};

  SC_HAS_PROCESS(spu_tlm);
  spu_tlm(sc_core::sc_module_name name, const config &config);

private:
  enum class phase { OFF, WRITES, START, RUNS };
  unsigned prepare() override;
  void begin() override;
  bool places() const override { return tb_spu_used(gpu); }
  bool placed() const override { return state == phase::OFF; }
  std::string wrong() const override;
  void connect_sm(unsigned i);
  void connect_grid();
  void connect_engine(unsigned number);
  void falling() { falling_event.notify(sc_core::SC_ZERO_TIME); }
  void later() { step_event.notify(sc_core::SC_ZERO_TIME); }
  void step();
  void write_register();
  void begin_passes();
  void run_passes();

  const config settings;
  struct tandem *gpu;
  sc_core::sc_vector<frontend_rtl> front_ends{"front_end", SMS};
  spu_grid_rtl rtl{"rtl"};
  sc_core::sc_vector<spu_slot> slots{"slot"};
  sc_core::sc_vector<dma_port> engines{"engine", ENGINES};
  sc_core::sc_event falling_event, step_event;
  phase state = phase::OFF;
  unsigned written = 0; /* registers of DMA engines */

  /* Between front ends and back ends. */
#define PORT_IN(name, width, qualifier) sc_core::sc_vector<wire> name{#name, SMS};
#define PORT_OUT(name, width, qualifier) sc_core::sc_vector<wire> name{#name, SMS};
#include "csim/ports/sm/sm_frontend.def"
#undef PORT_IN
#undef PORT_OUT
  /* Wires of the grid; of its slots; of DMA engines, by number. */
  template <int WIDTH>
  using row_wire = sc_core::sc_signal<row_value<WIDTH>, sc_core::SC_MANY_WRITERS>;
#define PORT_IN(name, width, qualifier) row_wire<width> name##_i{#name "_i"};
#define PORT_OUT(name, width, qualifier) row_wire<width> name##_o{#name "_o"};
#include "tb/spu_own_ports.def"
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name, width, qualifier)                                                            \
  sc_core::sc_vector<row_wire<width>> slot_##name##_i{"slot_" #name "_i", SPU_GRID_SLOTS};
#define PORT_OUT(name, width, qualifier)                                                           \
  sc_core::sc_vector<row_wire<width>> slot_##name##_o{"slot_" #name "_o", SPU_GRID_SLOTS};
#include "tb/spu_slot_ports.def"
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name, width, qualifier)                                                            \
  sc_core::sc_vector<row_wire<width>> name##_i{#name "_i", SPU_GRID_ENGINES};
#define PORT_OUT(name, width, qualifier)                                                           \
  sc_core::sc_vector<row_wire<width>> name##_o{#name "_o", SPU_GRID_ENGINES};
#include "tb/dma_ports.def"
#undef PORT_IN
#undef PORT_OUT
};

#endif
