/* The tools at work on a design that can be counted by hand: a folder with the scripts of the tree
 * and modules of its own. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "synth/local.h"

static char root[64], build[80];

static void put(const char *name, const char *text) {
  char path[256];
  struct tandem_error err;
  snprintf(path, sizeof path, "%s/%s", root, name);
  assert_int_equal(synth_write(path, text, strlen(text), &err), 0);
}

static const char leaf[] = "module leaf #(parameter int unsigned Width = 1) (input logic clk_i,\n"
                           "  input logic [Width-1:0] a_i, b_i, output logic [Width-1:0] q_o);\n"
                           "  always_ff @(posedge clk_i) q_o <= ~(a_i & b_i);\nendmodule\n";
/* One memory of 16 x 32 bits, three leaves of two sets of parameters. */
static const char top[] =
    "module top (input logic clk_i, input logic we_i, input logic [3:0] row_i,\n"
    "  input logic [31:0] d_i, output logic [31:0] d_o, output logic [3:0] q_o);\n"
    "  logic [31:0] rows_q [16];\n"
    "  always_ff @(posedge clk_i) if (we_i) rows_q[row_i] <= d_i;\n"
    "  assign d_o = rows_q[row_i];\n"
    "  leaf u_a (.clk_i, .a_i(d_i[0]), .b_i(d_i[1]), .q_o(q_o[0]));\n"
    "  leaf #(.Width(1)) u_b (.clk_i, .a_i(d_i[2]), .b_i(d_i[3]), .q_o(q_o[1]));\n"
    "  leaf #(.Width(2)) u_c (.clk_i, .a_i(d_i[5:4]), .b_i(d_i[7:6]), .q_o(q_o[3:2]));\n"
    "endmodule\n";

static int setup(void **state) {
  (void)state;
  static const char *const scripts[] = {"elaborate.tcl", "map.tcl",         "timing.tcl",
                                        "memory.v",      "tandem_memory.v", "tie.lib"};
  char from[1024], to[256];
  struct tandem_error err;
  strcpy(root, "/tmp/test_synth_XXXXXX");
  assert_non_null(mkdtemp(root));
  snprintf(build, sizeof build, "%s/build", root);
  snprintf(to, sizeof to, "%s/rtl", root);
  assert_int_equal(synth_folder(to, &err), 0);
  snprintf(to, sizeof to, "%s/synth", root);
  assert_int_equal(synth_folder(to, &err), 0);
  for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
    snprintf(from, sizeof from, "%s/synth/%s", TANDEM_SOURCE_DIR, scripts[i]);
    snprintf(to, sizeof to, "%s/synth/%s", root, scripts[i]);
    assert_int_equal(symlink(from, to), 0);
  }
  put("tandem_pkg.sv", "package tandem_pkg;\nendpackage\n");
  put("rtl/leaf.sv", leaf);
  put("rtl/top.sv", top);
  put("synth/designs.yaml",
      "package: tandem_pkg.sv\nfolders: [rtl]\nclock: 100\nclocks: {clk_i: 1}\nreset: rst_ni\n"
      "memory_bits: 256\nsms: 16\nbaseline: {module: top}\n"
      "features:\n  - name: more\n    clusters:\n      - members: 2\n        variant: v\n"
      "        parts: [{count: 2, module: top}, {module: leaf}]\n");
  return 0;
}

static int teardown(void **state) {
  (void)state;
  synth_remove(root);
  return 0;
}

static unsigned steps;
static void count_step(void *user, const struct synth_progress *p) {
  (void)user;
  (void)p;
  steps++;
}

static int report(const char *unit, const char *liberty, bool flat, struct synth_report **r,
                  struct tandem_error *err) {
  const struct synth_config c = {.root = root,
                                 .build = build,
                                 .units = &unit,
                                 .nunits = unit != NULL,
                                 .liberty = liberty,
                                 .flat = flat,
                                 .progress = count_step};
  steps = 0;
  return synth_run(&c, r, err);
}

static const struct synth_unit *unit_of(const struct synth_report *r, const char *name) {
  for (size_t i = 0; i < r->nunits; i++)
    if (strcmp(r->units[i].name, name) == 0)
      return &r->units[i];
  fail_msg("no unit %s", name);
  return NULL;
}

static void good(int status, const struct tandem_error *err) {
  if (status != 0)
    fail_msg("%s", err->text);
}

