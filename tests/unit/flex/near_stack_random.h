/* Random lockstep of near_stack with its far rows. */

/* Covers coincidences of a resolve, from the warp before it. */
static void cover_resolve(unsigned warp, const struct near_warp *w, uint64_t lanes,
                          const unit_out *out) {
  const struct near_entry *top = &w->top;
  const uint64_t taken = lanes & top->mask, rest = top->mask & ~taken;
  const bool is_far = near_is_far(warp);
  cover(COVER_taken_outside_mask, (lanes & ~top->mask) != 0);
  if (w->exit) {
    const bool done = (w->lanes & ~taken) == 0;
    cover(COVER_exit_all, done);
    cover(COVER_exit_none, taken == 0);
    cover(COVER_exit_some_go_on, taken != 0 && rest != 0);
    cover(COVER_exit_top_empty, !done && rest == 0);
    static uint64_t last; /* lanes that were the last ones of a warp */
    const uint64_t left = w->lanes & ~taken;
    if (__builtin_popcountll(left) == 1)
      last |= left;
    cover(COVER_exit_leaves_each_lane, last == UINT64_MAX);
    cover(COVER_exit_rest_at_rpc, !done && rest != 0 && top->pc == top->rpc);
    return;
  }
  const bool to_next = w->goes == top->pc, both = taken != 0 && rest != 0 && !to_next;
  const bool same = w->met == top->rpc, fall_meets = w->met == top->pc,
             goes_meet = w->met == w->goes;
  cover(COVER_branch_none_taken, taken == 0);
  cover(COVER_branch_all_taken, rest == 0 && !to_next);
  cover(COVER_branch_some_to_next, taken != 0 && rest != 0 && to_next);
  cover(COVER_branch_all_to_rpc, rest == 0 && w->goes == top->rpc);
  cover(COVER_branch_none_at_rpc, taken == 0 && top->pc == top->rpc);
  if (!both)
    return;
  const unsigned added = 2U - fall_meets - goes_meet, below = w->depth + added - same;
  cover(COVER_trap_by_one, out->trap_valid && below == NEAR_BELOW + 1);
  cover(COVER_trap_by_two, out->trap_valid && below == NEAR_BELOW + 2);
  cover(COVER_trap_far, out->trap_valid && is_far);
  cover(COVER_stack_full, below == NEAR_BELOW && w->depth < NEAR_BELOW);
  cover(COVER_stack_full_far, below == NEAR_BELOW && w->depth < NEAR_BELOW && is_far);
  cover(COVER_full_stack_keeps_depth, below == NEAR_BELOW && w->depth == NEAR_BELOW);
  if (out->trap_valid)
    return;
  cover(COVER_diverge_far, is_far && added == 2);
  cover(COVER_diverge_upper_lanes, taken >> 32 != 0 && rest >> 32 != 0);
  cover(COVER_diverge_both, !same && added == 2);
  cover(COVER_diverge_fall_is_rpc, !same && fall_meets);
  cover(COVER_diverge_target_is_rpc, !same && goes_meet);
  cover(COVER_diverge_same_rpc_both, same && added == 2);
  cover(COVER_diverge_same_rpc_fall_is_rpc, same && fall_meets);
  cover(COVER_diverge_same_rpc_target_is_rpc, same && goes_meet);
  cover(COVER_diverge_at_bottom_without_rpc, w->depth == 0 && w->met == NO_RPC);
}

struct driver {
  warpset trapped, launched;
  warpset came;         /* warps whose target came in the cycle before */
  bool ending;          /* warps only exit */
  bool deepening;       /* they only branch, and one lane stays behind each time */
  unsigned rate, split; /* per cent: events; branches that diverge */
};

/* PCs are below FAR_PC, and increments do not take them to NO_RPC. */
enum { FAR_PC = 0xf000 };

/* A PC a little behind another one, within its 256 instructions. */
static uint16_t close_pc(struct rng *r, uint16_t pc) {
  return (uint16_t)((pc & 0xff00) | ((pc + 1 + rng_below(r, 8)) & 0xff));
}

/* The control class of a warp's next instruction; a branch's target is under way. */
static unsigned random_issue(const struct lockstep *l, struct rng *r, unsigned warp,
                             const struct driver *d) {
  const struct near_entry *top = &l->ref.warp[warp].top;
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
  if (l->ref.warp[warp].depth == NEAR_BELOW && rng_chance(r, 60))
    target = rpc = top->rpc;
  if (target == NO_RPC)
    target = (uint16_t)(fall + 2);
  far_issue(warp, target, rpc);
  return ctl;
}

