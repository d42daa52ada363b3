/* Forms that clang 14 and libclc have wrong, in every optimisation and version of the language.
 */
#include <errno.h>
#include <stdio.h>

#include "csim/isa/opencl/initial.h"
#include "csim/isa/opencl/opencl.h"
#include "tests/ptx/machine.h"
#include "tests/test.h"

enum { THREADS = 40 };

static struct isa_program *compile(const char *file, const char *const *options) {
  struct tandem_error err = {""};
  struct isa_program *p;
  char path[400];
  snprintf(path, sizeof path, TANDEM_ROOT "/tests/ptx/%s", file);
  if (isa_program_load(path, options, NULL, &p, &err) != 0)
    fail_msg("%s", err.text);
  return p;
}

/* One CTA; the machine, with its memory, is for the caller to destroy. */
static struct machine *run(const struct isa_program *p, const char *name, uint32_t threads,
                           const void *in, uint32_t in_bytes, uint32_t out_bytes, uint32_t *out) {
  struct machine *m = machine_create(p, 1 << 18);
  const struct isa_kernel *k = isa_program_kernel(p, name);
  assert_non_null(k);
  const uint32_t from = machine_buffer(m, in, in_bytes);
  *out = machine_buffer(m, NULL, out_bytes);
  const uint32_t args[4] = {in != NULL ? from : *out, in != NULL ? *out : 0, from, 0};
  struct machine_launch l = {.grid = {1, 1, 1},
                             .block = {threads, 1, 1},
                             .dynamic_shared = 64,
                             .params = args,
                             .param_bytes = k->param_bytes};
  if (machine_run(m, k, &l) != 0)
    fail_msg("%s: %s", name, m->error);
  return m;
}

static const int64_t numbers[] = {-1, INT64_MIN, INT64_MAX, -9142089094226817553,
                                  0x123456789abcdef0};

static unsigned want_fields(int64_t x, int64_t *r) {
  const int y = (int)x;
  unsigned n = 0;
#define FIELDS(shift, mask)                                                                        \
  r[n++] = (x >> shift) & mask;                                                                    \
  r[n++] = (int64_t)((uint64_t)x >> shift) & mask;                                                 \
  r[n++] = (y >> shift % 32) & (int)(mask & 0x7fffffff);                                           \
  r[n++] = (uint8_t)(x >> shift);                                                                  \
  r[n++] = (uint16_t)(x >> shift);                                                                 \
  r[n++] = (uint32_t)(x >> shift);                                                                 \
  r[n++] = (uint16_t)(y >> shift % 32);
#define BITS(n, op)
#include "tests/ptx/mended.inc"
#undef FIELDS
#undef BITS
  r[n++] = x >> 56 & 0xff; /* as a user's bfe.u64 of 16 bits from bit 56 on */
  return n;
}

static void check_fields(const struct isa_program *p, const char *option) {
  enum { N = sizeof numbers / sizeof numbers[0] };
  int64_t want[N * 80];
  uint32_t out, n = 0;
  for (size_t i = 0; i < N; i++)
    n += want_fields(numbers[i], want + n);
  struct machine *m = run(p, "fields", N, numbers, sizeof numbers, sizeof want, &out);
  for (uint32_t i = 0; i < n; i++)
    if (memcmp(m->memory + out + 8 * i, &want[i], 8) != 0)
      fail_msg("%s: field %u of number %u", option, i % (n / N), i / (n / N));
  machine_destroy(m);
}

