/* Snippets of PTX, each with its expected result. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tests/ptx/snippets.h"

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

/* Old values of 64 bits, of which a part may be used; through the three kinds of address. */
S(wide_atomics) {
  UNUSED;
  const u64 x = cat(a[0], a[1]), y = cat(a[2], a[3]);
  u64 m = x, sum = m; /* each step: the old value joins the sum, the new one is in memory */
  m += y, sum += m;
  m = (int64_t)m < (int64_t)x ? m : x, sum ^= m;
  m = m > y ? m : y, sum += m;
  m = m == y ? x + 1 : m, sum ^= m;
  m &= y, sum += m;
  m |= 0x500000003, sum ^= m;
  m ^= UINT64_MAX;
  put(r, sum);
  put(r + 2, m);
}
#define WIDE_ATOMICS                                                                               \
  ".shared .align 8 .b8 sh[256];\n"                                                                \
  "shl.b32 %r5, %r0, 3; mov.u32 %r6, sh; add.s32 %r6, %r6, %r5; cvta.shared.u32 %r7, %r6;\n"       \
  "mov.b64 %rd1, {%r1, %r2}; mov.b64 %rd2, {%r3, %r4}; st.shared.u64 [%r6], %rd1;\n"               \
  "atom.shared.add.u64 %rd3, [%r6], %rd2; atom.shared.min.s64 %rd4, [%r6], %rd1;\n"                \
  "add.s64 %rd3, %rd3, %rd4; atom.max.u64 %rd4, [%r7], %rd2; xor.b64 %rd3, %rd3, %rd4;\n"          \
  "add.s64 %rd5, %rd1, 1; atom.cas.b64 %rd4, [%r7], %rd2, %rd5; add.s64 %rd3, %rd3, %rd4;\n"       \
  "ld.shared.u64 %rd6, [%r6]; st.global.u64 [%r31], %rd6;\n"                                       \
  "atom.global.and.b64 %rd4, [%r31], %rd2; mov.b64 {%r8, %r9}, %rd4; mov.b64 %rd7, {0, %r9};\n"    \
  "atom.global.or.b64 %rd4, [%r31], 0x500000003; mov.b64 {%r14, %r15}, %rd4;\n"                    \
  "cvt.u64.u32 %rd8, %r8; or.b64 %rd7, %rd7, %rd8; xor.b64 %rd3, %rd3, %rd7;\n"                    \
  "mov.b64 %rd4, {%r14, %r15}; add.s64 %rd3, %rd3, %rd4;\n"                                        \
  "atom.global.exch.b64 %rd4, [%r31], 0; xor.b64 %rd3, %rd3, %rd4; st.global.u64 [%r31], %rd4;\n"  \
  "red.global.xor.b64 [%r31], -1; ld.global.u64 %rd5, [%r31];\n"                                   \
  "mov.b64 {%r10, %r11}, %rd3; mov.b64 {%r12, %r13}, %rd5;\n"

/* The upper half of an old value, or the lower one. */
S(half_of_atomic) {
  UNUSED;
  const u64 x = cat(a[0], a[1]), y = cat(a[2], a[3]);
  r[0] = (u32)((x + y) >> 32);
  r[1] = (u32)x;
  put(r + 2, y);
}
#define HALF_OF_ATOMIC                                                                             \
  "mov.b64 %rd1, {%r1, %r2}; mov.b64 %rd2, {%r3, %r4}; st.global.u64 [%r31], %rd1;\n"              \
  "atom.global.add.u64 %rd3, [%r31], %rd2; mov.b64 {%r11, %r5}, %rd3;\n"                           \
  "atom.global.exch.b64 %rd4, [%r31], %rd2; mov.b64 {%r6, %r10}, %rd4;\n"                          \
  "atom.global.cas.b64 _, [%r31], %rd1, %rd1; ld.global.u64 %rd5, [%r31];\n"                       \
  "setp.eq.s64 %p1, %rd1, %rd2; mov.b64 {%r12, %r13}, %rd5;\n"

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

