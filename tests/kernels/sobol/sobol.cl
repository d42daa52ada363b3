/* Sobol points: directions() extends the initial numbers of each dimension by its primitive
 * polynomial's recurrence, sobol() gives point i of a dimension as the sum modulo 2 of the
 * direction numbers that the Gray code of i selects. */
#define BITS 32

/* polynomial: degree << 16 | inner coefficients; degree 0: the first dimension (van der Corput). */
__kernel void directions(__global const uint *polynomial, __global const uint *initial,
                         __global uint *v, int dimensions) {
  int d = get_global_id(0);
  if (d >= dimensions)
    return;
  uint degree = polynomial[d] >> 16, inner = polynomial[d] & 0xffff;
  v += d * BITS;
  if (degree == 0) {
    for (int i = 0; i < BITS; i++)
      v[i] = 1u << (31 - i);
    return;
  }
  for (uint i = 0; i < degree; i++)
    v[i] = initial[d * 8 + i] << (31 - i);
  for (uint i = degree; i < BITS; i++) {
    uint next = v[i - degree] ^ (v[i - degree] >> degree);
    for (uint k = 1; k < degree; k++)
      if (inner >> (degree - 1 - k) & 1)
        next ^= v[i - k];
    v[i] = next;
  }
}

/* Group (x, y) gives points of dimension y. */
__kernel void sobol(__global const uint *directions, __global uint *points, int n) {
  __local uint v[BITS];
  int t = get_local_id(0), d = get_group_id(1);
  if (t < BITS)
    v[t] = directions[d * BITS + t];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
    uint gray = i ^ (i >> 1), x = 0;
    for (int b = 0; gray; b++, gray >>= 1)
      if (gray & 1)
        x ^= v[b];
    points[d * n + i] = x;
  }
}
