/* Runs launch descriptions on a SystemC platform around one buddy cluster:
 *
 *   buddy_demo_<members> [--adaptive] LAUNCH.yaml
 *
 * prints the cycles of all kernels and the digest of memory after them. */
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include <tlm_utils/simple_initiator_socket.h>

#include "tb/buddy_platform.h"
#include "tb/host.h"

namespace {

/* What stands for a CPU: a thread that runs a launch description. */
class host : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<host, 64> control{"control"}, memory{"memory"};
  struct tb_host calls = {launch, transfer, this};
  bool good = false;

  SC_HAS_PROCESS(host);
  host(sc_core::sc_module_name name, const char *path_) : sc_module(name), path(path_) {
    SC_THREAD(run);
    set_stack_size(4 << 20);
  }
  void use(struct tandem *t) { gpu = t; }

private:
  void run() {
    good = tb_run(gpu, path);
    sc_core::sc_stop();
  }

  static bool send(tlm_utils::simple_initiator_socket<host, 64> &socket, tlm::tlm_command command,
                   uint64_t address, void *data, unsigned bytes) {
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

  static const char *launch(void *self, const struct grid *grid) {
    void *data = const_cast<void *>(static_cast<const void *>(grid));
    const bool ok = send(static_cast<host *>(self)->control, tlm::TLM_WRITE_COMMAND, 0, data,
                         sizeof(struct grid));
    return ok ? nullptr : "the kernel failed";
  }

  static const char *transfer(void *self, bool write, uint32_t address, void *data,
                              uint64_t bytes) {
    const bool ok = send(static_cast<host *>(self)->memory,
                         write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, data,
                         static_cast<unsigned>(bytes));
    return ok ? nullptr : "there is no memory at that address";
  }

  const char *path;
  struct tandem *gpu = nullptr;
};

} // namespace

int sc_main(int argc, char **argv) {
  buddy_cluster_tlm::config config;
  const bool adaptive = argc > 2 && std::strcmp(argv[1], "--adaptive") == 0;
  if (argc != 2 + adaptive) {
    std::fprintf(stderr, "usage: %s [--adaptive] LAUNCH.yaml\n", argv[0]);
    return 2;
  }
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  Verilated::threadContextp()->randReset(2);
  Verilated::threadContextp()->randSeed(1);
  sm_config_default(&config.sm);
  config.sm.barrier_check = 1;
  config.adaptive = adaptive;

  host cpu("host", argv[1 + adaptive]);
  struct tandem *gpu = tb_open(MEMBERS, &cpu.calls);
  if (gpu == nullptr)
    return 2;
  cpu.use(gpu);
  buddy_platform platform("platform", config, tb_memory(gpu));
  cpu.control.bind(platform.cluster.control);
  cpu.memory.bind(platform.memory.host);
  sc_core::sc_start();
  if (!platform.cluster.fault().empty())
    std::fprintf(stderr, "%s\n", platform.cluster.fault().c_str());
  std::printf("{\"cycles\": %" PRIu64 ", \"digest\": \"%016" PRIx64 "\"}\n",
              platform.cluster.cycles(), tb_digest(gpu));
  tb_close(gpu);
  return cpu.good ? 0 : 1;
}
