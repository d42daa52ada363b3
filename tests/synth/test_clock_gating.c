/* Clock gates: the cells that libraries have for them, the registers that get one, and libraries
 * that have none. */
#include <stdbool.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "synth/input/clock_gate.h"
#include "synth/report/clock_gating.h"
#include "tests/synth/library.h"
#include "tests/synth/tree.h"
#include "tests/test.h"

static const char osu[] = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";

#define TIMES "timing() { related_pin : \"A\"; }"
#define INPUT(name) "pin(" name ") { direction : input; }"
#define LATCH(name, area, more, enable)                                                            \
  "cell(" name ") { area : " area "; latch(IQ, IQN) { enable : \"" enable                          \
  "\"; data_in : \"D\"; " more "}" INPUT("D")                                                      \
      INPUT("G") "pin(Q) { direction : output; function : \"IQ\"; " TIMES "} }\n"
#define ICG(name, kind, area, more)                                                                \
  "cell(" name ") { area : " area "; clock_gating_integrated_cell : \"" kind                       \
  "\"; statetable(\"CK E\", \"M\") { table : \"L L : - : L\"; }"                                   \
  "pin(CK) { direction : input; clock_gate_clock_pin : true; }"                                    \
  "pin(E) { direction : input; clock_gate_enable_pin : \"true\"; }" more                           \
  "pin(Z) { direction : output; clock_gate_out_pin : true; state_function : \"CK & M\"; " TIMES    \
  "} }\n"
#define AND2                                                                                       \
  "cell(AND) { area : 2; " INPUT("A") INPUT("B") "pin(Y) { direction : output; function : \"(A B)" \
                                                 "\"; " TIMES "} }\n"
#define INV                                                                                        \
  "cell(INV) { area : 1; " INPUT("A") "pin(Y) { direction : output; function : \"!A\"; " TIMES     \
                                      "} }\n"

/* In their order of choice: the smallest integrated one, a latch that is open while its clock is
 * low, one that needs an inverter. */
