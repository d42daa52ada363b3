/* Libraries as others write them: other units, several files, expressions without quotes; what
 * cannot be is refused with its line. */
#include <errno.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "synth/input/liberty.h"
#include "tests/synth/library.h"
#include "tests/synth/tree.h"
#include "tests/test.h"

static int report(const char *const *files, size_t n, struct synth_report **r,
                  struct tandem_error *err) {
  static char paths[4][256];
  const char *list[4];
  for (size_t i = 0; i < n; i++) {
    snprintf(paths[i], sizeof paths[i], "%s", tree_path(files[i]));
    list[i] = paths[i];
  }
  return tree_report("adder", &(struct synth_config){.liberty = list, .nliberty = n}, r, err);
}

/* All figures of the report's unit, as a text. */
static void figures(const char *const *files, size_t n, char *text, size_t size) {
  struct synth_report *r;
  struct tandem_error err;
  if (report(files, n, &r, &err) != 0)
    fail_msg("%s: %s", files[0], err.text);
  const struct synth_unit *u = tree_unit(r, "adder");
  const struct synth_timing *t = &u->timing;
  const struct synth_power *p = &u->power;
  snprintf(text, size, "%lu %.17g %.17g | %.17g %.17g %u %s | %.17g %.17g %.17g",
           (unsigned long)u->whole.cells, u->whole.sequential, u->whole.combinational, t->slack_ns,
           t->fmax_mhz, t->depth, t->path, p->internal_w, p->switching_w, p->leakage_w);
  assert_true(t->fmax_mhz > 50 && t->fmax_mhz < 5000 && p->internal_w > 0 && p->leakage_w > 0);
  synth_free(r);
}

static int start(void **state) {
  if (tree_start(state) != 0)
    return -1;
  tree_put("rtl/adder.sv",
           "module adder (input logic clk_i, input logic [7:0] a_i, b_i, output logic [7:0] q_o);\n"
           "  logic [7:0] sum_q;\n"
           "  always_ff @(posedge clk_i) sum_q <= a_i + b_i;\n"
           "  always_ff @(posedge clk_i) q_o <= sum_q ^ {sum_q[0], sum_q[7:1]};\nendmodule\n");
  library_put("common.lib", &library_common, LIBRARY_ALL, 0, NULL, NULL);
  return 0;
}

static char expected[4096], got[4096];

static void as_common(const char *const *files, size_t n) {
  static const char *const common[] = {"common.lib"};
  figures(common, 1, expected, sizeof expected);
  figures(files, n, got, sizeof got);
  assert_string_equal(got, expected);
}

TEST(figures_are_the_same_in_any_units) {
  static const struct library_units units[] = {
      {"1ps", "1, ff", "1V", "1nW", 1e3, 1e3, 1, 1},
      {"10ps", "100, ff", "1mV", "1pW", 100, 10, 1e3, 1e3},
      {"100ns", "2.5, pf", "1 V", "10uW", 1e-2, 0.4, 1, 1e-4},
  };
  static const char *const file[] = {"other.lib"};
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
    library_put(file[0], &units[i], LIBRARY_ALL, 0, NULL, NULL);
    as_common(file, 1);
  }
}

/* Each file has a template of the same name, of which one means another table. */
TEST(files_are_one_library) {
  static const struct library_units ps = {"1ps", "1, ff", "1V", "1nW", 1e3, 1e3, 1, 1};
  static const char *const files[] = {"a.lib", "b.lib", "c.lib"};
  library_put("a.lib", &library_common, LIBRARY_GATES, 0, NULL, NULL);
  library_put("b.lib", &ps, LIBRARY_INVERTER, 1, NULL, NULL);
  library_put("c.lib", &library_common, LIBRARY_REGISTERS, 1, NULL, NULL);
  as_common(files, 3);
}

