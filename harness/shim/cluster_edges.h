/* A core cycle of a verilated cluster without looking for its clock edges.
 *
 * What eval() finds out by comparing each clock with its last value is known here, no input enters
 * logic but through a register, and nothing waits for the NoC clock's falling edge.  So the
 * functions that call processes are called at once, as EDGES_DEF (rtl/verilate.sh) lists them.
 *
 * Of each there is a second version, for a cluster whose members all follow the first: compiled
 * under the assumption of what holds then (cluster_steady.txt), it has nothing left of what idle
 * leaders, their links and group control would do.  What is assumed is checked behind each
 * function, where the compiler keeps the checks of what it cannot see to hold; if one fails, the
 * plain functions go on from there.  So a wrong assumption costs time and nothing else. */
#ifndef TANDEM_SHIM_CLUSTER_EDGES_H
#define TANDEM_SHIM_CLUSTER_EDGES_H

#include "harness/shim/model.h"

#define ROOT CAT(MODEL, ___024root)

/* A core cycle, inputs being applied; on: bit m if member m's units have a clock. */
void cluster_edges(ROOT *root, unsigned on);

/* Whether what is assumed holds: then the next core cycle may be a steady one, in which on is 1. */
bool cluster_is_steady(const ROOT *root);
/* A core cycle of a cluster that is steady; false if it is not any longer. */
bool cluster_edges_steady(ROOT *root);

#endif
