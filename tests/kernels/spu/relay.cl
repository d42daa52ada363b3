/* A block passes on the sum of its two inputs: a test of the fabric, with little to compute.
 *
 * -DGLOBAL: with a barrier of all blocks a step, each block waits for its turn. */
#include "spu.h"

static void tile(void) {
  const int i = get_local_id(0);
  const float sum = spu_buffer(SPU_SIDE_NORTH)[i] + spu_buffer(SPU_SIDE_WEST)[i];
  spu_buffer(SPU_SIDE_SOUTH)[i] = sum;
  spu_buffer(SPU_SIDE_EAST)[i] = sum;
}

__kernel void relay(int tiles) {
#ifdef GLOBAL
  const int turn = get_group_id(0) + get_group_id(1) + 1;
  const int steps = get_num_groups(0) + get_num_groups(1) + tiles;
  for (int t = 0; t < steps; t++) {
    if (t >= turn && t < turn + tiles)
      tile();
    spu_sync_all();
  }
#else
  for (int t = 0; t < tiles; t++) {
    spu_sync(SPU_NORTH | SPU_WEST);
    tile();
    spu_sync(SPU_SOUTH | SPU_EAST);
  }
#endif
}