TEST(expressions_need_no_quotes) {
  static const char *const file[] = {"expression.lib"};
  library_put(file[0], &library_common, LIBRARY_ALL, 0, "function : \"!A\";", "function : !A ;");
  as_common(file, 1);
  library_put(file[0], &library_common, LIBRARY_ALL, 0, "function : \"!(A B)\";",
              "function : (!A) + !B;");
  as_common(file, 1);
}

static void refused(const char *const *files, size_t n, const char *message) {
  struct synth_report *r;
  struct tandem_error err;
  assert_int_equal(report(files, n, &r, &err), -EINVAL);
  if (strstr(err.text, message) == NULL)
    fail_msg("not \"%s\" but: %s", message, err.text);
}

/* OpenSTA reads no times of such a library, or gives no power. */
TEST(a_library_states_its_model) {
  static const char *const file[] = {"model.lib"};
  static const struct {
    const char *text, *message;
  } cases[] = {{"delay_model : table_lookup;", "model.lib:1: not a Liberty file that can be used: "
                                               "the library does not state delay_model"},
               {"slew_lower_threshold_pct_fall : 20;", "not state slew_lower_threshold_pct_fall"},
               {"input_threshold_pct_rise : 50;", "does not state input_threshold_pct_rise"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    library_put(file[0], &library_common, LIBRARY_ALL, 0, cases[i].text, "");
    refused(file, 1, cases[i].message);
  }
}

/* A cell without area would be the cheapest. */
TEST(cells_without_area_are_not_mapped_to) {
  static const char *const file[] = {"free.lib"};
  library_put(file[0], &library_common, LIBRARY_ALL, 0, "area : 4;", "");
  refused(file, 1, "the cell INV has no area, and adder is mapped to it");
}

/* ABC takes a list of pins for the name of one. */
TEST(related_pins_may_be_listed) {
  static const char *const file[] = {"lists.lib"};
  library_put(file[0], &library_common, LIBRARY_ALL | LIBRARY_LISTS, 0, NULL, NULL);
  as_common(file, 1);
}

TEST(what_cannot_be_is_refused_with_its_line) {
  static const struct {
    const char *from, *to, *message;
  } cases[] = {
      {"\"1ns\"", "\"1as\"",
       "wrong.lib:3: not a Liberty file that can be used: time_unit is \"1as\""},
      {"\"1ns\"", "\"10xs\"", "time_unit is \"10xs\", not a number and a unit as \"1ns\""},
      {"\"1ns\"", "\"ns\"", "time_unit is \"ns\""},
      {"\"1ns\"", "\"-1ns\"", "time_unit is \"-1ns\""},
      {"\"1ns\"", "\"0ns\"", "time_unit is \"0ns\""},
      {"\"1ns\"", "\"1nV\"", "time_unit is \"1nV\""},
      {"(1, pf)", "(1, xf)",
       "wrong.lib:4: not a Liberty file that can be used: capacitive_load_unit"},
      {"(1, pf)", "(0, pf)", "capacitive_load_unit is (0, pf), not a number and a unit as (1, pf)"},
      {"(1, pf)", "(pf)", "capacitive_load_unit"},
      {"\"1V\"", "\"1A\"", "voltage_unit is \"1A\""},
      {"\"1nW\"", "\"nothing\"", "leakage_power_unit is \"nothing\""},
      {"leakage_power_unit : \"1nW\";", "", "a leakage without a unit"},
      {"\"1uA\"", "\"\"", "current_unit is \"\""},
      {"\"1kohm\"", "\"1k\"", "pulling_resistance_unit is \"1k\""},
      {"nom_voltage : 1.8", "nom_voltage : -5", "wrong.lib:10: "},
      {"nom_voltage : 1.8", "nom_voltage : high", "nom_voltage is \"high\", not a number between"},
      {"nom_process : 1", "nom_process : 0", "nom_process is \"0\""},
      {"nom_temperature : 25", "nom_temperature : -300", "nom_temperature is \"-300\""},
      {"voltage : 1.8; temp", "voltage : 0; temp", "voltage is \"0\""},
      {"pct_rise : 50", "pct_rise : 120", "input_threshold_pct_rise is \"120\""}};
  static const char *const file[] = {"wrong.lib"};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    library_put(file[0], &library_common, LIBRARY_ALL, 0, cases[i].from, cases[i].to);
    refused(file, 1, cases[i].message);
  }
}

