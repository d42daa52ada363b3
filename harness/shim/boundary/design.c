/* The netlist: reading it, its cells, and who drives and reads each net. */
#include "harness/shim/boundary/design.h"

#include <stdlib.h>
#include <string.h>

bool design_is(const char *name, const char *const *list) {
  for (; *list != NULL; list++)
    if (strcmp(name, *list) == 0)
      return true;
  return false;
}

/* ---- cells ---- */

const char *cell_type(json_t *cell) { return json_string_value(json_object_get(cell, "type")); }

bool cell_is_flop(json_t *cell) {
  return design_is(cell_type(cell), (const char *const[]){"$dff", "$adff", NULL});
}

bool cell_is_read(json_t *cell) {
  return design_is(cell_type(cell), (const char *const[]){"$memrd", "$memrd_v2", NULL});
}

bool cell_is_write(json_t *cell) {
  return design_is(cell_type(cell), (const char *const[]){"$memwr", "$memwr_v2", NULL});
}

bool cell_is_logic(json_t *cell) {
  static const char *const logic[] = {
      "$add",       "$and",         "$assert",     "$assume",  "$cover",      "$div",
      "$eq",        "$eqx",         "$ge",         "$gt",      "$le",         "$lt",
      "$logic_and", "$logic_not",   "$logic_or",   "$meminit", "$meminit_v2", "$mod",
      "$mul",       "$mux",         "$ne",         "$neg",     "$nex",        "$not",
      "$or",        "$pmux",        "$pos",        "$pow",     "$reduce_and", "$reduce_bool",
      "$reduce_or", "$reduce_xnor", "$reduce_xor", "$shift",   "$shiftx",     "$shl",
      "$shr",       "$sshl",        "$sshr",       "$sub",     "$xnor",       "$xor",
      NULL};
  return design_is(cell_type(cell), logic);
}

json_t *cell_bits(json_t *cell, const char *port) {
  return json_object_get(json_object_get(cell, "connections"), port);
}

bool cell_drives(json_t *cell, const char *port) {
  json_t *d = json_object_get(json_object_get(cell, "port_directions"), port);
  return d != NULL && strcmp(json_string_value(d), "output") == 0;
}

/* Parameters are strings of digits. */
bool cell_parameter(json_t *cell, const char *name) {
  const char *value = json_string_value(json_object_get(json_object_get(cell, "parameters"), name));
  return value != NULL && strchr(value, '1') != NULL;
}

/* ---- nets and pins ---- */

struct net *module_net(struct module *m, json_t *bit) {
  if (!json_is_integer(bit))
    return NULL;
  const size_t n = (size_t)json_integer_value(bit);
  return n < m->n_nets ? &m->nets[n] : NULL;
}

struct pin *module_pin(const struct module *m, const char *name) {
  for (unsigned i = 0; i < m->n_pins; i++)
    if (strcmp(m->pins[i].name, name) == 0)
      return &m->pins[i];
  return NULL;
}

/* The net of a bit, for which there is room from now on; other nets may move. */
static struct net *new_net(struct design *d, struct module *m, json_t *bit) {
  const size_t n = json_is_integer(bit) ? (size_t)json_integer_value(bit) : 0;
  if (json_is_integer(bit) && n >= m->n_nets) {
    const size_t size = 2 * n + 1000;
    struct net *nets = realloc(m->nets, size * sizeof *nets);
    if (nets == NULL) {
      d->no_memory = true;
      return NULL;
    }
    for (size_t i = m->n_nets; i < size; i++)
      nets[i] = (struct net){.pin = -1};
    m->nets = nets;
    m->n_nets = size;
  }
  return module_net(m, bit);
}

static void connect_pins(struct design *d, struct module *m) {
  json_t *bit;
  size_t i;
  for (unsigned p = 0; p < m->n_pins; p++)
    json_array_foreach(m->pins[p].bits, i, bit) {
      struct net *n = new_net(d, m, bit);
      if (n != NULL && m->pins[p].out)
        n->readers++;
      else if (n != NULL)
        n->pin = (int)p;
    }
}

/* Notes a cell as the driver or a reader of the bits at its port. */
static void connect_port(struct design *d, struct module *m, const char *name, json_t *cell,
                         const char *port, json_t *bits) {
  char place[PLACE];
  json_t *bit;
  size_t i;
  bool two = false;
  const bool drives = cell_drives(cell, port);
  json_array_foreach(bits, i, bit) {
    struct net *n = new_net(d, m, bit);
    if (n == NULL)
      continue;
    if (!drives) {
      n->readers++;
      continue;
    }
    two |= n->cell != NULL || n->pin >= 0;
    n->cell = cell;
    n->cell_name = name;
    n->port = port;
  }
  if (two) {
    design_place(m, name, cell, place);
    design_fault(d, "%s: %s: its bits have two drivers", m->name, place);
  }
}

