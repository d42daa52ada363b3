/* boundary NETLIST UNIT [MEMBERS | LANES]: checks a unit's boundary on its elaborated netlist
 * (yosys' write_json after proc, hierarchy kept).
 *
 * 1. The ports are those of the unit's ports table, with the same directions and widths, beside the
 *    clocks clk_i and noc_clk_i and the reset rst_ni.
 * 2. State changes at rising edges of these clocks and at the falling edge of the reset alone.  A
 *    clock may pass clock gates: an AND with an enable that is registered at the clock's falling
 * edge and that nothing else reads.
 * 3. No combinational path leads from an input to an output, in units of which a machine is made.
 *
 * Paths are followed bit by bit within a module and port by port through its instances; an output
 * bit of a cell is taken to depend on all of the cell's inputs.  So a path that is found may be
 * none, but none is missed.
 *
 * Exit status: 0 if all holds, 1 if not, 2 if the check cannot be made. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "csim/ports/tables.h"

enum { MODULES = 100, PORTS = 160 };

/* Outputs that may depend on inputs at once. */
static const struct exception {
  const char *unit, *output, *reason;
} exceptions[] = {
    {"cta_dispatch", "give_o", "one dispatcher serves all SMs, which take a CTA in the same cycle"},
    {"cta_dispatch", "split_o", "it is decided with give_o, of the same inputs"},
};

/* Units of which machines are made (rtl/CMakeLists.txt); the others are parts of them. */
static const char *wholes[] = {WHOLES, NULL};

static const struct unit {
  const char *name;
  const struct port_desc *in, *out;
} units[] = {
#define PORTS_EACH "tests/rtl/boundary_unit.inc"
#include "csim/ports/units.def"

#include "csim/ports/blocks.def"
#undef PORTS_EACH
};

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

static struct module modules[MODULES];
static unsigned n_modules;
static json_t *design;
static unsigned faults;

static void __attribute__((format(printf, 1, 2))) fault(const char *format, ...) {
  va_list args;
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  putchar('\n');
  faults++;
}

static void __attribute__((format(printf, 1, 2), noreturn)) give_up(const char *format, ...) {
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  exit(2);
}

static const char *type_of(json_t *cell) {
  return json_string_value(json_object_get(cell, "type"));
}

static bool is(const char *name, const char *list[]) {
  for (; *list != NULL; list++)
    if (strcmp(name, *list) == 0)
      return true;
  return false;
}

static bool is_flop(const char *type) { return is(type, (const char *[]){"$dff", "$adff", NULL}); }

static bool is_read(const char *type) {
  return is(type, (const char *[]){"$memrd", "$memrd_v2", NULL});
}

static bool is_write(const char *type) {
  return is(type, (const char *[]){"$memwr", "$memwr_v2", NULL});
}

/* Cells whose outputs are functions of their inputs; a memory's content is none. */
static bool is_logic(const char *type) {
  return is(type, (const char *[]){
                      "$add", "$and",       "$eq",          "$ge",         "$gt",   "$le",
                      "$lt",  "$logic_and", "$logic_not",   "$logic_or",   "$mod",  "$mul",
                      "$mux", "$ne",        "$neg",         "$not",        "$or",   "$pmux",
                      "$pos", "$reduce_or", "$reduce_bool", "$reduce_and", "$shl",  "$reduce_xor",
                      "$shr", "$shift",     "$shiftx",      "$sshl",       "$sshr", "$reduce_xnor",
                      "$sub", "$xnor",      "$xor",         NULL});
}

static json_t *bits_of(json_t *cell, const char *port) {
  return json_object_get(json_object_get(cell, "connections"), port);
}

static bool is_output(json_t *cell, const char *port) {
  json_t *d = json_object_get(json_object_get(cell, "port_directions"), port);
  return d != NULL && strcmp(json_string_value(d), "output") == 0;
}

/* A parameter of one bit, or a number, which are strings of digits. */
static bool parameter(json_t *cell, const char *name) {
  const char *value = json_string_value(json_object_get(json_object_get(cell, "parameters"), name));
  return value != NULL && strchr(value, '1') != NULL;
}

/* The net of a bit; NULL for a constant. */
static struct net *net_of(struct module *m, json_t *bit) {
  if (!json_is_integer(bit))
    return NULL;
  size_t n = (size_t)json_integer_value(bit);
  if (n >= m->n_nets) {
    const size_t size = 2 * n + 1000;
    m->nets = realloc(m->nets, size * sizeof *m->nets);
    m->seen = realloc(m->seen, size * sizeof *m->seen);
    if (m->nets == NULL || m->seen == NULL)
      give_up("out of memory");
    for (size_t i = m->n_nets; i < size; i++) {
      m->nets[i] = (struct net){NULL, NULL, -1, 0};
      m->seen[i] = 0;
    }
    m->n_nets = size;
  }
  return &m->nets[n];
}

