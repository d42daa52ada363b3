/* Blocks that only pass tiles on, so that a run is mostly synchronisation.  Of each tile
 *
 *   south[i] = north[i] + 3 * west[i]
 *   east[i]  = 5 * north[i] ^ west[i]
 *
 *   -DWORDS=N   words of a tile's face (32)
 *   -DSINGLE    a synchronisation for each direction
 *   -DLEAVE     a warp of the block ends with each tile, until the first one is alone
 *   -DUNEVEN    blocks take different times for their tiles
 *   -DGLOBAL    barriers of all blocks; each block waits for its turn */
#include "spu.h"

#ifndef WORDS
#define WORDS 32
#endif

static __local uint *buffer(int side) { return (__local uint *)spu_buffer(side); }

#ifdef SINGLE
#define SYNC(a, b)                                                                                 \
  do {                                                                                             \
    spu_sync(a);                                                                                   \
    spu_sync(b);                                                                                   \
  } while (0)
#else
#define SYNC(a, b) spu_sync((a) | (b))
#endif

static void wait(int steps) {
#ifdef UNEVEN
  for (int i = 0; i < steps; i++)
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
}

/* Tile t, by `threads` threads of the block. */
static void tile(int t, int threads) {
  const int id = get_local_id(0);
  wait((5 * t + 3 * (int)get_group_id(0) + 7 * (int)get_group_id(1)) % 11);
  for (int i = id; i < WORDS && id < threads; i += threads) {
    const uint north = buffer(SPU_SIDE_NORTH)[i], west = buffer(SPU_SIDE_WEST)[i];
    buffer(SPU_SIDE_SOUTH)[i] = north + 3 * west;
    buffer(SPU_SIDE_EAST)[i] = 5 * north ^ west;
  }
}

__kernel void relay(int tiles) {
#ifdef GLOBAL
  const int turn = get_group_id(0) + get_group_id(1) + 1;
  const int steps = get_num_groups(0) + get_num_groups(1) + tiles;
  for (int t = 0; t < steps; t++) {
    if (t >= turn && t < turn + tiles)
      tile(t, get_local_size(0));
    spu_sync_all();
  }
#else
  for (int t = 0; t < tiles; t++) {
#ifdef LEAVE
    const int warp = get_local_id(0) / 32;
    if (warp != 0 && warp <= t)
      return;
    const int threads = 32;
#else
    const int threads = get_local_size(0);
#endif
    SYNC(SPU_NORTH, SPU_WEST);
    tile(t, threads);
    SYNC(SPU_SOUTH, SPU_EAST);
  }
#endif
}
