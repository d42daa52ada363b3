/* The memory side of a back end as csim/sm knows it, turned into transactions. */
#ifndef TANDEM_TB_MEMORY_PORT_H
#define TANDEM_TB_MEMORY_PORT_H

#include <tlm_utils/simple_initiator_socket.h>

#include <functional>

#include "tb/transactions.h"

class memory_port : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<memory_port, 64> fetch;
  tlm_utils::simple_initiator_socket<memory_port, 64, warp_protocol> data;

  explicit memory_port(sc_core::sc_module_name name);
  /* On an SPU: where the role of the CTA in a slot stands. */
  std::function<const uint32_t *(unsigned slot)> role_of;
  /* For sm_create. */
  struct sm_mem *handle() {
    return reinterpret_cast<struct sm_mem *>(this);
  }

  /* Reports to memory, once a kernel, that it begins, or that it has ended (nullptr). */
  void tell(const struct grid *grid);
  /* A kernel begins: instruction lines are those of its code. */
  void begin(const struct grid *grid);
  /* Nothing on its way, here or in the memory of this SM; in that of all. */
  uint32_t stores(unsigned warp);
  bool idle();
  bool all_idle();
  /* Returns true if an answer has reported an error since the kernel began. */
  bool faulted() const { return fault; }

  /* csim/mem/cb_port.h: what the SM asks of an SPU in this cycle, and what it gets. */
  const struct cb_record &record();
  void buffer_data(const uint32_t *words);
  void block_go(unsigned slot);

  /* csim/mem/mem.h */
  bool ready() const { return asked == nullptr; }
  void accept(sm_inst *inst);
  sm_inst *completed();
  void ifetch(uint16_t line);
  bool fill(mem_fill *to);
  void cta(unsigned slot);
  void warp(unsigned number, const warp_place *place);

private:
  using payload = tlm::tlm_generic_payload;
  tlm::tlm_sync_enum fetch_bw(payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay);
  tlm::tlm_sync_enum data_bw(payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay);
  memory_command command(memory_command c);

  request_pool pool;
  uint64_t code = 0;        /* address of PC 0 */
  payload *asked = nullptr; /* data request without END_REQ */
  payload *done = nullptr;  /* has come back, and waits until it is taken */
  payload *line = nullptr;  /* whose beats are given */
  unsigned beat = 0, lines = 0;
  bool fault = false;
};

#endif
