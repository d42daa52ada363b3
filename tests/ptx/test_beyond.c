/* The driver mends clang's PTX, adds to libclc, and refuses the rest with a message. */
#include <math.h>

#include "csim/isa/opencl/mend.h"
#include "csim/isa/opencl/opencl.h"
#include "tests/ptx/machine.h"
#include "tests/test.h"

typedef uint32_t u32;
typedef uint64_t u64;

static int setup(void **state) {
  struct tandem_error err = {""};
  struct isa_program *p;
  if (isa_program_load(TANDEM_ROOT "/tests/ptx/beyond.cl", NULL, NULL, &p, &err) != 0)
    fail_msg("%s", err.text);
  *state = p;
  return 0;
}

static int teardown(void **state) {
  isa_program_free(*state);
  return 0;
}

/* ---- running one kernel on buffers ---- */

struct buffer {
  const void *data; /* NULL: zeros */
  u32 bytes, at;
};

/* One CTA; the machine, with the results, is for the caller to destroy. */
static struct machine *run(void **state, const char *name, u32 threads, struct buffer *b,
                           unsigned n) {
  struct machine *m = machine_create(*state, 1 << 18);
  const struct isa_kernel *k = isa_program_kernel(*state, name);
  assert_non_null(k);
  assert_int_equal(k->nparams, n);
  u32 args[8];
  for (unsigned i = 0; i < n; i++)
    args[i] = b[i].at = machine_buffer(m, b[i].data, b[i].bytes);
  struct machine_launch l = {
      .grid = {1, 1, 1}, .block = {threads, 1, 1}, .params = args, .param_bytes = k->param_bytes};
  if (machine_run(m, k, &l) != 0)
    fail_msg("%s: %s", name, m->error);
  return m;
}

static u32 noise(u32 i) {
  i = (i + 0x9e37U) * 2654435761U;
  return i ^ i >> 15;
}

static u64 wide_noise(u32 i) { return (u64)noise(i) << 32 | noise(i + 7777); }

/* ---- mended ---- */

static u64 rotated(u64 x, u32 n, u32 width) {
  n %= width;
  u64 mask = UINT64_MAX >> (64 - width);
  return n == 0 ? x : (x << n | (x & mask) >> (width - n)) & mask;
}

TEST(rotations) {
  enum { N = 64 };
  static const u32 amounts[8] = {0, 1, 31, 32, 33, 63, 64, 0xfffffff3};
  u32 in[N][2];
  for (u32 i = 0; i < N; i++) {
    in[i][0] = noise(i);
    in[i][1] = i < 8 ? amounts[i] : noise(i + N);
  }
  struct buffer b[2] = {{in, sizeof in, 0}, {NULL, N * 24, 0}};
  struct machine *m = run(state, "rotations", N, b, 2);
  const u32(*out)[6] = (const void *)(m->memory + b[1].at);
  for (u32 i = 0; i < N; i++) {
    u32 x = in[i][0], n = in[i][1], bytes = 0;
    u64 w = rotated((u64)x << 32 | n, n, 64);
    for (unsigned k = 0; k < 32; k += 8)
      bytes |= (u32)rotated(x >> k & 255, n >> k & 255, 8) << k;
    const u32 want[6] = {(u32)rotated(x, n, 32),
                         (u32)rotated(x, n, 32),
                         (u32)rotated(x, 0 - n, 32),
                         (u32)w,
                         (u32)(w >> 32),
                         bytes};
    assert_memory_equal(out[i], want, sizeof want);
  }
  machine_destroy(m);
}

