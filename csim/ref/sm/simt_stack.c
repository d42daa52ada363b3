/* Reference of rtl/sm/simt_stack.sv, with its simt_flags, simt_entries and simt_resolve. */
#include "csim/ref/sm/simt_stack.h"

#include <string.h>

void simt_stack_ref_reset(struct simt_stack_ref *s) { memset(s, 0, sizeof *s); }

static bool at_reconvergence(const struct simt_entry *top) { return top->pc == top->rpc; }

void simt_stack_ref_launch(struct simt_stack_ref *s, unsigned warp, uint16_t pc, lanes_mask mask) {
  struct simt_warp *w = &s->warp[warp];
  w->depth = 0;
  w->top = (struct simt_entry){.pc = pc, .rpc = ISA_NO_RPC, .mask = mask};
  w->lanes = mask;
  w->met = 0;
  warpset_put(&s->live, warp, true);
  warpset_put(&s->ctrl, warp, false);
  warpset_put(&s->settle, warp, false);
}

void simt_stack_ref_issue(struct simt_stack_ref *s, unsigned warp, struct simt_issue issue) {
  struct simt_warp *w = &s->warp[warp];
  struct simt_entry *top = &w->top;
  top->pc++;
  if (issue.ctl == DECODE_CTL_BRA || issue.ctl == DECODE_CTL_EXIT) {
    warpset_put(&s->ctrl, warp, true);
    w->pending = (struct simt_pending){
        .exit = issue.ctl == DECODE_CTL_EXIT, .target = issue.target, .rpc = issue.rpc};
  } else if (at_reconvergence(top)) {
    warpset_put(&s->settle, warp, true);
  }
}

/* Ends the lanes `taken`.  Sets *settle if the top must be removed. */
static enum simt_event end_lanes(struct simt_warp *w, lanes_mask taken, bool *settle) {
  struct simt_entry *top = &w->top;
  w->lanes &= ~taken;
  top->mask &= ~taken;
  *settle = w->lanes != 0 && (top->mask == 0 || at_reconvergence(top));
  return w->lanes == 0 ? SIMT_DONE : SIMT_GOES_ON;
}

static bool has_met(const struct simt_warp *w, unsigned entry) {
  return (w->met >> entry & 1) != 0;
}

static void put_met(struct simt_warp *w, unsigned entry, bool met) {
  w->met = (w->met & ~(1U << entry)) | (uint32_t)met << entry;
}

/* Both directions are taken: the paths go on the stack, the taken one on top, with what joins them
 * again below. */
static enum simt_event diverge(struct simt_warp *w, struct simt_entry *below, lanes_mask taken) {
  const struct simt_entry top = w->top;
  const struct simt_pending *branch = &w->pending;
  struct simt_entry added[3];
  const bool stays = branch->rpc != top.rpc; /* it stays where the paths meet */
  const bool met =
      top.pc == branch->rpc || branch->target == branch->rpc || (!stays && has_met(w, w->depth));
  unsigned n = 0;
  if (stays)
    added[n++] = (struct simt_entry){branch->rpc, top.rpc, top.mask};
  if (top.pc != branch->rpc)
    added[n++] = (struct simt_entry){top.pc, branch->rpc, top.mask & ~taken};
  if (branch->target != branch->rpc)
    added[n++] = (struct simt_entry){branch->target, branch->rpc, taken};
  n--; /* below the new top */
  if (w->depth + n > SIMT_BELOW)
    return SIMT_TRAP;
  memcpy(&below[w->depth], added, n * sizeof added[0]);
  for (unsigned i = stays; i <= n; i++)
    put_met(w, w->depth + i, met);
  w->depth += n;
  w->top = added[n];
  return SIMT_GOES_ON;
}

static enum simt_event resolve(struct simt_warp *w, struct simt_entry *below,
                               lanes_mask taken_lanes, bool *settle) {
  struct simt_entry *top = &w->top;
  lanes_mask taken = taken_lanes & top->mask;
  *settle = false;
  if (w->pending.exit)
    return end_lanes(w, taken, settle);
  bool moves = taken != 0 && w->pending.target != top->pc;
  if (moves && taken != top->mask)
    return diverge(w, below, taken);
  if (moves)
    top->pc = w->pending.target;
  *settle = at_reconvergence(top);
  return SIMT_GOES_ON;
}

enum simt_event simt_stack_ref_resolve(struct simt_stack_ref *s, unsigned warp, lanes_mask taken) {
  bool settle;
  enum simt_event event = resolve(&s->warp[warp], s->below[warp], taken, &settle);
  if (event == SIMT_TRAP)
    return event;
  warpset_put(&s->ctrl, warp, false);
  warpset_put(&s->settle, warp, settle);
  if (event == SIMT_DONE)
    warpset_put(&s->live, warp, false);
  return event;
}

/* Entries by which a branch that is about to take both directions makes the stack deeper. */
static unsigned growth(const struct simt_warp *w) {
  const struct simt_pending *branch = &w->pending;
  const unsigned paths = 2U - (w->top.pc == branch->rpc) - (branch->target == branch->rpc);
  const unsigned n = branch->rpc == w->top.rpc ? paths - 1 : paths;
  return w->depth + n > SIMT_BELOW ? 0 : n;
}

