/* A core cycle of a verilated cluster without looking for its clock edges.
 *
 * What eval() finds out by comparing each clock with its last value is known here, no input enters
 * logic but through a register, and nothing waits for the NoC clock's falling edge.  So the
 * functions that call processes are called at once, as EDGES_DEF (rtl/verilate.sh) lists them.
 *
 * Of each there are versions for a cluster whose members all follow the first: compiled under the
 * assumption of what holds then (cluster_steady.txt), a steady one has nothing left of what idle
 * leaders, their links and group control would do, a calm one nothing of branches either; and both
 * compute what is the same for all that follow for one of them (rtl/alike.pl).  What is assumed is
 * checked behind each function, where the compiler keeps the checks of what it cannot see to hold;
 * if one fails, the functions of a version that does not assume it go on from there.  So a wrong
 * assumption costs time and nothing else.  More versions do not pay: code that is seldom run is
 * slow. */
#ifndef TANDEM_SHIM_CLUSTER_EDGES_H
#define TANDEM_SHIM_CLUSTER_EDGES_H

#include "harness/shim/model.h"

#define ROOT CAT(MODEL, ___024root)

/* Each assumes what those before it do, the first one nothing. */
enum cluster_version { CLUSTER_PLAIN, CLUSTER_STEADY, CLUSTER_CALM };

/* A core cycle, inputs being applied; on: bit m if member m's units have a clock; version: what the
 * cycle before returned, the first time CLUSTER_PLAIN.  In the others on is 1. */
unsigned cluster_edges(ROOT *root, unsigned on, unsigned version);

#endif
