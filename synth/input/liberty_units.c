/* Units of Liberty files. */
#include "synth/input/liberty_units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "synth/input/liberty.h"

/* A unit with its prefix: 0 if it is none. */
static double scale_of(const char *text, const char *base) {
  static const char prefixes[] = "fpnumkKM";
  static const double scales[] = {1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 1e3, 1e3, 1e6};
  const char *prefix = strlen(text) == strlen(base) + 1 ? strchr(prefixes, *text) : NULL;
  if (prefix != NULL && strcasecmp(text + 1, base) == 0)
    return scales[prefix - prefixes];
  return strcasecmp(text, base) == 0 ? 1 : 0;
}

/* A number and a unit, as 10ps. */
static bool unit_read(const struct liberty_word *w, const char *base, double *to) {
  char text[32], *end;
  if (w->n >= sizeof text)
    return false;
  liberty_copy(w, text, sizeof text);
  const double number = strtod(text, &end);
  while (isspace((unsigned char)*end))
    end++;
  size_t n = strlen(end);
  while (n > 0 && isspace((unsigned char)end[n - 1]))
    end[--n] = '\0';
  *to = number * scale_of(end, base);
  return end != text && isdigit((unsigned char)*text) && *to > 0 && isfinite(*to);
}

static const struct unit {
  const char *name, *base, *example;
  size_t at;
  double otherwise; /* where the file states none; 0: there is no such unit */
} units_known[] = {
    {"time_unit", "s", "1ns", offsetof(struct liberty_units, time), 1e-9},
    {"voltage_unit", "V", "1V", offsetof(struct liberty_units, voltage), 1},
    {"current_unit", "A", "1uA", offsetof(struct liberty_units, current), 1e-6},
    {"pulling_resistance_unit", "ohm", "1kohm", offsetof(struct liberty_units, resistance), 1e3},
    {"leakage_power_unit", "W", "1nW", offsetof(struct liberty_units, leakage), 0}};
enum { UNITS = sizeof units_known / sizeof *units_known };

static int unit_take(const struct liberty_tree *t, const struct liberty_node *n,
                     struct liberty_units *u, struct tandem_error *err) {
  const struct liberty_word *w = liberty_word(t, n, 0);
  for (size_t i = 0; n->kind == LIBERTY_VALUE && i < UNITS; i++) {
    double *to = (double *)(void *)((char *)u + units_known[i].at);
    if (liberty_is(&n->name, units_known[i].name) && !unit_read(w, units_known[i].base, to))
      return liberty_wrong(t, n->line, err, "%s is \"%.*s\", not a number and a unit as \"%s\"",
                           units_known[i].name, (int)(w->n < 40 ? w->n : 40), w->at,
                           units_known[i].example);
  }
  if (n->kind != LIBERTY_WORDS || !liberty_is(&n->name, "capacitive_load_unit"))
    return 0;
  char text[16];
  double number = 0;
  liberty_copy(liberty_word(t, n, 1), text, sizeof text);
  if (!liberty_number(w, &number))
    number = 0;
  u->capacitance = number * scale_of(text, "F");
  return u->capacitance > 0 ? 0
                            : liberty_wrong(t, n->line, err,
                                            "capacitive_load_unit is (%.*s, %s), not a number and "
                                            "a unit as (1, pf)",
                                            (int)(w->n < 40 ? w->n : 40), w->at, text);
}

/* Figures of a library that must lie between bounds, and be the same in all files of one. */
static const struct bound {
  const char *name;
  double least, most;
} bounds[] = {{"nom_process", 0, 1e3},
              {"nom_voltage", 0, 1e6},
              {"nom_temperature", -273.15, 1e3},
              {"input_threshold_pct_rise", -1e-9, 100 + 1e-9},
              {"input_threshold_pct_fall", -1e-9, 100 + 1e-9},
              {"output_threshold_pct_rise", -1e-9, 100 + 1e-9},
              {"output_threshold_pct_fall", -1e-9, 100 + 1e-9},
              {"slew_lower_threshold_pct_rise", -1e-9, 100 + 1e-9},
              {"slew_lower_threshold_pct_fall", -1e-9, 100 + 1e-9},
              {"slew_upper_threshold_pct_rise", -1e-9, 100 + 1e-9},
              {"slew_upper_threshold_pct_fall", -1e-9, 100 + 1e-9},
              {"slew_derate_from_library", 0, 1 + 1e-9}},
  corner_bounds[] = {{"process", 0, 1e3}, {"voltage", 0, 1e6}, {"temperature", -273.15, 1e3}};

