/* The graph of a netlist: from which inputs an output comes, and which clocks and resets its state
 * has. */
#include <string.h>

#include "harness/shim/boundary/design.h"

/* ---- paths ---- */

/* Nets of a walk, in the order of their distance from the output. */
struct frontier {
  struct module *m;
  size_t first, end; /* of m->queue: those whose drivers are still to be looked at */
};

/* Adds the nets of bits that were not reached yet; from: the net that they drive, NULL: none. */
static void reach(struct frontier *f, json_t *bits, const struct net *from) {
  struct module *m = f->m;
  size_t i;
  json_t *bit;
  json_array_foreach(bits, i, bit) {
    const struct net *n = module_net(m, bit);
    const size_t index = n != NULL ? (size_t)(n - m->nets) : 0;
    if (n == NULL || m->seen[index] == m->walk)
      continue;
    m->seen[index] = m->walk;
    m->came[index] = from != NULL ? (size_t)(from - m->nets) : index;
    m->queue[f->end++] = index;
  }
}

/* Goes on at the inputs of the net's driver. */
static void reach_driver(struct design *d, struct frontier *f, const struct net *n) {
  const char *port;
  json_t *bits;
  if (n->cell == NULL || cell_is_flop(n->cell))
    return;
  struct module *child = design_module(d, cell_type(n->cell));
  const struct pin *out = child != NULL ? module_pin(child, n->port) : NULL;
  json_object_foreach(json_object_get(n->cell, "connections"), port, bits) {
    if (cell_drives(n->cell, port))
      continue;
    const struct pin *in = child != NULL ? module_pin(child, port) : NULL;
    if (out == NULL || in == NULL || out->from[in - child->pins])
      reach(f, bits, n);
  }
}

void design_walk(struct design *d, struct module *m, const struct pin *out) {
  struct frontier f = {.m = m};
  m->walk++;
  reach(&f, out->bits, NULL);
  while (f.first < f.end) {
    const struct net *n = &m->nets[m->queue[f.first++]];
    if (n->pin >= 0)
      out->from[n->pin] = true;
    reach_driver(d, &f, n);
  }
}

/* ---- clocks and resets ---- */

enum {
  GATES = 12 /* that a clock may pass, with the ports between them: logic may go round in circles */
};

static int clock_of(struct design *d, struct module *m, json_t *bit, unsigned depth);

/* The net's only bit if it has one; a clock is no vector. */
static json_t *only(json_t *bits) {
  return json_array_size(bits) == 1 ? json_array_get(bits, 0) : NULL;
}

/* The input pin behind an instance's output, through its gates; -1: none. */
static int clock_through(struct design *d, struct module *m, const struct net *n,
                         struct module *child, unsigned depth) {
  const struct pin *out = module_pin(child, n->port);
  const int in = out != NULL ? clock_of(d, child, only(out->bits), depth) : -1;
  return in < 0 ? -1 : clock_of(d, m, only(cell_bits(n->cell, child->pins[in].name)), depth);
}

/* The input pin that a clock comes from, through gates; -1: none. */
static int clock_of(struct design *d, struct module *m, json_t *bit, unsigned depth) {
  const struct net *n = module_net(m, bit);
  if (n == NULL || depth == GATES)
    return -1;
  if (n->cell == NULL)
    return n->pin;
  struct module *child = design_module(d, cell_type(n->cell));
  if (child != NULL)
    return clock_through(d, m, n, child, depth + 1);
  if (strcmp(cell_type(n->cell), "$and") != 0)
    return -1;
  const char *sides[] = {"A", "B"};
  for (unsigned i = 0; i < 2; i++) {
    json_t *clock = only(cell_bits(n->cell, sides[i]));
    json_t *enable = only(cell_bits(n->cell, sides[1 - i]));
    const struct net *e = module_net(m, enable);
    /* The gate's register takes its enable while the clock, a pin, is low. */
    if (e == NULL || e->cell == NULL || e->readers != 1 || !cell_is_flop(e->cell) ||
        cell_parameter(e->cell, "CLK_POLARITY"))
      continue;
    const int pin = clock_of(d, m, clock, depth + 1);
    if (pin >= 0 && clock_of(d, m, only(cell_bits(e->cell, "CLK")), depth + 1) == pin)
      return pin;
  }
  return -1;
}

