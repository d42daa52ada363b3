/* A member of a Flex cluster (docs/hardware/flex_frontend.md): near half of a front end, from the
 * units' references, and the far actions that it has decided, on their way to the rows of contexts;
 * for flex_cluster.c.
 *
 * A cycle has two parts: flex_member_see finds its decisions and outputs from state and registered
 * inputs, flex_member_clock changes the state. */
#ifndef TANDEM_REF_FLEX_MEMBER_H
#define TANDEM_REF_FLEX_MEMBER_H

#include "csim/ref/flex/flex_context.h"
#include "csim/ref/flex/flex_control.h"
#include "csim/ref/sm/barrier.h"
#include "csim/ref/sm/fetch.h"
#include "csim/ref/sm/ibuffer.h"
#include "csim/ref/sm/icache.h"
#include "csim/ref/sm/issue.h"
#include "csim/ref/sm/scoreboard.h"
#include "csim/ref/sm/simt_stack.h"
#include "csim/ref/sm/warp_scheduler.h"

enum { FLEX_PORTS = 2 /* schedulers, and the ports on which they issue */ };

/* Actions on far rows that a cycle decides, which happen once they are there. */
struct flex_write { /* decoded instructions */
  bool valid, two;
  unsigned warp;
  uint64_t word[2];
  uint16_t dec[2];
};
struct flex_grant { /* the word is read, for the back end */
  bool valid, second, branch;
  unsigned warp;
  uint16_t pc;
  uint64_t mask;
};
struct flex_push {
  unsigned count, depth, warp;
  struct simt_entry entry[2];
};
struct flex_pop {
  bool valid;
  unsigned warp, at;
};
struct flex_actions {
  bool any;
  struct flex_write write;
  struct flex_grant grant[FLEX_PORTS];
  struct flex_push push;
  struct flex_pop pop;
};

/* The events of the next clock edge, as they follow from the state. */
struct flex_plan {
  struct issue_warps warps;
  unsigned pick[FLEX_PORTS]; /* NO_WARP: none */
  bool grant[FLEX_PORTS];
  unsigned stall[FLEX_PORTS]; /* enum stall */
  unsigned fetched;           /* NO_WARP: none */
  unsigned released;          /* CTA slots */
};

/* The kernel's scheme, as a member sees it. */
struct flex_part {
  enum flex_mode mode, next; /* in force; of the kernel that begins now */
  bool power, reset, hold;   /* of its near half */
  struct flex_row *far;      /* borrowed row 0; NULL: none */
};

struct flex_member_ref {
  unsigned dummy, fewer; /* stages; WARPS minus its number of warps */
  struct flex_sm_in in;  /* the registered inputs */
  bool in_idle;          /* no valid, credit or kernel_start is set; then they are not kept */
  struct flex_part part;
  bool cold;  /* near is off, or not reset since it was */
  bool quiet; /* without inputs another clock changes nothing */
  struct fetch_ref fetch;
  struct icache_ref icache;
  struct ibuffer_ref buffer;
  struct simt_stack_ref stack;
  struct scoreboard_ref scoreboard;
  struct warp_scheduler_ref sched[FLEX_PORTS];
  struct issue_ref issue;
  struct barrier_ref barrier;
  struct flex_context_ref context; /* its own rows */
  struct flex_plan plan;
  struct flex_actions way[SIMT_STAGES_MOST + 1]; /* decisions, by cycle modulo the length */
  unsigned now;                                  /* place of the present cycle's */
  struct flex_member_out regs, out;              /* output registers; the outputs */
};

/* In reset state: with `dummy` stages (0 to 2), and only the lowest warps. */
void flex_member_reset(struct flex_member_ref *m, unsigned warps, unsigned dummy);
/* The near half has a state that means something: it has power, was reset, and is not being reset
 * again. */
static inline bool flex_member_is_up(const struct flex_member_ref *m) {
  return m->part.power && !m->cold && !m->part.reset;
}
static inline bool flex_is_base(const struct flex_member_ref *m) {
  return m->part.mode == FLEX_BASE;
}
/* Stages between near and far in this mode. */
static inline unsigned flex_stages(const struct flex_member_ref *m) {
  return flex_is_base(m) ? 0 : m->dummy;
}
void flex_member_see(struct flex_member_ref *m);
/* A clock edge, which also registers the inputs. */
void flex_member_clock(struct flex_member_ref *m, const struct flex_sm_in *in);
/* Copies the state of near and of its warps' rows (flex_view.c). */
void flex_member_view(struct flex_member_ref *m, struct flex_member_state *state);

#endif
