/* OpenCL C features: work-items, local memory and barriers, atomics, vectors, parameters. */
#include <math.h>

#include "csim/isa/opencl/diagnostics.h"
#include "csim/isa/opencl/opencl.h"
#include "csim/isa/ptx/ptx.h"
#include "tests/ptx/machine.h"
#include "tests/test.h"

typedef uint32_t u32;

/* ---- running one kernel ---- */

struct bed {
  struct isa_program *p[3];
};
static const unsigned limits[3] = {32, 16, 8};

static int setup(void **state) {
  struct bed *b = calloc(1, sizeof *b);
  struct tandem_error err = {""};
  char *ptx;
  if (opencl_to_ptx(TANDEM_ROOT "/tests/ptx/features.cl", NULL, &ptx, &err) != 0)
    fail_msg("%s", err.text);
  for (unsigned i = 0; i < 3; i++) {
    struct ptx_options opt = {.max_regs = limits[i]};
    if (ptx_translate(ptx, "features.ptx", &opt, &b->p[i], &err) != 0)
      fail_msg("%u registers: %s", limits[i], err.text);
  }
  free(ptx);
  *state = b;
  return 0;
}

static int teardown(void **state) {
  struct bed *b = *state;
  for (unsigned i = 0; i < 3; i++)
    isa_program_free(b->p[i]);
  free(b);
  return 0;
}

struct run {
  struct machine *m;
  u32 args[64];
};

static struct run start(const struct isa_program *p) {
  return (struct run){.m = machine_create(p, 1 << 20)};
}

static void go(struct run *r, const char *name, u32 gx, u32 gy, u32 bx, u32 by, u32 shared) {
  const struct isa_kernel *k = isa_program_kernel(r->m->program, name);
  assert_non_null(k);
  struct machine_launch l = {.grid = {gx, gy, 1},
                             .block = {bx, by, 1},
                             .work_dim = 2,
                             .dynamic_shared = shared,
                             .params = r->args,
                             .param_bytes = k->param_bytes};
  if (machine_run(r->m, k, &l) != 0)
    fail_msg("%s: %s", name, r->m->error);
}

static const void *result(const struct run *r, u32 at) { return r->m->memory + at; }

static u32 noise(u32 i) {
  i = (i + 0x9e37U) * 2654435761U;
  return i ^ i >> 15;
}

#define EACH_LIMIT(state)                                                                          \
  for (unsigned n_ = 0; n_ < 3; n_++)                                                              \
    for (struct run r = start(((struct bed *)*(state))->p[n_]); r.m;                               \
         machine_destroy(r.m), r.m = NULL)

/* ---- the tests ---- */

TEST(reduce) {
  enum { N = 500, BLOCK = 128, GROUPS = 4 };
  int in[N], sum[GROUPS + 1] = {0};
  for (int i = 0; i < N; i++) {
    in[i] = (int)(noise((u32)i) % 2000) - 1000;
    sum[0] += in[i];
    sum[1 + i / BLOCK] += in[i];
  }
  EACH_LIMIT(state) {
    r.args[0] = machine_buffer(r.m, in, sizeof in);
    r.args[1] = machine_buffer(r.m, NULL, sizeof sum);
    r.args[2] = isa_program_kernel(r.m->program, "reduce")->shared_bytes;
    r.args[3] = N;
    go(&r, "reduce", GROUPS, 1, BLOCK, 1, 4 * BLOCK);
    assert_memory_equal(result(&r, r.args[1]), sum, sizeof sum);
  }
}

TEST(transpose) {
  enum { W = 41, H = 30 };
  u32 in[H][W], want[W][H];
  for (u32 y = 0; y < H; y++)
    for (u32 x = 0; x < W; x++)
      want[x][y] = in[y][x] = noise(y * W + x);
  EACH_LIMIT(state) {
    assert_int_equal(isa_program_kernel(r.m->program, "transpose")->shared_bytes, 16 * 17 * 4);
    r.args[0] = machine_buffer(r.m, in, sizeof in);
    r.args[1] = machine_buffer(r.m, NULL, sizeof want);
    r.args[2] = W;
    r.args[3] = H;
    go(&r, "transpose", 3, 2, 16, 16, 0);
    assert_memory_equal(result(&r, r.args[1]), want, sizeof want);
  }
}

