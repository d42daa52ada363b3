/* Directives, and instructions that need memory of their own: whole modules, and what they store.
 */
#include "csim/isa/ptx/ptx.h"
#include "tests/ptx/machine.h"
#include "tests/test.h"

#define HEAD ".version 7.8\n.target sm_70\n.address_size 64\n"

static struct isa_program *translate(const char *text, unsigned regs) {
  const struct ptx_options options = {.max_regs = regs};
  struct tandem_error err = {""};
  struct isa_program *p;
  if (ptx_translate(text, "m.ptx", &options, &p, &err) != 0)
    fail_msg("%s", err.text);
  return p;
}

static void refused(const char *text, const char *why) {
  struct tandem_error err = {""};
  struct isa_program *p;
  if (ptx_translate(text, "m.ptx", NULL, &p, &err) == 0)
    fail_msg("accepted: %s", text);
  if (!strstr(err.text, why))
    fail_msg("%s\nexpected: %s", err.text, why);
}

enum { WORDS = 256 };

/* Runs the kernel k(out, parameters ...) with a block of so many threads. */
static void run(const struct isa_program *p, unsigned threads, const uint32_t *more,
                uint32_t out[WORDS]) {
  struct machine *m = machine_create(p, 1 << 16);
  uint32_t params[64] = {machine_buffer(m, NULL, WORDS * 4)};
  const struct isa_kernel *k = &p->kernels[0];
  if (more)
    memcpy(params + 2, more, k->param_bytes - 8);
  const struct machine_launch l = {
      .grid = {1, 1, 1}, .block = {threads, 1, 1}, .params = params, .param_bytes = k->param_bytes};
  if (machine_run(m, k, &l) != 0)
    fail_msg("%s", m->error);
  memcpy(out, m->memory + params[0], WORDS * 4);
  machine_destroy(m);
}

static void gives(const char *text, unsigned threads, const uint32_t *more, const uint32_t *want,
                  unsigned n) {
  uint32_t out[WORDS];
  struct isa_program *p = translate(text, 0);
  run(p, threads, more, out);
  for (unsigned i = 0; i < n; i++)
    if (out[i] != want[i])
      fail_msg("word %u: 0x%x, expected 0x%x", i, out[i], want[i]);
  isa_program_free(p);
}

/* ---- names ---- */

#define TWICE                                                                                      \
  ".func (.param .b32 r) twice(.param .b32 x) { .reg .u32 t; ld.param.u32 t, [x]; add.u32 t, t, "  \
  "t; st.param.b32 [r], t; ret; }\n"
#define SAME ".func (.param .b32 r) same(.param .b32 x);\n"
#define CALL(name)                                                                                 \
  ".entry k(.param .u64 o) { .reg .u64 p; .reg .b32 a; ld.param.u64 p, [o]; { .param .b32 x; "     \
  ".param .b32 r; st.param.b32 [x], 21; call.uni (r), " name ", (x); ld.param.b32 a, [r]; }\n"     \
  "st.global.u32 [p], a; ret; }\n"

TEST(aliases) {
  static const uint32_t want[] = {42};
  gives(HEAD TWICE SAME ".alias same, twice;\n" CALL("same"), 1, NULL, want, 1);
  gives(HEAD SAME SAME ".alias same, twice;\n" CALL("same") TWICE, 1, NULL, want, 1);
  gives(HEAD TWICE SAME ".alias same, twice;\n" CALL("twice"), 1, NULL, want, 1);
  refused(HEAD TWICE ".alias same, twice;\n" CALL("twice"),
          "m.ptx:5: '.alias same, twice': 'same'");
  refused(HEAD SAME ".alias same, twice;\n" CALL("same"), "'twice' is defined nowhere");
  refused(HEAD TWICE ".alias twice, twice;\n" CALL("twice"), "declared without a body");
  refused(HEAD TWICE ".func same(.param .b32 x);\n.alias same, twice;\n" CALL("twice"),
          "their parameters differ");
  refused(HEAD TWICE
          ".func (.param .b32 r) same(.param .b64 x);\n.alias same, twice;\n" CALL("twice"),
          "their parameters differ");
}

/* ---- variables ---- */

#define STORE(n, type, from) "ld" type ".u32 a, [" from "]; st.global.u32 [p+" #n "], a;\n"
#define OUT ".entry k(.param .u64 o) { .reg .u64 p, q; .reg .u32 a, b; ld.param.u64 p, [o];\n"

