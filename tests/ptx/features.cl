/* Features of OpenCL C that C lacks: test_opencl.c runs these and computes the same by hand. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void reduce(__global const int *in, __global int *out, __local int *part, int n) {
  uint t = get_local_id(0), i = get_global_id(0);
  part[t] = i < n ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (t < s)
      part[t] += part[t + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) {
    out[1 + get_group_id(0)] = part[0];
    atomic_add(out, part[0]);
  }
}

__kernel void transpose(__global const uint *in, __global uint *out, uint w, uint h) {
  __local uint tile[16][17];
  uint x = get_global_id(0), y = get_global_id(1);
  uint lx = get_local_id(0), ly = get_local_id(1);
  if (x < w && y < h)
    tile[ly][lx] = in[y * w + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint tx = get_group_id(1) * 16 + lx, ty = get_group_id(0) * 16 + ly;
  if (tx < h && ty < w)
    out[ty * h + tx] = tile[lx][ly];
}

struct mixed {
  char c;
  int i;
  short s[3];
  double d;
};

__kernel void params(char c, __global double *out, short s, struct mixed m, long l, float4 v,
                     uchar u, double d, uint k) {
  uint i = get_global_id(0);
  double r = c + s * 2 + m.c * 3 + m.i * 4 + m.s[i % 3] * 5;
  r += m.d + (double)l + v.x + v.y * 2 + v.z * 3 + v.w * 4 + u + d + k;
  out[i] = r;
}

__kernel void vectors(__global const char4 *c, __global const short2 *s, __global const int4 *n,
                      __global const float2 *f, __global const double2 *d, __global int4 *out,
                      __global double2 *outd, __global uchar4 *outc, __global short2 *outs) {
  uint i = get_global_id(0);
  int4 r = n[i] * (int4)(1, 2, 3, 4) + convert_int4(c[i]);
  r.xy += convert_int2(s[i]);
  r.zw -= convert_int2(f[i] * 4.0f);
  out[i] = r.wzyx;
  outd[i] = d[i].yx * 2.0 + convert_double2(f[i]);
  outc[i] = as_uchar4(c[i]).wxyz + (uchar4)(1, 2, 3, 4);
  outs[i] = s[i].yx * (short2)(3, 5);
}

__kernel void threes(__global const float *in, __global float *out) {
  uint i = get_global_id(0);
  float3 v = vload3(i, in);
  vstore3(cross(v, (float3)(1.0f, 2.0f, 3.0f)), i, out);
}

__kernel __attribute__((reqd_work_group_size(6, 1, 1))) void
halves(__global const half *in, __global half *out, __global float *wide) {
  uint i = get_global_id(0);
  float x = vload_half(i, in);
  wide[i] = x;
  vstore_half(x * 1.5f, i, out);
}

__kernel void add_to(__global int *out, char c, double d) {
  uint i = get_global_id(0);
  out[i] += c + (int)d;
}
__kernel void kernel_of_kernel(__global int *out) {
  add_to(out, (char)(out[get_global_id(0)] + 100), 2.75);
  out[get_global_id(0)] *= 2;
}

__kernel void atomics(__global uint *g, __global uint *out, __global int *s) {
  __local uint l[8];
  uint t = get_local_id(0), i = get_global_id(0);
  if (t < 8)
    l[t] = t == 4 ? 0xffffffffu : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&g[0], i);
  atomic_sub(&g[1], t);
  atomic_or(&g[2], 1u << (i & 31));
  atomic_and(&g[3], ~(1u << (i & 15)));
  atomic_xor(&g[4], i * 77u);
  atomic_min(&g[5], 1000u - i);
  atomic_max(&g[6], i * 3u);
  atomic_inc(&g[7]);
  atomic_dec(&g[8]);
  atomic_min(&s[0], (int)i - 50);
  atomic_max(&s[1], (int)i - 500);
  for (;;) { /* a float sum by compare and swap */
    uint old = g[9];
    if (atomic_cmpxchg(&g[9], old, as_uint(as_float(old) + 0.5f)) == old)
      break;
  }
  atomic_add(&l[0], t);
  atomic_inc(&l[1]);
  atomic_or(&l[2], 1u << (t & 31));
  atomic_max(&l[3], t ^ 21u);
  atomic_min(&l[4], t + 7u);
  atomic_xchg(&l[5], 5u);
  atomic_cmpxchg(&l[6], 0u, 9u);
  out[8 + i] = atomic_add(&l[7], 1u);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t < 7)
    atomic_add(&out[t], l[t]);
}

struct row {
  int x;
  float y[3];
};
__constant struct row table[4] = {
    {1, {0.5f, 1.5f, 2.5f}}, {-2, {3, 4, 5}}, {3, {6, 7, 8}}, {40, {9, 1, 2}}};
__constant int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
__constant short word = -77;

