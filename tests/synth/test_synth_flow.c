/* The tools at work on a design that can be counted by hand. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <unistd.h>

#include "synth/flow/flow.h"
#include "synth/report/report.h"
#include "tests/synth/tree.h"
#include "tests/test.h"

/* Puts a text over the beginning of another. */
static void overwrite(char *at, const char *text) {
  while (*text != '\0')
    *at++ = *text++;
}

/* Constants on both sides of gates: OpenSTA knows no `assign {a, b} =`. */
static const char sides[] = "module sides (input logic [1:0] d_i, output logic [5:0] q_o);\n"
                            "  assign q_o = {3'b0, &d_i, |d_i, 1'b0};\nendmodule\n";

static unsigned steps;
static void count_step(void *user, const struct synth_progress *p) {
  (void)user;
  (void)p;
  steps++;
}

static const char *macros; /* Liberty of memories, for what is reported next */

static int report(const char *unit, const char *liberty, bool flat, struct synth_report **r,
                  struct tandem_error *err) {
  const struct synth_config c = {.liberty = &liberty,
                                 .nliberty = liberty != NULL,
                                 .macros = macros,
                                 .flat = flat,
                                 .progress = count_step};
  steps = 0;
  return tree_report(unit, &c, r, err);
}

static void good(int status, const struct tandem_error *err) {
  if (status != 0)
    fail_msg("%s", err->text);
}

