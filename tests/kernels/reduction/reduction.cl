/* Sums: every block leaves the sum of what its threads gathered; launched again with one block it
 * adds up the blocks' sums. */
__kernel void reduce(__global const float *in, __global float *out, __local float *part, int n) {
  int t = get_local_id(0), size = get_local_size(0);
  float sum = 0.0f;
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    sum += in[i];
  part[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int upper = size / 2; upper > 0; upper /= 2) {
    if (t < upper)
      part[t] += part[t + upper];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0)
    out[get_group_id(0)] = part[0];
}
