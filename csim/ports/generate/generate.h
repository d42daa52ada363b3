/* Writes the code that is made of the ports tables: for a unit <X> of csim/ports/units.def,
 * from <X>.def,
 *
 *   <X>.h        its structs, with a comment a field, and declarations of <X>.c
 *   <X>.c        its table: names, widths, qualifiers, comparisons (struct ports_table)
 *   <X>_pins.h   C++ templates between the structs and a verilated model
 *
 *   <X>_inputs.svh, <X>_outputs.svh, <X>_ports.svh   lists of its module's ports, for modules
 *                around it or bound into it
 *
 *   <X>_miter.sv   the unit beside a mutant of it (tests/mutation/equivalent.sh)
 *
 * and headers `all` and `pins` of all together: in csim/ports of the build's folder `generated`; a
 * model gets those in C++ in the folder where it is made. */
#ifndef TANDEM_PORTS_GENERATE_H
#define TANDEM_PORTS_GENERATE_H

#include <stdbool.h>

#include "csim/util/error.h"

/* Takes a generated file; 0 or a negative errno. */
typedef int ports_taker(const char *name, const char *text, void *user, struct tandem_error *err);

/* Gives each file that is made of the tables below `root` to `take`, until it fails: 0, what it
 * returned, or a negative errno with the file and line that cannot be read. */
int ports_generate(const char *root, ports_taker *take, void *user, struct tandem_error *err);

/* Writes the headers, and unless `headers` is set the C files too, below a folder. */
int ports_write(const char *root, const char *folder, bool headers, struct tandem_error *err);

#endif
