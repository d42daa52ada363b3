/* Forms that clang 14 or libclc have wrong (test_mended.c).  Each check of a kernel is counted in
 * o[1]; o[0] is the number of the last one that failed. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define CHECK(value, want)                                                                         \
  o[1]++;                                                                                          \
  if (!((value) == (want)))                                                                        \
    o[0] = o[1];

#ifdef ELEMENTS_ONLY
/* ---- variable elements of vectors in each space ---- */

#define ELEMENT(T, n)                                                                              \
  __local T##n l##n[2];                                                                            \
  T##n p##n[3];                                                                                    \
  p##n[i + 1] = (T##n)(T##_numbers[i + 1]);                                                        \
  p##n[i + 2] = (T##n)(3);                                                                         \
  l##n[i] = (T##n)(5);                                                                             \
  l##n[i + 1] = vload##n(0, T##_numbers + i);                                                      \
  CHECK(l##n[i + 1][i + 1], 7)                                                                     \
  CHECK(i != 0 ? l##n[i + 1].s0 : l##n[i + 1].s1, 7)                                               \
  CHECK(l##n[i + 1][i == 0], 7)                                                                    \
  CHECK(p##n[i + 1][i], 7)                                                                         \
  CHECK(p##n[i + 2][i + 1], 3)                                                                     \
  CHECK(((__constant T##2 *)T##_numbers)[i + 1][(uchar)i + 1], 9)                                  \
  CHECK(as_##T##n(l##n[i + 1])[i + n - 1], T##_numbers[i + n - 1])
#define ELEMENTS(T)                                                                                \
  __constant T T##_numbers[16] = {6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21};     \
  __kernel void T##_elements(__global uint *o, uint i) {                                           \
    ELEMENT(T, 2) ELEMENT(T, 3) ELEMENT(T, 4) ELEMENT(T, 8) ELEMENT(T, 16)                         \
  }
ELEMENTS(char)
ELEMENTS(short)
ELEMENTS(int)
ELEMENTS(long)
ELEMENTS(float)
ELEMENTS(double)
ELEMENTS(half)

/* The low bits of bytes; the loop makes all loads of them neighbours. */
__constant uchar4 masks[2] = {(uchar4)(9), (uchar4)(1, 18, 3, 132)};
__kernel void low_bytes(__global uint *o, uint i) {
  const char16 x = (char16)(10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25);
  char4 r;
  uint n = 0;
  do
    r = shuffle(x, masks[i + 1]);
  while (++n < i);
  CHECK(r.x, 11)
  CHECK(r.y, 12)
  CHECK(r.z, 13)
  CHECK(r.w, 14)
}
#else

/* ---- vectors of three in initial values ---- */

#if __OPENCL_C_VERSION__ == 200
#define PROGRAM_SCOPE(...) __VA_ARGS__
#else
#define PROGRAM_SCOPE(...)
#endif

#define THREES(T)                                                                                  \
  typedef struct {                                                                                 \
    T##3 v;                                                                                        \
    T r;                                                                                           \
  } T##_ball;                                                                                      \
  typedef struct {                                                                                 \
    char c, name[4];                                                                               \
    T##_ball b[2];                                                                                 \
    union {                                                                                        \
      T##3 v;                                                                                      \
      uchar bytes[64];                                                                             \
    } u;                                                                                           \
    __constant T *p;                                                                               \
    T##3 w;                                                                                        \
    __constant T##3 * q;                                                                           \
  } T##_nest;                                                                                      \
  typedef struct __attribute__((packed)) {                                                         \
    char c;                                                                                        \
    T##3 v;                                                                                        \
    T r;                                                                                           \
  } T##_packed;                                                                                    \
  __constant T##3 T##_one = (T##3)(1, 2, 3);                                                       \
  __constant T##3 T##_array[4] = {(T##3)(1, 2, 3), (T##3)(0), (T##3)(4, 5, 6), (T##3)(7, 8, 9)};   \
  __constant T##_ball T##_balls[2] = {{(T##3)(1, 2, 3), 4}, {(T##3)(5, 6, 7), 8}};                 \
  __constant T##3 T##_deep[2][2] = {{(T##3)(1, 2, 3), (T##3)(4, 5, 6)}, {(T##3)(7, 8, 9)}};        \
  __constant T##_nest T##_nests[2] = {                                                             \
      {1,                                                                                          \
       "\\\"b",                                                                                    \
       {{(T##3)(2, 3, 4), 5}, {(T##3)(6, 7, 8), 9}},                                               \
       {(T##3)(10, 11, 12)},                                                                       \
       &T##_balls[1].r,                                                                            \
       (T##3)(13, 14, 15),                                                                         \
       &T##_array[2]},                                                                             \
      {2, "", {{(T##3)(3, 4, 5), 6}}, {(T##3)(7, 8, 9)}, 0, (T##3)(16, 17, 18), &T##_deep[1][0]}}; \
  __constant T##_packed T##_packs[2] = {{1, (T##3)(2, 3, 4), 5}, {6, (T##3)(7, 8, 9), 10}};        \
  PROGRAM_SCOPE(__global T##3 T##_global[2] = {(T##3)(1, 2, 3), (T##3)(4, 5, 6)};                  \
                __global T##_ball T##_global_ball = {(T##3)(1, 2, 3), 4};)                         \
  __kernel void T##_threes(__global uint *o, uint i) {                                             \
    const T##3 mine[3] = {(T##3)(1, 0, 0), (T##3)(2, 3, 4), (T##3)(5, 6, 7)};                      \
    T##_ball balls[2] = {{(T##3)(1, 2, 3), 4}, {(T##3)(5, 6, 7), 8}};                              \
    T##_nest nest = {                                                                              \
        1,         "c", {{(T##3)(2, 3, 4), 5}, {(T##3)(6, 7, 8), 9}}, {(T##3)(10, 11, 12)}, 0,     \
        (T##3)(1), 0};                                                                             \
    CHECK((&T##_one)[i].x, 1)                                                                      \
    CHECK((&T##_one)[i].z, 3)                                                                      \
    CHECK(T##_array[i].z, 3)                                                                       \
    CHECK(T##_array[i + 1].x, 0)                                                                   \
    CHECK(T##_array[i + 2].x, 4)                                                                   \
    CHECK(T##_array[i + 3].z, 9)                                                                   \
    CHECK(T##_balls[i].r, 4)                                                                       \
    CHECK(T##_balls[i + 1].v.y, 6)                                                                 \
    CHECK(T##_balls[i + 1].r, 8)                                                                   \
    CHECK(T##_deep[i][i + 1].x, 4)                                                                 \
    CHECK(T##_deep[i + 1][i].z, 9)                                                                 \
    CHECK(T##_deep[i + 1][i + 1].x, 0)                                                             \
    CHECK(T##_nests[i].name[i], 92)                                                                \
    CHECK(T##_nests[i].name[i + 2], 98)                                                            \
    CHECK(T##_nests[i].b[i].v.x, 2)                                                                \
    CHECK(T##_nests[i].b[i + 1].v.z, 8)                                                            \
    CHECK(T##_nests[i].b[i + 1].r, 9)                                                              \
    CHECK(T##_nests[i].u.v.z, 12)                                                                  \
    CHECK(*T##_nests[i].p, 8)                                                                      \
    CHECK(T##_nests[i].w.y, 14)                                                                    \
    CHECK(T##_nests[i].q[i].y, 5)                                                                  \
    CHECK(T##_nests[i].q[i + 1].z, 9)                                                              \
    CHECK(T##_nests[i + 1].c, 2)                                                                   \
    CHECK(T##_nests[i + 1].b[i].r, 6)                                                              \
    CHECK(T##_nests[i + 1].b[i + 1].v.z, 0)                                                        \
    CHECK(T##_nests[i + 1].u.v.x, 7)                                                               \
    CHECK(T##_nests[i + 1].p, 0)                                                                   \
    CHECK(T##_nests[i + 1].w.z, 18)                                                                \
    CHECK(T##_nests[i + 1].q[i].y, 8)                                                              \
    CHECK(T##_packs[i].c, 1)                                                                       \
    CHECK(T##_packs[i + 1].c, 6)                                                                   \
    CHECK(mine[i].x, 1)                                                                            \
    CHECK(mine[i + 1].y, 3)                                                                        \
    CHECK(mine[i + 2].z, 7)                                                                        \
    balls[i].r += (T)1;                                                                            \
    CHECK(balls[i].r, 5)                                                                           \
    CHECK(balls[i + 1].v.z, 7)                                                                     \
    CHECK(balls[i + 1].r, 8)                                                                       \
    CHECK(nest.b[i + 1].r, 9)                                                                      \
    CHECK(nest.b[i].v.z, 4)                                                                        \
    PROGRAM_SCOPE(CHECK(T##_global[i + 1].y, 5) CHECK((&T##_global_ball)[i].r, 4))                 \
  }
#if defined(THREES_OF)
#define THREES_(T) THREES(T)
THREES_(THREES_OF)
#else
THREES(char)
THREES(uchar)
THREES(short)
THREES(ushort)
THREES(int)
THREES(uint)
THREES(long)
THREES(ulong)
THREES(float)
THREES(double)
THREES(half)
#endif

/* ---- fields that reach beyond the sign; bits with a sign as floats ---- */

#define FIELDS(shift, mask)                                                                        \
  *r++ = (x >> shift) & mask;                                                                      \
  *r++ = (long)((ulong)x >> shift) & mask;                                                         \
  *r++ = (y >> shift % 32) & (int)(mask & 0x7fffffff);                                             \
  *r++ = (uchar)(x >> shift);                                                                      \
  *r++ = (ushort)(x >> shift);                                                                     \
  *r++ = (uint)(x >> shift);                                                                       \
  *r++ = (ushort)(y >> shift % 32);
#define BITS(n, op)
__kernel void fields(__global const long *a, __global long *r) {
  const long x = a[get_global_id(0)];
  const int y = (int)x;
  r += get_global_id(0) * 71;
#include "mended.inc"
  ulong z; /* as the source says */
  __asm__("bfe.u64 %0, %1, 56, 16;" : "=l"(z) : "l"(x));
  *r = (long)z;
}

#undef FIELDS
#undef BITS
#define FIELDS(shift, mask)
#define BITS(n, op)                                                                                \
  *r++ = (float)-((x < y) op(x > 0));                                                              \
  *r++ = (float)(short)-((x < y) op(x > 0));                                                       \
  *r++ = (float)(char)-((x < y) op(x > 0));                                                        \
  *r++ = (float)(long)-((x < y) op(x > 0));                                                        \
  *r++ = (float)(double)-((x < y) op(x > 0));                                                      \
  *r++ = (float)(half) - ((x < y) op(x > 0));                                                      \
  *r++ = (float)(double)-(long)((x < y) op(x > 0));                                                \
  *r++ = ((x < y) op(x > 0)) ? -1 : 0;                                                             \
  *r++ = convert_float2(((int2)(x, y) < (int2)(y, 9)) op((int2)(x, y) > (int2)(0))).x;             \
  *r++ = convert_float4(((int4)(x) < (int4)(y)) op((int4)(x) > (int4)(0))).w;                      \
  *r++ = (float)convert_double8(((long8)(x) < (long8)(y)) op((long8)(x) > (long8)(0))).s5;         \
  *r++ = (float)convert_half3(((short3)(x) < (short3)(y)) op((short3)(x) > (short3)(0))).z;        \
  *r++ = -(float)((x < y) op(x > 0));                                                              \
  *r++ = -(float)(uint)((x < y) op(x > 0));
__kernel void bits(__global const int *a, __global float *r) {
  const int x = a[2 * get_global_id(0)], y = a[2 * get_global_id(0) + 1];
  r += get_global_id(0) * 44;
#include "mended.inc"
  *r++ = (x < y && x > 0) ? -1 : 0;
  *r++ = (double)((x < y || x > 0) ? -1 : 0);
}

/* ---- saturated conversions of a NaN that the compiler knows ---- */

#define SAT_WIDTH(to, mode, n)                                                                     \
  CHECK(convert_##to##n##_sat##mode((float##n)(NAN)) LAST_##n |                                    \
            convert_##to##n##_sat##mode((double##n)(NAN)) LAST_##n |                               \
            convert_##to##n##_sat##mode((half##n)(as_half((ushort)0x7e00))) LAST_##n,              \
        0)
#define LAST_
#define LAST_3 .z
#define LAST_16 .sf
#define SAT_MODE(to, mode) SAT_WIDTH(to, mode, ) SAT_WIDTH(to, mode, 3) SAT_WIDTH(to, mode, 16)
#define SAT(to)                                                                                    \
  __kernel void to##_nans(__global uint *o) {                                                      \
    SAT_MODE(to, ) SAT_MODE(to, _rte) SAT_MODE(to, _rtz) SAT_MODE(to, _rtp) SAT_MODE(to, _rtn)     \
  }
SAT(char)
SAT(uchar)
SAT(short)
SAT(ushort)
SAT(int)
SAT(uint)
SAT(long)
SAT(ulong)

/* ---- the wait for asynchronous copies ---- */

#define COPY(T, n)                                                                                 \
  __local T##n l##n[1], m##n[1], s##n[1];                                                          \
  l##n[0] = m##n[0] = s##n[0] = (T##n)(0);                                                         \
  barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
  e[0] = async_work_group_copy(l##n, (const __global T##n *)in, 1, 0);                             \
  e[1] = async_work_group_copy(m##n, (const __global T##n *)in + 1, 1, 0);                         \
  wait_group_events(2, e);                                                                         \
  *r++ = l##n[0] FIRST_##n + m##n[0] FIRST_##n;                                                    \
  e[0] = async_work_group_strided_copy(s##n, (const __global T##n *)in + 1, 1, 3, e[0]);           \
  wait_group_events(1, e);                                                                         \
  *r++ = s##n[0] FIRST_##n;
#define FIRST_
#define FIRST_2 .x
#define FIRST_3 .x
#define FIRST_4 .x
#define FIRST_8 .s0
#define FIRST_16 .s0
#define COPIES(T)                                                                                  \
  __kernel void T##_copies(__global const uint *in, __global T *r) {                               \
    event_t e[2];                                                                                  \
    r += get_global_id(0) * 12;                                                                    \
    COPY(T, ) COPY(T, 2) COPY(T, 3) COPY(T, 4) COPY(T, 8) COPY(T, 16)                              \
  }
COPIES(char)
COPIES(uchar)
COPIES(short)
COPIES(ushort)
COPIES(int)
COPIES(uint)
COPIES(long)
COPIES(ulong)

/* ---- what options make of structures, and of arguments in other spaces ---- */

typedef struct {
  int a[9];
  char c;
} record;
__kernel void records(__global const int *in, __global int *r, __constant int *c, __local int *l) {
  const uint i = get_local_id(0);
  record one, two[2];
  for (uint k = 0; k < 9; k++)
    one.a[k] = in[k];
  one.c = (char)i;
  two[i] = one;
  two[1 - i] = two[i];
  one = two[c[0] - 1];
  l[i] = c[i + 1] + one.c;
  r[i] = one.a[4] + two[i].a[6 + i] + l[i] - one.c;
}

/* One warp in step: clang's own barrier and fences. */
__kernel void fences(__global const int *in, __global int *out) {
  __local int a[1], b, c, d;
  const uint t = get_local_id(0);
#include "fences.inc"
}

/* One warp in step: atomics keep the order of other accesses, too. */
#if __OPENCL_C_VERSION__ >= 200
__kernel void ordered(__global uint *out) {
  __local atomic_uint flag;
  __local uint seed;
  uint t = get_local_id(0);
  seed = 1;
  for (uint k = 0; k < 4; k++) {
    atomic_store_explicit(&flag, k, memory_order_release, memory_scope_work_group);
    if (t == k)
      seed += t * 3;
    uint seen = atomic_load_explicit(&flag, memory_order_acquire, memory_scope_work_group);
    out[k * get_local_size(0) + t] = seed + (seen - k);
  }
}
#endif
#endif