TEST(figures_are_those_counted_by_hand) {
  struct synth_report *r;
  struct tandem_error err;
  good(report(NULL, NULL, true, &r, &err), &err);
  const struct synth_unit *one = tree_unit(r, "leaf"), *two = tree_unit(r, "leaf_Width2"),
                          *all = tree_unit(r, "top"), *flat = tree_unit(r, "top_flat");
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

/* The power of a design of too many cells is that of its parts: two leaves and one of two bits. */
TEST(large_designs_are_not_timed) {
  struct synth_report *r;
  struct tandem_error err;
  good(report("top", NULL, false, &r, &err), &err);
  const uint64_t cells = tree_unit(r, "top")->whole.cells;
  assert_true(isfinite(tree_unit(r, "top")->timing.fmax_mhz));
  synth_free(r);
  good(tree_report("top", &(struct synth_config){.timed = cells - 1}, &r, &err), &err);
  const struct synth_unit *all = tree_unit(r, "top"), *one = tree_unit(r, "leaf"),
                          *two = tree_unit(r, "leaf_Width2");
  assert_true(isnan(all->timing.fmax_mhz) && isfinite(one->timing.fmax_mhz));
  assert_float_equal((float)all->power.internal_w,
                     (float)(2 * one->power.internal_w + two->power.internal_w), 1e-12F);
  synth_free(r);
}

/* 16 words of 32 bits, a port of each kind, in 180 nm; 100 MHz. */
TEST(memories_have_figures) {
  struct synth_report *r;
  struct tandem_error err;
  struct technology_macro macro;
  good(report("top", NULL, true, &r, &err), &err);
  const struct synth_unit *top_unit = tree_unit(r, "top"), *flat = tree_unit(r, "top_flat");
  const struct technology_corner corner = {180, 1.8};
  assert_int_equal(technology_macro(&r->technology, &(struct technology_memory){16, 32, 2}, corner,
                                    &macro, &err),
                   0);
  assert_int_equal(top_unit->memories[0].source, SYNTH_ESTIMATED);
  for (int i = 0; i < 3; i++) {
    const struct synth_size *s = i == 0 ? &top_unit->own : i == 1 ? &top_unit->whole : &flat->whole;
    assert_float_equal((float)s->memory_area, (float)macro.area_um2, 1e-3);
    assert_float_equal((float)s->memory_access_w, (float)(2 * 0.1 * macro.access_pj * 1e-12 * 1e8),
                       1e-9);
    assert_float_equal((float)s->memory_leakage_w, (float)(macro.leakage_uw * 1e-6), 1e-9);
    assert_int_equal(s->ideal_memories, 0);
  }
  /* The critical path goes through a read port. */
  assert_true(1000 / top_unit->timing.fmax_mhz > macro.access_ns);
  assert_true(1000 / flat->timing.fmax_mhz > macro.access_ns);
  assert_non_null(strstr(top_unit->timing.path, "tandem_mem_16x32_1r1w"));
  assert_float_equal((float)tree_unit(r, "leaf")->whole.memory_area, 0, 0);
  synth_free(r);
  good(report(NULL, NULL, false, &r, &err), &err);
  assert_float_equal((float)r->added[0].cluster.memory_area, (float)(2 * macro.area_um2), 1e-2);
  assert_float_equal((float)r->added[0].memory_area, 0, 1e-2);
  synth_free(r);
}

/* A memory that somebody gives: 5000 um2, 3 ns, 7 uW. */
static void given_liberty(unsigned width, char **text) {
  size_t size;
  const struct synth_memory m = {.words = 16,
                                 .width = width,
                                 .abits = 4,
                                 .reads = 1,
                                 .writes = 1,
                                 .macro = {.area_um2 = 5000, .access_ns = 3}};
  FILE *out = open_memstream(text, &size);
  synth_macros_liberty(out, &m, 1);
  fclose(out);
  char *at = strstr(*text, "is_macro_cell : true;");
  static const char leakage[] = "cell_leakage_power:7;"; /* as long */
  overwrite(at, leakage);
}

/* The same in ps. */
static void in_picoseconds(char *text) {
  overwrite(strstr(text, "\"1ns\"") + 1, "1ps");
  for (char *at = text; (at = strstr(at, "\"3.0000\"")) != NULL;)
    overwrite(at + 1, "3000.0");
}

TEST(given_memories_win) {
  struct synth_report *r;
  struct tandem_error err;
  char path[128], *text;
  double fmax[2], leakage = 0;
  given_liberty(32, &text);
  snprintf(path, sizeof path, "%s/given.lib", tree_root);
  macros = path;
  for (unsigned i = 0; i < 2; i++) {
    if (i == 1)
      in_picoseconds(text);
    tree_put("given.lib", text);
    good(report("top", NULL, false, &r, &err), &err);
    const struct synth_unit *top_unit = tree_unit(r, "top");
    assert_string_equal(r->macros, path);
    assert_int_equal(top_unit->memories[0].source, SYNTH_GIVEN);
    assert_float_equal((float)top_unit->whole.memory_area, 5000, 1e-3);
    assert_true(1000 / top_unit->timing.fmax_mhz > 3);
    assert_float_equal((float)(1e9 * top_unit->own.memory_leakage_w), 7, 1e-3);
    assert_float_equal((float)(1e9 * top_unit->whole.memory_leakage_w), 7, 1e-3);
    fmax[i] = top_unit->timing.fmax_mhz;
    leakage = top_unit->power.leakage_w;
    synth_free(r);
  }
  assert_float_equal((float)fmax[0], (float)fmax[1], 0);
  /* The cells' leakage is what it is without. */
  macros = NULL;
  good(report("top", NULL, false, &r, &err), &err);
  assert_float_equal((float)(1e9 * tree_unit(r, "top")->power.leakage_w), (float)(1e9 * leakage),
                     1e-3);
  synth_free(r);
  free(text);
}

TEST(unusable_memories_are_told) {
  char *narrow;
  given_liberty(31, &narrow);
  char *renamed = strdup(narrow), *cell = strstr(narrow, "cell(");
  overwrite(strstr(renamed, "cell(tandem_mem_") + 5, "somebody");
  overwrite(strchr(cell, 'x') + 1, "32");
  const struct {
    const char *text, *message;
  } cases[] = {{"nonsense", "not a Liberty file"},
               {renamed, "call them as the netlists do, tandem_mem_"},
               {narrow, "tandem_mem_16x32_1r1w has 31 bits of r_data instead of 32"}};
  struct synth_report *r;
  struct tandem_error err;
  char path[128];
  snprintf(path, sizeof path, "%s/given.lib", tree_root);
  macros = path;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tree_put("given.lib", cases[i].text);
    assert_int_equal(report("top", NULL, false, &r, &err), -EINVAL);
    if (strstr(err.text, cases[i].message) == NULL || strstr(err.text, path) == NULL)
      fail_msg("case %zu: %s", i, err.text);
    assert_null(r);
  }
  snprintf(path, sizeof path, "%s/none.lib", tree_root);
  assert_int_equal(report("top", NULL, false, &r, &err), -ENOENT);
  macros = NULL;
  free(narrow);
  free(renamed);
}

