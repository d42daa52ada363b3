/* Configuration of the memory system; defaults are a GTX 480 (docs/model.md gives the source of
 * each). */
#ifndef TANDEM_MEM_CONFIG_H
#define TANDEM_MEM_CONFIG_H

#include <stdint.h>

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
};

void mem_config_default(struct mem_config *c);

#endif