struct simt_outcome simt_stack_ref_outcome(const struct simt_stack_ref *s, unsigned warp,
                                           lanes_mask taken) {
  const struct simt_entry *top = simt_stack_ref_top(s, warp);
  const struct simt_pending *pending = &s->warp[warp].pending;
  const bool some = (taken & top->mask) != 0, others = (top->mask & ~taken) != 0;
  const bool splits = !pending->exit && some && others && pending->target != top->pc;
  return (struct simt_outcome){.pc = (uint16_t)(top->pc - 1),
                               .dirs = (unsigned)some | (unsigned)others << 1,
                               .rpc = pending->exit ? ISA_NO_RPC : pending->rpc,
                               .push = splits ? growth(&s->warp[warp]) : 0};
}

void simt_stack_ref_pop(struct simt_stack_ref *s, unsigned warp) {
  struct simt_warp *w = &s->warp[warp];
  const struct simt_entry popped = w->top;
  const bool some = popped.mask != 0 || has_met(w, w->depth);
  if (w->depth > 0)
    w->top = s->below[warp][--w->depth];
  if (some && w->top.rpc == popped.rpc)
    put_met(w, w->depth, true);
  w->top.mask &= w->lanes;
  warpset_put(&s->settle, warp, w->top.mask == 0 || at_reconvergence(&w->top));
}

void simt_stack_ref_eval(const struct simt_stack_ref *s, const struct simt_stack_in *in,
                         struct simt_stack_out *out) {
  unsigned popped = simt_stack_ref_popped(s, in->defer);
  const struct simt_entry *rd0 = simt_stack_ref_top(s, (unsigned)in->iss0_warp);
  const struct simt_entry *rd1 = simt_stack_ref_top(s, (unsigned)in->iss1_warp);
  enum simt_event event = SIMT_GOES_ON;
  if (in->resolve_valid) {
    struct simt_warp copy = s->warp[in->resolve_warp];
    struct simt_entry below[SIMT_BELOW];
    bool settle;
    memcpy(below, s->below[in->resolve_warp], sizeof below);
    event = resolve(&copy, below, (lanes_mask)in->resolve_taken, &settle);
  }
  *out = (struct simt_stack_out){.fetch_pc = simt_stack_ref_top(s, (unsigned)in->fetch_warp)->pc,
                                 .rd0_pc = rd0->pc,
                                 .rd0_mask = (uint64_t)rd0->mask,
                                 .rd1_pc = rd1->pc,
                                 .rd1_mask = (uint64_t)rd1->mask,
                                 .rd0_depth = simt_stack_ref_depth(s, (unsigned)in->roll0_warp),
                                 .rd1_depth = simt_stack_ref_depth(s, (unsigned)in->roll1_warp),
                                 .live = s->live,
                                 .ctrl = s->ctrl,
                                 .settle = s->settle,
                                 .flush_valid = popped != NO_WARP,
                                 .flush_warp = popped,
                                 .done_valid = event == SIMT_DONE,
                                 .done_warp = in->resolve_warp,
                                 .trap_valid = event == SIMT_TRAP,
                                 .trap_warp = in->resolve_warp};
  if (in->resolve_valid) {
    struct simt_outcome o =
        simt_stack_ref_outcome(s, (unsigned)in->resolve_warp, (lanes_mask)in->resolve_taken);
    out->res_at = o.pc;
    out->res_dirs = o.dirs;
    out->res_rpc = o.rpc;
    out->res_push = o.push;
  }
}

void simt_stack_ref_step(struct simt_stack_ref *s, const struct simt_stack_in *in) {
  if (in->kernel_start) {
    simt_stack_ref_reset(s);
    return;
  }
  unsigned popped = simt_stack_ref_popped(s, in->defer);
  if (popped != NO_WARP)
    simt_stack_ref_pop(s, popped);
  if (in->resolve_valid)
    simt_stack_ref_resolve(s, (unsigned)in->resolve_warp, (lanes_mask)in->resolve_taken);
  if (in->iss0_valid)
    simt_stack_ref_issue(s, (unsigned)in->iss0_warp,
                         (struct simt_issue){.ctl = (unsigned)in->iss0_ctl,
                                             .target = (uint16_t)in->iss0_target,
                                             .rpc = (uint16_t)in->iss0_rpc});
  if (in->iss1_valid)
    simt_stack_ref_issue(s, (unsigned)in->iss1_warp,
                         (struct simt_issue){.ctl = (unsigned)in->iss1_ctl,
                                             .target = (uint16_t)in->iss1_target,
                                             .rpc = (uint16_t)in->iss1_rpc});
  if (in->launch_valid)
    simt_stack_ref_launch(s, (unsigned)in->launch_warp, (uint16_t)in->launch_pc,
                          (lanes_mask)in->launch_mask);
}

void simt_stack_ref_view(const struct simt_stack_ref *s, struct simt_stack_view *view) {
  *view = (struct simt_stack_view){.live = {s->live}, .ctrl = {s->ctrl}, .settle = {s->settle}};
  for (warpset left = s->live; left != 0; left &= left - 1) {
    const unsigned i = warpset_first(left);
    const struct simt_entry *top = simt_stack_ref_top(s, i);
    view->tos_pc[i] = top->pc;
    view->tos_rpc[i] = top->rpc;
    view->tos_mask[i] = (uint64_t)top->mask;
    view->live_mask[i] = (uint64_t)s->warp[i].lanes;
    view->depth[i] = s->warp[i].depth;
  }
}

void simt_stack_ref_view_wide(const struct simt_stack_ref *s, struct sm_frontend_wide_view *view) {
  *view = (struct sm_frontend_wide_view){0};
  for (warpset left = s->live; left != 0; left &= left - 1) {
    unsigned w = warpset_first(left);
    view->tos_mask_hi[w] = lanes_high(simt_stack_ref_top(s, w)->mask);
    view->live_mask_hi[w] = lanes_high(s->warp[w].lanes);
  }
}
