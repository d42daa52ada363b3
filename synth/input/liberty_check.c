/* Structure of a Liberty file: what its own groups need, and what the tools would leave out in
 * silence if it is missing. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/input/liberty.h"

/* A cell whose parts are checked. */
struct part {
  struct liberty_tree *t; /* gets loose */
  const struct liberty_node *cell;
  bool logic; /* it has times, and an output with a function: no macro */
  struct tandem_error *err;
};

/* A name of a pin within a text, without the range after it. */
struct name {
  const char *at;
  size_t n;
};

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The next name of a text from *at on, ranges and numbers left out; of a list of pins the names may
 * have any characters.  False: there is none. */
static bool next_name(const struct liberty_word *w, bool list, size_t *at, struct name *name) {
  size_t i = *at;
  for (; i < w->n; i++) {
    const size_t start = i;
    if (strchr("[<", w->at[i]) != NULL)
      while (i + 1 < w->n && strchr("]>", w->at[i]) == NULL)
        i++;
    while (i < w->n && (list ? !isspace((unsigned char)w->at[i]) && strchr("[<", w->at[i]) == NULL
                             : is_name(w->at[i])))
      i++;
    if (i > start && strchr("[<", w->at[start]) == NULL &&
        (list || !isdigit((unsigned char)w->at[start]))) {
      *name = (struct name){w->at + start, i - start};
      *at = i;
      return true;
    }
  }
  return false;
}

static bool is_port(const struct liberty_node *n) {
  return liberty_group(n, "pin") || liberty_group(n, "bus") || liberty_group(n, "bundle");
}

/* One of a group's words, up to a range, is this name. */
static bool named(const struct liberty_tree *t, const struct liberty_node *n,
                  const struct name *name) {
  bool found = false;
  for (size_t i = 0; i < n->nwords; i++) {
    const struct liberty_word *w = liberty_word(t, n, i);
    found |= w->n >= name->n && strncmp(w->at, name->at, name->n) == 0 &&
             (w->n == name->n || strchr("[<", w->at[name->n]) != NULL);
  }
  return found;
}

/* The port of a name below a node.  NULL: there is none. */
static const struct liberty_node *port_of(const struct liberty_tree *t,
                                          const struct liberty_node *in, const struct name *name) {
  LIBERTY_EACH(t, n, in) {
    const struct liberty_node *below = is_port(n) ? port_of(t, n, name) : NULL;
    if (below != NULL || (is_port(n) && named(t, n, name)))
      return below != NULL ? below : n;
  }
  return NULL;
}

/* The cell has a pin, a state or a supply of this name. */
static bool known(const struct part *p, const struct name *name) {
  LIBERTY_EACH(p->t, n, p->cell) {
    const bool state = liberty_storage(n) || liberty_group(n, "pg_pin");
    const struct liberty_word *states = liberty_word(p->t, n, 1); /* of a statetable */
    struct name one;
    if (state && named(p->t, n, name))
      return true;
    for (size_t at = 0; state && next_name(states, true, &at, &one);)
      if (one.n == name->n && strncmp(one.at, name->at, one.n) == 0)
        return true;
  }
  return port_of(p->t, p->cell, name) != NULL;
}

/* Checks that the cell has all names of an attribute, if there is one. */
static int names_check(const struct part *p, const struct liberty_node *in, const char *attribute,
                       bool list) {
  const struct liberty_word *w = liberty_value(p->t, in, attribute);
  struct name name;
  for (size_t at = 0; w != NULL && next_name(w, list, &at, &name);)
    if (!known(p, &name))
      return liberty_wrong(p->t, in->line, p->err, "%s names %.*s, which is no pin of the cell",
                           attribute, (int)(name.n < 40 ? name.n : 40), name.at);
  return 0;
}

static bool has(const struct part *p, const struct liberty_node *in, const char *name) {
  LIBERTY_EACH(p->t, n, in)
  if (liberty_is(&n->name, name))
    return true;
  return false;
}

/* ---- times ---- */

static const char *const related[] = {"related_pin", "related_bus_pins", "related_bus_equivalent"};
enum { RELATED = sizeof related / sizeof *related };

