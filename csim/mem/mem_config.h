/* Configuration of the memory system; defaults are a GTX 480 (docs/model_mem.md gives the source of
 * each). */
#ifndef TANDEM_MEM_CONFIG_H
#define TANDEM_MEM_CONFIG_H

#include <stdint.h>

#include "csim/util/error.h"

struct mem_config {
  uint32_t core_mhz, xbar_mhz, dram_mhz;                                /* 700, 1400, 924 */
  uint32_t partitions;                                                  /* 6 */
  uint32_t shared_bytes, shared_banks, shared_latency;                  /* 49152, 32, 26 */
  uint32_t l1d_bytes, l1d_ways, l1d_latency, l1d_mshrs, l1d_mshr_merge; /* 32768, 4, 35, 64, 8 */
  uint32_t const_bytes, const_ways, const_line, const_latency;          /* 8192, 2, 64, 26 */
  uint32_t line_bytes;                                                  /* 128 */
  uint32_t l2_bytes, l2_ways, l2_mshrs;            /* 65536, 16, 32 (a partition) */
  uint32_t rop_latency, dram_latency;              /* 120, 100 core cycles */
  uint32_t xbar_flit_bytes, xbar_latency;          /* 32; 4 crossbar cycles */
  uint32_t dram_chips, dram_bus_bytes, dram_burst; /* 2, 4, 8 (a channel) */
  uint32_t dram_banks, dram_groups, dram_queue;    /* 16, 4, 64 */
  uint32_t t_ccd, t_rrd, t_rcd, t_ras, t_rp, t_rc, t_cl, t_wl, t_cdlr, t_wr, t_ccdl, t_rtpl;
  uint32_t lsu_queue;                  /* 2: instructions the load-store unit holds */
  uint32_t const_mshrs, l2_mshr_merge; /* 8, 8 */
  uint32_t xbar_queue;     /* 8: packets waiting at an SM's port, and at a partition's */
  uint32_t l2_queue;       /* 256: requests in a partition's ROP pipeline and waiting behind it */
  uint32_t l2_dram_queue;  /* 256: requests between L2 and the DRAM controller */
  uint32_t dram_row_bytes; /* 4096: open row of a bank, both chips */
  uint32_t dram_hit_limit; /* 64: row hits served past an older request of the bank; 0: no limit */
};

void mem_config_default(struct mem_config *c);

/* Ranges that the model needs (powers of two, at least one of everything).  0 or -EINVAL with the
 * field named. */
int mem_config_check(const struct mem_config *c, struct tandem_error *err);

#endif
