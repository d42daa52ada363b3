/* Defaults and checks of the memory system's configuration, from its table. */
#include "csim/mem/mem_config.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

void mem_config_default(struct mem_config *c) {
  *c = (struct mem_config){
      .core_mhz = 700,
      .xbar_mhz = 1400,
      .dram_mhz = 924,
      .partitions = 6,
      .shared_bytes = 49152,
      .shared_banks = 32,
      .shared_latency = 26,
      .l1d_bytes = 32768,
      .l1d_ways = 4,
      .l1d_latency = 35,
      .l1d_mshrs = 64,
      .l1d_mshr_merge = 8,
      .const_bytes = 8192,
      .const_ways = 2,
      .const_line = 64,
      .const_latency = 26,
      .line_bytes = 128,
      .l2_bytes = 65536,
      .l2_ways = 16,
      .l2_mshrs = 32,
      .rop_latency = 120,
      .dram_latency = 100,
      .xbar_flit_bytes = 32,
      .xbar_latency = 4,
      .dram_chips = 2,
      .dram_bus_bytes = 4,
      .dram_burst = 8,
      .dram_banks = 16,
      .dram_groups = 4,
      .dram_queue = 64,
      .t_ccd = 2,
      .t_rrd = 6,
      .t_rcd = 12,
      .t_ras = 28,
      .t_rp = 12,
      .t_rc = 40,
      .t_cl = 12,
      .t_wl = 4,
      .t_cdlr = 5,
      .t_wr = 12,
      .t_ccdl = 3,
      .t_rtpl = 2,
      .lsu_queue = 2,
      .const_mshrs = 8,
      .l2_mshr_merge = 8,
      .xbar_queue = 8,
      .l2_queue = 256,
      .l2_dram_queue = 256,
      .dram_row_bytes = 4096,
      .dram_hit_limit = 64,
  };
}

struct range {
  const char *name;
  size_t offset;
  uint32_t min, max;
  bool power; /* of two */
};

#define FIELD(name, min, max, power)                                                               \
  { #name, offsetof(struct mem_config, name), min, max, power }

static const struct range ranges[] = {
    FIELD(core_mhz, 1, 100000, false),
    FIELD(xbar_mhz, 1, 100000, false),
    FIELD(dram_mhz, 1, 100000, false),
    FIELD(partitions, 1, 32, false),
    FIELD(shared_bytes, 1024, 1U << 20, false),
    FIELD(shared_banks, 1, 32, true),
    FIELD(shared_latency, 1, 1000, false),
    FIELD(l1d_bytes, 1024, 1U << 24, true),
    FIELD(l1d_ways, 1, 16, false),
    FIELD(l1d_latency, 1, 1000, false),
    FIELD(l1d_mshrs, 1, 256, false),
    FIELD(l1d_mshr_merge, 1, 64, false),
    FIELD(const_bytes, 256, 1U << 20, true),
    FIELD(const_ways, 1, 16, false),
    FIELD(const_line, 32, 128, true),
    FIELD(const_latency, 1, 1000, false),
    FIELD(line_bytes, 128, 128, true),
    FIELD(l2_bytes, 2048, 1U << 26, false),
    FIELD(l2_ways, 1, 64, false),
    FIELD(l2_mshrs, 1, 256, false),
    FIELD(rop_latency, 0, 10000, false),
    FIELD(dram_latency, 0, 10000, false),
    FIELD(xbar_flit_bytes, 1, 128, false),
    FIELD(xbar_latency, 0, 1000, false),
    FIELD(dram_chips, 1, 16, true),
    FIELD(dram_bus_bytes, 1, 16, true),
    FIELD(dram_burst, 4, 16, true),
    FIELD(dram_banks, 1, 32, true),
    FIELD(dram_groups, 1, 32, true),
    FIELD(dram_queue, 1, 1024, false),
    FIELD(t_ccd, 1, 1000, false),
    FIELD(t_rrd, 0, 1000, false),
    FIELD(t_rcd, 0, 1000, false),
    FIELD(t_ras, 0, 1000, false),
    FIELD(t_rp, 0, 1000, false),
    FIELD(t_rc, 0, 1000, false),
    FIELD(t_cl, 0, 1000, false),
    FIELD(t_wl, 0, 1000, false),
    FIELD(t_cdlr, 0, 1000, false),
    FIELD(t_wr, 0, 1000, false),
    FIELD(t_ccdl, 0, 1000, false),
    FIELD(t_rtpl, 0, 1000, false),
    FIELD(lsu_queue, 1, 64, false),
    FIELD(const_mshrs, 1, 64, false),
    FIELD(l2_mshr_merge, 1, 64, false),
    FIELD(xbar_queue, 2, 1024, false),
    FIELD(l2_queue, 1, 65536, false),
    FIELD(l2_dram_queue, 2, 65536, false),
    FIELD(dram_row_bytes, 256, 1U << 20, true),
    FIELD(dram_hit_limit, 0, 1U << 30, false),
};

static bool power_of_two(uint32_t v) { return v != 0 && (v & (v - 1)) == 0; }

static int check_sets(const char *name, uint32_t bytes, uint32_t ways, uint32_t line,
                      struct tandem_error *err) {
  if (bytes % (ways * line) == 0 && power_of_two(bytes / (ways * line)))
    return 0;
  return tandem_fail(err, -EINVAL,
                     "memory: %s of %u bytes, %u ways and %u-byte lines has not a power of two of "
                     "sets",
                     name, bytes, ways, line);
}

int mem_config_check(const struct mem_config *c, struct tandem_error *err) {
  for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
    const struct range *r = &ranges[i];
    uint32_t v = *(const uint32_t *)((const char *)c + r->offset);
    if (v < r->min || v > r->max)
      return tandem_fail(err, -EINVAL, "memory: %s is %u, must be %u to %u", r->name, v, r->min,
                         r->max);
    if (r->power && !power_of_two(v))
      return tandem_fail(err, -EINVAL, "memory: %s is %u, must be a power of two", r->name, v);
  }
  if (c->dram_groups > c->dram_banks)
    return tandem_fail(err, -EINVAL, "memory: dram_groups is %u, above dram_banks (%u)",
                       c->dram_groups, c->dram_banks);
  if (c->dram_chips * c->dram_bus_bytes * c->dram_burst > c->line_bytes)
    return tandem_fail(err, -EINVAL, "memory: a DRAM burst of %u bytes is longer than a line (%u)",
                       c->dram_chips * c->dram_bus_bytes * c->dram_burst, c->line_bytes);
  int status = check_sets("L1D", c->l1d_bytes, c->l1d_ways, c->line_bytes, err);
  if (status == 0)
    status = check_sets("constant cache", c->const_bytes, c->const_ways, c->const_line, err);
  if (status == 0)
    status = check_sets("L2", c->l2_bytes, c->l2_ways, c->line_bytes, err);
  return status;
}
