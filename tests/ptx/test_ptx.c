/* PTX as written by hand and by other compilers: forms that clang does not produce for OpenCL C. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/ptx/machine.h"

typedef uint32_t u32;
typedef uint64_t u64;

/* ---- snippets: %r1 to %r4 are a thread's inputs, %r10 to %r13 its outputs ---- */

#define REGS                                                                                       \
  "{ .reg .pred %p<10>; .reg .b16 %h<10>; .reg .b32 %r<34>; .reg .f32 %f<16>; .reg .b64 "          \
  "%rd<16>;\n"                                                                                     \
  " .reg .f64 %d<8>; .reg .u32 %x, %y;\n"
#define HEAD32                                                                                     \
  ".version 3.2\n.target sm_20\n.address_size 32\n"                                                \
  ".visible .entry k(.param .u32 in, .param .u32 out)\n" REGS                                      \
  " ld.param.u32 %r30, [in]; ld.param.u32 %r31, [out]; mov.u32 %r0, %tid.x;\n"                     \
  " shl.b32 %r32, %r0, 4; add.s32 %r30, %r30, %r32; add.s32 %r31, %r31, %r32;\n"                   \
  " ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%r30];\n"                                              \
  " mov.u32 %r10, 0; mov.u32 %r11, 0; mov.u32 %r12, 0; mov.u32 %r13, 0;\n"
#define TAIL32 " st.global.v4.u32 [%r31], {%r10, %r11, %r12, %r13};\n ret; }\n"

typedef void expect_fn(u32 lane, const u32 *a, u32 *r);
struct snippet {
  const char *name, *body;
  expect_fn *expect;
};
#define S(name) static void x_##name(u32 lane, const u32 *a, u32 *r)
#define UNUSED (void)lane, (void)a, (void)r

static float as_f(u32 u) {
  float f;
  memcpy(&f, &u, 4);
  return f;
}
static u32 of_f(float f) {
  u32 u;
  memcpy(&u, &f, 4);
  return u;
}
static u64 cat(u32 lo, u32 hi) { return (u64)hi << 32 | lo; }
static void put(u32 *r, u64 v) {
  r[0] = (u32)v;
  r[1] = (u32)(v >> 32);
}

S(carry) {
  UNUSED;
  put(r, cat(a[0], a[1]) + cat(a[2], a[3]));
  put(r + 2, cat(a[0], a[1]) - cat(a[2], a[3]));
}
#define CARRY                                                                                      \
  "add.cc.u32 %r10, %r1, %r3; addc.u32 %r11, %r2, %r4;\n"                                          \
  "mov.u32 %r12, %r1; sub.cc.u32 %r12, %r12, %r3; subc.u32 %r13, %r2, %r4;\n"

S(carry96) { /* 96 bits: the carry passes a middle word */
  UNUSED;
  u64 s0 = (u64)a[0] + a[3], s1 = (u64)a[1] + a[2] + (s0 >> 32);
  r[0] = (u32)s0, r[1] = (u32)s1, r[2] = (u32)(a[2] + (u64)a[1] + (s1 >> 32));
  r[3] = a[0] - a[1] > a[0] ? 0U - 1U : 0U;
}
#define CARRY96                                                                                    \
  "add.cc.u32 %r10, %r1, %r4; addc.cc.u32 %r11, %r2, %r3; addc.u32 %r12, %r3, %r2;\n"              \
  "sub.cc.u32 %r5, %r1, %r2; subc.u32 %r13, 0, 0;\n"

S(product128) { /* mad.cc chains: the low 96 bits of a 64-bit square */
  UNUSED;
  unsigned __int128 p = (unsigned __int128)cat(a[0], a[1]) * cat(a[2], a[3]);
  for (int i = 0; i < 4; i++)
    r[i] = (u32)(p >> 32 * i);
}
#define PRODUCT128                                                                                 \
  "mul.lo.u32 %r10, %r1, %r3; mul.hi.u32 %r11, %r1, %r3;\n"                                        \
  "mad.lo.cc.u32 %r11, %r1, %r4, %r11; madc.hi.u32 %r12, %r1, %r4, 0;\n"                           \
  "mad.lo.cc.u32 %r11, %r2, %r3, %r11; madc.hi.cc.u32 %r12, %r2, %r3, %r12; addc.u32 %r13, 0, "    \
  "0;\n"                                                                                           \
  "mad.lo.cc.u32 %r12, %r2, %r4, %r12; madc.hi.u32 %r13, %r2, %r4, %r13;\n"

S(carry64) {
  UNUSED;
  unsigned __int128 x = (unsigned __int128)cat(a[0], a[1]) << 64 | cat(a[2], a[3]);
  unsigned __int128 y = (unsigned __int128)cat(a[3], a[2]) << 64 | cat(a[1], a[0]), s = x + y;
  for (int i = 0; i < 4; i++)
    r[i] = (u32)(s >> 32 * i);
}
#define CARRY64                                                                                    \
  "mov.b64 %rd1, {%r1, %r2}; mov.b64 %rd2, {%r3, %r4}; mov.b64 %rd3, {%r4, %r3};\n"                \
  "mov.b64 %rd4, {%r2, %r1}; add.cc.u64 %rd5, %rd2, %rd4; addc.u64 %rd6, %rd1, %rd3;\n"            \
  "mov.b64 {%r10, %r11}, %rd5; mov.b64 {%r12, %r13}, %rd6;\n"

