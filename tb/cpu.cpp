/* Stand-in for a CPU in a platform. */
#include "tb/cpu.h"

using socket_type = tlm_utils::simple_initiator_socket<cpu, 64>;

cpu::cpu(sc_core::sc_module_name name, struct tb_job &j) : sc_module(name), job(j) {
  SC_THREAD(run);
  set_stack_size(4 << 20);
}

void cpu::run() {
  good = tb_run(gpu, &job);
  sc_core::sc_stop();
}

static bool send(socket_type &socket, tlm::tlm_command command, uint64_t address, void *data,
                 unsigned bytes) {
  tlm::tlm_generic_payload trans;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  trans.set_command(command);
  trans.set_address(address);
  trans.set_data_ptr(static_cast<unsigned char *>(data));
  trans.set_data_length(bytes);
  trans.set_streaming_width(bytes);
  socket->b_transport(trans, delay);
  return trans.is_response_ok();
}

const char *cpu::launch(void *self, const struct grid *grid) {
  void *data = const_cast<void *>(static_cast<const void *>(grid));
  const bool ok =
      send(static_cast<cpu *>(self)->control, tlm::TLM_WRITE_COMMAND, 0, data, sizeof(struct grid));
  return ok ? nullptr : "the kernel failed";
}

const char *cpu::transfer(void *self, bool write, uint32_t address, void *data, uint64_t bytes) {
  const bool ok =
      send(static_cast<cpu *>(self)->memory, write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
           address, data, static_cast<unsigned>(bytes));
  return ok ? nullptr : "there is no memory at that address";
}
