/* The verilated fabric of an SPU (rtl/spu/spu_grid.sv) with the ports of each slot and border lane
 * apart. */
#ifndef TANDEM_TB_SPU_GRID_RTL_H
#define TANDEM_TB_SPU_GRID_RTL_H

#include "Vsc_spu_grid.h"

#include "csim/ports/ports.h"
#include "tb/pins.h"

/* Parameters of the verilated grid: slot (gx, gy) has number gy * SPU_GRID_COLUMNS + gx, lanes are
 * numbered N, S, W, E.  Slot 0 has no DMA engine. */
enum {
  SPU_GRID_COLUMNS = 2,
  SPU_GRID_ROWS = 2,
  SPU_GRID_CB_BYTES = 4096,
  SPU_GRID_SLOTS = SPU_GRID_COLUMNS * SPU_GRID_ROWS,
  SPU_GRID_LANES = 2 * (SPU_GRID_COLUMNS + SPU_GRID_ROWS),
  SPU_GRID_ENGINES = SPU_GRID_SLOTS + SPU_GRID_LANES
};

#define RTL_CLASS spu_grid_rtl
#define RTL_MODEL Vsc_spu_grid
#define RTL_PORTS "tb/spu_grid_ports.def"
#include "tb/packed_rtl.inc"

#endif
