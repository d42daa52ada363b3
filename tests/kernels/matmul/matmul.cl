/* c (m x n) = a (m x k) * b (k x n), row-major, by tiles in local memory; no size need be a
 * multiple of the tile's. */
#define TILE 16

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
matmul(__global const float *a, __global const float *b, __global float *c, int m, int n, int k) {
  __local float ta[TILE][TILE], tb[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1);
  int col = get_global_id(0), row = get_global_id(1);
  float sum = 0.0f;
  for (int at = 0; at < k; at += TILE) {
    ta[y][x] = row < m && at + x < k ? a[row * k + at + x] : 0.0f;
    tb[y][x] = col < n && at + y < k ? b[(at + y) * n + col] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; i++)
      sum += ta[y][i] * tb[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < m && col < n)
    c[row * n + col] = sum;
}