TEST(libraries_have_gates) {
  static const struct {
    const char *cells, *found, *rule;
  } cases[] = {
      {AND2 INV, "", ""},
      {LATCH("LH", "9", "", "G"), "", ""},
      {LATCH("LH", "9", "", "G") AND2, "", ""},
      {LATCH("LH", "9", "", "G") AND2 INV, "LH and AND, with INV", ".G(low), .D(E), .Q(open)"},
      {LATCH("LH", "0", "", "(G)") AND2 INV, "LH and AND, with INV", "INV u_low (.A(C), .Y(low))"},
      {LATCH("LR", "5", "clear : \"!D\"; ", "G") AND2 INV, "", ""},
      {LATCH("LH", "3", "", "G") LATCH("LL", "9", "", "!G") AND2 INV, "LL and AND", ".G(C), .D(E)"},
      {LATCH("LL", "9", "", "G'") LATCH("LS", "8", "", "G'") AND2, "LS and AND", ".G(C), .D(E)"},
      {ICG("CN", "latch_negedge", "4", ""), "", ""},
      {ICG("CP", "latch_posedge", "4", "") LATCH("LL", "1", "", "!G") AND2, "CP",
       "CP u_gate (.CK(C), .E(E), .Z(G));"},
      {ICG("CP2", "latch_posedge", "6", "") ICG("CP1", "latch_posedge", "4", ""), "CP1", "CP1"},
      {ICG("CT", "latch_posedge_precontrol", "4",
           "pin(TE) { direction : input; clock_gate_test_pin : true; }"),
       "CT", ".TE(1'b0)"},
      {ICG("CX", "latch_posedge", "4", INPUT("SLEEP")), "", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[4000];
    struct liberty l = {0};
    struct clock_gate g;
    struct tandem_error err;
    snprintf(text, sizeof text, "library(some) {\n%s}\n", cases[i].cells);
    if (liberty_parse(text, "some.lib", &l, &err) != 0)
      fail_msg("%s", err.text);
    clock_gate_find(&l, &g);
    assert_string_equal(g.cells, cases[i].found);
    assert_non_null(strstr(g.rule, cases[i].rule));
    liberty_free(&l);
  }
}

/* Registers of 16 bits; of 5 and 6 bits with the same enable; of 7 bits, which are too few; of 8
 * bits with a reset, and of 8 that hold while their enable is high; of 4 bits without enable; of 8
 * and 8 bits, of which an enable lets either change; of 4 and 4 such bits. */
static const char registers[] =
    "module registers (input logic clk_i, input logic rst_ni, input logic [6:0] en_i,\n"
    "  input logic [15:0] d_i, output logic [15:0] a_o, output logic [4:0] b_o,\n"
    "  output logic [5:0] c_o, output logic [6:0] e_o, output logic [7:0] f_o, output logic [7:0] "
    "g_o,\n"
    "  output logic [3:0] h_o, output logic [7:0] i_o, output logic [7:0] j_o,\n"
    "  output logic [3:0] k_o, output logic [3:0] l_o);\n"
    "  always_ff @(posedge clk_i) begin\n"
    "    if (en_i[0]) a_o <= d_i;\n"
    "    if (en_i[1]) b_o <= d_i[15:11];\n"
    "    if (en_i[2]) e_o <= d_i[6:0];\n"
    "    if (!en_i[4]) g_o <= d_i[7:0];\n"
    "    h_o <= d_i[3:0];\n"
    "    if (en_i[5]) i_o <= d_i[7:0];\n"
    "    if (!en_i[5]) j_o <= d_i[8:1];\n"
    "    if (en_i[6]) k_o <= d_i[3:0];\n"
    "    if (!en_i[6]) l_o <= d_i[4:1];\n"
    "  end\n"
    "  always_ff @(posedge clk_i) if (en_i[1]) c_o <= d_i[5:0];\n"
    "  always_ff @(posedge clk_i or negedge rst_ni) begin\n"
    "    if (!rst_ni) f_o <= 8'h5a;\n"
    "    else if (en_i[3]) f_o <= d_i[7:0];\n"
    "  end\n"
    "endmodule\n";
/* An enable behind the carry of an adder. */
static const char late[] =
    "module late (input logic clk_i, input logic [15:0] a_i, b_i, input logic [7:0] d_i,\n"
    "  output logic [7:0] q_o);\n"
    "  logic [16:0] sum;\n"
    "  assign sum = a_i + b_i;\n"
    "  always_ff @(posedge clk_i) if (sum[16]) q_o <= d_i;\n"
    "endmodule\n";

static int setup(void **state) {
  const int status = tree_start(state);
  tree_put("rtl/registers.sv", registers);
  tree_put("rtl/late.sv", late);
  return status;
}

static struct synth_report *report(const char *unit, const char *liberty, bool ungated) {
  const struct synth_config more = {
      .liberty = &liberty, .nliberty = liberty != NULL, .ungated = ungated};
  struct synth_report *r;
  struct tandem_error err;
  if (tree_report(unit, &more, &r, &err) != 0)
    fail_msg("%s", err.text);
  return r;
}

TEST(registers_with_a_common_enable_share_a_gate) {
  struct synth_report *gated = report("registers", NULL, false),
                      *ungated = report("registers", NULL, true);
  const struct synth_size *g = &gated->units[0].whole, *u = &ungated->units[0].whole;
  assert_string_equal(gated->gate.cells, "LATCH and AND2X1, with INVX1");
  assert_int_equal(g->clock_gates, 6);
  assert_int_equal(g->gated_registers, 16 + 5 + 6 + 8 + 8 + 8 + 8);
  assert_int_equal(g->sequential_cells, 16 + 5 + 6 + 7 + 8 + 8 + 4 + 8 + 8 + 4 + 4);
  /* A latch of 56 um2 (technology.yaml) for each gate. */
  assert_float_equal(g->sequential, u->sequential + 6 * 56, 1e-6);
  assert_int_equal(u->clock_gates, 0);
  assert_int_equal(u->gated_registers, 0);
  assert_int_equal(u->sequential_cells, g->sequential_cells);
  const struct synth_power *p = &gated->units[0].power, *q = &ungated->units[0].power;
  assert_true(p->internal_w < 0.8 * q->internal_w);
  synth_free(gated);
  synth_free(ungated);
}

TEST(enables_are_timed) {
  struct synth_report *r = report("late", NULL, false);
  const struct synth_timing *t = &r->units[0].timing;
  assert_int_equal(r->units[0].whole.clock_gates, 1);
  /* The path ends where the latch closes, or at the gate behind it. */
  assert_true(strstr(t->path, "level-sensitive latch") != NULL ||
              strstr(t->path, "clock gating") != NULL);
  assert_true(t->fmax_mhz > 500 && t->fmax_mhz < 3000);
  synth_free(r);
}

/* A library as SKY130 is, with an integrated cell: its set-up time ends the enable's path. */
TEST(integrated_gates_are_used_and_timed) {
  library_put("integrated.lib", &library_common, LIBRARY_ALL | LIBRARY_CLOCK_GATE, 0, NULL, NULL);
  struct synth_report *r = report("late", tree_path("integrated.lib"), false);
  const struct synth_unit *u = &r->units[0];
  assert_string_equal(r->gate.cells, "DLCLKP");
  assert_int_equal(u->whole.clock_gates, 1);
  assert_int_equal(u->whole.gated_registers, 8);
  assert_int_equal(u->whole.sequential_cells, 8);
  assert_float_equal(u->whole.sequential, 8 * 20 + 24, 1e-6);
  if (strstr(u->timing.path, "(DLCLKP)") == NULL ||
      strstr(u->timing.path, "library setup time") == NULL)
    fail_msg("%s", u->timing.path);
  synth_free(r);
}

/* The default library without its latch. */
TEST(library_without_latch_is_told) {
  char words[400], *text;
  struct tandem_error err;
  assert_int_equal(files_read(osu, &text, NULL, &err), 0);
  char *from = strstr(text, "cell (LATCH)"), *to = strstr(text, "cell (MUX2X1)");
  assert_true(from != NULL && to != NULL && from < to);
  memmove(from, to, strlen(to) + 1);
  tree_put("latchless.lib", text);
  free(text);
  struct synth_report *r = report("registers", tree_path("latchless.lib"), false);
  assert_false(r->gated);
  assert_int_equal(r->units[0].whole.clock_gates, 0);
  synth_clock_gating_words(r, words, sizeof words);
  assert_non_null(
      strstr(words, "warning: clocks are not gated, as the library osu018_stdcells has no latch"));
  synth_free(r);
}
int main(void) { return test_run(setup, tree_stop); }