S(setp) {
  UNUSED;
  bool c = (a[0] & 1) != 0, lt = (int)a[0]<(int)a[1], hi = a[2]> a[3];
  r[0] = (u32)(lt && c) | (u32)(!lt && c) << 1;
  r[1] = (u32)(hi || c) | (u32)(!hi || c) << 1;
  r[2] = (u32)(lt != c) | (u32)(!lt != c) << 1;
  r[3] = (u32)lt | (u32)!lt << 1 | (u32)(lt && !c) << 2;
}
#define SETP                                                                                       \
  "and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 1;\n"                                                \
  "setp.lt.and.s32 %p2|%p3, %r1, %r2, %p1; selp.u32 %r10, 1, 0, %p2; @%p3 or.b32 %r10, %r10, 2;\n" \
  "setp.hi.or.u32 %p2|%p3, %r3, %r4, %p1; selp.u32 %r11, 1, 0, %p2; @%p3 or.b32 %r11, %r11, 2;\n"  \
  "mov.pred %p2, %p1; setp.lt.xor.s32 %p2|%p3, %r1, %r2, %p2;\n"                                   \
  "selp.u32 %r12, 1, 0, %p2; @%p3 or.b32 %r12, %r12, 2;\n"                                         \
  "setp.lt.s32 %p4|%p5, %r1, %r2; selp.u32 %r13, 1, 0, %p4; @%p5 add.u32 %r13, %r13, 2;\n"         \
  "setp.lt.and.s32 %p6, %r1, %r2, !%p1; @%p6 or.b32 %r13, %r13, 4;\n"

S(setp_float) {
  UNUSED;
  float x = as_f(a[0]), y = as_f(a[1]);
  bool nan = x != x || y != y;
  r[0] = (u32)(x < y) | (u32)(x <= y) << 1 | (u32)(x > y) << 2 | (u32)(x >= y) << 3 |
         (u32)(x == y) << 4 | (u32)(!nan && x != y) << 5;
  r[1] = (u32)(nan || x < y) | (u32)(nan || x <= y) << 1 | (u32)(nan || x > y) << 2 |
         (u32)(nan || x >= y) << 3 | (u32)(nan || x == y) << 4 | (u32)(nan || x != y) << 5;
  r[2] = (u32)!nan | (u32)nan << 1;
  r[3] = (x < y ? 0xffffffffU : 0) ^ (x > y ? 0x3f800000U : 0);
}
#define CMP(n, bit, to)                                                                            \
  "setp." #n ".f32 %p1, %f1, %f2; @%p1 or.b32 %r" #to ", %r" #to ", " #bit ";\n"
#define SETP_FLOAT                                                                                 \
  "mov.b32 %f1, %r1; mov.b32 %f2, %r2;\n" CMP(lt, 1, 10) CMP(le, 2, 10) CMP(gt, 4, 10)             \
      CMP(ge, 8, 10) CMP(eq, 16, 10) CMP(ne, 32, 10) CMP(ltu, 1, 11) CMP(leu, 2, 11)               \
          CMP(gtu, 4, 11) CMP(geu, 8, 11) CMP(equ, 16, 11) CMP(neu, 32, 11) CMP(num, 1, 12)        \
              CMP(nan, 2, 12) "set.lt.u32.f32 %r5, %f1, %f2; set.gt.f32.f32 %f3, %f1, %f2;\n"      \
                              "mov.b32 %r6, %f3; xor.b32 %r13, %r5, %r6;\n"

static u32 bfe(u32 v, u32 pos, u32 len, bool sign) {
  u32 d = 0, top = len == 0 ? 0 : (pos + len - 1 < 31 ? pos + len - 1 : 31);
  u32 fill = sign && len ? v >> top & 1 : 0;
  for (u32 i = 0; i < 32; i++)
    d |= (i < len && pos + i <= 31 ? v >> (pos + i) & 1 : fill) << i;
  return d;
}
S(bitfields) {
  UNUSED;
  u32 pos = a[1] & 31, len = a[2] & 31;
  r[0] = bfe(a[0], pos, len, false);
  r[1] = bfe(a[0], pos, len, true);
  u64 mask = ((UINT64_C(1) << len) - 1) << pos;
  r[2] = (u32)((a[3] & ~mask) | ((u64)a[0] << pos & mask));
  r[3] = (a[0] & 0xff0000ffU) | (a[3] & 0xffffU) << 8;
}
#define BITFIELDS                                                                                  \
  "and.b32 %r5, %r2, 31; and.b32 %r6, %r3, 31;\n"                                                  \
  "bfe.u32 %r10, %r1, %r5, %r6; bfe.s32 %r11, %r1, %r5, %r6; bfi.b32 %r12, %r1, %r4, %r5, %r6;\n"  \
  "bfi.b32 %r13, %r4, %r1, 8, 16;\n"

