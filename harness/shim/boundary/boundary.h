/* The check of a unit's boundary, on RTL that is given at run time.  Yosys elaborates the unit
 * (hierarchy kept, `proc`), and of the netlist must hold:
 *
 * 1. The ports are those of the unit's ports table, with the same directions and widths, beside the
 *    clocks clk_i and noc_clk_i and the reset rst_ni.
 * 2. State changes at rising edges of these clocks and at the falling edge of the reset alone.  A
 *    clock may pass clock gates: an AND with an enable that is registered at the clock's falling
 *    edge and that nothing else reads.
 * 3. No combinational path leads from an input to an output, in units of which a machine is made.
 *    Outputs that may have one are listed in boundary.c.
 *
 * Paths are followed bit by bit within a module and port by port through its instances; an output
 * bit of a cell is taken to depend on all of the cell's inputs.  So a path that is found may be
 * none, but none is missed. */
#ifndef TANDEM_SHIM_BOUNDARY_H
#define TANDEM_SHIM_BOUNDARY_H

#include "csim/util/error.h"

struct boundary_request {
  const char *unit; /* the top module: a name of csim/ports/units.def */
  /* Parameters of the top module, "Name=value Name=value"; NULL or "": none.  WarpSize of
   * sm_frontend (64, 128: large warps) and Members of a cluster, which it needs, choose the
   * ports table. */
  const char *parameters;
  const char *const *sources; /* NULL-ended: SystemVerilog files, absolute paths, packages first */
  /* A folder of this call alone, in which yosys runs.  It keeps boundary.ys (the script),
   * boundary.log and boundary.json (the netlist). */
  const char *folder;
};

enum boundary_verdict {
  BOUNDARY_GOOD,
  BOUNDARY_BROKEN,   /* a rule does not hold */
  BOUNDARY_REFUSED,  /* yosys does not read the sources, or not with these parameters */
  BOUNDARY_NO_YOSYS, /* it is not in PATH */
  BOUNDARY_FAILED,   /* the check cannot be made: a request that is wrong, no memory, a full disk */
};

/* Checks a unit's boundary.  It waits for yosys, which runs in a process group of its own and ends
 * with this process (csim/util/process.h).  Threads may check at once, each in its own folder.
 *
 * err (NULL allowed) is empty after BOUNDARY_GOOD.  BOUNDARY_BROKEN: a line a fault, those that
 * fit, and the number of the others; a path is given as the signals, with their instances, and the
 * source lines that it leads through.  BOUNDARY_REFUSED: yosys' own line, "file:line: ERROR:
 * message". */
enum boundary_verdict boundary_check(const struct boundary_request *r, struct tandem_error *err);

#endif
