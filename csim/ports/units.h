/* The structs of all units, and of what is made of several.
 *
 * For a unit X: struct X_in, struct X_out (a uint64_t a port), struct X_view (an array of uint64_t
 * a state), and X_ports, its table (csim/ports/ports.h).
 */
#ifndef TANDEM_UNITS_H
#define TANDEM_UNITS_H

#include "csim/ports/all.h"

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
  uint64_t raised[CLUSTER_MEMBERS]; /* csim/ports/inputs.h */
};
struct cluster_out {
  struct buddy_cluster_out own;
  struct buddy_member_out member[CLUSTER_MEMBERS];
};

/* The inputs of a Flex cluster's member as its SM writes them: they begin with those of a front
 * end. */
struct PORTS_ALIASED flex_sm_in {
  uint64_t cfg_lrr, kernel_start; /* the cluster has them for all */
#define PORT_IN(name, width, qualifier) uint64_t name;
#define PORT_OUT(name, width, qualifier)
#include "csim/ports/flex/flex_member.def"
#undef PORT_IN
#undef PORT_OUT
};
/* All ports of a Flex cluster in one piece. */
enum { FLEX_CLUSTER_MEMBERS = 6 /* at most */ };
struct flex_ports_in {
  struct flex_cluster_in own;
  struct flex_sm_in sm[FLEX_CLUSTER_MEMBERS];
};
struct flex_ports_out {
  struct flex_cluster_out own;
  struct flex_member_out member[FLEX_CLUSTER_MEMBERS];
};
#ifndef __cplusplus
_Static_assert(offsetof(struct flex_sm_in, sp_credit1) == sizeof(struct sm_frontend_in) &&
                   offsetof(struct flex_member_out, stall1) ==
                       offsetof(struct sm_frontend_out, stall1),
               "the same fields in the same order");
#endif

/* State of a whole front end: the views of its units. */
struct sm_frontend_state {
#define PART(name, unit, switched) struct unit##_view name;
#include "csim/ports/sm/frontend_parts.def"
#undef PART
  struct sm_frontend_wide_view wide; /* of large warps alone */
};

/* State of a Flex cluster as a member has it: the views of the units of its near half, of the rows
 * of its warps in contexts, and of the cluster's control. */
struct flex_member_state {
#define PART(name, unit, switched) struct unit##_view name;
#include "csim/ports/flex/flex_parts.def"
#undef PART
  struct far_rows_view far;
  struct flex_control_view control;
};

#endif
