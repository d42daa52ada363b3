/* Each PTX instruction with each of its sources written in every way that the grammar has: as a
 * register that memory filled, as a constant, as a constant expression, as a register plus a
 * constant, as a special register.  The results are the same, or an error names the line. */
#include "csim/isa/ptx/ptx.h"
#include "csim/isa/ptx/select/select.h"
#include "tests/ptx/machine.h"
#include "tests/test.h"

/* $d and $1 to $4 stand for a result and sources of these types: r 32 bits, h 16, l 64, f and d
 * floats, H half, p predicate.  A source in capital brackets is no value: it is written out. */
struct form {
  const char *types; /* result, then sources */
  const char *text;
};
static const struct form forms[] = {
    {"rrr", "add.s32 $d, $1, $2;"},
    {"rrr", "add.sat.s32 $d, $1, $2;"},
    {"hhh", "add.u16 $d, $1, $2;"},
    {"lll", "add.s64 $d, $1, $2;"},
    {"fff", "add.rn.f32 $d, $1, $2;"},
    {"ddd", "add.rz.f64 $d, $1, $2;"},
    {"HHH", "add.f16 $d, $1, $2;"},
    {"rrr", "sub.u32 $d, $1, $2;"},
    {"lll", "sub.u64 $d, $1, $2;"},
    {"fff", "sub.ftz.f32 $d, $1, $2;"},
    {"ddd", "sub.f64 $d, $1, $2;"},
    {"rrrr", "add.cc.u32 $d, $1, $2; addc.u32 $d, $3, 0;"},
    {"rrrr", "sub.cc.u32 $d, $1, $2; subc.u32 $d, 7, $3;"},
    {"rrrr", "sub.cc.u32 $d, $1, $2; addc.cc.u32 $d, 7, $3;"},
    {"llll", "add.cc.u64 $d, $1, $2; subc.cc.u64 $d, $3, 3;"},
    {"rrrr", "mad.lo.cc.u32 $d, $1, $2, $3; madc.hi.u32 $d, $3, $1, $2;"},
    {"rrr", "mul.lo.s32 $d, $1, $2;"},
    {"rrr", "mul.hi.u32 $d, $1, $2;"},
    {"hhh", "mul.hi.s16 $d, $1, $2;"},
    {"lrr", "mul.wide.s32 $d, $1, $2;"},
    {"rhh", "mul.wide.u16 $d, $1, $2;"},
    {"lll", "mul.lo.s64 $d, $1, $2;"},
    {"lll", "mul.hi.u64 $d, $1, $2;"},
    {"fff", "mul.f32 $d, $1, $2;"},
    {"ddd", "mul.f64 $d, $1, $2;"},
    {"HHH", "mul.f16 $d, $1, $2;"},
    {"rrrr", "mad.lo.u32 $d, $1, $2, $3;"},
    {"rrrr", "mad.hi.s32 $d, $1, $2, $3;"},
    {"rrrr", "mad.hi.sat.s32 $d, $1, $2, $3;"},
    {"lrrl", "mad.wide.u32 $d, $1, $2, $3;"},
    {"llll", "mad.lo.u64 $d, $1, $2, $3;"},
    {"ffff", "mad.f32 $d, $1, $2, $3;"},
    {"ffff", "fma.rn.f32 $d, $1, $2, $3;"},
    {"dddd", "fma.rn.f64 $d, $1, $2, $3;"},
    {"HHHH", "fma.rn.f16 $d, $1, $2, $3;"},
    {"rrr", "mul24.lo.s32 $d, $1, $2;"},
    {"rrr", "mul24.hi.u32 $d, $1, $2;"},
    {"rrrr", "mad24.lo.u32 $d, $1, $2, $3;"},
    {"rrrr", "mad24.hi.s32 $d, $1, $2, $3;"},
    {"rrrr", "mad24.hi.sat.s32 $d, $1, $2, $3;"},
    {"rrrr", "vshl.u32.s32.u32.clamp.add $d, $1, $2, $3;"},
    {"rrrr", "vshr.s32.s32.u32.sat.wrap.min $d, $1, $2, $3;"},
    {"rrrr", "sad.s32 $d, $1, $2, $3;"},
    {"hhhh", "sad.u16 $d, $1, $2, $3;"},
    {"llll", "sad.s64 $d, $1, $2, $3;"},
    {"llll", "sad.u64 $d, $1, $2, $3;"},
    {"rrr", "div.s32 $d, $1, $2;"},
    {"hhh", "div.u16 $d, $1, $2;"},
    {"lll", "div.u64 $d, $1, $2;"},
    {"fff", "div.full.f32 $d, $1, $2;"},
    {"ddd", "div.rn.f64 $d, $1, $2;"},
    {"rrr", "rem.u32 $d, $1, $2;"},
    {"lll", "rem.s64 $d, $1, $2;"},
    {"rr", "abs.s32 $d, $1;"},
    {"ll", "abs.s64 $d, $1;"},
    {"ff", "abs.f32 $d, $1;"},
    {"dd", "abs.f64 $d, $1;"},
    {"HH", "abs.f16 $d, $1;"},
    {"rr", "neg.s32 $d, $1;"},
    {"ll", "neg.s64 $d, $1;"},
    {"ff", "neg.ftz.f32 $d, $1;"},
    {"dd", "neg.f64 $d, $1;"},
    {"HH", "neg.f16 $d, $1;"},
    {"rrr", "min.s32 $d, $1, $2;"},
    {"hhh", "min.u16 $d, $1, $2;"},
    {"lll", "min.u64 $d, $1, $2;"},
    {"fff", "min.f32 $d, $1, $2;"},
    {"ddd", "min.f64 $d, $1, $2;"},
    {"HHH", "min.f16 $d, $1, $2;"},
    {"rrr", "max.u32 $d, $1, $2;"},
    {"lll", "max.s64 $d, $1, $2;"},
    {"fff", "max.f32 $d, $1, $2;"},
    {"ddd", "max.f64 $d, $1, $2;"},
    {"HHH", "max.f16 $d, $1, $2;"},
    {"HHH", "max.ftz.NaN.xorsign.abs.f16 $d, $1, $2;"},
    {"fff", "min.NaN.f32 $d, $1, $2;"},
    {"rrr", "and.b32 $d, $1, $2;"},
    {"lll", "and.b64 $d, $1, $2;"},
    {"ppp", "and.pred $d, $1, $2;"},
    {"hhh", "or.b16 $d, $1, $2;"},
    {"lll", "or.b64 $d, $1, $2;"},
    {"ppp", "or.pred $d, $1, $2;"},
    {"rrr", "xor.b32 $d, $1, $2;"},
    {"lll", "xor.b64 $d, $1, $2;"},
    {"ppp", "xor.pred $d, $1, $2;"},
    {"rr", "not.b32 $d, $1;"},
    {"ll", "not.b64 $d, $1;"},
    {"pp", "not.pred $d, $1;"},
    {"rr", "cnot.b32 $d, $1;"},
    {"ll", "cnot.b64 $d, $1;"},
    {"rrr", "shl.b32 $d, $1, $2;"},
    {"llr", "shl.b64 $d, $1, $2;"},
    {"rrr", "shr.s32 $d, $1, $2;"},
    {"hhr", "shr.u16 $d, $1, $2;"},
    {"llr", "shr.s64 $d, $1, $2;"},
    {"llr", "shr.u64 $d, $1, $2;"},
    {"rrrr", "shf.l.wrap.b32 $d, $1, $2, $3;"},
    {"rrrr", "shf.r.clamp.b32 $d, $1, $2, $3;"},
    {"rrrr", "bfe.u32 $d, $1, $2, $3;"},
    {"lrrl", "bfe.s64 $d, $3, $1, $2;"},
    {"rrrrr", "bfi.b32 $d, $1, $2, $3, $4;"},
    {"llrrl", "bfi.b64 $d, $1, $4, $2, $3;"},
    {"rr", "bfind.s32 $d, $1;"},
    {"rl", "bfind.shiftamt.u64 $d, $1;"},
    {"rr", "brev.b32 $d, $1;"},
    {"ll", "brev.b64 $d, $1;"},
    {"rr", "popc.b32 $d, $1;"},
    {"rl", "popc.b64 $d, $1;"},
    {"rr", "clz.b32 $d, $1;"},
    {"rl", "clz.b64 $d, $1;"},
    {"rrrr", "prmt.b32 $d, $1, $2, $3;"},
    {"rrrr", "prmt.b32.ecl $d, $1, $2, $3;"},
    {"rrrr", "lop3.b32 $d, $1, $2, $3, 0x2a;"},
    {"prr", "setp.lt.s32 $d, $1, $2;"},
    {"phh", "setp.ge.u16 $d, $1, $2;"},
    {"pllp", "setp.ne.and.b64 $d, $1, $2, $3;"},
    {"pff", "setp.le.f32 $d, $1, $2;"},
    {"pdd", "setp.gtu.f64 $d, $1, $2;"},
    {"pHH", "setp.eq.f16 $d, $1, $2;"},
    {"rrr", "set.hi.u32.u32 $d, $1, $2;"},
    {"fff", "set.num.f32.f32 $d, $1, $2;"},
    {"rrrp", "selp.b32 $d, $1, $2, $3;"},
    {"lllp", "selp.b64 $d, $1, $2, $3;"},
    {"fffp", "selp.f32 $d, $1, $2, $3;"},
    {"rrrr", "slct.u32.s32 $d, $1, $2, $3;"},
    {"dddf", "slct.f64.f32 $d, $1, $2, $3;"},
    {"rr", "mov.b32 $d, $1;"},
    {"hh", "mov.u16 $d, $1;"},
    {"ll", "mov.u64 $d, $1;"},
    {"ff", "mov.f32 $d, $1;"},
    {"dd", "mov.f64 $d, $1;"},
    {"pp", "mov.pred $d, $1;"},
    {"lrr", "mov.b64 $d, {$1, $2};"},
    {"rhh", "mov.b32 $d, {$1, $2};"},
    {"rr", "cvta.to.global.u32 $d, $1;"},
    {"ll", "cvta.shared.u64 $d, $1;"},
    {"pr", "isspacep.shared $d, $1;"},
    {"rr", "cvt.s32.u32 $d, $1;"},
    {"rh", "cvt.u32.u16 $d, $1;"},
    {"lr", "cvt.s64.s32 $d, $1;"},
    {"rr", "cvt.s32.s8 $d, $1;"},
    {"rl", "cvt.sat.u32.s64 $d, $1;"},
    {"fr", "cvt.rn.f32.s32 $d, $1;"},
    {"dl", "cvt.rn.f64.u64 $d, $1;"},
    {"fl", "cvt.rz.f32.s64 $d, $1;"},
    {"Hr", "cvt.rn.f16.u32 $d, $1;"},
    {"dr", "cvt.rn.f64.s32 $d, $1;"},
    {"rf", "cvt.rzi.s32.f32 $d, $1;"},
    {"lf", "cvt.rni.s64.f32 $d, $1;"},
    {"rd", "cvt.rpi.u32.f64 $d, $1;"},
    {"dl", "cvt.rn.sat.f64.s64 $d, $1;"},
    {"dd", "cvt.sat.f64.f64 $d, $1;"},
    {"ld", "cvt.rmi.s64.f64 $d, $1;"},
    {"df", "cvt.f64.f32 $d, $1;"},
    {"fd", "cvt.rn.f32.f64 $d, $1;"},
    {"fH", "cvt.f32.f16 $d, $1;"},
    {"Hf", "cvt.rn.f16.f32 $d, $1;"},
    {"ff", "cvt.rni.f32.f32 $d, $1;"},
    {"ff", "cvt.sat.f32.f32 $d, $1;"},
    {"dd", "cvt.rzi.f64.f64 $d, $1;"},
    {"ff", "rcp.rn.f32 $d, $1;"},
    {"dd", "rcp.rn.f64 $d, $1;"},
    {"ff", "sqrt.approx.f32 $d, $1;"},
    {"dd", "sqrt.rn.f64 $d, $1;"},
    {"ff", "rsqrt.approx.ftz.f32 $d, $1;"},
    {"dd", "rsqrt.approx.f64 $d, $1;"},
    {"ff", "sin.approx.f32 $d, $1;"},
    {"ff", "cos.approx.f32 $d, $1;"},
    {"ff", "ex2.approx.f32 $d, $1;"},
    {"ff", "lg2.approx.f32 $d, $1;"},
    {"fff", "copysign.f32 $d, $1, $2;"},
    {"ddd", "copysign.f64 $d, $1, $2;"},
    {"pf", "testp.normal.f32 $d, $1;"},
    {"pd", "testp.number.f64 $d, $1;"},
    {"pf", "testp.notanumber.f32 $d, $1;"},
    {"rr", "st.shared.u32 [%mine], $1; ld.shared.u32 $d, [%mine];"},
    {"rh", "st.shared.u16 [%mine+2], $1; ld.shared.s16 $d, [%mine+2];"},
    {"rr", "st.shared.u8 [%mine+1], $1; ld.volatile.shared.u8 $d, [%mine+1];"},
    {"ll", "st.shared.u64 [%mine], $1; ld.shared.b64 $d, [%mine];"},
    {"lrr", "st.shared.v2.u32 [%mine], {$1, $2}; ldu.shared.u64 $d, [%mine];"},
    {"rrrrr",
     "st.shared.v4.u32 [%mine], {$1, $2, $3, $4}; ld.shared.v4.u32 {%q1, _, %q2, $d}, [%mine]; "
     "add.u32 $d, $d, %q1;"},
    {"ff", "st.shared.f32 [%mine], $1; ld.shared.f32 $d, [%mine];"},
    {"dd", "st.shared.f64 [%mine], $1; ld.shared.f64 $d, [%mine];"},
    {"rr", "st.local.u32 [stack+4], $1; ld.local.u32 $d, [stack+4];"},
    {"rr", "st.param.u32 [arg], $1; call (back), half_of, (arg); ld.param.u32 $d, [back];"},
    {"rr", "call ($d), sum_of, ($1, 5);"},
    {"ff", "call ($d), twice, ($1);"},
    {"rr", "call ($d), half_of, ($1);"},
    {"rrr", "st.shared.u32 [%mine], $2; atom.shared.add.u32 %q1, [%mine], $1; ld.shared.u32 $d, "
            "[%mine];"},
    {"rrr", "st.shared.u32 [%mine], $2; atom.shared.exch.b32 $d, [%mine], $1;"},
    {"rrr",
     "st.shared.u32 [%mine], $2; atom.shared.cas.b32 %q1, [%mine], $1, $2; ld.shared.u32 $d, "
     "[%mine];"},
    {"rrr",
     "st.shared.u32 [%mine], $2; red.shared.min.s32 [%mine], $1; ld.shared.u32 $d, [%mine];"},
    {"rrr",
     "st.shared.u32 [%mine], $2; red.shared.max.u32 [%mine], $1; ld.shared.u32 $d, [%mine];"},
    {"rrr",
     "st.shared.u32 [%mine], $2; red.shared.and.b32 [%mine], $1; ld.shared.u32 $d, [%mine];"},
    {"rrr", "st.shared.u32 [%mine], $2; red.shared.or.b32 [%mine], $1; ld.shared.u32 $d, [%mine];"},
    {"rrr",
     "st.shared.u32 [%mine], $2; red.shared.xor.b32 [%mine], $1; ld.shared.u32 $d, [%mine];"},
    {"rrr", "st.shared.u32 [%mine], $2; atom.shared.inc.u32 $d, [%mine], $1;"},
    {"rrr", "st.shared.u32 [%mine], $2; atom.shared.dec.u32 $d, [%mine], $1;"},
    {"fff",
     "st.shared.f32 [%mine], $2; red.shared.add.f32 [%mine], $1; ld.shared.f32 $d, [%mine];"},
    {"lll",
     "st.shared.u64 [%mine], $2; red.shared.add.u64 [%mine], $1; ld.shared.u64 $d, [%mine];"},
    {"lll", "st.shared.u64 [%mine], $2; atom.shared.exch.b64 $d, [%mine], $1;"},
    {"lll",
     "st.shared.u64 [%mine], $2; atom.shared.max.s64 _, [%mine], $1; ld.shared.u64 $d, [%mine];"},
    {"lll", "st.shared.u64 [%mine], $2; red.shared.cas.b64 [%mine], $2, $1; ld.shared.u64 $d, "
            "[%mine];"},
    {"rp", "bar.red.popc.u32 $d, 0, $1;"},
    {"pp", "bar.red.and.pred $d, 0, $1;"},
    {"rp", "vote.ballot.b32 $d, $1;"},
    {"pp", "vote.all.pred $d, $1;"},
    {"pp", "vote.sync.uni.pred $d, $1, -1;"},
    {"rr", "activemask.b32 $d; add.u32 $d, $d, $1;"},
    {"rrrr", "shfl.idx.b32 $d, $1, $2, $3;"},
    {"rrrr", "shfl.sync.up.b32 $d|%pq, $1, $2, $3, -1; selp.u32 $d, $d, 77, %pq;"},
    {"rrrr", "shfl.down.b32 $d|%pq, $1, $2, $3; selp.u32 $d, $d, 77, %pq;"},
    {"rrrr", "shfl.bfly.b32 $d|%pq, $1, $2, $3; selp.u32 $d, $d, 77, %pq;"},
};
enum { FORMS = sizeof forms / sizeof *forms };

