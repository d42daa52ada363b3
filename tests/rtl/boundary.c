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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/ports/tables.h"
#include "tests/rtl/boundary.h"

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

static unsigned faults;

void fault(const char *format, ...) {
  va_list args;
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  putchar('\n');
  faults++;
}

void give_up(const char *format, ...) {
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  exit(2);
}

bool is(const char *name, const char *list[]) {
  for (; *list != NULL; list++)
    if (strcmp(name, *list) == 0)
      return true;
  return false;
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
    size_t width = (size_t)d->width * d->count, or_width;
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
  const struct module *m = summary(netlist_read(argv[1]));
  check_ports(m, u, argc == 4 ? (unsigned)strtoul(argv[3], NULL, 10) : 0);
  if (is(u->name, wholes))
    check_paths(m);
  return faults != 0;
}
