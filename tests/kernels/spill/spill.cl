/* Keeps 56 values alive at once, more than a thread has registers, and branches while they are. */
#define LIVE 56

__kernel void spill(__global const uint *in, __global uint *out, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  uint v[LIVE];
#pragma unroll
  for (int k = 0; k < LIVE; k++)
    v[k] = in[i + k];
  for (int round = 0; round < 3; round++) {
    if (v[0] & 1) {
#pragma unroll
      for (int k = 0; k < LIVE; k++)
        v[k] += v[(k + 17) % LIVE] ^ (uint)round;
    } else {
#pragma unroll
      for (int k = LIVE - 1; k >= 0; k--)
        v[k] = v[k] * 3 - v[(k + 5) % LIVE];
    }
  }
  uint sum = 0;
#pragma unroll
  for (int k = 0; k < LIVE; k++)
    sum = sum * 31 + v[k];
  out[i] = sum;
}