/* ---- the kernel of a form ---- */

enum {
  LANES = 20,
  VALUE = 20
}; /* threads of the block, which %ntid.x tells; what the source holds */
enum style { REGISTER, CONSTANT, EXPRESSION, SUM, SPECIAL, STYLES };

static const char *const style_names[STYLES] = {"register", "constant", "constant expression",
                                                "register + constant", "special register"};

/* A source of a type: number n is another one each, VALUE in the style. */
static const char *spelled(char type, enum style style) {
  static const char *const integer[STYLES] = {"%T4", "20", "(WARP_SZ-12)*2/2", "%T5+7", "%ntid.x"};
  static const char *const single[STYLES] = {"%f4", "0f41A00000", "-(-20.0)", "%f5+7", "%ntid.x"};
  static const char *const wide[STYLES] = {"%d4", "0d4034000000000000", "20.0", "%d5+7", "%ntid.x"};
  static const char *const half[STYLES] = {"%H4", "0x4D00", "0x4C00+256", "%H5+7", "%ntid.x"};
  static const char *const pred[STYLES] = {"%p4", "1", "!0", "%p4+1", "%ntid.x"};
  switch (type) {
  case 'f':
    return single[style];
  case 'd':
    return wide[style];
  case 'H':
    return half[style];
  case 'p':
    return pred[style];
  default:
    return integer[style];
  }
}

