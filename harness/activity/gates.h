/* A flat netlist of library cells and memories: what yosys writes of a hierarchical one that it
 * flattened (flatten.tcl), and the two forms in which others read it.
 *
 * Nets are single bits with the numbers that yosys gave them, and are called n<number> in what is
 * written; cells are called c<index>.  Both forms are of the same netlist, so that one
 * tool's figure of a net or a cell can be passed to the other.
 */
#ifndef TANDEM_GATES_H
#define TANDEM_GATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "csim/util/error.h"

/* Numbers below the first net's are constants. */
enum { GATES_ZERO, GATES_ONE, GATES_FIRST };
enum { GATES_WORD = 64 }; /* nets in a word of the model */

struct gates_pin {
  const char *port;      /* of the cell, or the netlist's own */
  bool output;           /* of the cell; of the netlist: driven by it */
  unsigned width, first; /* bits: lowest first, bits[first] to bits[first + width - 1] */
};

/* Memories are macros, which no library has; blocks are modules with a netlist of their own: the
 * members of a cluster. */
enum gates_kind { GATES_CELL, GATES_MEMORY, GATES_BLOCK };

struct gates_cell {
  const char *name; /* path from the top, parts joined by '.' */
  const char *type;
  enum gates_kind kind;
  unsigned first, pins;
};

struct gates {
  char *top;
  struct gates_cell *cells;
  size_t ncells;
  struct gates_pin *pins; /* of all cells, then the netlist's own, from own on */
  size_t npins, own;
  uint32_t *bits;
  size_t nbits;
  uint32_t nets; /* numbers of nets are below it */
  void *json;    /* what the names point to */
};

/* Reads the module `top` of a file that write_json wrote.  Cells of a type tandem_mem_* are
 * memories, those of other types without directions of their ports are blocks, whose outputs end in
 * _o.  0, or a negative errno: -ENOENT no such file, -EINVAL not such a
 * netlist. */
int gates_read(struct gates *g, const char *path, const char *top, struct tandem_error *err);
void gates_free(struct gates *g);

/* Verilog for Verilator: a module called `name` with the ports of the netlist, and its nets in
 * words nets<index> that can be read in the model; memories are those of counted_memory.v, blocks
 * are modules of their types.  False:
 * could not be written. */
bool gates_write_model(const struct gates *g, FILE *out, const char *name);

/* A line NETS(<prefix>nets<index>, <how many>) for each word of nets, in the order of numbers, and
 * MEMORY(<prefix>c<index>__DOT__) for each memory, in the order of cells. */
void gates_write_nets(const struct gates *g, FILE *out, const char *prefix);

/* The shape of a memory, read from its type. */
void gates_memory(const struct gates_cell *c, unsigned *words, unsigned *width, unsigned *reads,
                  unsigned *writes);

/* Which numbers are nets of this netlist, to be freed; NULL: out of memory. */
bool *gates_used(const struct gates *g);

/* Verilog for OpenSTA: a module called `top` whose only ports are the `clocks` (a list that ends
 * with NULL).  The other drivers of nets (inputs, memories, constants) become a tandem_source, a
 * register of the first clock there is, because OpenSTA overwrites activities that it can derive
 * from inputs (docs/use/synth.md).  Memories and blocks are left out: their inputs load nothing. */
bool gates_write_timing(const struct gates *g, FILE *out, const char *const *clocks);

#endif
