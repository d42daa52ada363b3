/* The memory side of a DMA engine of an SPU, turned into transactions: requests of the last edge go
 * out half a core cycle after it, answers of the cycle go in a delta cycle after memory's. */
#ifndef TANDEM_TB_DMA_PORT_H
#define TANDEM_TB_DMA_PORT_H

#include <tlm_utils/simple_initiator_socket.h>

#include <array>

#include "tb/pins.h"
#include "tb/transactions.h"

class dma_port : public sc_core::sc_module {
public:
  sc_core::sc_in<bool> clk{"clk"};
  /* Named as the grid's pins, whose other ends they are. */
#define PORT_IN(name, width, qualifier) sc_core::sc_out<row_value<width>> name##_i{#name "_i"};
#define PORT_OUT(name, width, qualifier) sc_core::sc_in<row_value<width>> name##_o{#name "_o"};
#include "tb/dma_ports.def"
#undef PORT_IN
#undef PORT_OUT
  tlm_utils::simple_initiator_socket<dma_port, 64> memory{"memory"};

  SC_HAS_PROCESS(dma_port);
  explicit dma_port(sc_core::sc_module_name name);

  void begin() { fault = false; }
  /* Returns true if an answer has reported an error since the kernel began. */
  bool faulted() const { return fault; }

private:
  enum { TAGS = 16, SEGMENT_BYTES = 128, SECTOR_BYTES = 32 };
  void half() { step_event.notify(sc_core::SC_ZERO_TIME); }
  void step();
  void ask();
  void take_answer();
  tlm::tlm_sync_enum answered(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                              sc_core::sc_time &delay);

  request_pool pool;
  std::array<request *, TAGS> open = {}; /* by the engine's tag */
  request *answer = nullptr;             /* that has come in this cycle */
  sc_core::sc_event step_event;
  bool fault = false;
};

#endif