/* A library by a name that says nothing of its process. */
TEST(unknown_process_has_ideal_memories) {
  struct synth_report *r;
  struct tandem_error err;
  char path[128], *text;
  good(report("leaf", NULL, false, &r, &err), &err);
  good(files_read(r->library.path, &text, NULL, &err), &err);
  synth_free(r);
  overwrite(strstr(text, "osu018"), "nobody");
  tree_put("nobody.lib", text);
  free(text);
  snprintf(path, sizeof path, "%s/nobody.lib", tree_root);
  good(report("top", path, false, &r, &err), &err);
  const struct synth_unit *u = tree_unit(r, "top");
  assert_int_equal(u->memories[0].source, SYNTH_IDEAL);
  assert_int_equal(u->whole.ideal_memories, 1);
  assert_int_equal(u->whole.memory_bits, 512);
  assert_float_equal(u->whole.memory_area, 0, 0);
  char *told = NULL;
  size_t size;
  FILE *out = open_memstream(&told, &size);
  synth_text(out, r);
  fclose(out);
  assert_non_null(strstr(told, "the process of nobody_stdcells is not known"));
  free(told);
  synth_free(r);
}

TEST(constants_apart_are_timed) {
  struct synth_report *r;
  struct tandem_error err;
  char path[128];
  tree_put("rtl/sides.sv", sides);
  good(report("sides", NULL, false, &r, &err), &err);
  assert_true(tree_unit(r, "sides")->timing.fmax_mhz > 0);
  synth_free(r);
  snprintf(path, sizeof path, "%s/rtl/sides.sv", tree_root);
  unlink(path);
}

TEST(only_what_changed_runs_again) {
  struct synth_report *r;
  struct tandem_error err;
  good(report("top", NULL, false, &r, &err), &err);
  synth_free(r);
  good(report("top", NULL, false, &r, &err), &err);
  assert_int_equal(steps, 0);
  synth_free(r);
  /* Results stay valid when the build's folder moves. */
  char old[256];
  snprintf(old, sizeof old, "%s", tree_build);
  strcat(tree_build, "-moved");
  assert_int_equal(rename(old, tree_build), 0);
  good(report("top", NULL, false, &r, &err), &err);
  assert_int_equal(steps, 0);
  synth_free(r);
  /* A leaf's body: the leaves, and top's timing; top names leaf, whose ports may have changed. */
  char *changed = strdup(tree_leaf), *gate = strstr(changed, "&");
  *gate = '|';
  tree_put("rtl/leaf.sv", changed);
  free(changed);
  good(report("leaf", NULL, false, &r, &err), &err);
  assert_int_equal(steps, 3);
  synth_free(r);
  tree_put("rtl/leaf.sv", tree_leaf);
}

/* Other text that is read changes no netlist: items of the package before the one that a module
 * uses, a module that it names without an instance, another file that its comment names. */
TEST(netlist_follows_from_its_own_text) {
  static const char package[] = "package tandem_pkg;\n%s"
                                "  function logic odd(logic [7:0] a);\n    odd = ^a[2:0];\n"
                                "    odd = odd | ^a[4:1];\n    odd = odd & ^a[7:2];\n"
                                "    odd = odd ^ ^a[5:3];\n  endfunction\nendpackage\n";
  static const char more[] = "  typedef struct packed {\n    logic a;\n    logic b;\n  } pair_t;\n"
                             "  function logic one(logic [1:0] x); one = ^x; endfunction\n"
                             "  parameter int unsigned Some = 3;\n";
  static const char own[] =
      "// beside other\nmodule own (input logic [7:0] a_i, b_i, output logic [7:0] q_o);\n"
      "  logic [7:0] side;\n  always_comb begin\n    side = a_i + b_i;\n"
      "    case (a_i[3:0])\n      4'd1: side = b_i;\n      4'd2, 4'd7: side[3:0] = ~b_i[7:4];\n"
      "      4'd3: if (b_i[0]) side = a_i & b_i;\n      4'd9: side[7:2] = b_i[5:0];\n"
      "      4'd12: side = {a_i[0], b_i[6:0]};\n      default: if (b_i[7]) side[1] = a_i[7];\n"
      "    endcase\n    for (int i = 0; i < 4; i++) if (a_i[i] ^ b_i[7-i]) side[i] = |(a_i & b_i) "
      "^ b_i[i];\n"
      "  end\n  assign q_o = side ^ {8{tandem_pkg::odd(side)}} ^ (a_i << b_i[2:0]);\nendmodule\n";
  static const char other[] =
      "module %s (input logic [3:0] a_i, output logic q_o);\n  always_comb begin\n"
      "    q_o = 1'b0;\n    for (int i = 0; i < 4; i++) if (a_i[i]) q_o = ~q_o;\n"
      "  end\nendmodule\n";
  static const char *const names[] = {"side", "other"};
  char text[1024], path[1024], *netlist[2];
  struct synth_report *r;
  struct tandem_error err;
  tree_put("rtl/own.sv", own);
  for (unsigned i = 0; i < 2; i++) {
    snprintf(text, sizeof text, package, i == 0 ? "" : more);
    tree_put("tandem_pkg.sv", text);
    for (unsigned k = 0; i == 1 && k < 2; k++) {
      snprintf(text, sizeof text, other, names[k]);
      snprintf(path, sizeof path, "rtl/%s.sv", names[k]);
      tree_put(path, text);
    }
    good(report("own", NULL, false, &r, &err), &err);
    assert_int_equal(steps, 3);
    snprintf(path, sizeof path, "%s/map/netlist.v", tree_unit(r, "own")->folder);
    good(files_read(path, &netlist[i], NULL, &err), &err);
    synth_free(r);
  }
  assert_string_equal(netlist[0], netlist[1]);
  free(netlist[0]);
  free(netlist[1]);
  /* The comment alone names this one. */
  tree_put("rtl/other.sv", "");
  good(report("own", NULL, false, &r, &err), &err);
  assert_int_equal(steps, 0);
  synth_free(r);
  tree_put("tandem_pkg.sv", "package tandem_pkg;\nendpackage\n");
  static const char *const made[] = {"rtl/own.sv", "rtl/side.sv", "rtl/other.sv"};
  for (unsigned i = 0; i < 3; i++)
    unlink(tree_path(made[i]));
}