static void check_bits(const struct isa_program *p, const char *option) {
  static const int in[5][2] = {{1, 5}, {9, 3}, {-4, 2}, {-4, -8}, {2, 2}};
  enum { FORMS = 14, N = FORMS * 3 + 2 };
  uint32_t out;
  struct machine *m = run(p, "bits", 5, in, sizeof in, 5 * N * sizeof(float), &out);
  const float *got = (const void *)(m->memory + out);
  for (unsigned i = 0; i < 5; i++) {
    const bool a = in[i][0]<in[i][1], b = in[i][0]> 0, results[3] = {a && b, a || b, a != b};
    for (unsigned k = 0; k < N; k++)
      if (got[N * i + k] != (results[k < N - 2 ? k / FORMS : k - (N - 2)] ? -1.0f : 0.0f))
        fail_msg("%s: form %u of bits %u", option, k, i);
  }
  machine_destroy(m);
}

/* The kernels whose names have the ending. */
static void check_kernels(const struct isa_program *p, const char *ending, const char *option,
                          unsigned checks) {
  for (size_t i = 0; i < p->nkernels; i++) {
    uint32_t out;
    if (strstr(p->kernels[i].name, ending) == NULL)
      continue;
    struct machine *m = run(p, p->kernels[i].name, 1, NULL, 0, 8, &out);
    const uint32_t *got = (const void *)(m->memory + out);
    if (got[0] != 0 || got[1] != checks)
      fail_msg("%s: %s: check %u of %u", option, p->kernels[i].name, got[0], got[1]);
    machine_destroy(m);
  }
}

static void check_copies(const struct isa_program *p, const char *option) {
  static const char *const types[] = {"char", "uchar", "short", "ushort",
                                      "int",  "uint",  "long",  "ulong"};
  static const unsigned widths[] = {1, 2, 4, 4, 8, 16};
  uint8_t in[256];
  for (unsigned i = 0; i < sizeof in; i++)
    in[i] = (uint8_t)(i * 37 + 11);
  for (unsigned t = 0; t < 8; t++) {
    char name[32];
    const unsigned bytes = 1U << t / 2;
    uint32_t out;
    snprintf(name, sizeof name, "%s_copies", types[t]);
    struct machine *m = run(p, name, THREADS, in, sizeof in, THREADS * 12 * bytes, &out);
    for (unsigned i = 0; i < THREADS * 12; i++) {
      uint64_t first = 0, second = 0;
      memcpy(&first, in, bytes);
      memcpy(&second, in + widths[i / 2 % 6] * bytes, bytes);
      first = i % 2 == 0 ? first + second : second;
      if (memcmp(m->memory + out + i * bytes, &first, bytes) != 0)
        fail_msg("%s: %s: copy %u of thread %u", option, name, i % 12, i / 12);
    }
    machine_destroy(m);
  }
}

static void check_records(const struct isa_program *p, const char *option) {
  static const int in[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  uint32_t out;
  struct machine *m = run(p, "records", 2, in, sizeof in, 8, &out);
  const int want[2] = {5 + 7 + 2, 5 + 8 + 3};
  if (memcmp(m->memory + out, want, sizeof want) != 0)
    fail_msg("%s: records", option);
  machine_destroy(m);
}

static void check_fences(const struct isa_program *p, const char *option) {
  static const int in[4] = {1, 20, 300, 4000};
  uint32_t out;
  struct machine *m = run(p, "fences", 8, in, sizeof in, 32, &out);
  for (unsigned t = 0; t < 8; t++)
    if (memcmp(m->memory + out + 4 * t, &(int){4321}, 4) != 0)
      fail_msg("%s: fences", option);
  machine_destroy(m);
}

static void check_order(const struct isa_program *p) {
  uint32_t out;
  struct machine *m = run(p, "ordered", 8, NULL, 0, 4 * 8 * 4, &out);
  const uint32_t *got = (const void *)(m->memory + out);
  for (unsigned k = 0, seed = 1; k < 4; k++) {
    seed += k * 3;
    for (unsigned t = 0; t < 8; t++)
      assert_int_equal(got[8 * k + t], seed);
  }
  machine_destroy(m);
}

TEST(all_optimisations) {
  static const char *const all[] = {"-O0", "-O1", "-O2", "-O3", "-Os", "-cl-std=CL2.0"};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    const bool whole = all[i][2] == '2', two = all[i][1] == 'c';
    const char *const options[] = {all[i], whole ? NULL : "-DTHREES_OF=short", NULL};
    struct isa_program *p = compile("mended.cl", options);
    check_kernels(p, "_threes", all[i], two ? 41 : 39);
    check_kernels(p, "_nans", all[i], 5 * 3);
    check_fields(p, all[i]);
    check_bits(p, all[i]);
    check_copies(p, all[i]);
    check_records(p, all[i]);
    check_fences(p, all[i]);
    if (two)
      check_order(p);
    isa_program_free(p);
  }
}

