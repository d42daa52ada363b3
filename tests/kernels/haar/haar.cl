/* One-dimensional Haar wavelet transform: a block takes two elements a thread through all levels
 * that they have.  Each level halves the approximation, sums divided by the square root of 2, and
 * leaves as many differences. */
#define SCALE 0.70710678f

/* differences: those of the first level start at its element `first`, those of the next at first /
 * 2, and so on.  A block's last sum goes to approximation. */
__kernel void haar(__global const float *in, __global float *differences,
                   __global float *approximation, __local float *sum, int first) {
  const int t = get_local_id(0), size = get_local_size(0), block = get_group_id(0);
  const int start = 2 * block * size;
  sum[t] = in[start + t];
  sum[t + size] = in[start + t + size];
  barrier(CLK_LOCAL_MEM_FENCE);
  float a = sum[2 * t], b = sum[2 * t + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  differences[first + block * size + t] = (a - b) * SCALE;
  sum[t] = (a + b) * SCALE;
  /* From here on sums stay where their left parts were. */
  for (int threads = size / 2, apart = 1; threads > 0; threads /= 2, apart *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    first /= 2;
    if (t < threads) {
      a = sum[2 * apart * t];
      b = sum[2 * apart * t + apart];
      differences[first + block * threads + t] = (a - b) * SCALE;
      sum[2 * apart * t] = (a + b) * SCALE;
    }
  }
  if (t == 0)
    approximation[block] = sum[0];
}
