/* The state of memory for observers: between two cycles they read it and change nothing. */
#ifndef TANDEM_MEM_LOOK_H
#define TANDEM_MEM_LOOK_H

#include "csim/mem/mem.h"

/* Miss registers that are in use: of an SM's L1D; of all partitions' L2. */
unsigned sm_mem_misses(const struct sm_mem *s);
unsigned gpu_mem_misses(const struct gpu_mem *m);

#endif
