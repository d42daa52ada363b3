/* Cases of single PTX instructions: each a kernel. */
#include <math.h>

#include "csim/isa/ptx/ptx.h"
#include "tests/ptx/machine.h"
#include "tests/ptx/values.h"
#include "tests/test.h"

/* ---- cases ---- */

enum { MOST = 2048 };
static struct value_case cases[MOST];
static unsigned ncases;

struct value_case *values_add(char result, const u64 *edges, size_t bytes, unsigned sources,
                              want_fn *want) {
  assert_true(ncases < MOST);
  struct value_case *c = &cases[ncases++];
  *c = (struct value_case){.result = result,
                           .edges = edges,
                           .nedges = (unsigned)(bytes / sizeof *edges),
                           .sources = sources,
                           .want = want};
  return c;
}

/* ---- running ---- */

static const char head[] =
    "(.param .u32 in, .param .u32 out) { .reg .u32 %in, %out, %t; .reg .b64 %la, %lb, %lc, %l0;\n"
    ".reg .b32 %ra, %rb, %rc, %r0; .reg .b16 %ha, %hb, %hc, %h0; .reg .f64 %da, %db, %dc, %d0;\n"
    ".reg .f32 %fa, %fb, %fc, %f0; .reg .pred %p0;\n"
    "ld.param.u32 %in, [in]; ld.param.u32 %out, [out]; mov.u32 %t, %ctaid.x;\n"
    "mad.lo.u32 %t, %t, 128, %tid.x; mad.lo.u32 %in, %t, 24, %in; mad.lo.u32 %out, %t, 8, %out;\n"
    "ld.global.b64 %la, [%in]; ld.global.b64 %lb, [%in+8]; ld.global.b64 %lc, [%in+16];\n"
    "cvt.u32.u64 %ra, %la; cvt.u32.u64 %rb, %lb; cvt.u32.u64 %rc, %lc;\n"
    "cvt.u16.u64 %ha, %la; cvt.u16.u64 %hb, %lb; cvt.u16.u64 %hc, %lc;\n"
    "mov.b64 %da, %la; mov.b64 %db, %lb; mov.b64 %dc, %lc;\n"
    "mov.b32 %fa, %ra; mov.b32 %fb, %rb; mov.b32 %fc, %rc;\n";

static const char *store_of(char result) {
  return result == 'l'   ? "st.global.b64 [%out], %l0;"
         : result == 'd' ? "st.global.f64 [%out], %d0;"
         : result == 'f' ? "st.global.f32 [%out], %f0;"
         : result == 'h' ? "cvt.u32.u16 %r0, %h0; st.global.b32 [%out], %r0;"
         : result == 'p' ? "selp.u32 %r0, 1, 0, %p0; st.global.b32 [%out], %r0;"
                         : "st.global.b32 [%out], %r0;";
}

static struct isa_program *translate_cases(void) {
  char *text;
  size_t bytes;
  FILE *out = open_memstream(&text, &bytes);
  fputs(".version 7.0\n.target sm_80\n.address_size 32\n", out);
  for (unsigned i = 0; i < ncases; i++)
    fprintf(out, ".entry k%u%s%s\n%s ret; }\n", i, head, cases[i].text, store_of(cases[i].result));
  fclose(out);
  struct tandem_error err = {""};
  struct isa_program *p;
  if (ptx_translate(text, "values.ptx", NULL, &p, &err) != 0)
    fail_msg("%s", err.text);
  free(text);
  return p;
}

static void run_case(const struct isa_program *p, unsigned i) {
  const struct value_case *c = &cases[i];
  const unsigned n = c->nedges, tuples = c->sources == 1 ? n : c->sources == 2 ? n * n : n * n * n;
  const unsigned blocks = (tuples + 127) / 128;
  u64(*in)[3] = calloc(blocks * 128U, sizeof *in);
  for (unsigned t = 0; t < tuples; t++)
    for (unsigned k = 0, at = t; k < 3; k++, at /= n)
      in[t][k] = c->edges[at % n];
  struct machine *m = machine_create(p, 1 << 19);
  const uint32_t args[2] = {machine_buffer(m, in, blocks * 128U * (uint32_t)sizeof *in),
                            machine_buffer(m, NULL, blocks * 1024U)};
  const struct machine_launch l = {
      .grid = {blocks, 1, 1}, .block = {128, 1, 1}, .params = args, .param_bytes = 8};
  if (machine_run(m, &p->kernels[i], &l) != 0)
    fail_msg("%s: %s", c->text, m->error);
  const u64 *got = (const void *)(m->memory + args[1]);
  for (unsigned t = 0; t < tuples; t++) {
    const u64 want = c->want(c, in[t][0], in[t][1], in[t][2]);
    if (got[t] != want)
      fail_msg("%s of (0x%llx, 0x%llx, 0x%llx): 0x%llx, expected 0x%llx", c->text,
               (unsigned long long)in[t][0], (unsigned long long)in[t][1],
               (unsigned long long)in[t][2], (unsigned long long)got[t], (unsigned long long)want);
  }
  machine_destroy(m);
  free(in);
}

void values_run(void) {
  struct isa_program *p = translate_cases();
  const unsigned n = ncases;
  ncases = 0;
  for (unsigned i = 0; i < n; i++)
    run_case(p, i);
  isa_program_free(p);
}

/* ---- types ---- */

const char *const value_types[TYPES] = {"u8",  "s8",  "u16", "s16", "u32", "s32",
                                        "u64", "s64", "f16", "f32", "f64"};
unsigned value_width(unsigned t) { return t < INTEGERS ? 8U << t / 2 : 16U << (t - F16); }
bool value_signed(unsigned t) { return t < INTEGERS && t % 2 == 1; }
char value_letter(unsigned t) {
  if (t == F32 || t == F64)
    return t == F32 ? 'f' : 'd';
  if (value_width(t) == 16)
    return 'h';
  return value_width(t) == 64 ? 'l' : 'r';
}

static double of_single(u64 v) {
  const uint32_t u = (uint32_t)v;
  float f;
  memcpy(&f, &u, sizeof f);
  return (double)f;
}
static double of_double(u64 v) {
  double d;
  memcpy(&d, &v, sizeof d);
  return d;
}
static u64 double_bits(double d) {
  u64 v;
  memcpy(&v, &d, sizeof v);
  return isnan(d) ? INT64_MAX : v;
}
static u64 single_bits(double d) {
  const float f = (float)d;
  uint32_t v;
  memcpy(&v, &f, sizeof v);
  return isnan(d) ? INT32_MAX : v;
}
static double of_half(u64 v) {
  const unsigned e = v >> 10 & 31, m = v & 1023;
  const double d = e == 31  ? (m != 0 ? (double)NAN : (double)INFINITY)
                   : e != 0 ? ldexp(m + 1024, (int)e - 25)
                            : ldexp(m, -24);
  return (v & 0x8000) != 0 ? -d : d;
}
u64 value_half(long double d) {
  const u64 sign = signbit(d) ? 0x8000 : 0;
  const long double size = fabsl(d);
  if (isnan(d))
    return 0x7fff;
  if (size >= 65520)
    return sign | 0x7c00;
  const int e = size < 0x1p-14L ? -14 : ilogbl(size);
  return sign | (((u64)(e + 14) << 10) + (u64)rintl(ldexpl(size, 10 - e)));
}
double value_of(unsigned t, u64 v) {
  return t == F16 ? of_half(v) : t == F32 ? of_single(v) : of_double(v);
}
u64 value_bits(unsigned t, double d) {
  return t == F16 ? value_half((long double)d) : t == F32 ? single_bits(d) : double_bits(d);
}