S(bitfields64) {
  UNUSED;
  u64 v = cat(a[0], a[1]);
  u32 pos = a[2] & 63, len = a[3] & 31;
  u64 mask = ((UINT64_C(1) << len) - 1) << pos;
  put(r, (v & ~mask) | (~v << pos & mask));
  u64 f = v >> pos & ((UINT64_C(1) << len) - 1);
  put(r + 2, f);
}
#define BITFIELDS64                                                                                \
  "and.b32 %r5, %r3, 63; and.b32 %r6, %r4, 31; mov.b64 %rd1, {%r1, %r2}; not.b64 %rd2, %rd1;\n"    \
  "bfi.b64 %rd3, %rd2, %rd1, %r5, %r6; mov.b64 {%r10, %r11}, %rd3;\n"                              \
  "bfe.u64 %rd4, %rd1, %r5, %r6; mov.b64 {%r12, %r13}, %rd4;\n"

S(counts) {
  UNUSED;
  u64 v = cat(a[1], a[0]);
  r[0] = (u32)__builtin_popcount(a[0]) | (a[0] ? (u32)__builtin_clz(a[0]) : 32) << 8;
  r[1] = (u32)__builtin_popcountll(v) | (v ? (u32)__builtin_clzll(v) : 64) << 8;
  r[2] = v ? 63 - (u32)__builtin_clzll(v) : UINT32_MAX;
  u64 s = (int64_t)v < 0 ? ~v : v;
  r[3] = s ? (u32)__builtin_clzll(s) : UINT32_MAX;
}
#define COUNTS                                                                                     \
  "popc.b32 %r5, %r1; clz.b32 %r6, %r1; shl.b32 %r6, %r6, 8; or.b32 %r10, %r5, %r6;\n"             \
  "mov.b64 %rd1, {%r2, %r1}; popc.b64 %r5, %rd1; clz.b64 %r6, %rd1; shl.b32 %r6, %r6, 8;\n"        \
  "or.b32 %r11, %r5, %r6; bfind.u64 %r12, %rd1; bfind.shiftamt.s64 %r13, %rd1;\n"

S(permute) {
  UNUSED;
  u64 v = cat(a[0], a[1]);
  u32 n = a[2] & 31, c = (a[2] & 63) > 32 ? 32 : a[2] & 63;
  r[0] = (u32)(v >> 24 & 0xff) | (u32)(v >> 40 & 0xff) << 8 | (u32)(v & 0xff) << 16 |
         ((u32)(v >> 56 & 0x80) ? 0xff000000U : 0);
  r[1] = (u32)(v << n >> 32);
  r[2] = (u32)(v >> c);
  r[3] = (a[0] & a[1]) | (a[2] & ~a[0]);
}
#define PERMUTE                                                                                    \
  "prmt.b32 %r10, %r1, %r2, 0xf053; and.b32 %r5, %r3, 63;\n"                                       \
  "shf.l.wrap.b32 %r11, %r1, %r2, %r3; shf.r.clamp.b32 %r12, %r1, %r2, %r5;\n"                     \
  "lop3.b32 %r13, %r1, %r2, %r3, 0xca;\n"

S(narrow) {
  UNUSED;
  short x = (short)a[0], y = (short)(a[1] | 1);
  uint16_t u = (uint16_t)a[2], v = (uint16_t)(a[3] | 1);
  r[0] = (u32)(uint16_t)(x / y) | (u32)(u / v) << 16;
  r[1] = (u32)(uint16_t)((x * y) >> 16) | (u32)(uint16_t)(((u32)u * v) >> 16) << 16;
  r[2] = (u32)(x * y) + a[0];
  r[3] = (u32)(uint16_t)(x < y ? x : y) | (u32)(u > v ? u : v) << 16;
}
#define NARROW                                                                                     \
  "cvt.u16.u32 %h1, %r1; or.b32 %r5, %r2, 1; cvt.u16.u32 %h2, %r5; cvt.u16.u32 %h3, %r3;\n"        \
  "or.b32 %r5, %r4, 1; cvt.u16.u32 %h4, %r5;\n"                                                    \
  "div.s16 %h5, %h1, %h2; div.u16 %h6, %h3, %h4; mov.b32 %r10, {%h5, %h6};\n"                      \
  "mul.hi.s16 %h5, %h1, %h2; mul.hi.u16 %h6, %h3, %h4; mov.b32 %r11, {%h5, %h6};\n"                \
  "mad.wide.s16 %r12, %h1, %h2, %r1; min.s16 %h5, %h1, %h2; max.u16 %h6, %h3, %h4;\n"              \
  "mov.b32 %r13, {%h5, %h6};\n"

S(convert) {
  UNUSED;
  int64_t v = (int64_t)cat(a[0], a[1]);
  r[0] = (u32)(int)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v);
  r[1] = v < 0 ? 0 : v > 255 ? 255 : (u32)v;
  r[2] = (u32)(int8_t)a[2];
  r[3] = a[3] > 0x7fffffffU ? 0x7fffffffU : a[3];
}
#define CONVERT                                                                                    \
  "mov.b64 %rd1, {%r1, %r2}; cvt.sat.s32.s64 %r10, %rd1; cvt.sat.u8.s64 %r11, %rd1;\n"             \
  "cvt.s8.u32 %r12, %r3; cvt.sat.s32.u32 %r13, %r4;\n"

