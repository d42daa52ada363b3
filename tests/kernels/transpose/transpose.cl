/* Eight ways through a square matrix by tiles of TILE x TILE elements, a thread each: two copies,
 * three transpositions, two of their halves, and one in another order of the tiles. */
#define TILE 16

struct place {
  int from, to; /* elements of the matrices */
};

/* A thread's element of tile (bx, by) of the input, and of tile (to_x, to_y) of the output. */
static struct place place(int bx, int by, int to_x, int to_y, int size) {
  const int x = get_local_id(0), y = get_local_id(1);
  const struct place p = {(by * TILE + y) * size + bx * TILE + x,
                          (to_y * TILE + y) * size + to_x * TILE + x};
  return p;
}

__kernel void copy(__global const float *in, __global float *out, int size) {
  const struct place p =
      place(get_group_id(0), get_group_id(1), get_group_id(0), get_group_id(1), size);
  out[p.to] = in[p.from];
}

/* A kernel whose threads each move an element by way of local memory, in rows of `width` elements:
 * to tile[y][x], and from there or from tile[x][y] (`taken`) on.  The tile goes from (bx, by) to
 * (to_x, to_y); gx and gy are the block's own coordinates. */
#define BY_TILE(name, width, taken, bx, by, to_x, to_y)                                            \
  __kernel void name(__global const float *in, __global float *out, int size) {                    \
    __local float tile[TILE][width];                                                               \
    const int x = get_local_id(0), y = get_local_id(1);                                            \
    const int gx = get_group_id(0), gy = get_group_id(1);                                          \
    const struct place p = place(bx, by, to_x, to_y, size);                                        \
    tile[y][x] = in[p.from];                                                                       \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    out[p.to] = tile taken;                                                                        \
  }

BY_TILE(copy_local, TILE, [y][x], gx, gy, gx, gy)

/* Neighbouring threads write to different rows. */
__kernel void naive(__global const float *in, __global float *out, int size) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[x * size + y] = in[y * size + x];
}

/* The same, element (x, y) of a tile going to (y, x) within local memory; its columns lie in one
 * bank, those of a wider tile do not. */
BY_TILE(conflicts, TILE, [x][y], gx, gy, gy, gx)
BY_TILE(padded, TILE + 1, [x][y], gx, gy, gy, gx)

/* Tiles change places, their elements do not. */
BY_TILE(coarse, TILE + 1, [y][x], gx, gy, gy, gx)

/* Elements change places within their tiles. */
BY_TILE(fine, TILE + 1, [x][y], gx, gy, gx, gy)

/* Blocks that run at the same time have tiles on a diagonal, so that their writes are spread over
 * the partitions of memory as their reads are. */
BY_TILE(diagonal, TILE + 1, [x][y], (gx + gy) % get_num_groups(0), gx, gx,
        (gx + gy) % get_num_groups(0))
