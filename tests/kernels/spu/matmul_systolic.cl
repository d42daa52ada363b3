/* Matrix product c = a b on a systolic grid of blocks.
 *
 * Block (i, j) computes the tile of B x B elements in tile column i and tile row j of c, and keeps
 * it in registers.  In step k it gets tile (j, k) of a from the west and tile (k, i) of b from the
 * north, copies both to its eastern and southern neighbours, and adds their product.  It passes the
 * tiles on before it multiplies, so that the next diagonal of blocks lags by a copy only; its own
 * input buffers stay with it until it asks for the next tiles.
 *
 * Thread (x, y) has column x of rows y, y + ROWS, ... of the tile. */
#include "spu.h"

#define B 32
#define ROWS 8 /* threads of a block in y */
#define OWN (B / ROWS)

__kernel void matmul_systolic(__global float *c, int n, int tiles, __global float *a_in,
                              __global float *a_out, __global float *b_in, __global float *b_out) {
  if (spu_role() != SPU_ROLE_BLOCK) {
    const uint k = tiles * B;
    spu_interface(tiles, (spu_faces){b_in, B, B, n, n * B, B},
                  (spu_faces){b_out, B, B, n, n * B, B}, (spu_faces){a_in, B, B, k, B, k * B},
                  (spu_faces){a_out, B, B, k, B, k * B});
    return;
  }
  const int x = get_local_id(0), y = get_local_id(1);
  const __local float *a = spu_buffer(SPU_SIDE_WEST), *b = spu_buffer(SPU_SIDE_NORTH);
  float sum[OWN];
#pragma unroll
  for (int i = 0; i < OWN; i++)
    sum[i] = 0.0f;
  for (int t = 0; t < tiles; t++) {
    spu_sync(SPU_NORTH | SPU_WEST);
    for (int row = y; row < B; row += ROWS) {
      spu_buffer(SPU_SIDE_EAST)[row * B + x] = a[row * B + x];
      spu_buffer(SPU_SIDE_SOUTH)[row * B + x] = b[row * B + x];
    }
    spu_sync(SPU_SOUTH | SPU_EAST);
    for (int k = 0; k < B; k++) {
      const float right = b[k * B + x];
#pragma unroll
      for (int i = 0; i < OWN; i++)
        sum[i] = fma(a[(y + i * ROWS) * B + k], right, sum[i]);
    }
  }
  const int row0 = get_group_id(1) * B + y, column = get_group_id(0) * B + x;
#pragma unroll
  for (int i = 0; i < OWN; i++)
    c[(row0 + i * ROWS) * n + column] = sum[i];
}
