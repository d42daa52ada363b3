/* The golden model of memory behind sockets. */
#include "tb/gpu_memory.h"

#include <cstring>

using sc_core::sc_time;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

namespace {
enum { LINE_BYTES = 128, LINE_BEATS = 8 };
} // namespace

tlm_sync_enum gpu_memory::error(payload &trans, tlm::tlm_response_status status) {
  trans.set_response_status(status);
  return tlm::TLM_COMPLETED;
}

gpu_memory::gpu_memory(sc_core::sc_module_name name, struct gpu_mem *m, unsigned sms,
                       const std::vector<struct mem_client *> &clients)
    : sc_module(name), fetch("fetch", sms), data("data", sms), host("host"),
      dma("dma", clients.size()), memory(m), sides(sms), engines(clients.size()) {
  for (unsigned i = 0; i < sms; i++) {
    const int tag = static_cast<int>(i);
    sides[i].mem = gpu_mem_sm(memory, i);
    fetch[i].register_nb_transport_fw(this, &gpu_memory::fetch_fw, tag);
    data[i].register_nb_transport_fw(this, &gpu_memory::data_fw, tag);
    data[i].register_b_transport(this, &gpu_memory::command, tag);
  }
  for (unsigned i = 0; i < clients.size(); i++) {
    engines[i].client = clients[i];
    dma[i].register_nb_transport_fw(this, &gpu_memory::dma_fw, static_cast<int>(i));
  }
  host.register_b_transport(this, &gpu_memory::transfer);
  host.register_transport_dbg(this, &gpu_memory::debug);
  SC_METHOD(begin_cycle);
  sensitive << clk.neg();
  dont_initialize();
  SC_METHOD(end_cycle);
  sensitive << clk.pos();
  dont_initialize();
}

/* A cycle's answers, before the back ends' steps, which come a delta cycle later. */
void gpu_memory::begin_cycle() {
  if (grid == nullptr)
    return;
  open = true;
  for (unsigned i = 0; i < sides.size(); i++) {
    sm_mem_step(sides[i].mem, cycle);
    answer_access(i);
    answer_fetch(i);
  }
  for (unsigned i = 0; i < engines.size(); i++)
    answer_dma(i);
  gpu_mem_parts(memory, cycle, UINT64_MAX);
}

void gpu_memory::end_cycle() {
  if (!open)
    return;
  open = false;
  gpu_mem_join(memory, cycle++);
}