/* Opens a library as the flow does; `where` is what the tools read.  Its key depends on that text.
 */
static int open_one(const char *name, char *where, size_t size, struct tandem_error *err) {
  static char path[256], folder[256], key[HASH_KEY];
  struct liberty l;
  snprintf(path, sizeof path, "%s", tree_path(name));
  snprintf(folder, sizeof folder, "%s", tree_path("written"));
  const int status = liberty_open(&(const char *){path}, 1, folder, &l, key, where, size, err);
  if (status == 0)
    liberty_free(&l);
  return status;
}

/* Each form is written as the one text that all tools read. */
TEST(forms_are_one_text_for_the_tools) {
  static const char nand[] = "cell(NAND2) { area : 6; cell_leakage_power : 2;\npin(A) {";
  static const char *const forms[] = {
      "cell(NAND2)\n{ area : 6; cell_leakage_power : 2;\npin(A) {",
      "cell\n(NAND2) { area : 6; cell_leakage_power : 2;\npin(A)\n{",
      "cell(NAND2) { area : 6\n cell_leakage_power : 2\npin(A) {",
      "cell(NAND2) { area :\n 6; cell_leakage_power\n: 2;\npin(A) {",
      "cell(NAND2) { area : 6 /* um2 */; cell_leakage_power : 2; // nW\npin(A) {",
      "\"cell\"(NAND2) { area : 6; \"cell_leakage_power\" : 2; \"pin\"(A) {",
      "cell(NAND2) {\r\n area : 6;\r\n cell_leakage_power : 2;\r\npin(A) {",
      "cell(NAND2) {\\\n area \\ : 6; cell_leakage_power : 2; pin(A,) {",
      "cell(NAND2) { area : 6; cell_leakage_power : 2; \"no name\" : 3; pin(A) {"};
  static const char *const values[] = {"\n\"0.15\"\n", "0.15", "\\\n\"0.15\" \\\n"};
  char first[300], where[300];
  struct tandem_error err;
  library_put("form.lib", &library_common, LIBRARY_ALL, 0, nand, forms[0]);
  assert_int_equal(open_one("form.lib", first, sizeof first, &err), 0);
  for (size_t i = 1; i < sizeof forms / sizeof forms[0]; i++) {
    library_put("form.lib", &library_common, LIBRARY_ALL, 0, nand, forms[i]);
    if (open_one("form.lib", where, sizeof where, &err) != 0 || strcmp(where, first) != 0)
      fail_msg("%s: %s instead of %s", forms[i], where, first);
  }
  for (size_t i = 0; i < 2; i++) {
    char text[64];
    snprintf(text, sizeof text, "values(%s)", values[i]);
    library_put("form.lib", &library_common, LIBRARY_ALL, 0, "values(\"0.15\")", text);
    if (open_one("form.lib", where, sizeof where, &err) != 0 || strcmp(where, first) != 0)
      fail_msg("%s: %s instead of %s", values[i], where, first);
  }
  as_common(&(const char *){"form.lib"}, 1);
}

/* Tools read a row of a table in each text in quotes, an axis in one. */
TEST(tables_are_written_in_rows) {
  static const char rows[] = "index_1(\"0.02, 0.4\"); index_2(\"0.01, 0.05, 0.2\"); "
                             "values(\"0.21, 0.234, 0.324\", \"0.286, 0.31, 0.4\")";
  static const char *const forms[] = {"index_1(0.02, 0.4); index_2(\"0.01\", \"0.05\", \"0.2\"); "
                                      "values(0.21, 0.234, 0.324, 0.286, 0.31, 0.4)",
                                      "index_1(\"0.02 0.4\"); index_2(\"0.01,0.05\",0.2); "
                                      "values(\"0.21, 0.234, 0.324, 0.286, 0.31, 0.4\")",
                                      "index_1(\"0.02, \\\n0.4\"); index_2(\"0.01, 0.05,\n0.2\"); "
                                      "values(\"0.21, 0.234\", \"0.324, 0.286\", \"0.31, 0.4\")"};
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    library_put("rows.lib", &library_common, LIBRARY_ALL, 0, rows, forms[i]);
    as_common(&(const char *){"rows.lib"}, 1);
  }
}

