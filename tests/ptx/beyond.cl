/* Errors and gaps of clang and libclc for this target, which the driver mends; test_beyond.c. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

/* Amounts beyond the width, the zero, and negative ones. */
__kernel void rotations(__global const uint *in, __global uint *out) {
  uint i = get_global_id(0), x = in[2 * i], n = in[2 * i + 1];
  ulong w = rotate((ulong)x << 32 | n, (ulong)n);
  out[6 * i] = rotate(x, n);
  out[6 * i + 1] = (uint)rotate((int)x, (int)n);
  out[6 * i + 2] = x >> (n & 31) | x << (-n & 31);
  out[6 * i + 3] = (uint)w;
  out[6 * i + 4] = (uint)(w >> 32);
  out[6 * i + 5] = as_uint(rotate(as_uchar4(x), as_uchar4(n)));
}

__kernel void halves(__global const half4 *a, __global half4 *out, __global float *wide) {
  uint i = get_global_id(0);
  half4 x = a[2 * i], y = a[2 * i + 1];
  half4 r = (half4)(clamp(x.x, (half)-1, (half)1), fma(x.y, y.y, (half)0.25), sqrt(fabs(x.z)),
                    max(x.w, y.w));
  out[3 * i] = r;
  out[3 * i + 1] = floor(x) + select(x, y, x < y) - min(x, (half)2);
  half3 v = vload3(i, (__global const half *)a);
  vstore3(cross(v, y.xyz), 4 * i + 3, (__global half *)out);
  wide[i] = convert_float_rtz(dot(v, v)) + convert_half_rtz(1.0f / (i + 3)) + isnan(x.x);
}

__kernel void long_atomics(__global ulong *g, __global const ulong *v) {
  __local ulong sums[2];
  uint t = get_local_id(0);
  if (t < 2)
    sums[t] = v[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  atom_add(&g[0], v[t]);
  atom_inc(&g[1]);
  atom_sub((volatile __global long *)&g[2], (long)v[t] >> 7);
  atom_or(&g[3], v[t] & 0x1100220033004400ul << (t & 3));
  atom_and(&g[4], v[t] | 0xff00ff00ff00fffful);
  atom_xor(&g[5], v[t]);
  atom_add(&sums[t & 1], v[t]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t < 2)
    atom_add(&g[6 + t], sums[t]);
}

/* Arrays of bytes that are read as vectors, behind others of odd sizes; clang would align them
 * where it sees how they are used. */
__attribute__((noinline)) uint4 load_local(__local const uchar *p) {
  return *(__local const uint4 *)p;
}
__attribute__((noinline)) uint4 load_constant(__constant const uchar *p) {
  return *(__constant const uint4 *)p;
}
__constant uchar before[3] = {1, 2, 3};
__constant uchar sixteen[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
__kernel void cast_bytes(__global const uchar *in, __global uint4 *out) {
  __local uchar odd[5], bytes[64];
  __local ushort shorts[8];
  uint t = get_local_id(0);
  if (t < 5)
    odd[t] = in[t];
  for (uint k = t; k < 64; k += get_local_size(0))
    bytes[k] = in[k];
  if (t < 8)
    shorts[t] = in[t] * 257;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint4 v = load_local(bytes + (t & 3) * 16) + load_local((__local uchar *)shorts);
  out[t] = v + load_constant(sixteen) + odd[t % 5] + before[t % 3];
}

__kernel void overloads(__global const double *in, __global double2 *out) {
  uint i = get_global_id(0);
  out[i] = smoothstep(-1.0, 2.0, (double2)(in[i], -in[i]));
}
