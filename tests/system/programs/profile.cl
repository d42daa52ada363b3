/* Something of everything that a profile counts: barriers, branches that diverge, conflicts in
 * shared memory, loads that are spread over lines. */
__kernel void mixed(__global int *out, __global const int *in, int n) {
  __local int part[1024];
  const int t = get_local_id(0), i = get_global_id(0);
  part[t * 8] = in[i * 33 % n];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int k = 0; k < (t & 3) + 2; k++)
    sum += part[(t + k) % 128 * 8] * in[(i * 65 + k) % n];
  if (t < 50)
    sum = sum / 7;
  out[i] = sum;
}
__kernel void other(__global int *out) { out[get_global_id(0)] += 1; }
