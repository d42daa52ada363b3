/* The mean of the three preceding neighbours (mean3d.cl) on a GPU without an SPU, with a kernel
 * launch a wavefront.
 *
 * Launch `wave` computes the tiles (i, j, k) with i + j + k = wave, which do not depend on each
 * other, one a block; the tiles that they depend on are of earlier launches.  All faces are in
 * global memory and are replaced in place: a tile's northern one by its southern one, and so on.
 * A launch finds its number by counting the blocks that were ever started, so that all launches
 * have the same arguments. */
#include "mean3d_tile.h"

/* plane[y][x], northern faces across[k][x], western faces along[k][y]; n x n x tiles B points. */
__kernel void mean3d_wavefront(__global float *plane, __global float *across, __global float *along,
                               volatile __global int *started, int n, int tiles) {
  __local float north[B * PITCH], west[B * PITCH];
  const int tx = get_local_id(0), ty = get_local_id(1), id = ty * T + tx;
  __local int wave;
  if (id == 0)
    wave = atomic_inc(started) / (int)(get_num_groups(0) * get_num_groups(1));
  barrier(CLK_LOCAL_MEM_FENCE);
  const int i = get_group_id(0), j = get_group_id(1), t = wave - i - j;
  if (t < 0 || t >= tiles)
    return;
  const int x0 = i * B + S * tx, y0 = j * B + S * ty;
  float points[S][S];
  mean3d_load(points, plane, n, x0, y0);
  for (int at = id; at < B * B; at += T * T) {
    const int k = at / B, to = k * PITCH + at % B;
    north[to] = across[(t * B + k) * n + i * B + at % B];
    west[to] = along[(t * B + k) * n + j * B + at % B];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  mean3d_points(points, north, west);
  for (int at = id; at < B * B; at += T * T) {
    const int k = at / B, from = k * PITCH + at % B;
    across[(t * B + k) * n + i * B + at % B] = north[from];
    along[(t * B + k) * n + j * B + at % B] = west[from];
  }
  mean3d_store(points, plane, n, x0, y0);
}
