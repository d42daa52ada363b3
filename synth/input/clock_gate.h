/* The clock gate that a library offers. */
#ifndef TANDEM_SYNTH_INPUT_CLOCK_GATE_H
#define TANDEM_SYNTH_INPUT_CLOCK_GATE_H

#include "synth/input/liberty.h"

struct clock_gate {
  char cells[256];  /* their names, for reports; "": the library has no latch, or no AND */
  char latch[64];   /* the cell that keeps the enable */
  unsigned levels;  /* nets from there to the flip-flops */
  char rule[1000];  /* Verilog: module tandem_clock_gate of these cells (clock_gate.v) */
  char model[1000]; /* Verilog: what a cell without function does, which is an integrated one; or ""
                     */
};

/* Finds the smallest integrated gate for rising edges; else the smallest latch and AND, with an
 * inverter where the latch is open while its enable is high. */
void clock_gate_find(const struct liberty *l, struct clock_gate *g);

/* Gives the gate's latch an area if its library states none: um2, or that of the smallest flip-flop
 * if um2 is 0. */
void clock_gate_area(struct liberty *l, const struct clock_gate *g, double um2);

#endif
