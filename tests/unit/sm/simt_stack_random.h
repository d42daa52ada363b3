/* Random lockstep of simt_stack with the memory of its entries. */

/* Covers coincidences of a resolve, from the warp before it. */
static void cover_resolve(unsigned warp, const struct simt_warp *w, uint64_t given,
                          const unit_out *out) {
  const struct simt_entry *top = &w->top;
  const uint64_t taken = given & top->mask, rest = top->mask & ~taken;
  const bool upper = warp >= UPPER_WARP;
  cover(COVER_taken_outside_mask, (given & ~top->mask) != 0);
  if (w->pending.exit) {
    const bool done = (w->lanes & ~taken) == 0;
    cover(COVER_exit_all, done);
    cover(COVER_exit_none, taken == 0);
    cover(COVER_exit_some_go_on, taken != 0 && rest != 0);
    cover(COVER_exit_top_empty, !done && rest == 0);
    static uint64_t last; /* lanes that were the last ones of a warp */
    const uint64_t left = w->lanes & ~taken;
    if (__builtin_popcountll(left) == 1)
      last |= left;
    cover(COVER_exit_leaves_each_lane, last == all_lanes);
    cover(COVER_exit_rest_at_rpc, !done && rest != 0 && top->pc == top->rpc);
    return;
  }
  const bool to_next = w->pending.target == top->pc, both = taken != 0 && rest != 0 && !to_next;
  const bool same = w->pending.rpc == top->rpc, fall_meets = w->pending.rpc == top->pc,
             goes_meet = w->pending.rpc == w->pending.target;
  cover(COVER_branch_none_taken, taken == 0);
  cover(COVER_branch_all_taken, rest == 0 && !to_next);
  cover(COVER_branch_some_to_next, taken != 0 && rest != 0 && to_next);
  cover(COVER_branch_all_to_rpc, rest == 0 && w->pending.target == top->rpc);
  cover(COVER_branch_none_at_rpc, taken == 0 && top->pc == top->rpc);
  if (!both)
    return;
  const unsigned added = 2U - fall_meets - goes_meet, below = w->depth + added - same;
  cover(COVER_trap_by_one, out->trap_valid && below == SIMT_BELOW + 1);
  cover(COVER_trap_by_two, out->trap_valid && below == SIMT_BELOW + 2);
  cover(COVER_trap_upper_warp, out->trap_valid && upper);
  cover(COVER_stack_full, below == SIMT_BELOW && w->depth < SIMT_BELOW);
  cover(COVER_stack_full_upper_warp, below == SIMT_BELOW && w->depth < SIMT_BELOW && upper);
  cover(COVER_full_stack_keeps_depth, below == SIMT_BELOW && w->depth == SIMT_BELOW);
  if (out->trap_valid)
    return;
  cover(COVER_diverge_upper_warp, upper && added == 2);
  cover(COVER_diverge_upper_lanes, taken >> lanes / 2 != 0 && rest >> lanes / 2 != 0);
  cover(COVER_diverge_both, !same && added == 2);
  cover(COVER_diverge_fall_is_rpc, !same && fall_meets);
  cover(COVER_diverge_target_is_rpc, !same && goes_meet);
  cover(COVER_diverge_same_rpc_both, same && added == 2);
  cover(COVER_diverge_same_rpc_fall_is_rpc, same && fall_meets);
  cover(COVER_diverge_same_rpc_target_is_rpc, same && goes_meet);
  cover(COVER_diverge_at_bottom_without_rpc, w->depth == 0 && w->pending.rpc == NO_RPC);
  cover(COVER_diverge_deeper_without_rpc, !same && w->pending.rpc == NO_RPC);
}

struct driver {
  warpset trapped, launched;
  warpset came;         /* warps whose target came in the cycle before */
  warpset deferred;     /* warps that were to wait, in the cycle before */
  warpset waits;        /* warps that are to wait */
  unsigned defer;       /* per cent of cycles in which those change; 0: none waits */
  bool ending;          /* warps only exit */
  bool deepening;       /* they only branch, and one lane stays behind each time */
  unsigned rate, split; /* per cent: events; branches that diverge */
};

/* PCs are below FAR_PC, and increments do not take them to NO_RPC. */
enum { FAR_PC = 0xf000 };

/* A PC a little after another one, within its 256 instructions. */
static uint16_t close_pc(struct rng *r, uint16_t pc) {
  return (uint16_t)((pc & 0xff00) | ((pc + 1 + rng_below(r, 8)) & 0xff));
}

