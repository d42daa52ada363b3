/* The cheapest ways down through a wall of numbers: a way goes from a place to the place below or
 * to one of its neighbours.  A launch takes the costs of a row down by `height` rows.  Its blocks
 * overlap by as many places at either side, because each step loses the outermost places of a
 * block: they would need what the neighbour has. */
#define THREADS 256

static bool within(int at, int first, int last) { return at >= first && at <= last; }

/* wall: the rows below the first, `columns` each; from: costs of the first row. */
__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void
pathfinder(__global const int *wall, __global const int *from, __global int *to, int columns,
           int height) {
  __local int cost[THREADS], below[THREADS];
  const int t = get_local_id(0);
  const int start = get_group_id(0) * (THREADS - 2 * height) - height, x = start + t;
  /* Threads that have a place of the wall. */
  const int first = max(0, -start), last = min(THREADS - 1, columns - 1 - start);
  const bool valid = within(t, first, last);
  const int west = max(t - 1, first), east = min(t + 1, last);
  bool computed = false;
  if (within(x, 0, columns - 1))
    cost[t] = from[x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int row = 0; row < height; row++) {
    computed = within(t, row + 1, THREADS - 2 - row) && valid;
    if (computed)
      below[t] = min(min(cost[west], cost[t]), cost[east]) + wall[columns * row + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (computed)
      cost[t] = below[t];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (computed)
    to[x] = cost[t];
}
