/* The units' structs and interfaces, made from their ports tables.
 *
 * For a unit X: struct X_in, struct X_out (a uint64_t a port), struct X_view (a uint64_t an element
 * of state), tables X_ports_in[], X_ports_out[], X_states[] with X_IN, X_OUT, X_STATES lines, and
 * X_same(a, b): how many qualified outputs differ (0: equal).
 */
#ifndef TANDEM_UNITS_H
#define TANDEM_UNITS_H

#include "csim/ports/ports.h"

#define PORTS_QUOTE_(x) #x
#define PORTS_QUOTE(x) PORTS_QUOTE_(x)

#define PORTS_UNIT fetch
#include "csim/ports/expand.h"
#define PORTS_UNIT icache
#include "csim/ports/expand.h"
#define PORTS_UNIT decode
#include "csim/ports/expand.h"
#define PORTS_UNIT ibuffer
#include "csim/ports/expand.h"
#define PORTS_UNIT simt_stack
#include "csim/ports/expand.h"
#define PORTS_UNIT scoreboard
#include "csim/ports/expand.h"
#define PORTS_UNIT warp_scheduler
#include "csim/ports/expand.h"
#define PORTS_UNIT issue
#include "csim/ports/expand.h"
#define PORTS_UNIT barrier
#include "csim/ports/expand.h"
#define PORTS_UNIT cta_dispatch
#include "csim/ports/expand.h"
#define PORTS_UNIT group_control
#include "csim/ports/expand.h"
#define PORTS_UNIT monitor
#include "csim/ports/expand.h"
#define PORTS_UNIT downlink
#include "csim/ports/expand.h"
#define PORTS_UNIT uplink
#include "csim/ports/expand.h"
#define PORTS_UNIT master_port
#include "csim/ports/expand.h"
#define PORTS_UNIT slave_port
#include "csim/ports/expand.h"
#define PORTS_UNIT park
#include "csim/ports/expand.h"
#define PORTS_UNIT buddy_cluster
#include "csim/ports/expand.h"
#define PORTS_UNIT buddy_member
#include "csim/ports/expand.h"
#define PORTS_UNIT sm_frontend
#include "csim/ports/expand.h"
#define PORTS_UNIT sm_frontend_wide
#include "csim/ports/expand.h"

/* The ports of a front end of large warps begin with those of sm_frontend, field by field. */
#ifndef __cplusplus
_Static_assert(offsetof(struct sm_frontend_wide_in, launch_mask_hi) ==
                       sizeof(struct sm_frontend_in) &&
                   offsetof(struct sm_frontend_wide_out, iss0_mask_hi) ==
                       sizeof(struct sm_frontend_out),
               "the same fields in the same order");
#endif

/* State of a whole front end: the views of its units. */
struct sm_frontend_state {
  struct fetch_view fetch;
  struct icache_view icache;
  struct ibuffer_view ibuffer;
  struct simt_stack_view simt_stack;
  struct scoreboard_view scoreboard;
  struct warp_scheduler_view sched0, sched1;
  struct issue_view issue;
  struct barrier_view barrier;
  struct sm_frontend_wide_view wide; /* of large warps alone */
};

#endif