/* Tables of a kind of times: a delay with its slope for each edge of the output, or constraints. */
enum tables { RISE = 1, FALL = 2, BOTH = 3, CONSTRAINT = 4, EITHER = 8, ANY = 16 };
static const struct type {
  const char *name; /* before one of the endings */
  unsigned tables;
} types[] = {
    {"combinational_rise", RISE},
    {"combinational_fall", FALL},
    {"combinational", BOTH},
    {"rising_edge", BOTH},
    {"falling_edge", BOTH},
    {"preset", EITHER},
    {"clear", EITHER},
    {"three_state_disable", EITHER},
    {"three_state_enable", EITHER},
    {"setup_", CONSTRAINT | BOTH},
    {"hold_", CONSTRAINT | EITHER},
    {"recovery_", CONSTRAINT | EITHER},
    {"removal_", CONSTRAINT | EITHER},
    {"skew_", CONSTRAINT | EITHER},
    {"non_seq_setup_", CONSTRAINT | EITHER},
    {"non_seq_hold_", CONSTRAINT | EITHER},
    {"nochange_", CONSTRAINT | EITHER},
    {"min_pulse_width", ANY}, /* of the pin itself */
    {"minimum_period", ANY},
    {"max_clock_tree_path", ANY},
    {"min_clock_tree_path", ANY},
};

static const struct type *type_of(const struct liberty_tree *t, const struct liberty_node *timing) {
  static const char *const endings[] = {"",          "rising",   "falling",  "_rise",  "_fall",
                                        "high_high", "high_low", "low_high", "low_low"};
  const struct liberty_word *w = liberty_value(t, timing, "timing_type");
  char text[64];
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
      snprintf(text, sizeof text, "%s%s", types[i].name, endings[k]);
      if (w == NULL ? strcmp(text, "combinational") == 0 : liberty_is(w, text))
        return &types[i];
    }
  return NULL;
}

/* Checks the tables of one edge; figures of a macro may lack the slopes. */
static bool edge(const struct part *p, const struct liberty_node *n, bool rise, unsigned tables,
                 const char **lacks) {
  if (has(p, n, rise ? "intrinsic_rise" : "intrinsic_fall"))
    return true;
  *lacks = (tables & CONSTRAINT) != 0 ? rise ? "rise_constraint" : "fall_constraint"
           : rise                     ? "cell_rise"
                                      : "cell_fall";
  if (!has(p, n, *lacks))
    return false;
  if ((tables & (CONSTRAINT | EITHER)) != 0 || !p->logic)
    return true;
  *lacks = rise ? "rise_transition" : "fall_transition";
  return has(p, n, *lacks);
}

static int table(const struct part *p, const struct liberty_node *n,
                 const struct liberty_node *in) {
  (void)in;
  return liberty_table(p->t, n, p->err);
}

static int timing(const struct part *p, const struct liberty_node *n,
                  const struct liberty_node *in) {
  const struct type *type = type_of(p->t, n);
  const char *lacks = "";
  bool any = false;
  (void)in;
  if (type == NULL)
    return liberty_wrong(p->t, n->line, p->err, "timing_type is none that Liberty has");
  for (size_t i = 0; i < RELATED; i++) {
    const struct liberty_word *w = liberty_value(p->t, n, related[i]);
    const int status = names_check(p, n, related[i], true);
    if (status != 0)
      return status;
    any |= w != NULL && w->n > 0;
  }
  if (type->tables == ANY)
    return 0;
  if (!any)
    return liberty_wrong(p->t, n->line, p->err,
                         "a timing group without related_pin: no tool would use its times");
  const bool rise = edge(p, n, true, type->tables, &lacks);
  const bool good = (type->tables & EITHER) != 0 ? rise || edge(p, n, false, type->tables, &lacks)
                                                 : ((type->tables & RISE) == 0 || rise) &&
                                                       ((type->tables & FALL) == 0 ||
                                                        edge(p, n, false, type->tables, &lacks));
  return good ? 0
              : liberty_wrong(p->t, n->line, p->err, "a timing group of type %s without %s",
                              type->name, lacks);
}

/* A timing group below a node, of a type that begins so, is related to this pin. */
static bool related_to(const struct part *p, const struct liberty_node *in, const char *type,
                       const struct name *pin) {
  LIBERTY_EACH(p->t, n, in) {
    if (n->kind == LIBERTY_GROUP && !liberty_group(n, "timing") && related_to(p, n, type, pin))
      return true;
    const struct liberty_word *is = liberty_value(p->t, n, "timing_type");
    if (!liberty_group(n, "timing") ||
        (*type != '\0' &&
         (is == NULL || is->n < strlen(type) || memmem(is->at, is->n, type, strlen(type)) == NULL)))
      continue;
    for (size_t i = 0; i < RELATED; i++) {
      const struct liberty_word *w = liberty_value(p->t, n, related[i]);
      struct name name;
      for (size_t at = 0; w != NULL && next_name(w, true, &at, &name);)
        if (pin == NULL || (name.n == pin->n && strncmp(name.at, pin->at, name.n) == 0))
          return true;
    }
  }
  return false;
}

