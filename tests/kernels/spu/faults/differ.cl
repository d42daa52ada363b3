/* A wrong kernel: its two warps synchronise with different neighbours. */
#include "spu.h"

__kernel void differ(void) {
  if (get_local_id(0) < 32)
    spu_sync(SPU_NORTH);
  else
    spu_sync(SPU_WEST);
}
