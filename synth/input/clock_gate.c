/* Clock gates of libraries: which cells, and how they are wired. */
#include "synth/input/clock_gate.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "synth/input/liberty_tree.h"

/* Truth tables over the inputs, bit 0 for all low. */
enum { INVERTER = 0x1, AND2 = 0x8 };
enum { NAME = 32 };

/* Pins of an integrated gate, or of a latch: its clock is the pin that opens it. */
struct gate_pins {
  char clock[NAME], enable[NAME], out[NAME];
  char tied[NAME]; /* an input for tests, which stays low; "": none */
  bool low;        /* a latch: open while its clock is low */
};

static bool is_plain(const char *name) {
  return *name != '\0' &&
         name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")] ==
             '\0';
}

/* Text of an attribute, without blanks and parentheses; "": there is none. */
static void attribute(const struct liberty_tree *t, const struct liberty_node *n, const char *name,
                      char *to, size_t size) {
  const struct liberty_word *w = liberty_value(t, n, name);
  size_t k = 0;
  for (size_t i = 0; w != NULL && i < w->n && k + 1 < size; i++)
    if (strchr(" \t()", w->at[i]) == NULL)
      to[k++] = w->at[i];
  to[k] = '\0';
}

static bool is_true(const struct liberty_tree *t, const struct liberty_node *n, const char *name) {
  char text[NAME];
  attribute(t, n, name, text, sizeof text);
  return strcmp(text, "true") == 0;
}

/* Pins of an integrated gate that has no input but these. */
static bool integrated(const struct liberty_cell *c, struct gate_pins *p) {
  char kind[64], direction[NAME], name[NAME];
  memset(p, 0, sizeof *p);
  attribute(c->tree, c->node, "clock_gating_integrated_cell", kind, sizeof kind);
  if (strcmp(kind, "latch_posedge") != 0 && strncmp(kind, "latch_posedge_", 14) != 0)
    return false;
  LIBERTY_EACH(c->tree, n, c->node) {
    if (!liberty_group(n, "pin"))
      continue;
    liberty_copy(liberty_word(c->tree, n, 0), name, sizeof name);
    attribute(c->tree, n, "direction", direction, sizeof direction);
    char *to = is_true(c->tree, n, "clock_gate_clock_pin")    ? p->clock
               : is_true(c->tree, n, "clock_gate_enable_pin") ? p->enable
               : is_true(c->tree, n, "clock_gate_out_pin")    ? p->out
               : is_true(c->tree, n, "clock_gate_test_pin")   ? p->tied
                                                              : NULL;
    if (to != NULL)
      memcpy(to, name, sizeof name);
    else if (strcmp(direction, "input") == 0)
      return false;
  }
  return is_plain(p->clock) && is_plain(p->enable) && is_plain(p->out) &&
         (p->tied[0] == '\0' || is_plain(p->tied));
}

/* The pin of "G", "!G", "~G" or "G'", and whether it is low that counts. */
static bool literal(char *text, bool *low) {
  const size_t n = strlen(text);
  *low = false;
  if (text[0] == '!' || text[0] == '~') {
    memmove(text, text + 1, n);
    *low = true;
  } else if (n > 0 && text[n - 1] == '\'') {
    text[n - 1] = '\0';
    *low = true;
  }
  return is_plain(text);
}

/* Pins of a latch that has no input but an enable and data. */
static bool latch(const struct liberty_cell *c, struct gate_pins *p) {
  char other[NAME], state[NAME] = "", function[NAME];
  bool plain = false, inverted = true;
  memset(p, 0, sizeof *p);
  LIBERTY_EACH(c->tree, n, c->node) {
    if (!liberty_group(n, "latch"))
      continue;
    attribute(c->tree, n, "enable", p->clock, sizeof p->clock);
    attribute(c->tree, n, "data_in", p->enable, sizeof p->enable);
    attribute(c->tree, n, "clear", other, sizeof other);
    plain = other[0] == '\0';
    attribute(c->tree, n, "preset", other, sizeof other);
    plain = plain && other[0] == '\0';
    liberty_copy(liberty_word(c->tree, n, 0), state, sizeof state);
  }
  if (!plain || c->inputs != 2 || !literal(p->clock, &p->low) || !literal(p->enable, &inverted) ||
      inverted)
    return false;
  LIBERTY_EACH(c->tree, n, c->node) {
    if (!liberty_group(n, "pin"))
      continue;
    attribute(c->tree, n, "function", function, sizeof function);
    if (function[0] != '\0' && strcmp(function, state) == 0)
      liberty_copy(liberty_word(c->tree, n, 0), p->out, sizeof p->out);
  }
  return is_plain(p->out);
}

/* Smallest cell with pins of this kind; without area comes last.  A latch that is open while its
 * clock is low comes before one that needs an inverter. */