/* ---- pins ---- */

static int bus_check(const struct part *p, const struct liberty_node *n) {
  const struct liberty_word *type = liberty_value(p->t, n, "bus_type");
  const struct liberty_node *found = liberty_type(p->t, p->cell, type);
  if (type == NULL)
    return liberty_wrong(p->t, n->line, p->err, "a bus without bus_type");
  if (found == NULL)
    return liberty_wrong(p->t, n->line, p->err, "bus_type is %.*s, but there is no such type",
                         (int)(type->n < 40 ? type->n : 40), type->at);
  static const char *const needs[] = {"bit_width", "bit_from", "bit_to"};
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
    if (!has(p, found, needs[i]))
      return liberty_wrong(p->t, found->line, p->err, "a type without %s", needs[i]);
  return 0;
}

/* Checks that each input of a function has times to the output. */
static int arcs(const struct part *p, const struct liberty_node *n, const struct liberty_node *in) {
  const struct liberty_word *function = liberty_value(p->t, n, "function");
  struct name name;
  for (size_t at = 0; function != NULL && next_name(function, false, &at, &name);) {
    if (!related_to(p, n, "", &name) && !(is_port(in) && related_to(p, in, "", &name)))
      return liberty_wrong(p->t, n->line, p->err,
                           "the function depends on %.*s, but no timing group is related to it",
                           (int)(name.n < 40 ? name.n : 40), name.at);
  }
  return 0;
}

/* A load of 0 that nobody stated would be a fast one. */
static bool has_load(const struct part *p, const struct liberty_node *n) {
  return has(p, n, "capacitance") || has(p, n, "rise_capacitance") ||
         has(p, p->t->nodes, "default_input_pin_cap");
}

/* A pin of a bus or a bundle, `in`, has what that has. */
static int port(const struct part *p, const struct liberty_node *n, const struct liberty_node *in) {
  static const char *const directions[] = {"input", "output", "inout", "internal"};
  static const char *const functions[] = {"function", "state_function", "three_state"};
  const struct liberty_word *direction = liberty_value(p->t, n, "direction");
  int status = liberty_group(n, "bus") ? bus_check(p, n) : 0;
  bool found = false, stored = false;
  if (direction == NULL)
    direction = liberty_value(p->t, in, "direction");
  for (size_t i = 0; direction != NULL && i < 4; i++)
    found |= liberty_is(direction, directions[i]);
  if (status == 0 && n->nwords == 0)
    return liberty_wrong(p->t, n->line, p->err, "a pin without a name");
  if (status == 0 && !found && !has(p, n, "pin"))
    return liberty_wrong(p->t, n->line, p->err, "a pin without a direction, which is one of %s",
                         "input, output, inout and internal");
  if (status == 0 && p->logic && found && liberty_is(direction, "input") && !has(p, n, "pin") &&
      !has_load(p, n) && !has_load(p, in))
    return liberty_wrong(p->t, n->line, p->err,
                         "an input without capacitance, and no default_input_pin_cap");
  for (size_t i = 0; status == 0 && i < 3; i++)
    status = names_check(p, n, functions[i], false);
  LIBERTY_EACH(p->t, c, p->cell)
  stored |= liberty_storage(c);
  return status != 0 || stored || !p->logic ? status : arcs(p, n, in);
}

/* ---- registers ---- */

/* Checks the names of a register; that its clock has times to an output, and its data before the
 * clock. */