/* The module of an instance, NULL if the cell is none. */
static struct module *summary(const char *type);

static int pin_index(const struct module *m, const char *name) {
  for (unsigned i = 0; i < m->n_pins; i++)
    if (strcmp(m->pins[i].name, name) == 0)
      return (int)i;
  return -1;
}

static void walk_bits(struct module *m, json_t *bits, bool from[PORTS]);

/* Goes on at what the net's driver makes it of. */
static void walk_driver(struct module *m, const struct net *n, bool from[PORTS]) {
  if (n->pin >= 0)
    from[n->pin] = true;
  if (n->cell == NULL || is_flop(type_of(n->cell)))
    return;
  const char *port;
  json_t *bits;
  struct module *child = summary(type_of(n->cell));
  const struct pin *out = child != NULL ? &child->pins[pin_index(child, n->port)] : NULL;
  json_object_foreach(json_object_get(n->cell, "connections"), port, bits) {
    if (is_output(n->cell, port))
      continue;
    if (out == NULL || out->from[pin_index(child, port)])
      walk_bits(m, bits, from);
  }
}

static void walk_bits(struct module *m, json_t *bits, bool from[PORTS]) {
  size_t i;
  json_t *bit;
  json_array_foreach(bits, i, bit) {
    const struct net *n = net_of(m, bit);
    if (n == NULL || m->seen[n - m->nets] == m->walk)
      continue;
    m->seen[n - m->nets] = m->walk;
    walk_driver(m, n, from);
  }
}

static int clock_of(struct module *m, json_t *bit);

/* Whether a cell is a clock gate's register: it takes its enable while the clock, a pin, is low. */
static bool is_enable(struct module *m, json_t *cell, int clock) {
  return cell != NULL && is_flop(type_of(cell)) && !parameter(cell, "CLK_POLARITY") &&
         clock_of(m, json_array_get(bits_of(cell, "CLK"), 0)) == clock;
}

/* The input pin that a clock comes from, through gates; -1: none. */
static int clock_of(struct module *m, json_t *bit) {
  const struct net *n = net_of(m, bit);
  if (n == NULL)
    return -1;
  if (n->cell == NULL)
    return n->pin;
  struct module *child = summary(type_of(n->cell));
  if (child != NULL) {
    const struct pin *out = &child->pins[pin_index(child, n->port)];
    const int in = clock_of(child, json_array_get(out->bits, 0));
    return in < 0 ? -1 : clock_of(m, json_array_get(bits_of(n->cell, child->pins[in].name), 0));
  }
  if (strcmp(type_of(n->cell), "$and") != 0)
    return -1;
  const char *sides[] = {"A", "B"};
  for (unsigned i = 0; i < 2; i++) {
    json_t *clock = bits_of(n->cell, sides[i]), *enable = bits_of(n->cell, sides[1 - i]);
    if (json_array_size(clock) != 1 || json_array_size(enable) != 1)
      continue;
    const struct net *e = net_of(m, json_array_get(enable, 0));
    if (e == NULL || e->cell == NULL || e->readers != 1)
      continue;
    const int pin = clock_of(m, json_array_get(clock, 0));
    if (pin >= 0 && is_enable(m, e->cell, pin))
      return pin;
  }
  return -1;
}

/* Whether a register serves a clock gate and nothing else: its only reader is an AND that clock_of
 * takes for one. */
static bool serves_gate(struct module *m, json_t *cell) {
  json_t *q = bits_of(cell, "Q"), *other;
  const char *key;
  if (json_array_size(q) != 1)
    return false;
  json_object_foreach(m->cells, key, other) {
    json_t *y = bits_of(other, "Y");
    if (strcmp(type_of(other), "$and") != 0 || json_array_size(y) != 1)
      continue;
    if ((json_equal(bits_of(other, "A"), q) || json_equal(bits_of(other, "B"), q)) &&
        clock_of(m, json_array_get(y, 0)) >= 0)
      return true;
  }
  return false;
}

static void use_clock(struct module *m, const char *name, json_t *bit) {
  const int pin = clock_of(m, bit);
  if (pin < 0)
    fault("%s: %s: its clock is no input's, gated or not", m->name, name);
  else
    m->pins[pin].clocks = true;
}

