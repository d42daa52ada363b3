/* Macros of an SRAM compiler that serve the memories of a netlist (`--sram MAP.yaml`). */
#include <errno.h>

#include "csim/util/files.h"
#include "synth/report/report.h"
#include "tests/synth/tree.h"
#include "tests/test.h"

/* A macro as compilers write them, in ps, fF and uW: one of 8 words of 20 bits with a port to read
 * or write and one to read, 900 um2.  A read takes 200 + 1500 ps, from the address before the clock
 * to the data at a load of 50 fF; an access at most 6 pJ; 4 uW leak. */
static const char macros[] =
    "library(srams) { time_unit : \"1ps\"; capacitive_load_unit(1, ff); voltage_unit : \"1V\";\n"
    "leakage_power_unit : \"1uW\";\n"
    "lu_table_template(t) { variable_1 : input_net_transition;\n"
    "  variable_2 : total_output_net_capacitance; index_1(\"1, 2\"); index_2(\"1, 2, 3\"); }\n"
    "type(a3) { bit_width : 3; bit_from : 2; bit_to : 0; }\n"
    "type(d20) { bit_width : 20; bit_from : 19; bit_to : 0; }\n"
    "cell(ram_8x20) { area : 900; interface_timing : true;\n"
    "  memory() { type : ram; address_width : 3; word_width : 20; }\n"
    "  leakage_power() { when : \"CSB\"; value : 3; } leakage_power() { value : 4; }\n"
    "  pin(CLK) { direction : input; clock : true;\n"
    "    internal_power() { when : \"CSB\"; rise_power(scalar) { values(\"10\"); } }\n"
    "    internal_power() { when : \"!CSB & !WEB\"; rise_power(scalar) { values(\"5000\"); }\n"
    "      fall_power(scalar) { values(\"1000\"); } } }\n"
    "  bus(A) { bus_type : a3; direction : input; timing() { related_pin : \"CLK\";\n"
    "    timing_type : setup_rising; rise_constraint(scalar) { values(\"200\"); }\n"
    "    fall_constraint(scalar) { values(\"150\"); } }\n"
    "    timing() { related_pin : \"CLK\"; timing_type : hold_rising;\n"
    "      rise_constraint(scalar) { values(\"900\"); } } }\n"
    "  bus(D) { bus_type : d20; direction : input; }\n"
    "  bus(Q) { bus_type : d20; direction : output; pin(Q[19:0]) { timing() {\n"
    "    related_pin : \"CLK\"; timing_type : rising_edge;\n"
    "    cell_rise(t) { index_1(\"10, 90\"); index_2(\"5, 50, 100\");\n"
    "      values(\"1100, 1400, 1700\", \"5100, 5400, 5700\"); }\n"
    "    cell_fall(t) { index_1(\"10, 90\"); index_2(\"5, 50, 100\");\n"
    "      values(\"1200, 1500, 1800\", \"5200, 5500, 5800\"); } } } } }\n}\n";

#define ENTRY "- {cell: ram_8x20, words: 8, bits: 20, ports: [rw, r]"

static int start(void **state) {
  if (tree_start(state) != 0)
    return -1;
  tree_put("macros.lib", macros);
  return 0;
}

static int report(const char *map, struct synth_report **r, struct tandem_error *err) {
  char liberty[256], sram[256];
  tree_put("map.yaml", map);
  snprintf(liberty, sizeof liberty, "%s", tree_path("macros.lib"));
  snprintf(sram, sizeof sram, "%s", tree_path("map.yaml"));
  return tree_report("top", &(struct synth_config){.macros = liberty, .sram = sram}, r, err);
}

/* 16 words of 32 bits with a port of each kind: two macros side by side, two below each other. */
TEST(macros_serve_a_memory) {
  struct synth_report *r;
  struct tandem_error err;
  char *text = NULL;
  size_t size;
  if (report(ENTRY ", serves: [16x32_1r1w]}\n", &r, &err) != 0)
    fail_msg("%s", err.text);
  const struct synth_unit *u = tree_unit(r, "top");
  const struct synth_memory *m = &u->memories[0];
  assert_int_equal(m->source, SYNTH_MAPPED);
  assert_int_equal(m->macros, 4);
  assert_float_equal((float)m->macro.area_um2, 3600, 1e-3);
  assert_float_equal((float)m->macro.access_ns, 1.7, 1e-6);
  assert_float_equal((float)m->macro.access_pj, 12, 1e-6);
  assert_float_equal((float)m->macro.leakage_uw, 16, 1e-6);
  assert_float_equal((float)u->whole.memory_area, 3600, 1e-3);
  assert_true(1000 / u->timing.fmax_mhz > 1.7 && 1000 / u->timing.fmax_mhz < 2.5);
  FILE *out = open_memstream(&text, &size);
  synth_text(out, r);
  fclose(out);
  assert_non_null(strstr(text, "4 ram_8x20\n"));
  free(text);
  synth_free(r);
}