struct mixed {
  signed char c;
  int i;
  short s[3];
  double d;
};

static void put(struct run *r, const char *kernel, unsigned n, const void *v, size_t bytes) {
  const struct isa_kernel *k = isa_program_kernel(r->m->program, kernel);
  assert_true(n < k->nparams);
  assert_int_equal(k->params[n].size, bytes);
  assert_int_equal(k->params[n].offset % k->params[n].align, 0);
  memcpy((char *)r->args + k->params[n].offset, v, bytes);
}

TEST(params) {
  signed char c = -5;
  short s = -300;
  struct mixed m = {-7, 123456, {-1, 20, -300}, 0.125};
  long l = -5000000000L;
  float v[4] = {1.5f, -2.5f, 3.25f, 4};
  unsigned char u = 200;
  double d = -1e-3;
  u32 k = 0xfffffff0U;
  EACH_LIMIT(state) {
    u32 out = machine_buffer(r.m, NULL, 64 * sizeof(double));
    put(&r, "params", 0, &c, 1);
    put(&r, "params", 1, &out, 4);
    put(&r, "params", 2, &s, 2);
    put(&r, "params", 3, &m, sizeof m);
    put(&r, "params", 4, &l, 8);
    put(&r, "params", 5, v, 16);
    put(&r, "params", 6, &u, 1);
    put(&r, "params", 7, &d, 8);
    put(&r, "params", 8, &k, 4);
    go(&r, "params", 2, 1, 32, 1, 0);
    const double *got = result(&r, out);
    for (int i = 0; i < 64; i++) {
      double want = c + s * 2 + m.c * 3 + m.i * 4 + m.s[i % 3] * 5;
      double sum = m.d + (double)l + (double)v[0] + (double)(v[1] * 2) + (double)(v[2] * 3) +
                   (double)(v[3] * 4) + u + d + k;
      assert_true(fabs(got[i] - (want + sum)) < 1e-3);
    }
  }
}

TEST(vectors) {
  enum { N = 96 };
  signed char c[N][4];
  short s[N][2];
  int n[N][4];
  float f[N][2];
  double d[N][2];
  for (u32 i = 0; i < N; i++)
    for (u32 k = 0; k < 4; k++) {
      c[i][k] = (signed char)noise(i * 4 + k);
      n[i][k] = (int)noise(i * 9 + k);
      s[i][k & 1] = (short)noise(i * 11 + k);
      f[i][k & 1] = (float)(int)(noise(i * 13 + k) % 4000) * 0.25f - 300.0f;
      d[i][k & 1] = (double)(int)noise(i * 17 + k) * 1e-3;
    }
  EACH_LIMIT(state) {
    r.args[0] = machine_buffer(r.m, c, sizeof c);
    r.args[1] = machine_buffer(r.m, s, sizeof s);
    r.args[2] = machine_buffer(r.m, n, sizeof n);
    r.args[3] = machine_buffer(r.m, f, sizeof f);
    r.args[4] = machine_buffer(r.m, d, sizeof d);
    r.args[5] = machine_buffer(r.m, NULL, sizeof n);
    r.args[6] = machine_buffer(r.m, NULL, sizeof d);
    r.args[7] = machine_buffer(r.m, NULL, sizeof c);
    r.args[8] = machine_buffer(r.m, NULL, sizeof s);
    go(&r, "vectors", 1, 1, N, 1, 0);
    const int(*out)[4] = result(&r, r.args[5]);
    const double(*outd)[2] = result(&r, r.args[6]);
    const unsigned char(*outc)[4] = result(&r, r.args[7]);
    const short(*outs)[2] = result(&r, r.args[8]);
    for (u32 i = 0; i < N; i++) {
      for (u32 k = 0; k < 4; k++) {
        int more = k < 2 ? s[i][k % 2] : -(int)(f[i][k % 2] * 4.0f);
        long want = (long)n[i][k] * (k + 1) + c[i][k] + more;
        assert_int_equal(out[i][3 - k], (int)want);
        assert_int_equal(outc[i][k], (unsigned char)(c[i][(k + 3) % 4] + (int)k + 1));
      }
      for (u32 k = 0; k < 2; k++) {
        assert_true(outd[i][k] == d[i][1 - k] * 2.0 + (double)f[i][k]);
        assert_int_equal(outs[i][k], (short)(s[i][1 - k] * (k ? 5 : 3)));
      }
    }
  }
}

