/* Elaboration by yosys for the check of boundaries. */
#ifndef TANDEM_SHIM_ELABORATE_H
#define TANDEM_SHIM_ELABORATE_H

#include "harness/shim/boundary/boundary.h"

enum {
  BOUNDARY_PATH = 4096 /* bytes of a path in the folder, at most */
};

/* Writes the netlist of r->unit to boundary.json in r->folder: BOUNDARY_GOOD, or what
 * boundary_check returns instead. */
enum boundary_verdict elaborate(const struct boundary_request *r, struct tandem_error *err);

/* The value of the parameter `name` in "Name=value Name=value" (NULL allowed), a number; 0: it is
 * not there or none. */
unsigned elaborate_number(const char *parameters, const char *name);

#endif
