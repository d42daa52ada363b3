/* Gaussian elimination of unknown t from a system of `rows` equations, in two launches.  Row r of
 * the matrix a starts at a[r pitch].  The kernels have the names of Rodinia. */

/* The multiples of equation t that the equations behind it lose.  A warp's accesses go down a
 * column. */
__kernel void fan1(__global const float *a, __global float *multiples, int rows, int pitch, int t) {
  const int row = get_global_id(0) + t + 1;
  if (row < rows)
    multiples[row * pitch + t] = a[row * pitch + t] / a[t * pitch + t];
}

/* They lose them; dimension 0 goes down the rows, 1 along the columns. */
__kernel void fan2(__global float *a, __global const float *multiples, __global float *right,
                   int rows, int pitch, int t) {
  const int row = get_global_id(0) + t + 1, column = get_global_id(1) + t;
  if (row >= rows || column >= pitch)
    return;
  a[row * pitch + column] -= multiples[row * pitch + t] * a[t * pitch + column];
  if (get_global_id(1) == 0)
    right[row] -= multiples[row * pitch + t] * right[t];
}
