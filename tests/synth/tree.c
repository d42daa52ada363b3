/* A folder with the scripts of the tree and modules of a test's own. */
#include "tests/synth/tree.h"

#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/scratch.h"
#include "tests/test.h"

char tree_root[64], tree_build[80];

const char *tree_path(const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", tree_root, name);
  return path;
}

void tree_put(const char *name, const char *text) {
  struct tandem_error err;
  assert_int_equal(files_write(tree_path(name), text, strlen(text), &err), 0);
}

/* It names what contains it. */
const char tree_leaf[] = "// a part of top\n"
                         "module leaf #(parameter int unsigned Width = 1) (input logic clk_i,\n"
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

int tree_start(void **state) {
  (void)state;
  static const char *const folders[] = {"rtl", "synth/flow", "synth/data"};
  static const char *const links[] = {"synth/flow/scripts", "synth/data/technology.yaml"};
  char from[1024], to[256];
  struct tandem_error err;
  strcpy(tree_root, "/tmp/test_synth_XXXXXX");
  assert_non_null(mkdtemp(tree_root));
  snprintf(tree_build, sizeof tree_build, "%s/build", tree_root);
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
    snprintf(to, sizeof to, "%s/%s", tree_root, folders[i]);
    assert_int_equal(files_folder(to, &err), 0);
  }
  for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
    snprintf(from, sizeof from, "%s/%s", TANDEM_SOURCE_DIR, links[i]);
    snprintf(to, sizeof to, "%s/%s", tree_root, links[i]);
    assert_int_equal(symlink(from, to), 0);
  }
  tree_put("tandem_pkg.sv", "package tandem_pkg;\nendpackage\n");
  tree_put("rtl/leaf.sv", tree_leaf);
  tree_put("rtl/top.sv", top);
  tree_put(
      "synth/data/designs.yaml",
      "package: tandem_pkg.sv\nsources: rtl/*.sv\nclock: 100\nclocks: {clk_i: 1}\nreset: rst_ni\n"
      "memory_bits: 256\nsms: 16\nbaseline: {module: top}\n"
      "features:\n  - name: more\n    clusters:\n      - members: 2\n        variant: v\n"
      "        parts: [{count: 2, module: top}, {module: leaf}]\n");
  return 0;
}

int tree_stop(void **state) {
  (void)state;
  scratch_remove(tree_root);
  return 0;
}

int tree_report(const char *unit, const struct synth_config *more, struct synth_report **r,
                struct tandem_error *err) {
  struct synth_config c = *more;
  c.root = tree_root;
  c.build = tree_build;
  c.units = &unit;
  c.nunits = unit != NULL;
  return synth_run(&c, r, err);
}

const struct synth_unit *tree_unit(const struct synth_report *r, const char *name) {
  for (size_t i = 0; i < r->nunits; i++)
    if (strcmp(r->units[i].name, name) == 0)
      return &r->units[i];
  fail_msg("no unit %s", name);
  return NULL;
}
