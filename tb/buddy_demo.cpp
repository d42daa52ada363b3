/* Runs launch descriptions on a SystemC platform around one buddy cluster:
 *
 *   buddy_demo_<members> [--adaptive] LAUNCH.yaml
 *
 * prints the cycles of all kernels and the digest of memory after them. */
#include <cinttypes>
#include <cstring>

#include "tb/buddy_cluster_tlm.h"
#include "tb/demo.h"

int sc_main(int argc, char **argv) {
  buddy_cluster_tlm::config config;
  struct tb_job job = {};
  config.adaptive = argc > 2 && std::strcmp(argv[1], "--adaptive") == 0;
  if (argc != 2 + config.adaptive) {
    std::fprintf(stderr, "usage: %s [--adaptive] LAUNCH.yaml\n", argv[0]);
    return 2;
  }
  job.path = argv[1 + config.adaptive];
  demo_begin();
  cpu host("host", job);
  struct tandem *gpu = tb_open(MEMBERS, &job, &host.calls);
  if (gpu == nullptr)
    return 2;
  host.use(gpu);
  tb_sm_config(gpu, &config.sm);
  platform<buddy_cluster_tlm> around("platform", config, tb_memory(gpu));
  around.sms.noc_clk(around.noc_clk);
  demo_run(host, around);
  std::printf("{\"cycles\": %" PRIu64 ", \"digest\": \"%016" PRIx64 "\"}\n", around.sms.cycles(),
              tb_digest(gpu));
  tb_close(gpu);
  return host.good ? 0 : 1;
}
