/* The walls of a heart, followed from frame to frame: a block has a point of a wall, and looks in a
 * window around it for the place where the point's template fits best. */
#define THREADS 512
#define SIDE 51 /* of a template */
#define AREA (SIDE * SIDE)
/* RADIUS, an option of the compiler: places that a point may move in each direction */
#define MOVES (2 * RADIUS + 1)
#define WINDOW (SIDE + 2 * RADIUS)

/* The sums over the template, by columns first. */
static void sum_template(__local const float *template, __local float *sums,
                         __local float *squares) {
  const int t = get_local_id(0);
  if (t < SIDE) {
    float sum = 0.0f, square = 0.0f;
    for (int y = 0; y < SIDE; y++) {
      const float value = template[y * SIDE + t];
      sum += value;
      square += value * value;
    }
    sums[t] = sum;
    squares[t] = square;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t == 0)
    for (int x = 1; x < SIDE; x++) {
      sums[0] += sums[x];
      squares[0] += squares[x];
    }
  barrier(CLK_LOCAL_MEM_FENCE);
}

/* Sums of SIDE numbers in a row, MOVES of them, as differences of running sums: from[i pitch] and
 * to[i pitch], or of the squares. */
static void slide(__global const float *from, __global float *to, int pitch, bool squared) {
  float sum = 0.0f;
  for (int i = 0; i < WINDOW; i++) {
    const float value = from[i * pitch];
    sum += squared ? value * value : value;
    if (i >= SIDE) {
      const float gone = from[(i - SIDE) * pitch];
      sum -= squared ? gone * gone : gone;
    }
    if (i >= SIDE - 1)
      to[(i - SIDE + 1) * pitch] = sum;
  }
}

/* How well the template fits after a move, from -1 to 1. */
static float correlation(float product, float sum, float square, float sum_t, float square_t) {
  const float both = product - sum * sum_t / AREA;
  return both / sqrt((square - sum * sum / AREA) * (square_t - sum_t * sum_t / AREA));
}

/* frame: places of `pitch` columns; corners: the first place of each point's window.  windows and
 * sums (4 x WINDOW x MOVES a point) are for the block.  moves and fits get the best move and its
 * correlation; the template takes over a part of what it found. */
__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void
heartwall(__global const float *frame, int pitch, __global const int *corners,
          __global float *templates, __global float *windows, __global float *sums,
          __global int *moves, __global float *fits) {
  __local float template[AREA], sums_t[SIDE], squares_t[SIDE], best[MOVES];
  __local int best_at[MOVES];
  const int t = get_local_id(0), point = get_group_id(0);
  __global float *own = &templates[point * AREA], *window = &windows[point * WINDOW * WINDOW];
  __global float *down = &sums[point * 4 * WINDOW * MOVES], *down_squares = down + WINDOW * MOVES;
  __global float *both = down_squares + WINDOW * MOVES, *both_squares = both + WINDOW * MOVES;
  frame += corners[point];
  for (int i = t; i < WINDOW * WINDOW; i += THREADS)
    window[i] = frame[i / WINDOW * pitch + i % WINDOW];
  for (int i = t; i < AREA; i += THREADS)
    template[i] = own[i];
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  sum_template(template, sums_t, squares_t);

  /* Sums of the window under each move: down the columns, then along the rows. */
  if (t < WINDOW) {
    slide(&window[t], &down[t], WINDOW, false);
    slide(&window[t], &down_squares[t], WINDOW, true);
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (t < MOVES) {
    slide(&down[t * WINDOW], &both[t * WINDOW], 1, false);
    slide(&down_squares[t * WINDOW], &both_squares[t * WINDOW], 1, false);
  }
  barrier(CLK_GLOBAL_MEM_FENCE);

  /* Products of the template and the window under each move. */
  for (int move = t; move < MOVES * MOVES; move += THREADS) {
    const int y = move / MOVES, x = move % MOVES;
    float product = 0.0f;
    for (int row = 0; row < SIDE; row++)
      for (int column = 0; column < SIDE; column++)
        product += template[row * SIDE + column] * window[(y + row) * WINDOW + x + column];
    down[y * WINDOW + x] = correlation(product, both[y * WINDOW + x], both_squares[y * WINDOW + x],
                                       sums_t[0], squares_t[0]);
  }
  barrier(CLK_GLOBAL_MEM_FENCE);

  /* The best move, by columns first. */
  if (t < MOVES) {
    int at = t;
    for (int y = 1; y < MOVES; y++)
      if (down[y * WINDOW + t] > down[at])
        at = y * WINDOW + t;
    best[t] = down[at];
    best_at[t] = at;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t == 0) {
    for (int x = 1; x < MOVES; x++)
      if (best[x] > best[0]) {
        best[0] = best[x];
        best_at[0] = best_at[x];
      }
    moves[point] = best_at[0];
    fits[point] = best[0];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = t; i < AREA; i += THREADS)
    own[i] = 0.87f * template[i] + 0.13f * window[best_at[0] + i / SIDE * WINDOW + i % SIDE];
}
