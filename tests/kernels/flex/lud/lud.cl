/* A step of the LU decomposition of a batch of matrices of size x size elements, by tiles of TILE x
 * TILE: first the tile at the diagonal, at row and column `at`, then those below and beside it,
 * then all behind them.  L has ones in its diagonal, and both replace the matrix.  The last
 * dimension of the grid counts the matrices. */
#define TILE 16

/* L and U of the tile, a column and a row after the other. */
__kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void diagonal(__global float *m,
                                                                         int size, int at) {
  __local float tile[TILE][TILE];
  const int t = get_local_id(0);
  __global float *corner = &m[get_group_id(1) * size * size + at * size + at];
#pragma unroll 4
  for (int i = 0; i < TILE; i++)
    tile[i][t] = corner[i * size + t];
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
  for (int i = 0; i < TILE - 1; i++) {
    if (t > i) {
#pragma unroll 1
      for (int j = 0; j < i; j++)
        tile[t][i] -= tile[t][j] * tile[j][i];
      tile[t][i] /= tile[i][i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t > i) {
#pragma unroll 1
      for (int j = 0; j < i + 1; j++)
        tile[i + 1][t] -= tile[i + 1][j] * tile[j][t];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 1; i < TILE; i++)
    corner[i * size + t] = tile[i][t];
}

/* Half of the threads have a tile beside the diagonal's, a column each, and half the tile below it,
 * a row each. */
__kernel __attribute__((reqd_work_group_size(2 * TILE, 1, 1))) void perimeter(__global float *m,
                                                                              int size, int at) {
  __local float corner[TILE][TILE], beside[TILE][TILE], below[TILE][TILE];
  const int t = get_local_id(0) % TILE, away = (get_group_id(0) + 1) * TILE;
  const bool first = get_local_id(0) < TILE;
  __global float *from = &m[get_group_id(1) * size * size + at * size + at];
  if (first) {
    for (int i = 0; i < TILE / 2; i++)
      corner[i][t] = from[i * size + t];
    for (int i = 0; i < TILE; i++)
      beside[i][t] = from[i * size + away + t];
  } else {
    for (int i = TILE / 2; i < TILE; i++)
      corner[i][t] = from[i * size + t];
    for (int i = 0; i < TILE; i++)
      below[i][t] = from[(away + i) * size + t];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (first) {
    for (int i = 1; i < TILE; i++)
      for (int j = 0; j < i; j++)
        beside[i][t] -= corner[i][j] * beside[j][t];
  } else {
    for (int i = 0; i < TILE; i++) {
      for (int j = 0; j < i; j++)
        below[t][i] -= below[t][j] * corner[j][i];
      below[t][i] /= corner[i][i];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (first)
    for (int i = 1; i < TILE; i++)
      from[i * size + away + t] = beside[i][t];
  else
    for (int i = 0; i < TILE; i++)
      from[(away + i) * size + t] = below[i][t];
}

/* A tile behind loses the product of the tiles left of it and above. */
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void internal(__global float *m,
                                                                            int size, int at) {
  __local float left[TILE][TILE], above[TILE][TILE];
  const int x = get_local_id(0), y = get_local_id(1);
  const int row = at + (get_group_id(1) + 1) * TILE + y,
            column = at + (get_group_id(0) + 1) * TILE + x;
  m += get_group_id(2) * size * size;
  above[y][x] = m[(at + y) * size + column];
  left[y][x] = m[row * size + at + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0.0f;
  for (int i = 0; i < TILE; i++)
    sum += left[y][i] * above[i][x];
  m[row * size + column] -= sum;
}