/* Hundreds of registers behind a gate of their clock take what they take without it. */
TEST(gated_clock_has_a_tree) {
  struct synth_report *r;
  struct tandem_error err;
  double dynamic[2];
  tree_put("rtl/gate.sv",
           "module gate (input logic clk_i, en_i, output logic clk_o);\n  logic en_q;\n"
           "  always_ff @(negedge clk_i) en_q <= en_i;\n"
           "  assign clk_o = clk_i & en_q;\nendmodule\n");
  tree_put("rtl/gated.sv",
           "module gated (input logic clk_i, en_i, input logic [511:0] a_i, b_i,\n"
           "  output logic [511:0] q_o);\n  logic clk;\n"
           "  gate u_gate (.clk_i, .en_i, .clk_o(clk));\n"
           "  leaf #(.Width(512)) u_a (.clk_i(clk), .a_i, .b_i, .q_o);\nendmodule\n");
  good(report("gated", NULL, false, &r, &err), &err);
  for (unsigned i = 0; i < 2; i++) {
    const struct synth_power *p = &tree_unit(r, i == 0 ? "leaf_Width512" : "gated")->power;
    dynamic[i] = p->internal_w + p->switching_w;
  }
  assert_true(dynamic[1] > dynamic[0] && dynamic[1] < 1.05 * dynamic[0]);
  synth_free(r);
}

TEST(mistakes_are_told) {
  struct synth_report *r;
  struct tandem_error err;
  assert_int_equal(report("nobody", NULL, false, &r, &err), -EINVAL);
  assert_non_null(strstr(err.text, "there is no unit \"nobody\""));
  assert_non_null(strstr(err.text, "leaf top"));
  assert_null(r);
  char *path = getenv("PATH"), *kept = strdup(path);
  setenv("PATH", tree_root, 1);
  assert_int_equal(report("leaf", NULL, false, &r, &err), -ENOENT);
  assert_non_null(strstr(err.text, "package yosys"));
  setenv("PATH", kept, 1);
  free(kept);
  char none[128];
  snprintf(none, sizeof none, "%s/none.lib", tree_root);
  assert_int_equal(report("leaf", none, false, &r, &err), -ENOENT);
  assert_non_null(strstr(err.text, none));
}

TEST(failing_step_leaves_nothing) {
  struct synth_report *r;
  struct tandem_error err;
  char path[256];
  tree_put("rtl/broken.sv", "module broken (input logic a_i, output logic q_o);\n"
                            "  assign q_o = nobody(a_i);\nendmodule\n");
  assert_true(report("broken", NULL, false, &r, &err) < 0);
  assert_non_null(strstr(err.text, "cannot elaborate broken: yosys"));
  assert_non_null(strstr(err.text, "nobody"));
  snprintf(path, sizeof path, "%s/synth/rtl/broken", tree_build);
  assert_int_not_equal(access(path, F_OK), 0);
  strcat(path, ".part");
  assert_int_not_equal(access(path, F_OK), 0);
}

int main(void) { return test_run(tree_start, tree_stop); }
