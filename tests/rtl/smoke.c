/* The C access to verilated units (harness/shim/rtl.h): waveforms, assertions and faults.  That the
 * models do what they should is for the tests of the units, in lockstep with their references. */
#include "csim/ports/units.h"
#include "harness/shim/models/models.h"
#include "tests/test.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/tandem-smoke-XXXXXX";

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) != NULL ? 0 : -1;
}

static int drop_folder(void **state) {
  (void)state;
  return rmdir(folder); /* fails if anything is left */
}

static struct rtl_model *create(bool full, uint64_t seed) {
  const struct rtl_spec spec = {
      .unit = "sm_frontend", .parameters = "WarpSize=32", .kind = full ? RTL_FULL : RTL_PLAIN};
  struct tandem_error err;
  const struct rtl_type *type = models_get(&spec, &err);
  if (type == NULL)
    fail_msg("%s", err.text);
  return rtl_create(type, seed);
}

TEST(waveform) {
  char path[64];
  struct stat file;
  struct rtl_model *f = create(true, 7);
  const struct sm_frontend_in in = {.kernel_start = 1};
  snprintf(path, sizeof path, "%s/none/x.fst", folder);
  assert_true(rtl_trace_open(f, path) < 0);
  snprintf(path, sizeof path, "%s/x.fst", folder);
  assert_int_equal(rtl_trace_open(f, path), 0);
  for (unsigned t = 0; t < 20; t++) {
    rtl_trace_time(f, (uint64_t)t * 1428, 1428);
    rtl_step(f, &in);
  }
  assert_true(rtl_trace_close(f));
  assert_int_equal(stat(path, &file), 0);
  assert_true(file.st_size > 1000);
  assert_int_equal(unlink(path), 0);
  rtl_destroy(f);
}

/* A credit that nobody took breaks the contract: the assertion is counted, and named. */
TEST(assertion) {
  struct rtl_model *f = create(true, 1);
  struct sm_frontend_in in = {.mem_credit = 1};
  const char *first = NULL;
  assert_int_equal(rtl_assertions(f, &first), 0);
  rtl_step(f, &in);
  in.mem_credit = 0;
  for (int i = 0; i < 3; i++)
    rtl_step(f, &in);
  assert_true(rtl_assertions(f, &first) > 0);
  assert_non_null(strstr(first, "slot_counter.sv"));
  rtl_destroy(f);
}

TEST(faults) {
  struct rtl_model *f = create(false, 1);
  assert_int_equal(rtl_bug(f, 1), -1);
  rtl_destroy(f);
  f = create(true, 1);
  assert_int_equal(rtl_bug(f, 1), 0);
  rtl_destroy(f);
}

int main(void) { return test_run(make_folder, drop_folder); }
