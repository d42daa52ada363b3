/* Register allocation: liveness, assignment of registers, spilling. */
#ifndef TANDEM_PTX_ALLOC_H
#define TANDEM_PTX_ALLOC_H

#include "csim/isa/ptx/ir/ir.h"

/* live.c: segments of every unit; positions are 2 * i (reads of instruction i), 2 * i + 1
 * (its writes); a block's terminator reads at a position of its own behind its instructions. */
struct ir_seg {
  uint32_t from, to; /* [from, to) */
};
struct ir_live {
  struct ir_seg **segs; /* by unit, ascending, disjoint */
  uint32_t *nsegs;
  uint32_t positions;
};
void ir_liveness(struct ir *ir, struct ir_live *live);

/* alloc.c: assigns vregs[].reg; spills through spill.c until it fits.  With `spread`, a kernel that
 * needs n registers has its values spread over spread[n]. */
void ir_allocate(struct ir *ir, unsigned max_regs, const uint8_t *spread);
/* spill.c: rewrites the marked registers through local memory.  A value that was loaded or stored
 * is used again from its register for so many instructions (window) in its block. */
void ir_spill(struct ir *ir, const bool *marked, unsigned window);
/* If every unit of v has one definition, by MOVI or MOVS alone: where they are; else false. */
struct ir_remat {
  int *def; /* by unit: its only unguarded definition, -1 if there is not exactly one */
  bool *ok; /* by unit */
};
struct ir_remat ir_find_remat(struct ir *ir);
bool ir_can_remat(const struct ir *ir, const struct ir_remat *m, int v);

#endif
