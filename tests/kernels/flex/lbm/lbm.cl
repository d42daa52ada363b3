/* A step of the lattice Boltzmann method in three dimensions, with 19 directions (D3Q19): the cell
 * collides its densities and moves them to its neighbours.  A CTA has a row of cells. */
#define ROW 120
#define PITCH 128
#define OMEGA 1.95f

/* f(direction index, x, y, z, the opposite direction). */
#define DIRECTIONS(f)                                                                              \
  f(0, 0, 0, 0, 0) f(1, 1, 0, 0, 2) f(2, -1, 0, 0, 1) f(3, 0, 1, 0, 4) f(4, 0, -1, 0, 3)           \
      f(5, 0, 0, 1, 6) f(6, 0, 0, -1, 5) f(7, 1, 1, 0, 8) f(8, -1, -1, 0, 7) f(9, 1, -1, 0, 10)    \
          f(10, -1, 1, 0, 9) f(11, 1, 0, 1, 12) f(12, -1, 0, -1, 11) f(13, 1, 0, -1, 14)           \
              f(14, -1, 0, 1, 13) f(15, 0, 1, 1, 16) f(16, 0, -1, -1, 15) f(17, 0, 1, -1, 18)      \
                  f(18, 0, -1, 1, 17)

/* The grid has the rows of a plane and the planes; source and target have a plane more before the
 * first and behind the last one.  Each direction has `pitch` floats.  A wall cell reflects. */
__kernel __attribute__((reqd_work_group_size(ROW, 1, 1))) void
lbm(__global const float *source, __global const uint *wall, __global float *target, uint pitch) {
  const uint rows = get_num_groups(0);
  const int plane = rows * PITCH;
  const uint at = (get_group_id(1) + 1) * plane + get_group_id(0) * PITCH + get_local_id(0);
#define LOAD(i, x, y, z, o) const float f##i = source[i * pitch + at];
  DIRECTIONS(LOAD)
#define REFLECT(i, x, y, z, o) target[i * pitch + at + x + y * PITCH + z * plane] = f##o;
  if (wall[at] == 0) {
    DIRECTIONS(REFLECT)
    return;
  }
  float density = 0.0f, ux = 0.0f, uy = 0.0f, uz = 0.0f;
#define SUM(i, x, y, z, o)                                                                         \
  density += f##i;                                                                                 \
  ux += x * f##i;                                                                                  \
  uy += y * f##i;                                                                                  \
  uz += z * f##i;
  DIRECTIONS(SUM)
  ux /= density;
  uy /= density;
  uz /= density;
  const float rest = 1.0f - 1.5f * (ux * ux + uy * uy + uz * uz);
#define WEIGHT(x, y, z)                                                                            \
  ((x) * (x) + (y) * (y) + (z) * (z) == 0   ? 1.0f / 3.0f                                          \
   : (x) * (x) + (y) * (y) + (z) * (z) == 1 ? 1.0f / 18.0f                                         \
                                            : 1.0f / 36.0f)
#define MOVE(i, x, y, z, o)                                                                        \
  {                                                                                                \
    const float along = x * ux + y * uy + z * uz;                                                  \
    target[i * pitch + at + x + y * PITCH + z * plane] =                                           \
        (1.0f - OMEGA) * f##i +                                                                    \
        OMEGA * WEIGHT(x, y, z) * density * (rest + along * (3.0f + 4.5f * along));                \
  }
  DIRECTIONS(MOVE)
}