S(rounding) {
  UNUSED;
  float x = (float)(int)a[0] * 0.001f;
  r[0] = of_f(floorf(x));
  r[1] = (u32)(int)ceilf(x);
  r[2] = (u32)(int)rintf(x);
  r[3] = of_f(x < 0 ? 0 : x > 1 ? 1 : x);
}
#define ROUNDING                                                                                   \
  "cvt.rn.f32.s32 %f1, %r1; mul.f32 %f1, %f1, 0f3A83126F; cvt.rmi.f32.f32 %f2, %f1;\n"             \
  "mov.b32 %r10, %f2; cvt.rpi.s32.f32 %r11, %f1; cvt.rni.s32.f32 %r12, %f1;\n"                     \
  "cvt.sat.f32.f32 %f3, %f1; mov.b32 %r13, %f3;\n"

S(signs) {
  UNUSED;
  r[0] = (a[0] & 0x80000000U) | (a[1] & 0x7fffffffU);
  put(r + 1, (cat(a[2], a[3]) & INT64_MAX) | (cat(a[0], a[1]) & (UINT64_C(1) << 63)));
  u32 m = a[2] & 0x7fffffffU;
  r[3] = (m < 0x7f800000U) | (m == 0x7f800000U) << 1 | (m > 0x7f800000U) << 2 |
         (m >= 0x800000U && m < 0x7f800000U) << 3 | (m && m < 0x800000U) << 4;
}
#define TESTP(n, bit) "testp." #n ".f32 %p1, %f3; @%p1 or.b32 %r13, %r13, " #bit ";\n"
#define SIGNS                                                                                      \
  "mov.b32 %f1, %r1; mov.b32 %f2, %r2; mov.b32 %f3, %r3; copysign.f32 %f4, %f1, %f2;\n"            \
  "mov.b32 %r10, %f4; mov.b64 %d1, {%r1, %r2}; mov.b64 %d2, {%r3, %r4};\n"                         \
  "copysign.f64 %d2, %d1, %d2; mov.b64 {%r11, %r12}, %d2;\n" TESTP(finite, 1) TESTP(infinite, 2)   \
      TESTP(notanumber, 4) TESTP(normal, 8) TESTP(subnormal, 16)

S(select) {
  UNUSED;
  r[0] = (int)a[0] >= 0 ? a[1] : a[2];
  r[1] = as_f(a[0]) >= 0 ? a[3] : a[2];
  r[2] = (a[0] > a[1] ? a[0] - a[1] : a[1] - a[0]) + a[2];
  r[3] = a[3] == 0;
}
#define SELECT                                                                                     \
  "mov.b32 %f1, %r1; slct.u32.s32 %r10, %r2, %r3, %r1; slct.u32.f32 %r11, %r4, %r3, %f1;\n"        \
  "sad.u32 %r12, %r1, %r2, %r3; cnot.b32 %r13, %r4;\n"

S(twenty_four) {
  UNUSED;
  int x = (int)(a[0] << 8) >> 8, y = (int)(a[1] << 8) >> 8;
  r[0] = (u32)((int64_t)x * y);
  r[1] = (u32)(((int64_t)x * y) >> 16);
  r[2] = (u32)((u64)(a[0] & 0xffffff) * (a[1] & 0xffffff)) + a[2];
  r[3] = (u32)(((int64_t)(int)a[0] * (int)a[1]) >> 32) + a[3];
}
#define TWENTY_FOUR                                                                                \
  "mul24.lo.s32 %r10, %r1, %r2; mul24.hi.s32 %r11, %r1, %r2; mad24.lo.u32 %r12, %r1, %r2, %r3;\n"  \
  "mad.hi.s32 %r13, %r1, %r2, %r4;\n"

S(guards) {
  UNUSED;
  bool p = a[0] > a[1], q = (a[2] & 3) == 1;
  r[0] = p ? a[0] * 3 : 7;
  r[1] = q ? (u32)((int16_t)a[3] / 5) : p ? 11 : 13;
  r[2] = !q ? a[1] + 1 : 0;
  r[3] = p && q ? 1 : p ? 2 : 3;
}
#define GUARDS                                                                                     \
  "setp.gt.u32 %p1, %r1, %r2; and.b32 %r5, %r3, 3; setp.eq.s32 %p2, %r5, 1;\n"                     \
  "mov.u32 %r10, 7; @%p1 mul.lo.s32 %r10, %r1, 3; mov.u32 %r11, 13; @%p1 mov.u32 %r11, 11;\n"      \
  "cvt.u16.u32 %h1, %r4; @%p2 div.s16 %h2, %h1, 5; @%p2 cvt.s32.s16 %r11, %h2;\n"                  \
  "@!%p2 add.s32 %r12, %r2, 1; and.pred %p3, %p1, %p2; mov.u32 %r13, 3;\n"                         \
  "@%p1 mov.u32 %r13, 2; @%p3 mov.u32 %r13, 1;\n"