TEST(threes) {
  enum { N = 40 };
  float in[N][3];
  for (u32 i = 0; i < N; i++)
    for (u32 k = 0; k < 3; k++)
      in[i][k] = (float)(int)(noise(i * 3 + k) % 100) - 50;
  EACH_LIMIT(state) {
    r.args[0] = machine_buffer(r.m, in, sizeof in);
    r.args[1] = machine_buffer(r.m, NULL, sizeof in);
    go(&r, "threes", 1, 1, N, 1, 0);
    const float(*out)[3] = result(&r, r.args[1]);
    for (u32 i = 0; i < N; i++) {
      const float *v = in[i];
      assert_true(out[i][0] == v[1] * 3 - v[2] * 2);
      assert_true(out[i][1] == v[2] * 1 - v[0] * 3);
      assert_true(out[i][2] == v[0] * 2 - v[1] * 1);
    }
  }
}

TEST(halves) {
  /* 1, -2, 0.1 rounded, 65504, the least subnormal, 1/3 rounded; then each times 1.5 */
  static const uint16_t in[6] = {0x3c00, 0xc000, 0x2e66, 0x7bff, 0x0001, 0x3555};
  static const uint16_t want[6] = {0x3e00, 0xc200, 0x30cc, 0x7c00, 0x0002, 0x3800};
  static const float wide[6] = {1.0f, -2.0f, 0x1.998p-4f, 65504.0f, 0x1p-24f, 0x1.554p-2f};
  EACH_LIMIT(state) {
    r.args[0] = machine_buffer(r.m, in, sizeof in);
    r.args[1] = machine_buffer(r.m, NULL, sizeof in);
    r.args[2] = machine_buffer(r.m, NULL, sizeof wide);
    go(&r, "halves", 1, 1, 6, 1, 0);
    assert_memory_equal(result(&r, r.args[2]), wide, sizeof wide);
    assert_memory_equal(result(&r, r.args[1]), want, sizeof want);
  }
}

TEST(kernel_of_kernel) {
  EACH_LIMIT(state) {
    int v[40];
    for (int i = 0; i < 40; i++)
      v[i] = i * 3;
    r.args[0] = machine_buffer(r.m, v, sizeof v);
    go(&r, "kernel_of_kernel", 1, 1, 40, 1, 0);
    const int *out = result(&r, r.args[0]);
    for (int i = 0; i < 40; i++)
      assert_int_equal(out[i], (v[i] + (signed char)(v[i] + 100) + 2) * 2);
  }
}

TEST(atomics) {
  enum { BLOCK = 64, GROUPS = 3, N = BLOCK * GROUPS };
  EACH_LIMIT(state) {
    u32 g[10] = {0, 100000, 0, 0xffff, 0, 5000, 0, 0, 1000, 0};
    int s[2] = {0, -1000};
    r.args[0] = machine_buffer(r.m, g, sizeof g);
    r.args[1] = machine_buffer(r.m, NULL, 4 * (8 + N));
    r.args[2] = machine_buffer(r.m, s, sizeof s);
    go(&r, "atomics", GROUPS, 1, BLOCK, 1, 0);
    float sum = 0;
    u32 xors = 0, part[7] = {BLOCK * (BLOCK - 1) / 2, BLOCK, 0xffffffff, 63, 7, 5, 9};
    for (u32 i = 0; i < N; i++) {
      xors ^= i * 77;
      sum += 0.5f;
    }
    u32 float_bits;
    memcpy(&float_bits, &sum, 4);
    const u32 want[10] = {N * (N - 1) / 2,
                          100000 - GROUPS * BLOCK * (BLOCK - 1) / 2,
                          0xffffffff,
                          0,
                          xors,
                          1000 - (N - 1),
                          (N - 1) * 3,
                          N,
                          1000 - N,
                          float_bits};
    assert_memory_equal(result(&r, r.args[0]), want, sizeof want);
    const int *gs = result(&r, r.args[2]);
    assert_int_equal(gs[0], -50);
    assert_int_equal(gs[1], N - 1 - 500);
    const u32 *out = result(&r, r.args[1]);
    for (u32 k = 0; k < 7; k++)
      assert_int_equal(out[k], part[k] * GROUPS);
    for (u32 b = 0; b < GROUPS; b++) { /* every ticket of a group once */
      uint64_t seen = 0;
      for (u32 i = 0; i < BLOCK; i++)
        seen |= UINT64_C(1) << out[8 + b * BLOCK + i];
      assert_true(seen == UINT64_MAX);
    }
  }
}

