/* Histograms of bytes in 64 and in 256 bins: blocks leave partial histograms, which a block for
 * each bin adds up. */
#define WARP 32

/* 64 bins, of a byte's upper six bits.  Each thread counts in bytes of its own, so that it may have
 * 255 elements at most. */
#define THREADS64 64

__kernel __attribute__((reqd_work_group_size(THREADS64, 1, 1))) void
histogram64(__global const uint4 *data, __global uint *partial, int n) {
  __local uint counts[64 * THREADS64 / 4];
  __local uchar *count = (__local uchar *)counts;
  const int t = get_local_id(0);
  /* Lanes of a warp count in different banks: their numbers' low and high bits change places. */
  __local uchar *mine = count + ((t & ~63) | (t & 15) << 2 | (t & 48) >> 4);
  for (int i = t; i < 64 * THREADS64 / 4; i += THREADS64)
    counts[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    const uint words[4] = {data[i].x, data[i].y, data[i].z, data[i].w};
    for (int w = 0; w < 4; w++)
      for (int shift = 2; shift < 32; shift += 8)
        mine[(words[w] >> shift & 63) * THREADS64]++;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  for (int i = 0; i < THREADS64; i++)
    sum += count[t * THREADS64 + ((i + t * 4) & (THREADS64 - 1))];
  partial[get_group_id(0) * 64 + t] = sum;
}

/* 256 bins.  Each warp counts in a histogram of its own.  Lanes that meet in a bin store one after
 * the other: a lane marks what it stores, and tries again until it finds its mark, so a warp takes
 * as many rounds as it has lanes in its fullest bin. */
#define WARPS 6
#define COUNT_BITS 27

static void add(volatile __local uint *histogram, uint bin, uint mark) {
  uint count;
  do {
    count = mark | ((histogram[bin] & ((1u << COUNT_BITS) - 1)) + 1);
    histogram[bin] = count;
  } while (histogram[bin] != count);
}

__kernel __attribute__((reqd_work_group_size(WARPS * WARP, 1, 1))) void
histogram256(__global const uint *data, __global uint *partial, int n) {
  volatile __local uint counts[WARPS * 256];
  const int t = get_local_id(0);
  const uint mark = (uint)t << COUNT_BITS;
  volatile __local uint *mine = counts + t / WARP * 256;
  for (int i = t; i < WARPS * 256; i += WARPS * WARP)
    counts[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    const uint word = data[i];
    for (int shift = 0; shift < 32; shift += 8)
      add(mine, word >> shift & 0xff, mark);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int bin = t; bin < 256; bin += WARPS * WARP) {
    uint sum = 0;
    for (int w = 0; w < WARPS; w++)
      sum += counts[w * 256 + bin] & ((1u << COUNT_BITS) - 1);
    partial[get_group_id(0) * 256 + bin] = sum;
  }
}

/* A block for each bin. */
#define MERGE 256

__kernel __attribute__((reqd_work_group_size(MERGE, 1, 1))) void
merge(__global const uint *partial, __global uint *bins, int histograms) {
  __local uint sums[MERGE];
  const int t = get_local_id(0), bin = get_group_id(0), count = get_num_groups(0);
  uint sum = 0;
  for (int i = t; i < histograms; i += MERGE)
    sum += partial[i * count + bin];
  sums[t] = sum;
  for (int upper = MERGE / 2; upper > 0; upper /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < upper)
      sums[t] += sums[t + upper];
  }
  if (t == 0)
    bins[bin] = sums[0];
}
