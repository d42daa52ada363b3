/* The mean of the three preceding neighbours, over N x N x K points:
 *
 *   H[i, j, k] = (H[i-1, j, k] + H[i, j-1, k] + H[i, j, k-1]) / 3
 *
 * A block computes a column of tiles of B x B x B points.  Its northern and western faces come from
 * communication buffers, its southern and eastern faces go into others, and the plane of the last k
 * stays in registers (mean3d_tile.h).
 *
 * -DGLOBAL: with a barrier of all blocks a step, each block waits for its turn. */
#include "mean3d_tile.h"
#include "spu.h"

#ifdef GLOBAL
#define INTERFACE spu_interface_all
#else
#define INTERFACE spu_interface
#endif

static void tile(float plane[S][S], __local float *north, __local float *west) {
  const int tx = get_local_id(0), ty = get_local_id(1);
  for (int at = ty * T + tx; at < B * B; at += T * T) {
    const int to = at + at / B;
    north[to] = spu_buffer(SPU_SIDE_NORTH)[at];
    west[to] = spu_buffer(SPU_SIDE_WEST)[at];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  mean3d_points(plane, north, west);
  for (int at = ty * T + tx; at < B * B; at += T * T) {
    const int from = at + at / B;
    spu_buffer(SPU_SIDE_SOUTH)[at] = north[from];
    spu_buffer(SPU_SIDE_EAST)[at] = west[from];
  }
}

/* The faces of a border, all k of them, have rows of so many points. */
static spu_faces face(__global float *memory, uint points) {
  return (spu_faces){memory, B, B, points, points * B, B};
}

/* The faces' buffers are for interface units that are SMs. */
__kernel void mean3d(__global const float *first, __global float *last, int n, int tiles,
                     __global float *in_north, __global float *out_south, __global float *in_west,
                     __global float *out_east) {
  __local float north[B * PITCH], west[B * PITCH];
  if (spu_role() != SPU_ROLE_BLOCK) {
    const uint across = n, along = get_num_groups(1) * B;
    INTERFACE(tiles, face(in_north, across), face(out_south, across), face(in_west, along),
              face(out_east, along));
    return;
  }
  const int x0 = get_global_id(0) * S, y0 = get_global_id(1) * S;
  float plane[S][S];
  mean3d_load(plane, first, n, x0, y0);
#ifdef GLOBAL
  const int turn = get_group_id(0) + get_group_id(1) + 1;
  const int steps = get_num_groups(0) + get_num_groups(1) + tiles;
  for (int t = 0; t < steps; t++) {
    if (t >= turn && t < turn + tiles)
      tile(plane, north, west);
    spu_sync_all();
  }
#else
  for (int t = 0; t < tiles; t++) {
    spu_sync(SPU_NORTH | SPU_WEST);
    tile(plane, north, west);
    spu_sync(SPU_SOUTH | SPU_EAST);
  }
#endif
  mean3d_store(plane, last, n, x0, y0);
}
