/* Netlists as the check of boundaries sees them: modules, their pins and nets, and on what outputs
 * and state depend. */
#ifndef TANDEM_SHIM_DESIGN_H
#define TANDEM_SHIM_DESIGN_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "csim/util/error.h"

/* A port of a module. */
struct pin {
  const char *name;
  bool out, clocks, resets; /* clocks, resets: state within the module */
  bool known;               /* the ports table has it */
  json_t *bits;
  bool *from; /* of an output, a field a pin: the inputs that it depends on at once */
};

/* A bit's driver, and how many inputs of cells and outputs of the module read it. */
struct net {
  json_t *cell; /* NULL: none, or the module's input `pin` */
  const char *cell_name, *port;
  int pin; /* -1: none */
  unsigned readers;
};

struct module {
  struct module *next;
  const char *type; /* its key in the netlist, which has the parameters in it */
  const char *name; /* in the source */
  json_t *text, *cells;
  struct pin *pins;
  unsigned n_pins;
  struct net *nets;
  size_t n_nets;
  bool done; /* analysed */

  /* The last walk from an output (design_walk).  A net was reached if seen[] is `walk`; came[] is
   * the net that it was reached from, itself for a bit of the output. */
  unsigned *seen, walk;
  size_t *came, *queue;
};

/* A netlist and the faults that were found in it. */
struct design {
  json_t *netlist, *modules;
  struct module *known; /* analysed modules */
  bool no_memory;       /* some part of the analysis is missing */
  struct tandem_error said;
  unsigned faults, faults_said;
};

/* ---- boundary.c ---- */

/* Counts a fault of the design and says it, as long as there is room. */
void __attribute__((format(printf, 2, 3))) design_fault(struct design *d, const char *format, ...);

/* ---- design.c: the netlist ---- */

/* Reads yosys' write_json from a file, and analyses the top module with all below it.  NULL: err
 * has the cause.  design_close frees what is read, after an error too. */
struct module *design_open(struct design *d, const char *path, struct tandem_error *err);
void design_close(struct design *d);
/* The module of that type, analysed when it is first asked for; NULL: the type is a cell's. */
struct module *design_module(struct design *d, const char *type);

/* True if a name is in a list that ends with NULL. */
bool design_is(const char *name, const char *const *list);

/* Read a cell: its type; the bits at a port; true if the port is an output; true if a parameter
 * (one bit or a number) is not 0. */
const char *cell_type(json_t *cell);
json_t *cell_bits(json_t *cell, const char *port);
bool cell_drives(json_t *cell, const char *port);
bool cell_parameter(json_t *cell, const char *name);
/* Kinds of cells.  Outputs of a logic cell are functions of its inputs; it may have none. */
bool cell_is_flop(json_t *cell);
bool cell_is_read(json_t *cell);
bool cell_is_write(json_t *cell);
bool cell_is_logic(json_t *cell);

/* The net of a bit; NULL for a constant. */
struct net *module_net(struct module *m, json_t *bit);
/* The pin of that name; NULL: none. */
struct pin *module_pin(const struct module *m, const char *name);

/* ---- graph.c: dependences ---- */

/* Walks from an output of m to all that it depends on at once: its from[], and m->came[]. */
void design_walk(struct design *d, struct module *m, const struct pin *out);
/* Checks what a cell's state changes at, and notes the clock and reset pins that it needs. */
void design_check_state(struct design *d, struct module *m, const char *name, json_t *cell);

/* ---- trail.c: names for people ---- */

enum {
  PLACE = 160, /* bytes of a place's name, the rest is cut off */
  TRAIL = 640
};
/* A cell: the name of the instance, of the signal that it drives, or its line in the source. */
void design_place(struct module *m, const char *name, json_t *cell, char text[PLACE]);
/* A path from an input of m to an output that depends on it: ", through a, b, c", where each is a
 * signal with its instances or a line in the source; "" if there is nothing between them. */
void design_trail(struct design *d, struct module *m, const struct pin *in, const struct pin *out,
                  char text[TRAIL]);

#endif
