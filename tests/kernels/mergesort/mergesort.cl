/* Merge sort of (key, value): blocks of 256 by a bitonic network in local memory, then runs merged
 * in pairs, every element finding its place by binary search in the other run. */
#define BLOCK 256

__kernel void sort_blocks(__global uint *keys, __global uint *values, int n) {
  __local uint k[BLOCK], v[BLOCK];
  int i = get_global_id(0), t = get_local_id(0);
  k[t] = i < n ? keys[i] : 0xffffffffu;
  v[t] = i < n ? values[i] : 0xffffffffu;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int size = 2; size <= BLOCK; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      int other = t ^ step;
      if (other > t) {
        bool up = (t & size) == 0;
        /* Equal keys by value, so that the padding stays behind. */
        bool greater = k[t] > k[other] || (k[t] == k[other] && v[t] > v[other]);
        if (greater == up) {
          uint x = k[t], y = v[t];
          k[t] = k[other];
          v[t] = v[other];
          k[other] = x;
          v[other] = y;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  if (i < n) {
    keys[i] = k[t];
    values[i] = v[t];
  }
}

/* Elements of keys[0..n) smaller than key, or not greater with equal set. */
static int rank(__global const uint *keys, int n, uint key, bool equal) {
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (keys[middle] < key || (equal && keys[middle] == key))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

__kernel void merge_runs(__global const uint *keys, __global const uint *values,
                         __global uint *to_keys, __global uint *to_values, int run, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  int pair = i / (2 * run) * (2 * run);
  bool left = i < pair + run;
  int other = left ? min(pair + run, n) : pair;
  int count = left ? min(pair + 2 * run, n) - other : run;
  int mine = i - (left ? pair : pair + run);
  int at = pair + mine + rank(keys + other, count, keys[i], !left);
  to_keys[at] = keys[i];
  to_values[at] = values[i];
}