/* The first dimension follows from the values; rows that are not full end with zeros. */
TEST(arrays_without_a_size) {
  static const uint32_t want[] = {3, 30, 2, 5, 0, 7, 9, 11, 0x40000000, 0x40800000, 1, 8, 0};
  gives(HEAD ".global .u32 va[] = {1, 2, 3};\n.global .u32 vb[] = {10, 20, 30};\n"
             ".const .u32 vc[][2] = {{1, 2}, {3, 4}, {5}};\n.global .u32 vd[][2] = {6, 7, 8};\n"
             ".global .u32 ve = 9;\n.global .u32 vf[][2][2] = {{{1, 2}, {3, 4}}, {{10, 11}}};\n"
             ".global .v2 .f32 vg[] = {{1.0, 2.0}, {3.0, 4.0}};\n"
             ".global .align 4 .b8 vh[] = {1, 0, 0, 0, 8, 0, 0};\n" OUT STORE(0, ".global", "va+8")
                 STORE(4, ".global", "vb+8") STORE(8, ".const", "vc+4") STORE(12, ".const", "vc+16")
                     STORE(16, ".const", "vc+20") STORE(20, ".global", "vd+4")
                         STORE(24, ".global", "ve") STORE(28, ".global", "vf+20")
                             STORE(32, ".global", "vg+4") STORE(36, ".global", "vg+12")
                                 STORE(40, ".global",
                                       "vh") "ld.global.u16 b, [vh+4]; st.global.u32 [p+44], "
                                             "b;\n" STORE(48, ".global", "vd+12") "ret; }",
        1, NULL, want, 13);
  refused(HEAD ".global .u32 va[2][] = {{1}, {2}};\n" OUT "ret; }",
          "m.ptx:4: 'va': only the first");
  refused(HEAD ".global .u32 va[][0] = {{1}};\n" OUT "ret; }", "a dimension of 0");
  static const char *const full[] = {"[][2] = {{1, 2, 3}}", "[2][2] = {{1, 2, 3}}",
                                     "[1][2] = {{1, 2}, {}, {3}}", "[][2] = {{{1, 2}}}"};
  for (unsigned i = 0; i < 4; i++) {
    char text[200];
    snprintf(text, sizeof text, HEAD ".global .u32 va%s;\n" OUT "ret; }", full[i]);
    refused(text, "m.ptx:4: 'va' has more initial values");
  }
  refused(HEAD ".shared .u32 va[] = {1};\n" OUT "ret; }", "'va' has initial values");
}

/* A .local variable of the module is one of the thread's, in all functions that name it. */
TEST(local_variables_of_the_module) {
  static const uint32_t want[] = {5, 6, 105, 106};
  gives(HEAD ".local .u32 unused[100];\n.local .align 8 .b8 mine[24];\n"
             ".func more() { .local .u32 own[4]; .reg .u32 t; ld.local.u32 t, [mine+4];\n"
             " add.u32 t, t, 100; st.local.u32 [own], t; ld.local.u32 t, [own];\n"
             " st.local.u32 [mine+12], t; ret; }\n" OUT
             "mov.u32 a, %tid.x; mul.wide.u32 q, a, 4; add.u64 p, p, q; add.u32 a, a, 5;\n"
             "mov.u64 q, mine; st.local.u32 [q+4], a; call more;\n"
             "ld.local.u32 a, [mine+4]; st.global.u32 [p], a; cvta.local.u64 q, q;\n"
             "ld.u32 a, [q+12]; st.global.u32 [p+8], a; ret; }",
        2, NULL, want, 4);
  struct isa_program *p = translate(HEAD ".local .b8 small[8];\n.local .b8 large[64];\n" OUT
                                         "st.local.u32 [large], 1; ret; }\n",
                                    0);
  assert_int_equal(p->kernels[0].local_bytes, 64);
  isa_program_free(p);
}

/* ---- parameters at generic addresses ---- */

TEST(addresses_of_parameters) {
  static const uint32_t more[] = {0x11, 0x22, 0x33, 0x44, 0x12345678},
                        want[] = {0x33, 0x44, 0x5678, 8, 0x33};
  gives(HEAD ".entry k(.param .u64 o, .param .align 8 .b8 s[16], .param .u32 n) { .reg .u64 p, q, "
             "r; .reg .u32 a;\nld.param.u64 p, [o]; mov.u64 q, s; cvta.param.u64 r, q;\n"
             "ld.u32 a, [r+8]; st.global.u32 [p], a; cvta.param::entry.u64 r, s;\n"
             "ld.u32 a, [r+12]; st.global.u32 [p+4], a; cvta.param.u64 r, n; ld.u16 a, [r];\n"
             "st.global.u32 [p+8], a; cvta.param.u64 r, s; cvta.to.param.u64 q, r;\n"
             "st.global.u32 [p+12], q; ld.param.u32 a, [q+8]; st.global.u32 [p+16], a; ret; }",
        1, more, want, 5);
  refused(HEAD ".func f(.param .u64 x) { .reg .u64 q; cvta.param.u64 q, x; ret; }\n" OUT
               "{ .param .u64 y; st.param.u64 [y], p; call f, (y); } ret; }",
          "m.ptx:4: 'x' is no parameter of the kernel");
}