/* Each copy takes all writes: three reads by ports of which the writes leave one need three. */
TEST(copies_serve_more_reads) {
  struct synth_report *r;
  struct tandem_error err;
  tree_put("rtl/top.sv",
           "module top (input logic clk_i, we_i, input logic [3:0] a_i, b_i, c_i,\n"
           "  input logic [31:0] d_i, output logic [31:0] x_o, y_o, z_o);\n"
           "  logic [31:0] rows_q [16];\n"
           "  always_ff @(posedge clk_i) if (we_i) rows_q[a_i] <= d_i;\n"
           "  assign x_o = rows_q[a_i];\n  assign y_o = rows_q[b_i];\n  assign z_o = rows_q[c_i];\n"
           "endmodule\n");
  if (report(ENTRY ", serves: [tandem_mem_16x32_3r1w, 16x32_2r1w]}\n", &r, &err) != 0)
    fail_msg("%s", err.text);
  const struct synth_memory *m = &tree_unit(r, "top")->memories[0];
  assert_int_equal(m->source, SYNTH_MAPPED);
  assert_int_equal(m->macros, 12);
  /* Three reads of a copy, and a write of three, by four ports. */
  assert_float_equal((float)m->macro.access_pj, 12 * 6 / 4.0, 1e-6);
  synth_free(r);
  /* Another memory keeps its estimate. */
  if (report(ENTRY ", serves: [16x32_2r1w]}\n", &r, &err) != 0)
    fail_msg("%s", err.text);
  assert_int_equal(tree_unit(r, "top")->memories[0].source, SYNTH_ESTIMATED);
  synth_free(r);
}

TEST(maps_are_refused) {
  static const struct {
    const char *map, *message;
  } cases[] = {
      {"- {cell: ram, words: 8, bits: 20, ports: [rw], serves: []}\n",
       "map.yaml:1: the Liberty of --macros has no cell \"ram\""},
      {"\n- {cell: ram_8x20, words: 8, bits: 32, ports: [rw], serves: []}\n",
       "map.yaml:2: ram_8x20 has no port of 32 bits"},
      {"- {cell: ram_8x20, words: 64, bits: 20, ports: [rw], serves: []}\n",
       "no port that addresses 64 words"},
      {"- {cell: ram_8x20, words: 8, bits: 20, serves: []}\n", "a macro has no ports"},
      {"- {cell: ram_8x20, words: 8, bits: 20, ports: [], serves: []}\n", "a list of r, w and rw"},
      {"- {cell: ram_8x20, words: 8, bits: 20, ports: [x], serves: []}\n",
       "a port is \"x\", not r, w or rw"},
      {"- {cell: ram_8x20, bits: 20, ports: [r], serves: []}\n", "a macro has no words"},
      {"- {cell: ram_8x20, words: 8, bits: 20, ports: [rw]}\n", "a macro has no serves"},
      {"- {cell: ram_8x20, words: 8, bits: 20, ports: [rw], serves: [16x32_1r1w]}\n",
       "ram_8x20 has too few ports for 16x32_1r1w, which reads by 1 and writes by 1"},
      {ENTRY ", serves: [16x32]}\n", "\"16x32\" is no memory: WORDSxBITS_READSrWRITESw"},
      {ENTRY ", serves: [16x32_1r1w, 16x32_1r1w]}\n", "16x32_1r1w is served twice"},
      {ENTRY ", serves: [16x32_1r1w], more: 1}\n", "more"},
      {"{}\n", "a map of macros"},
      {"", "map.yaml: is empty"}};
  struct synth_report *r;
  struct tandem_error err;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_int_equal(report(cases[i].map, &r, &err), -EINVAL);
    if (strstr(err.text, cases[i].message) == NULL)
      fail_msg("%s: %s", cases[i].map, err.text);
  }
  char sram[256];
  snprintf(sram, sizeof sram, "%s", tree_path("map.yaml"));
  assert_int_equal(tree_report("top", &(struct synth_config){.sram = sram}, &r, &err), -EINVAL);
  assert_non_null(strstr(err.text, "is of no use without --macros"));
}

int main(void) { return test_run(start, tree_stop); }
