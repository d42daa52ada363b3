/* Configuration and statistics of cross-SM resource sharing (docs/hardware/flex.md); keys.def and
 * statistics.def say what each is. */
#ifndef TANDEM_GPU_FLEX_TYPES_H
#define TANDEM_GPU_FLEX_TYPES_H

#include "csim/util/stats.h"
#include "harness/gpu/flex/scheme.h"

enum flex_rule { FLEX_RULE_STATIC, FLEX_RULE_FIRST, FLEX_RULE_POWER };
enum flex_memory { FLEX_MEMORY_LENT, FLEX_MEMORY_OWN };
enum flex_placement { FLEX_PLACE_WARPS, FLEX_PLACE_SIDES };
enum flex_coalesce { FLEX_COALESCE_WARP, FLEX_COALESCE_HALF };

struct flex_config {
  uint32_t size, dummy, power_up, power_limit, operand_planes, memory_planes;
  enum flex_scheme scheme;
  enum flex_rule choice;
  enum flex_memory memory;
  enum flex_placement placement;
  enum flex_coalesce coalesce;
};

struct flex_statistics {
#define STAT_COUNT STAT_FIELD
#define STAT_SHARE STAT_NOTHING
#include "harness/gpu/flex/statistics.def"
};

#endif
