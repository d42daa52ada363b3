/* Configuration of an SM's back end; defaults are a GTX 480 (sources: docs/model_sm.md). */
#ifndef TANDEM_SM_CONFIG_H
#define TANDEM_SM_CONFIG_H

#include "csim/isa/isa.h"

struct sm_config {
  uint32_t threads, warps, ctas, registers, shared_bytes; /* 1536, 48, 8, 32768, 49152 */
  uint32_t collectors_sp, collectors_sfu, collectors_mem; /* 6, 8, 8 */
  uint32_t banks;                                         /* 16 register banks */
  uint32_t sp_pipes;                                      /* 2 */
  uint32_t barrier_check; /* 1: barriers that not all warps reach are faults */
  uint32_t slices;        /* warps that are one of the front end: 1, or 2, 4 (csim/sm/wide.h) */
  uint32_t buddy;         /* 1: member of a buddy cluster; MEM has places, docs/model_sm.md */
  struct {
    uint32_t latency, interval; /* core cycles */
  } lat[ISA_LATS];
};

void sm_config_default(struct sm_config *c); /* latencies from isa_lat_classes */

#endif
