/* Reference of rtl/sm/simt_stack.sv (docs/hardware/frontend.md, simt_stack). */
#ifndef TANDEM_REF_SIMT_STACK_H
#define TANDEM_REF_SIMT_STACK_H

#include "csim/ports/units.h"
#include "csim/ref/sm/decode.h"
#include "csim/ref/sm/lanes.h"
#include "csim/ref/sm/warpset.h"

enum {
  SIMT_BELOW = 16,      /* entries that fit below the top */
  SIMT_STAGES_MOST = 2, /* to a memory of the entries */
};

/* Packed, so that the state of a warp is half a cache line. */
struct __attribute__((packed, aligned(4))) simt_entry {
  lanes_mask mask;
  uint16_t rpc, pc;
};

/* A branch or exit that was issued and is not resolved. */
struct simt_pending {
  uint16_t target, rpc;
  bool exit;
};

/* The state that every instruction of a warp reads, two warps a cache line. */
struct simt_warp {
  _Alignas(32) struct simt_entry top;
  uint32_t met;     /* bit i: some lanes wait already where entry i goes to, its rpc */
  lanes_mask lanes; /* lanes that have not exited */
  struct simt_pending pending;
  uint16_t depth; /* entries below the top */
};

/* A pop that has begun. */
struct simt_pop {
  unsigned warp, left; /* cycles until its entry is here */
};

struct simt_stack_ref {
  warpset live, ctrl, settle;
  warpset popping;                       /* warps whose pop is under way */
  struct simt_pop pop[SIMT_STAGES_MOST]; /* the oldest first */
  unsigned pops;
  unsigned stages; /* to the memory of the entries; 0: they are in `below` */
  struct simt_warp warp[WARPS];
  struct simt_entry below[WARPS][SIMT_BELOW]; /* the bottom first */
};

enum simt_event { SIMT_GOES_ON, SIMT_DONE, SIMT_TRAP };

/* A resolve: how the warp goes on, and the entries that go below its new top. */
struct simt_resolved {
  enum simt_event event;
  bool settle;
  unsigned pushes;
  struct simt_entry pushed[2]; /* the lower one first */
};

/* Without stages. */
void simt_stack_ref_reset(struct simt_stack_ref *s);
/* In reset state, with as many stages as before. */
void simt_stack_ref_restart(struct simt_stack_ref *s);
void simt_stack_ref_launch(struct simt_stack_ref *s, unsigned warp, uint16_t pc, lanes_mask mask);
/* An instruction of a control class, enum decode_ctl. */
void simt_stack_ref_issue(struct simt_stack_ref *s, unsigned warp, unsigned ctl);
/* Target and reconvergence PC of the warp's branch come. */
void simt_stack_ref_branch(struct simt_stack_ref *s, unsigned warp, uint16_t target, uint16_t rpc);

/* Returns what a resolve would do; `after` gets the warp as it would be. */
struct simt_resolved simt_stack_ref_after(const struct simt_stack_ref *s, unsigned warp,
                                          lanes_mask taken, struct simt_warp *after);
enum simt_event simt_stack_ref_resolve(struct simt_stack_ref *s, unsigned warp, lanes_mask taken);

/* A resolve in short. */
struct simt_outcome {
  uint16_t pc;   /* of the branch or exit */
  unsigned dirs; /* bit 0: some lane takes the branch or exits, bit 1: some lane does not */
  uint16_t rpc;  /* where the directions of the branch meet; NO_RPC of an exit */
  unsigned push; /* entries by which the stack grows */
};
struct simt_outcome simt_stack_ref_outcome(const struct simt_stack_ref *s, unsigned warp,
                                           lanes_mask taken);

/* The warp whose pop begins in this cycle, NO_WARP if none; those of `defer` do not begin. */
static inline unsigned simt_stack_ref_popped(const struct simt_stack_ref *s, warpset defer) {
  return warpset_first(s->settle & ~s->popping & ~defer);
}

/* Without stages: removes the top of a warp that has settle set. */
void simt_stack_ref_pop(struct simt_stack_ref *s, unsigned warp);

/* With stages, which `bypass` makes 0: the warp whose pop ends as the one of `begins` begins; and
 * a clock edge for both, which brings the entry of the one that ends. */
static inline unsigned simt_stack_ref_ends(const struct simt_stack_ref *s, unsigned begins,
                                           bool bypass) {
  if (bypass)
    return begins;
  return s->pops > 0 && s->pop[0].left == 0 ? s->pop[0].warp : NO_WARP;
}
void simt_stack_ref_pops(struct simt_stack_ref *s, unsigned begins, bool bypass,
                         struct simt_entry entry);

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