static void connect(struct design *d, struct module *m) {
  const char *name, *port;
  json_t *cell, *bits;
  connect_pins(d, m);
  json_object_foreach(m->cells, name, cell)
      json_object_foreach(json_object_get(cell, "connections"), port, bits)
          connect_port(d, m, name, cell, port, bits);
  m->seen = calloc(m->n_nets + 1, sizeof *m->seen);
  m->came = calloc(m->n_nets + 1, sizeof *m->came);
  m->queue = calloc(m->n_nets + 1, sizeof *m->queue);
  if (m->seen == NULL || m->came == NULL || m->queue == NULL) {
    m->n_nets = 0; /* so no walk starts */
    d->no_memory = true;
  }
}

/* ---- modules ---- */

static void read_pins(struct design *d, struct module *m) {
  json_t *ports = json_object_get(m->text, "ports"), *value;
  const size_t n = json_object_size(ports);
  const char *key;
  m->pins = calloc(n + 1, sizeof *m->pins);
  if (m->pins == NULL) {
    d->no_memory = true;
    return;
  }
  json_object_foreach(ports, key, value) {
    const char *direction = json_string_value(json_object_get(value, "direction"));
    struct pin *p = &m->pins[m->n_pins++];
    *p = (struct pin){.name = key,
                      .out = strcmp(direction, "output") == 0,
                      .bits = json_object_get(value, "bits"),
                      .from = calloc(n, sizeof *p->from)};
    if (p->from == NULL)
      d->no_memory = true;
    if (strcmp(direction, "inout") == 0)
      design_fault(d, "%s: %s: a port must be an input or an output", m->name, key);
  }
}

/* The name in the source: modules with parameters have others in the netlist. */
static const char *source_name(const char *type, json_t *text) {
  json_t *name = json_object_get(json_object_get(text, "attributes"), "hdlname");
  if (!json_is_string(name))
    return type;
  return json_string_value(name) + (json_string_value(name)[0] == '\\');
}

/* Reads a module: what drives its outputs and what clocks its state. */
static struct module *analyse(struct design *d, const char *type, json_t *text) {
  struct module *m = calloc(1, sizeof *m);
  const char *key;
  json_t *cell;
  if (m == NULL) {
    d->no_memory = true;
    return NULL;
  }
  *m = (struct module){.next = d->known,
                       .type = type,
                       .name = source_name(type, text),
                       .text = text,
                       .cells = json_object_get(text, "cells")};
  d->known = m;
  read_pins(d, m);
  connect(d, m);
  json_object_foreach(m->cells, key, cell) design_check_state(d, m, key, cell);
  for (unsigned p = 0; p < m->n_pins && !d->no_memory; p++)
    if (m->pins[p].out)
      design_walk(d, m, &m->pins[p]);
  m->done = true;
  return m;
}

struct module *design_module(struct design *d, const char *type) {
  for (struct module *m = d->known; m != NULL; m = m->next)
    if (strcmp(m->type, type) == 0) {
      if (!m->done)
        design_fault(d, "%s instantiates itself", m->name);
      return m;
    }
  json_t *text = json_object_get(d->modules, type);
  return text != NULL ? analyse(d, type, text) : NULL;
}

struct module *design_open(struct design *d, const char *path, struct tandem_error *err) {
  json_error_t error;
  const char *name;
  json_t *text;
  d->netlist = json_load_file(path, 0, &error);
  if (d->netlist == NULL) {
    (void)tandem_fail(err, 0, "%s:%d: %s", path, error.line, error.text);
    return NULL;
  }
  d->modules = json_object_get(d->netlist, "modules");
  struct module *top = NULL;
  json_object_foreach(d->modules, name, text) {
    if (json_object_get(json_object_get(text, "attributes"), "top") != NULL) {
      top = design_module(d, name);
      break;
    }
  }
  if (d->no_memory)
    (void)tandem_fail(err, 0, "out of memory");
  else if (top == NULL)
    (void)tandem_fail(err, 0, "%s has no top module", path);
  return d->no_memory ? NULL : top;
}

void design_close(struct design *d) {
  for (struct module *m = d->known, *next; m != NULL; m = next) {
    next = m->next;
    for (unsigned p = 0; p < m->n_pins; p++)
      free(m->pins[p].from);
    free(m->pins);
    free(m->nets);
    free(m->seen);
    free(m->came);
    free(m->queue);
    free(m);
  }
  json_decref(d->netlist);
  *d = (struct design){0};
}
