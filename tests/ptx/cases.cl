/* The kernels of test_kernels.c: every case of cases.inc as a kernel of its own. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef char char_t;
#define bits_f(x) as_uint(x)
#define bits_d(x) as_ulong(x)
#define sqrt_f sqrt
#define fabs_f fabs
#define fmin_f fmin
#define fmax_f fmax
#define fma_f fma
#define floor_f floor
#define ceil_f ceil
#define trunc_f trunc
#define sqrt_d sqrt
#define fma_d fma
#define floor_d floor
#define fabs_d fabs
#define UNROLL _Pragma("unroll")
#define popcount_u popcount
#define clz_u clz
#define mul_hi_u mul_hi
#define mul_hi_i mul_hi
#define abs_diff_u abs_diff
#define min_i min
#define max_u max
#define mad24_i mad24
#define add_sat_i add_sat

#define HELPER(type, name, args) __attribute__((noinline)) type name args
#define CASE(name)                                                                                 \
  uint name(uint i, uint a, uint b);                                                               \
  __kernel void k_##name(__global const uint *in, __global uint *out) {                            \
    uint i = get_global_id(0);                                                                     \
    out[i] = name(i, in[2 * i], in[2 * i + 1]);                                                    \
  }                                                                                                \
  uint name(uint i, uint a, uint b)
#include "tests/ptx/cases.inc"
