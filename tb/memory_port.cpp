/* The memory side of a back end, turned into transactions. */
#include "tb/memory_port.h"

#include <cstring>

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

namespace {

enum { LINE_BYTES = 128, LINE_BEATS = 8 };

/* Memory answers in the cycle in which its answer is due: time lies in the calls themselves. */
void no_delay(const sc_time &delay) {
  if (delay != SC_ZERO_TIME)
    SC_REPORT_FATAL("memory_port", "an answer has a delay annotated");
}

tlm::tlm_command kind_of(const sm_inst &inst) {
  if (inst.uop->f.unit == ISA_U_ATOM || inst.uop->id == ISA_BSYNC)
    return tlm::TLM_IGNORE_COMMAND;
  return inst.uop->o.d != ISA_N_NONE ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND;
}

memory_port &port_of(const struct sm_mem *s) {
  return *reinterpret_cast<memory_port *>(const_cast<struct sm_mem *>(s));
}

} // namespace

memory_port::memory_port(sc_core::sc_module_name name)
    : sc_module(name), fetch("fetch"), data("data") {
  fetch.register_nb_transport_bw(this, &memory_port::fetch_bw);
  data.register_nb_transport_bw(this, &memory_port::data_bw);
}

memory_command memory_port::command(memory_command c) {
  payload trans;
  sc_time delay = SC_ZERO_TIME;
  trans.set_command(tlm::TLM_IGNORE_COMMAND);
  trans.set_extension(&c);
  data->b_transport(trans, delay);
  trans.clear_extension(&c);
  fault = fault || trans.is_response_error();
  return c;
}

void memory_port::begin(const struct grid *grid) {
  code = grid->code_address;
  fault = false;
}

void memory_port::tell(const struct grid *grid) {
  memory_command c;
  c.kind = memory_command::KERNEL;
  c.grid = grid;
  command(c);
}

void memory_port::cta(unsigned slot) {
  memory_command c;
  c.kind = memory_command::CTA;
  c.number = slot;
  c.role = role_of ? role_of(slot) : nullptr;
  command(c);
}

void memory_port::warp(unsigned number, const warp_place *place) {
  memory_command c;
  c.kind = memory_command::WARP;
  c.number = number;
  c.place = place;
  command(c);
}

uint32_t memory_port::stores(unsigned warp) {
  memory_command c;
  c.kind = memory_command::STORES;
  c.number = warp;
  return command(c).stores;
}

const struct cb_record &memory_port::record() {
  memory_command c;
  c.kind = memory_command::BUFFERS;
  return *command(c).record;
}

void memory_port::buffer_data(const uint32_t *words) {
  memory_command c;
  c.kind = memory_command::BUFFER_DATA;
  c.words = words;
  command(c);
}

void memory_port::block_go(unsigned slot) {
  memory_command c;
  c.kind = memory_command::BLOCK_GO;
  c.number = slot;
  command(c);
}

bool memory_port::idle() {
  memory_command c;
  c.kind = memory_command::IDLE;
  return asked == nullptr && done == nullptr && lines == 0 && command(c).idle;
}

bool memory_port::all_idle() {
  memory_command c;
  c.kind = memory_command::ALL_IDLE;
  return command(c).idle;
}

void memory_port::accept(sm_inst *inst) {
  request &r = pool.get();
  tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = SC_ZERO_TIME;
  const unsigned lane = inst->exec != 0 ? static_cast<unsigned>(__builtin_ctz(inst->exec)) : 0;
  const auto kind = kind_of(*inst);
  r.access->inst = inst;
  r.set_command(kind);
  r.set_address(inst->a[0][lane] + inst->uop->imm32);
  const bool reads = kind != tlm::TLM_WRITE_COMMAND;
  r.set_data_ptr(reinterpret_cast<unsigned char *>(reads ? inst->d[0] : inst->b[0]));
  const unsigned registers = isa_n_regs(reads ? inst->uop->o.d : inst->uop->o.s2);
  r.set_data_length(registers * sizeof inst->d[0]);
  r.set_streaming_width(r.get_data_length());
  asked = &r;
  const tlm_sync_enum status = data->nb_transport_fw(r, phase, delay);
  no_delay(delay);
  if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ)
    asked = nullptr;
  else if (status != tlm::TLM_ACCEPTED)
    SC_REPORT_FATAL("memory_port", "an access was answered in the cycle in which it came");
}

