/* Liberty files as the one library that the tools read. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "synth/input/liberty_units.h"

struct writing {
  FILE *out;
  const struct liberty_tree *t;
  const struct liberty_units *u;
  size_t file; /* templates and types of another file than the first get its number */
  const struct liberty_word *pin; /* the related_pin of a group; NULL: as it is there */
};

/* Kinds of numbers: one without unit, and one whose unit nothing tells. */
enum kind { NUMBER, TIME, CAPACITANCE, VOLTAGE, CURRENT, RESISTANCE, LEAKAGE, ENERGY, UNKNOWN };

static double factor_of(enum kind kind, const struct liberty_units *u) {
  const double f[] = {[NUMBER] = 1,
                      [TIME] = u->time / 1e-9,
                      [CAPACITANCE] = u->capacitance / 1e-12,
                      [VOLTAGE] = u->voltage,
                      [CURRENT] = u->current / 1e-6,
                      [RESISTANCE] = u->resistance / 1e3,
                      [LEAKAGE] = u->leakage / 1e-9,
                      [ENERGY] = u->capacitance / 1e-12 * u->voltage * u->voltage,
                      [UNKNOWN] = 1};
  return fabs(f[kind] - 1) < 1e-12 ? 1 : f[kind];
}

static const struct name {
  const char *name;
  enum kind kind;
} endings[] = {{"transition", TIME},
               {"transition_time", TIME},
               {"min_period", TIME},
               {"constraint", TIME},
               {"constraint_low", TIME},
               {"constraint_high", TIME},
               {"min_pulse_width_low", TIME},
               {"min_pulse_width_high", TIME},
               {"intrinsic_rise", TIME},
               {"intrinsic_fall", TIME},
               {"capacitance", CAPACITANCE},
               {"capacitance_range", CAPACITANCE},
               {"pin_cap", CAPACITANCE},
               {"voltage", VOLTAGE},
               {"voltage_map", VOLTAGE},
               {"current", CURRENT},
               {"resistance", RESISTANCE},
               {"leakage_power", LEAKAGE},
               {"leakage_power_density", LEAKAGE}},
  tables[] = {
      {"cell_rise", TIME},           {"cell_fall", TIME},           {"rise_transition", TIME},
      {"fall_transition", TIME},     {"rise_constraint", TIME},     {"fall_constraint", TIME},
      {"rise_power", ENERGY},        {"fall_power", ENERGY},        {"power", ENERGY},
      {"lu_table_template", NUMBER}, {"power_lut_template", NUMBER}};
enum { ENDINGS = sizeof endings / sizeof *endings, TABLES = sizeof tables / sizeof *tables };

static enum kind kind_of(const char *name, size_t n) {
  for (size_t i = 0; i < ENDINGS; i++) {
    const size_t length = strlen(endings[i].name);
    if (n >= length && strncmp(name + n - length, endings[i].name, length) == 0)
      return endings[i].kind;
  }
  return NUMBER;
}

double liberty_factor(const char *name, const struct liberty_units *u) {
  return factor_of(kind_of(name, strlen(name)), u);
}

/* Numbers of a table; UNKNOWN: the group is no table that a tool reads. */
static enum kind table_of(const struct liberty_node *n) {
  for (size_t i = 0; i < TABLES; i++)
    if (liberty_group(n, tables[i].name))
      return tables[i].kind;
  return UNKNOWN;
}

static bool is_template(const struct liberty_node *n) {
  return liberty_group(n, "lu_table_template") || liberty_group(n, "power_lut_template");
}

/* A number, and not the end of a name, begins here. */
static bool begins_number(const struct liberty_word *x, const char *p) {
  return (isdigit((unsigned char)*p) || strchr("+-.", *p) != NULL) &&
         (p == x->at || (!isalnum((unsigned char)p[-1]) && p[-1] != '_'));
}

/* Writes a word on one line, each of its numbers times the factor.  A backslash that
 * joins lines or stands before a quote is left out with what it stands before. */
static void word(const struct writing *w, const struct liberty_word *x, double factor) {
  for (const char *p = x->at; p < x->at + x->n;) {
    char *after = NULL;
    const double v = factor != 1 && begins_number(x, p) ? strtod(p, &after) : 0;
    const bool escape = *p == '\\' && (p[1] == '"' || isspace((unsigned char)p[1]));
    if (escape || isspace((unsigned char)*p)) {
      fputc(' ', w->out);
      p += escape ? 2 : 1;
    } else if (after == NULL || after == p) {
      fputc(*p++, w->out);
    } else {
      fprintf(w->out, "%.12g", v * factor);
      p = after;
    }
  }
}

