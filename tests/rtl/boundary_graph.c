/* The graph of a netlist: from which inputs an output comes, and which clocks and resets its state
 * has. */
#include <string.h>

#include "tests/rtl/boundary.h"

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

void find_paths(struct module *m, struct pin *out) {
  m->walk++;
  walk_bits(m, out->bits, out->from);
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

void check_state(struct module *m, const char *name, json_t *cell) {
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