/* A text that lacks what another part of it needs. */
TEST(structure_that_lacks_a_part_is_refused) {
  static const struct {
    const char *from, *to, *message;
  } cases[] = {
      {"related_pin : \"A\";", "", ":28: not a Liberty file that can be used: a timing group wi"},
      {"related_pin : \"A\";", "related_pin : \"\";", "a timing group without related_pin"},
      {"related_pin : \"A\";", "related_pin : \"Z\";", "related_pin names Z, which is no pin"},
      {"related_pin : \"B\";", "related_pin : \"A\";", "the function depends on B, but no timing"},
      {"direction : input;", "",
       "lacks.lib:26: not a Liberty file that can be used: a pin without"},
      {"direction : input;", "direction : in;", "a pin without a direction"},
      {"capacitance : 0.01;", "", "an input without capacitance"},
      {"capacitive_load_unit (1, pf);", "", "a capacitance without a unit"},
      {"\"!(A B)\"", "\"!(A C)\"", "function names C, which is no pin of the cell"},
      {"timing_type : setup_rising", "timing_type : setup_risen", "timing_type is none that"},
      {"timing_type : setup_rising", "timing_type : sutep_rising", "timing_type is none that"},
      {"timing_type : setup_rising", "timing_type : hold_rising",
       "which has no timing group of se"},
      {"timing_type : rising_edge;", "", "no output of the flip-flop has times after its clock"},
      {"cell_rise(", "other_rise(", "a timing group of type combinational without cell_rise"},
      {"fall_transition(", "other(",
       "a timing group of type combinational without fall_transition"},
      {"fall_constraint(", "other(", "a timing group of type setup_ without fall_constraint"},
      {"cell_rise(by_both)", "cell_rise(by_none)", "there is no template of its kind named"},
      {"cell_rise(by_both)", "cell_rise()", "there is no template of its kind named"},
      {"power_lut_template", "lu_table_template", "there is no template of its kind named"},
      {"variable_1", "variable_9", "a template without variable_1"},
      {"input_net_transition", "input_net_transitions", "which is none of cell_rise"},
      {"rise_constraint(scalar) { values(\"0.15\")", "rise_constraint(by_both) { values(\"0.15\")",
       "is input_net_transition, which is none of rise_constraint"},
      {"index_2(\"0.01, 0.05, 0.2\")", "index_2(\"0.01, 0.2\")",
       "a table of 6 values, but its axes have room for 4"},
      {"index_2(\"0.01, 0.05, 0.2\")", "index_2(\"0.01, 0.2, 0.05\")", "no list of rising numbers"},
      {"values(\"0.21,", "values(\"nan,", "a table without values, which are numbers"},
      {"values(\"0.21,", "other(\"0.21,", "a table without values"},
      {"clocked_on : \"C\";", "", "a flip-flop without clocked_on"},
      {"next_state : \"D\";", "", "a flip-flop without next_state"},
      {"next_state : \"D\";", "next_state : \"E\";", "next_state names E, which is no pin"},
      {"area : 6;", "area : 6; leakage_power() { when : \"A\"; }", "a leakage_power without value"},
      {"area : 6;", "area : 6; latch(a, b) { enable : \"A\"; }", "a latch without data_in"},
      {"area : 6;", "area : 6; bus(x) { direction : input; }", "a bus without bus_type"},
      {"area : 6;", "area : 6; bus(x) { bus_type : t; }", "bus_type is t, but there is no such ty"},
      {"area : 6;", "area : 6; type(t) { bit_width : 2; } bus(x) { bus_type : t; }",
       "a type without bit_from"},
      {"area : 6;", "area : 6; include_file(x.lib);", "include_file is not followed"},
      {"area : 6;", "area : 6; } }", "there is more after the brace that closes the library"},
      {"operating_conditions(typical)", "operating_conditions(other)",
       "but there is no such group"},
      {"voltage : 1.8; temp", "temp", "but there is no voltage in them"}};
  char where[300];
  struct tandem_error err;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    library_put("lacks.lib", &library_common, LIBRARY_ALL, 0, cases[i].from, cases[i].to);
    const int status = open_one("lacks.lib", where, sizeof where, &err);
    if (status != -EINVAL || strstr(err.text, cases[i].message) == NULL)
      fail_msg("%s: not \"%s\" but: %s", cases[i].from, cases[i].message, err.text);
  }
}

