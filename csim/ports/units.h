/* The units' structs and interfaces, made from their ports tables.
 *
 * For a unit X: struct X_in, struct X_out (a uint64_t a port), struct X_view (a uint64_t an element
 * of state), tables X_ports_in[], X_ports_out[], X_states[] with X_IN, X_OUT, X_STATES lines, and
 * more in csim/ports/tables.h.
 */
#ifndef TANDEM_UNITS_H
#define TANDEM_UNITS_H

#include "csim/ports/ports.h"

#define PORTS_QUOTE_(x) #x
#define PORTS_QUOTE(x) PORTS_QUOTE_(x)

/* Structs that begin alike are read as either: SMs see the beginning of a member's outputs. */
#define PORTS_ALIASED __attribute__((may_alias))
#define PORTS_EACH "csim/ports/structs.inc"
#include "csim/ports/units.def"

#include "csim/ports/blocks.def"
#undef PORTS_EACH

/* An SM's back end knows a front end by the structs of sm_frontend, whatever is in its place.  The
 * ports of a front end of large warps begin with them, field by field; a member of a cluster has
 * all but the first two inputs, which the cluster has for all, and the last output. */
#ifndef __cplusplus
_Static_assert(offsetof(struct sm_frontend_wide_in, launch_mask_hi) ==
                       sizeof(struct sm_frontend_in) &&
                   offsetof(struct sm_frontend_wide_out, iss0_mask_hi) ==
                       sizeof(struct sm_frontend_out),
               "the same fields in the same order");
_Static_assert(sizeof(struct sm_frontend_in) - offsetof(struct sm_frontend_in, launch_valid) ==
                       sizeof(struct buddy_member_in) &&
                   offsetof(struct sm_frontend_out, stall1) ==
                       offsetof(struct buddy_member_out, stall1),
               "the same fields in the same order");
#endif

/* All ports of a cluster in one piece, with the inputs of members as their SMs write them. */
enum { CLUSTER_MEMBERS = 8 /* at most */ };
struct cluster_in {
  struct buddy_cluster_in own;
  struct sm_frontend_in sm[CLUSTER_MEMBERS];
  uint64_t told[CLUSTER_MEMBERS]; /* csim/ports/told.h */
};
struct cluster_out {
  struct buddy_cluster_out own;
  struct buddy_member_out member[CLUSTER_MEMBERS];
};

/* State of a whole front end: the views of its units. */
struct sm_frontend_state {
#define PART_EACH "csim/ports/part_view.inc"
#include "csim/ports/frontend_parts.def"
#undef PART_EACH
  struct sm_frontend_wide_view wide; /* of large warps alone */
};

#endif
