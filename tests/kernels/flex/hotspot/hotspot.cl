/* Heat on a chip.  A launch takes the temperatures `steps` steps on; blocks overlap by as many
 * places on each side, because each step loses the outermost places of a block. */
#define SIDE 16
#define AMBIENT 80.0f

static bool within(int at, int first, int last) { return at >= first && at <= last; }

/* Temperatures of rows x columns places; a step changes them by `rate` for each unit of power:
 * their own, and what comes through conductances down, along, and to the surroundings. */
__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1))) void
hotspot(__global const float *power, __global const float *from, __global float *to, int columns,
        int rows, int steps, float rate, float down, float along, float away) {
  __local float now[SIDE][SIDE], watts[SIDE][SIDE], next[SIDE][SIDE];
  const int x = get_local_id(0), y = get_local_id(1), inner = SIDE - 2 * steps;
  const int left = inner * (int)get_group_id(0) - steps, top = inner * (int)get_group_id(1) - steps;
  const int column = left + x, row = top + y, at = row * columns + column;
  const bool valid = within(row, 0, rows - 1) && within(column, 0, columns - 1);
  if (valid) {
    now[y][x] = from[at];
    watts[y][x] = power[at];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  /* The neighbours, which at the edge of the chip are the place itself. */
  const int north = max(y - 1, max(0, -top)), south = min(y + 1, min(SIDE, rows - top) - 1);
  const int west = max(x - 1, max(0, -left)), east = min(x + 1, min(SIDE, columns - left) - 1);
  bool computed = false;
  for (int i = 0; i < steps; i++) {
    computed = valid && within(x, i + 1, SIDE - i - 2) && within(y, i + 1, SIDE - i - 2);
    if (computed) {
      /* The factor 2 is in double precision, and so are the differences. */
      const double twice = 2.0 * now[y][x];
      next[y][x] =
          now[y][x] + rate * (float)(watts[y][x] + (now[south][x] + now[north][x] - twice) * down +
                                     (now[y][east] + now[y][west] - twice) * along +
                                     (AMBIENT - now[y][x]) * away);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < steps - 1 && computed)
      now[y][x] = next[y][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (computed)
    to[at] = next[y][x];
}