static void use_reset(struct module *m, const char *name, json_t *bit) {
  const struct net *n = net_of(m, bit);
  if (n == NULL || n->pin < 0)
    fault("%s: %s: its reset is no input", m->name, name);
  else
    m->pins[n->pin].resets = true;
}

/* What a cell's state changes at. */
static void check_cell(struct module *m, const char *name, json_t *cell) {
  const char *type = type_of(cell);
  struct module *child = summary(type);
  if (child != NULL) {
    for (unsigned i = 0; i < child->n_pins; i++) {
      json_t *bit = json_array_get(bits_of(cell, child->pins[i].name), 0);
      if (child->pins[i].clocks)
        use_clock(m, name, bit);
      if (child->pins[i].resets)
        use_reset(m, name, bit);
    }
  } else if (is_flop(type) || is_write(type)) {
    if (is_write(type) && !parameter(cell, "CLK_ENABLE"))
      fault("%s: %s: a memory that is written without a clock", m->name, name);
    else if (!parameter(cell, "CLK_POLARITY") && !serves_gate(m, cell))
      fault("%s: %s: changes at the falling edge of its clock", m->name, name);
    else
      use_clock(m, name, json_array_get(bits_of(cell, "CLK"), 0));
    if (bits_of(cell, "ARST") != NULL) {
      if (parameter(cell, "ARST_POLARITY"))
        fault("%s: %s: its reset is active high", m->name, name);
      use_reset(m, name, json_array_get(bits_of(cell, "ARST"), 0));
    }
  } else if (is_read(type)) {
    if (parameter(cell, "CLK_ENABLE"))
      fault("%s: %s: a memory that is read at a clock edge", m->name, name);
  } else if (!is_logic(type) && strncmp(type, "$meminit", 8) != 0) {
    fault("%s: %s: a cell %s, which is no flip-flop and no logic", m->name, name, type);
  }
}

/* Notes who drives and who reads the module's nets. */
static void connect(struct module *m) {
  const char *name, *port;
  json_t *cell, *bits, *bit;
  size_t i;
  for (unsigned p = 0; p < m->n_pins; p++)
    json_array_foreach(m->pins[p].bits, i, bit) {
      struct net *n = net_of(m, bit);
      if (n != NULL && m->pins[p].out)
        n->readers++;
      else if (n != NULL)
        n->pin = (int)p;
    }
  json_object_foreach(m->cells, name, cell)
      json_object_foreach(json_object_get(cell, "connections"), port, bits)
          json_array_foreach(bits, i, bit) {
    struct net *n = net_of(m, bit);
    if (n == NULL)
      continue;
    if (is_output(cell, port)) {
      n->cell = cell;
      n->port = port;
    } else {
      n->readers++;
    }
  }
}

/* Reads a module: what drives its outputs and what clocks its state. */
static struct module *analyse(const char *name, json_t *text) {
  if (n_modules == MODULES)
    give_up("more than %d modules", MODULES);
  struct module *m = &modules[n_modules++];
  m->name = name;
  m->cells = json_object_get(text, "cells");
  const char *key;
  json_t *value;
  json_object_foreach(json_object_get(text, "ports"), key, value) {
    if (m->n_pins == PORTS)
      give_up("%s has more than %d ports", name, PORTS);
    const char *direction = json_string_value(json_object_get(value, "direction"));
    m->pins[m->n_pins++] = (struct pin){.name = key,
                                        .out = strcmp(direction, "output") == 0,
                                        .bits = json_object_get(value, "bits")};
  }
  connect(m);
  json_object_foreach(m->cells, key, value) check_cell(m, key, value);
  for (unsigned p = 0; p < m->n_pins; p++)
    if (m->pins[p].out) {
      m->walk++;
      walk_bits(m, m->pins[p].bits, m->pins[p].from);
    }
  return m;
}

static struct module *summary(const char *type) {
  json_t *text = json_object_get(design, type);
  if (text == NULL)
    return NULL;
  for (unsigned i = 0; i < n_modules; i++)
    if (strcmp(modules[i].name, type) == 0)
      return &modules[i];
  return analyse(type, text);
}

static bool named(const char *name, const char *suffix, const char *pin) {
  const size_t n = strlen(name);
  return strncmp(pin, name, n) == 0 && strcmp(pin + n, suffix) == 0;
}

