/* The Coulomb potential on a lattice, of the atoms within a cutoff.  Space has cubic bins of ATOMS
 * atoms; a CTA has the EDGE x EDGE x EDGE points of a bin, a thread LAYERS of them, and the atoms
 * of the bin and of its 26 neighbours in shared memory. */
#define EDGE 8
#define LAYERS 4
#define ATOMS 8
#define THREADS 128
#define NEAR 27
#define SPACING 0.5f
#define BIN (EDGE * SPACING)
#define CUTOFF BIN

/* An atom's place in its bin, 0 to 1, and its charge.  There is a bin more on each side. */
__kernel __attribute__((reqd_work_group_size(EDGE, EDGE, 2))) void
cutcp(__global const float4 *bins, __global float *potential) {
  __local float4 atoms[NEAR * ATOMS];
  const int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
  const int width = get_num_groups(0), depth = get_num_groups(1);
  const int bx = get_group_id(0), by = get_group_id(1), bz = get_group_id(2);
  for (int i = x + EDGE * (y + EDGE * z); i < NEAR * ATOMS; i += THREADS) {
    const int near = i / ATOMS, dx = near % 3, dy = near / 3 % 3, dz = near / 9;
    const int bin = bx + dx + (width + 2) * (by + dy + (depth + 2) * (bz + dz));
    const float4 atom = bins[bin * ATOMS + i % ATOMS];
    atoms[i] = (float4)((atom.x + (float)(dx - 1)) * BIN, (atom.y + (float)(dy - 1)) * BIN,
                        (atom.z + (float)(dz - 1)) * BIN, atom.w);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum[LAYERS];
#pragma unroll
  for (int l = 0; l < LAYERS; l++)
    sum[l] = 0.0f;
  for (int i = 0; i < NEAR * ATOMS; i++) {
    const float4 atom = atoms[i];
    const float dx = atom.x - x * SPACING, dy = atom.y - y * SPACING;
    const float flat = dx * dx + dy * dy;
    if (flat < CUTOFF * CUTOFF) {
#pragma unroll
      for (int l = 0; l < LAYERS; l++) {
        const float dz = atom.z - (z * LAYERS + l) * SPACING;
        const float square = flat + dz * dz;
        if (square < CUTOFF * CUTOFF) {
          const float screen = 1.0f - square * (1.0f / (CUTOFF * CUTOFF));
          sum[l] += atom.w * native_rsqrt(square) * screen * screen;
        }
      }
    }
  }
#pragma unroll
  for (int l = 0; l < LAYERS; l++) {
    const int row = by * EDGE + y, plane = bz * EDGE + z * LAYERS + l;
    potential[(plane * depth * EDGE + row) * width * EDGE + bx * EDGE + x] = sum[l];
  }
}
