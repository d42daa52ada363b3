/* Local alignment scores of pairs of sequences, with affine gaps (Smith and Waterman; Gotoh):
 *
 *   e[r, c] = max(h[r, c-1] - OPEN, e[r, c-1] - EXTEND)
 *   f[r, c] = max(h[r-1, c] - OPEN, f[r-1, c] - EXTEND)
 *   h[r, c] = max(0, h[r-1, c-1] + score of the letters, e[r, c], f[r, c])
 *
 * Block (i, j) has the tile of B columns and B rows at (i, j) of the matrix of every pair, and goes
 * from pair to pair: so the wavefront of a pair runs through the grid close behind the one before.
 * A face has three rows of B words, which is what the neighbour needs beside its own:
 *
 *   from the north  letter of the column, h of the row above, f of the first row
 *   from the west   letter of the row, h[r-1, c-1] of the first column, e of the first column
 *
 * The corner h[-1, -1] of a tile comes from the north-west in two hops: the western neighbour got
 * it from its north as the last word of h, and its last column passes it on as any h[r-1, c-1].
 *
 * Thread x has column x, and in step s row s - x, so that a step needs only what the step before
 * has left.  The block stores the largest h of its tile of each pair. */
#include "spu.h"

#define B 64
#define MATCH 3
#define MISMATCH (-2)
#define OPEN 5
#define EXTEND 1

static int score(int a, int b) { return a == b ? MATCH : MISMATCH; }

/* Row `row` of the face on a side. */
static __local int *face(int side, int row) { return (__local int *)spu_buffer(side) + row * B; }

/* The tile of a pair; returns the largest h of the thread's column. */
static int align(__local int *letter, __local int *diagonal, __local int *e) {
  const int x = get_local_id(0);
  const int mine = face(SPU_SIDE_NORTH, 0)[x];
  int up = face(SPU_SIDE_NORTH, 1)[x], f = face(SPU_SIDE_NORTH, 2)[x], best = 0;
  letter[x] = face(SPU_SIDE_WEST, 0)[x];
  diagonal[x] = face(SPU_SIDE_WEST, 1)[x];
  e[x] = face(SPU_SIDE_WEST, 2)[x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 0; step < 2 * B - 1; step++) {
    const int r = step - x;
    if (r >= 0 && r < B) {
      const int h = max(max(0, diagonal[r] + score(mine, letter[r])), max(e[r], f));
      diagonal[r] = up;
      e[r] = max(h - OPEN, e[r] - EXTEND);
      f = max(h - OPEN, f - EXTEND);
      best = max(best, h);
      up = h;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  face(SPU_SIDE_SOUTH, 0)[x] = mine;
  face(SPU_SIDE_SOUTH, 1)[x] = up;
  face(SPU_SIDE_SOUTH, 2)[x] = f;
  face(SPU_SIDE_EAST, 0)[x] = letter[x];
  face(SPU_SIDE_EAST, 1)[x] = diagonal[x];
  face(SPU_SIDE_EAST, 2)[x] = e[x];
  return best;
}

/* The faces of a border, [row of the face][pair][letter]. */
static spu_faces letters(__global int *memory, uint of_pair, uint pairs) {
  return (spu_faces){memory, 3, B, of_pair * pairs, of_pair, B};
}

/* best[pair][j][i] */
__kernel void smith_waterman(__global int *best, int pairs, __global int *north,
                             __global int *south, __global int *west, __global int *east) {
  __local int letter[B], diagonal[B], e[B], most[B];
  if (spu_role() != SPU_ROLE_BLOCK) {
    const uint columns = get_num_groups(0) * B, rows = get_num_groups(1) * B;
    spu_interface(pairs, letters(north, columns, pairs), letters(south, columns, pairs),
                  letters(west, rows, pairs), letters(east, rows, pairs));
    return;
  }
  const int x = get_local_id(0), blocks = get_num_groups(0) * get_num_groups(1);
  const int block = get_group_id(1) * get_num_groups(0) + get_group_id(0);
  for (int pair = 0; pair < pairs; pair++) {
    spu_sync(SPU_NORTH | SPU_WEST);
    most[x] = align(letter, diagonal, e);
    spu_sync(SPU_SOUTH | SPU_EAST);
    for (int n = B / 2; n > 0; n /= 2) {
      if (x < n)
        most[x] = max(most[x], most[x + n]);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x == 0)
      best[pair * blocks + block] = most[0];
  }
}
