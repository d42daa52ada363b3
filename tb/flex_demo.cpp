/* Runs launch descriptions on a SystemC platform around a Flex cluster of two SMs:
 *
 *   flex_demo [--config GPU.yaml] [--param NAME=VALUE]... LAUNCH.yaml
 *
 * prints the cycles of all kernels and the digest of memory after them. */
#include <cinttypes>

#include "tb/demo.h"
#include "tb/flex_tlm.h"

static int run(struct tb_job &job) {
  flex_tlm::config config;
  cpu host("host", job);
  struct tandem *gpu = tb_open(0, &job, &host.calls);
  if (gpu == nullptr)
    return 2;
  if (!tb_flex_fits(gpu, FLEX_PAIR, FLEX_PAIR_DUMMY)) {
    tb_close(gpu);
    return 2;
  }
  host.use(gpu);
  tb_sm_config(gpu, &config.sm);
  config.gpu = gpu;
  config.lrr = tb_lrr(gpu);
  config.max_cycles = tb_max_cycles(gpu);
  platform<flex_tlm> around("platform", config, tb_memory(gpu));
  demo_run(host, around);
  std::printf("{\"cycles\": %" PRIu64 ", \"digest\": \"%016" PRIx64 "\"}\n", around.sms.cycles(),
              tb_digest(gpu));
  tb_close(gpu);
  return host.good ? 0 : 1;
}

int sc_main(int argc, char **argv) {
  struct tb_job job = {};
  if (!demo_arguments(argc, argv, &job))
    return 2;
  demo_begin();
  return run(job);
}
