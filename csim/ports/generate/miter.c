/* A unit beside a mutant of it, with the same inputs: for proofs that no output ever differs. */
#include <string.h>

#include "csim/ports/generate/write.h"

static void write_width(FILE *out, const struct line *l) {
  if (l->words)
    fprintf(out, "[64*(%s)-1:0]", l->count);
  else
    fprintf(out, "[(%s)-1:0]", l->width);
}

static void write_inputs(FILE *out, const struct table *t) {
  for (const struct line *l = t->line; l < t->line + t->n; l++)
    if (l->kind == LINE_IN) {
      fprintf(out, "  input logic ");
      write_width(out, l);
      fprintf(out, " %s_i,\n", l->name);
    }
}

/* Unit or mutant, with wires <instance>_<port> for its outputs. */
static void write_side(FILE *out, const struct table *t, const char *side, const char *clocks) {
  for (const struct line *l = t->line; l < t->line + t->n; l++)
    if (l->kind == LINE_OUT) {
      fprintf(out, "  wire ");
      write_width(out, l);
      fprintf(out, " u_%s_%s;\n", side, l->name);
    }
  fprintf(out, "  %s u_%s (%s", side, side, clocks);
  const char *comma = *clocks != '\0' ? ", " : "";
  for (const struct line *l = t->line; l < t->line + t->n; l++) {
    if (l->kind == LINE_IN)
      fprintf(out, "%s.%s_i(%s_i)", comma, l->name, l->name);
    if (l->kind == LINE_OUT)
      fprintf(out, "%s.%s_o(u_%s_%s)", comma, l->name, side, l->name);
    if (l->kind != LINE_STATE)
      comma = ", ";
  }
  fprintf(out, ");\n");
}

/* Inputs of a unit with two clocks are registers of the core's, the slower one. */
static void write_still(FILE *out, const struct table *t) {
  for (const struct line *l = t->line; l < t->line + t->n; l++)
    if (l->kind == LINE_IN) {
      fprintf(out, "  logic ");
      write_width(out, l);
      fprintf(out,
              " %s_q;\n  always_ff @(posedge step_i) %s_q <= %s_i;\n"
              "  always_comb if (half_q) assume (%s_i == %s_q);\n",
              l->name, l->name, l->name, l->name, l->name);
    }
}

void write_miter(FILE *out, const struct table *t, const char *rtl) {
  const bool noc = strstr(rtl, " noc_clk_i,") != NULL, core = strstr(rtl, " clk_i,") != NULL;
  char clocks[100];
  snprintf(clocks, sizeof clocks, "%s%s%s", core ? ".clk_i(core)" : "",
           noc ? ", .noc_clk_i(step_i)" : "", core ? ", .rst_ni(run_q)" : "");
  fprintf(out,
          "// %s beside a mutant of it.  A step is a cycle of the fastest clock; of two clocks the "
          "NoC's is the\n"
          "// faster one, by two.\nmodule both (input logic step_i,\n",
          t->name);
  write_inputs(out, t);
  fprintf(out,
          "  output logic differ_o);\n  logic run_q, half_q, differ, differ_q, differ_qq;\n"
          "  initial {run_q, half_q, differ_q, differ_qq} = 4'b0000;\n  wire core = %s;\n"
          "  always_comb assume (step_i);\n  always_ff @(posedge step_i) begin\n    half_q <= "
          "!half_q;\n"
          "    if (core) run_q <= 1'b1;\n    differ_q <= differ && run_q;\n    differ_qq <= "
          "differ_q;\n  end\n"
          "  assign differ_o = differ_qq;\n",
          noc ? "half_q" : "step_i");
  write_side(out, t, "unit", clocks);
  write_side(out, t, "mutant", clocks);
  fprintf(out, "  always_comb differ = %s(1'b0", noc ? "!half_q && " : "");
  for (const struct line *l = t->line; l < t->line + t->n; l++)
    if (l->kind == LINE_OUT) {
      fprintf(out, "\n    || ((");
      write_qualifier(out, l->when, "u_unit_", "");
      fprintf(out, ") && u_unit_%s != u_mutant_%s)", l->name, l->name);
    }
  fprintf(out, ");\n");
  if (noc)
    write_still(out, t);
  fprintf(out, "endmodule\n");
}