static void figures_are_those_counted_by_hand(void **state) {
  (void)state;
  struct synth_report *r;
  struct tandem_error err;
  good(report(NULL, NULL, true, &r, &err), &err);
  const struct synth_unit *one = unit_of(r, "leaf"), *two = unit_of(r, "leaf_Width2"),
                          *all = unit_of(r, "top"), *flat = unit_of(r, "top_flat");
  assert_int_equal(one->own.sequential_cells, 1);
  assert_int_equal(two->own.sequential_cells, 2);
  assert_int_equal(all->own.sequential_cells, 0);
  assert_int_equal(all->nchildren, 2);
  assert_int_equal(all->whole.sequential_cells, 4);
  assert_int_equal(flat->whole.sequential_cells, 4);
  /* The 512 bits are no flip-flops; so are they when flat. */
  assert_int_equal(all->own.memory_bits, 512);
  assert_int_equal(flat->own.memory_bits, 512);
  assert_int_equal(all->nmemories, 1);
  assert_int_equal(all->memories[0].words, 16);
  assert_int_equal(all->memories[0].reads, 1);
  assert_float_equal(
      (float)synth_area(&all->whole),
      (float)(synth_area(&all->own) + 2 * synth_area(&one->own) + synth_area(&two->own)), 1e-6);
  assert_true(one->timing.fmax_mhz > 100 && one->timing.slack_ns > 0);
  assert_true(all->power.internal_w > 0 && all->power.leakage_w > 0);
  assert_false(all->power.measured);
  assert_int_equal(r->nadded, 1);
  assert_float_equal((float)r->added[0].area, (float)synth_area(&one->own), 1e-6);
  synth_free(r);
}

static void only_what_changed_runs_again(void **state) {
  (void)state;
  struct synth_report *r;
  struct tandem_error err;
  good(report("top", NULL, false, &r, &err), &err);
  synth_free(r);
  good(report("top", NULL, false, &r, &err), &err);
  assert_int_equal(steps, 0);
  synth_free(r);
  /* What has run is good elsewhere, too. */
  char old[256];
  snprintf(old, sizeof old, "%s", build);
  strcat(build, "-moved");
  assert_int_equal(rename(old, build), 0);
  good(report("top", NULL, false, &r, &err), &err);
  assert_int_equal(steps, 0);
  synth_free(r);
  /* A leaf's body: the leaves, and top's timing; top names leaf, whose ports may have changed. */
  char *changed = strdup(leaf), *gate = strstr(changed, "&");
  *gate = '|';
  put("rtl/leaf.sv", changed);
  free(changed);
  good(report("leaf", NULL, false, &r, &err), &err);
  assert_int_equal(steps, 3);
  synth_free(r);
  put("rtl/leaf.sv", leaf);
}

/* Hundreds of registers behind a gate of their clock take what they take without it. */
static void gated_clock_has_a_tree(void **state) {
  (void)state;
  struct synth_report *r;
  struct tandem_error err;
  double dynamic[2];
  put("rtl/gate.sv", "module gate (input logic clk_i, en_i, output logic clk_o);\n  logic en_q;\n"
                     "  always_ff @(negedge clk_i) en_q <= en_i;\n"
                     "  assign clk_o = clk_i & en_q;\nendmodule\n");
  put("rtl/gated.sv", "module gated (input logic clk_i, en_i, input logic [511:0] a_i, b_i,\n"
                      "  output logic [511:0] q_o);\n  logic clk;\n"
                      "  gate u_gate (.clk_i, .en_i, .clk_o(clk));\n"
                      "  leaf #(.Width(512)) u_a (.clk_i(clk), .a_i, .b_i, .q_o);\nendmodule\n");
  good(report("gated", NULL, false, &r, &err), &err);
  for (unsigned i = 0; i < 2; i++) {
    const struct synth_power *p = &unit_of(r, i == 0 ? "leaf_Width512" : "gated")->power;
    dynamic[i] = p->internal_w + p->switching_w;
  }
  assert_true(dynamic[1] > dynamic[0] && dynamic[1] < 1.05 * dynamic[0]);
  synth_free(r);
}

static void mistakes_are_told(void **state) {
  (void)state;
  struct synth_report *r;
  struct tandem_error err;
  assert_int_equal(report("nobody", NULL, false, &r, &err), -EINVAL);
  assert_non_null(strstr(err.text, "there is no unit \"nobody\""));
  assert_non_null(strstr(err.text, "leaf top"));
  assert_null(r);
  char *path = getenv("PATH"), *kept = strdup(path);
  setenv("PATH", root, 1);
  assert_int_equal(report("leaf", NULL, false, &r, &err), -ENOENT);
  assert_non_null(strstr(err.text, "package yosys"));
  setenv("PATH", kept, 1);
  free(kept);
  assert_int_equal(report("leaf", "/nowhere.lib", false, &r, &err), -ENOENT);
  assert_non_null(strstr(err.text, "/nowhere.lib"));
}

static void failing_step_leaves_nothing(void **state) {
  (void)state;
  struct synth_report *r;
  struct tandem_error err;
  char path[256];
  put("rtl/broken.sv", "module broken (input logic a_i, output logic q_o);\n"
                       "  assign q_o = nobody(a_i);\nendmodule\n");
  assert_true(report("broken", NULL, false, &r, &err) < 0);
  assert_non_null(strstr(err.text, "cannot elaborate broken: yosys"));
  assert_non_null(strstr(err.text, "nobody"));
  snprintf(path, sizeof path, "%s/synth/rtl/broken", build);
  assert_int_not_equal(access(path, F_OK), 0);
  strcat(path, ".part");
  assert_int_not_equal(access(path, F_OK), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figures_are_those_counted_by_hand),
      cmocka_unit_test(only_what_changed_runs_again),
      cmocka_unit_test(gated_clock_has_a_tree),
      cmocka_unit_test(mistakes_are_told),
      cmocka_unit_test(failing_step_leaves_nothing),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