S(early_end) { /* guarded ends, and a guarded load and store */
  UNUSED;
  bool done = (a[0] & 3) == 0;
  r[0] = done ? 0xdead0000U : a[0] & 4 ? a[1] : 5;
  r[1] = done ? 0 : a[1] & 1 ? 0 : a[2];
  r[2] = done || (a[1] & 1) ? 0 : 1;
  r[3] = 0;
}
#define EARLY_END                                                                                  \
  "mov.u32 %r5, 0xdead0000; st.global.u32 [%r31], %r5; and.b32 %r5, %r1, 3;\n"                     \
  "setp.eq.s32 %p1, %r5, 0; @%p1 exit; and.b32 %r5, %r1, 4; setp.ne.s32 %p2, %r5, 0;\n"            \
  "mov.u32 %r10, 5; @%p2 ld.global.u32 %r10, [%r30+4]; st.global.u32 [%r31], %r10;\n"              \
  "and.b32 %r5, %r2, 1; setp.eq.s32 %p3, %r5, 1; @%p3 ret; mov.u32 %r11, %r3; mov.u32 %r12, 1;\n"

S(votes) {
  UNUSED;
  r[0] = 0x55555555U;
  r[1] = lane < 16 ? 0xffffU : 7U;
  r[2] = lane;
  r[3] = 3;
}
#define VOTES                                                                                      \
  "and.b32 %r5, %r0, 1; setp.eq.s32 %p1, %r5, 0; vote.ballot.b32 %r10, %p1;\n"                     \
  "mov.u32 %r11, 7; setp.lt.u32 %p2, %r0, 16; @!%p2 bra over; activemask.b32 %r11;\nover:\n"       \
  "mov.u32 %r12, %laneid; vote.any.pred %p3, %p1; vote.all.pred %p4, %p1;\n"                       \
  "selp.u32 %r13, 1, 0, %p3; @!%p4 or.b32 %r13, %r13, 2;\n"

S(spaces) {
  UNUSED;
  r[0] = a[0] + a[1];
  r[1] = a[2];
  r[2] = 1 | 2 << 4 | 4 << 8;
  r[3] = a[3] ^ 5;
}
#define SPACES                                                                                     \
  ".shared .align 4 .b8 sh[512]; .local .align 8 .b8 lo[16];\n"                                    \
  "shl.b32 %r5, %r0, 2; mov.u32 %r6, sh; add.s32 %r6, %r6, %r5; cvta.shared.u32 %r7, %r6;\n"       \
  "st.u32 [%r7], %r1; ld.shared.u32 %r8, [%r6]; add.s32 %r10, %r8, %r2;\n"                         \
  "mov.u32 %r14, lo; cvta.local.u32 %r15, %r14; st.u32 [%r15+8], %r3; ld.local.u32 %r11, "         \
  "[lo+8];\n"                                                                                      \
  "isspacep.shared %p1, %r7; isspacep.local %p2, %r15; isspacep.global %p3, %r30;\n"               \
  "selp.u32 %r12, 1, 0, %p1; @%p2 or.b32 %r12, %r12, 32; @%p3 or.b32 %r12, %r12, 0x400;\n"         \
  "cvta.to.shared.u32 %r16, %r7; st.volatile.shared.u32 [%r16], %r4;\n"                            \
  "atom.xor.b32 %r17, [%r7], 5; ld.u32 %r13, [%r7];\n"

S(indirect) {
  UNUSED;
  static const u32 v[4] = {10, 20, 30, 40};
  r[0] = v[a[0] & 3];
  r[1] = 1, r[2] = r[3] = 0;
}
#define INDIRECT                                                                                   \
  "and.b32 %r5, %r1, 3;\nlist: .branchtargets L0, L1, L2, L3;\nbrx.idx %r5, list;\n"               \
  "L0: mov.u32 %r10, 10; bra done; L1: mov.u32 %r10, 20; bra done; L2: mov.u32 %r10, 30;\n"        \
  "bra.uni done; L3: mov.u32 %r10, 40;\ndone: mov.u32 %r11, 1;\n"

S(halves) { /* of small integers, where halves are exact */
  UNUSED;
  float x = (float)(a[0] & 63), y = (float)(a[1] & 31) - 16.0f;
  r[0] = of_f(x + y);
  r[1] = of_f(x * y);
  r[2] = of_f(x * y + x);
  r[3] = x < y;
}
#define HALVES                                                                                     \
  "and.b32 %r5, %r1, 63; and.b32 %r6, %r2, 31; sub.s32 %r6, %r6, 16;\n"                            \
  "cvt.rn.f16.u32 %h1, %r5; cvt.rn.f32.s32 %f1, %r6; cvt.rn.f16.f32 %h2, %f1;\n"                   \
  "add.f16 %h3, %h1, %h2; cvt.f32.f16 %f2, %h3; mov.b32 %r10, %f2; mul.f16 %h3, %h1, %h2;\n"       \
  "cvt.f32.f16 %f2, %h3; mov.b32 %r11, %f2; fma.rn.f16 %h3, %h1, %h2, %h1;\n"                      \
  "cvt.f32.f16 %f2, %h3; mov.b32 %r12, %f2; setp.lt.f16 %p1, %h1, %h2; selp.u32 %r13, 1, 0, "      \
  "%p1;\n"

