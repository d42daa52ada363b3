/* Reference of rtl/flex/near_stack.sv. */
#include "csim/ref/flex/near_stack.h"

#include <string.h>

#include "csim/isa/core/isa.h"
#include "csim/ref/sm/decode.h"

void near_stack_ref_reset(struct near_stack_ref *s, unsigned dummy) {
  memset(s, 0, sizeof *s);
  s->dummy = dummy;
}

void near_stack_ref_restart(struct near_stack_ref *s) { near_stack_ref_reset(s, s->dummy); }

/* The top has run to its end, or has no lane. */
static bool near_is_over(const struct near_entry *top) {
  return top->mask == 0 || top->pc == top->rpc;
}

void near_stack_ref_launch(struct near_stack_ref *s, unsigned warp, uint16_t pc, uint64_t mask) {
  s->warp[warp] = (struct near_warp){.top = {mask, ISA_NO_RPC, pc}, .lanes = mask};
  s->live |= warpset_of(warp);
}

void near_stack_ref_issue(struct near_stack_ref *s, unsigned warp, unsigned ctl) {
  struct near_warp *w = &s->warp[warp];
  w->top.pc++;
  if (ctl == DECODE_CTL_BRA || ctl == DECODE_CTL_EXIT) {
    s->ctrl |= warpset_of(warp);
    w->exit = ctl == DECODE_CTL_EXIT;
  } else if (w->top.pc == w->top.rpc) {
    s->settle |= warpset_of(warp);
  }
}

void near_stack_ref_branch(struct near_stack_ref *s, unsigned warp, uint16_t target, uint16_t rpc) {
  s->warp[warp].goes = target;
  s->warp[warp].met = rpc;
}

static struct near_resolved near_exit(struct near_warp *w, uint64_t taken) {
  struct near_resolved r = {.depth = w->depth};
  w->lanes &= ~taken;
  w->top.mask &= ~taken;
  r.done = w->lanes == 0;
  r.settle = !r.done && near_is_over(&w->top);
  return r;
}

/* Lanes go both ways.  The entries lie on each other: where the ways meet, unless the old top ends
 * there as well; the way that falls through; the target's.  A way without instructions is left
 * out.  The last one is the new top. */
static struct near_resolved near_diverge(struct near_warp *w, uint64_t taken) {
  struct near_resolved r = {.depth = w->depth};
  const struct near_entry old = w->top;
  struct near_entry list[3];
  unsigned n = 0;
  if (w->met != old.rpc)
    list[n++] = (struct near_entry){old.mask, old.rpc, w->met};
  if (old.pc != w->met)
    list[n++] = (struct near_entry){old.mask & ~taken, w->met, old.pc};
  if (w->goes != w->met)
    list[n++] = (struct near_entry){taken, w->met, w->goes};
  if (w->depth + n - 1 > NEAR_BELOW) {
    r.trap = true;
    return r;
  }
  w->top = list[n - 1];
  r.pushes = n - 1;
  memcpy(r.pushed, list, r.pushes * sizeof list[0]);
  w->depth += r.pushes;
  return r;
}

struct near_resolved near_stack_ref_outcome(const struct near_stack_ref *s, unsigned warp,
                                            uint64_t lanes, struct near_warp *after) {
  struct near_warp *w = after;
  *w = s->warp[warp];
  const uint64_t taken = lanes & w->top.mask;
  if (w->exit)
    return near_exit(w, taken);
  const bool moves = taken != 0 && w->goes != w->top.pc;
  if (moves && taken != w->top.mask)
    return near_diverge(w, taken);
  if (moves)
    w->top.pc = w->goes;
  return (struct near_resolved){.settle = w->top.pc == w->top.rpc, .depth = w->depth};
}

struct near_resolved near_stack_ref_resolve(struct near_stack_ref *s, unsigned warp,
                                            uint64_t taken) {
  struct near_warp after;
  const struct near_resolved r = near_stack_ref_outcome(s, warp, taken, &after);
  if (r.trap)
    return r;
  s->warp[warp] = after;
  warpset_put(&s->ctrl, warp, false);
  warpset_put(&s->live, warp, !r.done);
  warpset_put(&s->settle, warp, r.settle);
  return r;
}

void near_stack_ref_pops(struct near_stack_ref *s, bool bypass, struct near_entry entry) {
  const unsigned begins = near_stack_ref_begins(s), ends = near_stack_ref_ends(s, bypass);
  if (!bypass && s->dummy != 0) {
    if (ends != NO_WARP)
      memmove(s->pop, s->pop + 1, --s->pops * sizeof s->pop[0]);
    for (unsigned i = 0; i < s->pops; i++)
      s->pop[i].left--;
    if (begins != NO_WARP) {
      s->pop[s->pops++] = (struct near_pop){begins, s->dummy - 1};
      s->popping |= warpset_of(begins);
    }
  }
  if (ends == NO_WARP)
    return;
  struct near_warp *w = &s->warp[ends];
  w->top = entry;
  w->top.mask &= w->lanes;
  w->depth--;
  warpset_put(&s->popping, ends, false);
  warpset_put(&s->settle, ends, near_is_over(&w->top));
}