/* Writes the body of the form with source `which` in the style, the others as registers. */
static void write_body(FILE *out, const struct form *f, unsigned which, enum style style) {
  for (const char *p = f->text; *p; p++) {
    if (*p != '$') {
      fputc(*p, out);
      continue;
    }
    p++;
    const unsigned n = *p == 'd' ? 0 : (unsigned)(*p - '0');
    const char type = f->types[n];
    if (n != which || n == 0) {
      fprintf(out, "%%%c%u", type, n);
      continue;
    }
    for (const char *s = spelled(type, style); *s; s++)
      fputc(*s == 'T' ? type : *s, out);
  }
}

/* The result in 64 bits at [%r31]. */
static const char *store_of(char type) {
  switch (type) {
  case 'h':
    return "cvt.u32.u16 %q1, %h0; st.global.u32 [%out], %q1;";
  case 'H':
    return "mov.b32 %q1, {%H0, %H0}; st.global.u32 [%out], %q1;";
  case 'l':
    return "st.global.u64 [%out], %l0;";
  case 'f':
    return "st.global.f32 [%out], %f0;";
  case 'd':
    return "st.global.f64 [%out], %d0;";
  case 'p':
    return "selp.u32 %q1, 1, 2, %p0; st.global.u32 [%out], %q1;";
  default:
    return "st.global.u32 [%out], %r0;";
  }
}

