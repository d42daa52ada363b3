/* The rules of a unit's boundary, on its netlist. */
#include "harness/shim/boundary/boundary.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "csim/ports/facts.h"
#include "csim/ports/units.h"
#include "harness/shim/boundary/design.h"
#include "harness/shim/boundary/elaborate.h"

/* Outputs that may depend on inputs at once. */
static const struct exception {
  const char *unit, *output, *reason;
} exceptions[] = {
    {"cta_dispatch", "give_o", "one dispatcher serves all SMs, which take a CTA in the same cycle"},
    {"cta_dispatch", "split_o", "it is decided with give_o, of the same inputs"},
};

/* True if machines are made of the unit; other units are parts of these. */
static bool is_whole(const char *unit) {
  const struct unit_facts *f = unit_facts_of(unit);
  return f != NULL && f->machine != NULL;
}

/* ---- faults ---- */

enum {
  MORE = 24, /* bytes kept for the number of the faults that are not said */
  LINE = 100 /* bytes of a short fault */
};

/* True if there is room to report the next fault. */
static bool has_room(const struct design *d) {
  return d->faults == d->faults_said && strlen(d->said.text) + LINE + MORE < sizeof d->said.text;
}

void design_fault(struct design *d, const char *format, ...) {
  char line[sizeof d->said.text];
  const size_t n = strlen(d->said.text), room = sizeof d->said.text - MORE - n;
  va_list args;
  va_start(args, format);
  const int length = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  /* The first one is said in any case, the others whole and in their order. */
  if (d->faults++ == 0 || (d->faults_said == d->faults - 1 && (size_t)length + 1 < room)) {
    (void)snprintf(d->said.text + n, room, "%s%s", n != 0 ? "\n" : "", line);
    d->faults_said++;
  }
}

/* Adds the number of those that had no room. */
static enum boundary_verdict verdict(struct design *d, struct tandem_error *err) {
  const unsigned more = d->faults - d->faults_said;
  if (more != 0)
    (void)tandem_fail(err, 0, "%s\nand %u more", d->said.text, more);
  else
    (void)tandem_fail(err, 0, "%s", d->said.text);
  return d->faults != 0 ? BOUNDARY_BROKEN : BOUNDARY_GOOD;
}

/* ---- ports ---- */

/* The tables of a unit, and how wide its ports are. */
struct unit {
  const char *name;
  const struct port_desc *in, *out;
  const struct ports_table *member; /* of a cluster's; NULL: it is none */
  unsigned members, most;           /* of a cluster */
  unsigned lanes;                   /* of large warps; 0: warps are not large */
};

/* Finds the tables that the request is about. */
static bool find_unit(const struct boundary_request *r, struct unit *u, struct tandem_error *err) {
  const struct unit_facts *f = unit_facts_of(r->unit);
  const struct ports_table *t = ports_table_of(r->unit);
  if (f == NULL || t == NULL) {
    (void)tandem_fail(err, 0, "%s is no unit of csim/ports/units.def", r->unit);
    return false;
  }
  *u = (struct unit){.name = f->name, .in = t->in, .out = t->out};
  if (f->member != NULL) {
    u->member = ports_table_of(f->member);
    u->most = f->most;
    u->members = elaborate_number(r->parameters, "Members");
    if (u->members == 0) {
      (void)tandem_fail(err, 0, "%s needs the parameter Members=2 to %u", f->name, f->most);
      return false;
    }
  }
  const unsigned lanes = elaborate_number(r->parameters, "WarpSize");
  if (strcmp(u->name, "sm_frontend") == 0 && (lanes == 64 || lanes == 128)) {
    u->in = sm_frontend_wide_ports.in;
    u->out = sm_frontend_wide_ports.out;
    u->lanes = lanes;
  }
  return true;
}

static bool named(const char *name, const char *suffix, const char *pin) {
  const size_t n = strlen(name);
  return strncmp(pin, name, n) == 0 && strcmp(pin + n, suffix) == 0;
}

