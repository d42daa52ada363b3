/* The grid of a launch. */
#ifndef TANDEM_GPU_GRID_H
#define TANDEM_GPU_GRID_H

#include "harness/gpu/core/gpu.h"

enum { LAUNCH_REGISTERS = 63 }; /* that a launch may allocate a thread */

/* Checks a launch as tandem_launch does, without running it.  0 or a negative errno. */
int gpu_check_launch(const struct tandem *t, const struct tandem_launch *l,
                     struct tandem_error *err);

/* Fills t->launch.grid and places parameters and local memory, 0 or a negative errno; gives them
 * back. */
int gpu_grid_make(struct tandem *t, const struct tandem_launch *l, struct tandem_error *err);
void gpu_grid_drop(struct tandem *t);

#endif
