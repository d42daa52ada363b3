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

__kernel void copy_local(__global const float *in, __global float *out, int size) {
  __local float tile[TILE][TILE];
  const int x = get_local_id(0), y = get_local_id(1);
  const struct place p =
      place(get_group_id(0), get_group_id(1), get_group_id(0), get_group_id(1), size);
  tile[y][x] = in[p.from];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[p.to] = tile[y][x];
}

/* Neighbouring threads write to different rows. */
__kernel void naive(__global const float *in, __global float *out, int size) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[x * size + y] = in[y * size + x];
}

/* The same, element (x, y) of a tile going to (y, x) within local memory; its columns lie in one
 * bank. */
__kernel void conflicts(__global const float *in, __global float *out, int size) {
  __local float tile[TILE][TILE];
  const int x = get_local_id(0), y = get_local_id(1);
  const struct place p =
      place(get_group_id(0), get_group_id(1), get_group_id(1), get_group_id(0), size);
  tile[y][x] = in[p.from];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[p.to] = tile[x][y];
}

__kernel void padded(__global const float *in, __global float *out, int size) {
  __local float tile[TILE][TILE + 1];
  const int x = get_local_id(0), y = get_local_id(1);
  const struct place p =
      place(get_group_id(0), get_group_id(1), get_group_id(1), get_group_id(0), size);
  tile[y][x] = in[p.from];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[p.to] = tile[x][y];
}

/* Tiles change places, their elements do not. */
__kernel void coarse(__global const float *in, __global float *out, int size) {
  __local float tile[TILE][TILE + 1];
  const int x = get_local_id(0), y = get_local_id(1);
  const struct place p =
      place(get_group_id(0), get_group_id(1), get_group_id(1), get_group_id(0), size);
  tile[y][x] = in[p.from];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[p.to] = tile[y][x];
}

/* Elements change places within their tiles. */
__kernel void fine(__global const float *in, __global float *out, int size) {
  __local float tile[TILE][TILE + 1];
  const int x = get_local_id(0), y = get_local_id(1);
  const struct place p =
      place(get_group_id(0), get_group_id(1), get_group_id(0), get_group_id(1), size);
  tile[y][x] = in[p.from];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[p.to] = tile[x][y];
}

/* Blocks that run at the same time have tiles on a diagonal, so that their writes are spread over
 * the partitions of memory as their reads are. */
__kernel void diagonal(__global const float *in, __global float *out, int size) {
  __local float tile[TILE][TILE + 1];
  const int x = get_local_id(0), y = get_local_id(1);
  const int by = get_group_id(0), bx = (get_group_id(0) + get_group_id(1)) % get_num_groups(0);
  const struct place p = place(bx, by, by, bx, size);
  tile[y][x] = in[p.from];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[p.to] = tile[x][y];
}
