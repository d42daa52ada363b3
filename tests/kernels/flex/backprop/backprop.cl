/* Training of a layer of a neural network with HIDDEN units behind it.  Row i of the weights has
 * those of input i; column 0 and row 0 belong to the bias.  A block has HIDDEN inputs. */
#define HIDDEN 16
#define PITCH (HIDDEN + 1)
/* Learning rate and momentum, in double precision. */
#define RATE 0.3
#define MOMENTUM 0.3

/* The weighted inputs replace the weights of a block; their sums down each column, which a tree
 * adds up, are its part of the sum of each hidden unit. */
__kernel __attribute__((reqd_work_group_size(HIDDEN, HIDDEN, 1))) void
layerforward(__global const float *input, __global float *weights, __global float *partial) {
  __local float in[HIDDEN], product[HIDDEN][HIDDEN];
  const int x = get_local_id(0), y = get_local_id(1), block = get_group_id(1);
  const int row = block * HIDDEN + y + 1, at = row * PITCH + x + 1;
  if (x == 0)
    in[y] = input[row];
  barrier(CLK_LOCAL_MEM_FENCE);
  product[y][x] = weights[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  product[y][x] *= in[y];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 2; step <= HIDDEN; step *= 2) {
    if (y % step == 0)
      product[y][x] += product[y + step / 2][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  weights[at] = product[y][x];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x == 0)
    partial[block * HIDDEN + y] = product[x][y];
}

/* Each weight and its last change follow the error of the hidden unit and the input. */
__kernel __attribute__((reqd_work_group_size(HIDDEN, HIDDEN, 1))) void
adjust(__global const float *delta, __global const float *input, __global float *weights,
       __global float *changes) {
  const int x = get_local_id(0), y = get_local_id(1), block = get_group_id(1);
  const int unit = x + 1, row = block * HIDDEN + y + 1, at = row * PITCH + unit;
  weights[at] += (float)(RATE * delta[unit] * input[row] + MOMENTUM * changes[at]);
  changes[at] = (float)(RATE * delta[unit] * input[row] + MOMENTUM * changes[at]);
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (y == 0 && block == 0) {
    weights[unit] += (float)(RATE * delta[unit] + MOMENTUM * changes[unit]);
    changes[unit] = (float)(RATE * delta[unit] + MOMENTUM * changes[unit]);
  }
}
