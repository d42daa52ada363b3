/* C access to a verilated spu_grid (rtl/spu/spu_grid.sv), for its test.  A model has P_Columns x
 * P_Rows slots, and its struct rtl_type this table of functions. */
#ifndef TANDEM_SPU_GRID_MODEL_H
#define TANDEM_SPU_GRID_MODEL_H

#include "csim/ports/units.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GRID_SLOTS_MOST = 4, GRID_LANES_MOST = 8 };
#ifdef P_Columns
enum { GRID_SLOTS = P_Columns * P_Rows, GRID_LANES = 2 * (P_Columns + P_Rows) };
#endif

struct grid_in {
  struct spu_grid_in own;
  struct spu_grid_slot_in slot[GRID_SLOTS_MOST];
  struct spu_grid_lane_in lane[GRID_LANES_MOST];
};
struct grid_out {
  struct spu_grid_out own;
  struct spu_grid_slot_out slot[GRID_SLOTS_MOST];
  struct spu_grid_lane_out lane[GRID_LANES_MOST];
};

struct grid;

/* The functions of a grid's model (rtl_type.own). */
struct grid_functions {
  /* A grid after a reset, what reset leaves alone random by the seed but for buffers of zeros; with
   * fault `bug` of rtl/faults.def in all units that have it, 0: none.  A netlist with mutants has
   * that of rtl_type.mutate. */
  struct grid *(*create)(uint64_t seed, unsigned bug);
  void (*destroy)(struct grid *g); /* NULL allowed */

  /* The clock edge of a cycle with these inputs; outputs after the last one. */
  void (*step)(struct grid *g, const struct grid_in *in);
  void (*outputs)(const struct grid *g, struct grid_out *out);

  /* The state of a unit, a struct <unit>_view, but for what is computed from registers (STATE_BY),
   * which is 0.  Number i of a kind as the fabric of machines counts (harness/gpu/spu/shape.h). */
  void (*view)(const struct grid *g, const char *unit, unsigned i, void *view);

  /* Failed assertions so far, with the text of the first (NULL allowed). */
  unsigned (*assertions)(const struct grid *g, const char **first);
};

#ifdef __cplusplus
}
#endif
#endif
