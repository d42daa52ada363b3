/* Sums of absolute differences for the motion search of a video encoder: of each macroblock of
 * 16 x 16 pixels and its 41 partitions, for all offsets of at most RANGE pixels each way.  Sums of
 * 4 x 4 pixels are computed; the larger partitions are added up from the smaller ones. */
#define RANGE 16
#define ACROSS (2 * RANGE + 1)
#define OFFSETS (ACROSS * ACROSS)
#define EACH 18    /* offsets of a thread */
#define PITCH 1096 /* sums of a partition: OFFSETS, and unused ones */

/* Partitions of a macroblock, by their first number; width x height.  Within a quarter those of its
 * halves are upper, lower and left, right. */
enum {
  P4X4 = 0, /* row by row of the macroblock */
  P8X4 = 16,
  P4X8 = 24,
  P8X8 = 32,
  P16X8 = 36,
  P8X16 = 38,
  P16X16 = 40,
  PARTITIONS = 41
};

/* A block for 4 x 4 pixels; border pixels of the reference frame repeat outwards. */
__kernel void sad4(__global const uchar *frame, __global const uchar *reference,
                   __global ushort *sums, int width, int height) {
  const int bx = get_group_id(0), by = get_group_id(1);
  const int macroblock = by / 4 * (get_num_groups(0) / 4) + bx / 4;
  const int first = get_local_id(0) * EACH, end = min(first + EACH, OFFSETS);
  sums += (macroblock * PARTITIONS + P4X4 + by % 4 * 4 + bx % 4) * PITCH;
  int pixel[16];
#pragma unroll
  for (int i = 0; i < 16; i++)
    pixel[i] = frame[(by * 4 + i / 4) * width + bx * 4 + i % 4];
  for (int offset = first; offset < end; offset++) {
    const int left = bx * 4 + offset % ACROSS - RANGE, top = by * 4 + offset / ACROSS - RANGE;
    uint sum = 0;
#pragma unroll
    for (int y = 0; y < 4; y++) {
      __global const uchar *row = reference + clamp(top + y, 0, height - 1) * width;
#pragma unroll
      for (int x = 0; x < 4; x++)
        sum += abs(pixel[4 * y + x] - row[clamp(left + x, 0, width - 1)]);
    }
    sums[offset] = (ushort)sum;
  }
}

/* A block for a macroblock, a row of threads for a quarter of it; two offsets at once. */
__kernel void sad8(__global ushort2 *sums) {
  const int macroblock = get_group_id(1) * get_num_groups(0) + get_group_id(0);
  const int quarter = get_local_id(1), corner = quarter / 2 * 8 + quarter % 2 * 2;
  __global ushort2 *of = sums + macroblock * PARTITIONS * (PITCH / 2);
  for (int i = get_local_id(0); i < (OFFSETS + 1) / 2; i += get_local_size(0)) {
    const ushort2 a = of[(P4X4 + corner) * (PITCH / 2) + i];
    const ushort2 b = of[(P4X4 + corner + 1) * (PITCH / 2) + i];
    const ushort2 c = of[(P4X4 + corner + 4) * (PITCH / 2) + i];
    const ushort2 d = of[(P4X4 + corner + 5) * (PITCH / 2) + i];
    of[(P8X4 + 2 * quarter) * (PITCH / 2) + i] = a + b;
    of[(P8X4 + 2 * quarter + 1) * (PITCH / 2) + i] = c + d;
    of[(P4X8 + 2 * quarter) * (PITCH / 2) + i] = a + c;
    of[(P4X8 + 2 * quarter + 1) * (PITCH / 2) + i] = b + d;
    of[(P8X8 + quarter) * (PITCH / 2) + i] = a + b + c + d;
  }
}

/* A block for a macroblock. */
__kernel void sad16(__global ushort2 *sums) {
  const int macroblock = get_group_id(1) * get_num_groups(0) + get_group_id(0);
  __global ushort2 *of = sums + macroblock * PARTITIONS * (PITCH / 2);
  for (int i = get_local_id(0); i < (OFFSETS + 1) / 2; i += get_local_size(0)) {
    const ushort2 a = of[P8X8 * (PITCH / 2) + i];
    const ushort2 b = of[(P8X8 + 1) * (PITCH / 2) + i];
    const ushort2 c = of[(P8X8 + 2) * (PITCH / 2) + i];
    const ushort2 d = of[(P8X8 + 3) * (PITCH / 2) + i];
    of[P16X8 * (PITCH / 2) + i] = a + b;
    of[(P16X8 + 1) * (PITCH / 2) + i] = c + d;
    of[P8X16 * (PITCH / 2) + i] = a + c;
    of[(P8X16 + 1) * (PITCH / 2) + i] = b + d;
    of[P16X16 * (PITCH / 2) + i] = a + b + c + d;
  }
}
