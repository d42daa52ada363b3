/* Counts of byte values: each block counts in local memory and adds its counts to the whole. */
#define BINS 256

__kernel void histogram(__global const uchar *data, __global uint *bins, int n) {
  __local uint mine[BINS];
  for (int i = get_local_id(0); i < BINS; i += get_local_size(0))
    mine[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(&mine[data[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id(0); i < BINS; i += get_local_size(0))
    if (mine[i])
      atomic_add(&bins[i], mine[i]);
}
