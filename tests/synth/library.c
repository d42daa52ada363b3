/* Liberty text of a small library in any units. */
#include "tests/synth/library.h"

#include "tests/synth/tree.h"
#include "tests/test.h"

const struct library_units library_common = {"1ns", "1, pf", "1V", "1nW", 1, 1, 1, 1};

struct table {
  FILE *out;
  const struct library_units *u;
  unsigned axes, parts;
};

enum { SLOPES = 2, LOADS = 3 };
static const double slopes[] = {0.02, 0.4}, loads[] = {0.01, 0.05, 0.2};

static void numbers(FILE *out, const char *name, const double *v, size_t n, double unit) {
  fprintf(out, "%s(\"", name);
  for (size_t i = 0; i < n; i++)
    fprintf(out, "%s%.9g", i > 0 ? ", " : "", v[i] * unit);
  fputs("\"); ", out);
}

/* A table by slope and load: base, and more for each ns and pF. */
static void table(const struct table *t, const char *name, double unit, double base) {
  const bool turned = t->axes % 2 != 0;
  fprintf(t->out, "%s(by_both) { ", name);
  numbers(t->out, turned ? "index_2" : "index_1", slopes, SLOPES, t->u->ns);
  numbers(t->out, turned ? "index_1" : "index_2", loads, LOADS, t->u->pf);
  fputs("values(", t->out);
  for (unsigned i = 0; i < (turned ? LOADS : SLOPES); i++) {
    fprintf(t->out, "%s\"", i > 0 ? ", " : "");
    for (unsigned k = 0; k < (turned ? SLOPES : LOADS); k++)
      fprintf(t->out, "%s%.9g", k > 0 ? ", " : "",
              unit * (base + base * slopes[turned ? k : i] + 3 * base * loads[turned ? i : k]));
    fputs("\"", t->out);
  }
  fputs("); }\n", t->out);
}

static void input(const struct table *t, const char *name, double pf, const char *more) {
  fprintf(t->out, "pin(%s) { direction : input; capacitance : %.9g; %s }\n", name, pf * t->u->pf,
          more);
}

/* from: a letter for each pin that it depends on. */
static void output(const struct table *t, const char *name, const char *logic, const char *from,
                   const char *type, double ns) {
  static const char *const tables[] = {"cell_rise", "cell_fall", "rise_transition",
                                       "fall_transition"};
  fprintf(t->out, "pin(%s) { direction : output; %s; max_capacitance : %.9g;\n", name, logic,
          0.5 * t->u->pf);
  const bool listed = (t->parts & LIBRARY_LISTS) != 0 && strcmp(from, "AB") == 0;
  for (; *from != '\0'; from += listed ? 2 : 1) {
    fprintf(t->out, "timing() { related_pin : \"%c%s\"; %s\n", *from, listed ? " B " : "", type);
    for (unsigned i = 0; i < 4; i++)
      table(t, tables[i], t->u->ns, ns * (1 + 0.1 * i));
    /* No tool reads this. */
    fprintf(t->out, "output_current_rise() { vector(by_both) { reference_time : 0; values(\"7\"); "
                    "} } }\n");
    fprintf(t->out, "internal_power() { related_pin : \"%c%s\";\n", *from, listed ? " B" : "");
    table(t, "rise_power", t->u->pf * t->u->v * t->u->v, 0.06);
    table(t, "fall_power", t->u->pf * t->u->v * t->u->v, 0.02);
    fputs("}\n", t->out);
  }
  fputs("}\n", t->out);
}

static void cell(const struct table *t, const char *name, double area, double nw) {
  fprintf(t->out, "cell(%s) { area : %g; cell_leakage_power : %.9g;\n", name, area, nw * t->u->nw);
}

static void gates(const struct table *t) {
  cell(t, "BUF", 8, 3);
  input(t, "A", 0.01, "");
  output(t, "Y", "function : \"A\"", "A", "timing_sense : positive_unate;", 0.2);
  fputs("}\n", t->out);
  cell(t, "NAND2", 6, 2);
  input(t, "A", 0.02, "");
  input(t, "B", 0.02, "");
  output(t, "Y", "function : \"!(A B)\"", "AB", "timing_sense : negative_unate;", 0.1);
  fputs("}\n", t->out);
}

