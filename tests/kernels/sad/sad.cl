/* Motion search: for every block of 8 x 8 pixels and each of 61 candidate offsets, the sum of
 * absolute differences of the frame and the displaced reference frame, whose border pixels repeat
 * outwards. One work-group a block, one thread a candidate. */
#define SIDE 8
#define CANDIDATES 61

__kernel void sad(__global const uchar *frame, __global const uchar *reference,
                  __constant char *offsets, __global ushort *sums, int width, int height) {
  int left = get_group_id(0) * SIDE, top = get_group_id(1) * SIDE;
  int candidate = get_local_id(0);
  int dx = offsets[2 * candidate], dy = offsets[2 * candidate + 1];
  uint sum = 0;
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      int rx = clamp(left + x + dx, 0, width - 1), ry = clamp(top + y + dy, 0, height - 1);
      int a = frame[(top + y) * width + left + x], b = reference[ry * width + rx];
      sum += abs(a - b);
    }
  int block = get_group_id(1) * get_num_groups(0) + get_group_id(0);
  sums[block * CANDIDATES + candidate] = (ushort)sum;
}

/* The best candidate of each block: the smallest sum, the first of equals. */
__kernel void best(__global const ushort *sums, __global uint *choice, int blocks) {
  int i = get_global_id(0);
  if (i >= blocks)
    return;
  uint found = 0, least = 0xffffffffu;
  for (int c = 0; c < CANDIDATES; c++) {
    uint s = sums[i * CANDIDATES + c];
    if (s < least) {
      least = s;
      found = c;
    }
  }
  choice[i] = found << 16 | least;
}
