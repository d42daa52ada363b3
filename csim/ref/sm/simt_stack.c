/* Reference of rtl/sm/simt_stack.sv, with its simt_flags, simt_entries, simt_pops and simt_resolve.
 */
#include "csim/ref/sm/simt_stack.h"

#include <string.h>

void simt_stack_ref_reset(struct simt_stack_ref *s) { memset(s, 0, sizeof *s); }

void simt_stack_ref_restart(struct simt_stack_ref *s) {
  const unsigned stages = s->stages;
  simt_stack_ref_reset(s);
  s->stages = stages;
}

static bool at_reconvergence(const struct simt_entry *top) { return top->pc == top->rpc; }

/* The top has run to its end, or has no lane. */
static bool is_over(const struct simt_entry *top) {
  return top->mask == 0 || at_reconvergence(top);
}

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

void simt_stack_ref_issue(struct simt_stack_ref *s, unsigned warp, unsigned ctl) {
  struct simt_warp *w = &s->warp[warp];
  w->top.pc++;
  if (ctl == DECODE_CTL_BRA || ctl == DECODE_CTL_EXIT) {
    warpset_put(&s->ctrl, warp, true);
    w->pending.exit = ctl == DECODE_CTL_EXIT;
  } else if (at_reconvergence(&w->top)) {
    warpset_put(&s->settle, warp, true);
  }
}

void simt_stack_ref_branch(struct simt_stack_ref *s, unsigned warp, uint16_t target, uint16_t rpc) {
  s->warp[warp].pending.target = target;
  s->warp[warp].pending.rpc = rpc;
}

static struct simt_resolved end_lanes(struct simt_warp *w, lanes_mask taken) {
  w->lanes &= ~taken;
  w->top.mask &= ~taken;
  if (w->lanes == 0)
    return (struct simt_resolved){.event = SIMT_DONE};
  return (struct simt_resolved){.settle = is_over(&w->top)};
}

static bool has_met(const struct simt_warp *w, unsigned entry) {
  return (w->met >> entry & 1) != 0;
}

static void put_met(struct simt_warp *w, unsigned entry, bool met) {
  w->met = (w->met & ~(1U << entry)) | (uint32_t)met << entry;
}

/* Both directions are taken: the paths go on the stack, the taken one on top, with what joins them
 * again below. */
static struct simt_resolved diverge(struct simt_warp *w, lanes_mask taken) {
  const struct simt_entry top = w->top;
  const struct simt_pending *branch = &w->pending;
  struct simt_entry added[3];
  const bool stays = branch->rpc != top.rpc; /* it stays where the paths meet */
  const bool met =
      top.pc == branch->rpc || branch->target == branch->rpc || (!stays && has_met(w, w->depth));
  unsigned n = 0;
  if (stays)
    added[n++] = (struct simt_entry){top.mask, top.rpc, branch->rpc};
  if (top.pc != branch->rpc)
    added[n++] = (struct simt_entry){top.mask & ~taken, branch->rpc, top.pc};
  if (branch->target != branch->rpc)
    added[n++] = (struct simt_entry){taken, branch->rpc, branch->target};
  n--; /* below the new top */
  if (w->depth + n > SIMT_BELOW)
    return (struct simt_resolved){.event = SIMT_TRAP};
  struct simt_resolved r = {.pushes = n};
  memcpy(r.pushed, added, n * sizeof added[0]);
  for (unsigned i = stays; i <= n; i++)
    put_met(w, w->depth + i, met);
  w->depth = (uint16_t)(w->depth + n);
  w->top = added[n];
  return r;
}

static struct simt_resolved resolve(struct simt_warp *w, lanes_mask taken_lanes) {
  struct simt_entry *top = &w->top;
  const lanes_mask taken = taken_lanes & top->mask;
  if (w->pending.exit)
    return end_lanes(w, taken);
  const bool moves = taken != 0 && w->pending.target != top->pc;
  if (moves && taken != top->mask)
    return diverge(w, taken);
  if (moves)
    top->pc = w->pending.target;
  return (struct simt_resolved){.settle = at_reconvergence(top)};
}

