/* Units of a Liberty file, and the one library that the tools read. */
#ifndef TANDEM_SYNTH_INPUT_LIBERTY_UNITS_H
#define TANDEM_SYNTH_INPUT_LIBERTY_UNITS_H

#include <stdio.h>

#include "synth/input/liberty_tree.h"

/* In s, F, V, A, ohm and W.  An energy has the unit capacitance * voltage^2. */
struct liberty_units {
  double time, capacitance, voltage, current, resistance, leakage;
};

/* The units that a file states, or those that are used where it states none.  An unknown unit is an
 * error with its line; so are a leakage or a capacitance without unit, and nominal figures and
 * thresholds that cannot be. */
int liberty_units(const struct liberty_tree *t, struct liberty_units *u, struct tandem_error *err);

/* Returns true if all tools read this file as it is: its units are those that the flow's scripts
 * use, and it is written as all of them read it. */
bool liberty_plain(const struct liberty_tree *t, const struct liberty_units *u);

/* Factor by which numbers of an attribute of this name become those of the flow's scripts (ns, pF,
 * V, uA, kohm, nW). */
double liberty_factor(const char *name, const struct liberty_units *u);

/* The template of a table, by its name, a power_lut_template for power; a template itself.  NULL:
 * there is none. */
const struct liberty_node *liberty_template(const struct liberty_tree *t,
                                            const struct liberty_node *table);

/* Numbers in a row of a table: those of its last axis, its own or that of the template. */
size_t liberty_row(const struct liberty_tree *t, const struct liberty_node *table);

/* Checks that a table has its template, axes of rising numbers, and a value for each place.  Marks
 * the file as loose unless each row is a text in quotes. */
int liberty_table(struct liberty_tree *t, const struct liberty_node *table,
                  struct tandem_error *err);

/* Checks that the last file is of the corner of the first: nominal figures, thresholds and defaults
 * that both state are the same. */
int liberty_agree(const struct liberty_tree *trees, const struct liberty_units *units, size_t last,
                  struct tandem_error *err);

/* Writes the files as one library in the units of the flow's scripts, with quotes around all
 * expressions.  Tables that no tool of the flow reads are left out. */
void liberty_write(FILE *out, const struct liberty_tree *trees, const struct liberty_units *units,
                   size_t n, const char *name);

#endif