/* True if a register serves a clock gate and nothing else: its only reader is an AND that clock_of
 * takes for one. */
static bool serves_gate(struct design *d, struct module *m, json_t *cell) {
  json_t *q = cell_bits(cell, "Q"), *other;
  const char *key;
  const struct net *n = module_net(m, only(q));
  if (n == NULL || n->readers != 1)
    return false;
  json_object_foreach(m->cells, key, other) {
    if (strcmp(cell_type(other), "$and") != 0)
      continue;
    if ((json_equal(cell_bits(other, "A"), q) || json_equal(cell_bits(other, "B"), q)) &&
        clock_of(d, m, only(cell_bits(other, "Y")), 0) >= 0)
      return true;
  }
  return false;
}

/* A cell that is checked. */
struct part {
  struct module *m;
  const char *name;
  json_t *cell;
};

static void complain(struct design *d, const struct part *p, const char *what) {
  char place[PLACE];
  design_place(p->m, p->name, p->cell, place);
  design_fault(d, "%s: %s: %s", p->m->name, place, what);
}

/* Notes the clock pins behind the bits. */
static void use_clock(struct design *d, const struct part *p, json_t *bits) {
  size_t i;
  json_t *bit;
  bool good = json_array_size(bits) != 0;
  json_array_foreach(bits, i, bit) {
    const int pin = clock_of(d, p->m, bit, 0);
    good &= pin >= 0;
    if (pin >= 0)
      p->m->pins[pin].clocks = true;
  }
  if (!good)
    complain(d, p, "its clock is no input's, gated or not");
}

static void use_reset(struct design *d, const struct part *p, json_t *bits) {
  size_t i;
  json_t *bit;
  bool good = json_array_size(bits) != 0;
  json_array_foreach(bits, i, bit) {
    const struct net *n = module_net(p->m, bit);
    const bool input = n != NULL && n->pin >= 0;
    good &= input;
    if (input)
      p->m->pins[n->pin].resets = true;
  }
  if (!good)
    complain(d, p, "its reset is no input");
}

/* An instance needs the clocks and resets of its module. */
static void check_instance(struct design *d, const struct part *p, const struct module *child) {
  for (unsigned i = 0; i < child->n_pins; i++) {
    json_t *bits = cell_bits(p->cell, child->pins[i].name);
    if (child->pins[i].clocks)
      use_clock(d, p, bits);
    if (child->pins[i].resets)
      use_reset(d, p, bits);
  }
}

void design_check_state(struct design *d, struct module *m, const char *name, json_t *cell) {
  const struct part p = {m, name, cell};
  struct module *child = design_module(d, cell_type(cell));
  char what[PLACE + 100];
  if (child != NULL) {
    check_instance(d, &p, child);
  } else if (cell_is_flop(cell) || cell_is_write(cell)) {
    if (cell_is_write(cell) && !cell_parameter(cell, "CLK_ENABLE"))
      complain(d, &p, "a memory that is written without a clock");
    else if (!cell_parameter(cell, "CLK_POLARITY") && !serves_gate(d, m, cell))
      complain(d, &p, "changes at the falling edge of its clock");
    else
      use_clock(d, &p, cell_bits(cell, "CLK"));
    if (cell_bits(cell, "ARST") != NULL) {
      if (cell_parameter(cell, "ARST_POLARITY"))
        complain(d, &p, "its reset is active high");
      use_reset(d, &p, cell_bits(cell, "ARST"));
    }
  } else if (cell_is_read(cell)) {
    if (cell_parameter(cell, "CLK_ENABLE"))
      complain(d, &p, "a memory that is read at a clock edge");
  } else if (!cell_is_logic(cell)) {
    (void)snprintf(what, sizeof what, "a cell %s, which is no flip-flop and no logic",
                   cell_type(cell));
    complain(d, &p, what);
  }
}
