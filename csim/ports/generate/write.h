/* The texts that are made of a table. */
#ifndef TANDEM_PORTS_WRITE_H
#define TANDEM_PORTS_WRITE_H

#include <stdio.h>

#include "csim/ports/generate/table.h"

/* The unit's header: its structs. */
void write_structs(FILE *out, const struct table *t);
/* The unit's C file: descriptions of its lines, and the functions of struct ports_table. */
void write_functions(FILE *out, const struct table *t);
/* The unit's C++ header: between its structs and the pins and registers of a model.  rows: pins
 * have a row of these ports for each of several. */
void write_pins(FILE *out, const struct table *t, bool rows);

/* A qualifier, in which p->name becomes name between two texts. */
void write_qualifier(FILE *out, const char *when, const char *before, const char *after);

/* A SystemVerilog module `both` with the modules `unit` and `mutant`, whose ports are those of the
 * table and the clocks that the unit's text `rtl` has. */
void write_miter(FILE *out, const struct table *t, const char *rtl);

/* Ports of a unit's module, whose file has the text `rtl`: inputs in a port list; declarations of
 * what takes its outputs; all in the port list of a module that looks at them.  The list of a file
 * without the module is empty. */
enum port_list { LIST_INPUTS, LIST_OUTPUTS, LIST_ALL };
void write_port_list(FILE *out, const char *rtl, const char *unit, enum port_list list);

/* A part of a front end (csim/ports/sm/frontend_parts.def, of a cluster's members the list of its
 * fact MEMBERS), its unit's table. */
struct part {
  const char *name;
  bool switched;
  struct table table;
};
/* C++ templates that read the states of front ends: of one alone; of each of a cluster's members,
 * with one that says which are on. */
void write_frontend(FILE *out, const struct part *parts, size_t n);
void write_members(FILE *out, const char *unit, unsigned most, const struct part *parts, size_t n);

#endif
