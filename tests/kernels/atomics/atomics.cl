/* Sum and maximum of integers, for which the order does not matter: each block adds up its numbers
 * in a tree of any size, and joins its results with those of the others by atomic operations. */
__kernel void sum_max(__global const uint *in, __global uint *out, int n) {
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
