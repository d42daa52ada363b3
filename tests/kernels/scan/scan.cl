/* Exclusive prefix sums of many short arrays at once: a block has 4 * THREADS elements, four a
 * thread.  The threads' sums are added up in local memory by steps of 1, 2, 4, ...; a second half
 * of each array's place there is 0, so that no thread has to ask how far down it may reach. */
#define THREADS 256

/* size: elements of an array, a power of two from 4 to 4 * THREADS. */
__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void
scan(__global const uint4 *in, __global uint4 *out, int size) {
  __local uint sums[2 * THREADS];
  const int t = get_local_id(0), i = get_global_id(0), threads = size / 4;
  uint4 x = in[i];
  x.y += x.x;
  x.z += x.y;
  x.w += x.z;
  const int zero = 2 * t - (t & (threads - 1)), at = zero + threads;
  sums[zero] = 0;
  sums[at] = x.w;
  for (int step = 1; step < threads; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint sum = sums[at] + sums[at - step];
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[at] = sum;
  }
  const uint before = sums[at] - x.w;
  out[i] = (uint4)(before, before + x.x, before + x.y, before + x.z);
}
