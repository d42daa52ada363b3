/* out = transpose of in (height x width), by tiles of 32 x 32 moved by 32 x 8 threads.  The padded
 * tile has no bank conflicts; -DPAD=0 has 32-way ones. */
#define TILE 32
#ifndef PAD
#define PAD 1
#endif

__kernel void transpose(__global const uint *in, __global uint *out, int width, int height) {
  __local uint tile[TILE][TILE + PAD];
  int tx = get_local_id(0), ty = get_local_id(1), rows = get_local_size(1);
  int x = get_group_id(0) * TILE + tx, y = get_group_id(1) * TILE + ty;
  for (int i = 0; i < TILE; i += rows)
    if (x < width && y + i < height)
      tile[ty + i][tx] = in[(y + i) * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * TILE + tx;
  y = get_group_id(0) * TILE + ty;
  for (int i = 0; i < TILE; i += rows)
    if (x < height && y + i < width)
      out[(y + i) * height + x] = tile[tx][ty + i];
}
