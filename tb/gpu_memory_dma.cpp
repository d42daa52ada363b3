/* The golden model of memory behind sockets: DMA engines. */
#include <cstring>

#include "tb/gpu_memory.h"

using sc_core::sc_time;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

enum { SEGMENT_BYTES = 128, SECTOR_BYTES = 32 };

void gpu_memory::answer_dma(unsigned number) {
  engine &e = engines[number];
  struct mem_answer a;
  if (mem_client_idle(e.client) || !mem_client_answer(e.client, cycle, &a))
    return;
  payload &trans = *e.open[a.tag];
  sc_time delay = sc_core::SC_ZERO_TIME;
  tlm_phase phase = tlm::BEGIN_RESP;
  e.open[a.tag] = nullptr;
  if (trans.is_read())
    std::memcpy(trans.get_data_ptr(),
                reinterpret_cast<unsigned char *>(a.data) + trans.get_address() % SEGMENT_BYTES,
                trans.get_data_length());
  trans.set_response_status(status());
  if (dma[number]->nb_transport_bw(trans, phase, delay) != tlm::TLM_COMPLETED)
    SC_REPORT_FATAL("gpu_memory", "a DMA engine takes an answer at once");
  trans.release();
}

tlm_sync_enum gpu_memory::dma_fw(int number, payload &trans, tlm_phase &phase, sc_time &) {
  engine &e = engines[static_cast<unsigned>(number)];
  const unsigned at = trans.get_address() % SEGMENT_BYTES, bytes = trans.get_data_length();
  if (phase != tlm::BEGIN_REQ || !open || trans.get_command() == tlm::TLM_IGNORE_COMMAND)
    return error(trans, tlm::TLM_COMMAND_ERROR_RESPONSE);
  if ((at | bytes) % SECTOR_BYTES != 0 || bytes == 0 || at + bytes > SEGMENT_BYTES)
    return error(trans, tlm::TLM_BURST_ERROR_RESPONSE);
  struct mem_request r = {};
  while (r.tag < e.open.size() && e.open[r.tag] != nullptr)
    r.tag++;
  r.address = static_cast<uint32_t>(trans.get_address() - at);
  r.sectors = static_cast<uint8_t>(((1U << bytes / SECTOR_BYTES) - 1) << at / SECTOR_BYTES);
  r.write = trans.is_write();
  if (r.write)
    std::memcpy(reinterpret_cast<unsigned char *>(r.data) + at, trans.get_data_ptr(), bytes);
  if (!mem_client_request(e.client, cycle, &r)) /* one too many */
    return error(trans, tlm::TLM_GENERIC_ERROR_RESPONSE);
  trans.acquire();
  e.open[r.tag] = &trans;
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}