/* ---- reductions at barriers ---- */

/* Two in a loop, over two warps and a half. */
TEST(reductions) {
  uint32_t want[6 * 3];
  for (unsigned i = 0; i < 6; i++) {
    const unsigned least = i * 20; /* threads below take part */
    want[3 * i] = least < 80 ? least : 80;
    want[3 * i + 1] = least >= 80;
    want[3 * i + 2] = least > 0;
  }
  gives(HEAD ".shared .u32 other;\n" OUT
             ".reg .pred c, r, more; .reg .u32 t, i; mov.u32 t, %tid.x; mov.u32 i, 0;\n"
             "again: setp.lt.u32 c, t, i; bar.red.popc.u32 a, 0, c; st.global.u32 [p], a;\n"
             "barrier.cta.red.and.aligned.pred r, 0, c; selp.u32 a, 1, 0, r;\n"
             "st.global.u32 [p+4], a; setp.ge.u32 c, t, i; @!r bar.red.or.pred c, 0, !c;\n"
             "selp.u32 a, 1, 0, c; @r mov.u32 a, 1; st.global.u32 [p+8], a;\n"
             "add.u64 p, p, 12; add.u32 i, i, 20; setp.lt.u32 more, i, 120; @more bra again;\n"
             "ret; }",
        80, NULL, want, 18);
  refused(HEAD OUT ".reg .pred c; bar.red.and.pred c, 1, c; ret; }", "one barrier, number 0");
  refused(HEAD OUT ".reg .pred c; bar.red.and.pred c, 0, 64, c; ret; }", "one barrier, number 0");
  refused(HEAD OUT ".reg .pred c; bar.red.xor.pred c, 0, c; ret; }", "needs .popc, .and or .or");
  refused(HEAD OUT ".reg .pred c; bar.red.popc.pred c, 0, c; ret; }", "(.pred)");
  refused(HEAD OUT "bar.arrive 0, 64; ret; }", "not arrival");
}

/* ---- time ---- */

TEST(nanoseconds) {
  struct isa_program *p =
      translate(HEAD OUT "mov.u64 q, %globaltimer; st.global.u64 [p], q; mov.u32 a, "
                         "%globaltimer_lo; mov.u32 b, %globaltimer_hi; add.u32 a, a, b; "
                         "st.global.u32 [p+8], a; ret; }",
                0);
  unsigned low = 0, high = 0;
  for (size_t i = 0; i < p->ncode; i++) {
    const bool moves = isa_id_of(p->code[i]) == ISA_MOVS;
    low += moves && isa_unpack(p->code[i]).imm == ISA_SR_GLOBALTIMER;
    high += moves && isa_unpack(p->code[i]).imm == ISA_SR_GLOBALTIMERHI;
  }
  assert_int_equal(low, 2);
  assert_int_equal(high, 2);
  isa_program_free(p);
}

/* ---- hints to caches ---- */

TEST(cache_policies) {
  static const uint32_t want[] = {7, 12, 7};
  gives(HEAD OUT "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 q, 1.0;\n"
                 "createpolicy.range.global.L2::evict_last.b64 q, [p], 64, 128;\n"
                 "createpolicy.cvt.L2.b64 q, 7;\n"
                 "mov.u32 a, 7; st.global.L1::no_allocate.L2::cache_hint.u32 [p], a, q;\n"
                 "ld.global.L2::cache_hint.u32 b, [p], q; st.global.u32 [p+8], b;\n"
                 "st.global.L2::cache_hint.v2.u32 [p], {a, a}, q;\n"
                 "red.global.add.L2::cache_hint.u32 [p+4], 3, q;\n"
                 "atom.global.add.L2::cache_hint.u32 b, [p+4], 2, q; ret; }",
        1, NULL, want, 3);
  refused(HEAD OUT "ld.global.L2::cache_hint.u32 a, [p]; ret; }", "needs a policy");
  refused(HEAD OUT "createpolicy.L2::evict_last.b64 q, 1.0; ret; }", "needs .fractional");
  refused(HEAD OUT "createpolicy.range.b64 q, p, 64, 128; ret; }", "an address with .range");
  refused(HEAD OUT "ld.global.L2::cache_hint.u32 a, [p], a; ret; }", "does not fit the type");
}

/* ---- size ---- */

/* A kernel of 1000 instructions, and one of so many stores of a register and of constants. */
static char *module_of(unsigned stores, unsigned constants) {
  char *text;
  size_t bytes;
  FILE *out = open_memstream(&text, &bytes);
  fputs(".entry first(.param .u32 o) { .reg .u32 p;\nld.param.u32 p, [o];\n", out);
  for (unsigned i = 0; i < 998; i++)
    fputs("st.global.u32 [p], p;\n", out);
  fputs("ret; }\n.entry k(.param .u32 o) { .reg .u32 p; ld.param.u32 p, [o];\n", out);
  for (unsigned i = 0; i < stores; i++)
    fputs("st.global.u32 [p], p;\n", out);
  for (unsigned i = 0; i < constants; i++)
    fprintf(out, "st.global.u32 [p], %u;\n", i);
  fputs("ret; }\n", out);
  fclose(out);
  return text;
}

