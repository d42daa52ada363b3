/* The same faults in CUDA C, with addresses of 64 bits (test_mended.c). */
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
typedef float float3 __attribute__((ext_vector_type(3)));
typedef short short3 __attribute__((ext_vector_type(3)));
struct ball {
  char c;
  short3 s;
  const float3 *p;
  float3 v;
  float r;
};
__device__ const float3 array[2] = {{1, 2, 3}, {4, 5, 6}};
__device__ ball balls[2] = {{1, {2, 3, 4}, 0, {5, 6, 7}, 8},
                            {9, {10, 11, 12}, array + 1, {13, 14, 15}, 16}};

extern "C" __global__ void fences(const int *in, int *out) {
  __attribute__((shared)) static int a[1], b, c, d;
  const int t = __nvvm_read_ptx_sreg_tid_x();
#include "fences.inc"
}

extern "C" __global__ void mended(long long x, int y, int i, float *r) {
  r[0] = array[i + 1].x;
  r[1] = balls[i + 1].s.z;
  r[2] = balls[i + 1].p[i].y;
  r[3] = balls[i].p == nullptr;
  r[4] = balls[i + 1].r;
  r[5] = (x >> 56) & 0xffff;
  r[6] = (y > 0 && x < 5) ? -1 : 0;
}
