/* Configuration and statistics of cross-SM resource sharing (docs/hardware/flex.md); keys.def and
 * statistics.def say what each is. */
#ifndef TANDEM_GPU_FLEX_TYPES_H
#define TANDEM_GPU_FLEX_TYPES_H

#include "csim/util/stats.h"
#include "harness/gpu/flex/scheme.h"

enum flex_memory { FLEX_MEMORY_LENT, FLEX_MEMORY_OWN };
enum flex_placement { FLEX_PLACE_WARPS, FLEX_PLACE_SIDES };

struct flex_config {
  uint32_t size, dummy, power_up, operand_planes, memory_planes;
  enum flex_scheme scheme;
  enum flex_memory memory;
  enum flex_placement placement;
};

struct flex_statistics {
#define STAT_COUNT STAT_FIELD
#include "harness/gpu/flex/statistics.def"
};

#endif