struct simt_resolved simt_stack_ref_after(const struct simt_stack_ref *s, unsigned warp,
                                          lanes_mask taken, struct simt_warp *after) {
  *after = s->warp[warp];
  return resolve(after, taken);
}

enum simt_event simt_stack_ref_resolve(struct simt_stack_ref *s, unsigned warp, lanes_mask taken) {
  const unsigned depth = s->warp[warp].depth;
  const struct simt_resolved r = resolve(&s->warp[warp], taken);
  if (r.event == SIMT_TRAP)
    return r.event;
  if (s->stages == 0)
    memcpy(&s->below[warp][depth], r.pushed, r.pushes * sizeof r.pushed[0]);
  warpset_put(&s->ctrl, warp, false);
  warpset_put(&s->settle, warp, r.settle);
  if (r.event == SIMT_DONE)
    warpset_put(&s->live, warp, false);
  return r.event;
}

struct simt_outcome simt_stack_ref_outcome(const struct simt_stack_ref *s, unsigned warp,
                                           lanes_mask taken) {
  const struct simt_entry *top = simt_stack_ref_top(s, warp);
  const struct simt_pending *pending = &s->warp[warp].pending;
  const bool some = (taken & top->mask) != 0, others = (top->mask & ~taken) != 0;
  struct simt_warp after;
  return (struct simt_outcome){.pc = (uint16_t)(top->pc - 1),
                               .dirs = (unsigned)some | (unsigned)others << 1,
                               .rpc = pending->exit ? ISA_NO_RPC : pending->rpc,
                               .push = simt_stack_ref_after(s, warp, taken, &after).pushes};
}

static void pop(struct simt_stack_ref *s, unsigned warp, struct simt_entry entry) {
  struct simt_warp *w = &s->warp[warp];
  const struct simt_entry popped = w->top;
  const bool some = popped.mask != 0 || has_met(w, w->depth);
  w->top = entry;
  w->depth--;
  if (some && w->top.rpc == popped.rpc)
    put_met(w, w->depth, true);
  w->top.mask &= w->lanes;
  warpset_put(&s->settle, warp, is_over(&w->top));
}

void simt_stack_ref_pop(struct simt_stack_ref *s, unsigned warp) {
  if (s->warp[warp].depth > 0)
    pop(s, warp, s->below[warp][s->warp[warp].depth - 1]);
}

void simt_stack_ref_pops(struct simt_stack_ref *s, unsigned begins, bool bypass,
                         struct simt_entry entry) {
  const unsigned ends = simt_stack_ref_ends(s, begins, bypass);
  if (!bypass) {
    if (ends != NO_WARP)
      memmove(s->pop, s->pop + 1, --s->pops * sizeof s->pop[0]);
    for (unsigned i = 0; i < s->pops; i++)
      s->pop[i].left--;
    if (begins != NO_WARP) {
      s->pop[s->pops++] = (struct simt_pop){begins, s->stages - 1};
      warpset_put(&s->popping, begins, true);
    }
  }
  if (ends == NO_WARP)
    return;
  pop(s, ends, entry);
  warpset_put(&s->popping, ends, false);
}

static uint64_t pcs(const struct simt_entry *e) { return (uint64_t)e->rpc << 16 | e->pc; }

static void put_resolve(const struct simt_stack_ref *s, const struct simt_stack_in *in,
                        struct simt_stack_out *out) {
  const unsigned warp = (unsigned)in->resolve_warp;
  const lanes_mask taken = (lanes_mask)in->resolve_taken;
  struct simt_warp after;
  const struct simt_resolved r = simt_stack_ref_after(s, warp, taken, &after);
  const struct simt_outcome o = simt_stack_ref_outcome(s, warp, taken);
  out->push = (1U << r.pushes) - 1;
  out->push_depth = s->warp[warp].depth;
  out->push0_mask = (uint64_t)r.pushed[0].mask;
  out->push0_pcs = pcs(&r.pushed[0]);
  out->push1_mask = (uint64_t)r.pushed[1].mask;
  out->push1_pcs = pcs(&r.pushed[1]);
  out->done_valid = r.event == SIMT_DONE;
  out->done_warp = warp;
  out->trap_valid = r.event == SIMT_TRAP;
  out->trap_warp = warp;
  out->res_at = o.pc;
  out->res_dirs = o.dirs;
  out->res_rpc = o.rpc;
}