S(float_constants) { /* on either side of everything that takes them */
  UNUSED;
  float x = (float)(int)a[0] * 0.001f, y = (float)(a[1] & 0xffffU);
  double d = (double)y - 2.0, e = 1.5 - d;
  r[0] = of_f(1.0f - x) ^ of_f(x - 1.0f);
  r[1] = of_f(fmaf(2.5f, x, y)) ^ of_f(fminf(-1.0f, x) * 3.0f);
  r[2] = (u32)(4.0f < x) | (u32)(x <= -8.0f) << 1 | (u32)(2.0 > d) << 2 | (u32)(d != 40.0) << 3;
  u64 u;
  memcpy(&u, &e, 8);
  r[3] = (u32)u ^ (u32)(u >> 32) ^ of_f(4.0f / y);
}
#define FLOAT_CONSTANTS                                                                            \
  "cvt.rn.f32.s32 %f1, %r1; mul.f32 %f1, %f1, 0f3A83126F; and.b32 %r5, %r2, 0xffff;\n"             \
  "cvt.rn.f32.u32 %f2, %r5; cvt.f64.f32 %d1, %f2; sub.f64 %d1, %d1, 0d4000000000000000;\n"         \
  "sub.f64 %d2, 1.5, %d1; sub.f32 %f3, 0f3F800000, %f1; sub.f32 %f4, %f1, 1.0;\n"                  \
  "mov.b32 %r5, %f3; mov.b32 %r6, %f4; xor.b32 %r10, %r5, %r6;\n"                                  \
  "fma.rn.f32 %f3, 0f40200000, %f1, %f2; min.f32 %f4, -1.0, %f1; mul.f32 %f4, 0f40400000, %f4;\n"  \
  "mov.b32 %r5, %f3; mov.b32 %r6, %f4; xor.b32 %r11, %r5, %r6;\n"                                  \
  "setp.lt.f32 %p1, 4.0, %f1; @%p1 or.b32 %r12, %r12, 1; setp.le.f32 %p2, %f1, -8.0;\n"            \
  "@%p2 or.b32 %r12, %r12, 2; setp.gt.f64 %p3, 2.0, %d1; @%p3 or.b32 %r12, %r12, 4;\n"             \
  "setp.neu.f64 %p4, %d1, 40.0; @%p4 or.b32 %r12, %r12, 8; mov.b64 {%r5, %r6}, %d2;\n"             \
  "div.rn.f32 %f5, 4.0, %f2; mov.b32 %r7, %f5; xor.b32 %r13, %r5, %r6; xor.b32 %r13, %r13, %r7;\n"

const struct snippet snippets[] = {
    {"carry", HEAD32 CARRY TAIL32, x_carry},
    {"carry96", HEAD32 CARRY96 TAIL32, x_carry96},
    {"product128", HEAD32 PRODUCT128 TAIL32, x_product128},
    {"carry64", HEAD32 CARRY64 TAIL32, x_carry64},
    {"setp", HEAD32 SETP TAIL32, x_setp},
    {"setp_float", HEAD32 SETP_FLOAT TAIL32, x_setp_float},
    {"bitfields", HEAD32 BITFIELDS TAIL32, x_bitfields},
    {"bitfields64", HEAD32 BITFIELDS64 TAIL32, x_bitfields64},
    {"counts", HEAD32 COUNTS TAIL32, x_counts},
    {"permute", HEAD32 PERMUTE TAIL32, x_permute},
    {"narrow", HEAD32 NARROW TAIL32, x_narrow},
    {"convert", HEAD32 CONVERT TAIL32, x_convert},
    {"rounding", HEAD32 ROUNDING TAIL32, x_rounding},
    {"signs", HEAD32 SIGNS TAIL32, x_signs},
    {"select", HEAD32 SELECT TAIL32, x_select},
    {"twenty_four", HEAD32 TWENTY_FOUR TAIL32, x_twenty_four},
    {"guards", HEAD32 GUARDS TAIL32, x_guards},
    {"early_end", HEAD32 EARLY_END TAIL32, x_early_end},
    {"votes", HEAD32 VOTES TAIL32, x_votes},
    {"spaces", HEAD32 SPACES TAIL32, x_spaces},
    {"wide_atomics", HEAD32 WIDE_ATOMICS TAIL32, x_wide_atomics},
    {"half_of_atomic", HEAD32 HALF_OF_ATOMIC TAIL32, x_half_of_atomic},
    {"indirect", HEAD32 INDIRECT TAIL32, x_indirect},
    {"float_constants", HEAD32 FLOAT_CONSTANTS TAIL32, x_float_constants},
    {"halves", HEAD32 HALVES TAIL32, x_halves},
};
const size_t nsnippets = sizeof snippets / sizeof *snippets;