/* Nothing else in the file leads to the IR that mends it. */
TEST(elements) {
  static const char *const all[] = {"-O0", "-O2"};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    const char *const options[] = {all[i], "-DELEMENTS_ONLY", NULL};
    struct isa_program *p = compile("mended.cl", options);
    check_kernels(p, "_elements", all[i], 5 * 7);
    check_kernels(p, "_bytes", all[i], 4);
    isa_program_free(p);
  }
}

/* Runs a kernel of CUDA C with buffers at *out and *in of its parameters; 8 words are as wanted. */
static void run_cuda(const struct isa_program *p, const char *name, void *args, uint64_t *out,
                     uint64_t *in, uint32_t threads, const void *want) {
  static const int numbers_in[4] = {1, 20, 300, 4000};
  struct machine *m = machine_create(p, 1 << 18);
  const struct isa_kernel *k = isa_program_kernel(p, name);
  *out = machine_buffer(m, NULL, 64);
  if (in != NULL)
    *in = machine_buffer(m, numbers_in, sizeof numbers_in);
  struct machine_launch l = {
      .grid = {1, 1, 1}, .block = {threads, 1, 1}, .params = args, .param_bytes = k->param_bytes};
  if (machine_run(m, k, &l) != 0)
    fail_msg("%s: %s", name, m->error);
  assert_memory_equal(m->memory + *out, want, 32);
  machine_destroy(m);
}

TEST(cuda) {
  static const float want[8] = {4, 12, 5, 1, 16, 65535, -1};
  static const int want_order[8] = {4321, 4321, 4321, 4321, 4321, 4321, 4321, 4321};
  struct isa_program *p = compile("mended.cu", NULL);
  struct {
    int64_t x;
    int y, i;
    uint64_t r;
  } args = {-1, 1, 0, 0};
  uint64_t pointers[2];
  run_cuda(p, "mended", &args, &args.r, NULL, 1, want);
  run_cuda(p, "fences", pointers, &pointers[1], &pointers[0], 8, want_order);
  isa_program_free(p);
}

/* Forms that no source is known to lead to. */
TEST(unreadable) {
  static const char *const values[] = {"i32 add (i32 1, i32 2)", "i64 ptrtoint (i32* @v to i64)",
                                       "i128 1", "<2 x i1> <i1 true, i1 false>", "%none zero"};
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
    struct tandem_error err = {""};
    char ir[400], *ptx = strdup(".global .align 16 .b8 v[32] = {1};\n");
    const int type = (int)(strchr(values[i], *values[i] == '<' ? '>' : ' ') - values[i]);
    snprintf(
        ir, sizeof ir,
        "\n@v = global { %.*s, <3 x i32> } { %s, <3 x i32> <i32 1, i32 2, i32 3> }, align 16\n",
        type + (*values[i] == '<'), values[i], values[i]);
    assert_true(opencl_has_gaps(ir));
    assert_int_equal(opencl_fill_gaps("a.cl", ir, &ptx, &err), -EINVAL);
    if (strstr(err.text, "a.cl: the initial value of 'v', which holds a vector of three") == NULL)
      fail_msg("%s: %s", values[i], err.text);
    free(ptx);
  }
}

int main(void) { return test_run(NULL, NULL); }