/* Writes a word in quotes, if it has them or needs them. */
static void quoted(const struct writing *w, const struct liberty_word *x, double factor) {
  bool plain = !x->quoted && x->n > 0;
  for (size_t i = 0; i < x->n; i++)
    plain &= isalnum((unsigned char)x->at[i]) || strchr("_.-+", x->at[i]) != NULL;
  if (!plain)
    fputc('"', w->out);
  word(w, x, factor);
  if (!plain)
    fputc('"', w->out);
}

const struct liberty_node *liberty_template(const struct liberty_tree *t,
                                            const struct liberty_node *table) {
  const struct liberty_word *name = liberty_word(t, table, 0);
  if (is_template(table))
    return table;
  const char *kind = table_of(table) == ENERGY ? "power_lut_template" : "lu_table_template";
  LIBERTY_EACH(t, n, t->nodes) {
    const struct liberty_word *of = liberty_word(t, n, 0);
    if (liberty_group(n, kind) && of->n == name->n && strncmp(of->at, name->at, of->n) == 0)
      return n;
  }
  return NULL;
}

/* Kind of the numbers along an axis of a table, from its template's variable. */
static enum kind axis_of(const struct writing *w, const struct liberty_node *table, char axis) {
  char variable[] = "variable_1";
  variable[sizeof variable - 2] = axis;
  const struct liberty_node *template = liberty_template(w->t, table);
  const struct liberty_word *name =
      template != NULL ? liberty_value(w->t, template, variable) : NULL;
  return name != NULL ? kind_of(name->at, name->n) : UNKNOWN;
}

static void words(const struct writing *w, const struct liberty_node *n, double factor) {
  const bool joined = liberty_axis(n) && n->nwords > 1;
  fputs(joined ? "\"" : "", w->out);
  for (size_t i = 0; i < n->nwords; i++) {
    fputs(i > 0 ? ", " : "", w->out);
    (joined ? word : quoted)(w, liberty_word(w->t, n, i), factor);
  }
  fputs(joined ? "\"" : "", w->out);
}

/* Writes the numbers of a table, each row of its last axis in quotes. */
static void rows(const struct writing *w, const struct liberty_node *n, size_t row, double factor) {
  size_t count = 0;
  for (size_t i = 0; i < n->nwords; i++) {
    const struct liberty_word *x = liberty_word(w->t, n, i);
    for (const char *p = x->at; p < x->at + x->n; p++) {
      char *after;
      (void)strtod(p, &after);
      if (after == p)
        continue;
      fputs(count == 0 ? "\"" : count % row == 0 ? "\", \"" : ", ", w->out);
      word(w, &(struct liberty_word){p, (size_t)(after - p), false}, factor);
      count++;
      p = after - 1;
    }
  }
  fputs(count > 0 ? "\"" : "", w->out);
}

/* The name of a template or of a type, which other files may have too. */
static void own_name(const struct writing *w, const struct liberty_word *x) {
  if (w->file > 0 && !liberty_is(x, "scalar"))
    fprintf(w->out, "\"f%zu_%.*s\"", w->file, (int)x->n, x->at);
  else
    quoted(w, x, 1);
}

static void name_of(const struct writing *w, const struct liberty_node *n) {
  fprintf(w->out, "%.*s", (int)n->name.n, n->name.at);
}

static void attribute(const struct writing *w, const struct liberty_node *in,
                      const struct liberty_node *n) {
  const struct liberty_word *name = &n->name;
  enum kind kind = kind_of(name->at, name->n);
  if (liberty_group(in, "leakage_power") && liberty_is(name, "value"))
    kind = LEAKAGE;
  if (liberty_is(name, "values"))
    kind = table_of(in);
  else if (liberty_axis(n))
    kind = axis_of(w, in, name->at[6]);
  name_of(w, n);
  fputs(n->kind == LIBERTY_VALUE ? " : " : " (", w->out);
  if (liberty_is(name, "bus_type"))
    own_name(w, liberty_word(w->t, n, 0));
  else if (liberty_is(name, "related_pin") && w->pin != NULL)
    quoted(w, w->pin, 1);
  else if (liberty_is(name, "values") && table_of(in) != UNKNOWN)
    rows(w, n, liberty_row(w->t, in), factor_of(kind, w->u));
  else
    words(w, n, factor_of(kind, w->u));
  fputs(n->kind == LIBERTY_VALUE ? ";\n" : ");\n", w->out);
}

