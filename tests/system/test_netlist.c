/* Something else in the place of the RTL (config.netlist), and runs that are cut off: here the RTL
 * again, with and without a fault, stands for a netlist. */
#include "harness/netlist.h"
#include "tests/system/helpers.h"

struct stand_in {
  unsigned bug, opened;
  bool once; /* the fault is in the first one opened alone */
};

static struct rtl_model *open_stand_in(void *user, uint64_t seed) {
  struct stand_in *s = user;
  const struct rtl_spec spec = {
      .unit = "sm_frontend", .parameters = "WarpSize=32", .kind = RTL_FULL};
  struct tandem_error err;
  const struct rtl_type *type = models_get(&spec, &err);
  if (type == NULL)
    fail_msg("%s", err.text);
  struct rtl_model *m = rtl_create(type, seed);
  rtl_bug(m, s->once && s->opened != 0 ? 0 : s->bug);
  s->opened++;
  return m;
}

static enum tandem_status run(struct stand_in *s, uint64_t stop, struct tandem **t,
                              struct tandem_error *err) {
  const struct tandem_netlist netlist = {s, open_stand_in};
  struct tandem_config c = small(TANDEM_ENGINE_LOCKSTEP);
  c.netlist = &netlist;
  c.stop = stop;
  c.skip_quiet = false;
  c.report_dir = NULL;
  return run_kernel(&c, "vecadd", t, err);
}

/* It takes part: opened once, compared, and without states of SM 0. */
TEST(same) {
  struct stand_in s = {0};
  struct tandem *t;
  struct tandem_error err;
  assert_int_equal(run(&s, 0, &t, &err), TANDEM_OK);
  assert_int_equal(s.opened, 1);
  assert_false(tandem_stopped(t));
  tandem_close(t);
}

/* An error of the stand-in is a mismatch of its outputs, found again when the run is repeated. */
TEST(different) {
  struct stand_in s = {.bug = 1};
  struct tandem *t;
  struct tandem_error err;
  assert_int_equal(run(&s, 0, &t, &err), TANDEM_FAULT);
  assert_int_equal(tandem_failure(t)->sm, 0);
  assert_string_equal(tandem_failure(t)->kind, "port");
  contains(tandem_report(t), "mismatch: SM 0, ");
  assert_null(strstr(tandem_report(t), "not reproduced"));
  assert_int_equal(s.opened, 2);
  tandem_close(t);
}

/* A difference that running again does not show is reported as such. */
TEST(not_again) {
  struct stand_in s = {.bug = 1, .once = true};
  struct tandem *t;
  struct tandem_error err;
  assert_int_equal(run(&s, 0, &t, &err), TANDEM_FAULT);
  assert_int_equal(s.opened, 2);
  contains(tandem_report(t), "mismatch: SM 0, ");
  contains(tandem_report(t), "not reproduced");
  tandem_close(t);
}

/* The run ends in the cycle asked for, which is no failure. */
TEST(cut_off) {
  struct stand_in s = {0};
  struct tandem *t;
  struct tandem_error err;
  struct gpu_stats stats;
  assert_int_equal(run(&s, 300, &t, &err), TANDEM_FAULT);
  assert_true(tandem_stopped(t));
  assert_string_equal(tandem_failure(t)->kind, "");
  gpu_statistics(t, &stats);
  assert_int_equal(stats.cycles, 300);
  tandem_close(t);
}

int main(void) { return test_run(NULL, NULL); }