static const struct liberty_cell *
smallest(const struct liberty *l, bool (*kind)(const struct liberty_cell *, struct gate_pins *),
         struct gate_pins *pins) {
  const struct liberty_cell *found = NULL;
  struct gate_pins p;
  for (size_t i = 0; i < l->ncells; i++) {
    const struct liberty_cell *c = &l->cells[i];
    if (!c->sequential || !c->timed || !is_plain(c->name) || !kind(c, &p))
      continue;
    const bool better = found == NULL                        ? true
                        : p.low != pins->low                 ? p.low
                        : (c->area > 0) != (found->area > 0) ? c->area > 0
                                                             : c->area < found->area;
    if (!better)
      continue;
    found = c;
    *pins = p;
  }
  return found;
}

static const struct liberty_cell *with_table(const struct liberty *l, unsigned inputs,
                                             unsigned table) {
  const struct liberty_cell *found = NULL;
  for (size_t i = 0; i < l->ncells; i++) {
    const struct liberty_cell *c = &l->cells[i];
    if (c->inputs == inputs && c->table == table && c->area > 0 && c->timed && is_plain(c->name) &&
        is_plain(c->output) && c->nports == inputs + 1 && (found == NULL || c->area < found->area))
      found = c;
  }
  return found;
}

/* Input i of a cell that has one output. */
static const char *input(const struct liberty_cell *c, unsigned i) {
  for (size_t k = 0; k < c->nports; k++)
    if (strcmp(c->ports[k].name, c->output) != 0 && i-- == 0)
      return c->ports[k].name;
  return "";
}

static void of_one(struct clock_gate *g, const struct liberty_cell *c, const struct gate_pins *p) {
  char test[NAME + 16] = "", port[NAME + 16] = "";
  memcpy(g->latch, c->name, sizeof g->latch);
  g->levels = 1;
  snprintf(g->cells, sizeof g->cells, "%s", c->name);
  if (p->tied[0] != '\0') {
    snprintf(test, sizeof test, ", .%s(1'b0)", p->tied);
    snprintf(port, sizeof port, ", input %s", p->tied);
  }
  snprintf(g->rule, sizeof g->rule,
           "module tandem_clock_gate (input C, input E, output G);\n"
           "  %s u_gate (.%s(C), .%s(E)%s, .%s(G));\nendmodule\n",
           c->name, p->clock, p->enable, test, p->out);
  snprintf(g->model, sizeof g->model,
           "module %s (input %s, input %s%s, output %s);\n  reg open;\n"
           "  always @* if (!%s) open = %s%s%s;\n  assign %s = %s & open;\nendmodule\n",
           c->name, p->clock, p->enable, port, p->out, p->clock, p->enable,
           p->tied[0] != '\0' ? " | " : "", p->tied, p->out, p->clock);
}

static void of_latch(struct clock_gate *g, const struct liberty_cell *c, const struct gate_pins *p,
                     const struct liberty_cell *and2, const struct liberty_cell *inverter) {
  char low[2 * 64 + 40] = "";
  memcpy(g->latch, c->name, sizeof g->latch);
  g->levels = 2;
  snprintf(g->cells, sizeof g->cells, "%s and %s%s%s", c->name, and2->name, p->low ? "" : ", with ",
           p->low ? "" : inverter->name);
  if (!p->low)
    snprintf(low, sizeof low, "  wire low;\n  %s u_low (.%s(C), .%s(low));\n", inverter->name,
             input(inverter, 0), inverter->output);
  snprintf(g->rule, sizeof g->rule,
           "module tandem_clock_gate (input C, input E, output G);\n  wire open;\n%s"
           "  %s u_latch (.%s(%s), .%s(E), .%s(open));\n"
           "  %s u_and (.%s(C), .%s(open), .%s(G));\nendmodule\n",
           low, c->name, p->clock, p->low ? "C" : "low", p->enable, p->out, and2->name,
           input(and2, 0), input(and2, 1), and2->output);
}

void clock_gate_find(const struct liberty *l, struct clock_gate *g) {
  struct gate_pins p;
  memset(g, 0, sizeof *g);
  const struct liberty_cell *c = smallest(l, integrated, &p);
  if (c != NULL) {
    of_one(g, c, &p);
    return;
  }
  const struct liberty_cell *and2 = with_table(l, 2, AND2), *inverter = with_table(l, 1, INVERTER);
  c = smallest(l, latch, &p);
  if (c != NULL && and2 != NULL && (p.low || inverter != NULL))
    of_latch(g, c, &p, and2, inverter);
}

void clock_gate_area(struct liberty *l, const struct clock_gate *g, double um2) {
  double least = 0;
  for (size_t i = 0; i < l->ncells; i++)
    if (l->cells[i].sequential && l->cells[i].area > 0 && (least <= 0 || l->cells[i].area < least))
      least = l->cells[i].area;
  for (size_t i = 0; i < l->ncells; i++)
    if (strcmp(l->cells[i].name, g->latch) == 0 && l->cells[i].area <= 0)
      l->cells[i].area = um2 > 0 ? um2 : least;
}