static const struct snippet snippets[] = {
    {"carry", CARRY, x_carry},
    {"carry96", CARRY96, x_carry96},
    {"product128", PRODUCT128, x_product128},
    {"carry64", CARRY64, x_carry64},
    {"setp", SETP, x_setp},
    {"setp_float", SETP_FLOAT, x_setp_float},
    {"bitfields", BITFIELDS, x_bitfields},
    {"bitfields64", BITFIELDS64, x_bitfields64},
    {"counts", COUNTS, x_counts},
    {"permute", PERMUTE, x_permute},
    {"narrow", NARROW, x_narrow},
    {"convert", CONVERT, x_convert},
    {"rounding", ROUNDING, x_rounding},
    {"signs", SIGNS, x_signs},
    {"select", SELECT, x_select},
    {"twenty_four", TWENTY_FOUR, x_twenty_four},
    {"guards", GUARDS, x_guards},
    {"early_end", EARLY_END, x_early_end},
    {"votes", VOTES, x_votes},
    {"spaces", SPACES, x_spaces},
    {"indirect", INDIRECT, x_indirect},
    {"halves", HALVES, x_halves},
};

static u64 seed;
static u32 next_input(void) {
  static const u32 edges[] = {0,          1,          0x7fffffff, 0x80000000,
                              0xffffffff, 0x7f800000, 0xff800000, 0x7fc00001,
                              0x00400000, 0x3f800000, 0x8000,     0xffff};
  seed = seed * 6364136223846793005U + 1442695040888963407U;
  u32 v = (u32)(seed >> 33) ^ (u32)(seed >> 11), kind = (u32)(seed >> 60);
  return kind < 4 ? edges[v % 12] : kind < 7 ? v % 300 : v;
}

static struct isa_program *translate(const char *text, unsigned regs) {
  struct ptx_options opt = {.max_regs = regs};
  struct tandem_error err = {""};
  struct isa_program *p;
  if (ptx_translate(text, "test.ptx", &opt, &p, &err) != 0)
    fail_msg("%s\n%s", err.text, text);
  return p;
}

enum { LANES = 32 };

static void run_snippet(const struct snippet *s, unsigned regs) {
  char text[8192];
  snprintf(text, sizeof text, "%s%s%s", HEAD32, s->body, TAIL32);
  struct isa_program *p = translate(text, regs);
  assert_true(p->kernels[0].regs <= regs);
  for (unsigned round = 0; round < 40; round++) {
    u32 in[LANES][4];
    for (unsigned i = 0; i < LANES * 4; i++)
      in[i / 4][i % 4] = next_input();
    struct machine *m = machine_create(p, 1 << 16);
    u32 args[2] = {machine_buffer(m, in, sizeof in), machine_buffer(m, NULL, sizeof in)};
    struct machine_launch l = {
        .grid = {1, 1, 1}, .block = {LANES, 1, 1}, .params = args, .param_bytes = 8};
    if (machine_run(m, &p->kernels[0], &l) != 0)
      fail_msg("%s: %s", s->name, m->error);
    const u32(*out)[4] = (const void *)(m->memory + args[1]);
    for (u32 i = 0; i < LANES; i++) {
      u32 want[4] = {0};
      s->expect(i, in[i], want);
      for (unsigned k = 0; k < 4; k++)
        if (out[i][k] != want[k])
          fail_msg("%s, %u registers, result %u of (0x%x 0x%x 0x%x 0x%x): 0x%x, expected 0x%x",
                   s->name, regs, k, in[i][0], in[i][1], in[i][2], in[i][3], out[i][k], want[k]);
    }
    machine_destroy(m);
  }
  isa_program_free(p);
}

static void test_snippets(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof snippets / sizeof *snippets; i++) {
    run_snippet(&snippets[i], 32);
    run_snippet(&snippets[i], 10);
  }
}

/* ---- a whole module as nvcc writes it ---- */