static int storage(const struct part *p, const struct liberty_node *n,
                   const struct liberty_node *in) {
  static const char *const names[] = {"clocked_on", "next_state", "enable",         "data_in",
                                      "clear",      "preset",     "clocked_on_also"};
  const bool flip_flop = liberty_group(n, "ff") || liberty_group(n, "ff_bank");
  const char *const *needs = flip_flop ? names : names + 2;
  (void)in;
  if (flip_flop || has(p, n, needs[0]) || has(p, n, needs[1]))
    for (size_t i = 0; i < 2; i++)
      if (!has(p, n, needs[i]))
        return liberty_wrong(p->t, n->line, p->err, "a %s without %s",
                             flip_flop ? "flip-flop" : "latch", needs[i]);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const int status = names_check(p, n, names[i], false);
    if (status != 0)
      return status;
  }
  const struct liberty_word *data = liberty_value(p->t, n, "next_state");
  struct name name;
  for (size_t at = 0; p->logic && data != NULL && next_name(data, false, &at, &name);) {
    const struct liberty_node *pin = port_of(p->t, p->cell, &name);
    if (pin != NULL && !related_to(p, pin, "setup", NULL))
      return liberty_wrong(p->t, pin->line, p->err, "next_state depends on %.*s, which has no %s",
                           (int)(name.n < 40 ? name.n : 40), name.at, "timing group of set-up");
  }
  return !flip_flop || !p->logic || related_to(p, p->cell, "_edge", NULL)
             ? 0
             : liberty_wrong(p->t, n->line, p->err,
                             "no output of the flip-flop has times after its clock");
}

static int leakage(const struct part *p, const struct liberty_node *n,
                   const struct liberty_node *in) {
  double v;
  (void)in;
  return liberty_number(liberty_value(p->t, n, "value"), &v)
             ? 0
             : liberty_wrong(p->t, n->line, p->err, "a leakage_power without value");
}

/* Times and tables come first: registers and functions need them. */
enum { PASSES = 2 };
static const struct {
  const char *group;
  int (*check)(const struct part *, const struct liberty_node *, const struct liberty_node *in);
  unsigned pass;
} rules[] = {
    {"timing", timing, 0},
    {"leakage_power", leakage, 0},
    {"cell_rise", table, 0},
    {"cell_fall", table, 0},
    {"rise_transition", table, 0},
    {"fall_transition", table, 0},
    {"rise_constraint", table, 0},
    {"fall_constraint", table, 0},
    {"rise_power", table, 0},
    {"fall_power", table, 0},
    {"power", table, 0},
    {"pin", port, 1},
    {"bus", port, 1},
    {"bundle", port, 1},
    {"ff", storage, 1},
    {"ff_bank", storage, 1},
    {"latch", storage, 1},
    {"latch_bank", storage, 1},
};

static int parts(const struct part *p, const struct liberty_node *in, unsigned pass) {
  LIBERTY_EACH(p->t, n, in) {
    int status = 0;
    for (size_t i = 0; status == 0 && i < sizeof rules / sizeof *rules; i++)
      if (pass == rules[i].pass && liberty_group(n, rules[i].group))
        status = rules[i].check(p, n, in);
    if (status == 0 && n->kind == LIBERTY_GROUP && !liberty_group(n, "test_cell"))
      status = parts(p, n, pass);
    if (status != 0)
      return status;
  }
  return 0;
}

/* Checks that the file has all its contents, and the operating conditions that it names. */
static int whole(const struct liberty_tree *t, struct tandem_error *err) {
  const struct liberty_word *w = liberty_value(t, t->nodes, "default_operating_conditions");
  const struct name name = {w != NULL ? w->at : "", w != NULL ? w->n : 0};
  bool found = w == NULL, voltage = w == NULL;
  for (size_t i = 0; i < t->nnodes; i++)
    if (liberty_is(&t->nodes[i].name, "include_file"))
      return liberty_wrong(t, t->nodes[i].line, err,
                           "include_file is not followed: put the file's text in its place");
  LIBERTY_EACH(t, n, t->nodes)
  if (liberty_group(n, "operating_conditions") && named(t, n, &name)) {
    found = true;
    voltage = liberty_value(t, n, "voltage") != NULL;
  }
  return found && voltage
             ? 0
             : liberty_wrong(t, t->nodes[0].line, err,
                             "default_operating_conditions are \"%.*s\", but there is no %s",
                             (int)(name.n < 40 ? name.n : 40), name.at,
                             found ? "voltage in them" : "such group");
}

int liberty_check(struct liberty *l, struct tandem_error *err) {
  int status = 0;
  for (size_t i = 0; status == 0 && i < l->ntrees; i++)
    status = whole(&l->trees[i], err);
  for (size_t i = 0; status == 0 && i < l->ncells; i++) {
    const struct liberty_cell *c = &l->cells[i];
    struct part p = {&l->trees[c->tree - l->trees], c->node, false, err};
    LIBERTY_EACH(p.t, n, c->node)
    p.logic |= c->timed && is_port(n) && (has(&p, n, "function") || has(&p, n, "state_function"));
    for (unsigned pass = 0; status == 0 && pass < PASSES; pass++)
      status = parts(&p, c->node, pass);
  }
  return status;
}