/* Groups of tables that no tool reads: they may be in units of which nothing is known here. */
static bool left_out(const struct writing *w, const struct liberty_node *n) {
  bool values = false;
  if (n->kind != LIBERTY_GROUP || table_of(n) != UNKNOWN)
    return false;
  LIBERTY_EACH(w->t, c, n)
  values |= liberty_is(&c->name, "values") || left_out(w, c);
  return values && !liberty_group(n, "cell") && !liberty_group(n, "pin") &&
         !liberty_group(n, "bus") && !liberty_group(n, "bundle") && !liberty_group(n, "timing") &&
         !liberty_group(n, "internal_power");
}

static void group_once(const struct writing *w, const struct liberty_node *n,
                       const struct liberty_word *name);

/* Writes a group, of times and power of several related pins one for each pin, of several pins one
 * for each. */
static void group(const struct writing *w, const struct liberty_node *n) {
  const struct liberty_word *pins = liberty_value(w->t, n, "related_pin");
  struct writing of = *w;
  for (size_t i = 1; liberty_group(n, "pin") && i < n->nwords; i++)
    group_once(w, n, liberty_word(w->t, n, i));
  if (pins == NULL || liberty_names(pins, pins->at) == pins->n) {
    group_once(w, n, liberty_word(w->t, n, 0));
    return;
  }
  for (size_t at = 0, next; at < pins->n; at = next) {
    next = liberty_names(pins, pins->at + at);
    struct liberty_word pin = {pins->at + at, 0, true};
    while (pin.n < next - at && !isspace((unsigned char)pin.at[pin.n]))
      pin.n++;
    of.pin = &pin;
    if (pin.n > 0)
      group_once(&of, n, liberty_word(w->t, n, 0));
  }
}

/* Writes a statement, unless no tool knows it: names in quotes may be any text. */
static void statement(const struct writing *w, const struct liberty_node *in,
                      const struct liberty_node *n) {
  for (size_t i = 0; i < n->name.n; i++)
    if (!isalnum((unsigned char)n->name.at[i]) && n->name.at[i] != '_')
      return;
  if (left_out(w, n))
    return;
  if (n->kind == LIBERTY_GROUP)
    group(w, n);
  else
    attribute(w, in, n);
}

static void group_once(const struct writing *w, const struct liberty_node *n,
                       const struct liberty_word *name) {
  name_of(w, n);
  fputs(" (", w->out);
  if (table_of(n) != UNKNOWN || liberty_group(n, "type"))
    own_name(w, name);
  else if (liberty_group(n, "pin"))
    quoted(w, name, 1);
  else
    words(w, n, 1);
  fputs(") {\n", w->out);
  LIBERTY_EACH(w->t, c, n)
  statement(w, n, c);
  fputs("}\n", w->out);
}

/* A group that a file adds to the library of the first. */
static bool added(const struct liberty_node *n) {
  return liberty_group(n, "cell") || liberty_group(n, "type") || is_template(n);
}

static bool is_unit(const struct liberty_node *n) {
  static const char ending[] = "_unit";
  const size_t length = sizeof ending - 1;
  return n->kind != LIBERTY_GROUP && n->name.n > length &&
         strncmp(n->name.at + n->name.n - length, ending, length) == 0;
}

void liberty_write(FILE *out, const struct liberty_tree *trees, const struct liberty_units *units,
                   size_t n, const char *name) {
  fprintf(out,
          "library (\"%s\") {\ntime_unit : \"1ns\";\nvoltage_unit : \"1V\";\n"
          "current_unit : \"1uA\";\npulling_resistance_unit : \"1kohm\";\n"
          "leakage_power_unit : \"1nW\";\ncapacitive_load_unit (1, pf);\n",
          name);
  for (size_t i = 0; i < n; i++) {
    const struct writing w = {out, &trees[i], &units[i], i, NULL};
    LIBERTY_EACH(w.t, c, w.t->nodes) {
      if (is_unit(c) || (i > 0 && !added(c)))
        continue;
      statement(&w, w.t->nodes, c);
    }
  }
  fputs("}\n", out);
}