/* Data that must be there before the clock rises. */
static void data(const struct table *t, const char *name, const char *clock, const char *more) {
  fprintf(t->out,
          "pin(%s) { direction : input; capacitance : %.9g; %s timing() { related_pin : \"%s\"; "
          "timing_type : setup_rising; rise_constraint(scalar) { values(\"%.9g\"); } "
          "fall_constraint(scalar) { values(\"%.9g\"); } } }\n",
          name, 0.01 * t->u->pf, more, clock, 0.15 * t->u->ns, 0.15 * t->u->ns);
}

static void registers(const struct table *t) {
  cell(t, "DFF", 20, 9);
  fputs("ff(IQ, IQN) { clocked_on : \"C\"; next_state : \"D\"; }\n", t->out);
  input(t, "C", 0.02, "clock : true;");
  data(t, "D", "C", "");
  output(t, "Q", "function : \"IQ\"", "C", "timing_type : rising_edge;", 0.3);
  fputs("}\n", t->out);
}

/* An integrated clock gate, as sky130_fd_sc_hd__dlclkp_1 is described. */
static void clock_gate(const struct table *t) {
  cell(t, "DLCLKP", 24, 8);
  fputs("clock_gating_integrated_cell : \"latch_posedge\";\n"
        "statetable(\"C E\", \"M0\") { table : \"L L : - : L, L H : - : H, H - : - : N\"; }\n"
        "pin(M0) { direction : internal; internal_node : \"M0\"; }\n",
        t->out);
  input(t, "C", 0.02, "clock : true; clock_gate_clock_pin : true;");
  data(t, "E", "C", "clock_gate_enable_pin : true;");
  output(t, "G", "clock_gate_out_pin : true; state_function : \"C * M0\"", "C",
         "timing_sense : positive_unate;", 0.2);
  fputs("}\n", t->out);
}

void library_write(FILE *out, const struct library_units *u, unsigned parts, unsigned axes) {
  const struct table t = {out, u, axes, parts};
  static const char *const edges[] = {"rise", "fall"};
  fprintf(out,
          "library(osu018_small) {\n  delay_model : table_lookup;\n  time_unit : \"%s\";\n"
          "  capacitive_load_unit (%s);\n  voltage_unit : \"%s\";\n  leakage_power_unit : \"%s\";\n"
          "  current_unit : \"1uA\";\n  pulling_resistance_unit : \"1kohm\";\n"
          "  nom_process : 1;\n  nom_voltage : %.9g;\n  nom_temperature : 25;\n"
          "  default_max_transition : %.9g;\n"
          "  operating_conditions(typical) { process : 1; voltage : %.9g; temperature : 25; }\n"
          "  default_operating_conditions : typical;\n",
          u->time, u->capacitance, u->voltage, u->leakage, 1.8 * u->v, 2 * u->ns, 1.8 * u->v);
  for (unsigned i = 0; i < 2; i++)
    fprintf(out,
            "  input_threshold_pct_%s : 50;\n  output_threshold_pct_%s : 50;\n"
            "  slew_upper_threshold_pct_%s : 80;\n  slew_lower_threshold_pct_%s : 20;\n",
            edges[i], edges[i], edges[i], edges[i]);
  for (unsigned i = 0; i < 2; i++)
    fprintf(out,
            "%s(by_both) { variable_%u : input_%s; variable_%u : total_output_net_capacitance; "
            "index_%u(\"1, 2\"); index_%u(\"1, 2, 3\"); }\n",
            i == 0 ? "lu_table_template" : "power_lut_template", axes % 2 + 1,
            i == 0 ? "net_transition" : "transition_time", 2 - axes % 2, axes % 2 + 1,
            2 - axes % 2);
  if (parts & LIBRARY_GATES)
    gates(&t);
  if (parts & LIBRARY_INVERTER) {
    cell(&t, "INV", 4, 1);
    input(&t, "A", 0.01, "");
    output(&t, "Y", "function : \"!A\"", "A", "timing_sense : negative_unate;", 0.1);
    fputs("}\n", out);
  }
  if (parts & LIBRARY_REGISTERS)
    registers(&t);
  if (parts & LIBRARY_CLOCK_GATE)
    clock_gate(&t);
  fputs("}\n", out);
}

void library_put(const char *name, const struct library_units *u, unsigned parts, unsigned axes,
                 const char *from, const char *to) {
  char *text = NULL, *changed = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  library_write(out, u, parts, axes);
  fclose(out);
  const char *at = from != NULL ? strstr(text, from) : text;
  assert_non_null(at);
  assert_true(asprintf(&changed, "%.*s%s%s", (int)(at - text), text, from != NULL ? to : "",
                       at + (from != NULL ? strlen(from) : 0)) > 0);
  tree_put(name, changed);
  free(changed);
  free(text);
}