TEST(more_instructions_than_a_program_has) {
  char *text = module_of(64533, 0);
  struct isa_program *p = translate(text, 0);
  assert_int_equal(p->ncode, 65535);
  isa_program_free(p);
  free(text);
  text = module_of(64534, 0);
  refused(text, "m.ptx:1002: the kernel 'k' has 64536 instructions, with those before it 65536; a "
                "program has at most 65535");
  free(text);
  text = module_of(1, 40000);
  refused(text, "m.ptx:1002: the kernel 'k' has 40003 PTX instructions, its calls inlined, and "
                "needs more than 65536 operations; a program has at most 65535");
  free(text);
}

/* ---- registers ---- */

/* Values that nothing writes do not live from the beginning of the kernel once they are spilled. */
TEST(values_never_written) {
  for (unsigned regs = 8; regs <= 32; regs += 8) {
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    fputs(HEAD OUT ".reg .u32 %u<99>; .reg .b64 %l<99>; .reg .f64 %d<99>; .reg .pred c;\n"
                   "setp.eq.u64 c, p, 0; mov.u32 a, 5;\n",
          out);
    for (unsigned i = 0; i < 60; i++)
      fprintf(out,
              "@c st.global.v4.u32 [p+%u], {%%u%u, a, %%u%u, %%u%u}; @c fma.rn.f64 %%d%u, %%d%u, "
              "%%d%u, %%d%u; @c mad.lo.u64 %%l%u, %%l%u, %%l%u, %%l%u;\n",
              i, i, i * 7 % 60, i * 11 % 60, i % 20, i, i * 3 % 60, i * 5 % 60, i % 30, i,
              i * 7 % 60, i * 13 % 60);
    fputs("st.global.u32 [p], a; ret; }\n", out);
    fclose(out);
    uint32_t got[WORDS];
    struct isa_program *p = translate(text, regs);
    assert_true(p->kernels[0].regs <= regs);
    run(p, 1, NULL, got);
    assert_int_equal(got[0], 5);
    isa_program_free(p);
    free(text);
  }
}

/* Slots beyond the reach of an instruction's offset: none is within the array. */
TEST(slots_behind_a_large_array) {
  enum { VALUES = 40, LARGE = 100000 };
  char *text;
  size_t bytes;
  FILE *out = open_memstream(&text, &bytes);
  fprintf(out, HEAD OUT ".local .b8 large[%d]; .reg .u32 %%u<99>; .reg .u64 at;\n", LARGE);
  fputs("mov.u64 at, large; .reg .pred more;\nfill: st.local.u32 [at], 3; add.u64 at, at, 4;\n"
        "setp.lt.u64 more, at, 100000; @more bra fill;\n",
        out);
  for (unsigned i = 0; i < VALUES; i++)
    fprintf(out, "ld.volatile.global.u32 %%u%u, [p]; add.u32 %%u%u, %%u%u, %u;\n", i, i, i, i);
  fputs("mov.u32 a, 0;\n", out);
  for (unsigned i = 0; i < VALUES; i++)
    fprintf(out, "add.u32 a, a, %%u%u; add.u32 %%u%u, a, 1;\n", i, (i + 5) % VALUES);
  for (unsigned i = 0; i < VALUES; i++)
    fprintf(out, "xor.b32 a, a, %%u%u; mul.lo.u32 a, a, 3;\n", i);
  fputs("mov.u64 at, 0;\nsum: ld.local.u32 b, [at]; add.u32 a, a, b; add.u64 at, at, 4;\n"
        "setp.lt.u64 more, at, 100000; @more bra sum; st.global.u32 [p], a; ret; }\n",
        out);
  fclose(out);
  uint32_t u[VALUES], want = 0, got[WORDS];
  for (unsigned i = 0; i < VALUES; i++)
    u[i] = i;
  for (unsigned i = 0; i < VALUES; i++) {
    want += u[i];
    u[(i + 5) % VALUES] = want + 1;
  }
  for (unsigned i = 0; i < VALUES; i++)
    want = (want ^ u[i]) * 3;
  want += LARGE / 4 * 3;
  for (unsigned regs = 8; regs <= 32; regs += 24) {
    struct isa_program *p = translate(text, regs);
    assert_true(p->kernels[0].local_bytes > LARGE);
    run(p, 1, NULL, got);
    assert_int_equal(got[0], want);
    isa_program_free(p);
  }
  free(text);
}

int main(void) { return test_run(NULL, NULL); }
