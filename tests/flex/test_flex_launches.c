/* Schemes of the launches of a run: the launch's own, the configuration's, and those that the rules
 * choose from launch to launch. */
#include <math.h>

#include "harness/gpu/flex/flex.h"
#include "tests/flex/machine.h"

#define LAUNCH_ENTRY(more)                                                                         \
  "launch: {grid: [24], block: [64], args: [{buffer: a}, {f32: 2.0}, {s32: 4096}]" more "}"
#define LAUNCH(more) "  - " LAUNCH_ENTRY(more) "\n"
#define REPEAT(times) "  - repeat: {times: " times ", steps: [{" LAUNCH_ENTRY("") "}]}\n"
#define DESCRIPTION(steps)                                                                         \
  "program: scale.cl\nbuffers: [{name: a, type: f32, count: 4096, fill: {value: "                  \
  "1}}]\nsteps:\n" steps

static const struct flex *ran(const struct tandem_config *c, const char *text, struct tandem **t) {
  struct tandem_error err;
  if (run_text(c, text, t, &err) != TANDEM_OK)
    fail_msg("%s %s", err.text, tandem_report(*t));
  return (*t)->own;
}

/* A launch has its own scheme, or the configuration's, whatever the launches before it had. */
TEST(scheme_of_a_launch) {
  const struct tandem_config c = table2_gpu(6, FLEX_OCC);
  struct gpu_stats s;
  struct tandem *t;
  const struct flex *f =
      ran(&c,
          DESCRIPTION(LAUNCH("") LAUNCH(", flex: base") LAUNCH(", flex: bal") LAUNCH("")
                          LAUNCH(", flex: bigsm") LAUNCH(", flex: bigsm_occ") LAUNCH("")),
          &t);
  static const enum flex_scheme schemes[] = {FLEX_OCC, FLEX_BASE, FLEX_BAL, FLEX_BIGSM,
                                             FLEX_BIGSM_OCC};
  gpu_statistics(t, &s);
  const struct flex_statistics *n = &s.feature.flex;
  const uint64_t launches[] = {n->launches_occ, n->launches_base, n->launches_bal,
                               n->launches_bigsm, n->launches_bigsm_occ};
  assert_int_equal(f->nchosen, 5);
  for (unsigned i = 0; i < 5; i++) {
    assert_int_equal(f->chosen[i].choice.scheme, schemes[i]);
    assert_int_equal(launches[i], i == 0 ? 3 : 1);
    assert_int_equal(f->chosen[i].launches, launches[i]);
    assert_string_equal(f->chosen[i].choice.why, i == 0 ? "as configured" : "the launch says so");
  }
  assert_true(n->lending_occ > 0 && n->lending_bal > 0 && n->lending_bigsm > 0 &&
              n->lending_bigsm_occ > 0);
  assert_true(n->wakes_front_end > 0 && n->wakes_contexts > 0 && n->wakes_registers == 0 &&
              n->waking_cycles > 0);
  tandem_close(t);
}

/* The summary of a run names its scheme and why, once if all launches are alike. */
static void summarises(const struct tandem_config *c, const char *steps, const char *text) {
  struct tandem *t;
  char *said;
  size_t size;
  FILE *out = open_memstream(&said, &size);
  (void)ran(c, steps, &t);
  flex_summary(t, out);
  fclose(out);
  assert_string_equal(said, text);
  free(said);
  tandem_close(t);
}

TEST(summary) {
  struct tandem_config c = table2_gpu(6, FLEX_BIGSM);
  summarises(&c, DESCRIPTION(LAUNCH("") LAUNCH("")), "  scheme bigsm: as configured\n");
  c.feature.flex.scheme = FLEX_OCC;
  c.feature.flex.memory = FLEX_MEMORY_OWN;
  summarises(&c, DESCRIPTION(LAUNCH("") LAUNCH(", flex: base")),
             "  schemes of kernels\n    scale: occ, own memory, 1 launch: as configured\n"
             "    scale: base, 1 launch: the launch says so\n");
}

/* The rule `first` measures a kernel in Base once for each shape. */
TEST(first_launch_is_measured) {
  struct tandem_config c = table2_gpu(6, FLEX_AUTO);
  struct tandem *t;
  const struct flex *f = ran(&c,
                             DESCRIPTION(LAUNCH("") LAUNCH("") LAUNCH(", dynamic_shared: 4096")
                                             LAUNCH(", dynamic_shared: 4096")),
                             &t);
  assert_int_equal(f->nknown, 2);
  assert_true(f->known[0].measured && f->known[1].measured);
  assert_int_equal(f->known[0].is.thread_instructions, f->known[1].is.thread_instructions);
  assert_true(f->known[0].is.cycles > 100);
  assert_int_equal(f->chosen[0].choice.scheme, FLEX_BASE);
  assert_int_equal(f->chosen[0].launches, 2);
  assert_int_equal(f->chosen[1].choice.scheme, FLEX_OCC); /* a memory-bound kernel */
  contains(f->chosen[1].choice.why, "% of the lanes' time");
  tandem_close(t);
  /* A repeated launch is one kernel and shape, whether its steps are written once or again. */
  f = ran(&c, DESCRIPTION(REPEAT("3") REPEAT("2")), &t);
  assert_int_equal(f->nknown, 1);
  assert_int_equal(f->nchosen, 2);
  assert_int_equal(f->chosen[0].launches, 1);
  assert_int_equal(f->chosen[1].launches, 4);
  tandem_close(t);
  c.feature.flex.choice = FLEX_RULE_STATIC;
  f = ran(&c, DESCRIPTION(LAUNCH("") LAUNCH("")), &t);
  assert_int_equal(f->nchosen, 1);
  assert_true(f->chosen[0].choice.scheme != FLEX_BASE);
  contains(f->chosen[0].choice.why, "instructions use memory");
  tandem_close(t);
}

/* The rule `power` measures a launch in Base, with its dynamic power, and keeps below its limit. */
TEST(power_limit) {
  struct tandem_config c = table2_gpu(6, FLEX_AUTO);
  struct tandem *t;
  struct gpu_stats s;
  struct energy e;
  c.feature.flex.choice = FLEX_RULE_POWER;
  c.feature.flex.power_limit = 40;
  const struct flex *f = ran(&c, DESCRIPTION(LAUNCH("")), &t);
  gpu_statistics(t, &s);
  features_energy(&c, &s, &e);
  assert_true(f->known[0].measured && f->known[0].is.dynamic_w > 0);
  assert_true(fabs(f->known[0].is.dynamic_w / ((e.dynamic_all - e.dynamic_base) / e.time) - 1) <
              0.01);
  const struct flex_watts w = flex_watts_of(&c);
  assert_true(fabs(w.sms[FLEX_BASE] + w.others - e.leak_ours - ENERGY_OF(constant_power)) < 0.01);
  tandem_close(t);
  f = ran(&c, DESCRIPTION(LAUNCH("") LAUNCH("")), &t);
  assert_int_equal(f->nchosen, 2);
  assert_int_equal(f->chosen[0].choice.scheme, FLEX_BASE);
  assert_true(f->chosen[1].choice.scheme != FLEX_BASE);
  contains(f->chosen[1].choice.why, "the fastest of at most 40 W");
  tandem_close(t);
}

int main(void) { return test_run(NULL, NULL); }