__kernel void constants(__global float *out, __constant float *scale) {
  uint i = get_global_id(0);
  out[i] = table[i & 3].y[i % 3] * scale[i & 7] + table[(i >> 2) & 3].x + primes[i & 7] + word;
}

__attribute__((noinline)) int walk(__global const int *p, int n, int *best, __local int *seen) {
  int sum = 0;
  for (int k = 0; k < n; k++) {
    if (p[k] > *best)
      *best = p[k];
    if (p[k] < 0)
      return sum;
    sum += p[k] + seen[k & 3];
  }
  return sum;
}

__kernel void calls(__global const int *in, __global int *out) {
  __local int seen[4];
  uint i = get_global_id(0);
  if (get_local_id(0) < 4)
    seen[get_local_id(0)] = get_local_id(0) * 10;
  barrier(CLK_LOCAL_MEM_FENCE);
  int best = -1000000;
  int r = walk(in + i, (i & 15) + 1, &best, seen);
  out[2 * i] = r;
  out[2 * i + 1] = best;
}

__kernel void barriers(__global int *out, int rounds) {
  __local int ring[96];
  int t = get_local_id(0), n = get_local_size(0);
  ring[t] = t * t;
  for (int k = 0; k < rounds; k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int v = ring[(t + 1) % n] + k;
    if (k & 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      ring[t] = v;
    } else {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (t % 3 != 1)
        ring[t] = v - ring[t];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = ring[n - 1 - t];
}

__kernel void items(__global uint *out) {
  uint i = get_global_id(0) +
           get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2));
  uint r = get_work_dim();
  for (uint d = 0; d < 3; d++)
    r = r * 7 + get_group_id(d) + 3 * get_num_groups(d) + 5 * get_local_id(d) + get_local_size(d) +
        get_global_offset(d);
  out[i] = r;
}

#define CONVERT(n, to, how) out[16 * i + n] = (int)convert_##to##how(x);
__kernel void converts(__global const float *in, __global int *out) {
  uint i = get_global_id(0);
  float x = in[i];
  CONVERT(0, char, _sat)
  CONVERT(1, uchar, _sat)
  CONVERT(2, short, _sat)
  CONVERT(3, ushort, _sat)
  CONVERT(4, int, _sat)
  CONVERT(5, int, _sat_rte)
  CONVERT(6, int, _sat_rtp)
  CONVERT(7, int, _sat_rtn)
  CONVERT(8, uchar, _sat_rte)
  int n = convert_int_sat(x * 3.0f);
  out[16 * i + 9] = convert_char_sat(n);
  out[16 * i + 10] = convert_uchar_sat(n);
  out[16 * i + 11] = convert_short_sat(n);
  out[16 * i + 12] = convert_ushort_sat(n);
  out[16 * i + 13] = (int)rint(x);
  out[16 * i + 14] = (int)round(x);
  out[16 * i + 15] = isnan(x) | isinf(x) << 1 | signbit(x) << 2 | isgreater(x, 1.0f) << 3;
}

/* Variables of the CTA itself that one thread changes between barriers, and all read behind them.
 */
__kernel void carried(__global uint *sums, __global const uint *in, uint rounds) {
  __local uint seed, last[2];
  uint t = get_local_id(0), n = get_local_size(0);
  seed = 0;
  last[1] = 7;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 0; k < rounds; k++) {
    uint v = in[k * n + t];
    sums[k * n + t] = seed + last[1] * 1000;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t + 1 == n)
      seed += v;
    if (t == k)
      last[1] = k;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

/* One warp in step: fences alone keep the order. */
__kernel void fenced(__global uint *out, uint rounds) {
  __local volatile uint seen;
  __local uint seed;
  uint t = get_local_id(0);
  seed = 1;
  for (uint k = 0; k < rounds; k++) {
    seen = t;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    if (t == k)
      seed += t * 3;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    out[k * get_local_size(0) + t] = seed;
  }
}

__kernel void high_products(__global const int4 *in, __global int4 *out) {
  uint i = get_global_id(0);
  int4 v = in[i];
  int r0 = mad_hi(v.x, v.y, v.z);
  uint r1 = mad_hi((uint)v.x, (uint)v.y, (uint)v.w);
  short2 r2 = mad_hi((short2)(v.x, v.y), (short2)(v.z, v.w), (short2)(3, v.x));
  long r3 = mad_hi((long)v.x << 20, (long)v.y << 17, 5L);
  out[i] = (int4)(r0, r1, r2.x ^ r2.y << 16, (int)r3);
}

/* Assembly under the name that the vendor's own compiler takes. */
__kernel void assembly(__global uint *x) {
  uint i = get_global_id(0), r;
  asm("mad.lo.u32 %0, %1, %1, 5;" : "=r"(r) : "r"(x[i]));
  asm volatile("{ .reg .u32 %%t; shl.b32 %%t, %0, 4; add.u32 %0, %0, %%t; }" : "+r"(r));
  x[i] = r;
}
