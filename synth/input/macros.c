/* Memories: their figures, and their Liberty, from which OpenSTA has the time of a read.  Their
 * area and power are reckoned here, but for those of a Liberty that was given. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "synth/input/macros.h"

#define PREFIX SYNTH_MEMORY

bool synth_memory_same(const struct synth_memory *a, const struct synth_memory *b) {
  return a->words == b->words && a->width == b->width && a->reads == b->reads &&
         a->writes == b->writes;
}

void synth_memory_name(const struct synth_memory *m, char *name, size_t size) {
  snprintf(name, size, PREFIX "%ux%u_%ur%uw", m->words, m->width, m->reads, m->writes);
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
      fprintf(out,
              " cell_rise(scalar) { values(\"%.4f\"); } cell_fall(scalar) { values(\"%.4f\"); }"
              " rise_transition(scalar) { values(\"0\"); }"
              " fall_transition(scalar) { values(\"0\"); } }\n",
              m->macro.access_ns, m->macro.access_ns);
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

enum { BUSES = 5 };
struct bus {
  const char *name;
  unsigned width;
};

static void buses_of(const struct synth_memory *m, struct bus bus[BUSES]) {
  const struct bus all[BUSES] = {{"r_addr", m->reads * m->abits},
                                 {"r_data", m->reads * m->width},
                                 {"w_addr", m->writes * m->abits},
                                 {"w_data", m->writes * m->width},
                                 {"w_en", m->writes * m->width}};
  memcpy(bus, all, sizeof all);
}

static void macro(FILE *out, const struct synth_memory *m) {
  char name[SYNTH_NAME], type_name[SYNTH_NAME + 16];
  struct bus buses[BUSES];
  synth_memory_name(m, name, sizeof name);
  buses_of(m, buses);
  for (unsigned i = 0; i < BUSES; i++) {
    snprintf(type_name, sizeof type_name, "%s_%s", name, buses[i].name);
    type(out, type_name, buses[i].width);
  }
  fprintf(out, "  cell(%s) {\n    area : %.1f;\n    is_macro_cell : true;\n", name,
          m->macro.area_um2);
  fprintf(out, "    pin(clk) { %s clock : true; }\n", input);
  fprintf(out, "    bus(r_addr) { bus_type : %s_r_addr; %s }\n", name, input);
  fprintf(out, "    bus(r_data) { bus_type : %s_r_data; direction : output;\n", name);
  for (unsigned r = 0; r < m->reads; r++)
    read_port(out, m, r);
  fprintf(out, "    }\n");
  for (unsigned i = 2; i < BUSES; i++)
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
    if (m[i].source != SYNTH_GIVEN)
      macro(out, &m[i]);
  fprintf(out, "}\n");
}

int synth_macros_load(const char *given, bool mapped, const char *folder, struct liberty *l,
                      char *path, size_t size, struct tandem_error *err) {
  char key[HASH_KEY];
  if (given == NULL)
    return 0;
  const int status = liberty_open(&given, 1, folder, l, key, path, size, err);
  if (mapped)
    return status;
  for (size_t i = 0; status == 0 && i < l->ncells; i++)
    if (strncmp(l->cells[i].name, PREFIX, strlen(PREFIX)) == 0)
      return 0;
  if (status == 0)
    return tandem_fail(
        err, -EINVAL,
        "%s: none of its %zu cells is a memory: call them as the netlists do, " PREFIX
        "WORDSxBITS_READSrWRITESw, with the ports of synth/flow/scripts/tandem_memory.v; of an "
        "SRAM compiler's macros say by --sram MAP.yaml which memories they serve "
        "(docs/use/synth.md)",
        given, l->ncells);
  return status;
}

/* Checks that a given memory has the ports that the netlists connect. */
static int ports_check(const char *file, const struct synth_memory *m,
                       const struct liberty_cell *cell, struct tandem_error *err) {
  struct bus bus[BUSES + 1] = {[BUSES] = {"clk", 1}};
  buses_of(m, bus);
  for (unsigned i = 0; i < BUSES + 1; i++) {
    unsigned width = 0;
    for (size_t k = 0; k < cell->nports; k++)
      if (strcmp(cell->ports[k].name, bus[i].name) == 0)
        width = cell->ports[k].width;
    if (width != bus[i].width)
      return tandem_fail(err, -EINVAL,
                         "%s: the memory %s has %u bits of %s instead of %u: its ports must be "
                         "those of synth/flow/scripts/tandem_memory.v",
                         file, cell->name, width, bus[i].name, bus[i].width);
  }
  return 0;
}

int synth_memory_figures(const struct technology *t, struct technology_corner process,
                         const struct liberty *given, const char *file, struct synth_memory *m,
                         struct tandem_error *err) {
  char name[SYNTH_NAME];
  const struct technology_memory shape = {m->words, m->width, m->reads + m->writes};
  synth_memory_name(m, name, sizeof name);
  const struct liberty_cell *cell = liberty_find(given, name);
  if (cell != NULL) {
    m->source = SYNTH_GIVEN;
    m->macro = (struct technology_macro){.area_um2 = cell->area};
    return ports_check(file, m, cell, err);
  }
  m->source = process.nm > 0 ? SYNTH_ESTIMATED : SYNTH_IDEAL;
  m->macro = (struct technology_macro){0};
  return process.nm > 0 ? technology_macro(t, &shape, process, &m->macro, err) : 0;
}