static uint64_t random_lanes(const struct lockstep *l, struct rng *r, unsigned warp,
                             const struct driver *d) {
  const uint64_t mask = l->ref.warp[warp].top.mask, noise = rng_next(r);
  if (d->ending)
    return ~UINT64_C(0);
  if (l->ref.warp[warp].exit && rng_chance(r, 20)) /* one lane is left of the warp, or of its top */
    return ~(UINT64_C(1) << rng_member(r, mask));
  if (l->ref.warp[warp].exit && rng_chance(r, 50))
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

/* A warp of a set; deepening goes on with the same few, own or borrowed. */
static unsigned choose(struct rng *r, warpset set, const struct driver *d) {
  const warpset borrowed = set & ~UINT64_C(0xffffff);
  if (!d->deepening || rng_chance(r, 20))
    return rng_member(r, set);
  return warpset_first(borrowed != 0 && rng_chance(r, 50) ? borrowed : set);
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
  const struct near_stack_ref *s = &l->ref;
  const warpset can_resolve = s->ctrl & ~d->trapped & ~far.due, dead = all & ~s->live;
  unit_in in = {.fetch_warp = rng_member(r, s->live != 0 ? s->live : all),
                .iss0_warp = rng_member(r, even & (s->live & even ? s->live : all)),
                .iss1_warp = rng_member(r, odd & (s->live & odd ? s->live : all))};
  if (!d->ending && dead != 0 && rng_chance(r, d->rate)) {
    in.launch_valid = 1;
    in.launch_warp = rng_member(r, dead);
    in.launch_pc = rng_below(r, rng_chance(r, 50) ? 256 : FAR_PC);
    in.launch_mask = rng_chance(r, d->deepening ? 95 : 50)
                         ? ~UINT64_C(0)
                         : rng_next(r) >> (rng_chance(r, 50) ? 0 : 32) | UINT64_C(1)
                                                                             << rng_below(r, 64);
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
  const bool again = ended != NO_WARP && warpset_has(l->ref.settle, ended);
  const bool begins = out->own_pop || out->far_pop;
  const warpset popping = l->ref.popping;
  cover(COVER_pop_again, again && !far.bypass);
  cover(COVER_pop_far, out->far_pop && !far.bypass);
  cover(COVER_pop_of_upper_lanes, ended != NO_WARP && l->ref.warp[ended].top.mask >> 32 != 0);
  cover(COVER_pop_in_base, ended != NO_WARP && far.bypass);
  cover(COVER_pop_begins_as_one_ends, begins && ended != NO_WARP && !far.bypass);
  cover(COVER_lower_warp_settles_while_popping,
        popping != 0 && (l->ref.settle & ~popping & (popping - 1)) != 0);
  cover(COVER_two_pops_under_way, __builtin_popcountll(popping) > 1);
  cover(COVER_two_warps_settle, __builtin_popcountll(out->settle) > 1);
  cover(COVER_settle_by_issue,
        in->iss0_valid && warpset_has(l->ref.settle, (unsigned)in->iss0_warp));
  cover(COVER_everything_at_once, in->launch_valid && in->resolve_valid && in->iss0_valid &&
                                      in->iss1_valid && ended != NO_WARP && begins);
  cover(COVER_two_targets_come, l->in.br0_valid && l->in.br1_valid);
  cover(COVER_resolve_right_behind_target,
        in->resolve_valid && warpset_has(d->came, (unsigned)in->resolve_warp));
  cover(COVER_relaunch, in->launch_valid && warpset_has(d->launched, (unsigned)in->launch_warp));
}

/* A kernel of another or the same mode starts, whatever is under way. */
static void start(struct lockstep *l, struct rng *r, struct driver *d, unit_in in) {
  const bool base = far.bypass;
  cover(COVER_start_while_popping, l->ref.popping != 0);
  cover(COVER_start_while_target_under_way, far.due != 0);
  in.kernel_start = 1;
  far_tick(l, in);
  far.bypass = rng_chance(r, 30);
  cover(COVER_base_behind_others, far.bypass && !base);
  cover(COVER_others_behind_base, base && !far.bypass);
  d->trapped = d->launched = d->came = 0;
  d->ending = false;
}

static void change(struct rng *r, struct driver *d) {
  d->rate = 30 + rng_below(r, 71);
  d->split = rng_below(r, 101);
  d->ending = rng_chance(r, 40);
  d->deepening = !d->ending && rng_chance(r, 30);
}

static void random_stack(struct lockstep *l, struct rng *r, uint64_t cycles) {
  struct driver d = {.rate = 70, .split = 50};
  far_clear();
  far.bypass = false;
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_chance(r, d.deepening ? 0 : 1) || rng_below(r, 400) == 0)
      change(r, &d);
    unit_in in = drive(l, r, &d);
    /* Trapped warps never go on: only a kernel's start helps.  And fresh warps have all their
     * lanes. */
    if (__builtin_popcountll(d.trapped) > 20 || (d.deepening && rng_below(r, 500) == 0) ||
        (d.ending && (l->ref.live & ~d.trapped) == 0) || rng_below(r, 1000) == 0) {
      start(l, r, &d, in);
      continue;
    }
    const struct near_warp before = l->ref.warp[in.resolve_warp];
    far_tick(l, in);
    if (in.resolve_valid)
      cover_resolve((unsigned)in.resolve_warp, &before, in.resolve_taken, &l->ref_out);
    cover_cycle(l, &in, &d);
    d.trapped |= warpset_if(l->ref_out.trap_valid, l->ref_out.trap_warp);
    d.launched |= warpset_if(in.launch_valid, in.launch_warp);
    d.came =
        warpset_if(l->in.br0_valid, l->in.br0_warp) | warpset_if(l->in.br1_valid, l->in.br1_warp);
  }
}