/* The mending itself: what is clang's form, and what only looks like it. */
TEST(mending) {
  static const char ptx[] = "\tshl.b64 \t%lhs, %rd1, %r9;\n\tsub.u32 \t%amt2, 64, %r9;\n"
                            "\tshr.b64 \t%rhs, %rd1, %amt2;\n"
                            "\tshl.b32 \t%lhs, %r1, %r9;\n\tsub.s32 \t%amt2, 32, %r8;\n"
                            "\tshl.b32 \t%lhs, %r1, 7;\n\tshr.b32 \t%rhs, %r1, 25;\n"
                            "\tshr.b32 \t%lhs, %r1, %r2;\n\tsub.s32 \t%amt2, 32, %r2;\n"
                            "\tmul.wide.s32 \t%rd1, %r2, -2147483648;\n"
                            "\tmul.wide.s16 \t%r1, %rs2, -32768;\n"
                            "\tmul.wide.s32 \t%rd1, %r2, -32768;\n"
                            "\t// begin inline asm\n\tmul.wide.s16 \t%r1, %rs2, -32768;\n"
                            "\t// end inline asm\n";
  static const char want[] =
      "and.b32 %amt2, %r9, 63; shl.b64 %lhs, %rd1, %amt2;\nsub.u32 %amt2, 64, %amt2;\n"
      "\tshr.b64 \t%rhs, %rd1, %amt2;\n"
      "\tshl.b32 \t%lhs, %r1, %r9;\n\tsub.s32 \t%amt2, 32, %r8;\n"
      "\tshl.b32 \t%lhs, %r1, 7;\n\tshr.b32 \t%rhs, %r1, 25;\n"
      "and.b32 %amt2, %r2, 31; shr.b32 %lhs, %r1, %amt2;\nsub.s32 %amt2, 32, %amt2;\n"
      "cvt.s64.s32 %rd1, %r2; shl.b64 %rd1, %rd1, 31;\n"
      "cvt.s32.s16 %r1, %rs2; shl.b32 %r1, %r1, 15;\n"
      "\tmul.wide.s32 \t%rd1, %r2, -32768;\n"
      "\t// begin inline asm\n\tmul.wide.s16 \t%r1, %rs2, -32768;\n\t// end inline asm\n";
  char *got = opencl_mend_ptx(ptx);
  assert_string_equal(got, want);
  free(got);
}

TEST(cast_bytes) {
  unsigned char in[64];
  for (u32 i = 0; i < 64; i++)
    in[i] = (unsigned char)noise(i);
  struct buffer b[2] = {{in, sizeof in, 0}, {NULL, 32 * 16, 0}};
  struct machine *m = run(state, "cast_bytes", 32, b, 2);
  const u32(*out)[4] = (const void *)(m->memory + b[1].at);
  for (u32 t = 0; t < 32; t++)
    for (u32 k = 0; k < 4; k++) {
      u32 bytes, shorts = in[2 * k] * 257U | in[2 * k + 1] * 257U << 16;
      memcpy(&bytes, in + (t & 3) * 16 + 4 * k, 4);
      u32 table = 0x03020100U + k * 0x04040404U;
      assert_int_equal(out[t][k], bytes + shorts + table + in[t % 5] + (t % 3 + 1));
    }
  machine_destroy(m);
}

/* ---- added ---- */

typedef _Float16 half;

static half half_of(double x) { return (half)x; }

TEST(halves) {
  enum { N = 32 };
  half in[N][2][4];
  for (u32 i = 0; i < N * 8; i++)
    in[i / 8][i / 4 % 2][i % 4] = half_of((double)(int)(noise(i) % 4001) / 512.0 - 4.0);
  struct buffer b[3] = {{in, sizeof in, 0}, {NULL, N * 24, 0}, {NULL, N * 4, 0}};
  struct machine *m = run(state, "halves", N, b, 3);
  const half(*out)[12] = (const void *)(m->memory + b[1].at);
  const float *wide = (const void *)(m->memory + b[2].at);
  const half *flat = &in[0][0][0];
  for (u32 i = 0; i < N; i++) {
    const half *x = in[i][0], *y = in[i][1], *v = flat + 3 * i;
    half want[12];
    want[0] = half_of(fmin(fmax((double)x[0], -1), 1));
    want[1] = half_of((double)x[1] * (double)y[1] + 0.25);
    want[2] = half_of(sqrt(fabs((double)x[2])));
    want[3] = x[3] > y[3] ? x[3] : y[3];
    for (u32 k = 0; k < 4; k++) {
      half sum = half_of(floor((double)x[k]) + (double)(x[k] < y[k] ? y[k] : x[k]));
      want[4 + k] = half_of((double)sum - fmin((double)x[k], 2));
    }
    for (u32 k = 0; k < 3; k++) {
      float p = (float)v[(k + 1) % 3] * (float)y[(k + 2) % 3];
      want[9 + k] = half_of((double)(p - (float)v[(k + 2) % 3] * (float)y[(k + 1) % 3]));
    }
    assert_memory_equal(out[i], want, 16);
    for (u32 k = 9; k < 12; k++) /* libclc may fuse the products of cross and dot */
      assert_true(fabs((double)out[i][k] - (double)want[k]) <=
                  fabs((double)want[k]) * 0.002 + 1e-3);
    double dot = 0, third = 1.0 / (i + 3);
    for (u32 k = 0; k < 3; k++)
      dot += (double)v[k] * (double)v[k];
    assert_true(fabs((double)wide[i] - (dot + third)) <= dot * 0.001 + 0.001);
  }
  machine_destroy(m);
}

