/* The memory side of a DMA engine, turned into transactions. */
#include "tb/dma_port.h"

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;

dma_port::dma_port(sc_core::sc_module_name name) : sc_module(name) {
  memory.register_nb_transport_bw(this, &dma_port::answered);
  SC_METHOD(half);
  sensitive << clk.neg();
  dont_initialize();
  SC_METHOD(step);
  sensitive << step_event;
  dont_initialize();
}

void dma_port::step() {
  take_answer();
  if (m_valid_o.read() != 0)
    ask();
}

/* Words of a segment and the row of a pin that they are in. */
static uint32_t *words_of(request &r) { return reinterpret_cast<uint32_t *>(r.line); }

/* The sectors of a piece follow each other: a transaction is of their bytes. */
void dma_port::ask() {
  request &r = pool.get();
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = SC_ZERO_TIME;
  const auto sectors = static_cast<unsigned>(m_sectors_o.read());
  const auto first = static_cast<unsigned>(__builtin_ctz(sectors));
  const auto bytes = static_cast<unsigned>(__builtin_popcount(sectors)) * SECTOR_BYTES;
  if (m_write_o.read() != 0)
    for (int i = 0; i < SEGMENT_BYTES / 4; i++)
      words_of(r)[i] = static_cast<uint32_t>(m_data_o.read().get_word(i));
  r.set_command(m_write_o.read() != 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  r.set_address(m_addr_o.read() + first * SECTOR_BYTES);
  r.set_data_ptr(reinterpret_cast<unsigned char *>(r.line) + first * SECTOR_BYTES);
  r.set_data_length(bytes);
  r.set_streaming_width(bytes);
  open.at(m_tag_o.read()) = &r;
  const tlm::tlm_sync_enum status = memory->nb_transport_fw(r, phase, delay);
  if (status != tlm::TLM_UPDATED || phase != tlm::END_REQ || delay != SC_ZERO_TIME)
    SC_REPORT_FATAL("dma_port", "a request of a DMA engine was not taken at once");
}

tlm::tlm_sync_enum dma_port::answered(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                      sc_time &delay) {
  if (phase != tlm::BEGIN_RESP || answer != nullptr || delay != SC_ZERO_TIME)
    SC_REPORT_FATAL("dma_port", "an answer that nothing was waiting for");
  fault = fault || trans.is_response_error();
  answer = static_cast<request *>(&trans);
  return tlm::TLM_COMPLETED;
}

void dma_port::take_answer() {
  m_rsp_i.write(answer != nullptr);
  if (answer == nullptr)
    return;
  unsigned tag = 0;
  while (open.at(tag) != answer)
    tag++;
  m_rsp_tag_i.write(tag);
  if (answer->is_read()) {
    row_value<1024> data;
    for (int i = 0; i < SEGMENT_BYTES / 4; i++)
      data.set_word(i, words_of(*answer)[i]);
    m_rsp_data_i.write(data);
  }
  open[tag] = nullptr;
  answer->release();
  answer = nullptr;
}
