/* The Liberty of memories: ideal ones, which take no time and no area.  Their bits and ports are
 * counted apart. */
#include "synth/local.h"

void synth_memory_name(const struct synth_memory *m, char *name, size_t size) {
  snprintf(name, size, "tandem_mem_%ux%u_%ur%uw", m->words, m->width, m->reads, m->writes);
}

static void type(FILE *out, const char *name, unsigned width) {
  fprintf(out,
          "  type (%s) { base_type : array; data_type : bit; bit_width : %u; bit_from : %u; "
          "bit_to : 0; }\n",
          name, width, width - 1);
}

static const char input[] = "direction : input; capacitance : 0;";

/* To a read port's data from the bits of its address, and from the clock that wrote the row. */
static void read_port(FILE *out, const struct synth_memory *m, unsigned r) {
  for (unsigned b = 0; b < m->width; b++) {
    fprintf(out, "      pin(r_data[%u]) {\n", r * m->width + b);
    for (unsigned clocked = 0; clocked < 2; clocked++) {
      fprintf(out, "        timing() { related_pin : \"");
      if (clocked != 0)
        fprintf(out, "clk\"; timing_type : rising_edge;");
      else {
        for (unsigned a = 0; a < m->abits; a++)
          fprintf(out, "%sr_addr[%u]", a > 0 ? " " : "", r * m->abits + a);
        fprintf(out, "\"; timing_sense : non_unate;");
      }
      for (unsigned i = 0; i < 4; i++) {
        static const char *const kinds[] = {"cell_rise", "cell_fall", "rise_transition",
                                            "fall_transition"};
        fprintf(out, " %s(scalar) { values(\"0\"); }", kinds[i]);
      }
      fprintf(out, " }\n");
    }
    fprintf(out, "      }\n");
  }
}

static void write_bus(FILE *out, const char *bus, const char *of) {
  fprintf(out,
          "    bus(%s) { bus_type : %s_%s; %s\n"
          "      timing() { related_pin : \"clk\"; timing_type : setup_rising; "
          "rise_constraint(scalar) { values(\"0\"); } fall_constraint(scalar) { values(\"0\"); } "
          "}\n    }\n",
          bus, of, bus, input);
}

static void macro(FILE *out, const struct synth_memory *m) {
  char name[SYNTH_NAME], bus[SYNTH_NAME + 16];
  synth_memory_name(m, name, sizeof name);
  const struct {
    const char *name;
    unsigned width;
  } buses[] = {{"r_addr", m->reads * m->abits},
               {"r_data", m->reads * m->width},
               {"w_addr", m->writes * m->abits},
               {"w_data", m->writes * m->width},
               {"w_en", m->writes * m->width}};
  for (unsigned i = 0; i < 5; i++) {
    snprintf(bus, sizeof bus, "%s_%s", name, buses[i].name);
    type(out, bus, buses[i].width);
  }
  fprintf(out, "  cell(%s) {\n    area : 0;\n    is_macro_cell : true;\n", name);
  fprintf(out, "    pin(clk) { %s clock : true; }\n", input);
  fprintf(out, "    bus(r_addr) { bus_type : %s_r_addr; %s }\n", name, input);
  fprintf(out, "    bus(r_data) { bus_type : %s_r_data; direction : output;\n", name);
  for (unsigned r = 0; r < m->reads; r++)
    read_port(out, m, r);
  fprintf(out, "    }\n");
  for (unsigned i = 2; i < 5; i++)
    write_bus(out, buses[i].name, name);
  fprintf(out, "  }\n");
}

void synth_macros_liberty(FILE *out, const struct synth_memory *m, size_t n) {
  fprintf(out, "library(tandem_memories) {\n"
               "  delay_model : table_lookup;\n"
               "  time_unit : \"1ns\";\n  voltage_unit : \"1V\";\n  current_unit : \"1uA\";\n"
               "  pulling_resistance_unit : \"1kohm\";\n  leakage_power_unit : \"1nW\";\n"
               "  capacitive_load_unit (1,pf);\n"
               "  nom_process : 1;\n  nom_voltage : 1;\n  nom_temperature : 25;\n");
  static const char *const edges[] = {"rise", "fall"};
  for (unsigned i = 0; i < 2; i++)
    fprintf(out,
            "  input_threshold_pct_%s : 50;\n  output_threshold_pct_%s : 50;\n"
            "  slew_upper_threshold_pct_%s : 80;\n  slew_lower_threshold_pct_%s : 20;\n",
            edges[i], edges[i], edges[i], edges[i]);
  for (size_t i = 0; i < n; i++)
    macro(out, &m[i]);
  fprintf(out, "}\n");
}
