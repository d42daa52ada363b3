/* c = alpha a b + beta c, column-major, b transposed.  A thread has a row of a tile of c with 16
 * columns, in registers; the block passes DEPTH x 16 elements of b through local memory. */
#define COLUMNS 16
#define DEPTH 8
#define ROWS (COLUMNS * DEPTH)

/* a: m x k; b: n x k; c: m x n.  m, n, k are multiples of ROWS, COLUMNS, DEPTH. */
__kernel __attribute__((reqd_work_group_size(COLUMNS, DEPTH, 1))) void
sgemm(__global const float *a, __global const float *b, __global float *c, int m, int n, int k,
      float alpha, float beta) {
  __local float tile[DEPTH][COLUMNS];
  const int x = get_local_id(0), y = get_local_id(1);
  const int row = get_group_id(0) * ROWS + y * COLUMNS + x, column = get_group_id(1) * COLUMNS;
  float sum[COLUMNS];
#pragma unroll
  for (int j = 0; j < COLUMNS; j++)
    sum[j] = 0.0f;
  for (int at = 0; at < k; at += DEPTH) {
    tile[y][x] = b[(at + y) * n + column + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < DEPTH; i++) {
      const float element = a[(at + i) * m + row];
#pragma unroll
      for (int j = 0; j < COLUMNS; j++)
        sum[j] += element * tile[i][j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int j = 0; j < COLUMNS; j++) {
    __global float *to = &c[(column + j) * m + row];
    *to = alpha * sum[j] + beta * *to;
  }
}