static const char head[] =
    ".version 6.4\n.target sm_30\n.address_size 32\n.shared .align 16 .b8 all[640];\n"
    ".func (.param .b32 y) half_of(.param .b32 x) { .reg .u32 a; ld.param.u32 a, [x];\n"
    " shr.u32 a, a, 1; st.param.u32 [y], a; ret; }\n"
    ".func (.reg .u32 y) sum_of(.reg .u32 a, .reg .u32 b) { add.u32 y, a, b; ret; }\n"
    ".func (.reg .f32 y) twice(.reg .f32 x) { add.f32 y, x, x; ret; }\n"
    ".entry k(.param .u32 in, .param .u32 out) {\n"
    ".reg .u32 %r<9>, %q<9>, %in, %out, %mine; .reg .b16 %h<9>; .reg .b64 %l<9>;\n"
    ".reg .f32 %f<9>; .reg .f64 %d<9>; .reg .f16 %H<9>; .reg .pred %p<9>, %pq;\n"
    ".local .align 16 .b8 stack[16]; .param .b32 arg; .param .b32 back;\n"
    "ld.param.u32 %in, [in]; ld.param.u32 %out, [out]; mov.u32 %q0, %tid.x;\n"
    "shl.b32 %q1, %q0, 4; add.u32 %in, %in, %q1; mov.u32 %mine, all;\n"
    "mad.lo.u32 %mine, %q0, 32, %mine; mad.lo.u32 %out, %q0, 8, %out;\n"
    "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%in]; mov.u32 %r0, 0;\n";

