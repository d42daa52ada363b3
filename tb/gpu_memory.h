/* The golden model of memory (csim/mem) behind sockets. */
#ifndef TANDEM_TB_GPU_MEMORY_H
#define TANDEM_TB_GPU_MEMORY_H

#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <map>

#include "tb/transactions.h"

class gpu_memory : public sc_core::sc_module {
public:
  sc_core::sc_in<bool> clk{"clk"};
  /* One an SM: instruction lines, warps' accesses.  And one for all others: bytes by address. */
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<gpu_memory, 64>> fetch;
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<gpu_memory, 64, warp_protocol>> data;
  tlm_utils::simple_target_socket<gpu_memory, 64> host;
  /* One a client that is no SM, as a DMA engine: sectors of 32 bytes of a segment of 128. */
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<gpu_memory, 64>> dma;

  SC_HAS_PROCESS(gpu_memory);
  gpu_memory(sc_core::sc_module_name name, struct gpu_mem *memory, unsigned sms,
             const std::vector<struct mem_client *> &clients);

private:
  using payload = tlm::tlm_generic_payload;
  struct side { /* of one SM */
    struct sm_mem *mem = nullptr;
    payload *asked = nullptr; /* END_REQ is due when there is room for another */
    std::map<sm_inst *, payload *> accesses;
    payload *answered = nullptr;         /* END_RESP is to come */
    std::map<unsigned, payload *> lines; /* asked for, by number */
    payload *line = nullptr;             /* END_RESP is to come */
  };

  struct engine { /* a client */
    struct mem_client *client = nullptr;
    std::array<payload *, MEM_CLIENT_TAGS> open = {}; /* by the client's tag */
  };

  static tlm::tlm_sync_enum error(payload &trans, tlm::tlm_response_status status);
  tlm::tlm_sync_enum fetch_fw(int sm, payload &trans, tlm::tlm_phase &phase,
                              sc_core::sc_time &delay);
  tlm::tlm_sync_enum data_fw(int sm, payload &trans, tlm::tlm_phase &phase,
                             sc_core::sc_time &delay);
  tlm::tlm_sync_enum dma_fw(int number, payload &trans, tlm::tlm_phase &phase,
                            sc_core::sc_time &delay);
  void command(int sm, payload &trans, sc_core::sc_time &delay);
  void transfer(payload &trans, sc_core::sc_time &delay);
  unsigned debug(payload &trans);
  void begin_cycle();
  void end_cycle();
  void answer_access(unsigned sm);
  void answer_fetch(unsigned sm);
  void answer_dma(unsigned number);
  tlm::tlm_response_status status() const;

  struct gpu_mem *memory;
  const struct grid *grid = nullptr;
  std::vector<side> sides;
  std::vector<engine> engines;
  uint64_t cycle = 0; /* from the first kernel on */
  bool open = false;  /* has begun */
};

#endif
