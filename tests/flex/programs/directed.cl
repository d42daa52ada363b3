/* Programs whose warps, halves of warps and accesses are where schemes differ.  Results depend
 * neither on the order of warps nor on their width. */

/* A barrier of all warps of a CTA between writing and reading, and nested branches. */
__kernel void exchange(__global uint *to, __local uint *word, int n) {
  const int t = get_local_id(0), size = get_local_size(0), i = get_global_id(0);
  uint x = i * 2654435761u;
  for (int k = 0; k < n; k++) {
    if (x & 1) {
      if (x & 2)
        x = x * 5 + t;
      else
        x ^= x >> 3;
      x += 3;
    } else {
      x = x * 3 + k;
    }
    word[t] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x += word[(t + 33) % size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  to[i] = x;
}

/* Lanes of one half of 64 end early; the others diverge. */
__kernel void halves(__global uint *to, __local uint *unused, int upper) {
  const int t = get_local_id(0), i = get_global_id(0);
  uint x = i;
  to[i] = 1;
  if ((t >> 5 & 1) == upper)
    return;
  for (int k = 0; k < 4 + (t & 7); k++)
    x = (x & 1) ? x * 3 + 1 : x / 2 + t;
  to[i] = x;
}

/* Loads and stores of four words. */
__kernel void quads(__global uint *to, __local uint *unused, int n) {
  __global uint4 *q = (__global uint4 *)to;
  const int i = get_global_id(0);
  uint4 x = q[i];
  for (int k = 0; k < n; k++)
    x = x.wxyz * 3u + (uint4)(i, k, 1, 2);
  q[i] = x;
}

/* All threads add to one word, and to one of their CTA. */
__kernel void counts(__global uint *to, __local uint *sum, int n) {
  if (get_local_id(0) == 0)
    sum[0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < n; k++) {
    atomic_add(&to[0], get_global_id(0) + k);
    atomic_add(&sum[0], get_local_id(0) + k);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    to[1 + get_group_id(0)] = sum[0];
}

/* Accesses of one instruction on both sides of word 4,096, with conflicts of banks below, above and
 * on both. */
__kernel void across(__global uint *to, __local uint *word, int n) {
  const int t = get_local_id(0), i = get_global_id(0);
  uint x = i + 1;
  for (int k = 0; k < n; k++) {
    const int at[4] = {4096 - 20 + t, 16 * t, 4096 + 16 * t, (t & 1 ? 4096 : 0) + 16 * t};
    for (int p = 0; p < 4; p++) {
      word[at[p]] = x + p;
      barrier(CLK_LOCAL_MEM_FENCE);
      x += word[at[p]] * 7;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  to[i] = x;
}
