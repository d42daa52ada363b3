/* Scalar products of pairs of vectors, a block striding over the pairs: SUMS partial sums each in
 * local memory, which are then added up. */
#define SUMS 1024

__kernel void scalarprod(__global const float *a, __global const float *b, __global float *product,
                         int vectors, int elements) {
  __local float sums[SUMS];
  const int t = get_local_id(0), size = get_local_size(0);
  for (int vector = get_group_id(0); vector < vectors; vector += get_num_groups(0)) {
    const int start = vector * elements;
    for (int s = t; s < SUMS; s += size) {
      float sum = 0.0f;
      for (int i = s; i < elements; i += SUMS)
        sum += a[start + i] * b[start + i];
      sums[s] = sum;
    }
    for (int upper = SUMS / 2; upper > 0; upper /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int s = t; s < upper; s += size)
        sums[s] += sums[s + upper];
    }
    if (t == 0)
      product[vector] = sums[0];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
