/* Configuration and statistics of a stencil processing unit (docs/hardware/spu.md); keys.def and
 * statistics.def say what each is. */
#ifndef TANDEM_GPU_SPU_TYPES_H
#define TANDEM_GPU_SPU_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "csim/util/stats.h"

enum spu_sync { SPU_SYNC_POINT, SPU_SYNC_GLOBAL };
enum spu_pairing { SPU_RENDEZVOUS, SPU_DECOUPLED };
enum spu_order { SPU_SERIAL, SPU_OVERLAPPED };
enum spu_interface { SPU_INTERFACE_SM, SPU_INTERFACE_DMA };

struct spu_config {
  uint32_t columns, rows, blocks_x, blocks_y, cb_bytes, cb_latency, outstanding;
  enum spu_sync sync;
  enum spu_pairing pairing;
  enum spu_order passes;
  enum spu_interface interface;
  bool shadow;
};

struct spu_statistics {
#define STAT_COUNT STAT_FIELD
#define STAT_VALUE STAT_NOTHING
#include "harness/gpu/spu/statistics.def"
};

#endif
