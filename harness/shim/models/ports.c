/* The ports of a verilated model against the ports table of its unit. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/ports/facts.h"
#include "csim/util/files.h"
#include "harness/shim/models/local.h"

/* A port of the model: VL_IN8(&name,msb,lsb) in its header. */
struct pin {
  const char *name;
  size_t n; /* of its name */
  bool out;
  unsigned width;
};

/* The next one behind *at; false: there is none. */
static bool next_pin(const char **at, struct pin *p) {
  for (const char *line = *at; (line = strstr(line, "VL_")) != NULL; line++) {
    const bool in = strncmp(line, "VL_IN", 5) == 0, out = strncmp(line, "VL_OUT", 6) == 0;
    const char *open = strchr(line, '(');
    if ((!in && !out) || open == NULL || open[1] != '&')
      continue;
    char *end;
    p->name = open + 2;
    p->n = strcspn(p->name, ",");
    p->out = out;
    const unsigned msb = (unsigned)strtoul(p->name + p->n + 1, &end, 10);
    p->width = msb - (unsigned)strtoul(*end == ',' ? end + 1 : end, &end, 10) + 1;
    *at = end;
    return true;
  }
  return false;
}

static bool is(const struct pin *p, const char *name) {
  return strlen(name) == p->n && strncmp(name, p->name, p->n) == 0;
}

/* Clocks, the reset, the number of the fault or mutant, and whether it acts. */
static bool is_common(const struct pin *p) {
  static const char *const names[] = {"clk_i", "noc_clk_i", "rst_ni", "bug_i", "acts_o"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (is(p, names[i]))
      return true;
  return false;
}

/* How many of what a line of a table describes a port has. */
struct rows {
  unsigned members; /* of a cluster, else 1 */
  unsigned lanes;   /* of a large warp above 64, which the line X_hi has */
  bool each;        /* a row of each member */
  bool free;        /* a part of a unit, whose ports have widths by its parameters */
  unsigned most;    /* of a cluster's own, which may have a bit a member: members at most; else 0 */
};

static int check(const char *unit, const char *header, const struct port_desc *d, bool out,
                 struct rows r, struct tandem_error *err) {
  for (; d->name != NULL; d++) {
    char name[100], upper[100];
    unsigned width = d->width * (unsigned)d->count, or_width;
    const size_t n = strlen(d->name);
    struct pin p;
    const char *at = header;
    bool found = false;
    if (n > 3 && strcmp(d->name + n - 3, "_hi") == 0)
      continue;
    snprintf(upper, sizeof upper, "%s_hi", d->name);
    for (const struct port_desc *u = d; u->name != NULL; u++)
      if (strcmp(u->name, upper) == 0)
        width += r.lanes;
    width *= r.each ? r.members : 1;
    or_width = r.most != 0 ? width * r.members / r.most : width;
    snprintf(name, sizeof name, "%s_%s", d->name, out ? "o" : "i");
    while (!found && next_pin(&at, &p))
      found = is(&p, name);
    if (!found)
      return tandem_fail(err, -EINVAL, "%s has no port %s, which its ports table has (%u bits)",
                         unit, name, width);
    if (p.out != out)
      return tandem_fail(err, -EINVAL, "%s: the port %s is an %s, in the ports table an %s", unit,
                         name, p.out ? "output" : "input", out ? "output" : "input");
    if (p.width != width && p.width != or_width && !r.free)
      return tandem_fail(err, -EINVAL, "%s: the port %s has %u bits, in the ports table %u", unit,
                         name, p.width, width);
  }
  return 0;
}

/* Names the first port that no table has. */
static int check_others(const char *unit, const char *header, const struct ports_table *t,
                        const struct ports_table *member, struct tandem_error *err) {
  struct pin p;
  for (const char *at = header; next_pin(&at, &p);) {
    bool found = is_common(&p);
    for (unsigned k = 0; k < 2; k++)
      for (unsigned out = 0; out < 2 && (k == 0 || member != NULL); out++) {
        const struct ports_table *of = k == 0 ? t : member;
        for (const struct port_desc *d = out ? of->out : of->in; d->name != NULL; d++) {
          char name[100];
          snprintf(name, sizeof name, "%s_%s", d->name, out ? "o" : "i");
          found = found || is(&p, name);
        }
      }
    if (!found)
      return tandem_fail(err, -EINVAL, "%s has a port %.*s (%u bits), which its ports table lacks",
                         unit, (int)p.n, p.name, p.width);
  }
  return 0;
}

int ports_check(const struct model *m, const char *header, struct tandem_error *err) {
  const char *unit = m->spec->unit;
  const struct unit_facts *f = unit_facts_of(unit);
  const char *whole = f != NULL ? f->machine : NULL;
  const unsigned lanes = recipe_parameter(m->spec->parameters, "WarpSize", 32);
  const struct ports_table *t =
      ports_table_of(strcmp(unit, "sm_frontend") == 0 && lanes > 32 ? "sm_frontend_wide" : unit);
  const struct ports_table *member =
      f != NULL && f->member != NULL ? ports_table_of(f->member) : NULL;
  const struct rows own = {
      .members = member != NULL ? recipe_parameter(m->spec->parameters, "Members", 4) : 1,
      .lanes = lanes > 64 ? lanes - 64 : 0,
      .free = whole == NULL && m->spec->parameters != NULL,
      .most = member != NULL ? f->most : 0};
  const struct rows each = {.members = own.members, .each = true};
  if (f == NULL) /* a grid, whose test compares all ports */
    return 0;
  char *text;
  int status = files_read(header, &text, NULL, err);
  if (status == 0)
    status = check(unit, text, t->in, false, own, err);
  if (status == 0)
    status = check(unit, text, t->out, true, own, err);
  if (status == 0 && member != NULL)
    status = check(unit, text, member->in, false, each, err);
  if (status == 0 && member != NULL)
    status = check(unit, text, member->out, true, each, err);
  if (status == 0)
    status = check_others(unit, text, t, member, err);
  free(text);
  return status;
}
