/* The regression gate: each kind of difference between a report and its baseline. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <unistd.h>

#include "synth/report/baseline.h"
#include "tests/synth/sample.h"
#include "tests/test.h"

struct fixture {
  struct synth_report *r;
  char path[64], *text; /* output of the last call */
};

static char *update(struct fixture *f, bool whole, int expected) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  struct tandem_error err = {""};
  assert_int_equal(synth_baseline_update(out, f->path, f->r, whole, &err), expected);
  assert_true((expected == 0) == (err.text[0] == '\0'));
  fclose(out);
  return text;
}

static void store(struct fixture *f, const char *text) {
  FILE *out = fopen(f->path, "w");
  assert_true(fputs(text, out) >= 0);
  fclose(out);
}

static int setup(void **state) {
  struct fixture *f = *state = calloc(1, sizeof *f);
  f->r = sample_create();
  snprintf(f->path, sizeof f->path, "/tmp/tandem-baseline-XXXXXX");
  close(mkstemp(f->path));
  unlink(f->path);
  char *text = update(f, true, 0);
  store(f, text);
  free(text);
  return 0;
}

static int teardown(void **state) {
  struct fixture *f = *state;
  unlink(f->path);
  sample_destroy(f->r);
  free(f->text);
  free(f);
  return 0;
}

static enum synth_verdict check(struct fixture *f, bool whole) {
  free(f->text);
  size_t size = 0;
  FILE *out = open_memstream(&f->text, &size);
  enum synth_verdict verdict = SYNTH_STALE;
  struct tandem_error err = {""};
  assert_int_equal(synth_baseline_check(out, f->path, f->r, whole, &verdict, &err), 0);
  fclose(out);
  return verdict;
}

TEST(same) {
  struct fixture *f = *state;
  assert_int_equal(check(f, true), SYNTH_SAME);
  assert_string_equal(f->text, "");
}

TEST(within_tolerance) {
  struct fixture *f = *state;
  struct synth_unit *u = &f->r->units[SAMPLE_SCOREBOARD];
  u->whole.cells = 917;
  u->whole.combinational -= 999;
  u->timing.fmax_mhz = 117.7;
  assert_int_equal(check(f, true), SYNTH_SAME);
}

/* Each figure beyond the tolerance, up and down, is reported with unit and change, alone. */
TEST(each_figure) {
  struct fixture *f = *state;
  struct synth_unit *u = &f->r->units[SAMPLE_ICACHE];
  const struct synth_unit was = *u;
  u->whole.cells = 409;
  assert_int_equal(check(f, true), SYNTH_CHANGED);
  assert_string_equal(f->text, "icache: cells 400 -> 409 cells, +2.2 %\n");
  *u = was;
  u->whole.sequential -= 600;
  assert_int_equal(check(f, true), SYNTH_CHANGED);
  assert_string_equal(f->text, "icache: area 24000 -> 23400 um2, -2.5 %\n");
  *u = was;
  u->whole.memory_bits += 1024;
  assert_int_equal(check(f, true), SYNTH_CHANGED);
  assert_string_equal(f->text, "icache: memory 34816 -> 35840 bits, +2.9 %\n");
  *u = was;
  u->timing.fmax_mhz = 140;
  assert_int_equal(check(f, true), SYNTH_CHANGED);
  assert_string_equal(f->text, "icache: fmax 150 -> 140 MHz, -6.7 %\n");
  u->timing.fmax_mhz = (double)INFINITY;
  assert_int_equal(check(f, true), SYNTH_CHANGED);
  assert_string_equal(f->text, "icache: fmax had a value, 150 MHz\n");
}

TEST(from_nothing) {
  struct fixture *f = *state;
  f->r->units[SAMPLE_MONITOR].whole.memory_bits = 1;
  assert_int_equal(check(f, true), SYNTH_CHANGED);
  assert_string_equal(f->text, "monitor: memory 0 -> 1 bits\n");
}

TEST(unlimited_frequency) {
  struct fixture *f = *state;
  f->r->units[SAMPLE_MONITOR].timing.fmax_mhz = (double)INFINITY;
  char *text = update(f, true, 0);
  store(f, text);
  free(text);
  assert_int_equal(check(f, true), SYNTH_SAME);
  f->r->units[SAMPLE_MONITOR].timing.fmax_mhz = 100;
  assert_int_equal(check(f, true), SYNTH_CHANGED);
  assert_string_equal(f->text, "monitor: fmax had no value, now 100 MHz\n");
}

TEST(new_and_gone) {
  struct fixture *f = *state;
  strcpy(f->r->units[SAMPLE_MONITOR].name, "monitor_Entries2");
  assert_int_equal(check(f, true), SYNTH_CHANGED);
  assert_string_equal(f->text, "monitor_Entries2: new, the baseline does not have it\n"
                               "monitor: gone, the baseline has it\n");
}

TEST(new) {
  struct fixture *f = *state;
  f->r->nunits--;
  char *text = update(f, true, 0);
  store(f, text);
  free(text);
  f->r->nunits++;
  assert_int_equal(check(f, true), SYNTH_CHANGED);
  assert_string_equal(f->text, "buddy_cluster_Members2: new, the baseline does not have it\n");
}

