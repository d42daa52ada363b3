/* Jacobi's iteration with 5 points on a plane, several time steps a tile.
 *
 * A point and its four neighbours make the point's next value; the border of the grid stays.  Data
 * flow west to east and north to south only, so the plane is skewed: in step t, point (x, y) lies
 * at (x + t, y + t).  Then a value depends on cells up to two to the west and north, of the step
 * before:
 *
 *   new[x, y] = 0.2 (old[x-1, y-1] + old[x-1, y-2] + old[x-1, y] + old[x-2, y-1] + old[x, y-1])
 *
 * Block (i, j) has B x B cells of the skewed plane and all steps; the grid of blocks covers the
 * points of the first and of the last step.  A tile is STEPS time steps.  For each of them a face
 * has the old values of the two rows north of the block, B words each, and of the two columns west
 * of it, B + 2 words each: those start two rows further north.  So the corner crosses two faces:
 * it comes from the north to the western neighbour, which passes it on to the east. */
#include "spu.h"

#define B 32
#define ROWS 8  /* threads of a block in y */
#define STEPS 8 /* of a tile */
#define HALO 2
#define SIDE (B + HALO)
#define ACROSS (HALO * B)   /* words of a northern face for a step: [row][x] */
#define ALONG (HALO * SIDE) /* of a western face: [column][y] */

/* The halo of the old cells in step s of the tile, from the faces. */
static void receive(__local float (*cell)[SIDE], int s, int id) {
  const __local float *north = spu_buffer(SPU_SIDE_NORTH) + s * ACROSS;
  const __local float *west = spu_buffer(SPU_SIDE_WEST) + s * ALONG;
  for (int at = id; at < ACROSS; at += B * ROWS)
    cell[at / B][HALO + at % B] = north[at];
  for (int at = id; at < ALONG; at += B * ROWS)
    cell[at % SIDE][at / SIDE] = west[at];
}

/* The two southern rows and eastern columns, the latter with the halo's two rows. */
static void send(__local float (*cell)[SIDE], int s, int id) {
  __local float *south = spu_buffer(SPU_SIDE_SOUTH) + s * ACROSS;
  __local float *east = spu_buffer(SPU_SIDE_EAST) + s * ALONG;
  for (int at = id; at < ACROSS; at += B * ROWS)
    south[at] = cell[B + at / B][HALO + at % B];
  for (int at = id; at < ALONG; at += B * ROWS)
    east[at] = cell[at % SIDE][B + at / SIDE];
}

static bool within(int at, int end) { return at >= 0 && at < end; }

/* nx x ny points; `tiles` of STEPS steps. */
__kernel void jacobi2d(__global const float *in, __global float *out, int nx, int ny, int tiles,
                       __global float *outside, __global float *beyond) {
  __local float cells[2][SIDE][SIDE];
  if (spu_role() != SPU_ROLE_BLOCK) { /* faces of the border are without meaning */
    const uint north = STEPS * ACROSS, west = STEPS * ALONG;
    spu_interface(tiles, (spu_faces){outside, 1, north}, (spu_faces){beyond, 1, north, 0, 0, west},
                  (spu_faces){outside, 1, west}, (spu_faces){beyond, 1, west, 0, 0, west});
    return;
  }
  const int tx = get_local_id(0), ty = get_local_id(1), id = ty * B + tx;
  const int x0 = get_group_id(0) * B + tx, y0 = get_group_id(1) * B, steps = tiles * STEPS;
  for (int row = ty; row < B; row += ROWS) {
    const bool inside = x0 < nx && y0 + row < ny;
    cells[0][HALO + row][HALO + tx] = inside ? in[(y0 + row) * nx + x0] : 0.0f;
  }
  for (int t = 1; t <= steps; t++) {
    const int s = (t - 1) % STEPS;
    __local float(*old)[SIDE] = cells[(t - 1) % 2], (*now)[SIDE] = cells[t % 2];
    if (s == 0)
      spu_sync(SPU_NORTH | SPU_WEST);
    receive(old, s, id);
    barrier(CLK_LOCAL_MEM_FENCE);
    send(old, s, id);
    for (int row = ty; row < B; row += ROWS) {
      const int x = x0 - t, y = y0 + row - t;            /* the point of this cell */
      const int cx = tx + HALO - 1, cy = row + HALO - 1; /* its cell in the step before */
      float value = old[cy][cx];
      if (within(x - 1, nx - 2) && within(y - 1, ny - 2))
        value =
            (value + old[cy - 1][cx] + old[cy + 1][cx] + old[cy][cx - 1] + old[cy][cx + 1]) * 0.2f;
      now[cy + 1][cx + 1] = value;
    }
    if (s == STEPS - 1)
      spu_sync(SPU_SOUTH | SPU_EAST);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int row = ty; row < B; row += ROWS) {
    const int x = x0 - steps, y = y0 + row - steps;
    if (within(x, nx) && within(y, ny))
      out[y * nx + x] = cells[steps % 2][HALO + row][HALO + tx];
  }
}
