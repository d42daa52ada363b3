/* Defaults and checks of an SM's configuration, from its table. */
#include "csim/sm/sm_config.h"

void sm_config_default(struct sm_config *c) {
  *c = (struct sm_config){.threads = 1536,
                          .warps = 48,
                          .ctas = 8,
                          .registers = 32768,
                          .shared_bytes = 49152,
                          .collectors_sp = 6,
                          .collectors_sfu = 8,
                          .collectors_mem = 8,
                          .banks = 16,
                          .sp_pipes = 2,
                          .slices = 1,
                          .barrier_check = 1};
  for (unsigned i = 0; i < ISA_LATS; i++) {
    c->lat[i].latency = isa_lat_classes[i].latency;
    c->lat[i].interval = isa_lat_classes[i].interval;
  }
}
