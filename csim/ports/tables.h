/* Tables and functions made from the ports tables: for code that walks ports, compares both sides
 * or prints them.
 *
 * For a unit X: X_ports_in[], X_ports_out[], X_states[], each ended by a line without a name, and
 * the functions below.
 */
#ifndef TANDEM_PORTS_TABLES_H
#define TANDEM_PORTS_TABLES_H

#include <stdbool.h>

#include "csim/ports/units.h"

/* The first difference between two views. */
struct port_diff {
  const struct port_desc *state; /* NULL: none */
  unsigned index;
  uint64_t a, b;
};

enum {
  PORTS_MAX = 80 /* lines of a table at most */
};

/* X_qualify_in(p, valid), X_qualify_out(p, valid): whether each line's qualifier holds.
 * X_same(a, b): how many outputs differ whose qualifier holds in a (0: equal).
 * X_view_same(a, b, counts, first): how many state elements differ whose qualifier holds in a;
 *   counts[line] grows by the elements compared (counts may not be NULL); first (NULL allowed)
 *   gets the first difference.
 */
#define UNIT_TABLES(unit)                                                                          \
  extern const struct port_desc unit##_ports_in[];                                                 \
  extern const struct port_desc unit##_ports_out[];                                                \
  extern const struct port_desc unit##_states[];                                                   \
  void unit##_qualify_in(const struct unit##_in *p, bool valid[PORTS_MAX]);                        \
  void unit##_qualify_out(const struct unit##_out *p, bool valid[PORTS_MAX]);                      \
  unsigned unit##_same(const struct unit##_out *p, const struct unit##_out *b);                    \
  unsigned unit##_view_same(const struct unit##_view *a, const struct unit##_view *b,              \
                            uint64_t *counts, struct port_diff *first);

UNIT_TABLES(fetch)
UNIT_TABLES(icache)
UNIT_TABLES(decode)
UNIT_TABLES(ibuffer)
UNIT_TABLES(simt_stack)
UNIT_TABLES(scoreboard)
UNIT_TABLES(warp_scheduler)
UNIT_TABLES(issue)
UNIT_TABLES(barrier)
UNIT_TABLES(cta_dispatch)
UNIT_TABLES(group_control)
UNIT_TABLES(monitor)
UNIT_TABLES(downlink)
UNIT_TABLES(uplink)
UNIT_TABLES(master_port)
UNIT_TABLES(slave_port)
UNIT_TABLES(park)
UNIT_TABLES(buddy_cluster)
UNIT_TABLES(buddy_member)
UNIT_TABLES(sm_frontend)
UNIT_TABLES(sm_frontend_wide)

/* The units within a front end whose views struct sm_frontend_state holds. */
struct state_unit {
  const char *instance; /* as in docs/frontend.md */
  size_t offset;        /* of its view in struct sm_frontend_state */
  const struct port_desc *states;
  unsigned first; /* index of its first line among all state lines */
};
enum {
  STATE_UNITS = 9,
  STATE_UNITS_WIDE, /* with the upper lanes of large warps */
  STATE_LINES = 40  /* at least the state lines of all units together */
};
extern const struct state_unit state_units[STATE_UNITS_WIDE];

/* Compares two front ends' states; counts has STATE_LINES elements.  Returns how many elements
 * differ; *unit and *first tell the first. */
unsigned frontend_state_same(const struct sm_frontend_state *a, const struct sm_frontend_state *b,
                             uint64_t *counts, const struct state_unit **unit,
                             struct port_diff *first);
/* The same with large warps. */
unsigned frontend_wide_state_same(const struct sm_frontend_state *a,
                                  const struct sm_frontend_state *b, uint64_t *counts,
                                  const struct state_unit **unit, struct port_diff *first);

#endif
