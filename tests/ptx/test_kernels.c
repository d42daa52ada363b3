/* Kernels of OpenCL C, translated and run at several register limits, against the same source in C.
 */
#include <math.h>
#include <unistd.h>

#include "csim/isa/opencl/opencl.h"
#include "tests/ptx/machine.h"
#include "tests/test.h"

typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef signed char char_t;

static uint bits_f(float f) {
  uint u;
  memcpy(&u, &f, 4);
  return u;
}
static ulong bits_d(double d) {
  ulong u;
  memcpy(&u, &d, 8);
  return u;
}
#define sqrt_f sqrtf
#define fabs_f fabsf
#define fmin_f fminf
#define fmax_f fmaxf
#define fma_f fmaf
#define floor_f floorf
#define ceil_f ceilf
#define trunc_f truncf
#define sqrt_d sqrt
#define fma_d fma
#define floor_d floor
#define fabs_d fabs
#define UNROLL
#define popcount_u(x) ((uint)__builtin_popcount(x))
#define clz_u(x) ((x) ? (uint)__builtin_clz(x) : 32u)
#define mul_hi_u(x, y) ((uint)(((ulong)(x) * (y)) >> 32))
#define mul_hi_i(x, y) ((int)(((long)(x) * (y)) >> 32))
#define abs_diff_u(x, y) ((x) > (y) ? (x) - (y) : (y) - (x))
#define min_i(x, y) ((x) < (y) ? (x) : (y))
#define max_u(x, y) ((x) > (y) ? (x) : (y))
#define mad24_i(x, y, z) ((x) * (y) + (z))
static int add_sat_i(int x, int y) {
  long s = (long)x + y;
  return s > 0x7fffffff ? 0x7fffffff : s < -0x7fffffffL - 1 ? -0x7fffffff - 1 : (int)s;
}
#define HELPER(type, name, args) static type name args
#define CASE(name) static uint name(uint i, uint a, uint b)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "csim/isa/ptx/ptx.h"
#include "tests/ptx/cases.inc"
#pragma GCC diagnostic pop

static const struct {
  const char *name;
  uint (*fn)(uint, uint, uint);
} cases[] = {
#define N(name)                                                                                    \
  { #name, name }
    N(add_logic),     N(mul_div),         N(shifts),        N(shorts),      N(chars),
    N(longs),         N(floats),          N(float_convert), N(doubles),     N(switch_dense),
    N(switch_sparse), N(loops),           N(early_return),  N(logic_heavy), N(local_array),
    N(local_bytes),   N(calls),           N(nested_calls),  N(many_ints),   N(many_doubles),
    N(many_longs),    N(many_conditions), N(bits)
#undef N
};

enum { THREADS = 4 * 96, CASES = sizeof cases / sizeof *cases };
static const unsigned limits[] = {32, 20, 12, 8};

static uint64_t seed;
static uint next_random(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (uint)(seed >> 20);
}

/* Full words, small numbers and edges. */
static uint next_input(void) {
  static const uint edges[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xffff, 0x8000, 255};
  uint kind = next_random() % 8;
  return kind == 0  ? edges[next_random() % 8]
         : kind < 3 ? next_random() % 1000
                    : next_random() ^ next_random() << 12;
}

static char *read_kernels(void) {
  struct tandem_error err = {""};
  char *ptx;
  const char *options[] = {"-I", TANDEM_ROOT, NULL};
  if (opencl_to_ptx(TANDEM_ROOT "/tests/ptx/cases.cl", options, &ptx, &err) != 0)
    fail_msg("%s", err.text);
  return ptx;
}

static int setup(void **state) {
  *state = read_kernels();
  return 0;
}

static int teardown(void **state) {
  free(*state);
  return 0;
}

static void run_case(const struct isa_program *p, unsigned n, unsigned regs) {
  char name[64];
  snprintf(name, sizeof name, "k_%s", cases[n].name);
  const struct isa_kernel *k = isa_program_kernel(p, name);
  assert_non_null(k);
  assert_true(k->regs >= 1 && k->regs <= regs);
  uint in[2 * THREADS];
  for (unsigned i = 0; i < 2 * THREADS; i++)
    in[i] = next_input();
  struct machine *m = machine_create(p, 1 << 20);
  uint32_t args[2] = {machine_buffer(m, in, sizeof in), machine_buffer(m, NULL, 4 * THREADS)};
  struct machine_launch l = {
      .grid = {4, 1, 1}, .block = {96, 1, 1}, .params = args, .param_bytes = 8};
  if (machine_run(m, k, &l) != 0)
    fail_msg("%s with %u registers: %s", name, regs, m->error);
  const uint *out = (const uint *)(const void *)(m->memory + args[1]);
  for (unsigned i = 0; i < THREADS; i++) {
    uint want = cases[n].fn(i, in[2 * i], in[2 * i + 1]);
    if (out[i] != want)
      fail_msg("%s with %u registers, thread %u (a 0x%x, b 0x%x): 0x%x, expected 0x%x", name, regs,
               i, in[2 * i], in[2 * i + 1], out[i], want);
  }
  assert_true(m->deepest <= 16);
  machine_destroy(m);
}

TEST(cases) {
  for (unsigned r = 0; r < sizeof limits / sizeof *limits; r++) {
    struct ptx_options opt = {.max_regs = limits[r]};
    struct tandem_error err = {""};
    struct isa_program *p;
    if (ptx_translate(*state, "cases.ptx", &opt, &p, &err) != 0)
      fail_msg("%s", err.text);
    for (unsigned n = 0; n < CASES; n++)
      run_case(p, n, limits[r]);
    isa_program_free(p);
  }
}

int main(int argc, char **argv) {
  const char *s = argc > 2 && strcmp(argv[1], "--seed") == 0 ? argv[2] : getenv("TANDEM_SEED");
  seed = s ? strtoull(s, NULL, 0) : (uint64_t)getpid() * 0x9e3779b97f4a7c15U;
  printf("seed %llu\n", (unsigned long long)seed);
  seed |= seed == 0;
  return test_run_each(setup, teardown);
}
