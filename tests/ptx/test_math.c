/* The library functions of OpenCL C: all translate, and those that C has too agree with it. */
#include <math.h>

#include "csim/isa/opencl/opencl.h"
#include "csim/isa/ptx/ptx.h"
#include "tests/ptx/machine.h"
#include "tests/test.h"

enum { N = 64 };

/* Inputs go from lo to hi; the difference allowed is tolerance, relative to 1 or to the result. */
static const struct one {
  const char *name;
  double (*fn)(double);
  float lo, hi;
  double tolerance;
} ones[] = {
    {"acos", acos, -1, 1, 1e-6},
    {"asin", asin, -1, 1, 1e-6},
    {"atan", atan, -9, 9, 1e-6},
    {"cbrt", cbrt, -99, 99, 1e-6},
    {"ceil", ceil, -9, 9, 0},
    {"cos", cos, -50, 50, 1e-6},
    {"cosh", cosh, -5, 5, 1e-6},
    {"erf", erf, -3, 3, 1e-5},
    {"exp", exp, -20, 20, 1e-6},
    {"exp2", exp2, -20, 20, 1e-6},
    {"expm1", expm1, -2, 9, 1e-6},
    {"fabs", fabs, -9, 9, 0},
    {"floor", floor, -9, 9, 0},
    {"lgamma", lgamma, 0.1f, 20, 1e-5},
    {"log", log, 0.01f, 99, 1e-6},
    {"log10", log10, 0.01f, 99, 1e-6},
    {"log1p", log1p, -0.9f, 9, 1e-6},
    {"log2", log2, 0.01f, 99, 1e-6},
    {"rint", rint, -9, 9, 0},
    {"round", round, -9, 9, 0},
    {"sin", sin, -50, 50, 1e-6},
    {"sinh", sinh, -5, 5, 1e-6},
    {"sqrt", sqrt, 0, 99, 1e-7},
    {"tan", tan, -1.4f, 1.4f, 1e-5},
    {"tanh", tanh, -4, 4, 1e-6},
    {"tgamma", tgamma, 0.5f, 9, 1e-4},
    {"trunc", trunc, -9, 9, 0},
    {"half_cos", cos, -3, 3, 1e-3},
    {"half_exp", exp, -5, 5, 1e-3},
    {"half_log", log, 0.1f, 9, 1e-3},
    {"native_cos", cos, -3, 3, 1e-5},
    {"native_exp", exp, -5, 5, 1e-5},
    {"native_exp2", exp2, -5, 5, 1e-5},
    {"native_log", log, 0.1f, 9, 1e-5},
    {"native_log2", log2, 0.1f, 9, 1e-5},
    {"native_log10", log10, 0.1f, 9, 1e-5},
    {"native_sin", sin, -3, 3, 1e-5},
    {"native_sqrt", sqrt, 0, 99, 1e-6},
    {"native_tan", tan, -1, 1, 1e-5},
};

/* Functions of x[i] and x[i + 1]. */
static const struct two {
  const char *name;
  double (*fn)(double, double);
  float lo, hi;
  double tolerance;
} twos[] = {
    {"atan2", atan2, -9, 9, 1e-6},
    {"copysign", copysign, -9, 9, 0},
    {"fdim", fdim, -9, 9, 1e-6},
    {"fmax", fmax, -9, 9, 0},
    {"fmin", fmin, -9, 9, 0},
    {"fmod", fmod, -9, 9, 1e-6},
    {"hypot", hypot, -9, 9, 1e-6},
    {"pow", pow, 0.1f, 5, 1e-5},
    {"powr", pow, 0.1f, 5, 1e-5},
    {"half_powr", pow, 0.1f, 5, 1e-2},
    {"native_powr", pow, 0.1f, 5, 1e-4},
};

static int setup(void **state) {
  struct tandem_error err = {""};
  struct isa_program *p;
  if (isa_program_load(TANDEM_ROOT "/tests/ptx/math.cl", NULL, NULL, &p, &err) != 0)
    fail_msg("%s", err.text);
  *state = p;
  return 0;
}

static int teardown(void **state) {
  isa_program_free(*state);
  return 0;
}

static void run(const struct isa_program *p, const char *function, const float *in, float *out,
                unsigned threads) {
  char name[64];
  snprintf(name, sizeof name, "m_%s", function);
  const struct isa_kernel *k = isa_program_kernel(p, name);
  if (!k)
    fail_msg("no kernel %s", name);
  struct machine *m = machine_create(p, 1 << 16);
  uint32_t at = machine_buffer(m, in, 4 * N);
  struct machine_launch l = {
      .grid = {1, 1, 1}, .block = {threads, 1, 1}, .params = &at, .param_bytes = 4};
  if (machine_run(m, k, &l) != 0)
    fail_msg("%s: %s", name, m->error);
  memcpy(out, m->memory + at, 4 * N);
  machine_destroy(m);
}

static void check(const char *name, double x, double got, double want, double tolerance) {
  double error = fabs(got - want), scale = fabs(want) > 1 ? fabs(want) : 1;
  if (!(error <= tolerance * scale))
    fail_msg("%s(%.9g): %.9g, expected %.9g", name, x, got, want);
}

TEST(ones) {
  for (size_t f = 0; f < sizeof ones / sizeof *ones; f++) {
    float in[N], out[N];
    for (unsigned i = 0; i < N; i++)
      in[i] = ones[f].lo + (ones[f].hi - ones[f].lo) * (float)i / (N - 1);
    run(*state, ones[f].name, in, out, N);
    for (unsigned i = 0; i < N; i++)
      check(ones[f].name, (double)in[i], (double)out[i], ones[f].fn((double)in[i]),
            ones[f].tolerance);
  }
}

TEST(twos) {
  for (size_t f = 0; f < sizeof twos / sizeof *twos; f++) {
    float in[N], out[N];
    for (unsigned i = 0; i < N; i++)
      in[i] = twos[f].lo + (twos[f].hi - twos[f].lo) * (float)(i * 37 % N) / (N - 1);
    run(*state, twos[f].name, in, out, 32); /* one warp: all read before one writes */
    for (unsigned i = 0; i < 32; i++)
      check(twos[f].name, (double)in[i], (double)out[i],
            twos[f].fn((double)in[i], (double)in[i + 1]), twos[f].tolerance);
  }
}

/* All of them, however few registers there are. */
TEST(few_registers) {
  struct ptx_options opt = {.max_regs = 8};
  struct tandem_error err = {""};
  struct isa_program *p;
  if (isa_program_load(TANDEM_ROOT "/tests/ptx/math.cl", NULL, &opt, &p, &err) != 0)
    fail_msg("%s", err.text);
  assert_true(p->nkernels == 84);
  for (size_t i = 0; i < p->nkernels; i++)
    assert_true(p->kernels[i].regs <= 8);
  isa_program_free(p);
}

int main(void) { return test_run(setup, teardown); }