/* The control class of a warp's next instruction; a branch's target is under way. */
static unsigned random_issue(const struct lockstep *l, struct rng *r, unsigned warp,
                             const struct driver *d) {
  const struct simt_entry *top = &l->ref.warp[warp].top;
  const uint16_t fall = (uint16_t)(top->pc + 1);
  unsigned ctl = d->ending ? DECODE_CTL_EXIT : rng_below(r, 4);
  if (d->deepening || (ctl == DECODE_CTL_EXIT && !d->ending && rng_chance(r, 60)))
    ctl = DECODE_CTL_BRA;
  if (ctl != DECODE_CTL_BRA)
    return ctl;
  unsigned kind = rng_below(r, 10);
  uint16_t rpc = kind < 4    ? top->rpc
                 : kind == 4 ? fall
                 : kind == 5 ? NO_RPC
                             : (uint16_t)(fall + rng_below(r, 6));
  kind = rng_below(r, 10);
  uint16_t target = kind == 0   ? fall
                    : kind == 1 ? top->rpc
                    : kind == 2 ? rpc
                    : kind == 3 ? (uint16_t)rng_below(r, FAR_PC)
                                : close_pc(r, fall);
  if (l->ref.warp[warp].depth == SIMT_BELOW && rng_chance(r, 60))
    target = rpc = top->rpc;
  if (target == NO_RPC)
    target = (uint16_t)(fall + 2);
  memory_issue(warp, target, rpc);
  return ctl;
}

static uint64_t random_lanes(const struct lockstep *l, struct rng *r, unsigned warp,
                             const struct driver *d) {
  const uint64_t mask = l->ref.warp[warp].top.mask, noise = rng_next(r);
  if (d->ending)
    return ~UINT64_C(0);
  if (l->ref.warp[warp].pending.exit &&
      rng_chance(r, 20)) /* one lane is left of the warp, or of its top */
    return ~(UINT64_C(1) << rng_member(r, mask));
  if (l->ref.warp[warp].pending.exit && rng_chance(r, 50))
    return noise & rng_next(r) & rng_next(r);
  if (rng_chance(r, d->deepening ? 95 : d->split)) /* one lane stays, so that more can split */
    return mask & (mask - 1);
  switch (rng_below(r, 5)) {
  case 0:
    return 0;
  case 1:
    return mask | noise;
  case 2:
    return ~mask;
  case 3:
    return noise << 32;
  default:
    return noise;
  }
}

/* A warp of a set; deepening goes on with the same few. */
static unsigned choose(struct rng *r, warpset set, const struct driver *d) {
  const warpset upper = set & ~((UINT64_C(1) << UPPER_WARP) - 1);
  if (!d->deepening || rng_chance(r, 20))
    return rng_member(r, set);
  return warpset_first(upper != 0 && rng_chance(r, 50) ? upper : set);
}

static void drive_issue(const struct lockstep *l, struct rng *r, const struct driver *d,
                        unit_in *in) {
  const warpset can = l->ref.live & ~l->ref.ctrl & ~l->ref.settle;
  if ((can & even) != 0 && rng_chance(r, d->rate)) {
    in->iss0_valid = 1;
    in->iss0_warp = choose(r, can & even, d);
    in->iss0_ctl = random_issue(l, r, (unsigned)in->iss0_warp, d);
  }
  if ((can & odd) != 0 && rng_chance(r, d->rate)) {
    in->iss1_valid = 1;
    in->iss1_warp = choose(r, can & odd, d);
    in->iss1_ctl = random_issue(l, r, (unsigned)in->iss1_warp, d);
  }
}

static unit_in drive(const struct lockstep *l, struct rng *r, const struct driver *d) {
  const struct simt_stack_ref *s = &l->ref;
  const warpset can_resolve = s->ctrl & ~d->trapped & ~memory.due, dead = all & ~s->live;
  unit_in in = {.fetch_warp = rng_member(r, s->live != 0 ? s->live : all),
                .iss0_warp = rng_member(r, even & (s->live & even ? s->live : all)),
                .iss1_warp = rng_member(r, odd & (s->live & odd ? s->live : all)),
                .depth0_warp = rng_member(r, s->live != 0 ? s->live : all),
                .depth1_warp = rng_member(r, s->live != 0 ? s->live : all),
                .defer = d->waits};
  if (!d->ending && dead != 0 && rng_chance(r, d->rate)) {
    in.launch_valid = 1;
    in.launch_warp = rng_member(r, dead);
    in.launch_pc = rng_below(r, rng_chance(r, 50) ? 256 : FAR_PC);
    in.launch_mask = rng_chance(r, d->deepening ? 95 : 50)
                         ? all_lanes
                         : (rng_next(r) >> (rng_chance(r, 50) ? 0 : 32) & all_lanes) |
                               UINT64_C(1) << rng_below(r, lanes);
  }
  if (can_resolve != 0 && rng_chance(r, d->rate)) {
    const warpset came = can_resolve & d->came;
    in.resolve_valid = 1;
    in.resolve_warp = choose(r, came != 0 && rng_chance(r, 50) ? came : can_resolve, d);
    in.resolve_taken = random_lanes(l, r, (unsigned)in.resolve_warp, d);
  }
  drive_issue(l, r, d, &in);
  return in;
}

