/* The mean of the three preceding neighbours (mean3d.cl) on a GPU without an SPU, in one kernel.
 *
 * A block computes a column of tiles of B x B x B points.  It takes its place by a ticket, in the
 * order of rows: the blocks that it depends on have smaller tickets and so are on an SM already,
 * whatever the order in which the hardware starts blocks.  That makes waiting free of deadlock.
 * A face goes through global memory: row j of `across` holds the northern faces of block row j and
 * column i of `along` the western faces of block column i, each as [k][point].  `done` counts the
 * tiles that each block has left there.
 *
 * The ticket and the counts are accessed by atomics alone, whose words are not counted as loads
 * and stores.  No word of a face is written twice, and with B a multiple of 32 no line of a cache
 * has words of two blocks' faces: so no L1 cache holds an old copy. */
#include "mean3d_tile.h"

/* Until block `index` has left more than k tiles. */
static void await(volatile __global int *done, int index, int k) {
  while (atomic_or(&done[index], 0) <= k)
    ;
}

__kernel void mean3d_tickets(__global const float *first, __global float *last,
                             __global float *across, __global float *along,
                             volatile __global int *ticket, volatile __global int *done, int n,
                             int tiles) {
  __local float north[B * PITCH], west[B * PITCH];
  __local int mine;
  const int nbx = get_num_groups(0), tx = get_local_id(0), ty = get_local_id(1), id = ty * T + tx;
  if (id == 0)
    mine = atomic_inc(ticket);
  barrier(CLK_LOCAL_MEM_FENCE);
  const int i = mine % nbx, j = mine / nbx, depth = tiles * B;
  const int x0 = i * B + S * tx, y0 = j * B + S * ty;
  float plane[S][S];
  mean3d_load(plane, first, n, x0, y0);
  for (int t = 0; t < tiles; t++) {
    if (id == 0) {
      if (j > 0)
        await(done, mine - nbx, t);
      if (i > 0)
        await(done, mine - 1, t);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int at = id; at < B * B; at += T * T) {
      const int k = at / B, to = k * PITCH + at % B;
      north[to] = across[(j * depth + t * B + k) * n + i * B + at % B];
      west[to] = along[(i * depth + t * B + k) * n + j * B + at % B];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    mean3d_points(plane, north, west);
    for (int at = id; at < B * B; at += T * T) {
      const int k = at / B, from = k * PITCH + at % B;
      across[((j + 1) * depth + t * B + k) * n + i * B + at % B] = north[from];
      along[((i + 1) * depth + t * B + k) * n + j * B + at % B] = west[from];
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (id == 0)
      atomic_inc(&done[mine]);
  }
  mean3d_store(plane, last, n, x0, y0);
}