/* Latches of two gates, several pins in a group, types of a cell, ranges of a bus. */
TEST(structure_that_is_whole_is_taken) {
  static const char *const cells[] = {
      "latch(q, n) { clear : \"A\"; preset : \"B\"; }",
      ("type(t) { bit_width : 2; bit_from : 1; bit_to : 0; } bus(x) { bus_type : t;\n"
       "pin(x[1:0]) { direction : output; timing() { related_bus_pins : \"A B[3:0]\";\n"
       "timing_type : min_pulse_width; } } }"),
      "pin(X, Z) { direction : input; capacitance : 1; }",
      "pg_pin(VDD) { pg_type : primary_power; } comment : \"a \\\"b\\\" c\";",
      "test_cell() { pin(A) { } ff(a, b) { } } define(mine, cell, string); mine : 3;"};
  char where[300], text[400];
  struct tandem_error err;
  for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
    snprintf(text, sizeof text, "area : 6; %s", cells[i]);
    library_put("whole.lib", &library_common, LIBRARY_ALL, 0, "area : 6;", text);
    if (open_one("whole.lib", where, sizeof where, &err) != 0)
      fail_msg("%s: %s", cells[i], err.text);
  }
}

TEST(files_of_two_libraries_are_refused) {
  static const char *const twice[] = {"common.lib", "common.lib"};
  static const char *const other[] = {"a.lib", "hot.lib"};
  static const char *const none[] = {"none.lib", "common.lib"};
  struct synth_report *r;
  struct tandem_error err;
  refused(twice, 2, "the cell BUF is in ");
  library_put("a.lib", &library_common, LIBRARY_GATES, 0, NULL, NULL);
  library_put("hot.lib", &library_common, LIBRARY_INVERTER | LIBRARY_REGISTERS, 0,
              "nom_temperature : 25", "nom_temperature : 125");
  refused(other, 2, "are not of one library: nom_temperature is 25 in one and 125 in the other");
  assert_int_equal(report(none, 2, &r, &err), -ENOENT);
  assert_non_null(strstr(err.text, "none.lib"));
}

/* The message is ABC's, and nothing of it stays in TMPDIR. */
TEST(abc_says_why_it_fails) {
  static const char *const file[] = {"no-inverter.lib"};
  static char folder[256];
  struct tandem_error err;
  snprintf(folder, sizeof folder, "%s", tree_path("tmp"));
  assert_int_equal(files_folder(folder, &err), 0);
  setenv("TMPDIR", folder, 1);
  library_put(file[0], &library_common, LIBRARY_GATES | LIBRARY_REGISTERS, 0, NULL, NULL);
  refused(file, 1,
          "cannot map adder: yosys ended with exit status 1 (step map): ERROR: ABC's command &nf: "
          "Error: ");
  unsetenv("TMPDIR");
  assert_int_equal(rmdir(folder), 0);
}

int main(void) { return test_run(start, tree_stop); }
