/* Kernels whose loading interface units do what they must not, if they are SMs; the blocks are
 * right.  -DWRONG says what. */
#include "spu.h"

enum { NOTHING, MULTIPLY, SHARE, COUNT, READ, DIRECTION, LEAVE };

static void load(__global float *memory, __local float *shared, float factor) {
  const int i = get_local_id(0);
  __local float *own = spu_buffer(SPU_SIDE_OWN);
  switch (WRONG) {
  case MULTIPLY:
    own[i] = memory[i] * factor;
    break;
  case SHARE:
    shared[i] = memory[i];
    break;
  case COUNT:
    atomic_inc((__global int *)memory);
    break;
  case READ:
    memory[i] = own[i];
    break;
  case DIRECTION:
    spu_sync(SPU_EAST);
    break;
  case LEAVE:
    return;
  default:
    own[i] = memory[i];
  }
  spu_sync(SPU_OWN);
}

__kernel void wrong_interface(__global float *memory, float factor) {
  __local float shared[32];
  if (spu_role() == SPU_ROLE_LOAD) {
    load(memory, shared, factor);
  } else if (spu_role() == SPU_ROLE_STORE) {
    spu_sync(SPU_OWN);
    memory[32 + get_local_id(0)] = spu_buffer(SPU_SIDE_OWN)[get_local_id(0)];
  } else {
    spu_sync(SPU_NORTH | SPU_WEST);
    shared[get_local_id(0)] = spu_buffer(SPU_SIDE_WEST)[get_local_id(0)] * factor;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float sum = spu_buffer(SPU_SIDE_NORTH)[get_local_id(0)] + shared[31 - get_local_id(0)];
    spu_buffer(SPU_SIDE_SOUTH)[get_local_id(0)] = spu_buffer(SPU_SIDE_EAST)[get_local_id(0)] = sum;
    spu_sync(SPU_SOUTH | SPU_EAST);
  }
}
