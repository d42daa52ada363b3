/* GPUs of clusters that share resources, for tests. */
#ifndef TANDEM_TESTS_FLEX_MACHINE_H
#define TANDEM_TESTS_FLEX_MACHINE_H

#include "harness/gpu/core/gpu.h"
#include "harness/gpu/feature.h"
#include "tests/system/helpers.h"

/* One cluster of six, or of two, whose SMs are those of table II; 0: as many SMs alone. */
static inline struct tandem_config table2_gpu(unsigned size, enum flex_scheme scheme) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  c.sms = size == 0 ? FLEX_MEMBERS : size;
  c.sm.warps = 24;
  c.sm.threads = 768;
  c.sm.registers = 16384;
  c.sm.shared_bytes = c.mem.shared_bytes = 16384;
  c.mem.shared_banks = 16;
  c.mem.l1d_bytes = 16384;
  c.mem.l1d_ways = 4;
  c.feature.flex.size = size;
  c.feature.flex.scheme = scheme;
  c.report_dir = NULL;
  return c;
}

#endif