/* Compares the pin of a line of a ports table, which may have either width. */
static void check_port(struct design *d, struct module *m, const char *name, bool out, size_t width,
                       size_t or_width) {
  for (unsigned p = 0; p < m->n_pins; p++) {
    struct pin *pin = &m->pins[p];
    if (!named(name, out ? "_o" : "_i", pin->name))
      continue;
    const size_t bits = json_array_size(pin->bits);
    if (bits != width && bits != or_width)
      design_fault(d, "%s: %s: %zu bits, in the ports table %zu", m->name, pin->name, bits, width);
    if (pin->out != out)
      design_fault(d, "%s: %s: its direction is not that of the ports table", m->name, pin->name);
    pin->known = true;
    return;
  }
  design_fault(d, "%s: no port %s%s, which the ports table has", m->name, name, out ? "_o" : "_i");
}

/* Compares the pins of a table: of the unit, or of each of its members.  Own ports of a cluster of
 * fewer than most have the lower bits, if one a member.  A line X_hi has the lanes of X above the
 * lower 64. */
static void check_table(struct design *d, struct module *m, const struct unit *u,
                        const struct port_desc *line, bool out, bool each) {
  const struct port_desc *upper;
  for (; line->name != NULL; line++) {
    size_t width = (size_t)line->width * line->count, or_width;
    const size_t n = strlen(line->name);
    if (n > 3 && strcmp(line->name + n - 3, "_hi") == 0)
      continue;
    for (upper = line; upper->name != NULL; upper++)
      if (named(line->name, "_hi", upper->name))
        width += u->lanes - 64;
    or_width = width;
    if (each)
      or_width = width *= u->members;
    else if (u->members != 0)
      or_width = width * u->members / u->most;
    check_port(d, m, line->name, out, width, or_width);
  }
}

static void check_ports(struct design *d, struct module *m, const struct unit *u) {
  check_table(d, m, u, u->in, false, false);
  check_table(d, m, u, u->out, true, false);
  if (u->members != 0) {
    check_table(d, m, u, u->member->in, false, true);
    check_table(d, m, u, u->member->out, true, true);
  }
  for (unsigned p = 0; p < m->n_pins; p++) {
    const struct pin *pin = &m->pins[p];
    const bool clock = design_is(pin->name, (const char *const[]){"clk_i", "noc_clk_i", NULL});
    const bool reset = strcmp(pin->name, "rst_ni") == 0;
    if (!pin->known && !clock && !reset)
      design_fault(d, "%s: the port %s is not in the ports table", m->name, pin->name);
    if (pin->clocks && !clock)
      design_fault(d, "%s: %s clocks state", m->name, pin->name);
    if (pin->resets && !reset)
      design_fault(d, "%s: %s resets state", m->name, pin->name);
  }
}

/* ---- paths ---- */

static void check_output(struct design *d, struct module *m, const struct pin *out) {
  const struct exception *e = exceptions, *end = e + sizeof exceptions / sizeof *e;
  char trail[TRAIL];
  bool any = false;
  while (e < end && (strcmp(e->unit, m->name) != 0 || strcmp(e->output, out->name) != 0))
    e++;
  for (unsigned i = 0; i < m->n_pins; i++) {
    if (!out->from[i])
      continue;
    trail[0] = '\0';
    if (e == end && !any && has_room(d))
      design_trail(d, m, &m->pins[i], out, trail);
    any = true;
    if (e == end)
      design_fault(d, "%s: %s depends on %s without a register%s", m->name, out->name,
                   m->pins[i].name, trail);
  }
  if (e < end && !any)
    design_fault(d, "%s: %s is registered and needs no exception", m->name, out->name);
}

enum boundary_verdict boundary_check(const struct boundary_request *r, struct tandem_error *err) {
  char path[BOUNDARY_PATH];
  struct design d = {0};
  struct unit u;
  if (err != NULL)
    err->text[0] = '\0';
  if (!find_unit(r, &u, err))
    return BOUNDARY_FAILED;
  enum boundary_verdict result = elaborate(r, err);
  if (result != BOUNDARY_GOOD)
    return result;
  (void)snprintf(path, sizeof path, "%s/boundary.json", r->folder);
  struct module *m = design_open(&d, path, err);
  result = BOUNDARY_FAILED;
  if (m != NULL) {
    check_ports(&d, m, &u);
    for (unsigned p = 0; p < m->n_pins && is_whole(u.name); p++)
      if (m->pins[p].out)
        check_output(&d, m, &m->pins[p]);
    result = verdict(&d, err);
  }
  design_close(&d);
  return result;
}
