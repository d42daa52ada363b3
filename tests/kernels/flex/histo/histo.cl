/* A histogram in four kernels.  Bins are in ranges of 4,096; a range's counters of 16 bits are two
 * in a word, those of bin b and b + 2,048 of the range. */
#define HALF 2048

/* Bounds of the bins that matter, ten deviations around the mean: bounds[0] and [1] become the
 * least and the greatest of those that each CTA finds in its share of the `n` bins. */
#define PRESCAN 512
__kernel __attribute__((reqd_work_group_size(PRESCAN, 1, 1))) void
prescan(__global const uint *bins, __global int *bounds, uint n) {
  __local ulong squares[PRESCAN];
  __local uint sums[PRESCAN];
  const uint t = get_local_id(0), share = n / get_num_groups(0), from = get_group_id(0) * share;
  ulong square = 0;
  uint sum = 0;
  for (uint i = t; i < share; i += PRESCAN) {
    const uint bin = bins[from + i];
    sum += bin;
    square += (ulong)bin * bin;
  }
  sums[t] = sum;
  squares[t] = square;
  for (uint left = PRESCAN / 2; left > 0; left /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < left) {
      sums[t] += sums[t + left];
      squares[t] += squares[t + left];
    }
  }
  if (t == 0) {
    const float mean = (float)sums[0] / share;
    const float deviation = sqrt((float)squares[0] / share - mean * mean);
    atomic_min(&bounds[0], (int)(mean - 10 * deviation));
    atomic_max(&bounds[1], (int)(mean + 10 * deviation));
  }
}

/* The place of each element's counter: range, word and half, instead of its bin.  A CTA has LINES
 * lines of the image, a thread two neighbouring elements of each. */
#define LINES 8
#define PAIRS 498

static uint place(uint bin) {
  const uint upper = bin / HALF & 1, word = bin % HALF;
  return (bin & ~(2 * HALF - 1)) | word << 1 | upper;
}

__kernel __attribute__((reqd_work_group_size(PAIRS, 1, 1))) void
intermediates(__global const uint2 *bins, __global uint2 *places) {
  const uint at = get_group_id(0) * LINES * PAIRS + get_local_id(0);
  uint2 pair[LINES];
#pragma unroll
  for (int i = 0; i < LINES; i++)
    pair[i] = bins[at + i * PAIRS];
#pragma unroll
  for (int i = 0; i < LINES; i++)
    places[at + i * PAIRS] = (uint2)(place(pair[i].x), place(pair[i].y));
}

/* Counts of one range, get_group_id(1), in this CTA's share of the elements, which are 65,535 at
 * most. */
#define COUNT 768
__kernel __attribute__((reqd_work_group_size(COUNT, 1, 1))) void
count(__global const uint *places, __global uint *partial, uint n) {
  __local uint counts[HALF];
  const uint t = get_local_id(0), range = get_group_id(1);
  const uint share = n / get_num_groups(0), from = get_group_id(0) * share;
  for (uint i = t; i < HALF; i += COUNT)
    counts[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = t; i < share; i += COUNT) {
    const uint at = places[from + i];
    if (at / (2 * HALF) == range)
      atomic_add(&counts[at / 2 % HALF], 1u << at % 2 * 16);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  __global uint *to = partial + (get_group_id(0) * get_num_groups(1) + range) * HALF;
  for (uint i = t; i < HALF; i += COUNT)
    to[i] = counts[i];
}

/* The sums of a range over `parts` partial histograms, at most 255 each. */
#define FINISH 512
#define WORDS (HALF / FINISH)
__kernel __attribute__((reqd_work_group_size(FINISH, 1, 1))) void
finish(__global const uint *partial, __global uchar4 *histogram, uint parts) {
  __local uint sums[2 * HALF];
  const uint t = get_local_id(0), range = get_group_id(0), ranges = get_num_groups(0);
  uint low[WORDS], high[WORDS];
#pragma unroll
  for (int i = 0; i < WORDS; i++)
    low[i] = high[i] = 0;
  for (uint p = 0; p < parts; p++) {
#pragma unroll
    for (int i = 0; i < WORDS; i++) {
      const uint word = partial[(p * ranges + range) * HALF + i * FINISH + t];
      low[i] += word & 0xffff;
      high[i] += word >> 16;
    }
  }
#pragma unroll
  for (int i = 0; i < WORDS; i++) {
    sums[i * FINISH + t] = low[i];
    sums[HALF + i * FINISH + t] = high[i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = t; i < 2 * HALF / 4; i += FINISH) {
    const uint a = sums[4 * i], b = sums[4 * i + 1], c = sums[4 * i + 2], d = sums[4 * i + 3];
    histogram[range * (2 * HALF / 4) + i] =
        (uchar4)(min(a, 255u), min(b, 255u), min(c, 255u), min(d, 255u));
  }
}