static const char cuda[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".file 1 \"k.cu\"\n"
    ".extern .shared .align 16 .b8 dyn[];\n"
    ".global .align 4 .u32 counter = 5;\n"
    ".const .align 4 .b32 weights[4] = {1, 2, 3, 0x10};\n"
    ".global .align 8 .u64 where = weights;\n"
    ".global .align 8 .f64 half = 0d3FE0000000000000;\n"
    ".func (.param .b64 func_retval0) scale(.param .b64 scale_param_0, .param .b32 scale_param_1)\n"
    "{\n .reg .b32 %r<3>; .reg .b64 %rd<4>;\n"
    " ld.param.u64 %rd1, [scale_param_0]; ld.param.u32 %r1, [scale_param_1];\n"
    " mul.wide.u32 %rd2, %r1, 3; add.s64 %rd3, %rd1, %rd2; st.param.b64 [func_retval0], %rd3; "
    "ret;\n}\n"
    ".visible .entry k(.param .u64 k_param_0, .param .u32 k_param_1,\n"
    "  .param .align 8 .b8 k_param_2[16])\n"
    ".maxntid 64, 1, 1\n.reqntid 64\n{\n"
    ".loc 1 3 0\n"
    ".reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %rd<16>; .reg .f64 %fd<4>;\n"
    ".shared .align 4 .b8 fixed[20];\n"
    ".local .align 8 .b8 __local_depot0[16]; .reg .b64 %SP; .reg .b64 %SPL;\n"
    "mov.u64 %SPL, __local_depot0; cvta.local.u64 %SP, %SPL;\n"
    "ld.param.u64 %rd1, [k_param_0]; ld.param.u32 %r1, [k_param_1];\n"
    "ld.param.u64 %rd9, [k_param_2+8]; mov.b64 %rd10, k_param_2; ld.param.u32 %r9, [%rd10+4];\n"
    "cvta.to.global.u64 %rd2, %rd1;\n"
    "mov.u32 %r2, %tid.x; mul.wide.s32 %rd3, %r2, 8; add.s64 %rd4, %rd2, %rd3;\n"
    "setp.ge.s32 %p1, %r2, %r1;\n@%p1 bra $L__BB0_2;\n"
    "mov.u64 %rd5, dyn; mul.wide.u32 %rd6, %r2, 4; add.s64 %rd7, %rd5, %rd6;\n"
    "st.shared.u32 [%rd7], %r2; bar.sync 0; xor.b32 %r3, %r2, 1; mul.wide.u32 %rd6, %r3, 4;\n"
    "add.s64 %rd7, %rd5, %rd6; ld.shared.u32 %r4, [%rd7];\n"
    "st.u32 [%SP+4], %r4; ld.local.u32 %r4, [%SPL+4];\n"
    "and.b32 %r5, %r2, 3; mul.wide.u32 %rd6, %r5, 4; mov.u64 %rd8, weights;\n"
    "add.s64 %rd8, %rd8, %rd6; ld.const.u32 %r6, [%rd8]; ld.global.u64 %rd11, [where];\n"
    "add.s64 %rd11, %rd11, %rd6; ld.global.u32 %r7, [%rd11];\n"
    "mad.lo.s32 %r8, %r4, 100, %r6; add.s32 %r8, %r8, %r7; add.s32 %r8, %r8, %r9;\n"
    "ld.global.f64 %fd1, [half]; cvt.rn.f64.s32 %fd2, %r8; mul.f64 %fd2, %fd2, %fd1;\n"
    "cvt.rzi.s64.f64 %rd12, %fd2;\n"
    "{ // callseq\n .reg .b32 temp_param_reg; .param .b64 param0; st.param.b64 [param0+0], %rd12;\n"
    " .param .b32 param1; st.param.b32 [param1+0], %r2; .param .b64 retval0;\n"
    " call.uni (retval0), scale, (param0, param1); ld.param.b64 %rd13, [retval0+0]; }\n"
    "add.s64 %rd13, %rd13, %rd9; st.global.u64 [%rd4], %rd13;\n"
    "red.global.add.u32 [counter], 1; mov.u64 %rd14, counter; atom.global.add.u32 %r10, [%rd14], "
    "1;\n"
    "$L__BB0_2:\nret;\n}\n";

static void test_cuda(void **state) {
  (void)state;
  for (unsigned regs = 32; regs >= 12; regs -= 10) {
    struct isa_program *p = translate(cuda, regs);
    const struct isa_kernel *k = &p->kernels[0];
    assert_int_equal(k->nparams, 3);
    assert_int_equal(k->params[1].offset, 8);
    assert_int_equal(k->params[2].offset, 16);
    assert_int_equal(k->param_bytes, 32);
    assert_int_equal(k->reqntid[0], 64);
    assert_int_equal(k->shared_bytes % 16, 0);
    struct machine *m = machine_create(p, 1 << 16);
    u32 out = machine_buffer(m, NULL, 64 * 8), args[8] = {out, 0, 50, 0, 0, 1000000, 7, 1};
    struct machine_launch l = {.grid = {1, 1, 1},
                               .block = {64, 1, 1},
                               .dynamic_shared = 256,
                               .params = args,
                               .param_bytes = 32};
    /* 50 threads take part: the barrier must see whole warps, so lanes above leave first. */
    args[2] = 64;
    if (machine_run(m, k, &l) != 0)
      fail_msg("%s", m->error);
    static const u32 w[4] = {1, 2, 3, 16};
    const u64 *got = (const void *)(m->memory + out);
    for (u32 t = 0; t < 64; t++) {
      u32 v = (t ^ 1) * 100 + 2 * w[t & 3] + 1000000;
      assert_true(got[t] == v / 2 + t * 3 + (UINT64_C(1) << 32) + 7);
    }
    u32 counter;
    memcpy(&counter, m->memory + MACHINE_DATA, 4);
    assert_int_equal(counter, 5 + 128);
    machine_destroy(m);
    isa_program_free(p);
  }
}

/* ---- what must not be translated ---- */

static const struct {
  const char *body;   /* of a kernel, in line 5 of the text */
  const char *expect; /* in the message */
} errors[] = {
    {"frobnicate.u32 %r1, %r2;", "test.ptx:5: the instruction 'frobnicate'"},
    {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%r1, {%f1, %f2}];", "test.ptx:5:"},
    {"add.s32 %r1, %r2;", "test.ptx:5: 'add' needs 3 operands"},
    {"add.s32 %r1, %rd2, %r3;", "does not fit the type"},
    {"add.f32 %f1, %f2, 3;", "integer constant where a float"},
    {"add.s32 %f1, %r2, %r3;", "does not fit the type"},
    {"add.s32 %r1, %r2, %r99;", "'%r99' is not declared"},
    {"add.s32 %r99, %r2, %r3;", "must be a register; not declared: %r99"},
    {"mov.u32 %r1, nowhere;", "'nowhere' is not declared"},
    {"bra nowhere;", "test.ptx:5: the label 'nowhere'"},
    {"bar.sync 1;", "test.ptx:5: there is one barrier"},
    {"bar.red.popc.u32 %r1, 0, %p1;", "only 'bar.sync'"},
    {"shfl.down.b32 %r1, %r2, 1, 31;", "test.ptx:5: the instruction 'shfl'"},
    {"atom.global.add.u64 %rd1, [%r1], %rd2;", "32 bits only"},
    {"mul.s32 %r1, %r2, %r3;", "needs .lo, .hi or .wide"},
    {"add.s32 %r1, %r2, %r3", "syntax error"},
    {"add.s32 %r1, %r2,, %r3;", "syntax error"},
    {"call loop;", "calls itself"},
    {"call ghost;", "'ghost' is called but defined nowhere"},
    {"call (%r1), %r2, (%r3);", "indirect call"},
    {"mov.u32 %r1, loop;", "indirect calls are not supported"},
    {"mov.u32 %r1, %nosuch;", "special register '%nosuch'"},
    {"@%r1 bra out; out:", "is no predicate"},
    {"ld.global.u32 %r1, %r2;", "address in brackets"},
    {"st.const.u32 [%r1], %r2;", "cannot be written"},
    {"ld.shared.u32 %r1, [g];", "not in the space"},
    {"setp.zz.s32 %p1, %r1, %r2;", "no comparison"},
    {"add.frob.s32 %r1, %r2, %r3; wmma.load.a.sync.x.y.z.w %r1;", "test.ptx:5:"},
    {".reg .frob %q;", "'.frob' is no type"},
    {"ld.global.v2.u32 {%r1, %r2, %r3}, [%r4];", "3 elements"},
    {"cvt.u32 %r1, %r2;", "two types"},
    {"mov.u32 %r1, 0f12;", "hexadecimal digits"},
};

static void test_errors(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    char text[4096];
    snprintf(
        text, sizeof text,
        ".version 3.2\n.target sm_20\n.address_size 32\n.global .u32 g; .func loop() { call "
        "loop; ret; } .entry k(.param .u32 n) { .reg .pred %%p<4>; .reg .u32 %%r<9>; .reg .f32 "
        "%%f<9>; .reg .b64 %%rd<9>;\n%s\nret; }\n",
        errors[i].body);
    struct isa_program *p;
    struct tandem_error err = {""};
    int status = ptx_translate(text, "test.ptx", NULL, &p, &err);
    if (status >= 0)
      fail_msg("accepted: %s", errors[i].body);
    assert_null(p);
    if (!strstr(err.text, errors[i].expect))
      fail_msg("'%s' gives: %s", errors[i].body, err.text);
  }
}

