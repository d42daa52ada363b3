/* Kernels for a stencil processing unit; test_spu_opencl.c says what each must do. */
#include "spu.h"

/* The south buffer must hold what was stored before it is handed over, and of the north buffer must
 * be read what is there after it was.  The addresses are the same each time. */
__kernel void tiles(__global float *out, int n) {
  int i = get_local_id(0);
  __local float *north = spu_buffer(SPU_SIDE_NORTH), *south = spu_buffer(SPU_SIDE_SOUTH);
  float sum = 0;
  for (int k = 0; k < n; k++) {
    spu_sync(SPU_NORTH | SPU_WEST);
    sum += north[i];
    south[i] = sum;
    spu_sync(SPU_SOUTH);
    south[i] = -1;
    spu_sync_all();
  }
  out[i] = sum;
}

/* A variable in local memory whose address is not taken, and memory of the host's. */
__kernel void memories(__global int *io, int n) {
  __local int shared;
  int i = get_local_id(0);
  shared = n;
  io[0] = 7;
  spu_sync(SPU_EAST);
  int first = io[0] + shared;
  spu_sync(SPU_EAST);
  io[1 + i] = first * 1000 + io[0] + shared;
}

/* A virtual interface unit that stores; the registers change at each synchronisation. */
__kernel void spill(__global uint *out) {
  uint i = get_local_id(0), n = 0;
  if (spu_role() != SPU_ROLE_STORE)
    return;
  while (!spu_last()) {
    __global float *to = (__global float *)spu_spill();
    uint before = spu_cspillnb();
    spu_sync(SPU_OWN);
    to[i] = spu_buffer(SPU_SIDE_OWN)[i];
    out[n++] = before * 100 + spu_cspillnb();
    spu_sync(SPU_SPILL);
  }
  out[n] = spu_role();
}

__kernel void registers(__global uint *out) {
  out[0] = spu_viu();
  out[1] = spu_iudir();
  out[2] = spu_last();
  out[3] = spu_iuid();
  out[4] = spu_passx();
  out[5] = spu_passy();
  out[6] = spu_cpassx();
  out[7] = spu_cpassy();
  out[8] = spu_spillnb();
  out[9] = spu_cspillnb();
  out[10] = spu_role();
  out[11] = spu_spill();
  out[12] = spu_face();
}