/* Covers coincidences of pops, targets and launches, once the cycle is over. */
static void cover_cycle(const struct lockstep *l, const unit_in *in, const struct driver *d) {
  const unit_out *out = &l->ref_out;
  const unsigned ended = out->flush_valid ? (unsigned)out->flush_warp : NO_WARP;
  const uint64_t mask = ended != NO_WARP ? simt_stack_ref_top(&l->ref, ended)->mask : 0;
  const uint64_t deferred = out->settle & in->defer;
  const warpset popping = l->ref.popping;
  cover(COVER_deferred, deferred != 0 && !out->pop_valid);
  cover(COVER_deferred_beside_pop,
        deferred != 0 && out->pop_valid && warpset_first(deferred) < out->pop_warp);
  cover(COVER_popped_after_deferral,
        out->pop_valid && warpset_has(d->deferred, (unsigned)out->pop_warp));
  cover(COVER_settle_again_empty,
        ended != NO_WARP && warpset_has(l->ref.settle, ended) && mask == 0 && !memory.bypass);
  cover(COVER_pop_of_upper_lanes, mask >> lanes / 2 != 0);
  cover(COVER_pop_bypassed, ended != NO_WARP && memory.bypass);
  cover(COVER_pop_begins_as_one_ends, out->pop_valid && ended != NO_WARP && !memory.bypass);
  cover(COVER_lower_warp_settles_while_popping,
        popping != 0 && (l->ref.settle & ~popping & (popping - 1)) != 0);
  cover(COVER_two_pops_under_way, __builtin_popcountll(popping) > 1);
  cover(COVER_two_warps_settle, __builtin_popcountll(out->settle) > 1);
  cover(COVER_settle_by_issue,
        in->iss0_valid && warpset_has(l->ref.settle, (unsigned)in->iss0_warp));
  cover(COVER_everything_at_once, in->launch_valid && in->resolve_valid && in->iss0_valid &&
                                      in->iss1_valid && ended != NO_WARP && out->pop_valid);
  cover(COVER_done_and_pop, out->done_valid && ended != NO_WARP);
  cover(COVER_two_targets_come, l->in.br0_valid && l->in.br1_valid);
  cover(COVER_resolve_right_after_target,
        in->resolve_valid && warpset_has(d->came, (unsigned)in->resolve_warp));
  cover(COVER_relaunch, in->launch_valid && warpset_has(d->launched, (unsigned)in->launch_warp));
}

/* A kernel starts, with bypassed stages or not, whatever is under way. */
static void start(struct lockstep *l, struct rng *r, struct driver *d, unit_in in) {
  const bool bypass = memory.bypass;
  cover(COVER_start_while_popping, l->ref.popping != 0);
  cover(COVER_start_while_target_under_way, memory.due != 0);
  in.kernel_start = 1;
  memory_tick(l, in);
  memory.bypass = rng_chance(r, 30);
  cover(COVER_bypass_after_stages, memory.bypass && !bypass);
  cover(COVER_stages_after_bypass, bypass && !memory.bypass);
  d->trapped = d->launched = d->came = d->deferred = 0;
  d->ending = false;
}

static void change(struct rng *r, struct driver *d) {
  d->rate = 30 + rng_below(r, 71);
  d->split = rng_below(r, 101);
  d->ending = rng_chance(r, 40);
  d->deepening = !d->ending && rng_chance(r, 30);
  if (rng_chance(r, 30))
    d->defer = rng_below(r, 30);
}

static void random_stack(struct lockstep *l, struct rng *r, uint64_t cycles) {
  struct driver d = {.rate = 70, .split = 50};
  memory_clear();
  memory.bypass = false;
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_chance(r, d.deepening ? 0 : 1) || rng_below(r, 400) == 0)
      change(r, &d);
    if (d.defer == 0)
      d.waits = 0;
    else if (rng_chance(r, d.defer))
      d.waits = rng_subset(r, all, rng_below(r, 4));
    unit_in in = drive(l, r, &d);
    /* Trapped warps never go on: only a kernel's start helps.  And fresh warps have all their
     * lanes. */
    if (__builtin_popcountll(d.trapped) > 20 || (d.deepening && rng_below(r, 500) == 0) ||
        (d.ending && (l->ref.live & ~d.trapped) == 0) || rng_below(r, 1000) == 0) {
      start(l, r, &d, in);
      continue;
    }
    const struct simt_warp before = l->ref.warp[in.resolve_warp];
    memory_tick(l, in);
    if (in.resolve_valid)
      cover_resolve((unsigned)in.resolve_warp, &before, in.resolve_taken, &l->ref_out);
    cover_cycle(l, &in, &d);
    d.trapped |= warpset_if(l->ref_out.trap_valid, l->ref_out.trap_warp);
    d.launched |= warpset_if(in.launch_valid, in.launch_warp);
    d.deferred = l->ref_out.settle & in.defer;
    d.came =
        warpset_if(l->in.br0_valid, l->in.br0_warp) | warpset_if(l->in.br1_valid, l->in.br1_warp);
  }
}
