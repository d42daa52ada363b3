/* Kernels for a stencil processing unit, most of them wrong (test_spu_faults.c). */
#include "spu.h"

__kernel void plain(int tiles) {}

/* Passes data from the north on to the south, and from the west on to the east. */
static void pass_on(void) {
  const int i = get_local_id(0);
  spu_buffer(SPU_SIDE_SOUTH)[i] = spu_buffer(SPU_SIDE_NORTH)[i];
  spu_buffer(SPU_SIDE_EAST)[i] = spu_buffer(SPU_SIDE_WEST)[i];
}

__kernel void fine(int tiles) {
  for (int t = 0; t < tiles; t++) {
    spu_sync(SPU_NORTH | SPU_WEST);
    pass_on();
    spu_sync(SPU_SOUTH | SPU_EAST);
  }
}

static void with_all(int tiles, int steps) {
  const int turn = get_group_id(0) + get_group_id(1) + 1;
  for (int t = 0; t < steps; t++) {
    if (t >= turn && t < turn + tiles)
      pass_on();
    spu_sync_all();
  }
}

__kernel void everyone(int tiles) {
  with_all(tiles, get_num_groups(0) + get_num_groups(1) + tiles);
}

/* The last of all barriers is left out. */
__kernel void too_few_barriers(int tiles) {
  with_all(tiles, get_num_groups(0) + get_num_groups(1) + tiles - 1);
}

/* In the flow from west to east alone. */
__kernel void eastward(int tiles) {
  for (int t = 0; t < tiles; t++) {
    spu_sync(SPU_WEST);
    spu_buffer(SPU_SIDE_EAST)[get_local_id(0)] = spu_buffer(SPU_SIDE_WEST)[get_local_id(0)];
    spu_sync(SPU_EAST);
  }
}

__kernel void divergent(int tiles) {
  if (get_local_id(0) < 16)
    spu_sync(SPU_NORTH);
}

__kernel void own(int tiles) { spu_sync(SPU_OWN); }

/* The eastern block leaves, and its neighbour waits for it. */
__kernel void leaves(int tiles) {
  if (get_group_id(0) == 1)
    return;
  spu_sync(SPU_EAST);
}

__kernel void too_few(int tiles) {
  for (int t = 0; t < tiles - 1; t++) {
    spu_sync(SPU_NORTH | SPU_WEST);
    pass_on();
    spu_sync(SPU_SOUTH | SPU_EAST);
  }
}

__kernel void too_many(int tiles) {
  for (int t = 0; t <= tiles; t++)
    spu_sync(SPU_WEST);
}

__kernel void reads_east(int tiles) {
  spu_sync(SPU_WEST);
  spu_buffer(SPU_SIDE_SOUTH)[0] = spu_buffer(SPU_SIDE_EAST)[get_local_id(0)];
}

__kernel void writes_west(int tiles) {
  spu_sync(SPU_WEST);
  spu_buffer(SPU_SIDE_WEST)[get_local_id(0)] = 1;
}

/* A word behind a buffer of 1 KB. */
__kernel void beyond(int tiles) {
  spu_sync(SPU_WEST);
  spu_buffer(SPU_SIDE_SOUTH)[225 + get_local_id(0)] = 1;
}

/* Reads what it has not waited for. */
__kernel void too_early(int tiles) {
  spu_buffer(SPU_SIDE_EAST)[get_local_id(0)] = spu_buffer(SPU_SIDE_WEST)[get_local_id(0)];
  spu_sync(SPU_WEST);
  spu_sync(SPU_EAST);
}

/* Goes on reading words of a tile that nobody has written. */
__kernel void stale(int tiles) {
  for (int t = 0; t < tiles; t++) {
    spu_sync(SPU_WEST);
    if (t == 0 || get_group_id(0) == 1)
      spu_buffer(SPU_SIDE_EAST)[get_local_id(0)] = spu_buffer(SPU_SIDE_WEST)[get_local_id(0)];
    spu_sync(SPU_EAST);
  }
}

/* Accesses that are none of whole words. */
__kernel void stores_bytes(int tiles) {
  spu_sync(SPU_WEST);
  ((__local char *)spu_buffer(SPU_SIDE_EAST))[get_local_id(0)] = 1;
}

__kernel void stores_halves(int tiles) {
  spu_sync(SPU_WEST);
  ((__local short *)spu_buffer(SPU_SIDE_EAST))[get_local_id(0)] = 1;
}

__kernel void counts(int tiles) {
  spu_sync(SPU_WEST);
  atomic_inc((__local int *)spu_buffer(SPU_SIDE_EAST) + get_local_id(0));
}

/* Interface units move `moved` of the tiles. */
static void with_units(int tiles, int moved, __global uint *a) {
  const spu_faces f = {a, 1, 32, 32, 32, 128};
  if (spu_role() == SPU_ROLE_BLOCK)
    for (int t = 0; t < tiles; t++) {
      spu_sync(SPU_NORTH | SPU_WEST);
      const int i = get_local_id(0);
      spu_buffer(SPU_SIDE_SOUTH)[i] = spu_buffer(SPU_SIDE_NORTH)[i];
      spu_buffer(SPU_SIDE_EAST)[i] = spu_buffer(SPU_SIDE_WEST)[i];
      spu_sync(SPU_SOUTH | SPU_EAST);
    }
  else
    spu_interface(moved, f, f, f, f);
}

__kernel void units(int tiles, __global uint *a) { with_units(tiles, tiles, a); }
__kernel void units_too_few(int tiles, __global uint *a) { with_units(tiles, tiles - 1, a); }
__kernel void units_too_many(int tiles, __global uint *a) { with_units(tiles, tiles + 1, a); }
/* The unit that loads does too little, and in the pass that is not the last. */
__kernel void loader_too_few(int tiles, __global uint *a) {
  with_units(tiles, tiles - (spu_role() == SPU_ROLE_LOAD && spu_cpassx() == 0), a);
}