TEST(constants) {
  static const float y[4][3] = {{0.5f, 1.5f, 2.5f}, {3, 4, 5}, {6, 7, 8}, {9, 1, 2}};
  static const int x[4] = {1, -2, 3, 40}, primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
  static const float scale[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  EACH_LIMIT(state) {
    r.args[0] = machine_buffer(r.m, NULL, 4 * 64);
    r.args[1] = machine_buffer(r.m, scale, sizeof scale);
    go(&r, "constants", 1, 1, 64, 1, 0);
    const float *out = result(&r, r.args[0]);
    for (u32 i = 0; i < 64; i++) {
      float want = y[i & 3][i % 3] * scale[i & 7] + (float)x[i >> 2 & 3];
      assert_true(out[i] == want + (float)primes[i & 7] + -77.0f);
    }
  }
}

TEST(calls) {
  enum { N = 128 };
  int in[N + 16];
  for (u32 i = 0; i < N + 16; i++)
    in[i] = (int)(noise(i) % 1000) - 60;
  EACH_LIMIT(state) {
    r.args[0] = machine_buffer(r.m, in, sizeof in);
    r.args[1] = machine_buffer(r.m, NULL, 8 * N);
    go(&r, "calls", 2, 1, 64, 1, 0);
    const int *out = result(&r, r.args[1]);
    for (int i = 0; i < N; i++) {
      int sum = 0, best = -1000000;
      for (int k = 0; k < (i & 15) + 1; k++) {
        best = in[i + k] > best ? in[i + k] : best;
        if (in[i + k] < 0)
          break;
        sum += in[i + k] + (k & 3) * 10;
      }
      assert_int_equal(out[2 * i], sum);
      assert_int_equal(out[2 * i + 1], best);
    }
  }
}

TEST(barriers) {
  enum { N = 96, ROUNDS = 7 };
  int ring[N], next[N];
  for (int t = 0; t < N; t++)
    ring[t] = t * t;
  for (int k = 0; k < ROUNDS; k++) {
    for (int t = 0; t < N; t++) {
      int v = ring[(t + 1) % N] + k;
      next[t] = k & 1 ? v : t % 3 != 1 ? v - ring[t] : ring[t];
    }
    memcpy(ring, next, sizeof ring);
  }
  EACH_LIMIT(state) {
    r.args[0] = machine_buffer(r.m, NULL, sizeof ring);
    r.args[1] = ROUNDS;
    go(&r, "barriers", 1, 1, N, 1, 0);
    const int *out = result(&r, r.args[0]);
    for (int t = 0; t < N; t++)
      assert_int_equal(out[t], ring[N - 1 - t]);
  }
}

TEST(carried) {
  enum { N = 96, ROUNDS = 20 };
  u32 in[N * ROUNDS], want[N * ROUNDS], seed = 0, last = 7;
  for (u32 k = 0; k < ROUNDS; k++) {
    for (u32 t = 0; t < N; t++) {
      in[k * N + t] = noise(k * N + t) >> 20;
      want[k * N + t] = seed + last * 1000;
    }
    seed += in[k * N + N - 1];
    last = k;
  }
  EACH_LIMIT(state) {
    r.args[0] = machine_buffer(r.m, NULL, sizeof want);
    r.args[1] = machine_buffer(r.m, in, sizeof in);
    r.args[2] = ROUNDS;
    go(&r, "carried", 1, 1, N, 1, 0);
    assert_memory_equal(result(&r, r.args[0]), want, sizeof want);
  }
}

TEST(fenced) {
  enum { N = 32 };
  EACH_LIMIT(state) {
    r.args[0] = machine_buffer(r.m, NULL, 4 * N * N);
    r.args[1] = N;
    go(&r, "fenced", 1, 1, N, 1, 0);
    const u32 *out = result(&r, r.args[0]);
    for (u32 k = 0, seed = 1; k < N; k++) {
      seed += 3 * k;
      for (u32 t = 0; t < N; t++)
        assert_int_equal(out[k * N + t], seed);
    }
  }
}

TEST(high_products) {
  enum { N = 64 };
  int32_t in[N][4];
  for (u32 i = 0; i < 4 * N; i++)
    in[i / 4][i % 4] = (int32_t)(noise(i) >> i % 7);
  EACH_LIMIT(state) {
    r.args[0] = machine_buffer(r.m, in, sizeof in);
    r.args[1] = machine_buffer(r.m, NULL, sizeof in);
    go(&r, "high_products", 1, 1, N, 1, 0);
    const u32 *out = result(&r, r.args[1]);
    for (u32 i = 0; i < N; i++) {
      const int32_t *v = in[i];
      u32 low = (u32)((int16_t)v[0] * (int16_t)v[2] >> 16) + 3;
      u32 high = (u32)((int16_t)v[1] * (int16_t)v[3] >> 16) + (u32)v[0];
      __int128 wide = ((__int128)v[0] * (1 << 20)) * ((__int128)v[1] * (1 << 17));
      assert_int_equal(out[4 * i], (u32)((int64_t)v[0] * v[1] >> 32) + (u32)v[2]);
      assert_int_equal(out[4 * i + 1], (u32)((uint64_t)(u32)v[0] * (u32)v[1] >> 32) + (u32)v[3]);
      assert_int_equal(out[4 * i + 2], (u32)(int16_t)low ^ high << 16);
      assert_int_equal(out[4 * i + 3], (u32)(wide >> 64) + 5);
    }
  }
}

TEST(assembly) {
  enum { N = 32 };
  u32 x[N], want[N];
  for (u32 i = 0; i < N; i++) {
    x[i] = noise(i);
    want[i] = (x[i] * x[i] + 5) * 17;
  }
  EACH_LIMIT(state) {
    r.args[0] = machine_buffer(r.m, x, sizeof x);
    go(&r, "assembly", 1, 1, N, 1, 0);
    assert_memory_equal(result(&r, r.args[0]), want, sizeof want);
  }
}

TEST(items) {
  EACH_LIMIT(state) {
    const u32 g[3] = {3, 2, 1}, b[3] = {8, 5, 1};
    r.args[0] = machine_buffer(r.m, NULL, 4 * 240);
    go(&r, "items", g[0], g[1], b[0], b[1], 0);
    const u32 *out = result(&r, r.args[0]);
    for (u32 i = 0; i < 240; i++) {
      u32 id[3] = {i % 24, i / 24, 0}, want = 2;
      for (u32 d = 0; d < 3; d++)
        want = want * 7 + id[d] / b[d] + 3 * g[d] + 5 * (id[d] % b[d]) + b[d];
      assert_int_equal(out[i], want);
    }
  }
}

static int clamp(double v, double lo, double hi) {
  return v != v ? 0 : (int)(v < lo ? lo : v > hi ? hi : v);
}

TEST(converts) {
  static const float in[] = {0,      1.5f,     -1.5f,    2.5f,      -2.5f, 126.7f,   127.5f,
                             200,    255.5f,   300,      -128.6f,   -300,  32767.5f, 40000,
                             -40000, 65535.6f, 70000,    1e9f,      3e9f,  -3e9f,    1e20f,
                             0.49f,  -0.51f,   INFINITY, -INFINITY, -0.0f};
  enum { N = sizeof in / sizeof *in };
  EACH_LIMIT(state) {
    r.args[0] = machine_buffer(r.m, in, sizeof in);
    r.args[1] = machine_buffer(r.m, NULL, 64 * N);
    go(&r, "converts", 1, 1, N, 1, 0);
    const int(*out)[16] = result(&r, r.args[1]);
    for (u32 i = 0; i < N; i++) {
      double x = (double)in[i], z = trunc(x);
      int n = clamp(trunc((double)(in[i] * 3.0f)), INT32_MIN, INT32_MAX);
      const int want[16] = {clamp(z, -128, 127),
                            clamp(z, 0, 255),
                            clamp(z, -32768, 32767),
                            clamp(z, 0, 65535),
                            clamp(z, INT32_MIN, INT32_MAX),
                            clamp(rint(x), INT32_MIN, INT32_MAX),
                            clamp(ceil(x), INT32_MIN, INT32_MAX),
                            clamp(floor(x), INT32_MIN, INT32_MAX),
                            clamp(rint(x), 0, 255),
                            clamp(n, -128, 127),
                            clamp(n, 0, 255),
                            clamp(n, -32768, 32767),
                            clamp(n, 0, 65535),
                            clamp(rint(x), INT32_MIN, INT32_MAX),
                            clamp(round(x), INT32_MIN, INT32_MAX),
                            (isinf(x) ? 2 : 0) | (signbit(x) ? 4 : 0) | (x > 1 ? 8 : 0)};
      for (u32 k = 0; k < 16; k++)
        if (out[i][k] != want[k])
          fail_msg("conversion %u of %g: %d, expected %d", k, x, out[i][k], want[k]);
    }
  }
}

/* The driver takes the kinds of the arguments from the source. */
TEST(description) {
  struct isa_program *p;
  struct tandem_error err = {""};
  if (isa_program_load(TANDEM_ROOT "/tests/ptx/features.cl", NULL, NULL, &p, &err) != 0)
    fail_msg("%s", err.text);
  const struct isa_kernel *k = isa_program_kernel(p, "reduce");
  assert_int_equal(k->nparams, 4);
  assert_string_equal(k->params[2].name, "part");
  assert_true(k->params[2].pointer && k->params[2].space == ISA_SPACE_SHARED);
  assert_true(k->params[0].pointer && k->params[0].space == ISA_SPACE_GLOBAL);
  assert_false(k->params[3].pointer);
  assert_int_equal(k->reqntid[0], 0);
  k = isa_program_kernel(p, "halves");
  assert_int_equal(k->reqntid[0], 6);
  assert_int_equal(k->reqntid[2], 1);
  k = isa_program_kernel(p, "constants");
  assert_true(k->params[1].pointer && k->params[1].space == ISA_SPACE_CONST);
  k = isa_program_kernel(p, "params");
  assert_string_equal(k->params[3].name, "m");
  assert_int_equal(k->params[3].size, 24);
  assert_int_equal(k->params[5].offset % 16, 0);
  isa_program_free(p);
}

TEST(diagnostics) {
  struct isa_program *p;
  struct tandem_error err = {""};
  const char *options[] = {"-DBROKEN", NULL};
  assert_true(isa_program_load(TANDEM_ROOT "/tests/ptx/broken.cl", options, NULL, &p, &err) < 0);
  assert_null(p);
  assert_non_null(strstr(err.text, "broken.cl:3:"));
  assert_non_null(strstr(err.text, "undeclared"));
  /* barrier is a macro of the prelude, which clang names. */
  assert_non_null(strstr(err.text, "too many arguments"));
  assert_null(strstr(err.text, "/.tandem-"));
  assert_true(isa_program_load("nowhere.ptx", NULL, NULL, &p, &err) < 0);
  assert_non_null(strstr(err.text, "nowhere.ptx"));
  assert_true(isa_program_load("kernel.exe", NULL, NULL, &p, &err) < 0);
  assert_non_null(strstr(err.text, "must end in"));
}

/* Messages about files of a folder that is none of the user's are left out. */
TEST(hidden_diagnostics) {
  static const struct {
    const char *said, *shown;
  } cases[] = {
      {"In file included from <built-in>:2:\n"
       "/t/x/p.h:3:1: warning: odd\n#define A\n  ^\n"
       "k.cl:4:2: error: no B\n  B;\n  ^\n"
       "/t/x/p.h:9:1: note: expanded from macro 'A'\n#define A B\n"
       "k.cl:1:9: note: declared here\nint B;\n"
       "1 error generated.\n",
       "k.cl:4:2: error: no B\n  B;\n  ^\n"
       "k.cl:1:9: note: declared here\nint B;\n"
       "1 error generated.\n"},
      {"/t/x/p.h:3:1: error: first\n  code\n/t/x/p.h:4:1: error: second\n", "error: first"},
      {"", ""},
      {"no place, no line end", "no place, no line end"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char log[400];
    snprintf(log, sizeof log, "%s", cases[i].said);
    opencl_hide_diagnostics(log, "/t/x");
    assert_string_equal(log, cases[i].shown);
  }
}

int main(void) { return test_run(setup, teardown); }
