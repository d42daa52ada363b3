/* Nested branches at which lanes differ, a value from a neighbour, a barrier in a loop: pushes and
 * pops in all rows, instructions of all pipelines. */
__kernel void nested(__global const uint *from, __global uint *to, int rounds) {
  __local uint word[128];
  const int t = get_local_id(0), i = get_global_id(0);
  uint x = from[i];
  for (int k = 0; k < rounds; k++) {
    if (x & 1) {
      if (x & 2)
        x = x * 5 + t;
      else
        x ^= x >> 3;
      x += 3;
    } else if (x & 4) {
      x = x / 2 + (uint)native_sqrt((float)(x & 1023));
    } else {
      x = x * 3 + k;
    }
    word[t] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x += word[(t + 17) % 128];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  to[i] = x;
}