/* Registers 1 to 3 of each type from the inputs, 4 with VALUE, 5 with VALUE - 7. */
static void write_registers(FILE *out) {
  for (unsigned i = 1; i <= 5; i++) {
    if (i == 5)
      fputs("sub.u32 %r5, %r4, 7; ", out);
    fprintf(out,
            "cvt.u16.u32 %%h%u, %%r%u; cvt.rn.f32.s32 %%f%u, %%r%u; cvt.rn.f64.s32 %%d%u, %%r%u;\n"
            "and.b32 %%q3, %%r%u, 255; cvt.rn.f16.u32 %%H%u, %%q3;\n",
            i, i, i, i, i, i, i, i);
    fprintf(out, i < 4 ? "mov.b64 %%l%u, {%%r%u, %%r%u};\n" : "cvt.u64.u32 %%l%u, %%r%u;\n", i, i,
            i % 3 + 1);
    fprintf(out, "and.b32 %%q3, %%r%u, 1; setp.eq.u32 %%p%u, %%q3, %s;\n", i, i, i < 4 ? "1" : "0");
  }
}

static void kernel_of(const struct form *f, unsigned which, enum style style, char **text) {
  size_t size;
  FILE *out = open_memstream(text, &size);
  fputs(head, out);
  write_registers(out);
  write_body(out, f, which, style);
  fprintf(out, "\n%s\nret; }\n", store_of(f->types[0]));
  fclose(out);
}