/* Returns the status of all answers so far. */
tlm::tlm_response_status gpu_memory::status() const {
  return gpu_mem_fault(memory)->kind == 0 ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

void gpu_memory::answer_access(unsigned sm) {
  side &s = sides[sm];
  sc_time delay = sc_core::SC_ZERO_TIME;
  if (s.asked != nullptr && sm_mem_ready(s.mem)) {
    tlm_phase phase = tlm::END_REQ;
    data[sm]->nb_transport_bw(*s.asked, phase, delay);
    s.asked = nullptr;
  }
  if (s.answered != nullptr)
    return;
  sm_inst *inst = sm_mem_completed(s.mem);
  if (inst == nullptr)
    return;
  payload &trans = *s.accesses.at(inst);
  tlm_phase phase = tlm::BEGIN_RESP;
  s.accesses.erase(inst);
  trans.set_response_status(status());
  s.answered = &trans;
  const tlm_sync_enum state = data[sm]->nb_transport_bw(trans, phase, delay);
  if (state == tlm::TLM_COMPLETED || (state == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
    s.answered = nullptr;
    trans.release();
  }
}

/* A line goes whole; the next one may go when its initiator has passed on the last beat. */
void gpu_memory::answer_fetch(unsigned sm) {
  side &s = sides[sm];
  mem_fill beat;
  if (s.line != nullptr || !sm_mem_fill(s.mem, &beat))
    return;
  payload &trans = *s.lines.at(beat.line);
  sc_time delay = sc_core::SC_ZERO_TIME;
  tlm_phase phase = tlm::BEGIN_RESP;
  s.lines.erase(beat.line);
  do
    std::memcpy(trans.get_data_ptr() + beat.beat * sizeof beat.data, beat.data, sizeof beat.data);
  while (beat.beat + 1 < LINE_BEATS && sm_mem_fill(s.mem, &beat));
  trans.set_response_status(tlm::TLM_OK_RESPONSE);
  s.line = &trans;
  const tlm_sync_enum state = fetch[sm]->nb_transport_bw(trans, phase, delay);
  if (state == tlm::TLM_COMPLETED || (state == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
    s.line = nullptr;
    trans.release();
  }
}

tlm_sync_enum gpu_memory::data_fw(int sm, payload &trans, tlm_phase &phase, sc_time &) {
  side &s = sides[static_cast<unsigned>(sm)];
  if (phase == tlm::END_RESP && s.answered == &trans) {
    s.answered = nullptr;
    trans.release();
    return tlm::TLM_COMPLETED;
  }
  const auto *access = trans.get_extension<warp_access>();
  if (phase != tlm::BEGIN_REQ || access == nullptr || s.asked != nullptr || !open)
    return error(trans, tlm::TLM_GENERIC_ERROR_RESPONSE);
  trans.acquire();
  s.asked = &trans;
  s.accesses[access->inst] = &trans;
  sm_mem_accept(s.mem, access->inst);
  return tlm::TLM_ACCEPTED;
}

tlm_sync_enum gpu_memory::fetch_fw(int sm, payload &trans, tlm_phase &phase, sc_time &) {
  side &s = sides[static_cast<unsigned>(sm)];
  if (phase == tlm::END_RESP && s.line == &trans) {
    s.line = nullptr;
    trans.release();
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ || !open || !trans.is_read())
    return error(trans, tlm::TLM_COMMAND_ERROR_RESPONSE);
  const uint64_t at = trans.get_address() - grid->code_address;
  if (trans.get_data_length() != LINE_BYTES || at % LINE_BYTES != 0 || at / LINE_BYTES > 0xfff)
    return error(trans, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  const unsigned number = static_cast<unsigned>(at / LINE_BYTES);
  trans.acquire();
  s.lines[number] = &trans;
  sm_mem_ifetch(s.mem, static_cast<uint16_t>(number));
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void gpu_memory::command(int sm, payload &trans, sc_time &) {
  struct sm_mem *mem = sides[static_cast<unsigned>(sm)].mem;
  auto *c = trans.get_extension<memory_command>();
  if (c == nullptr) {
    trans.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return;
  }
  switch (c->kind) {
  case memory_command::KERNEL:
    grid = c->grid;
    if (grid != nullptr)
      gpu_mem_begin(memory, grid);
    break;
  case memory_command::CTA:
    sm_mem_cta(mem, c->number);
    if (c->role != nullptr)
      sm_mem_role(mem, c->number, c->role);
    break;
  case memory_command::WARP:
    sm_mem_warp(mem, c->number, c->place);
    break;
  case memory_command::STORES:
    c->stores = sm_mem_stores(mem, c->number);
    break;
  case memory_command::IDLE:
    c->idle = sm_mem_idle(mem);
    break;
  case memory_command::ALL_IDLE:
    c->idle = gpu_mem_idle(memory);
    break;
  case memory_command::BUFFERS:
    c->record = sm_mem_record(mem);
    break;
  case memory_command::BUFFER_DATA:
    sm_mem_cb_answer(mem, cycle, c->words);
    break;
  case memory_command::BLOCK_GO:
    sm_mem_block_ack(mem, cycle, c->number);
    break;
  }
  trans.set_response_status(status());
}

/* Takes effect at once: a host's accesses between kernels have no timing here. */
void gpu_memory::transfer(payload &trans, sc_time &) {
  const auto at = static_cast<uint32_t>(trans.get_address());
  const unsigned bytes = trans.get_data_length();
  int status = 0;
  if (trans.get_byte_enable_ptr() != nullptr || trans.get_streaming_width() < bytes) {
    trans.set_response_status(trans.get_byte_enable_ptr() != nullptr
                                  ? tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE
                                  : tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  if (at != trans.get_address())
    status = -1;
  else if (trans.is_write())
    status = gpu_mem_write(memory, at, trans.get_data_ptr(), bytes, nullptr);
  else if (trans.is_read())
    status = gpu_mem_read(memory, at, trans.get_data_ptr(), bytes, nullptr);
  trans.set_response_status(status == 0 ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

unsigned gpu_memory::debug(payload &trans) {
  sc_time delay = sc_core::SC_ZERO_TIME;
  transfer(trans, delay);
  return trans.is_response_ok() ? trans.get_data_length() : 0;
}
