/* Runs launch descriptions on a SystemC platform around a stencil processing unit of 2 x 2 SMs:
 *
 *   spu_demo [--config GPU.yaml] [--param NAME=VALUE]... LAUNCH.yaml
 *
 * prints the cycles of all kernels, the words off chip and the digest of memory after them. */
#include <cinttypes>

#include "tb/demo.h"
#include "tb/spu_tlm.h"

static int run(struct tb_job &job) {
  spu_tlm::config config;
  cpu host("host", job);
  struct tandem *gpu = tb_open(0, &job, &host.calls);
  if (gpu == nullptr)
    return 2;
  if (!tb_spu_fits(gpu, SPU_GRID_COLUMNS, SPU_GRID_ROWS, SPU_GRID_CB_BYTES)) {
    tb_close(gpu);
    return 2;
  }
  host.use(gpu);
  tb_sm_config(gpu, &config.sm);
  config.gpu = gpu;
  config.lrr = tb_lrr(gpu);
  config.max_cycles = tb_max_cycles(gpu);
  std::vector<struct mem_client *> clients;
  for (unsigned i = 1; i < SPU_GRID_ENGINES; i++)
    clients.push_back(tb_spu_client(gpu, i));
  platform<spu_tlm> around("platform", config, tb_memory(gpu), clients);
  for (unsigned i = 0; i < spu_tlm::ENGINES; i++)
    around.sms.dma[i].bind(around.memory.dma[i]);
  demo_run(host, around);
  std::printf("{\"cycles\": %" PRIu64 ", \"words\": %" PRIu64 ", \"digest\": \"%016" PRIx64 "\"}\n",
              around.sms.cycles(), tb_offchip_words(gpu), tb_digest(gpu));
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
