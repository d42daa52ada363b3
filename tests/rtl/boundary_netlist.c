/* The netlist: reading it, its cells, and who drives and reads each net. */
#include <stdlib.h>
#include <string.h>

#include "tests/rtl/boundary.h"

enum { MODULES = 100 };

static struct module modules[MODULES];
static unsigned n_modules;
static json_t *netlist, *design; /* design: its modules */

const char *type_of(json_t *cell) { return json_string_value(json_object_get(cell, "type")); }

bool is_flop(const char *type) { return is(type, (const char *[]){"$dff", "$adff", NULL}); }

bool is_read(const char *type) { return is(type, (const char *[]){"$memrd", "$memrd_v2", NULL}); }

bool is_write(const char *type) { return is(type, (const char *[]){"$memwr", "$memwr_v2", NULL}); }

bool is_logic(const char *type) {
  return is(type, (const char *[]){
                      "$add", "$and",       "$eq",          "$ge",         "$gt",   "$le",
                      "$lt",  "$logic_and", "$logic_not",   "$logic_or",   "$mod",  "$mul",
                      "$mux", "$ne",        "$neg",         "$not",        "$or",   "$pmux",
                      "$pos", "$reduce_or", "$reduce_bool", "$reduce_and", "$shl",  "$reduce_xor",
                      "$shr", "$shift",     "$shiftx",      "$sshl",       "$sshr", "$reduce_xnor",
                      "$sub", "$xnor",      "$xor",         NULL});
}

json_t *bits_of(json_t *cell, const char *port) {
  return json_object_get(json_object_get(cell, "connections"), port);
}

bool is_output(json_t *cell, const char *port) {
  json_t *d = json_object_get(json_object_get(cell, "port_directions"), port);
  return d != NULL && strcmp(json_string_value(d), "output") == 0;
}

/* Parameters are strings of digits. */
bool parameter(json_t *cell, const char *name) {
  const char *value = json_string_value(json_object_get(json_object_get(cell, "parameters"), name));
  return value != NULL && strchr(value, '1') != NULL;
}

struct net *net_of(struct module *m, json_t *bit) {
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

int pin_index(const struct module *m, const char *name) {
  for (unsigned i = 0; i < m->n_pins; i++)
    if (strcmp(m->pins[i].name, name) == 0)
      return (int)i;
  return -1;
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
  json_object_foreach(m->cells, key, value) check_state(m, key, value);
  for (unsigned p = 0; p < m->n_pins; p++)
    if (m->pins[p].out)
      find_paths(m, &m->pins[p]);
  return m;
}

struct module *summary(const char *type) {
  json_t *text = json_object_get(design, type);
  if (text == NULL)
    return NULL;
  for (unsigned i = 0; i < n_modules; i++)
    if (strcmp(modules[i].name, type) == 0)
      return &modules[i];
  return analyse(type, text);
}

const char *netlist_read(const char *path) {
  json_error_t error;
  netlist = json_load_file(path, 0, &error);
  if (netlist == NULL)
    give_up("%s:%d: %s", path, error.line, error.text);
  design = json_object_get(netlist, "modules");
  const char *name;
  json_t *text;
  json_object_foreach(design, name, text) {
    if (json_object_get(json_object_get(text, "attributes"), "top") != NULL)
      return name;
  }
  give_up("%s has no top module", path);
}