static void test_no_kernel(void **state) {
  (void)state;
  struct isa_program *p;
  struct tandem_error err = {""};
  assert_true(ptx_translate(".version 3.2\n", "e.ptx", NULL, &p, &err) < 0);
  assert_non_null(strstr(err.text, "no kernel"));
  struct ptx_options few = {.max_regs = 4};
  assert_true(ptx_translate(cuda, "e.ptx", &few, &p, &err) < 0);
  assert_non_null(strstr(err.text, "8 to 32"));
  assert_true(ptx_translate(".entry k() { ret;", "e.ptx", NULL, &p, &err) < 0);
  assert_non_null(strstr(err.text, "no end"));
}

/* Every prefix of a module, and the module with single characters changed, is told apart without
 * a crash; sanitizers watch. */
static void test_damaged(void **state) {
  (void)state;
  char text[sizeof cuda];
  struct tandem_error err;
  struct isa_program *p;
  for (size_t n = 0; n < sizeof cuda; n += 3) {
    memcpy(text, cuda, n);
    text[n] = '\0';
    assert_true(n > sizeof cuda - 5 || ptx_translate(text, "d.ptx", NULL, &p, &err) < 0);
  }
  for (unsigned i = 0; i < 1500; i++) {
    memcpy(text, cuda, sizeof cuda);
    text[next_input() % (sizeof cuda - 1)] = "%.[]{};,0x9abr\" !@"[next_input() % 18];
    if (ptx_translate(text, "d.ptx", NULL, &p, &err) == 0)
      isa_program_free(p);
  }
}

/* Source lines travel with the instructions. */
static void test_lines(void **state) {
  (void)state;
  struct isa_program *p =
      translate(".entry k(.param .u32 n)\n{ .reg .u32 %r<4>;\nld.param.u32 %r1, [n];\n\n"
                "ld.global.u32 %r2, [%r1];\nst.global.u32 [%r1+4], %r2;\nret;\n}",
                8);
  assert_int_equal(p->ncode, 4);
  assert_int_equal(p->lines[0], 3);
  assert_int_equal(p->lines[1], 5);
  assert_int_equal(p->lines[2], 6);
  assert_int_equal(p->lines[3], 7);
  isa_program_free(p);
}

int main(int argc, char **argv) {
  const char *s = argc > 2 && strcmp(argv[1], "--seed") == 0 ? argv[2] : getenv("TANDEM_SEED");
  seed = s ? (u64)strtoull(s, NULL, 0) : (u64)(unsigned)getpid();
  printf("seed %llu\n", (unsigned long long)seed);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_snippets), cmocka_unit_test(test_cuda),
      cmocka_unit_test(test_errors),   cmocka_unit_test(test_no_kernel),
      cmocka_unit_test(test_damaged),  cmocka_unit_test(test_lines)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
