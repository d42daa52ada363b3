/* Exclusive prefix sums: blocks scan two elements a thread in local memory (up-sweep, down-sweep),
 * the blocks' totals are scanned by one block, then added. */
#define BLOCK 128
#define SPAN (2 * BLOCK)

__kernel void scan_blocks(__global const uint *in, __global uint *out, __global uint *totals,
                          int n) {
  __local uint s[SPAN];
  int t = get_local_id(0), base = get_group_id(0) * SPAN;
  s[2 * t] = base + 2 * t < n ? in[base + 2 * t] : 0;
  s[2 * t + 1] = base + 2 * t + 1 < n ? in[base + 2 * t + 1] : 0;
  int stride = 1;
  for (int d = BLOCK; d > 0; d /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < d)
      s[stride * (2 * t + 2) - 1] += s[stride * (2 * t + 1) - 1];
    stride *= 2;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t == 0) {
    totals[get_group_id(0)] = s[SPAN - 1];
    s[SPAN - 1] = 0;
  }
  for (int d = 1; d < SPAN; d *= 2) {
    stride /= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < d) {
      int left = stride * (2 * t + 1) - 1, right = stride * (2 * t + 2) - 1;
      uint was = s[left];
      s[left] = s[right];
      s[right] += was;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (base + 2 * t < n)
    out[base + 2 * t] = s[2 * t];
  if (base + 2 * t + 1 < n)
    out[base + 2 * t + 1] = s[2 * t + 1];
}

__kernel void add_totals(__global uint *out, __global const uint *before, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] += before[i / SPAN];
}
