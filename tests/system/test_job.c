/* Launch descriptions: every kind of fill, argument, step and expectation, and every refusal. */
#include <unistd.h>

#include "tests/system/helpers.h"

#define HEAD "program: faults.cl\nbuffers:\n"
#define POINTED                                                                                    \
  "steps:\n  - launch: {kernel: pointed, grid: [1], block: [1],\n args: [{bytes: [0, 0, 0, 0, "
#define LAUNCH                                                                                     \
  "steps:\n  - launch: {kernel: fine, grid: [1], block: [32], args: [{buffer: a}, {u32: 4}]}\n"

static struct tandem *gpu;

static int open_shared_gpu(void **state) {
  (void)state;
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  gpu = open_gpu(&c);
  return 0;
}

static int close_shared_gpu(void **state) {
  (void)state;
  tandem_close(gpu);
  return 0;
}

static enum tandem_status try(const char *text, struct tandem_error *err) {
  struct tandem_job *job;
  err->text[0] = '\0';
  enum tandem_status status = tandem_job_open_text(gpu, text, PROGRAMS "/text.yaml", &job, err);
  return run_job(status, job, err);
}

/* The steps compute a = 3 a + i, so that expectations are known. */
TEST(steps_and_fills) {
  struct tandem_error err;
  const char *text =
      HEAD "  - {name: a, type: u32, count: 4, fill: {data: [1, 2, 3]}}\n"
           "  - {name: b, type: u32, count: 4, fill: {value: 7}}\n"
           "  - {name: r, type: s16, count: 3, fill: {range: {start: 5, step: -4}}}\n"
           "  - {name: f, type: f32, count: 2, fill: {range: {start: 0.5, step: 0.25}}}\n"
           "  - {name: d, type: f64, count: 1, fill: {value: -1.5e300}}\n"
           "  - {name: q, type: s64, count: 2, fill: {data: [-9223372036854775808, 5]}}\n"
           "  - {name: t, type: u32, count: 64, fill: {range: {start: 0, step: 1}}}\n"
           "  - {name: flag, type: u32, count: 1, fill: {value: 1}}\n"
           "steps:\n"
           "  - repeat: {times: 2, steps: [{launch: {kernel: fine, grid: [1, 1], block: [32],\n"
           "      args: [{buffer: a}, {u32: 4}]}}]}\n"
           "  - copy: {from: a, to: b}\n"
           "  - write: {buffer: a, offset: 2, data: [100]}\n"
           "  - until_zero: {buffer: flag, max: 3, steps: [{write: {buffer: flag, data: [0]}}]}\n"
           "  - launch: {kernel: swap, grid: [1], block: [64],\n"
           "             args: [{buffer: t}, {local: 256}, {bytes: [64, 0, 0, 0]}]}\n"
           "  - launch: {kernel: fine, grid: [1], block: [32],\n"
           "             args: [{buffer: t, offset: 248}, {u32: 1}]}\n"
           "expect:\n"
           "  - {buffer: b, data: [9, 22, 35, 12]}\n"
           "  - {buffer: a, data: [9, 22, 100, 12]}\n"
           "  - {buffer: r, data: [5, 1, -3]}\n"
           "  - {buffer: f, data: [0.5, 0.75], tolerance: {ulp: 0}}\n"
           "  - {buffer: d, data: [-1.5e300]}\n"
           "  - {buffer: q, data: [-9223372036854775808, 5]}\n"
           "  - {buffer: flag, data: [0]}\n"
           "  - {buffer: t, data: [63, 62, 61]}\n";
  if (try(text, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
}

/* A launch has as many dimensions as its grid or block has numbers. */
TEST(addresses_and_dimensions) {
  struct tandem_error err;
  const char *text = HEAD "  - {name: a, type: u32, count: 8}\n"
                          "steps:\n"
                          "  - launch: {kernel: pointed, grid: [2], block: [1],\n"
                          "             args: [{bytes: [2, 0, 0, 0, {buffer: a}]}]}\n"
                          "  - launch: {kernel: pointed, grid: [2, 1], block: [1],\n"
                          "             args: [{bytes: [2, 0, 0, 0, {buffer: a, offset: 8}]}]}\n"
                          "  - launch: {kernel: pointed, grid: [1], block: [2, 1],\n"
                          "             args: [{bytes: [2, 0, 0, 0, {buffer: a, offset: 16}]}]}\n"
                          "  - launch: {kernel: pointed, grid: [2, 1], block: [1, 1, 1],\n"
                          "             args: [{bytes: [2, 0, 0, 0, {buffer: a, offset: 24}]}]}\n"
                          "expect: [{buffer: a, data: [10, 11, 20, 21, 20, 21, 30, 31]}]\n";
  if (try(text, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
}

/* The documented generator, written again. */
TEST(random_fill) {
  struct tandem_job *job;
  struct tandem_error err;
  uint32_t address;
  uint64_t bytes, s = 42;
  int32_t got[8];
  float f[8];
  const char *text = HEAD "  - {name: a, type: s32, count: 8, fill: {random: {seed: 42, min: -5, "
                          "max: 90}}}\n"
                          "  - {name: f, type: f32, count: 8, fill: {random: {seed: 42, min: 2.0, "
                          "max: 3.0}}}\n" LAUNCH;
  if (tandem_job_open_text(gpu, text, PROGRAMS "/text.yaml", &job, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  assert_true(tandem_job_buffer(job, "a", &address, &bytes));
  assert_int_equal(bytes, sizeof got);
  assert_int_equal(tandem_read(gpu, address, got, sizeof got, &err), TANDEM_OK);
  assert_true(tandem_job_buffer(job, "f", &address, &bytes));
  assert_int_equal(tandem_read(gpu, address, f, sizeof f, &err), TANDEM_OK);
  for (unsigned i = 0; i < 8; i++) {
    uint64_t z = (s += 0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    z ^= z >> 31;
    assert_int_equal(got[i], -5 + (int32_t)(((unsigned __int128)z * 96) >> 64));
    assert_true(f[i] == (float)(2.0 + (double)(z >> 40) / 16777216.0));
  }
  assert_false(tandem_job_buffer(job, "none", &address, &bytes));
  tandem_job_close(job);
}

/* A ring of pointers goes through all of its links; random numbers may be multiples. */
TEST(rings) {
  struct tandem_job *job;
  struct tandem_error err;
  uint32_t address, ring[64], wild[64], t[64];
  uint64_t bytes;
  const char *text = HEAD "  - {name: a, type: u32, count: 64, fill: {chain: {step: 4}}}\n"
                          "  - {name: b, type: u32, count: 64, fill: {chain: {step: 4, seed: 7}}}\n"
                          "  - {name: t, type: u32, count: 64, fill: {random: {seed: 3, min: 5, "
                          "max: 100, step: 10}}}\n" LAUNCH;
  if (tandem_job_open_text(gpu, text, PROGRAMS "/text.yaml", &job, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  static const char *const names[] = {"a", "b", "t"};
  uint32_t *const to[] = {ring, wild, t};
  for (unsigned i = 0; i < 3; i++) {
    assert_true(tandem_job_buffer(job, names[i], &address, &bytes));
    assert_int_equal(tandem_read(gpu, address, to[i], sizeof ring, &err), TANDEM_OK);
  }
  bool met[64] = {false}, moved = false, small = false, large = false;
  for (unsigned i = 0, at = 0; i < 16; i++, at = wild[at] / 4) {
    assert_int_equal(ring[4 * i], 16 * ((i + 1) % 16));
    assert_int_equal(ring[4 * i + 1] | wild[4 * i + 3], 0);
    assert_true(wild[at] % 16 == 0 && wild[at] < sizeof wild && !met[at]);
    met[at] = true;
    moved = moved || wild[at] != ring[at];
    assert_true(i < 15 || wild[at] == 0);
  }
  assert_true(moved);
  for (unsigned i = 0; i < 64; i++) {
    assert_true(t[i] >= 5 && t[i] <= 95 && t[i] % 10 == 5);
    small = small || t[i] < 30;
    large = large || t[i] > 70;
  }
  assert_true(small && large);
  tandem_job_close(job);
}

TEST(files) {
  char path[] = "/tmp/tandem-job-XXXXXX", text[1024];
  const uint32_t words[3] = {1, 2, 3}, after[4] = {3, 7, 11, 3};
  struct tandem_error err;
  const int fd = mkstemp(path);
  assert_int_equal(write(fd, words, sizeof words), sizeof words);
  snprintf(text, sizeof text, HEAD "  - {name: a, type: u32, count: 4, fill: {file: %s}}\n" LAUNCH,
           path);
  if (try(text, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  snprintf(text, sizeof text, HEAD "  - {name: a, type: u32, count: 2, fill: {file: %s}}\n" LAUNCH,
           path);
  assert_int_equal(try(text, &err), TANDEM_USAGE);
  contains(err.text, "longer than the buffer");
  assert_int_equal(pwrite(fd, after, sizeof after, 0), sizeof after);
  snprintf(text, sizeof text,
           HEAD "  - {name: a, type: u32, count: 4, fill: {data: [1, 2, 3]}}\n" LAUNCH
                "expect: [{buffer: a, file: %s}]\n",
           path);
  if (try(text, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  close(fd);
  unlink(path);
}

/* Numbers that are none, or none of their type. */
TEST(numbers_are_finite) {
  static const struct {
    const char *text, *part;
  } cases[] = {
      {"count: 2, fill: {random: {seed: 1, min: 0, max: 1e39}}}\n" LAUNCH, "1e+39 is beyond"},
      {"count: 2, fill: {range: {start: 3e38, step: 3e38}}}\n" LAUNCH, "6e+38 is beyond"},
      {"count: 1}\n  - {name: d, type: f64, count: 1, fill: {value: 1e999}}\n" LAUNCH,
       "1e999 is beyond the numbers of 64 bits"},
      {"count: 1}\n  - {name: d, type: f64, count: 2, fill: {data: [1, -1e309]}}\n" LAUNCH,
       "-1e309 is beyond the numbers of 64 bits"},
      {"count: 1}\n  - {name: d, type: f64, count: 2, fill: {range: {start: 1e308, step: "
       "7e307}}}\n" LAUNCH,
       NULL},
      {"count: 1}\n  - {name: d, type: f64, count: 3, fill: {range: {start: 0, step: "
       "1.5e308}}}\n" LAUNCH,
       "of 0 and 1.5e+308, a value is beyond the numbers of 64 bits"},
      {"count: 1}\n  - {name: d, type: f64, count: 1, fill: {random: {seed: 1, min: -1e308, "
       "max: 1e308}}}\n" LAUNCH,
       "of -1e+308 and 1e+308, a value is beyond"},
      {"count: 1}\n" LAUNCH "expect: [{buffer: f, data: [1], tolerance: {ulp: .inf}}]\n",
       "from 0, and finite"},
      {"count: 1}\n" LAUNCH "expect: [{buffer: f, data: [1], tolerance: {relative: .nan}}]\n",
       "from 0, and finite"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[1024];
    struct tandem_error err;
    snprintf(text, sizeof text,
             HEAD "  - {name: a, type: u32, count: 4}\n  - {name: f, type: f32, %s", cases[i].text);
    assert_int_equal(try(text, &err), cases[i].part != NULL ? TANDEM_USAGE : TANDEM_OK);
    if (cases[i].part != NULL)
      contains(err.text, cases[i].part);
  }
}

#define DOUBLES                                                                                    \
  HEAD "  - {name: a, type: u32, count: 4}\n"                                                      \
       "  - {name: d, type: f64, count: 1, fill: {data: [1.0]}}\n" LAUNCH

/* Units of the last place of doubles are distinguished though their bits exceed a double's. */
TEST(doubles) {
  struct tandem_error err;
  static const struct {
    const char *expect;
    enum tandem_status status;
  } cases[] = {
      {"{data: [1.0000000000000002], tolerance: {ulp: 1}", TANDEM_OK},
      {"{data: [1.0000000000000004], tolerance: {ulp: 1}", TANDEM_FAULT},
      {"{data: [0.9999999999999998], tolerance: {ulp: 2}", TANDEM_OK},
      {"{data: [-1], tolerance: {ulp: 1e18}", TANDEM_FAULT},
      {"{data: [-1], tolerance: {ulp: 1e19}", TANDEM_OK},
      {"{data: [.inf], tolerance: {relative: 0.5}", TANDEM_FAULT},
      {"{data: [-.inf], tolerance: {relative: 0.5}", TANDEM_FAULT},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[512];
    snprintf(text, sizeof text, "%sexpect: [%s, buffer: d}]\n", DOUBLES, cases[i].expect);
    if (try(text, &err) != cases[i].status)
      fail_msg("%s: %s", cases[i].expect, err.text);
  }
}

/* An impossible launch is reported before another one runs. */
TEST(nothing_runs_before) {
  struct tandem_job *job;
  struct tandem_error err;
  static const char *const bad[] = {
      "grid: [65536], block: [32], args: [{buffer: a}, {u32: 4}]",
      "grid: [1], block: [1025], args: [{buffer: a}, {u32: 4}]",
  };
  for (size_t i = 0; i < 2; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "%s  - {name: a, type: u32, count: 4}\n%s  - launch: {kernel: fine, %s}\n", HEAD,
             LAUNCH, bad[i]);
    assert_int_equal(tandem_job_open_text(gpu, text, PROGRAMS "/text.yaml", &job, &err),
                     TANDEM_USAGE);
    contains(err.text, ":6: kernel fine: ");
    contains(err.text, "does not fit");
  }
  assert_int_equal(
      tandem_job_open_text(
          gpu,
          HEAD "  - {name: t, type: u32, count: 64}\nsteps:\n  - launch: {kernel: swap, "
               "grid: [1], block: [64],\n args: [{buffer: t}, {local: 50000}, {u32: 64}]}\n",
          PROGRAMS "/text.yaml", &job, &err),
      TANDEM_USAGE);
  contains(err.text, ":5: a CTA needs 50");
}

TEST(expectations) {
  struct tandem_error err;
#define FLOATS                                                                                     \
  HEAD "  - {name: a, type: u32, count: 4}\n"                                                      \
       "  - {name: f, type: f32, count: 2, fill: {data: [1.0, -0.0]}}\n" LAUNCH
  assert_int_equal(try(FLOATS "expect: [{buffer: f, data: [1.0, 0.0]}]\n", &err), TANDEM_FAULT);
  contains(err.text, "1 of 2 elements are not as expected; the first is [1]: -0, expected 0");
  assert_int_equal(
      try(FLOATS "expect: [{buffer: f, data: [1.0000001, 0.0], tolerance: {ulp: 1}}]\n", &err),
      TANDEM_OK);
  assert_int_equal(
      try(FLOATS "expect: [{buffer: f, data: [1.0000003, 0.0], tolerance: {ulp: 1}}]\n", &err),
      TANDEM_FAULT);
  assert_int_equal(
      try(FLOATS "expect: [{buffer: f, data: [1.01, 0], tolerance: {relative: 0.01}}]\n", &err),
      TANDEM_OK);
  assert_int_equal(
      try(FLOATS "expect: [{buffer: f, data: [1.02, 0], tolerance: {relative: 0.01}}]\n", &err),
      TANDEM_FAULT);
  assert_int_equal(try(FLOATS "expect: [{buffer: f, data: [.nan], tolerance: {ulp: 9}}]\n", &err),
                   TANDEM_FAULT);
}

TEST(refuses) {
#define A "  - {name: a, type: u32, count: 4}\n"
  static const struct {
    const char *text, *said;
  } cases[] = {
      {"", "is empty"},
      {"program: none.cl\nsteps: []\n", ":1: cannot read " PROGRAMS "/none.cl: No such file"},
      {HEAD A LAUNCH "---\nmore: 1\n", ":7: a second YAML document"},
      {HEAD A LAUNCH "expect: [{buffer: a, data: []}]\n", ":6: an expectation of no elements"},
      {HEAD "  - {name: a, type: f32, count: 4, fill: {value: 1e39}}\n" LAUNCH,
       ":3: 1e+39 is beyond the numbers of type f32"},
      {"programme: faults.cl\n", ":1: unknown key \"programme\""},
      {HEAD A, ":1: there are no steps"},
      {HEAD "  - {name: a, type: u32, count: 4}\n" A LAUNCH, ":4: buffer \"a\" is there twice"},
      {HEAD "  - {name: a, type: u33, count: 4}\n" LAUNCH, ":3: type must be one of u8"},
      {HEAD "  - {name: a, type: u32, count: 0}\n" LAUNCH, ":3: count must be 1 to"},
      {HEAD "  - {name: a, type: u32}\n" LAUNCH, ":3: a buffer needs a count"},
      {HEAD "  - {name: a, type: u32, count: 4, fil: {value: 1}}\n" LAUNCH,
       ":3: unknown key \"fil\""},
      {HEAD "  - {name: a, type: u8, count: 4, fill: {value: 256}}\n" LAUNCH,
       ":3: a value of type u8 must be 0 to 255, not 256"},
      {HEAD "  - {name: a, type: u32, count: 1, fill: {data: [1, 2]}}\n" LAUNCH,
       ":3: 2 values for 1 elements"},
      {HEAD "  - {name: a, type: u32, count: 1, fill: {file: none.bin}}\n" LAUNCH,
       "/none.bin: No such file"},
      {HEAD "  - {name: a, type: u32, count: 1, fill: {random: {min: 0, max: 1}}}\n" LAUNCH,
       ":3: a random fill needs a seed"},
      {HEAD
       "  - {name: a, type: u32, count: 1, fill: {random: {seed: 1, min: 2, max: 1}}}\n" LAUNCH,
       ":3: min is greater than max"},
      {HEAD "  - {name: a, type: f32, count: 1, fill: {random: {seed: 1, min: 0, max: 1, step: "
            "1}}}\n" LAUNCH,
       ":3: a random fill of floats has no step"},
      {HEAD "  - {name: a, type: u8, count: 257, fill: {chain: {}}}\n" LAUNCH,
       ":3: elements of this type cannot hold the offsets of a chain"},
      {HEAD "  - {name: a, type: u32, count: 4, fill: {chain: {step: 5}}}\n" LAUNCH,
       ":3: step must be 1 to 4, not 5"},
      {HEAD "  - {name: a, type: u32, count: 1, fill: {value: 1, data: [1]}}\n" LAUNCH,
       ":3: a fill is one of"},
      {HEAD A "steps:\n  - launch: {kernel: none, grid: [1], block: [1]}\n",
       ":5: the program has no kernel \"none\""},
      {HEAD A "steps:\n  - launch: {kernel: fine, grid: [1], block: [1], args: [{buffer: a}]}\n",
       ":5: kernel fine takes 2 arguments, not 1"},
      {HEAD A "steps:\n  - launch: {kernel: fine, grid: [1], block: [1],\n"
              "      args: [{buffer: b}, {u32: 1}]}\n",
       ":6: there is no buffer \"b\""},
      {HEAD A "steps:\n  - launch: {kernel: fine, grid: [1], block: [1],\n"
              "      args: [{buffer: a},\n {u64: 1}]}\n",
       ":7: argument 1 of kernel fine (n) takes 4 bytes, and u64 has 8"},
      {HEAD A "steps:\n  - launch: {kernel: fine, grid: [1], block: [1],\n"
              "      args: [{buffer: a, offset: 17}, {u32: 1}]}\n",
       ":6: offset (bytes) must be 0 to 16, not 17"},
      {HEAD A "steps:\n  - launch: {kernel: fine, grid: [1], block: [1],\n"
              "      args: [{u32: 1, s32: 1}, {u32: 1}]}\n",
       ":6: an argument is one of"},
      {HEAD A POINTED "{buffer: b}]}]}\n", ":6: there is no buffer \"b\""},
      {HEAD A POINTED "{buffer: a, offset: 17}]}]}\n",
       ":6: offset (bytes) must be 0 to 16, not 17"},
      {HEAD A POINTED "{offset: 4}]}]}\n", ":6: an address needs a buffer"},
      {HEAD A POINTED "{local: 4}]}]}\n", ":6: unknown key \"local\""},
      {HEAD A POINTED "{buffer: a}, 0]}]}\n", "takes 8 bytes, and the list has 9"},
      {HEAD A POINTED "[1]]}]}\n", ":6: a value of type u8"},
      {HEAD A "steps:\n  - launch: {kernel: fine, grid: [1, 1, 1, 1], block: [1]}\n",
       ":5: grid has 1 to 3 numbers"},
      {HEAD A "steps:\n  - launch: {kernel: fine, grid: [1], block: [1],\n"
              "             registers: 2, args: [{buffer: a}, {u32: 4}]}\n",
       ":6: registers (kernel fine uses "},
      {HEAD A "steps:\n  - launch: {kernel: fine, grid: [1], block: [1],\n"
              "             registers: 64, args: [{buffer: a}, {u32: 4}]}\n",
       " to 63, not 64"},
      {HEAD A "steps:\n  - launch: {kernel: fine, grid: [1], block: [1],\n"
              "             registers: 0, args: [{buffer: a}, {u32: 4}]}\n",
       ":6: registers (kernel fine uses "},
      {HEAD A "steps:\n  - launch: {kernel: fine, grid: [1], block: [1024],\n"
              "             registers: 33, args: [{buffer: a}, {u32: 4}]}\n",
       ":5: a CTA needs 34816 registers, an SM has 32768"},
      {HEAD A "steps:\n  - launch: {kernel: fine, grid: [70000], block: [32],\n"
              "      args: [{buffer: a}, {u32: 1}]}\n",
       ":5: kernel fine: grid of (70000, 1, 1) CTAs does not fit"},
      {HEAD A "steps:\n  - jump: {}\n", ":5: unknown key \"jump\""},
      {HEAD A "steps:\n  - write: {buffer: a, data: [1, 2, 3, 4, 5]}\n", ":5: 5 values for 4"},
      {HEAD A "steps:\n  - copy: {from: a}\n", ":5: this step needs \"to\""},
      {HEAD A "steps:\n  - repeat: {times: 0, steps: []}\n", ":5: times must be 1 to"},
      {HEAD A LAUNCH "expect: [{buffer: a, data: [1], tolerance: {ulp: 1}}]\n",
       ":6: a tolerance is for f32 and f64 only"},
      {HEAD A LAUNCH "expect: [{buffer: z, data: [1]}]\n", ":6: there is no buffer \"z\""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct tandem_error err;
    if (try(cases[i].text, &err) != TANDEM_USAGE)
      fail_msg("accepted: %s", cases[i].text);
    contains(err.text, cases[i].said);
  }
}

TEST(endless_until) {
  struct tandem_error err;
  const char *text = HEAD "  - {name: a, type: u32, count: 4, fill: {value: 1}}\n"
                          "steps:\n  - until_zero: {buffer: a, max: 2, steps: []}\n";
  assert_int_equal(try(text, &err), TANDEM_FAULT);
  contains(err.text, ":5: buffer \"a\" is still not 0 after 2 repetitions");
}

int main(void) { return test_run(open_shared_gpu, close_shared_gpu); }
