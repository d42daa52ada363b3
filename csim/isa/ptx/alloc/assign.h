/* The state of an allocation, and the functions that its files share. */
#ifndef TANDEM_PTX_ASSIGN_H
#define TANDEM_PTX_ASSIGN_H

#include "csim/isa/ptx/alloc/alloc.h"

struct copy {
  int other; /* virtual register */
  int delta; /* its first unit's register minus ours, if the copy is to vanish */
  struct copy *next;
};

struct assigned {
  int *list;
  size_t n, cap;
};

struct alloc {
  struct ir *ir;
  struct ir_live live;
  unsigned regs;  /* machine registers that may be used */
  double *weight; /* by virtual register */
  bool *remat, *spilled;
  struct copy **copies;
  uint64_t *taken[2][ISA_REGS]; /* GPRs and predicates */
  struct assigned held[2][ISA_REGS];
  int *queue; /* heap by priority */
  size_t nqueue;
};

/* assign.c: returns whether no bit of [from, to), which is not empty, is set. */
bool alloc_range_free(const uint64_t *bits, uint32_t from, uint32_t to);

/* Returns whether two units are live at one position. */
bool alloc_units_meet(const struct alloc *a, int u, int v);

/* Returns whether v, which has no register, may have this one. */
bool alloc_fits(const struct alloc *a, int v, unsigned reg);

void alloc_assign(struct alloc *a, int v, unsigned reg);
void alloc_unassign(struct alloc *a, int v);

/* spread.c: moves values apart, once all have a register. */
void alloc_spread(struct alloc *a, const uint8_t *spread);

#endif