void simt_stack_ref_eval(const struct simt_stack_ref *s, const struct simt_stack_in *in,
                         struct simt_stack_out *out) {
  const unsigned begins = simt_stack_ref_popped(s, in->defer);
  const unsigned ends = simt_stack_ref_ends(s, begins, s->stages == 0 || in->bypass);
  const struct simt_entry *rd0 = simt_stack_ref_top(s, (unsigned)in->iss0_warp);
  const struct simt_entry *rd1 = simt_stack_ref_top(s, (unsigned)in->iss1_warp);
  *out = (struct simt_stack_out){.fetch_pc = simt_stack_ref_top(s, (unsigned)in->fetch_warp)->pc,
                                 .rd0_pc = rd0->pc,
                                 .rd0_mask = (uint64_t)rd0->mask,
                                 .rd1_pc = rd1->pc,
                                 .rd1_mask = (uint64_t)rd1->mask,
                                 .depth0 = simt_stack_ref_depth(s, (unsigned)in->depth0_warp),
                                 .depth1 = simt_stack_ref_depth(s, (unsigned)in->depth1_warp),
                                 .live = s->live,
                                 .ctrl = s->ctrl,
                                 .settle = s->settle,
                                 .pop_valid = begins != NO_WARP,
                                 .pop_warp = begins,
                                 .pop_at = begins != NO_WARP ? s->warp[begins].depth : 0,
                                 .flush_valid = ends != NO_WARP,
                                 .flush_warp = ends};
  if (in->resolve_valid)
    put_resolve(s, in, out);
}

void simt_stack_ref_step(struct simt_stack_ref *s, const struct simt_stack_in *in) {
  if (in->kernel_start) {
    simt_stack_ref_restart(s);
    return;
  }
  const unsigned begins = simt_stack_ref_popped(s, in->defer);
  if (s->stages != 0)
    simt_stack_ref_pops(s, begins, in->bypass != 0,
                        (struct simt_entry){(lanes_mask)in->pop_mask, (uint16_t)(in->pop_pcs >> 16),
                                            (uint16_t)in->pop_pcs});
  else if (begins != NO_WARP)
    simt_stack_ref_pop(s, begins);
  if (in->resolve_valid)
    simt_stack_ref_resolve(s, (unsigned)in->resolve_warp, (lanes_mask)in->resolve_taken);
  if (in->iss0_valid)
    simt_stack_ref_issue(s, (unsigned)in->iss0_warp, (unsigned)in->iss0_ctl);
  if (in->iss1_valid)
    simt_stack_ref_issue(s, (unsigned)in->iss1_warp, (unsigned)in->iss1_ctl);
  if (in->br0_valid)
    simt_stack_ref_branch(s, (unsigned)in->br0_warp, (uint16_t)in->br0_target,
                          (uint16_t)in->br0_rpc);
  if (in->br1_valid)
    simt_stack_ref_branch(s, (unsigned)in->br1_warp, (uint16_t)in->br1_target,
                          (uint16_t)in->br1_rpc);
  if (in->launch_valid)
    simt_stack_ref_launch(s, (unsigned)in->launch_warp, (uint16_t)in->launch_pc,
                          (lanes_mask)in->launch_mask);
}

void simt_stack_ref_view(const struct simt_stack_ref *s, struct simt_stack_view *view) {
  *view = (struct simt_stack_view){
      .live = {s->live}, .ctrl = {s->ctrl}, .settle = {s->settle}, .popping = {s->popping}};
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