/* ---- runs ---- */

static uint64_t inputs = 88172645463325252;
static uint32_t next_input(void) {
  inputs ^= inputs << 13;
  inputs ^= inputs >> 7;
  inputs ^= inputs << 17;
  return inputs % 5 == 0 ? (uint32_t)(inputs >> 32) : (uint32_t)(inputs >> 32) % 40;
}

static bool used[ISA_OPS];

static void run(const char *text, const struct isa_program *p, uint64_t got[LANES]) {
  struct machine *m = machine_create(p, 1 << 14);
  uint32_t in[LANES][4];
  inputs = 88172645463325252;
  for (unsigned l = 0; l < LANES; l++) {
    for (unsigned k = 0; k < 3; k++)
      in[l][k] = next_input();
    in[l][3] = VALUE;
  }
  uint32_t args[2] = {machine_buffer(m, in, sizeof in), machine_buffer(m, NULL, LANES * 8)};
  struct machine_launch launch = {
      .grid = {1, 1, 1}, .block = {LANES, 1, 1}, .params = args, .param_bytes = 8};
  if (machine_run(m, &p->kernels[0], &launch) != 0)
    fail_msg("%s\n%s", m->error, text);
  memcpy(got, m->memory + args[1], LANES * 8);
  machine_destroy(m);
  for (size_t i = 0; i < p->ncode; i++)
    if (isa_id_of(p->code[i]) < ISA_OPS)
      used[isa_id_of(p->code[i])] = true;
}

