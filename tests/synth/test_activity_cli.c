/* Measured activity through the command line: wrong requests without arguments; with the folder of
 * a build, on the whole front end or the members of a pair (slow).
 *
 *   test_activity_cli [BUILD front_end|pair] */
#include <unistd.h>

#include <jansson.h>

#include "tests/shell.h"
#include "tests/test.h"

static const char *build; /* where units have been synthesised, or will be */
static char folder[] = "/tmp/tandem-activity-cli-XXXXXX";
static char said[1 << 20]; /* standard output and error of the last command */

static int run(const char *command) { return shell_run(command, said, sizeof said); }

/* `tandem synth <words>` writes report.json in the test's folder, or nothing. */
static void expect(const char *words, int status, const char *part) {
  char command[2048];
  snprintf(command, sizeof command, "cd %s && rm -f * && %s synth %s --json report.json 2>&1",
           folder, PROGRAM, words);
  const int got = run(command);
  if (got != status || strstr(said, part) == NULL)
    fail_msg("tandem synth %s: status %d, expected %d with \"%s\": %s", words, got, status, part,
             said);
  snprintf(command, sizeof command, "ls -A %s", folder);
  assert_int_equal(run(command), 0);
  assert_string_equal(said, status == 0 ? "report.json\n" : "");
}

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) != NULL ? 0 : -1;
}

static int drop_folder(void **state) {
  (void)state;
  char command[600];
  snprintf(command, sizeof command, "rm -rf %s %s-build", folder, folder);
  return system(command);
}

/* Errors that are reported before anything is synthesised. */
static void bad(void **state) {
  (void)state;
  expect("--activity nothing.yaml", 2, "cannot read the kernel's launch description nothing.yaml");
  expect("--activity " ROOT "/README.md", 2, "README.md");
  expect("--activity vecadd --from 0 --to 1000000", 2, "is too short for the window");
  expect("--activity vecadd --from 10 --to 10", 2, "the window of cycles 10 to 10 is empty");
}

static double real(const json_t *o, const char *key) {
  const json_t *v = json_object_get(o, key);
  if (!json_is_number(v))
    fail_msg("no %s", key);
  return json_number_value(v);
}

/* Dynamic power of a part's cells in a run: of a member, or (member 2) of links and control. */
static double dynamic(const json_t *way, int member, double *assumed) {
  double w = 0;
  size_t i;
  const json_t *row;
  *assumed = 0;
  json_array_foreach(json_object_get(way, "rows"), i, row) {
    if ((int)real(row, "member") == member) {
      w += real(row, "switching_w") + real(row, "internal_w") + real(row, "clock_w");
      *assumed += real(row, "assumed_dynamic_w");
    }
  }
  return w;
}

/* Changes of all nets of the instances of links and control whose names have this in them. */
static double changes(const json_t *way, const char *name) {
  double n = 0;
  size_t i;
  const json_t *row;
  json_array_foreach(json_object_get(way, "rows"), i, row) {
    if ((int)real(row, "member") == 2 &&
        strstr(json_string_value(json_object_get(row, "instance")), name) != NULL)
      n += real(row, "changes") * real(row, "nets");
  }
  return n;
}

static double sum(const json_t *way, const char *list, const char *key) {
  double s = 0;
  size_t i;
  const json_t *item;
  json_array_foreach(json_object_get(way, list), i, item) s += real(item, key);
  return s;
}

static const json_t *way_of(const json_t *report, const char *name) {
  size_t i;
  const json_t *way;
  json_array_foreach(json_object_get(report, "activity"), i, way) {
    if (strcmp(json_string_value(json_object_get(way, "way")), name) == 0)
      return way;
  }
  fail_msg("no run %s", name);
  return NULL;
}

static json_t *measured(const char *unit) {
  char words[1200], path[600];
  snprintf(words, sizeof words, "%s --build %s --activity blackscholes", unit, build);
  expect(words, 0, "power with measured activity");
  snprintf(path, sizeof path, "%s/report.json", folder);
  json_t *report = json_load_file(path, 0, NULL);
  assert_non_null(report);
  return report;
}

static void front_end(void **state) {
  (void)state;
  double assumed;
  json_t *report = measured("sm_frontend");
  const json_t *baseline = way_of(report, "baseline");
  const double alone = dynamic(baseline, 0, &assumed);
  assert_true(alone > 0 && alone < assumed);
  assert_true(sum(baseline, "memories", "reads") > 0 && sum(baseline, "memories", "writes") > 0);
  assert_int_equal(json_array_size(json_object_get(baseline, "links")), 0);
  json_decref(report);
}

/* A follower takes little.  Its leader has more to clock than a member apart, and less to issue. */
static void pair(void **state) {
  (void)state;
  double assumed;
  json_t *report = measured("buddy_cluster_Members2");
  const json_t *grouped = way_of(report, "grouped"), *apart = way_of(report, "apart");
  const double alone = dynamic(apart, 0, &assumed);
  assert_true(alone > 0 && alone < assumed);
  const double other = dynamic(apart, 1, &assumed);
  assert_true(other > 0.8 * alone && other < 1.25 * alone);
  const double leader = dynamic(grouped, 0, &assumed), follower = dynamic(grouped, 1, &assumed);
  assert_true(leader > 0.5 * alone && leader < 1.6 * alone);
  assert_true(follower > 0 && follower < 0.5 * leader);
  /* Links fly while members work together, and stand still while they are apart. */
  const double around = dynamic(grouped, 2, &assumed);
  assert_true(around > 0 && around < 0.2 * alone && around < assumed);
  assert_true(changes(grouped, "u_downlink") > 0 && changes(grouped, "u_uplink") > 0);
  assert_true(changes(apart, "link") < changes(grouped, "link"));
  assert_true(changes(grouped, "u_group_control") >= 0 && changes(grouped, "u_side_band") >= 0);
  const json_t *off = json_object_get(grouped, "off_cycles");
  assert_int_equal(json_integer_value(json_array_get(off, 0)), 0);
  assert_int_equal(json_integer_value(json_array_get(off, 1)), 1000);
  assert_true(sum(grouped, "rows", "gated_leakage_w") < sum(grouped, "rows", "leakage_w"));
  assert_true(sum(grouped, "links", "flits") > 0 && sum(grouped, "links", "low_swing_w") > 0);
  assert_true(sum(apart, "links", "changes") < 10);
  json_decref(report);
}

int main(int argc, char **argv) {
  const struct CMUnitTest fast[] = {cmocka_unit_test(bad)};
  const struct CMUnitTest slow[] = {cmocka_unit_test(front_end), cmocka_unit_test(pair)};
  if (argc < 3)
    return cmocka_run_group_tests_name("fast", fast, make_folder, drop_folder);
  build = argv[1];
  cmocka_set_test_filter(argv[2]);
  return cmocka_run_group_tests_name("slow", slow, make_folder, drop_folder);
}
