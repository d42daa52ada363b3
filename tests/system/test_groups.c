/* OpenCL C 2.0 and 3.0: functions of a work-group and atomics, against what C computes. */
#include "csim/isa/opencl/opencl.h"
#include "tests/system/helpers.h"

enum { X = 8, Y = 10, ITEMS = X * Y, N = 12 };

/* A kernel of groups.cl with a group of 8 x 10 work-items; its two buffers. */
static void run(const char *kernel, const char *version, int32_t out[ITEMS * N],
                int32_t more[ITEMS]) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  char option[32];
  snprintf(option, sizeof option, "-cl-std=%s", version);
  const char *options[] = {option, NULL};
  struct tandem *t = open_gpu(&c);
  struct tandem_error err;
  const struct tandem_program *p;
  uint32_t args[2];
  if (tandem_load(t, PROGRAMS "/groups.cl", options, &p, &err) != TANDEM_OK)
    fail_msg("%s: %s", version, err.text);
  assert_int_equal(tandem_alloc(t, ITEMS * N * 4, &args[0], &err), TANDEM_OK);
  assert_int_equal(tandem_alloc(t, ITEMS * 4, &args[1], &err), TANDEM_OK);
  const struct tandem_launch launch = {.program = p,
                                       .kernel = kernel,
                                       .grid = {1, 1, 1},
                                       .block = {X, Y, 1},
                                       .args = args,
                                       .args_bytes = sizeof args};
  if (tandem_launch(t, &launch, &err) != TANDEM_OK)
    fail_msg("%s %s: %s", kernel, version, err.text);
  assert_int_equal(tandem_read(t, args[0], out, ITEMS * N * 4, &err), TANDEM_OK);
  assert_int_equal(tandem_read(t, args[1], more, ITEMS * 4, &err), TANDEM_OK);
  tandem_close(t);
}

static const char *const versions[] = {"CL2.0", "CL3.0"};
static int32_t out[ITEMS * N], more[ITEMS];

static int value(int i) { return (i * 37 + 11) % 101 - 50; }

TEST(ints) {
  int sum = 0, least = INT32_MAX, most = INT32_MIN;
  for (int i = 0; i < ITEMS; i++) {
    sum += value(i);
    least = value(i) < least ? value(i) : least;
    most = value(i) > most ? value(i) : most;
  }
  for (unsigned v = 0; v < 2; v++) {
    run("ints", versions[v], out, more);
    int add = 0, min = INT32_MAX, max = INT32_MIN;
    for (int i = 0; i < ITEMS; i++) {
      const int x = value(i), before = add, most_before = max;
      add += x;
      min = x < min ? x : min;
      max = x > max ? x : max;
      const int32_t want[N] = {x,   sum,         least,        most, add, before,
                               min, most_before, value(7 + X), 2,    2,   1};
      for (int k = 0; k < N; k++)
        if (out[i * N + k] != want[k])
          fail_msg("%s: item %d, result %d: %d, wanted %d", versions[v], i, k, out[i * N + k],
                   want[k]);
    }
  }
}

TEST(wide) {
  for (unsigned v = 0; v < 2; v++) {
    run("wide", versions[v], out, more);
    for (int i = 0; i < ITEMS; i++) {
      const int32_t want[] = {ITEMS * (ITEMS - 1) / 2, 0, i * (i - 1) / 2, 6, 3};
      assert_memory_equal(&out[i * N], want, sizeof want);
    }
  }
}

TEST(atomics) {
  static const int32_t want[] = {2 * ITEMS, -ITEMS, ITEMS - 1, 3 * ITEMS, -1};
  for (unsigned v = 0; v < 2; v++) {
    run("atomics", versions[v], out, more);
    assert_memory_equal(more, want, sizeof want);
  }
}

TEST(wide_atomics) {
  enum { WORDS = 8 };
  const uint64_t one = UINT64_C(1) << 32, last = ITEMS - 1;
  const uint64_t want[WORDS] = {ITEMS * (one + 1),
                                -(last << 33),
                                last << 33,
                                UINT64_MAX << (ITEMS - 64), /* bits 0 to 15 were changed twice */
                                -UINT64_C(3) * ITEMS,
                                ITEMS * last + 1,
                                0,
                                2 * one - ITEMS};
  for (unsigned v = 0; v < 2; v++) {
    run("wide_atomics", versions[v], out, more);
    for (unsigned k = 0; k < WORDS; k++) {
      uint64_t got;
      memcpy(&got, &more[2 * k], sizeof got);
      if (got != want[k])
        fail_msg("%s: word %u is 0x%llx, wanted 0x%llx", versions[v], k, (unsigned long long)got,
                 (unsigned long long)want[k]);
    }
  }
}

/* Kernels that call no function of a group have no memory for them. */
TEST(shared_memory) {
  struct tandem_error err;
  struct isa_program *p;
  const char *options[] = {"-cl-std=CL2.0", NULL};
  if (isa_program_load(PROGRAMS "/scale.cl", options, NULL, &p, &err) != 0)
    fail_msg("%s", err.text);
  assert_int_equal(p->kernels[0].shared_bytes, 0);
  isa_program_free(p);
}

int main(void) { return test_run(NULL, NULL); }