TEST(long_atomics) {
  enum { N = 96 };
  u64 v[N], g[8], want[8];
  for (u32 i = 0; i < 8; i++)
    want[i] = g[i] = wide_noise(i + 500);
  for (u32 i = 0; i < N; i++)
    v[i] = wide_noise(i);
  want[6] += v[0];
  want[7] += v[1];
  for (u32 i = 0; i < N; i++) {
    want[0] += v[i];
    want[1]++;
    want[2] -= (u64)((int64_t)v[i] >> 7);
    want[3] |= v[i] & UINT64_C(0x1100220033004400) << (i & 3);
    want[4] &= v[i] | UINT64_C(0xff00ff00ff00ffff);
    want[5] ^= v[i];
    want[6 + i % 2] += v[i];
  }
  struct buffer b[2] = {{g, sizeof g, 0}, {v, sizeof v, 0}};
  struct machine *m = run(state, "long_atomics", N, b, 2);
  assert_memory_equal(m->memory + b[0].at, want, sizeof want);
  machine_destroy(m);
}

TEST(overloads) {
  enum { N = 32 };
  double in[N];
  for (u32 i = 0; i < N; i++)
    in[i] = (double)(int)(noise(i) % 1000) / 150.0 - 3;
  struct buffer b[2] = {{in, sizeof in, 0}, {NULL, N * 16, 0}};
  struct machine *m = run(state, "overloads", N, b, 2);
  const double *out = (const void *)(m->memory + b[1].at);
  for (u32 i = 0; i < 2 * N; i++) {
    double t = fmin(fmax(((i & 1 ? -in[i / 2] : in[i / 2]) + 1) / 3, 0), 1);
    assert_true(fabs(out[i] - t * t * (3 - 2 * t)) < 1e-12);
  }
  machine_destroy(m);
}

/* ---- refused ---- */

TEST(refused) {
  static const struct {
    const char *option, *where, *what;
  } cases[] = {
      {"-DPRINTS", "broken.cl:7: ", "printf is not supported"},
      {"-DUNDEFINED", "broken.cl:11: ", "'missing' is called but defined nowhere"},
      {"-DIMAGE", "broken.cl:15: ", "'picture' of a kernel is of type image2d_t"},
      {"-DSAMPLER", "broken.cl:18: ", "'how' of a kernel is of type sampler_t"},
      {"-DLEAST", "broken.cl: ", "clang itself fails; try another option of -O0 to -O3"},
      {"-cl-std=CLC++", "broken.cl: ", "-cl-std=CLC++: C++ for OpenCL is not supported"},
      {"-cl-std=clc++2021", "broken.cl: ", "C++ for OpenCL is not supported"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *options[] = {cases[i].option, NULL};
    struct tandem_error err = {""};
    struct isa_program *p;
    assert_true(isa_program_load(TANDEM_ROOT "/tests/ptx/broken.cl", options, NULL, &p, &err) < 0);
    assert_null(p);
    if (!strstr(err.text, cases[i].where) || !strstr(err.text, cases[i].what) ||
        strstr(err.text, "Stack dump"))
      fail_msg("%s: %s", cases[i].option, err.text);
  }
}

int main(void) { return test_run(setup, teardown); }