/* A report of some units does not report the others as gone. */
TEST(some_units) {
  struct fixture *f = *state;
  f->r->nunits = 2;
  assert_int_equal(check(f, false), SYNTH_SAME);
  assert_int_equal(check(f, true), SYNTH_CHANGED);
  assert_non_null(strstr(f->text, "sm_frontend: gone"));
  f->r->nunits = SAMPLE_UNITS;
}

/* Flat designs are missed in reports that have some. */
TEST(flat) {
  struct fixture *f = *state;
  f->r->units[SAMPLE_BASELINE].flat = f->r->units[SAMPLE_CLUSTER].flat = true;
  char *text = update(f, true, 0);
  store(f, text);
  free(text);
  f->r->nunits--;
  assert_int_equal(check(f, true), SYNTH_CHANGED);
  assert_string_equal(f->text, "buddy_cluster_Members2: gone, the baseline has it\n");
  f->r->nunits = SAMPLE_BASELINE;
  check(f, true);
  assert_null(strstr(f->text, "sm_frontend"));
  assert_null(strstr(f->text, "buddy_cluster"));
  f->r->nunits = SAMPLE_UNITS;
}

/* Other tools, or another version of the library: stale, whatever the figures. */
TEST(stale) {
  struct fixture *f = *state;
  f->r->units[SAMPLE_ICACHE].whole.cells = 1;
  strcpy(f->r->yosys, "Yosys 0.40");
  assert_int_equal(check(f, true), SYNTH_STALE);
  assert_string_equal(
      f->text, "stale: yosys of the baseline \"Yosys 0.23\", of this report \"Yosys 0.40\"\n");
  strcpy(f->r->yosys, "Yosys 0.23");
  strcpy(f->r->sta, "2.6.0");
  assert_int_equal(check(f, true), SYNTH_STALE);
  assert_string_equal(f->text,
                      "stale: OpenSTA of the baseline \"2.0.17\", of this report \"2.6.0\"\n");
  strcpy(f->r->sta, "2.0.17");
  strcpy(f->r->library.key, "4567");
  assert_int_equal(check(f, true), SYNTH_STALE);
  assert_string_equal(f->text,
                      "stale: library version of the baseline \"0123\", of this report \"4567\"\n");
  strcpy(f->r->library.key, "0123");
}

static void no_comparison(struct fixture *f, int status, const char *why) {
  enum synth_verdict verdict = SYNTH_SAME;
  struct tandem_error err = {""};
  assert_int_equal(synth_baseline_check(stderr, f->path, f->r, true, &verdict, &err), status);
  assert_non_null(strstr(err.text, f->path));
  assert_non_null(strstr(err.text, why));
}

/* A clock that was changed here and a baseline that is gone are errors, which no test skips. */
TEST(not_stale) {
  struct fixture *f = *state;
  f->r->mhz = 700;
  no_comparison(f, -EINVAL, "a clock of 100 MHz, this report of 700 MHz");
  f->r->mhz = 100;
  strcpy(f->r->library.name, "other_45");
  no_comparison(f, -ENOENT, "no baseline of library other_45");
  strcpy(f->r->library.name, "sample_180");
  unlink(f->path);
  no_comparison(f, -ENOENT, "no baseline of library sample_180");
}

/* An update leaves other libraries alone, is the same when repeated, and sorted. */
TEST(update) {
  struct fixture *f = *state;
  char *first = update(f, true, 0);
  strcpy(f->r->library.name, "other_45");
  char *both = update(f, true, 0);
  store(f, both);
  strcpy(f->r->library.name, "sample_180");
  char *again = update(f, true, 0);
  assert_string_equal(both, again);
  assert_true(strlen(both) > 2 * strlen(first) - 10);
  assert_non_null(strstr(first, "\n      \"buddy_cluster_Members2\": {\"area_um2\": "));
  assert_true(strstr(first, "\"frontend\": ") < strstr(first, "\"icache\": "));
  assert_true(strstr(first, "\"monitor\": ") < strstr(first, "\"scoreboard\": "));
  f->r->units[SAMPLE_ICACHE].whole.cells = 4000;
  char *changed = update(f, true, 0);
  store(f, changed);
  assert_int_equal(check(f, true), SYNTH_SAME);
  free(first);
  free(both);
  free(again);
  free(changed);
}

/* An update of some units keeps the others, but not if other tools made them. */
TEST(update_some) {
  struct fixture *f = *state;
  f->r->units[SAMPLE_SCOREBOARD].whole.cells = 9000;
  f->r->nunits = 1;
  char *text = update(f, false, 0);
  store(f, text);
  free(text);
  f->r->nunits = SAMPLE_UNITS;
  assert_int_equal(check(f, true), SYNTH_SAME);
  f->r->nunits = 1;
  strcpy(f->r->yosys, "Yosys 0.40");
  free(update(f, false, -EINVAL));
  f->r->nunits = SAMPLE_UNITS;
}

TEST(not_a_baseline) {
  struct fixture *f = *state;
  static const char *const texts[] = {"", "[]", "{", "{\"a\": 1}", "{\"a\": {\"units\": 1}}"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    store(f, texts[i]);
    enum synth_verdict verdict;
    struct tandem_error err = {""};
    assert_int_equal(synth_baseline_check(stderr, f->path, f->r, true, &verdict, &err), -EINVAL);
    assert_non_null(strstr(err.text, f->path));
    free(update(f, true, -EINVAL));
  }
}

int main(void) { return test_run_each(setup, teardown); }