static int bound_check(const struct liberty_tree *t, const struct liberty_node *n,
                       const struct bound *b, size_t count, struct tandem_error *err) {
  const struct liberty_word *w = liberty_word(t, n, 0);
  double v;
  for (size_t i = 0; n->kind == LIBERTY_VALUE && i < count; i++)
    if (liberty_is(&n->name, b[i].name) &&
        !(liberty_number(w, &v) && v > b[i].least && v < b[i].most))
      return liberty_wrong(t, n->line, err, "%s is \"%.*s\", not a number between %g and %g",
                           b[i].name, (int)(w->n < 40 ? w->n : 40), w->at, round(b[i].least) + 0.0,
                           round(b[i].most));
  return 0;
}

/* Looks for a figure other than 0 that has no unit: an attribute with such an ending. */
static int unit_needed(const struct liberty_tree *t, const char *ending, const char *what,
                       const char *unit, struct tandem_error *err) {
  const size_t length = strlen(ending);
  double v;
  for (size_t i = 0; i < t->nnodes; i++) {
    const struct liberty_node *n = &t->nodes[i];
    if (n->kind == LIBERTY_VALUE && n->name.n >= length &&
        strncmp(n->name.at + n->name.n - length, ending, length) == 0 &&
        liberty_number(liberty_word(t, n, 0), &v) && v != 0)
      return liberty_wrong(t, n->line, err,
                           "a %s without a unit: add %s; or the unit that it is in", what, unit);
  }
  return 0;
}

int liberty_units(const struct liberty_tree *t, struct liberty_units *u, struct tandem_error *err) {
  const struct liberty_node *library = t->nodes;
  int status = 0;
  *u = (struct liberty_units){0};
  for (size_t i = 0; i < UNITS; i++)
    *(double *)(void *)((char *)u + units_known[i].at) = units_known[i].otherwise;
  LIBERTY_EACH(t, n, library) {
    if ((status = unit_take(t, n, u, err)) != 0 ||
        (status = bound_check(t, n, bounds, sizeof bounds / sizeof *bounds, err)) != 0)
      return status;
    if (!liberty_group(n, "operating_conditions"))
      continue;
    LIBERTY_EACH(t, c, n)
    if ((status = bound_check(t, c, corner_bounds, sizeof corner_bounds / sizeof *corner_bounds,
                              err)) != 0)
      return status;
  }
  if (u->leakage == 0)
    status = unit_needed(t, "cell_leakage_power", "leakage", "leakage_power_unit : \"1nW\"", err);
  if (u->leakage == 0)
    u->leakage = 1e-9;
  if (status == 0 && u->capacitance == 0)
    status = unit_needed(t, "capacitance", "capacitance", "capacitive_load_unit (1, pf)", err);
  if (u->capacitance == 0)
    u->capacitance = 1e-12;
  return status;
}

static bool same(double a, double b) { return fabs(a - b) < 1e-9 * b; }

bool liberty_plain(const struct liberty_tree *t, const struct liberty_units *u) {
  const double rest[] = {u->current, u->resistance, u->leakage};
  for (size_t i = 0; i < 3; i++) /* a power of 1000, which OpenSTA reads */
    if (!same(pow(1000, round(log10(rest[i]) / 3)), rest[i]))
      return false;
  return same(u->time, 1e-9) && same(u->capacitance, 1e-12) && same(u->voltage, 1) && !t->loose;
}

int liberty_agree(const struct liberty_tree *trees, const struct liberty_units *units, size_t last,
                  struct tandem_error *err) {
  const struct liberty_tree *first = &trees[0], *t = &trees[last];
  static const char *const more[] = {"default_max_transition",     "default_input_pin_cap",
                                     "default_output_pin_cap",     "default_inout_pin_cap",
                                     "default_cell_leakage_power", NULL};
  const size_t n = sizeof bounds / sizeof *bounds;
  for (size_t i = 0; i < n || more[i - n] != NULL; i++) {
    const char *name = i < n ? bounds[i].name : more[i - n];
    double a, b;
    if (!liberty_number(liberty_value(t, t->nodes, name), &a) ||
        !liberty_number(liberty_value(first, first->nodes, name), &b))
      continue;
    a *= liberty_factor(name, &units[last]);
    b *= liberty_factor(name, &units[0]);
    if (!(fabs(a - b) < 1e-9))
      return tandem_fail(err, -EINVAL,
                         "%s and %s are not of one library: %s is %g in one and %g in the other;\n"
                         "give several --liberty only for the files of one library in one corner",
                         first->path, t->path, name, b, a);
  }
  return 0;
}