/* Compares the pin of a line of a ports table; tells its index, -1 if it is not there. */
static int check_port(const struct module *m, const char *name, bool out, size_t width,
                      size_t or_width) {
  for (unsigned p = 0; p < m->n_pins; p++) {
    if (!named(name, out ? "_o" : "_i", m->pins[p].name))
      continue;
    const size_t bits = json_array_size(m->pins[p].bits);
    if (bits != width && bits != or_width)
      fault("%s: %s: %zu bits, in the ports table %zu", m->name, m->pins[p].name, bits, width);
    if (m->pins[p].out != out)
      fault("%s: %s: its direction is not that of the ports table", m->name, m->pins[p].name);
    return (int)p;
  }
  fault("%s: no port %s%s, which the ports table has", m->name, name, out ? "_o" : "_i");
  return -1;
}

static bool of_members(const struct unit *u) { return strcmp(u->name, "buddy_cluster") == 0; }

/* Compares the pins of a table.  width(line) is the line's, times `members` of a cluster's member;
 * own ports of a cluster of fewer than eight have the lower bits, if one a member.  A line X_hi has
 * the lanes of X above the lower 64. */
static void check_table(const struct module *m, const struct unit *u, const struct port_desc *d,
                        bool out, bool each, unsigned number, bool known[PORTS]) {
  const struct port_desc *upper;
  for (; d->name != NULL; d++) {
    size_t width = d->width, or_width;
    const size_t n = strlen(d->name);
    if (n > 3 && strcmp(d->name + n - 3, "_hi") == 0)
      continue;
    for (upper = d; upper->name != NULL; upper++)
      if (named(d->name, "_hi", upper->name))
        width += number - 64;
    or_width = width;
    if (each)
      or_width = width *= number;
    else if (of_members(u))
      or_width = width * number / 8;
    const int p = check_port(m, d->name, out, width, or_width);
    if (p >= 0)
      known[p] = true;
  }
}

static void check_ports(const struct module *m, const struct unit *u, unsigned number) {
  bool known[PORTS] = {false};
  check_table(m, u, u->in, false, false, number, known);
  check_table(m, u, u->out, true, false, number, known);
  if (of_members(u)) {
    check_table(m, u, buddy_member_ports_in, false, true, number, known);
    check_table(m, u, buddy_member_ports_out, true, true, number, known);
  }
  for (unsigned p = 0; p < m->n_pins; p++) {
    const char *name = m->pins[p].name;
    const bool clock = is(name, (const char *[]){"clk_i", "noc_clk_i", NULL});
    const bool reset = strcmp(name, "rst_ni") == 0;
    if (!known[p] && !clock && !reset)
      fault("%s: the port %s is not in the ports table", m->name, name);
    if (m->pins[p].clocks && !clock)
      fault("%s: %s clocks state", m->name, name);
    if (m->pins[p].resets && !reset)
      fault("%s: %s resets state", m->name, name);
  }
}

static void check_paths(const struct module *m) {
  for (unsigned p = 0; p < m->n_pins; p++) {
    const struct exception *e = exceptions, *end = e + sizeof exceptions / sizeof *e;
    while (e < end && (strcmp(e->unit, m->name) != 0 || strcmp(e->output, m->pins[p].name) != 0))
      e++;
    bool any = false;
    for (unsigned i = 0; i < m->n_pins; i++)
      if (m->pins[p].from[i]) {
        any = true;
        if (e == end)
          fault("%s: %s depends on %s without a register", m->name, m->pins[p].name,
                m->pins[i].name);
      }
    if (e < end && !any)
      fault("%s: %s is registered and needs no exception", m->name, m->pins[p].name);
  }
}

int main(int argc, char **argv) {
  if (argc != 3 && argc != 4)
    give_up("usage: boundary NETLIST UNIT [MEMBERS | LANES]");
  const struct unit *u = units, *end = u + sizeof units / sizeof *u;
  while (u < end && strcmp(u->name, argv[2]) != 0)
    u++;
  if (u == end)
    give_up("%s is no unit", argv[2]);
  json_error_t error;
  json_t *netlist = json_load_file(argv[1], 0, &error);
  if (netlist == NULL)
    give_up("%s:%d: %s", argv[1], error.line, error.text);
  design = json_object_get(netlist, "modules");
  const char *name;
  json_t *text, *top = NULL;
  json_object_foreach(
      design, name, text) if (json_object_get(json_object_get(text, "attributes"), "top") != NULL) {
    top = text;
    break;
  }
  if (top == NULL)
    give_up("%s has no top module", argv[1]);
  const struct module *m = summary(name);
  check_ports(m, u, argc == 4 ? (unsigned)strtoul(argv[3], NULL, 10) : 0);
  if (is(u->name, wholes))
    check_paths(m);
  json_decref(netlist);
  return faults != 0;
}
