/* PTX as written by hand and by other compilers: forms that clang does not produce for OpenCL C. */
#include <unistd.h>

#include "csim/isa/ptx/ptx.h"
#include "tests/ptx/machine.h"
#include "tests/ptx/snippets.h"
#include "tests/test.h"

typedef uint32_t u32;
typedef uint64_t u64;

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
  struct isa_program *p = translate(s->text, regs);
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

TEST(snippets) {
  for (size_t i = 0; i < nsnippets; i++) {
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

TEST(cuda) {
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
    {"bar.red.popc.u32 %r1, 1, %p1;", "test.ptx:5: there is one barrier"},
    {"bar.arrive 0, 64;", "not arrival"},
    {"atom.global.cas.b16 %h1, [%r1], %h2, %h2;", "test.ptx:5: atomics exist on 32 and 64 bits"},
    {"atom.global.inc.u64 %rd1, [%r1], %rd2;", "test.ptx:5: 64-bit atomics have no inc, no dec"},
    {"atom.shared.dec.u64 %rd1, [%r1], %rd2;", "64-bit atomics have no inc, no dec"},
    {"atom.global.add.f64 %fd1, [%r1], %fd2;", "and no .f64; use a loop of atom.cas.b64"},
    {"red.add.f64 [%r1], %fd2;", "and no .f64"},
    {"red.global.inc.u64 [%r1], %rd2;", "64-bit atomics have no inc"},
    {"atom.global.cas.b64 %rd1, [%r1], %rd2;", "wrong number of operands"},
    {"mul.s32 %r1, %r2, %r3;", "needs .lo, .hi or .wide"},
    {"add.s32 %r1, %r2, %r3", "syntax error"},
    {"add.s32 %r1, %r2,, %r3;", "syntax error"},
    {"call loop;", "calls itself"},
    {"call ghost;", "'ghost' is called but defined nowhere"},
    {"call (%r1), %r2, (%r3);", "indirect call"},
    {"mov.u32 %r1, loop;", "indirect calls are not supported"},
    {"mov.u32 %r1, %nosuch;", "'%nosuch' is not declared, and no special register"},
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
    /* An error names the thing that this machine has not. */
    {"tanh.approx.f32 %f1, %f2;", "test.ptx:5: the instruction 'tanh' is not supported; compute"},
    {"tex.1d.v4.s32.f32 {%r1, %r2, %r3, %r4}, [%r1];", "'tex' is not supported; textures"},
    {"suld.b.1d.b32.clamp %r1, [%r1];", "'suld' is not supported; surfaces"},
    {"wmma.mma.sync %r1;", "'wmma' is not supported; matrix"},
    {"cp.async.ca.shared.global [%r1], [%r2], 16;", "'cp' is not supported; copies"},
    {"fma.rn.bf16 %r1, %r2, %r3, %r4;", "'fma': the type '.bf16' is not supported"},
    {"cvt.rn.f16x2.f32 %r1, %f1, %f2;", "'cvt': the type '.f16x2' is not supported"},
    {"cvt.rna.tf32.f32 %r1, %f1;", "'cvt': the type '.tf32' is not supported"},
    {"ld.global.v8.f32 {%f1, %f1, %f1, %f1, %f1, %f1, %f1, %f1}, [%r1];", "'ld.v8' is not supp"},
    {".tex .u64 t;", "'.tex'"},
    {"call (%r1), vprintf, (%r2, %r3);", "printf (a call of 'vprintf')"},
    {"match.any.sync.b32 %r1, %r2, -1;", "'match' is not supported"},
    {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %r2, [%r3];",
     "'st.async' is not supported; barriers in memory"},
    {"red.async.relaxed.cluster.add.u32 [%r1], %r2, [%r3];", "'red.async' is not supported"},
    {"cvt.pack.sat.u8.s32.b32 %r1, %r2, %r3, %r4;", "'cvt.pack' is not supported"},
    {"vadd.u32.u32.u32 %r1, %r2, %r3;", "'vadd' is not supported; of the video instructions"},
    {"vshl.u32.u32.u32 %r1, %r2, %r3;", "needs .wrap or .clamp"},
    {"vshl.u32.u32.u32.wrap.clamp %r1, %r2, %r3;", "needs .wrap or .clamp"},
    {"vshl.u32.u32.s32.wrap %r1, %r2, %r3;", "the sources of 'vshl'"},
    {"vshl.u32.u64.u32.wrap %r1, %r2, %r3;", "the sources of 'vshl'"},
    {"vshr.u64.u32.u32.wrap %rd1, %r2, %r3;", "'vshr' of this type"},
    {"vshr.u32.u32.u32.wrap.add %r1, %r2, %r3;", "needs 4 operands"},
    {"vshr.u32.u32.u32.wrap %r1, %r2, %r3, %r4;", "needs 3 operands"},
    {"vshr.u32.u32.u32.wrap.min %r1.b0, %r2, %r3, %r4;", "a part of its destination"},
    {"vshr.u32.u32.u32.wrap %r1.h2, %r2, %r3;", "vector elements by name"},
    {"add.u32 %r1, %r2.b0, %r3;", "'add' reads whole registers, not '%r2.b0'"},
    {"add.u32 %r1.h0, %r2, %r3;", "must be a register"},
    {"ld.global.u32 %r1, [%r2.b1];", "address in brackets"},
    {"st.global.u32 [%r2], %r1.h1;", "reads whole registers"},
    {"mad.lo.sat.s32 %r1, %r2, %r3, %r4;", "as .hi.sat.s32 only"},
    {"mad24.hi.sat.u32 %r1, %r2, %r3, %r4;", "as .hi.sat.s32 only"},
    {"mul24.hi.sat.s32 %r1, %r2, %r3;", "'.sat'"},
    {"min.NaN.f64 %rd1, %rd2, %rd3;", "has no .NaN"},
    {"min.xorsign.f32 %f1, %f2, %f3;", "together"},
    {"min.NaN.s32 %r1, %r2, %r3;", "'.NaN'"},
    {"add.ftz.f64 %rd1, %rd2, %rd3;", "no modifier '.ftz'"},
    {"add.rz.f16 %h1, %h2, %h3;", "'add.f16' rounds to nearest only"},
    {"fma.rp.f16 %h1, %h2, %h3, %h3;", "'fma.f16' rounds to nearest only"},
    {"rcp.rn.ftz.f64 %rd1, %rd2;", "no modifier '.ftz'"},
    {"cvt.rn.ftz.f16.f64 %r1, %rd2;", "no modifier '.ftz'"},
    {"isspacep.param %p1, %r1;", "knows .global"},
    /* Modifiers that an instruction has not, twice, or not with its type. */
    {"add.volatile.s32 %r1, %r2, %r3;", "'add' has no modifier '.volatile'"},
    {"add.frob.s32 %r1, %r2, %r3;", "the modifier '.frob' of 'add'"},
    {"add.s32.u32 %r1, %r2, %r3;", "more types"},
    {"add.rn.rz.f32 %f1, %f2, %f3;", "more than one modifier like '.rz'"},
    {"add.ftz.s32 %r1, %r2, %r3;", "integers has no rounding"},
    {"mul.lo.f32 %f1, %f2, %f3;", "floats has no carry"},
    {"mul.lo.sat.u32 %r1, %r2, %r3;", "'.sat'"},
    {"ld.global.lo.u32 %r1, [%r2];", "no modifier '.lo'"},
    {"ld.global.shared.u32 %r1, [%r2];", "more than one modifier"},
    {"shf.l.b32 %r1, %r2, %r3, 4;", "'shf' needs"},
    {"bra.frob out; out:", "the modifier '.frob' of 'bra'"},
    {"call.frob loop;", "the modifier '.frob' of 'call'"},
    {"exit.u32;", "'.u32'"},
    {"ld.volatile.volatile.global.u32 %r1, [%r2];", "'.volatile' twice"},
    {"cvta.to.u32 %r1, %r2;", "'cvta' needs a space"},
    {"L: .branchtargets M; M: brx.idx %r1, L.x;", "needs a list declared"},
    {"setp.lt.and.or.s32 %p1, %r1, %r2, %p2;", "'.or'"},
    {"setp.lt.and.s32 %p1, %r1, %r2;", "'.and'"},
    {"setp.lt.s32 %p1, %r1, %r2, %p2;", "needs .and, .or or .xor"},
    {"prmt.b32.f4e.rc8 %r1, %r2, %r3, %r4;", "'.rc8'"},
    /* Operands of which a part has no meaning. */
    {"add.s32 %r1+1, %r2, %r3;", "must be a register"},
    {"add.s32 %r1, -%r2, %r3;", "use neg"},
    {"add.s32 %r1, !%r2, %r3;", "negated operand"},
    {"add.s32 %r1, [%r2], %r3;", "cannot read memory"},
    {"add.s32 %r1, %p1|%p2, %r3;", "second name"},
    {"add.s32 %r1|%p1, %r2, %r3;", "must be a register"},
    {"and.pred %p1, %p2|%p3, %p1;", "second name of '%p2|%p3'"},
    {"add.f32 %f1, %f2 + 1, %f3;", "a constant is added"},
    {"mov.pred %p1, %p2 + 1;", "a constant is added"},
    {"mov.f32 %f1, %tid.x;", "is an integer"},
    {"mov.u32 %r1, g.x;", "'g.x' is no variable"},
    {"mov.u32 %r1, %tid.w;", "'%tid.w' is not declared"},
    {"mov.u32 %r1, 0f3F800000;", "a float constant"},
    {"ld.global.u32 %r1+4, [%r2];", "must be a register"},
    {"ld.global.u32 {%r1}, [%r2];", "needs .v2 or .v4"},
    {"ld.global.u32 %r1, [[%r2]];", "nested"},
    {"ld.global.u32 %r1, [!%r2];", "operand expected"},
    {"st.global.u32 [%r1], [%r2];", "one address in brackets"},
    {"mov.b64 %rd1, {%r1, {%r2}};", "nested"},
    {"bra out+4; out:", "needs a label"},
    {"bra [out]; out:", "cannot read memory"},
    {"exit 1;", "'exit' needs 0 operands"},
    {"membar.gl 1;", "'membar' needs 0 operands"},
    {"add.s32 %r1, %r2, %r3,;", "operand expected"},
    {"add.s32 %r1, %r2, 4/0;", "division by 0"},
    {"add.f32 %f1, %f2, 1.0+2.0;", "arithmetic on float constants"},
    {"add.s32 %r1, %r2, (3;", "')' expected"},
    {"shfl.sync.down.b32 %r1, %r2, 1, 31, %r3;", "a constant member mask of all lanes"},
    {"vote.sync.any.pred %p1, %p2, 0xffff;", "a constant member mask of all lanes"},
    {"shfl.down.b32 %r1, %r2, 1;", "'shfl' needs 4 operands"},
    {"shfl.b32 %r1, %r2, 1, 31;", "'shfl' needs .up"},
    {"vote.all.any.pred %p1, %p2;", "'vote' needs .all"},
    /* Directives that end early or have more than they need. */
    {".loc 1 2;", "an integer expected"},
    {".loc 1 2 3 4;", "an instruction expected"},
    {".loc 1 2 3, inlined 4;", "function_name or inlined_at"},
    {".pragma nounroll;", "a string expected"},
    {".reg .u32 .u32 %q;", "one word too many"},
    {".reg .align 4 .u32 %q;", "a register has a type and a name"},
    {".shared .u32 s = 5;", "'s' has initial values"},
    {".maxnreg 3;", "the directive '.maxnreg'"},
    {".param .u32 x,; ", "a name expected"},
};

TEST(errors) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    char text[4096];
    snprintf(text, sizeof text,
             ".version 3.2\n.target sm_20\n.address_size 32\n.global .u32 g; .func loop() { call "
             "loop; ret; } .extern .func (.reg .u32 x) vprintf(.reg .u32 a, .reg .u32 b); .entry "
             "k(.param .u32 n) { .reg .pred %%p<4>; .reg .u32 %%r<9>; .reg .f32 "
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

TEST(no_kernel) {
  struct isa_program *p;
  struct tandem_error err = {""};
  assert_true(ptx_translate(".version 3.2\n", "e.ptx", NULL, &p, &err) < 0);
  assert_non_null(strstr(err.text, "no kernel"));
  struct ptx_options few = {.max_regs = 4};
  assert_true(ptx_translate(cuda, "e.ptx", &few, &p, &err) < 0);
  assert_non_null(strstr(err.text, "8 to 32"));
  assert_true(ptx_translate(".pragma \"x\"", "e.ptx", NULL, &p, &err) < 0);
  static const char tables[] = ".func f() { ret; }\n.global .u32 t[1] = {f};\n.entry k() { ret; }";
  assert_true(ptx_translate(tables, "e.ptx", NULL, &p, &err) < 0);
  assert_non_null(strstr(err.text, "e.ptx:2: 't' holds the address of the function 'f'"));
  assert_true(ptx_translate(".entry k() { ret;", "e.ptx", NULL, &p, &err) < 0);
  assert_non_null(strstr(err.text, "no end"));
}

/* Functions that call the one before them twice: 2^29 calls end with a message, those that fit do
 * not. */
TEST(too_many_calls) {
  for (unsigned n = 6; n <= 30; n += 24) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs(".func f0() { .reg .u32 %r; st.global.u32 [4096], 1; ret; }\n", out);
    for (unsigned i = 1; i < n; i++)
      fprintf(out, ".func f%u() { call f%u; call f%u; ret; }\n", i, i - 1, i - 1);
    fprintf(out, ".entry k() { call f%u; ret; }\n", n - 1);
    fclose(out);
    struct isa_program *p;
    struct tandem_error err = {""};
    const int status = ptx_translate(text, "calls.ptx", NULL, &p, &err);
    if ((status == 0) != (n == 6) || (n != 6 && strstr(err.text, "calls.ptx:31: ") == NULL) ||
        (n != 6 && strstr(err.text, "has 1610612736 PTX instructions, its calls inlined") == NULL))
      fail_msg("%u functions: %s", n, err.text);
    isa_program_free(p);
    free(text);
  }
}

/* The translator survives prefixes of a module, and the module with single characters changed;
 * sanitizers watch. */
TEST(damaged) {
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

/* Deep nesting is refused and does not exhaust the stack. */
TEST(nested) {
  static const char *const starts[] = {".entry k() { ", ".entry k() { add.u32 ",
                                       ".entry k() { .reg .u32 %r; mov.u32 %r, ",
                                       ".global .u32 t[2] = "};
  static const char repeated[] = "{[{{";
  enum { DEEP = 2000000 };
  char *text = malloc(DEEP + 100);
  for (unsigned i = 0; i < 4; i++) {
    size_t n = strlen(strcpy(text, starts[i]));
    memset(text + n, repeated[i], DEEP);
    text[n + DEEP] = '\0';
    struct isa_program *p;
    struct tandem_error err;
    assert_true(ptx_translate(text, "n.ptx", NULL, &p, &err) < 0);
    assert_non_null(strstr(err.text, "nested"));
  }
  free(text);
}

/* Source lines travel with the instructions. */
TEST(lines) {
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

/* Reconvergence: of an if behind its else, of a loop behind it, of a jump nowhere; an unconditional
 * jump behind a condition is folded into it. */
TEST(reconvergence) {
  struct isa_program *p = translate(".entry k(.param .u32 n) { .reg .u32 %r<4>; .reg .pred %p<3>;\n"
                                    "mov.u32 %r1, %tid.x; setp.gt.u32 %p1, %r1, 5;\n"
                                    "@%p1 bra other; mov.u32 %r2, 7; bra.uni both;\n"
                                    "other: mov.u32 %r2, 9;\nboth:\n"
                                    "loop: add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, %r2;\n"
                                    "@%p2 bra next; bra.uni out; next: bra.uni loop; out:\n"
                                    "st.global.u32 [4096], %r1; ret; }",
                                    8);
  unsigned branches = 0, at[8] = {0};
  for (unsigned i = 0; i < p->ncode; i++)
    if (isa_id_of(p->code[i]) == ISA_BRA)
      at[branches++ & 7] = i;
  assert_int_equal(branches, 3);
  uint64_t split = p->code[at[0]], jump = p->code[at[1]], loop = p->code[at[2]];
  unsigned join = (unsigned)(jump >> 32 & 0xffff);
  assert_int_equal(split >> 32 & 0xffff, at[1] + 1);
  assert_int_equal(split & 0xfffff, join);
  assert_int_equal(jump & 0xfffff, ISA_NO_RPC);
  assert_int_equal(loop >> 32 & 0xffff, join);
  assert_int_equal(loop & 0xfffff, at[2] + 1);
  isa_program_free(p);
}

/* Lanes that leave a loop which waits for a lock meet behind the release, but before an instruction
 * that needs all of them. */
TEST(locks) {
  static const char *const between[] = {"add.u32 %r2, %r2, 1;", "vote.any.pred %p2, %p3;",
                                        "vote.ballot.b32 %r2, %p3;",
                                        "shfl.bfly.b32 %r2, %r3, 1, 31;"};
  for (unsigned i = 0; i < 4; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             ".entry k(.param .u32 n) { .reg .u32 %%r<5>; .reg .pred %%p<4>;\n"
             "ld.param.u32 %%r1, [n]; mov.u32 %%r2, 0; mov.u32 %%r3, %%tid.x;\n"
             "setp.eq.u32 %%p3, %%r3, 2;\n"
             "again: atom.global.cas.b32 %%r4, [%%r1], 0, 1; setp.ne.u32 %%p1, %%r4, 0;\n"
             "@%%p1 bra again;\n%s\n@%%p2 add.u32 %%r2, %%r2, 3;\n"
             "st.global.u32 [%%r1+4], %%r2; atom.global.exch.b32 %%r4, [%%r1], 0; ret; }",
             between[i]);
    struct isa_program *p = translate(text, 32);
    size_t branch = p->ncode, release = 0;
    for (size_t pc = 0; pc < p->ncode; pc++) {
      if (isa_id_of(p->code[pc]) == ISA_BRA && branch == p->ncode)
        branch = pc;
      if (isa_id_of(p->code[pc]) == ISA_AEXCH)
        release = pc;
    }
    assert_true(branch < release);
    if (((p->code[branch] & 0xfffff) > release) != (i == 0))
      fail_msg("%s: meets at %u, the release is %zu", between[i],
               (unsigned)(p->code[branch] & 0xfffff), release);
    isa_program_free(p);
  }
}

int main(int argc, char **argv) {
  const char *s = argc > 2 && strcmp(argv[1], "--seed") == 0 ? argv[2] : getenv("TANDEM_SEED");
  seed = s ? (u64)strtoull(s, NULL, 0) : (u64)(unsigned)getpid();
  printf("seed %llu\n", (unsigned long long)seed);
  return test_run(NULL, NULL);
}
