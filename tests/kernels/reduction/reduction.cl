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

/* The same on integers, where the order does not matter; takes the maximum along. */
__kernel void reduce_int(__global const uint *in, __global uint *out, int n) {
  __local uint sums[192], most[192];
  int t = get_local_id(0), size = get_local_size(0);
  uint sum = 0, max_seen = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    sum += in[i];
    max_seen = max(max_seen, in[i]);
  }
  sums[t] = sum;
  most[t] = max_seen;
  for (int left = size; left > 1;) {
    int upper = (left + 1) / 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t + upper < left) {
      sums[t] += sums[t + upper];
      most[t] = max(most[t], most[t + upper]);
    }
    left = upper;
  }
  if (t == 0) {
    atomic_add(&out[0], sums[0]);
    atomic_max(&out[1], most[0]);
  }
}
