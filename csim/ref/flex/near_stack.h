/* Reference of rtl/flex/near_stack.sv (docs/hardware/flex_frontend.md, near_stack). */
#ifndef TANDEM_REF_NEAR_STACK_H
#define TANDEM_REF_NEAR_STACK_H

#include "csim/ports/units.h"
#include "csim/ref/flex/near_buffer.h"
#include "csim/ref/sm/warpset.h"

enum {
  NEAR_BELOW = 16,     /* entries that fit below the top */
  NEAR_DUMMY_MOST = 2, /* stages between near and far */
};

struct near_entry {
  uint64_t mask;
  uint16_t rpc, pc;
};

struct near_warp {
  struct near_entry top;
  uint64_t lanes;     /* that have not exited */
  unsigned depth;     /* entries below the top, which are far */
  bool exit;          /* the open branch is an exit */
  uint16_t goes, met; /* its target, where its directions meet */
};

/* A pop that has begun. */
struct near_pop {
  unsigned warp, left; /* cycles until its entry is here */
};

struct near_stack_ref {
  unsigned dummy; /* stages, unless they are bypassed */
  warpset live, ctrl, settle, popping;
  struct near_warp warp[WARPS];
  struct near_pop pop[NEAR_DUMMY_MOST]; /* the oldest first */
  unsigned pops;
};

/* Effects of a resolve besides the changed warp. */
struct near_resolved {
  bool done, trap, settle;
  unsigned pushes, depth;      /* entries that are pushed; those that were there */
  struct near_entry pushed[2]; /* the lower one first */
};

void near_stack_ref_reset(struct near_stack_ref *s, unsigned dummy);
/* In reset state, with as many stages as before. */
void near_stack_ref_restart(struct near_stack_ref *s);

void near_stack_ref_launch(struct near_stack_ref *s, unsigned warp, uint16_t pc, uint64_t mask);
void near_stack_ref_issue(struct near_stack_ref *s, unsigned warp, unsigned ctl);
/* Target and reconvergence PC of the warp's open branch come. */
void near_stack_ref_branch(struct near_stack_ref *s, unsigned warp, uint16_t target, uint16_t rpc);

/* Returns what a resolve would do; `after` gets the warp behind it. */
struct near_resolved near_stack_ref_outcome(const struct near_stack_ref *s, unsigned warp,
                                            uint64_t taken, struct near_warp *after);
struct near_resolved near_stack_ref_resolve(struct near_stack_ref *s, unsigned warp,
                                            uint64_t taken);

/* The warps whose pop begins and ends in this cycle, NO_WARP: none. */
static inline unsigned near_stack_ref_begins(const struct near_stack_ref *s) {
  return warpset_first(s->settle & ~s->popping);
}
static inline unsigned near_stack_ref_ends(const struct near_stack_ref *s, bool bypass) {
  if (bypass || s->dummy == 0)
    return near_stack_ref_begins(s);
  return s->pops > 0 && s->pop[0].left == 0 ? s->pop[0].warp : NO_WARP;
}

/* A clock edge for pops: one begins, one ends with this entry. */
void near_stack_ref_pops(struct near_stack_ref *s, bool bypass, struct near_entry entry);

void near_stack_ref_eval(const struct near_stack_ref *s, const struct near_stack_in *in,
                         struct near_stack_out *out);
void near_stack_ref_step(struct near_stack_ref *s, const struct near_stack_in *in);
void near_stack_ref_view(const struct near_stack_ref *s, struct near_stack_view *view);

#endif