tlm_sync_enum memory_port::data_bw(payload &trans, tlm_phase &phase, sc_time &delay) {
  no_delay(delay);
  if (asked == &trans)
    asked = nullptr;
  if (phase == tlm::END_REQ)
    return tlm::TLM_ACCEPTED;
  if (phase != tlm::BEGIN_RESP || done != nullptr)
    SC_REPORT_FATAL("memory_port", "an answer that nothing was waiting for");
  fault = fault || trans.is_response_error();
  done = &trans;
  return tlm::TLM_ACCEPTED;
}

sm_inst *memory_port::completed() {
  if (done == nullptr)
    return nullptr;
  payload &trans = *done;
  tlm_phase phase = tlm::END_RESP;
  sc_time delay = SC_ZERO_TIME;
  done = nullptr;
  data->nb_transport_fw(trans, phase, delay);
  sm_inst *inst = static_cast<request &>(trans).access->inst;
  trans.release();
  return inst;
}

void memory_port::ifetch(uint16_t number) {
  request &r = pool.get();
  tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = SC_ZERO_TIME;
  r.set_command(tlm::TLM_READ_COMMAND);
  r.set_address(code + number * UINT64_C(128));
  r.set_data_ptr(reinterpret_cast<unsigned char *>(r.line));
  r.set_data_length(LINE_BYTES);
  r.set_streaming_width(LINE_BYTES);
  lines++;
  const tlm_sync_enum status = fetch->nb_transport_fw(r, phase, delay);
  no_delay(delay);
  if (status != tlm::TLM_UPDATED || phase != tlm::END_REQ)
    SC_REPORT_FATAL("memory_port", "a line that was asked for was not taken at once");
}

tlm_sync_enum memory_port::fetch_bw(payload &trans, tlm_phase &phase, sc_time &delay) {
  no_delay(delay);
  if (phase != tlm::BEGIN_RESP || line != nullptr)
    SC_REPORT_FATAL("memory_port", "a line while another one comes in");
  fault = fault || trans.is_response_error();
  line = &trans;
  beat = 0;
  return tlm::TLM_ACCEPTED;
}

bool memory_port::fill(mem_fill *to) {
  if (line == nullptr)
    return false;
  to->line = static_cast<uint16_t>((line->get_address() - code) / LINE_BYTES);
  to->beat = static_cast<uint8_t>(beat);
  std::memcpy(to->data, line->get_data_ptr() + beat * sizeof to->data, sizeof to->data);
  if (++beat == LINE_BEATS) {
    tlm_phase phase = tlm::END_RESP;
    sc_time delay = SC_ZERO_TIME;
    fetch->nb_transport_fw(*line, phase, delay);
    line->release();
    line = nullptr;
    lines--;
  }
  return true;
}

/* Functions that csim/sm calls (tb/renamed.h). */
extern "C" {
bool port_mem_ready(const struct sm_mem *s) { return port_of(s).ready(); }
void port_mem_accept(struct sm_mem *s, struct sm_inst *inst) { port_of(s).accept(inst); }
struct sm_inst *port_mem_completed(struct sm_mem *s) {
  return port_of(s).completed();
}
void port_mem_ifetch(struct sm_mem *s, uint16_t line) { port_of(s).ifetch(line); }
bool port_mem_fill(struct sm_mem *s, struct mem_fill *fill) { return port_of(s).fill(fill); }
bool port_mem_idle(const struct sm_mem *s) { return port_of(s).idle(); }
void port_mem_cta(struct sm_mem *s, unsigned slot) { port_of(s).cta(slot); }
void port_mem_warp(struct sm_mem *s, unsigned warp, const struct warp_place *place) {
  port_of(s).warp(warp, place);
}
uint32_t port_mem_stores(const struct sm_mem *s, unsigned warp) { return port_of(s).stores(warp); }
/* Buffers are memory's, which gets them when it is made (tb_open); roles come with the CTAs. */
int port_mem_cb(struct sm_mem *, uint32_t, uint32_t, struct tandem_error *) { return 0; }
void port_mem_role(struct sm_mem *, unsigned, const uint32_t *) {}
}
