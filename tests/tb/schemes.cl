/* The kernels of tests/kernels/prefix, and one whose loads of four words come back one behind the
 * other, faster than they cross a link. */
#include "../kernels/prefix/prefix.cl"

__kernel void quads(__global const uint4 *in, __global uint4 *out, int n) {
  int i = get_global_id(0);
  uint4 a = in[i % n], b = in[(i + 1) % n], c = in[(i + 2) % n], d = in[(i + 3) % n];
  out[i] = a + b + c + d;
}
