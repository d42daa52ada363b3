/* Sobol points, a block for a dimension: each thread has every 2^s-th point.  Its first comes from
 * the Gray code of its number; between two of its points the Gray code changes in two bits, bit
 * s - 1 and the one above that is the lowest one of the points' number divided by 2^s. */
#define BITS 32

/* numbers: BITS a dimension; taken as direction numbers by making the highest bit of number i bit
 * 31 - i from the low end: bit 31 - i is set, those below it are 0. */
__kernel void sobol(__global const uint *numbers, __global float *points, int n) {
  __local uint v[BITS];
  const int t = get_local_id(0), dimension = get_group_id(1);
  if (t < BITS)
    v[t] = (numbers[dimension * BITS + t] | 1) << (BITS - 1 - t);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint stride = get_global_size(0), s = BITS - 1 - clz(stride);
  uint i = get_global_id(0), x = 0;
  for (uint gray = i ^ (i >> 1), b = 0; gray; b++, gray >>= 1)
    if (gray & 1)
      x ^= v[b];
  points += dimension * n;
  while (i < n) {
    points[i] = x * 0x1p-32f;
    i += stride;
    const uint above = i >> s;
    x ^= v[s - 1] ^ v[s + BITS - 1 - clz(above & -above)];
  }
}
