/* The parts of a front end: its state is compared by their views, in struct sm_frontend_state. */
#ifndef TANDEM_PORTS_PARTS_H
#define TANDEM_PORTS_PARTS_H

#include "csim/ports/units.h"

/* A part of a unit whose state is looked at: an instance within it with a ports table of its own.
 */
struct ports_part {
  const char *instance;
  const struct ports_table *ports;
  size_t offset; /* of its view in that of the whole */
  bool switched; /* loses its state with the front end's power */
};

enum {
  FRONTEND_PARTS = 9,
  FRONTEND_PARTS_WIDE /* with the upper lanes of large warps */
};
extern const struct ports_part frontend_parts[FRONTEND_PARTS_WIDE];

/* Parts of a Flex cluster as a member has them, in struct flex_member_state: those of its near
 * half, its rows of contexts, and the cluster's control, which is compared with each member. */
enum { FLEX_PARTS = 11 };
extern const struct ports_part flex_parts[FLEX_PARTS];

/* State lines of the first n parts. */
unsigned ports_part_lines(const struct ports_part *parts, unsigned n);

/* Compares two views by their parts, of which those switched are left out unless on; counts has a
 * field a line of all parts, in their order.  Returns how many elements differ; *part and *first
 * are those of the first. */
unsigned ports_parts_same(const struct ports_part *parts, unsigned n, bool on, const void *a,
                          const void *b, uint64_t *counts, const struct ports_part **part,
                          struct port_diff *first);

#endif
