/* A cycle of the cells. */
#ifndef TANDEM_GPU_CELL_H
#define TANDEM_GPU_CELL_H

#include "harness/gpu/core/gpu.h"

/* The pool's function: this cycle of the thread's cells. */
void gpu_parallel(void *tandem, unsigned thread);

/* Ends a cell's rest, if it rests, before anything but memory changes the state of its SMs and
 * before their statistics are read: counts the cycles before `cycle`. */
void cell_wake(struct tandem *t, struct cell *c, uint64_t cycle);

/* Returns the cycle before which all cells have had theirs. */
uint64_t cells_joined(const struct tandem *t);

/* CTA slots and warps that are free in all SMs of the group that `first` leads; leads: the first SM
 * of each group. */
struct sm_room gpu_room(const struct tandem *t, unsigned first, uint64_t leads);

#endif