/* False if it is refused, at the form's line. */
static bool result(const struct form *f, unsigned which, enum style style, uint64_t got[LANES]) {
  char *text = NULL;
  kernel_of(f, which, style, &text);
  struct isa_program *p;
  struct tandem_error err = {""};
  const bool good = ptx_translate(text, "o.ptx", NULL, &p, &err) == 0;
  unsigned line = 1;
  for (const char *c = text; c < strstr(text, "\nret; }\n"); c++)
    line += *c == '\n';
  char place[32];
  snprintf(place, sizeof place, "o.ptx:%u: ", line - 1);
  if (!good && strncmp(err.text, place, strlen(place)) != 0)
    fail_msg("the error names another line: %s\n%s", err.text, text);
  if (good)
    run(text, p, got);
  isa_program_free(p);
  free(text);
  return good;
}

/* Floats have no register plus constant and no special register; halves and predicates as constants
 * are integers. */
static bool is_refused(char type, enum style style) {
  return strchr("fdHp", type) != NULL && style >= SUM;
}

TEST(each_source_in_each_way) {
  for (unsigned i = 0; i < FORMS; i++)
    for (unsigned k = 1; forms[i].types[k] != '\0'; k++) {
      uint64_t want[LANES], got[LANES];
      if (!result(&forms[i], k, REGISTER, want))
        fail_msg("refused: %s", forms[i].text);
      for (enum style style = CONSTANT; style < STYLES; style++) {
        const bool good = result(&forms[i], k, style, got);
        if (good == is_refused(forms[i].types[k], style))
          fail_msg("%s: source %u as %s is %s", forms[i].text, k, style_names[style],
                   good ? "accepted" : "refused");
        for (unsigned l = 0; good && l < LANES; l++)
          if (got[l] != want[l])
            fail_msg("%s: source %u as %s, thread %u: 0x%llx, as register 0x%llx", forms[i].text, k,
                     style_names[style], l, (unsigned long long)got[l],
                     (unsigned long long)want[l]);
      }
    }
}

/* ---- nothing is left out ---- */

/* Instructions without a source that is a value. */
static const char *const without[] = {"bra",      "brx",           "ret",         "exit",
                                      "trap",     "barrier",       "membar",      "fence",
                                      "prefetch", "pmevent",       "prefetchu",   "nanosleep",
                                      "discard",  "applypriority", "createpolicy"};

static bool is_tried(const char *op) {
  for (size_t i = 0; i < sizeof without / sizeof *without; i++)
    if (strcmp(without[i], op) == 0)
      return true;
  for (unsigned i = 0; i < FORMS; i++)
    for (const char *p = forms[i].text; p; p = strstr(p, "; ") ? strstr(p, "; ") + 2 : NULL)
      if (strncmp(p, op, strlen(op)) == 0 && p[strlen(op)] == '.')
        return true;
  return false;
}

TEST(each_instruction_of_ptx_is_tried) {
  static const struct sel_row *const tables[] = {
      sel_int_rows, sel_float_rows, sel_cmp_rows,  sel_mem_rows,  sel_mov_rows,
      sel_cvt_rows, sel_bit_rows,   sel_ctrl_rows, sel_lane_rows, sel_video_rows};
  for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
    for (const struct sel_row *r = tables[t]; r->op; r++)
      if (!is_tried(r->op))
        fail_msg("no form has '%s'", r->op);
}

/* Operations that no PTX instruction with a value needs. */
static const enum isa_id others[] = {ISA_NOP,   ISA_BRA, ISA_BSYNC, ISA_LDC, ISA_LDGEN,
                                     ISA_STGEN, ISA_LDP, ISA_LPACK, ISA_LMOV};

TEST(each_operation_of_the_isa_is_tried) {
  for (enum isa_id id = 0; id < ISA_OPS; id++) {
    bool other = false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
      other = other || others[i] == id;
    if (used[id] == other)
      fail_msg("'%s' is %s", isa_ops[id].mnemonic,
               other ? "used: take it off the list" : "not used");
  }
}

int main(void) { return test_run(NULL, NULL); }
