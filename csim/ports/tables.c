/* The tables of all units, expanded from csim/ports/<unit>.def. */
#include "csim/ports/tables.h"

#define PORTS_UNIT fetch
#include "csim/ports/tables.inc"
#define PORTS_UNIT icache
#include "csim/ports/tables.inc"
#define PORTS_UNIT decode
#include "csim/ports/tables.inc"
#define PORTS_UNIT ibuffer
#include "csim/ports/tables.inc"
#define PORTS_UNIT simt_stack
#include "csim/ports/tables.inc"
#define PORTS_UNIT scoreboard
#include "csim/ports/tables.inc"
#define PORTS_UNIT warp_scheduler
#include "csim/ports/tables.inc"
#define PORTS_UNIT issue
#include "csim/ports/tables.inc"
#define PORTS_UNIT barrier
#include "csim/ports/tables.inc"
#define PORTS_UNIT cta_dispatch
#include "csim/ports/tables.inc"
#define PORTS_UNIT group_control
#include "csim/ports/tables.inc"
#define PORTS_UNIT monitor
#include "csim/ports/tables.inc"
#define PORTS_UNIT downlink
#include "csim/ports/tables.inc"
#define PORTS_UNIT uplink
#include "csim/ports/tables.inc"
#define PORTS_UNIT master_port
#include "csim/ports/tables.inc"
#define PORTS_UNIT slave_port
#include "csim/ports/tables.inc"
#define PORTS_UNIT park
#include "csim/ports/tables.inc"
#define PORTS_UNIT buddy_cluster
#include "csim/ports/tables.inc"
#define PORTS_UNIT buddy_member
#include "csim/ports/tables.inc"
#define PORTS_UNIT sm_frontend
#include "csim/ports/tables.inc"
#define PORTS_UNIT sm_frontend_wide
#include "csim/ports/tables.inc"

/* Numbers of state lines, to place each unit's counts. */
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier)
#define STATE(name, width, count, signal, qualifier) +1
enum {
  FETCH_LINES = 0
#include "csim/ports/fetch.def"
  ,
  ICACHE_LINES = 0
#include "csim/ports/icache.def"
  ,
  IBUFFER_LINES = 0
#include "csim/ports/ibuffer.def"
  ,
  SIMT_STACK_LINES = 0
#include "csim/ports/simt_stack.def"
  ,
  SCOREBOARD_LINES = 0
#include "csim/ports/scoreboard.def"
  ,
  SCHED_LINES = 0
#include "csim/ports/warp_scheduler.def"
  ,
  ISSUE_LINES = 0
#include "csim/ports/issue.def"
  ,
  BARRIER_LINES = 0
#include "csim/ports/barrier.def"
  ,
  WIDE_LINES = 0
#include "csim/ports/sm_frontend_wide.def"
};
#undef PORT_IN
#undef PORT_OUT
#undef STATE

enum {
  ICACHE_FIRST = FETCH_LINES,
  IBUFFER_FIRST = ICACHE_FIRST + ICACHE_LINES,
  SIMT_STACK_FIRST = IBUFFER_FIRST + IBUFFER_LINES,
  SCOREBOARD_FIRST = SIMT_STACK_FIRST + SIMT_STACK_LINES,
  SCHED0_FIRST = SCOREBOARD_FIRST + SCOREBOARD_LINES,
  SCHED1_FIRST = SCHED0_FIRST + SCHED_LINES,
  ISSUE_FIRST = SCHED1_FIRST + SCHED_LINES,
  BARRIER_FIRST = ISSUE_FIRST + ISSUE_LINES,
  WIDE_FIRST = BARRIER_FIRST + BARRIER_LINES,
  ALL_LINES = WIDE_FIRST + WIDE_LINES
};
_Static_assert((int)ALL_LINES <= (int)STATE_LINES, "STATE_LINES is too small");

#define VIEW(member) offsetof(struct sm_frontend_state, member)
const struct state_unit state_units[STATE_UNITS_WIDE] = {
    {"u_fetch", VIEW(fetch), fetch_states, 0},
    {"u_icache", VIEW(icache), icache_states, ICACHE_FIRST},
    {"u_ibuffer", VIEW(ibuffer), ibuffer_states, IBUFFER_FIRST},
    {"u_simt_stack", VIEW(simt_stack), simt_stack_states, SIMT_STACK_FIRST},
    {"u_scoreboard", VIEW(scoreboard), scoreboard_states, SCOREBOARD_FIRST},
    {"u_sched0", VIEW(sched0), warp_scheduler_states, SCHED0_FIRST},
    {"u_sched1", VIEW(sched1), warp_scheduler_states, SCHED1_FIRST},
    {"u_issue", VIEW(issue), issue_states, ISSUE_FIRST},
    {"u_barrier", VIEW(barrier), barrier_states, BARRIER_FIRST},
    {"u_simt_stack", VIEW(wide), sm_frontend_wide_states, WIDE_FIRST},
};

unsigned frontend_state_same(const struct sm_frontend_state *a, const struct sm_frontend_state *b,
                             uint64_t *counts, const struct state_unit **unit,
                             struct port_diff *first) {
  unsigned total = 0, u = 0;
  first->state = NULL;
#define COMPARE(x, member)                                                                         \
  do {                                                                                             \
    const unsigned n =                                                                             \
        x##_view_same(&a->member, &b->member, counts + state_units[u].first, first);               \
    if (n != 0 && total == 0)                                                                      \
      *unit = &state_units[u];                                                                     \
    total += n;                                                                                    \
    u++;                                                                                           \
  } while (0)
  COMPARE(fetch, fetch);
  COMPARE(icache, icache);
  COMPARE(ibuffer, ibuffer);
  COMPARE(simt_stack, simt_stack);
  COMPARE(scoreboard, scoreboard);
  COMPARE(warp_scheduler, sched0);
  COMPARE(warp_scheduler, sched1);
  COMPARE(issue, issue);
  COMPARE(barrier, barrier);
#undef COMPARE
  return total;
}

unsigned frontend_wide_state_same(const struct sm_frontend_state *a,
                                  const struct sm_frontend_state *b, uint64_t *counts,
                                  const struct state_unit **unit, struct port_diff *first) {
  const unsigned n = frontend_state_same(a, b, counts, unit, first);
  const unsigned more = sm_frontend_wide_view_same(&a->wide, &b->wide, counts + WIDE_FIRST, first);
  if (n == 0 && more != 0)
    *unit = &state_units[STATE_UNITS];
  return n + more;
}
