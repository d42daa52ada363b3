/* Tables and functions made of the ports tables: for code that walks ports, compares both sides or
 * prints them.  They take ports and views as plain memory, so that what goes through all units
 * names none.
 *
 * For a unit X: X_ports_in[], X_ports_out[], X_states[], each ended by a line without a name, and
 * X_ports, which has them together with the functions below.
 */
#ifndef TANDEM_PORTS_TABLES_H
#define TANDEM_PORTS_TABLES_H

#include <stdbool.h>

#include "csim/ports/units.h"

enum {
  PORTS_MAX = 80 /* lines of a table at most */
};

/* The first difference between two views. */
struct port_diff {
  const struct port_desc *state; /* NULL: none */
  unsigned index;
  uint64_t a, b;
};

/* A ports table. */
struct ports_table {
  const char *name;
  const struct port_desc *in, *out, *states;
  size_t in_bytes, out_bytes, view_bytes;
  unsigned outs, lines; /* lines of out and of states */

  /* Whether each line's qualifier holds. */
  void (*qualify_in)(const void *in, bool valid[PORTS_MAX]);
  void (*qualify_out)(const void *out, bool valid[PORTS_MAX]);

  /* Not 0 if outputs differ whose qualifier holds in a.  counts[line] grows by the comparisons; of
   * those that always are made, counts[0] alone, once for all. */
  uint64_t (*diff)(const void *a, const void *b, uint64_t *counts);

  /* How many state elements differ whose qualifier holds in a; counts[line] grows by the elements
   * compared; first (NULL allowed) gets the first difference, if it has none. */
  unsigned (*view_same)(const void *a, const void *b, uint64_t *counts, struct port_diff *first);
};

/* Besides these, X_same(a, b): how many outputs differ whose qualifier holds in a (0: equal). */
#define UNIT_TABLES(unit)                                                                          \
  extern const struct ports_table unit##_ports;                                                    \
  extern const struct port_desc unit##_ports_in[];                                                 \
  extern const struct port_desc unit##_ports_out[];                                                \
  extern const struct port_desc unit##_states[];                                                   \
  void unit##_qualify_in(const void *in, bool valid[PORTS_MAX]);                                   \
  void unit##_qualify_out(const void *out, bool valid[PORTS_MAX]);                                 \
  unsigned unit##_same(const struct unit##_out *p, const struct unit##_out *b);                    \
  unsigned unit##_view_same(const void *a, const void *b, uint64_t *counts,                        \
                            struct port_diff *first);
#define PORTS_EACH "csim/ports/declare.inc"
#include "csim/ports/units.def"

#include "csim/ports/blocks.def"
#undef PORTS_EACH

/* A part of a unit whose state is looked at: an instance within it with a ports table of its own.
 */
struct ports_part {
  const char *instance;
  const struct ports_table *ports;
  size_t offset; /* of its view in that of the whole */
  bool switched; /* loses its state with the front end's power */
};

/* The parts of a front end, in struct sm_frontend_state. */
enum {
  FRONTEND_PARTS = 9,
  FRONTEND_PARTS_WIDE /* with the upper lanes of large warps */
};
extern const struct ports_part frontend_parts[FRONTEND_PARTS_WIDE];

/* State lines of the first n parts. */
unsigned ports_part_lines(const struct ports_part *parts, unsigned n);

/* Compares two views by their parts, of which those switched are left out unless on; counts has a
 * field a line of all parts, in their order.  Returns how many elements differ; *part and *first
 * tell the first. */
unsigned ports_parts_same(const struct ports_part *parts, unsigned n, bool on, const void *a,
                          const void *b, uint64_t *counts, const struct ports_part **part,
                          struct port_diff *first);

#endif
