/* Best local alignments of pairs of sequences (Smith and Waterman): a match counts 3, a mismatch
 * -2, a gap -1 a place.  A block has a pair, a thread a row of its table, which it fills from left
 * to right one step behind the row above: the block goes over the table in a wave of
 * anti-diagonals.  best: the best score in each row. */
__kernel void smith_waterman(__global const uint *query, __global const uint *target,
                             __global int *best, __local int *wave, int columns) {
  int row = get_local_id(0), rows = get_local_size(0), pair = get_group_id(0);
  uint letter = query[pair * rows + row];
  int left = 0, corner = 0, most = 0;
  for (int step = 0; step < columns + rows - 1; step++) {
    int column = step - row, now = (step & 1) * rows, before = rows - now;
    if (column >= 0 && column < columns) {
      int above = row > 0 ? wave[before + row - 1] : 0;
      int match = corner + (letter == target[pair * columns + column] ? 3 : -2);
      left = max(max(match, 0), max(above, left) - 1);
      corner = above;
      most = max(most, left);
      wave[now + row] = left;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  best[pair * rows + row] = most;
}
