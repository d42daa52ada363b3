/* Reference of rtl/sm/simt_stack.sv (docs/hardware/frontend.md, simt_stack). */
#ifndef TANDEM_REF_SIMT_STACK_H
#define TANDEM_REF_SIMT_STACK_H

#include "csim/ports/units.h"
#include "csim/ref/sm/decode.h"
#include "csim/ref/sm/lanes.h"
#include "csim/ref/sm/warpset.h"

enum { SIMT_BELOW = 16 /* entries that fit below the top */ };

struct simt_entry {
  uint16_t pc, rpc;
  lanes_mask mask;
};

/* A branch or exit that was issued and is not resolved. */
struct simt_pending {
  bool exit;
  uint16_t target, rpc;
};

/* The state that every instruction of a warp reads, two warps a cache line. */
struct simt_warp {
  _Alignas(32) struct simt_entry top;
  lanes_mask lanes; /* lanes that have not exited */
  uint32_t depth;   /* entries below the top */
  uint32_t met;     /* bit i: some lanes wait already where entry i goes to, its rpc */
  struct simt_pending pending;
};

struct simt_stack_ref {
  warpset live, ctrl, settle;
  struct simt_warp warp[WARPS];
  struct simt_entry below[WARPS][SIMT_BELOW]; /* the bottom first */
};

enum simt_event { SIMT_GOES_ON, SIMT_DONE, SIMT_TRAP };

/* An instruction as the stack sees it. */
struct simt_issue {
  unsigned ctl; /* enum decode_ctl */
  uint16_t target, rpc;
};

void simt_stack_ref_reset(struct simt_stack_ref *s);
void simt_stack_ref_launch(struct simt_stack_ref *s, unsigned warp, uint16_t pc, lanes_mask mask);
void simt_stack_ref_issue(struct simt_stack_ref *s, unsigned warp, struct simt_issue issue);
enum simt_event simt_stack_ref_resolve(struct simt_stack_ref *s, unsigned warp, lanes_mask taken);

/* A resolve, as other members of a buddy cluster compare it. */
struct simt_outcome {
  uint16_t pc;   /* of the branch or exit */
  unsigned dirs; /* bit 0: some lane takes the branch or exits, bit 1: some lane does not */
  uint16_t rpc;  /* where the directions of the branch meet; NO_RPC of an exit */
  unsigned push; /* entries by which the stack grows */
};
struct simt_outcome simt_stack_ref_outcome(const struct simt_stack_ref *s, unsigned warp,
                                           lanes_mask taken);

/* Removes the top of a warp that has settle set. */
void simt_stack_ref_pop(struct simt_stack_ref *s, unsigned warp);

/* The warp that is popped in this cycle, NO_WARP if none; those of `defer` are not. */
static inline unsigned simt_stack_ref_popped(const struct simt_stack_ref *s, warpset defer) {
  return warpset_first(s->settle & ~defer);
}

static inline const struct simt_entry *simt_stack_ref_top(const struct simt_stack_ref *s,
                                                          unsigned warp) {
  return &s->warp[warp].top;
}

/* How a warp's stack stands: its depth and, in bit 5, whether lanes wait at the top's rpc. */
static inline unsigned simt_stack_ref_depth(const struct simt_stack_ref *s, unsigned warp) {
  const struct simt_warp *w = &s->warp[warp];
  return (w->met >> w->depth & 1) << 5 | w->depth;
}

void simt_stack_ref_eval(const struct simt_stack_ref *s, const struct simt_stack_in *in,
                         struct simt_stack_out *out);
void simt_stack_ref_step(struct simt_stack_ref *s, const struct simt_stack_in *in);
void simt_stack_ref_view(const struct simt_stack_ref *s, struct simt_stack_view *view);
/* The lanes above those of the view. */
void simt_stack_ref_view_wide(const struct simt_stack_ref *s, struct sm_frontend_wide_view *view);

#endif
