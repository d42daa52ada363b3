/* Netlists as the check of boundaries sees them (boundary.c): modules, their pins and nets, and on
 * what outputs and state depend. */
#ifndef TANDEM_TEST_BOUNDARY_H
#define TANDEM_TEST_BOUNDARY_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

enum { PORTS = 160 /* of a module, at most */ };

/* A port of a module, and of an output the inputs that it depends on at once. */
struct pin {
  const char *name;
  bool out, clocks, resets; /* clocks, resets: state within the module */
  json_t *bits;
  bool from[PORTS];
};

/* What drives a bit, and how many inputs of cells and outputs of the module read it. */
struct net {
  json_t *cell; /* NULL: none, or the module's input `pin` */
  const char *port;
  int pin; /* -1: none */
  unsigned readers;
};

struct module {
  const char *name;
  json_t *cells;
  struct pin pins[PORTS];
  unsigned n_pins;
  struct net *nets;
  size_t n_nets;
  unsigned *seen, walk; /* bits that the current walk has been at */
};

/* Prints a fault of the design and counts it. */
void __attribute__((format(printf, 1, 2))) fault(const char *format, ...);
/* The check cannot be made: says why and exits with status 2. */
void __attribute__((format(printf, 1, 2), noreturn)) give_up(const char *format, ...);

/* Whether a name is in a list that ends with NULL. */
bool is(const char *name, const char *list[]);

/* ---- boundary_netlist.c: what is in the netlist ---- */

/* Reads yosys' write_json from a file; the name of its top module. */
const char *netlist_read(const char *path);
/* The module of that name, analysed when it is first asked for; NULL: there is none, as the name is
 * that of a cell. */
struct module *summary(const char *type);

/* Of a cell: its type; the bits at a port; whether the port is an output; whether a parameter of
 * one bit, or a number, is not 0. */
const char *type_of(json_t *cell);
json_t *bits_of(json_t *cell, const char *port);
bool is_output(json_t *cell, const char *port);
bool parameter(json_t *cell, const char *name);
bool is_flop(const char *type);
bool is_read(const char *type);
bool is_write(const char *type);
/* A cell whose outputs are functions of its inputs; a memory's content is none. */
bool is_logic(const char *type);

/* The net of a bit; NULL for a constant. */
struct net *net_of(struct module *m, json_t *bit);
/* The pin of that name; -1: none. */
int pin_index(const struct module *m, const char *name);

/* ---- boundary_graph.c: what depends on what ---- */

/* Finds the inputs that an output depends on at once: its from[]. */
void find_paths(struct module *m, struct pin *out);
/* Checks what a cell's state changes at, and notes the clock and reset pins that it needs. */
void check_state(struct module *m, const char *name, json_t *cell);

#endif
