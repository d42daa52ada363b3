/* Values moved apart, over registers that cost nothing: an instruction that writes a register waits
 * until earlier instructions have read it. */
#include "csim/isa/ptx/alloc/assign.h"

/* Positions of 16 instructions, for which no operand waits to be collected. */
enum { FAR = 32 };

/* Returns the free positions before or behind those of v in a register, the fewer of both, at most
 * FAR. */
static uint32_t room_around(const struct alloc *a, int v, unsigned reg) {
  const struct ir_vreg *r = &a->ir->vregs[v];
  uint32_t room = FAR;
  for (unsigned k = 0; k < r->width; k++) {
    const uint64_t *bits = a->taken[r->pred][reg + k];
    const int unit = r->unit + (int)k;
    const uint32_t n = a->live.nsegs[unit];
    if (n == 0)
      continue;
    const uint32_t from = a->live.segs[unit][0].from, to = a->live.segs[unit][n - 1].to;
    for (uint32_t d = 0; d < room; d++)
      if ((d < from && !alloc_range_free(bits, from - d - 1, from - d)) ||
          (to + d < a->live.positions && !alloc_range_free(bits, to + d, to + d + 1)))
        room = d;
  }
  return room;
}

/* Returns the registers that have been assigned. */
static unsigned need_of(const struct alloc *a) {
  unsigned need = 1;
  for (size_t v = 0; v < a->ir->nvregs; v++) {
    const struct ir_vreg *r = &a->ir->vregs[v];
    if (!r->pred && r->reg >= 0 && (unsigned)r->reg + r->width > need)
      need = (unsigned)r->reg + r->width;
  }
  return need;
}

/* Returns whether v has the register of a value that it is copied from or to: the copy vanishes. */
static bool is_joined(const struct alloc *a, int v) {
  const int reg = a->ir->vregs[v].reg;
  for (const struct copy *c = a->copies[v]; c; c = c->next) {
    const int other = a->ir->vregs[c->other].reg;
    if (other >= 0 && other - c->delta == reg)
      return true;
  }
  return false;
}

/* Moves values, one after the other, to the register that is free longest around them, among those
 * that cost no occupancy: spread[n] for a kernel that needs n.  A value may stay where it is, so
 * nothing is spilled and no copy comes back. */
void alloc_spread(struct alloc *a, const uint8_t *spread) {
  const unsigned free_of_cost = spread[need_of(a)];
  const unsigned most = free_of_cost < a->regs ? free_of_cost : a->regs;
  if (free_of_cost == 0)
    return;
  for (size_t i = 0; i < a->ir->nvregs; i++) {
    const int v = (int)i;
    const struct ir_vreg *r = &a->ir->vregs[v];
    if (r->reg < 0 || is_joined(a, v))
      continue;
    unsigned best = (unsigned)r->reg;
    alloc_unassign(a, v);
    uint32_t best_room = room_around(a, v, best);
    for (unsigned reg = 0; reg + r->width <= (r->pred ? ISA_PREDS : most); reg += r->width) {
      const uint32_t room = alloc_fits(a, v, reg) ? room_around(a, v, reg) : 0;
      if (room > best_room) {
        best = reg;
        best_room = room;
      }
    }
    alloc_assign(a, v, best);
  }
}
