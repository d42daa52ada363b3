/* Coulomb potential on a plane of points: every atom's charge over its distance.  A thread has
 * POINTS points of a row, a block's width apart, so that their distances share dy and the square of
 * dz. */
#define POINTS 2

/* atoms: x, y, square of the distance to the plane, charge. */
__kernel void coulomb(__constant float4 *atoms, int count, float spacing, __global float *energy) {
  const int across = get_local_size(0), width = get_num_groups(0) * across * POINTS;
  const int column = get_group_id(0) * across * POINTS + get_local_id(0), row = get_global_id(1);
  const float x = spacing * column, y = spacing * row, apart = spacing * across;
  float sum[POINTS] = {0.0f};
  for (int i = 0; i < count; i++) {
    const float4 atom = atoms[i];
    const float dy = y - atom.y, beside = dy * dy + atom.z;
    float dx = x - atom.x;
    for (int p = 0; p < POINTS; p++) {
      sum[p] += atom.w * native_rsqrt(dx * dx + beside);
      dx += apart;
    }
  }
  for (int p = 0; p < POINTS; p++)
    energy[row * width + column + p * across] += sum[p];
}