static uint64_t near_pcs(const struct near_entry *e) { return (uint64_t)e->rpc << 16 | e->pc; }

static void near_stack_put_resolve(const struct near_stack_ref *s, const struct near_stack_in *in,
                                   struct near_stack_out *out) {
  const unsigned warp = (unsigned)in->resolve_warp;
  struct near_warp after;
  if (in->resolve_valid == 0)
    return;
  const struct near_resolved r = near_stack_ref_outcome(s, warp, in->resolve_taken, &after);
  const uint64_t push = r.pushes == 0 ? 0 : r.pushes == 1 ? 1 : 3;
  *(near_is_far(warp) ? &out->far_push : &out->own_push) = push;
  out->push_row = near_row_of(warp);
  out->push_depth = r.depth;
  out->push0_mask = r.pushed[0].mask;
  out->push0_pcs = near_pcs(&r.pushed[0]);
  out->push1_mask = r.pushed[1].mask;
  out->push1_pcs = near_pcs(&r.pushed[1]);
  out->done_valid = r.done;
  out->done_warp = warp;
  out->trap_valid = r.trap;
  out->trap_warp = warp;
}

void near_stack_ref_eval(const struct near_stack_ref *s, const struct near_stack_in *in,
                         struct near_stack_out *out) {
  const unsigned begins = near_stack_ref_begins(s);
  const unsigned ends = near_stack_ref_ends(s, in->bypass != 0);
  *out = (struct near_stack_out){.fetch_pc = s->warp[in->fetch_warp].top.pc,
                                 .rd0_pc = s->warp[in->iss0_warp].top.pc,
                                 .rd0_mask = s->warp[in->iss0_warp].top.mask,
                                 .rd1_pc = s->warp[in->iss1_warp].top.pc,
                                 .rd1_mask = s->warp[in->iss1_warp].top.mask,
                                 .live = s->live,
                                 .ctrl = s->ctrl,
                                 .settle = s->settle,
                                 .flush_valid = ends != NO_WARP};
  near_stack_put_resolve(s, in, out);
  if (begins != NO_WARP) {
    out->own_pop = !near_is_far(begins);
    out->far_pop = near_is_far(begins);
    out->pop_row = near_row_of(begins);
    out->pop_at = s->warp[begins].depth;
  }
  if (ends != NO_WARP) {
    out->flush_warp = ends;
    out->flush_far = near_is_far(ends);
  }
}

void near_stack_ref_step(struct near_stack_ref *s, const struct near_stack_in *in) {
  if (in->kernel_start) {
    near_stack_ref_restart(s);
    return;
  }
  near_stack_ref_pops(
      s, in->bypass != 0,
      (struct near_entry){in->pop_mask, (uint16_t)(in->pop_pcs >> 16), (uint16_t)in->pop_pcs});
  if (in->resolve_valid)
    near_stack_ref_resolve(s, (unsigned)in->resolve_warp, in->resolve_taken);
  if (in->iss0_valid)
    near_stack_ref_issue(s, (unsigned)in->iss0_warp, (unsigned)in->iss0_ctl);
  if (in->iss1_valid)
    near_stack_ref_issue(s, (unsigned)in->iss1_warp, (unsigned)in->iss1_ctl);
  if (in->br0_valid)
    near_stack_ref_branch(s, (unsigned)in->br0_warp, (uint16_t)in->br0_target,
                          (uint16_t)in->br0_rpc);
  if (in->br1_valid)
    near_stack_ref_branch(s, (unsigned)in->br1_warp, (uint16_t)in->br1_target,
                          (uint16_t)in->br1_rpc);
  if (in->launch_valid)
    near_stack_ref_launch(s, (unsigned)in->launch_warp, (uint16_t)in->launch_pc, in->launch_mask);
}

void near_stack_ref_view(const struct near_stack_ref *s, struct near_stack_view *view) {
  memset(view, 0, sizeof *view);
  view->live[0] = s->live;
  view->ctrl[0] = s->ctrl;
  view->settle[0] = s->settle;
  view->popping[0] = s->popping;
  for (unsigned w = 0; w < WARPS; w++) {
    const struct near_warp *warp = &s->warp[w];
    view->tos_pc[w] = warp->top.pc;
    view->tos_rpc[w] = warp->top.rpc;
    view->tos_mask[w] = warp->top.mask;
    view->live_mask[w] = warp->lanes;
    view->depth[w] = warp->depth;
  }
}
