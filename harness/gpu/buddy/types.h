/* Configuration and statistics of shared front ends (docs/hardware/buddy.md); keys.def and
 * statistics.def say what each is. */
#ifndef TANDEM_GPU_BUDDY_TYPES_H
#define TANDEM_GPU_BUDDY_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "csim/util/stats.h"

enum buddy_formation { BUDDY_FORM_DEFAULT, BUDDY_FORM_ADAPTIVE, BUDDY_FORM_APART };
enum buddy_regroup { BUDDY_REGROUP_NEW_KERNEL, BUDDY_REGROUP_HALFWAY };

struct buddy_config {
  uint32_t size, mon_entries, power_up, hop_latency;
  enum buddy_formation formation;
  enum buddy_regroup regroup;
  bool member_queues;
};

struct buddy_statistics {
#define STAT_COUNT STAT_FIELD
#define STAT_VALUE STAT_NOTHING
#define STAT_SHARE STAT_NOTHING
#include "harness/gpu/buddy/statistics.def"
};

#endif
