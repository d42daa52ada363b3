/* The stencil of 7 points in 3 dimensions, all time steps in one sweep over z.
 *
 *   new[x, y, z] = CENTRE old[x, y, z] + EDGE (sum of the six neighbours in old)
 *
 * The border of the grid stays.  Level t, the values after t steps, is skewed by (t, t) in x and y,
 * so that a value depends on cells up to two to the west and north: data flow west to east and
 * north to south only.  Level t lags by t planes in z: tile p computes plane p - t of level t, from
 * planes p - t - 1 to p - t + 1 of level t - 1, of which the last one is of the same tile.
 *
 * Block (i, j) has B x B skewed cells of all levels and planes; it keeps the last three planes of
 * each level, with a halo of two rows north and two columns west.  A face has for each level but
 * the last the halo of its newest plane: two rows of B words from the north, two columns of B + 2
 * words from the west, which start two rows further north, so that the corner crosses two faces. */
#include "spu.h"

#define B 16
#define LEVELS 4 /* time steps */
#define PLANES 3 /* of a level at a time */
#define HALO 2
#define SIDE (B + HALO)
#define ACROSS (HALO * B)   /* words of a northern face for a level: [row][x] */
#define ALONG (HALO * SIDE) /* of a western face: [column][y] */
#define CENTRE 0.4f
#define EDGE 0.1f

typedef __local float (*plane)[SIDE];

static bool within(int at, int end) { return at >= 0 && at < end; }

static void receive(plane cell, int level, int id) {
  const __local float *north = spu_buffer(SPU_SIDE_NORTH) + level * ACROSS;
  const __local float *west = spu_buffer(SPU_SIDE_WEST) + level * ALONG;
  if (id < ACROSS)
    cell[id / B][HALO + id % B] = north[id];
  if (id < ALONG)
    cell[id % SIDE][id / SIDE] = west[id];
}

/* The two southern rows and eastern columns, the latter with the halo's two rows. */
static void send(plane cell, int level, int id) {
  __local float *south = spu_buffer(SPU_SIDE_SOUTH) + level * ACROSS;
  __local float *east = spu_buffer(SPU_SIDE_EAST) + level * ALONG;
  if (id < ACROSS)
    south[id] = cell[B + id / B][HALO + id % B];
  if (id < ALONG)
    east[id] = cell[id % SIDE][B + id / SIDE];
}

/* The next value of the point whose cell in `here` is (cx, cy); inner: not of the border. */
static float next(plane below, plane here, plane above, int cx, int cy, bool inner) {
  const float centre = here[cy][cx];
  if (!inner)
    return centre;
  const float sum = here[cy][cx - 1] + here[cy][cx + 1] + here[cy - 1][cx] + here[cy + 1][cx] +
                    below[cy][cx] + above[cy][cx];
  return fma(EDGE, sum, CENTRE * centre);
}

/* nx x ny x nz points; nz + LEVELS tiles. */
__kernel void stencil7(__global const float *in, __global float *out, int nx, int ny, int nz,
                       __global float *outside, __global float *beyond) {
  __local float cells[LEVELS][PLANES][SIDE][SIDE];
  if (spu_role() != SPU_ROLE_BLOCK) { /* faces of the border are without meaning */
    const uint north = LEVELS * ACROSS, west = LEVELS * ALONG;
    spu_interface(nz + LEVELS, (spu_faces){outside, 1, north},
                  (spu_faces){beyond, 1, north, 0, 0, west}, (spu_faces){outside, 1, west},
                  (spu_faces){beyond, 1, west, 0, 0, west});
    return;
  }
  const int tx = get_local_id(0), ty = get_local_id(1), id = ty * B + tx;
  const int x0 = get_global_id(0), y0 = get_global_id(1);
  for (int p = 0; p < nz + LEVELS; p++) {
    if (p < nz && x0 < nx && y0 < ny)
      cells[0][p % PLANES][HALO + ty][HALO + tx] = in[(p * ny + y0) * nx + x0];
    spu_sync(SPU_NORTH | SPU_WEST);
    for (int level = 0; level < LEVELS; level++)
      receive(cells[level][(p + LEVELS * PLANES - level) % PLANES], level, id);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int t = 1; t <= LEVELS; t++) {
      const int z = p - t, x = x0 - t, y = y0 - t;
      if (within(z, nz) && within(x, nx) && within(y, ny)) {
        const bool inner = within(x - 1, nx - 2) && within(y - 1, ny - 2) && within(z - 1, nz - 2);
        const float value =
            next(cells[t - 1][(z + PLANES - 1) % PLANES], cells[t - 1][z % PLANES],
                 cells[t - 1][(z + 1) % PLANES], HALO + tx - 1, HALO + ty - 1, inner);
        if (t < LEVELS)
          cells[t][z % PLANES][HALO + ty][HALO + tx] = value;
        else
          out[(z * ny + y) * nx + x] = value;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int level = 0; level < LEVELS; level++)
      send(cells[level][(p + LEVELS * PLANES - level) % PLANES], level, id);
    spu_sync(SPU_SOUTH | SPU_EAST);
  }
}
